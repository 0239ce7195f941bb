"""Pictures of Manhattan positions: all that a seat may see is there, nothing it may not, and nothing overlaps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from manhattan_env import drawing, words
from manhattan_env import text as texts
from manhattan_env.components import BOARD, PIECES, ROUNDS, SIDE
from manhattan_env.game import GAME
from manhattan_env.scoring import round_points
from skyline.draw.raster import rasterise
from skyline.game import TABLE, LastMove
from tests.games.pictures import SVG, boxes, check_only_reads, check_texts_lie_apart, titles
from tests.support.rule_cases import Core

COLOURS = {2: 4, 3: 3, 4: 4}
TOWERS = [
    [0, 0, [[0, 4], [1, 3], [1, 1], [2, 4]]],
    [0, 8, [[1, 1]]],
    [3, 4, [[2, 2], [0, 2]]],
    [5, 8, [[0, 3], [0, 4], [0, 4], [1, 1], [2, 2], [1, 2]]],
]


def stack(data):
    """A position filled up from defaults; a length-1 state array."""
    players = data["players"]
    hands = [[seat, seat, seat + 3, 8] for seat in range(players)]
    filled = {"round": 2, "marker": 1, "phase": "turn", "turn": 3, "hands": hands, "deck": [5, 6, 7],
              "played": [[4, 7]] * players, "scores": [12 + seat for seat in range(players)], **data}  # fmt: skip
    S = GAME.blank(players)
    GAME.from_position(S[0], filled)
    return S


def usual(players, **more):
    colours = range(COLOURS[players])
    stock, chosen = {str(c): [6, 4, 2, 0] for c in colours}, {str(c): [1, 1, 3] for c in colours}
    return stack({"players": players, "towers": TOWERS, "stock": stock, "chosen": chosen, **more})


def extreme(players, phase="turn"):
    """The widest numbers and the most things everywhere: two huge towers, a tower on every other site."""
    pieces = [[c, h] for h in (4, 3, 2, 1) for c in range(COLOURS[players]) for _ in range(PIECES[h - 1])]
    singles = pieces[-40:]
    rest = pieces[:-40]
    towers = [[0, 0, rest[0::2]], [5, 8, rest[1::2] + [singles[0]]]]
    towers += [[(i + 1) // 9, (i + 1) % 9, [piece]] for i, piece in enumerate(singles[1:])]
    S = stack(
        {
            "players": players, "round": int(ROUNDS[players]), "marker": 0, "phase": phase,
            "hands": [[8] * 4, [7] * 4, [5] * 4, [0] * 4][:players], "deck": [4] * 5, "played": [[3]] * players,
            "towers": towers, "scores": [468] * players,
        }
    )  # fmt: skip
    colours = COLOURS[players]
    S["stock"][0, :colours] = PIECES  # more pieces than there are: no position may say so
    S["chosen"][0, :colours, 3] = 6 if players == 4 else 4
    return S


def skyscraper():
    """All pieces on one site: height 188."""
    pieces = [[c, h] for h in (4, 3, 2, 1) for c in range(4) for _ in range(PIECES[h - 1])]
    return stack({"players": 4, "towers": [[4, 4, pieces]]})


def cards(svg):
    """Board squares on the faces in each panel from left to right, the played pile's top last."""
    row = drawing.PANELS_Y + 119 + 6 + 41
    return [int(text) for left, _, _, bottom, text in sorted(boxes(svg)) if bottom == row]


# ---------------------------------------------------------------- what is shown


@pytest.mark.parametrize("players", [3, 4])
def test_every_tower_is_drawn(players):
    s = usual(players)[0]
    svg, text = drawing.svg(s), texts.text(s)
    assert titles(svg) == ["A4, B3, B1, C4", "B1", "C2, A2", "A3, A4, A4, B1, C2, B2"]
    shown = Counter(box[4] for box in boxes(svg))
    for height in ("12", "16"):
        assert shown[height] >= 1
    for cell in (
        "|0 C 12   |",
        "| C4 A4 B4|",
        "|8 B 1    |",
        "|4 A 4    |",
        "| A2 C2   |",
        "|8 B 16*  |",
        "| B3 A11  |",
    ):
        assert cell in text, cell


def test_two_colours_of_a_seat_have_its_letter():
    """No colour has the letter of another seat."""
    s = usual(2)[0]
    svg, text = drawing.svg(s), texts.text(s)
    assert titles(svg) == ["A4, A'3, A'1, B4", "A'1", "B2, A2", "A3, A4, A4, A'1, B2, A'2"]
    for cell in (
        "|0 B 12   |",
        "| B4 A4   |",
        "| A'4     |",
        "|8 A' 1   |",
        "|8 A' 16* |",
        "| A'3 A11 |",
        "| B2      |",
    ):
        assert cell in text, cell
    assert not {"C", "D"} & {box[4] for box in boxes(svg)}
    assert not re.search(r"\b[CD]\b", text)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_shown_to_their_seat_and_to_the_spectator(players):
    s = usual(players)[0]
    board = [BOARD[SIDE[players, seat]] for seat in range(players)]
    hands = [sorted(int(board[seat][card]) for card in (seat, seat, seat + 3, 8)) for seat in range(players)]
    tops = [int(board[seat][7]) for seat in range(players)]
    assert cards(drawing.svg(s)) == [card for hand, top in zip(hands, tops, strict=True) for card in [*hand, top]]
    for seat in range(players):
        seen = [card for p, top in enumerate(tops) for card in [*(hands[p] if p == seat else []), top]]
        assert cards(drawing.svg(s, seat)) == seen
        lines = [line for line in texts.text(s, seat).splitlines() if line.startswith("Seat ") and "hand" in line]
        for p, line in enumerate(lines):
            shown = " ".join(map(str, hands[p])) if p == seat else "4 unknown cards"
            assert f"hand of 4: {shown};" in line
            assert f"played 2, top {tops[p]}" in line


def test_pieces_points_and_clock_are_shown():
    s = usual(4)[0]
    text = texts.text(s, 2)
    assert "seen by seat C: round 2 of 4, turn 4 of 24." in text
    assert "A plays a card. 3 cards in the draw deck." in text
    assert "Seat B (round marker): 13 points" in text and "Seat C (you): 14 points" in text
    assert "   C   now +1 = 1 + 0 + 0     chosen 1 1 3        stock 6x1 4x2 2x3" in text
    shown = {box[4] for box in boxes(drawing.svg(s, 2))}
    assert {"round 2 of 4 - turn 4 of 24", "A plays a card", "3 cards in the draw deck", "M", "you"} <= shown
    assert {"+1 now", "1 + 0 + 0", "+7 now", "2 + 2 + 3"} <= shown


@pytest.mark.parametrize("make", [lambda: usual(2), lambda: usual(3), lambda: extreme(4), skyscraper])
def test_points_now_are_those_of_the_rules(make):
    S = make()
    for colour in range(COLOURS[int(S[0].players)]):
        assert sum(words.points_now(S[0], colour)) == round_points(S[0], colour)


def test_two_players_choose_for_a_named_colour():
    s = stack({"players": 2, "phase": "pick", "picked": 1, "marker": 1})[0]
    assert "B chooses pieces for B' (c1)" in texts.text(s, 0)
    assert any(box[4] == "B' (c1): +0 now" for box in boxes(drawing.svg(s)))


def test_the_end_names_the_winners():
    s = stack({"players": 3, "phase": "over", "round": 6, "scores": [30, 41, 41]})[0]
    assert "B and C share the win." in texts.text(s)
    s = stack({"players": 3, "phase": "over", "round": 6, "scores": [50, 41, 41]})[0]
    assert any(box[4] == "A wins" for box in boxes(drawing.svg(s)))


# ---------------------------------------------------------------- the last move


def told(players, move, story="A tells."):
    """The last move as a picture gets it."""
    s = GAME.blank(players)[0]
    return LastMove(0, GAME.parse_move(s, move), move, story)


def test_the_last_move_is_told_and_its_site_outlined():
    s = usual(4)[0]
    outline = re.compile(r'<rect[^>]*fill="none" stroke="#1F242C" stroke-width="2.5"/>')
    assert not outline.search(drawing.svg(s))
    last = told(4, "build 5 8 2", "D builds.")
    svg = drawing.svg(s, None, last)
    assert len(outline.findall(svg)) == 1
    assert "Last move: D builds." in {box[4] for box in boxes(svg)}
    text = texts.text(s, None, last)
    assert "Last move: D builds." in text.splitlines() and text.count(">") == 2 and "|8>B 16*  |" in text
    for move in ("take 1 1 2 2 3 4", "discard 8"):
        assert "Last move: A tells." in texts.text(s, None, told(4, move)).splitlines()
        assert not outline.search(drawing.svg(s, None, told(4, move)))


@pytest.mark.parametrize("length", [3, 30, 60])
def test_a_long_story_stays_in_the_picture(length):
    last = told(4, "build 5 8 2", " ".join(["sentence"] * length) + ".")
    svg, text = drawing.svg(usual(4)[0], None, last), texts.text(usual(4)[0], None, last)
    lines = [box for box in boxes(svg) if "sentence" in box[4]]
    assert " ".join(box[4] for box in lines) == f"Last move: {last.story}"
    assert len(lines) <= 2 and max(box[2] for box in lines) <= drawing.WIDTH
    assert last.story in " ".join(text.split()) and max(map(len, text.splitlines())) <= 80


# ---------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_are_not_in_the_picture(players):
    S = usual(players)
    S["memory"] = TABLE
    for seat in range(players):
        other = S.copy()
        s = other[0]
        for p in range(players):
            if p != seat:
                s.hands[p] = np.roll(s.hands[p], 1)
        s.deck[: s.deck_size] = [1, 2, 3]
        s.played[:players] = [9 * p + 1 for p in range(players)]
        s["rng"], s["deal"] = 5, 6
        for last in (None, told(players, "build 0 8 1" + " c0" * (players == 2))):
            assert drawing.svg(S[0], seat, last) == drawing.svg(s, seat, last)
            assert texts.text(S[0], seat, last) == texts.text(s, seat, last)
        assert drawing.svg(S[0]) != drawing.svg(s) and texts.text(S[0]) != texts.text(s)
        s.hands[seat] = np.roll(s.hands[seat], 1)
        assert drawing.svg(S[0], seat) != drawing.svg(s, seat) and texts.text(S[0], seat) != texts.text(s, seat)


# ---------------------------------------------------------------- form

POSITIONS = {
    "start": lambda: stack({"players": 4, "round": 1, "played": [[]] * 4, "scores": [0] * 4}),
    **{f"usual {n}": lambda n=n: usual(n) for n in (2, 3, 4)},
    **{
        f"extreme {n} {phase}": lambda n=n, phase=phase: extreme(n, phase)
        for n in (2, 3, 4)
        for phase in ("pick", "turn", "over")
    },
    "skyscraper": skyscraper,
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_pictures_are_deterministic_and_leave_the_state_alone(name):
    check_only_reads(Core(GAME, POSITIONS[name]()))


@pytest.mark.parametrize("name", POSITIONS)
def test_no_text_lies_on_another_or_outside(name):
    s = POSITIONS[name]()[0]
    for seat in (None, 0):
        last = told(int(s.players), "build 5 8 4" + " c1" * int(s.players == 2), " ".join(["sentence"] * 60))
        check_texts_lie_apart(drawing.svg(s, seat, last))


@pytest.mark.parametrize("name", POSITIONS)
def test_towers_stay_in_their_squares(name):
    """The text and the shapes of a square's group lie inside the rectangle the group begins with."""
    for group in ET.fromstring(drawing.svg(POSITIONS[name]()[0])).iter(f"{SVG}g"):
        ground = next(e for e in group if e.tag == f"{SVG}rect").attrib
        left, top, wide, high = (float(ground[key]) for key in ("x", "y", "width", "height"))
        points = [
            tuple(map(float, p.split(","))) for e in group.iter(f"{SVG}polygon") for p in e.attrib["points"].split()
        ]
        points += [(box[i], box[j]) for box in boxes(ET.tostring(group)) for i in (0, 2) for j in (1, 3)]
        assert all(left <= x <= left + wide and top <= y <= top + high for x, y in points)


@pytest.mark.parametrize("name", ["usual 4", "extreme 2 turn", "skyscraper"])
def test_the_tallest_tower_stays_below_its_points(name):
    root = ET.fromstring(drawing.svg(POSITIONS[name]()[0]))
    (sign,) = (e.attrib for e in root.iter(f"{SVG}rect") if (e.attrib["width"], e.attrib["height"]) == ("30", "15"))
    left, top, wide, high = (float(sign[key]) for key in ("x", "y", "width", "height"))
    points = [p.split(",") for e in root.iter(f"{SVG}polygon") for p in e.attrib["points"].split()]
    assert not [p for p in points if left <= float(p[0]) <= left + wide and top <= float(p[1]) <= top + high]


@pytest.mark.parametrize("name", POSITIONS)
def test_text_is_ascii_in_80_columns(name):
    s = POSITIONS[name]()[0]
    text = texts.text(s, 1, told(int(s.players), "build 5 8 4" + " c1" * int(s.players == 2)))
    assert text.isascii() and max(map(len, text.splitlines())) <= 80


def test_pixels():
    pixels = rasterise(drawing.svg(usual(3)[0]))
    assert pixels.shape == (drawing.HEIGHT, drawing.WIDTH, 3) and pixels.dtype == np.uint8
