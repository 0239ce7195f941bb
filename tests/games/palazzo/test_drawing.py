"""Pictures of Palazzo positions: all that a seat may see is there, nothing it may not, and nothing overlaps."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from palazzo_env import drawing
from palazzo_env.text import text
from skyline.draw.raster import rasterise
from skyline.game import LastMove
from tests.games.palazzo.cases import ALL_CARDS, PILE_1, PILE_2, PILE_3, at, bidding, hands
from tests.games.pictures import SVG, check_only_reads, check_texts_lie_apart, titles
from tests.games.pictures import texts as words
from tests.support.rule_cases import Core
from tests.support.seeing import copy_of

CURRENCY_CARDS = set(ALL_CARDS) - {"2"}
CITY = [["11s/43m/53b", "13s/32b"], ["23m"], ["13b/21b/33b/41b/51b", "31s", "31s"], []]
HANDS = hands("A3 A3 B7", "2 2 C4", "A7 B6 C6", "C5")


def usual(players: int, **more: object) -> Core:
    """A position with something everywhere."""
    fields = {
        "active": 1, "builder": 2, "depot": ["12b", "22s"], "quarries": [["13m"], [], ["31b", "42m", "52m"], ["23s"]],
        "hands": HANDS[:players], "palaces": CITY[:players], "discard": {"A5": 2, "C7": 1}, "quiet": 3,
        "stack": ["53m", "K", "42b"], **more,
    }  # fmt: skip
    return at(players, **fields)


def auction(players: int) -> Core:
    """Seat 0 holds the bid, the last seat has passed, seat 1 has begun a raise."""
    out = [players - 1] if players > 2 else []
    totals = [9, 15, 0, 0][:players]
    table = [{"A6": 1}, {"2": 3}, {}, {}][:players]
    return usual(players, decision="BID", player=1, active=0, standing=[0, 9], totals=totals, out=out, last="T2",
                 locks=["A", None, None, None][:players], table=table, hands=[*hands("A3", "B5 B6"), {}, {}][:players],
                 discard={})  # fmt: skip


def extreme(players: int, decision: str) -> Core:
    """The most of everything: forty singles, a full depot, nearly all cards in a hand and on the table."""
    tiles = sorted([*PILE_1, *PILE_2, *PILE_3])
    singles = sorted(set(tiles))
    half = len(ALL_CARDS) // 2
    held, laid = Counter(ALL_CARDS[half:]), Counter(ALL_CARDS[:half])
    more: dict[str, object] = {}
    if decision == "BID":
        more = {
            "player": 1, "standing": [0, 271], "totals": [271, 200, 0, 0][:players], "singles": 0, "last": None,
            "locks": ["A", "C", None, None][:players], "table": [{}, dict(laid), {}, {}][:players],
            "quarries": [singles[20:23], [], [], []],
        }  # fmt: skip
    return at(
        players, decision=decision, active=0, depot=singles[25:] if decision == "BID" else singles[20:],
        palaces=[[], singles[:20], [], []][:players], hands=[{}, dict(held), {}, {}][:players], **more,
    )  # fmt: skip


def told(move: str | None, seat: int = 1) -> LastMove | None:
    """A last move with this text."""
    return None if move is None else LastMove(seat, 0, move, f"B plays {move}, which is told here.")


def picture(core: Core, seat: int | None = None, move: str | None = None) -> str:
    return drawing.svg(core.states[0], seat, told(move))


def text_of(core: Core, seat: int | None = None, move: str | None = None) -> str:
    return text(core.states[0], seat, told(move))


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_tile_and_palace_is_drawn(players: int) -> None:
    core = usual(players)
    palaces = [palace for palaces in CITY[:players] for palace in palaces]
    assert titles(picture(core)) == ["13m", "31b", "42m", "52m", "23s", "12b", "22s", *palaces]
    said = text_of(core)
    assert "Depot (price 8 a tile): 12b 22s" in said
    assert "Quarry 0: 13m\nQuarry 1: -\nQuarry 2: 31b 42m 52m  <- master builder\nQuarry 3: 23s" in said
    assert "   palaces: 11s/43m/53b (7) 13s/32b (0)" in said


def test_a_tile_shows_floor_windows_and_material() -> None:
    """Floor and letter as texts, an arch for each window, another colour for each material."""
    fills = set()
    for tile in ("12b", "43m", "51s"):
        svg = picture(at(2, palaces=[[tile], []]))
        (group,) = (g for g in ET.fromstring(svg).iter(f"{SVG}g") if g[0].text == tile)
        assert [e.text for e in group.iter(f"{SVG}text")] == [tile[0], tile[2], "-5"]
        (arches,) = (e.attrib["d"] for e in group.iter(f"{SVG}path"))
        assert arches.count("M") == int(tile[1])
        fills.add(next(group.iter(f"{SVG}rect")).attrib["fill"])
    assert len(fills) == 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_shown_to_their_seat_and_to_the_spectator(players: int) -> None:
    core = usual(players)
    lines = ["hand of 3: A3x2 B7", "hand of 3: 2x2 C4", "hand of 3: A7 B6 C6", "hand of 1: C5"][:players]
    shown = [Counter(hand) for hand in (["A3", "B7"], ["C4"], ["A7", "B6", "C6"], ["C5"])][:players]
    discards = Counter({"A5": 1, "C7": 1})
    for seat in (None, *range(players)):
        found = [line.strip() for line in text_of(core, seat).splitlines() if line.startswith("   hand")]
        unknown = [f"hand of {n}: {n} unknown card{'s' * (n > 1)}" for n in (3, 3, 3, 1)]
        assert found == [lines[p] if seat in (None, p) else unknown[p] for p in range(players)]
        seen = sum((shown[p] for p in range(players) if seat in (None, p)), discards)
        assert Counter(word for word in words(picture(core, seat)) if word in CURRENCY_CARDS) == seen


def test_points_clock_and_turn_are_shown() -> None:
    core = usual(4)
    said = text_of(core, 2)
    assert "seen by seat C.\nTurn of seat B; stack 7 (top: pile III), 0 of 5 knights drawn." in said
    assert "Seat B draws tiles, takes money or rebuilds." in said
    assert "Seat B (on turn): -5 points" in said and "Seat C (you): 11 points" in said
    assert "Money: deck 42; discards 3: A5x2 C7" in said
    shown = Counter(words(picture(core, 2)))
    assert {"Seat B draws tiles, takes money or rebuilds", "deck 42", "discards 3", "you", "on turn"} <= set(shown)
    assert "turn of seat B, stack 7 (top: pile III), 0 of 5 knights drawn" in shown
    assert shown["master builder"] == 1


def test_the_auction_is_shown() -> None:
    said, shown = text_of(auction(3)), words(picture(auction(3)))
    assert "Seat B bids more than 9 or passes." in said
    for line in ("Seat A (on turn): 7 points; standing bid 9, red cards", "Seat B: -5 points; bid 15",
                 "Seat C: 11 points; passed", "   laid: A6", "   laid: 2x3"):  # fmt: skip
        assert line in said.splitlines()
    assert {"standing bid 9, red cards", "bid 15", "passed", "laid 1", "laid 3", "x3"} <= set(shown)


DECISIONS = {
    "money": (
        usual(2, decision="MONEY", first_take="C4", face_up=["A7", "C6"], discard={}),
        "takes a card", "face up A7 C6",
    ),
    "choice": (usual(2, decision="CHOICE"), "buys or auctions", ""),
    "buy": (usual(2, decision="BUY"), "chooses a tile to buy", ""),
    "second": (usual(2, decision="BUY", chosen=["22s"]), "buys 22s, and another tile?", ""),
    "pay": (
        usual(2, decision="PAY", chosen=["12b", "22s"], totals=[0, 4], locks=[None, "C"], last="C4",
              table=[{}, {"C4": 1}], hands=hands("", "C4 C4 2 2")),
        "pays 16 for 12b and 22s", "paid 4",
    ),
    "share": (
        usual(2, decision="SHARE", sharing=True, builder=2, quarries=[[], [], ["31b", "42m", "52m", "53s"], []]),
        "takes one of the tiles", "",
    ),
    "build": (usual(2, decision="BUILD", player=1, to_build=["41b", "53s"]), "builds 41b and 53s", ""),
    "rebuild": (usual(2, decision="REBUILD"), "chooses what to rebuild", ""),
    "into": (
        usual(2, active=0, decision="INTO", change="insert 23s", quarries=[[]] * 4, palaces=[["11b/31b", "23s"], []]),
        "inserts 23s: into which palace?", "",
    ),
    "insert": (
        usual(2, active=0, decision="FEE", change="insert 23s", target="11b/31b", quarries=[[]] * 4,
              palaces=[["11b/31b", "23s"], []]),
        "pays a card to insert 23s into 11b/31b", "",
    ),
    "split": (
        usual(2, active=0, decision="FEE", change="split 13s/32b 32b"), "pays a card to split 32b off 13s/32b", "",
    ),
    "remove": (usual(2, decision="FEE", change="remove 23m"), "pays a card to remove 23m", ""),
    "quiet": (usual(2, quiet=40), "draws tiles", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", DECISIONS)
def test_every_decision_is_named(name: str) -> None:
    core, said, more = DECISIONS[name]
    line = f"Seat {'AB'[core.seat or 0]} {said}"
    assert f"{line}." in text_of(core).splitlines() and line in words(picture(core))
    assert more in text_of(core)


@pytest.mark.parametrize(("name", "tiles"), [("pay", 2), ("second", 1), ("split", 1), ("into", 1), ("choice", 0)])
def test_chosen_tiles_are_framed(name: str, tiles: int) -> None:
    frames = re.findall(r'<rect[^>]*stroke="#1F242C" stroke-width="2.5"/>', picture(DECISIONS[name][0]))
    assert len(frames) == tiles


def test_tiles_to_build_are_shown_beside_the_builders_points() -> None:
    found = titles(picture(DECISIONS["build"][0]))
    assert Counter(found)["41b"] == Counter(found)["53s"] == 1


def test_the_end_names_the_winners() -> None:
    """Among seats with most points the largest payment of the hand decides (PZ-82), which the picture does not tell."""
    palaces = [["13b/21b/33b"], ["11s/23s/32s"], ["31b"]]
    core = usual(3, knights=5, decision="END", palaces=palaces, quarries=[[]] * 4, stack=[])
    assert core.seat is None
    assert "\nA wins.\n" in text_of(core)
    core = usual(3, knights=5, decision="END", palaces=[palaces[0], ["13m/21m/33m"], []], quarries=[[]] * 4,
                 stack=[])  # fmt: skip
    assert "A and B have most points" in words(picture(core))


def test_the_last_move_is_told() -> None:
    core, said = usual(3), "Last move: B plays pay A3, which is told here."
    assert said in text_of(core, None, "pay A3").splitlines()
    assert said in words(picture(core, 1, "pay A3"))
    assert "Last move" not in text_of(core) + picture(core)


@pytest.mark.parametrize(
    ("move", "seat", "palace"),
    [("build 23m new", 1, "23m"), ("build 32b on 13s", 0, "13s/32b"), ("build 31s new", 2, "31s")],
)
def test_the_tile_built_last_is_marked(move: str, seat: int, palace: str) -> None:
    """In the palaces of the seat that built it; of two equal palaces in the first one."""
    core, last = usual(3), told(move, seat)
    row = core.states[0]
    svg = drawing.svg(row, None, last)
    (group,) = (g for g in ET.fromstring(svg).iter(f"{SVG}g") if drawing.BUILT_LAST in ET.tostring(g, "unicode"))
    assert group[0].text == palace
    framed = [e for e in group.iter(f"{SVG}rect") if e.attrib["stroke"] == drawing.BUILT_LAST]
    assert len(framed) == 1
    assert framed[0].attrib["y"] == min((e.attrib["y"] for e in group.iter(f"{SVG}rect")), key=float)
    assert f"*{palace} (" in text(row, None, last)
    other = told(move, (seat + 1) % 3)
    assert drawing.BUILT_LAST not in drawing.svg(row, None, other)
    assert " *" not in text(row, None, other).replace(", * the palace built last", "")


def test_single_letters_are_seats() -> None:
    """In pictures and texts a capital letter alone is the name of a seat."""
    for core in (usual(4), auction(4), *(core for core, *_ in DECISIONS.values())):
        letters = {word for word in words(picture(core)) if len(word) == 1 and word.isupper()}
        assert letters == set("ABCD"[: core.players])
        alone = re.findall(r"(?<![\w*/])([A-Z])(?![\w/])", text_of(core).replace("pile I)", "pile)"))
        assert set(alone) <= set("ABCD"[: core.players])
        assert all(f"eat {letter}" in text_of(core) for letter in alone)


# ---------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_things_are_not_in_the_picture(players: int) -> None:
    for core in (usual(players), auction(players)):
        for seat in range(players):
            copy = copy_of(core, seat, stream=7)
            copy.states["rng"], copy.states["deal"] = 5, 6
            for move in (None, "draw"):
                assert picture(core, seat, move) == picture(copy, seat, move)
                assert text_of(core, seat, move) == text_of(copy, seat, move)
            assert picture(core) != picture(copy) and text_of(core) != text_of(copy)


# ---------------------------------------------------------------- form

POSITIONS: dict[str, Callable[[], Core]] = {
    "start": lambda: Core.deal("palazzo", 4, seed=1),
    **{f"usual {n}": lambda n=n: usual(n) for n in (2, 3, 4)},
    **{f"auction {n}": lambda n=n: auction(n) for n in (2, 3, 4)},
    **{f"extreme {n} {d}": lambda n=n, d=d: extreme(n, d) for n in (2, 4) for d in ("MAIN", "BID")},
    **{name: lambda name=name: DECISIONS[name][0] for name in DECISIONS},
    "long bid": lambda: bidding("A3", "B4", "C5", "2 2 2", totals=[3, 0, 0, 0]),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_pictures_are_deterministic_and_leave_the_state_alone(name: str) -> None:
    check_only_reads(POSITIONS[name]())


@pytest.mark.parametrize("name", POSITIONS)
def test_no_text_lies_on_another_or_outside(name: str) -> None:
    core = POSITIONS[name]()
    for seat in (None, 0):
        check_texts_lie_apart(picture(core, seat, "split 11b/22b/33b/43b/51b 43b " + "and so on " * 30))


@pytest.mark.parametrize("name", POSITIONS)
def test_palaces_and_tiles_lie_apart(name: str) -> None:
    """The blocks of two different groups never overlap."""
    blocks = []
    for number, group in enumerate(ET.fromstring(picture(POSITIONS[name]())).iter(f"{SVG}g")):
        for e in group.iter(f"{SVG}rect"):
            x, y, wide, high = (float(e.attrib[key]) for key in ("x", "y", "width", "height"))
            blocks.append((number, x, y, x + wide, y + high))
    for one, other in itertools.combinations(blocks, 2):
        assert (
            one[0] == other[0] or one[1] >= other[3] or other[1] >= one[3] or one[2] >= other[4] or other[2] >= one[4]
        )


@pytest.mark.parametrize("name", POSITIONS)
def test_text_is_ascii_in_80_columns(name: str) -> None:
    said = text_of(POSITIONS[name](), 1, "draw " + "and so on " * 30)
    assert said.isascii() and max(map(len, said.splitlines())) <= 80


def test_pixels() -> None:
    pixels = rasterise(picture(usual(3), 0))
    assert pixels.shape[1:] == (drawing.WIDTH, 3) and pixels.dtype == np.uint8
