"""Pictures of Fifth Avenue positions: all that a seat may see is there, nothing it may not, and nothing overlaps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

import numpy as np
import pytest

from fiveavenue_env import components as box
from fiveavenue_env import drawing
from fiveavenue_env import text as words
from fiveavenue_env.game import GAME
from fiveavenue_env.memory import forget
from fiveavenue_env.rules import survey_all
from fiveavenue_env.state import FACE_UP
from skyline.core.jit import FromPython
from skyline.draw.raster import rasterise
from skyline.draw.svg import SEATS
from skyline.game import LastMove
from tests.games.fiveavenue.cases import (
    BLACK,
    COLOURED,
    COLOURS,
    FULL,
    at,
    bid,
    bidding,
    forgetful,
    hands,
    last_bidder,
    lots_of,
    new_game,
)
from tests.games.fiveavenue.views import deal
from tests.games.pictures import SVG, boxes, check_only_reads, check_texts_lie_apart, texts
from tests.support.rule_cases import Core
from tests.support.seeing import copy_of

SHORT = {"brown": "br", "grey": "gy", "violet": "vi", "orange": "or", "green": "gn", "black": "bk"}
ALL = {**dict.fromkeys(COLOURS, COLOURED), "black": BLACK}
MARKED = {"white": ["34W", "TS"], "beige": ["34E", "TS"]}


def crowded(players: int, board: int) -> Core:
    """The widest numbers and the most things everywhere, more than any position may have: written into the state."""
    core = at("MOVE", players - 1, players, board=board, markers=MARKED, commissions={"white": "52E", "beige": "52E"},
              placed=11, turn=200, scores=[32767] * players)  # fmt: skip
    s = core.states[0]
    for place in range(box.DISTRICTS):
        lots = slice(box.SIDES * place, box.SIDES * place + board)
        owned = min(players, 3)
        s.lot_owner[lots][:owned] = range(owned)
        for p in range(owned):
            s.buildings[p, lots.start + p] = 16
        for kind in (0, 3):  # boutique, perfumery; gallery and jeweller on the dashed lot
            s.shops[kind, lots][owned:5] = 1
        s.shops[1:3, lots][:, 5:] = 1
    s.row_kinds[:], s.blocks = [0, 0, 3, 0, 0, 2, 0, 0] * 4, 8
    s.park[:], s.park_n, s.park_kinds[:] = [2, 0] * 4, 8, [4, 0, 4, 0]
    s.reserve[:players] = s.cp[:players] = 15
    s.stacks[:], s.stack_end[:] = 6, 12
    s.black[:], s.black_end, s.black_above = 4, 50, 1
    s.black[:2] = 6, 5 + FACE_UP
    hold(core, [players - 1], box.CARD_COPIES.tolist())
    return Core(core.game, core.states)


def hold(core: Core, seats: Iterable[int], cards: list[int]) -> None:
    """These seats hold these numbers of each card."""
    for p in seats:
        core.states["hands"][0, p] = cards
        core.states["hand_size"][0, p] = sum(cards)
    for survey in (forget, survey_all):
        FromPython(survey)(core.states[0])


def over(players: int, board: int) -> Core:
    """The same after the end, by the turn limit."""
    core = crowded(players, board)
    core.play("move white CP")
    return core


def duel(board: int = 5) -> Core:
    """Egon leads for the last place of a round, long tables, a begun raise."""
    core = bidding("brown 665544 black 6654", "brown 6 black 665544", black=["4d", "5d", "6d", "6d"], board=board,
                   where="CP", markers={"beige": ["34W", "TS"]}, commissions={"beige": "52E"}, cp=[2, 0])  # fmt: skip
    core.play_all([*bid("brown 4"), *bid("brown 6 black 6"), "add brown 6", "add brown 6"])
    return core


def full_hands(players: int) -> Core:
    """Every kind of card in every hand, more than there are, six kinds laid."""
    core = bidding(*[""] * players)
    hold(core, range(players), [2] * box.FIRST_BLACK + [3] * 3)
    core = Core(core.game, core.states)
    core.play_all(bid("brown 654 black 654"))
    if players > 2:
        core.play_all(bid("brown 665 black 654"))
    return core


def shut() -> Core:
    """Both commissions stand in a closed district."""
    return at(
        "MOVE", closed=["TS"], commissions={"white": "TS", "beige": "TS"}, markers={"white": ["34W"], "beige": ["34E"]}
    )


def built() -> Core:
    core = last_bidder("orange 4", lots=FULL, then=["TS", "52W"])
    core.play_all(bid("orange 4"))
    return core


def placing() -> Core:
    core = at(board=6, lots=lots_of(brown="0:1"), stacks={"brown": [4]})
    core.play("B gallery")
    return core


ROWS_OF_FOUR = [*["brown 654 grey 4 black 6"] * 3, "brown 54 grey 4 black 6"]
POSITIONS = {
    **{f"start {n} {board}": lambda n=n, board=board: new_game(n, 3, board) for n in (2, 3, 4) for board in (5, 6)},
    **{f"crowded {n} {board}": lambda n=n, board=board: crowded(n, board) for n in (2, 3, 4) for board in (5, 6)},
    **{f"over {n}": lambda n=n: over(n, 5) for n in (2, 3, 4)},
    "duel": duel,
    "closed": shut,
    "build": built,
    "shop": placing,
    **{f"full hands {n}": lambda n=n: full_hands(n) for n in (2, 3, 4)},
    "round of four": lambda: bidding(*ROWS_OF_FOUR, then=["TS", "52W"], first=3),
}


def told(move: str, story: str = "A tells.") -> LastMove:
    """The last move as a picture gets it."""
    return LastMove(0, GAME.parse_move(None, move), move, story)


def district(svg: str, name: str) -> list[str]:
    """The texts inside the picture of a district."""
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        if group.findtext(f"{SVG}title") == name:
            return [e.text or "" for e in group.iter(f"{SVG}text")]
    raise AssertionError(name)


def cards_drawn(svg: str, panel: int, players: int, laid: bool = False) -> list[str]:
    """Faces in a panel, in rows from left to right: "6br", "5bk x3"."""
    width = (drawing.WIDTH - 40 - 10 * (players - 1)) / players
    left = 20 + panel * (width + 10)
    top = drawing.PANELS_Y + (191 if laid else 83)
    bottom = drawing.PANELS_Y + (drawing.PANEL_H if laid else 174)
    inside = [b for b in boxes(svg) if left <= b[0] and b[2] <= left + width and top <= b[1] and b[3] <= bottom]
    names = [b for b in inside if b[4] in SHORT.values()]
    found = []
    for name in sorted(names, key=lambda b: (round(b[3]), b[0])):
        near = [b for b in inside if abs((b[0] + b[2]) - (name[0] + name[2])) < 2]
        (value,) = (b[4] for b in near if b[4] in ("4", "5", "6") and 0 < name[3] - b[3] < 12)
        count = [b[4] for b in near if b[4].startswith("x") and 0 < b[3] - name[3] < 14]
        found.append(" ".join([value + name[4], *count]))
    return found


def listed(hand: dict[str, list[int]]) -> list[str]:
    """What the faces of a hand should be."""
    kinds = [(colour, v) for colour in SHORT for v in (6, 5, 4) if v in hand.get(colour, [])]
    counts = [hand[colour].count(v) for colour, v in kinds]
    return [f"{v}{SHORT[colour]}{f' x{n}' if n > 1 else ''}" for (colour, v), n in zip(kinds, counts, strict=True)]


# ---------------------------------------------------------------- what is shown


def test_lots_of_a_district_are_drawn_with_owners_shops_and_points() -> None:
    core = at(lots={**lots_of(brown="0:2", grey="boutique+gallery", violet="2:11"), "TS": {"orange": "jeweller"}},
              closed=["52W"], board=6, commissions={"white": "52E", "beige": "52E"}, markers=MARKED)  # fmt: skip
    core.states["node"] = 1  # beside the markers in 34W, where neither can stand
    svg, text = drawing.svg(core.states[0]), words.text(core.states[0])
    drawn = district(svg, "34W")
    assert {"34W", "wh", "be", "A", "2", "C", "11", "bo", "ga", "3", "1", "or", "gn", "da"} <= set(drawn)
    assert not {"B", "D", "bk"} & set(drawn)
    assert district(svg, "TS").count("2") >= 2  # the second marker of both, points beside the jeweller
    assert district(svg, "52W") == ["52W", "closed"]
    assert "34W  br A2=3    gy boga    vi C11=3   or .=1     gn .=1     da ." in text
    assert "52W  closed" in text


def test_egons_buildings_are_drawn() -> None:
    core = at(players=2, lots=lots_of(brown="E:1", grey="0:1"))
    assert "E" in district(drawing.svg(core.states[0]), "34W")
    assert "34W  br E1=1" in words.text(core.states[0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_shown_to_their_seat_and_to_the_spectator(players: int) -> None:
    rows = hands("brown 644 black 6554", "grey 6 violet 5 green 66", "", "black 444")[:players]
    core = forgetful(at(players=players, hands=rows))
    for seat in (None, *range(players)):
        svg, text = drawing.svg(core.states[0], seat), words.text(core.states[0], seat)
        for p in range(players):
            seen = seat in (None, p)
            assert cards_drawn(svg, p, players) == (listed(rows[p]) if seen else [])
            cards = " ".join(f"{c} {''.join(map(str, vs))}" for c, vs in rows[p].items())
            size = sum(map(len, rows[p].values()))
            told = "no cards" if not size else cards if seen else f"{size} unknown cards"
            assert f"hand of {size}: {told}" in text


def test_cards_laid_bids_and_egon_are_shown_to_all() -> None:
    core = duel()
    for seat in (None, 0, 1):
        svg, text = drawing.svg(core.states[0], seat), words.text(core.states[0], seat)
        assert cards_drawn(svg, 0, 2, laid=True) == ["6br x2", "4br"]
        assert cards_drawn(svg, 1, 2, laid=True) == ["6br", "6bk"]
        assert {"laid: 16", "laid: 12", "21 by Egon", "Egon turned up 4 5 6 6", "colour brown"} <= set(texts(svg))
        assert "the last of its round; 21 by Egon; colour brown; Egon turned up 4 5 6 6." in " ".join(text.split())
        assert "laid 16: brown 664" in text
    assert "A bids for Central Park (raise begun)." in words.text(core.states[0])


def test_clock_shops_stacks_and_commissions_are_shown() -> None:
    core = at("TURN", 1, turn=7, stacks={"brown": [5, 4], "green": [6]}, black=["4d", "4d", "6u"], park=["gallery"],
              placed=3, commissions={"white": "TS", "beige": "CP"}, markers={"white": ["34E"]})  # fmt: skip
    text, shown = words.text(core.states[0], 1), texts(drawing.svg(core.states[0], 1))
    flat = " ".join(text.split())
    assert "Fifth Avenue, 3 players, seen by seat B: turn 7 of at most 200, B on turn." in text
    assert "Commissions: white at TS (markers 34E); beige at CP (markers -)" in text
    assert "Shops: 3 placed, row [bo ga | je pe], park tiles ga" in text
    assert (
        "brown 5 (2), grey - (0), violet - (0), orange - (0), green 6 (1) Black stack: 3 black, 2 above face-up ones"
        in flat
    )
    assert "Seat B (you, on turn)" in text
    assert {"Shops: 3 of 12 placed", "Park tiles: 1", "3 black, 2 above face-up ones", "no auction"} <= set(shown)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: new_game(3), "A places a building"),
        (placing, "A places a gallery"),
        (lambda: at("TAKE", 2, stacks={"brown": [4]}), "C takes two colours"),
        (lambda: at("MOVE", 1), "B moves a commission"),
        (lambda: bidding("", ""), "A bids for 34W"),
        (built, "A has won 34W: builds up to 3 or closes"),
    ],
)
def test_the_decision_is_named(make, what: str) -> None:
    s = make().states[0]
    assert f"{what}." in words.text(s)
    assert what in texts(drawing.svg(s))


def test_a_winner_who_must_close_is_said_to_close() -> None:
    core = bidding("", "", "", "grey 4", lots=FULL, seat=3, auction={"passed": [0, 1, 2]}, black=["4d"])
    core.play_all(bid("grey 4"))
    assert "D has won 34W: closes it." in words.text(core.states[0])


def test_the_end_names_the_winners_and_the_tiles_turned_up() -> None:
    core = at("MOVE", 2, scores=[4, 9, 9], hands=hands("", "grey 4", ""), turn=200, cp=[1, 0, 0], park=["gallery"] * 4)
    core.play("move white 34W")
    text, shown = words.text(core.states[0]), texts(drawing.svg(core.states[0]))
    assert "over after turn 200." in text and "B wins." in text
    assert "Seat A: 6 points (districts 0, CP 2)" in text
    assert {"B wins", "final: districts 0, Central Park 2", "Park tiles: 4, the first three turned up"} <= set(shown)
    core = at("MOVE", 2, scores=[4, 9, 9], turn=200)
    core.play("move white 34W")
    assert "B and C share the win." in words.text(core.states[0])


def test_the_last_move_is_named_and_its_lot_marked() -> None:
    core = at(lots=lots_of(brown="gallery", grey="1:1"))
    s = core.states[0]
    marked = re.compile(r'stroke="#1F242C" stroke-width="4"')
    assert not marked.search(drawing.svg(s))
    for move, cell in (("shop 34W brown", ">br ga"), ("place 34W grey", ">gy B1=2")):
        last = told(move)
        assert len(marked.findall(drawing.svg(s, None, last))) == 1
        assert "Last move: A tells." in texts(drawing.svg(s, None, last))
        assert "Last move: A tells." in words.text(s, None, last).splitlines()
        assert cell in words.text(s, None, last)
    for move in ("A", "take brown grey", "move white TS", "bid", "build 0"):
        assert not marked.search(drawing.svg(s, None, told(move)))


@pytest.mark.parametrize("length", [3, 40, 70])
def test_a_long_story_stays_in_the_picture(length: int) -> None:
    s, last = duel().states[0], told("bid", " ".join(["sentence"] * length) + ".")
    svg, text = drawing.svg(s, None, last), words.text(s, None, last)
    lines = [box for box in boxes(svg) if "sentence" in box[4]]
    assert " ".join(box[4] for box in lines) == f"Last move: {last.story}"
    assert len(lines) <= 3
    assert max(box[2] for box in lines) <= drawing.WIDTH
    assert last.story in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", POSITIONS)
def test_the_letters_of_seats_name_nothing_else(name: str) -> None:
    """A text that is one letter A to D is in a seat's badge: after its shape, in the colour of the seat."""
    core = POSITIONS[name]()
    badge = re.compile(r'<(?:circle|polygon)[^>]*fill="(#\w{6})"[^>]*/>\n<text[^>]*>([A-D])</text>')
    svg, looks = drawing.svg(core.states[0]), {(look.fill, look.letter) for look in SEATS[: core.players]}
    found = badge.findall(svg)
    assert len(found) == len(re.findall(r">[A-D]</text>", svg)) >= core.players
    assert set(found) <= looks
    assert not re.search(r"\b[BD] (boutique|34W|TS)|[BJGP]{2}\b", words.text(core.states[0]))


# ---------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", [5, 6])
def test_hidden_cards_are_not_in_the_picture(players: int, board: int) -> None:
    core = deal(players, 5, board)
    core.play_all([core.texts()[0]])
    for seat in range(players):
        other = copy_of(core, seat, stream=seat)
        other.states["rng"], other.states["deal"] = 5, 6
        for picture in (drawing.svg, words.text):
            assert picture(core.states[0], seat, told("bid")) == picture(other.states[0], seat, told("bid"))
            assert picture(core.states[0]) != picture(other.states[0])
            assert picture(core.states[0], (seat + 1) % players) != picture(other.states[0], (seat + 1) % players)


# ---------------------------------------------------------------- form


@pytest.mark.parametrize("name", POSITIONS)
def test_pictures_are_deterministic_and_leave_the_state_alone(name: str) -> None:
    check_only_reads(POSITIONS[name]())


@pytest.mark.parametrize("name", POSITIONS)
def test_no_text_lies_on_another_or_outside(name: str) -> None:
    core = POSITIONS[name]()
    for seat in (None, core.players - 1, 0):
        last = told("shop 34W brown", " ".join(["sentence"] * 70))
        check_texts_lie_apart(drawing.svg(core.states[0], seat, last))


@pytest.mark.parametrize("name", POSITIONS)
def test_everything_stays_inside_its_panel(name: str) -> None:
    """Rectangles of cards lie inside the panels."""
    svg = drawing.svg(POSITIONS[name]().states[0])
    bottom = drawing.PANELS_Y + drawing.PANEL_H
    for e in ET.fromstring(svg).iter(f"{SVG}rect"):
        x, y, wide, high = (float(e.attrib[key]) for key in ("x", "y", "width", "height"))
        assert x >= 0 and x + wide <= drawing.WIDTH
        assert y < drawing.PANELS_Y or y + high <= bottom


@pytest.mark.parametrize("name", POSITIONS)
def test_text_is_ascii_in_80_columns(name: str) -> None:
    text = words.text(POSITIONS[name]().states[0], 1, told("shop TS dashed"))
    assert text.isascii() and max(map(len, text.splitlines())) <= 80


def test_pixels() -> None:
    pixels = rasterise(drawing.svg(duel().states[0]))
    assert pixels.shape == (drawing.HEIGHT, drawing.WIDTH, 3) and pixels.dtype == np.uint8
