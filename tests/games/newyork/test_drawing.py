"""Text and SVG pictures of New York: complete, hiding what section 7 hides, nothing overlapping, deterministic."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from newyork_env import drawing, words
from newyork_env.components import PRICE, STREETS, TYPE
from newyork_env.text import text as in_words
from skyline.draw.raster import rasterise
from skyline.game import LastMove
from tests.games.newyork.cases import RING, at, forgetful
from tests.games.pictures import SVG, boxes, check_only_reads, check_texts_lie_apart, titles
from tests.games.pictures import texts as shown
from tests.support.rule_cases import Core

COLUMN = [[0, y + 1, tile] for y, tile in enumerate([7, 14, 22, 23, 31, 32, 39, 42, 50, 53])]
ROW = [[-x - 1, 0, tile] for x, tile in enumerate([5, 21, 40, 51, 13, 29, 43, 52])]


def usual(players: int) -> Core:
    """Some of everything: cities, reserves, a purchase being paid, Dirk with two players."""
    rest: list[Any] = [[]] * (players - 2)
    return at(
        players, phase="pay", slot=2, paid=[4], depot=[1, 8, 24, 33 if players == 2 else None], bag=[2, 3],
        hands=[["B1", "Y3", "Y4", "R9"], ["G5", "G5"], *rest], market=["B2", "B2", None, "R7"], discard=["Y4"],
        cities=[[[1, 0, 20], [1, 1, 32]], [[-1, 0, 40], [0, -1, 42]], *rest], reserves=[[54, 9], [45], *rest],
        scores=[12, 100, *[7] * (players - 2)], dirk=[26, 27, 44] if players == 2 else [],
    )  # fmt: skip


def every_card(players: int) -> list[str]:
    """All money cards there are with these players."""
    copies = 2 if players == 2 else 3
    return [f"{bank}{value}" for bank in "BGYR" for value in range(1, 10) for _ in range(copies)]


def extreme(players: int, phase: str = "main") -> Core:
    """The longest city, all cards in one hand, a large reserve, the highest scores."""
    rest: list[Any] = [[]] * (players - 2)
    used = {row[2] for row in COLUMN + ROW} | {1, 2, 3, 4}
    reserve = [tile for tile in range(1, 55) if tile not in used]
    due = {"main": {}, "put": {"bought": reserve[:4], "tile": reserve[0]}, "over": {}}[phase]
    return at(
        players, phase=phase, hands=[[], every_card(players), *rest], cities=[COLUMN, ROW, *rest], depot=[1, 2, 3, 4],
        bag=[], reserves=[[], reserve[4:], *rest], deck=[], market=[None] * 4,
        scores=[435 if phase == "over" else 244] * players, **due,
    )  # fmt: skip


def ending(players: int) -> Core:
    """The leftover tiles are being placed."""
    received = [[], [13, 23], *[[]] * (players - 2)]
    return at(players, phase="place", bought=[40], received=received, depot=[None] * 4, bag=[])


POSITIONS: dict[str, Callable[[], Core]] = {
    **{f"start {n}": lambda n=n: Core.deal("new_york", n, 3) for n in (2, 3, 4, 5, 6)},
    **{f"usual {n}": lambda n=n: usual(n) for n in (2, 3, 4, 5, 6)},
    **{
        f"extreme {n} {phase}": lambda n=n, phase=phase: extreme(n, phase)
        for n in (2, 4, 6)
        for phase in ("main", "put", "over")
    },
    "ending": lambda: ending(5),
}


def told(move: str | None, seat: int = 0) -> LastMove | None:
    """A last move with this text."""
    return None if move is None else LastMove(seat, 0, move, f"Somebody plays {move}.")


def svg(core: Core, seat: int | None = None, move: str | None = None) -> str:
    return drawing.svg(core.states[0], seat, told(move))


def text(core: Core, seat: int | None = None, move: str | None = None) -> str:
    return in_words(core.states[0], seat, told(move))


def tiles(picture: str) -> list[int]:
    """The ids of the tiles drawn, 0 for a start tile, in their order."""
    return [0 if title == "start tile" else int(title.split()[1]) for title in titles(picture)]


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_tile_that_lies_open_is_drawn(players: int) -> None:
    core = usual(players)
    position = core.position()
    depot = [tile for tile in position["depot"] if tile]
    cities = [[tile for *_, tile in city] for city in position["cities"]]
    open_tiles = [*depot, *chain(*cities, *position["reserves"])]
    assert sorted(tiles(svg(core))) == sorted([*open_tiles, *[0] * players])
    lines = text(core)
    for tile in open_tiles:
        assert re.search(rf"\b{tile}(?=[MTSHPK| ])", lines), tile


def test_a_tile_has_its_letter_its_streets_and_its_number() -> None:
    """Kinds are told apart by colour and letter; a street is a thick edge on its own side."""
    core = at(cities=[[[1, 0, 20]], [], []], depot=[None] * 4)
    (group,) = (e for e in ET.fromstring(svg(core)).iter(f"{SVG}g") if (e[0].text or "").startswith("tile 20"))
    assert group[0].text == "tile 20 S8 -E--, station"
    assert [e.text for e in group.iter(f"{SVG}text")] == ["S", "20"]
    ground, street = group.findall(f"{SVG}rect")
    assert ground.attrib["fill"] == drawing.TYPE_FILLS[2]
    left, wide = float(ground.attrib["x"]), float(ground.attrib["width"])
    assert float(street.attrib["x"]) + float(street.attrib["width"]) == pytest.approx(left + wide, abs=0.02)
    assert float(street.attrib["height"]) == pytest.approx(wide, abs=0.02)
    assert len(set(drawing.TYPE_FILLS)) == len(set(words.TYPE_LETTERS)) == 6


def test_the_text_map_shows_streets_on_their_sides() -> None:
    """A ring of streets around a city: `=` above and below, `#` left and right."""
    map_lines = text(at(cities=[RING, [], []], depot=[None] * 4)).splitlines()
    first = next(i for i, line in enumerate(map_lines) if line.startswith("Seat A:")) + 2
    assert map_lines[first : first + 8] == [
        "         +===+",
        "   1     #44K#",
        "     +===+---+===+",
        "   0 #24H| * |45K#",
        "     +===+---+===+",
        "  -1     #33P#",
        "         +===+",
        "      -1   0   1",
    ]


@pytest.mark.parametrize("players", [2, 3, 6])
def test_hands_are_shown_to_their_seat_and_to_the_spectator(players: int) -> None:
    core = forgetful(usual(players))
    for seat in (None, *range(players)):
        lines, seen = text(core, seat).splitlines(), shown(svg(core, seat))
        for p, (hand, size) in enumerate((("B1 Y3 Y4 R9", 4), ("G5 G5", 2))):
            is_open = seat in (None, p)
            assert (f"  hand of {size}: {hand}" in lines) == is_open
            assert (f"  hand of {size}: {size} unknown cards" in lines) == (not is_open)
            assert f"hand of {size}" in seen
        assert ("Y3 Y4" in seen) == (seat in (None, 0))
        assert ("G5 G5" in seen) == (seat in (None, 1))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_hands_of_others_are_marked_as_remembered(players: int) -> None:
    """In text and picture; with the cards of deck and discards."""
    core = usual(players)
    for seat in range(players):
        lines, seen = text(core, seat).splitlines(), shown(svg(core, seat))
        for p, hand in enumerate(("B1 Y3 Y4 R9", "G5 G5")):
            size = len(hand.split())
            assert (f"  hand of {size}: {hand}" in lines) == (p == seat)
            assert (f"  hand of {size}: remembered [{hand}]" in lines) == (p != seat)
            assert (f"hand of {size}" in seen, f"hand of {size}, {size} remembered" in seen) == (p == seat, p != seat)
        assert "Y3 Y4" in seen
        assert "Discards: remembered [blue -, green -, yellow 4, red -]" in lines
        assert {"Remembered", "Deck", "blue 8, green 8, yellow 8, red 8"} <= set(seen)
    assert not any("emember" in line for line in [*text(core).splitlines(), *shown(svg(core))])
    table = forgetful(core)
    assert not any("emember" in line for line in [*text(table, 0).splitlines(), *shown(svg(table, 0))])


def test_everybody_sees_the_ranges_and_leftovers_are_remembered() -> None:
    """Places of the deck are counted from 1; a range of one place is certain. [7.1]"""
    core = at(deck=["SA", "B8", "G8", "SB"], scoring_places={"SA": [0, 0], "SB": [1, 3]},
              hands=[["B1"], ["R1"], []])  # fmt: skip
    places = ["first scoring card: place 1 of the deck", "second scoring card: places 2 to 4 of the deck"]
    due = "the blue tile (slot 0) to seat A, the red tile (slot 3) to seat B"
    for seat, is_forgetful, knows in ((2, False, True), (None, False, False), (2, True, False)):
        if is_forgetful:
            forgetful(core)
        said, seen = " ".join(text(core, seat).split()), shown(svg(core, seat))
        assert f"F{'; '.join(places)[1:]} (place 1 is the top)" in said
        assert set(places) <= set(seen)
        assert (f"If the game ended now: remembered [{due}]" in said) == (due in seen) == knows


def test_depot_market_purchase_and_clock_are_shown() -> None:
    core = usual(2)
    lines = text(core, 1).splitlines()
    assert lines[:3] == [
        "New York, 2 players, seen by seat B: turn 1 of at most 1000.",
        "Seat A pays. Scorings done: first, second; next: last.",
        "Buying slot 2: laid 4 of 5.",
    ]
    assert "Depot   0 blue: 1 M2 NE-W   1 green: 8 T3 -ESW" in lines
    assert "        2 yellow: 24 H5 N-SW   3 red: 33 P6 -ESW" in lines
    assert "Market  B2 B2 - R7" in lines
    assert "4 cards in the deck, 1 discarded, 2 tiles in the bag" in lines
    assert "Dirk    M0 T0 S0 H2 P0 K1" in lines
    assert "  reserve: 9 T4 NE--, 54 K13 -E--" in lines
    seen = shown(svg(core, 1))
    assert {"turn 1 of at most 1000", "Seat A pays", "buying slot 2: laid 4 of 5", "Dirk: 3 tiles", "tile 24"} <= set(
        seen
    )


def test_points_now_are_street_and_majorities() -> None:
    """The only museum and the whole ring, at scoring A: 1 and 12."""
    core = at(cities=[RING, [[1, 0, 7]], []], depot=[None] * 4, deck=["SA", "B1", "SB"])
    lines = text(core).splitlines()
    assert "Seat A: 0 points; street 12, types +15 now; M0 T0 S0 H1 P1 K2" in lines
    assert "Seat B: 0 points; street 0, types +1 now; M1 T0 S0 H0 P0 K0" in lines
    assert "street 12, types +15 now" in shown(svg(core))


def test_the_end_names_the_winners() -> None:
    over = {"phase": "over", "depot": [None] * 4, "bag": []}
    core = at(3, scores=[30, 41, 41], **over)
    assert "B and C share the win. Scorings done: first, second, last." in text(core)
    assert "A wins" in shown(svg(at(3, scores=[50, 41, 41], **over)))


def test_tiles_to_place_stand_in_front_of_the_reserve() -> None:
    core = at(phase="place", bought=[40, 43], reserves=[[9], [], []], depot=[None] * 4)
    assert tiles(svg(core))[1:4] == [40, 43, 9]
    assert "reserve 1, to place 2" in shown(svg(core))
    assert "  to place: 40 P10 N---, 43 P12 --S-" in text(core).splitlines()
    assert "after 0 turns: leftover tiles" in shown(svg(ending(3)))


# ---------------------------------------------------------------- the last move


def test_the_last_move_is_told_and_its_tile_framed() -> None:
    core = at(2, seat=1, cities=[[[1, 0, 20]], [[1, 0, 21]]])
    row = core.states[0]
    assert drawing.LAST not in svg(core)
    picture, lines = svg(core, None, "at 1 0"), text(core, None, "at 1 0").splitlines()
    assert "Last move: Somebody plays at 1 0." in shown(picture)
    assert "Last move: Somebody plays at 1 0." in lines
    assert lines.count("     +---o---o") == 2
    assert "   0 | * |20S#" in lines
    assert not any("o" in line for line in text(core).splitlines() if line.startswith(("     +", "     o")))
    for seat, tile in ((0, 20), (1, 21)):
        picture = drawing.svg(row, None, told("at 1 0", seat))
        (frame,) = (e for e in ET.fromstring(picture).iter(f"{SVG}rect") if e.attrib.get("stroke") == drawing.LAST)
        (group,) = (e for e in ET.fromstring(picture).iter(f"{SVG}g") if (e[0].text or "").startswith(f"tile {tile} "))
        ground = next(group.iter(f"{SVG}rect"))
        for key, more in (("x", -1), ("y", -1), ("width", 2), ("height", 2)):
            assert float(frame.attrib[key]) == pytest.approx(float(ground.attrib[key]) + more, abs=0.02)
    for move in ("take B1 G3", "remove 1 0", "reserve"):
        assert f"Last move: Somebody plays {move}." in text(core, None, move).splitlines()
        assert drawing.LAST not in svg(core, None, move)


def test_rows_and_columns_have_the_coordinates_of_the_moves() -> None:
    """The number of a row stands beside its tiles, the number of a column below its tiles."""
    picture = svg(at(cities=[COLUMN[:2], [], []], depot=[None] * 4))
    found = boxes(picture)
    for x, y, tile in COLUMN[:2]:
        (group,) = (e for e in ET.fromstring(picture).iter(f"{SVG}g") if (e[0].text or "").startswith(f"tile {tile} "))
        left, top, size = (float(next(group.iter(f"{SVG}rect")).attrib[key]) for key in ("x", "y", "width"))
        beside = [said for x0, y0, x1, y1, said in found if left - 15 < x0 < x1 < left and top < y0 < y1 < top + size]
        below = [said for x0, y0, x1, y1, said in found if left < x0 < x1 < left + size and y0 > top and said == str(x)]
        assert beside == [str(y)] and below


def test_reserve_tiles_have_their_numbers() -> None:
    """A few tiles have letter and number; where there are very many, the number says which tile is which."""
    core = at(reserves=[[9, 54], [], []], depot=[None] * 4)
    for tile, letter in ((9, "T"), (54, "K")):
        (group,) = (
            e for e in ET.fromstring(svg(core)).iter(f"{SVG}g") if (e[0].text or "").startswith(f"tile {tile} ")
        )
        assert [e.text for e in group.iter(f"{SVG}text")] == [letter, str(tile)]
    many = extreme(6)
    groups = [e for e in ET.fromstring(svg(many)).iter(f"{SVG}g") if (e[0].text or "").startswith("tile ")]
    in_reserve = set(many.position()["reserves"][1])
    for group in groups:
        tile = int((group[0].text or "").split()[1])
        if tile in in_reserve:
            assert [e.text for e in group.iter(f"{SVG}text")][-1] == str(tile)


@pytest.mark.parametrize("players", [2, 6])
def test_single_letters_are_seats(players: int) -> None:
    """In pictures and texts a letter A .. F alone is the name of a seat; types of tiles have other letters."""
    seats = set("ABCDEF")
    for core in (usual(players), extreme(players), ending(max(3, players))):
        alone = [word for word in shown(svg(core)) if word in seats]
        assert set(alone) == set("ABCDEF"[: core.players])
        assert len(alone) == core.players + (core.seat is not None)  # the panels, and who decides
        letters = re.findall(r"(?<![\w-])([A-F])(?![\w-])", text(core))
        assert letters == re.findall(r"(?:[Ss]eat |and )([A-F])\b", text(core))
    assert not set(words.TYPE_LETTERS) & seats


# ---------------------------------------------------------------- form


@pytest.mark.parametrize("name", POSITIONS)
def test_pictures_are_deterministic_and_leave_the_state_alone(name: str) -> None:
    check_only_reads(POSITIONS[name]())


@pytest.mark.parametrize("name", POSITIONS)
def test_no_text_lies_on_another_or_outside(name: str) -> None:
    core = POSITIONS[name]()
    for seat in (None, 1):
        check_texts_lie_apart(svg(core, seat, "take B1 B1 B1 B1" + " and so on" * 30))


@pytest.mark.parametrize("name", POSITIONS)
def test_tiles_do_not_overlap_and_stay_inside(name: str) -> None:
    picture = ET.fromstring(svg(POSITIONS[name]()))
    grounds = []
    for group in picture.iter(f"{SVG}g"):
        left, top, wide, high = (
            float(next(group.iter(f"{SVG}rect")).attrib[key]) for key in ("x", "y", "width", "height")
        )
        assert left >= 0 and left + wide <= drawing.WIDTH and top + high <= float(picture.attrib["height"])
        grounds.append((left, top, left + wide, top + high))
    for one, other in combinations(grounds, 2):
        apart = one[0] > other[2] - 0.1 or other[0] > one[2] - 0.1 or one[1] > other[3] - 0.1 or other[1] > one[3] - 0.1
        assert apart, (one, other)


@pytest.mark.parametrize("name", POSITIONS)
def test_text_is_ascii_in_80_columns(name: str) -> None:
    said = text(POSITIONS[name](), 1, "at -1 0")
    assert said.isascii()
    assert max(map(len, said.splitlines())) <= 80


def test_tile_texts() -> None:
    """Id, type and price, streets: all 54 differ, and say what the table says."""
    texts = [words.tile_text(tile) for tile in range(1, 55)]
    assert len(set(texts)) == 54
    for tile, said in enumerate(texts, 1):
        number, kind, streets = said.split()
        assert (int(number), int(kind[1:])) == (tile, PRICE[tile])
        assert words.TYPE_LETTERS.index(kind[0]) == TYPE[tile]
        assert sum(1 << "NESW".index(side) for side in streets if side != "-") == STREETS[tile]


def test_pixels() -> None:
    picture = svg(usual(3), 0)
    high = int(float(ET.fromstring(picture).attrib["height"]))
    pixels = rasterise(picture)
    assert pixels.shape == (high, drawing.WIDTH, 3)
    assert pixels.dtype == np.uint8
