"""A position in words, from a seat's view: the board as text, and the story of a move.

    +---------+---------+---------+      a square: its number, > if it was built on last; owner and height of its tower,
    |0        |1  A 4   |2        |      * if it is the single tallest one; below that the floors of each colour in the
    |         |         |         |      tower, if there are several, the owner's first
    +---------+---------+---------+

Everything here reads the rows and never changes them. With a seat, what section 7 of RULES.md hides from the seat is
not shown; what the seat remembers of other hands and played piles is marked as remembered. Without a seat all hands are
shown, and no lower cards of the played piles. The order of the draw deck is never shown.
"""

from __future__ import annotations

from typing import Any

from manhattan_env import components as box
from manhattan_env import words
from manhattan_env.actions import FIRST_DISCARD
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET
from manhattan_env.words import Tower, build_of, colour_name, own_colours
from skyline.draw.svg import text_grids
from skyline.game import LastMove, seat_name
from skyline.telling import (
    REMEMBERED,
    hand,
    joined,
    paragraph,
    points_of_seats,
    remembered_lines,
    sentences,
    view,
    winners,
)

CELL = 9  # characters inside a square; a city is 3 * 9 + 4 wide


# ---------------------------------------------------------------- the board


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 80 columns wide, as `seat` sees it; `last_move` led to the position."""
    towers, last = words.towers_of(s), words.last_site(s, last_move)
    lines = [
        f"Manhattan, {s.players} players, {view(seat)}: {', '.join(words.clock(s))}.",
        f"{words.decision(s)}. {words.deck(s)}.",
    ]
    if last_move is not None:
        lines += paragraph(f"Last move: {last_move.story}")
    for first in range(0, box.CITIES, 2):
        lines += ["", *_two_cities(s, range(first, first + 2), towers, last)]
    lines.append("")
    remembered, things = words.remembered(s, seat), words.remembered_things(s, seat)
    for p in range(s.players):
        lines += _seat_lines(s, p, seat, remembered.get(p, []))
    lines += [""] * bool(things) + remembered_lines(things)
    return "\n".join([*lines, "", *_legend(s, bool(things))]) + "\n"


def _legend(s: Any, has_remembered: bool) -> list[str]:
    lines = [
        "Square: its number, owner and height of its tower; floors of each colour if",
        "there are several; > last move, * the single tallest tower (+3).",
        "City: towers of each colour, (+2) for the majority.",
        "now: points if the round were scored now = towers + cities + tallest tower.",
        "stock: number x height. Hand, played pile and its top: board squares.",
    ]
    if s.players == 2:
        lines.append("A and B are the first colours of the seats (c0), A' and B' the second (c1).")
    if has_remembered:
        lines += paragraph(REMEMBERED)
        lines += paragraph(f"Other hands and deck together: {words.NUMBERS_LEGEND}.")
    return lines


def _two_cities(s: Any, cities: range, towers: dict[int, Tower], last: int | None) -> list[str]:
    """Two cities side by side."""
    squares = [[[9 * city + 3 * row + column for column in range(3)] for row in range(3)] for city in cities]
    grids = [[[_cell(s, site, towers, last) for site in row] for row in city] for city in squares]
    heads = [_city_head(s, city).ljust(3 * CELL + 4) for city in cities]
    return ["  ".join(heads).rstrip(), *text_grids(grids, CELL)]


def _city_head(s: Any, city: int) -> str:
    """Number and name of a city, towers of each colour."""
    parts = [f"{city} {box.CITY_NAMES[city]} "]
    for colour in range(box.COLOURS_IN_PLAY[s.players]):
        if s.towers[colour, city]:
            won = f"(+{box.CITY_POINTS})" if s.majority[city] == colour else ""
            parts.append(f"{colour_name(s, colour)}{s.towers[colour, city]}{won}")
    return " ".join(parts)


def _cell(s: Any, site: int, towers: dict[int, Tower], last: int | None) -> list[str]:
    """A square as lines of at most CELL characters."""
    square, tower = site % box.SQUARES, towers.get(site)
    mark = ">" if site == last else " "
    if tower is None:
        return [f"{square}{mark}"]
    tallest = "*" if words.is_tallest(s, site) else ""
    lines = [f"{square}{mark}{colour_name(s, tower.owner)} {tower.height}{tallest}"]
    if len(tower.floors) > 1:
        line = ""
        for colour, floors in tower.floors:
            part = f" {colour_name(s, colour)}{floors}"
            if len(line + part) > CELL:
                lines.append(line)
                line = ""
            line += part
        lines.append(line)
    return lines


def _seat_lines(s: Any, p: int, viewer: int | None, remembered: list[int]) -> list[str]:
    """Score and cards of a seat, then a line for each of its colours."""
    marks = [" (you)"] * (p == viewer) + [" (round marker)"] * bool(p == s.marker and s.phase != PHASE_OVER)
    held = int(s.hands[p].sum())
    if viewer in (None, p):
        cards = hand(held, " ".join(map(str, words.board_squares(s, p))))
    else:
        cards = hand(held, " ".join(map(str, remembered)), len(remembered))
    top = words.top_square(s, p)
    pile = f"played {s.pile_size[p]}" + (f", top {top}" if top != NO_CARD else "")
    lines = paragraph(f"Seat {seat_name(p)}{''.join(marks)}: {s.scores[p]} points; {cards}; {pile}")
    for colour in own_colours(s, p):
        points = words.points_now(s, colour)
        chosen = " ".join(str(h) for h in range(1, box.HEIGHTS + 1) for _ in range(s.chosen[colour, h - 1])) or "-"
        stock = " ".join(f"{n}x{h}" for h, n in enumerate(s.stock[colour].tolist(), 1))
        now = f"now +{sum(points)} = {' + '.join(map(str, points))}"
        lines.append(f"   {colour_name(s, colour):<2}  {now:<21}  chosen {chosen:<11}  stock {stock}")
    return lines


# ---------------------------------------------------------------- the story of a move


def story(before: Any, action: int, after: Any, seat: int | None = None) -> str:
    """What the action between two rows was and did, told to `seat` (None: to somebody who sees all hands)."""
    if before.phase == PHASE_SET:
        return sentences([_tell_set(before, after)])
    deeds = _tell_build(before, action) if action < FIRST_DISCARD[before.players] else _tell_discard(before, action)
    if seat in (None, before.seat):
        deeds.append(f"draws a card for square {_drawn(before, action, after)}")
    told = [f"{seat_name(before.seat)} {joined(deeds)}"]
    if before.deck_top == before.deck_size:
        told.append(f"The draw deck was empty: the {after.deck_size} played cards are shuffled into a new one")
    return sentences([*told, *_tell_scoring(before, after)])


def _tell_set(before: Any, after: Any) -> str:
    """MH-04"""
    colour = words.deciding(before)[0]
    pieces = [f"{number} of height {h}" for h, number in enumerate(after.chosen[colour].tolist(), 1) if number]
    of_colour = f" of its colour {colour_name(before, colour)}" if before.players == 2 else ""
    return f"{seat_name(before.seat)} chooses pieces{of_colour}: {joined(pieces)}"


def _tell_build(before: Any, action: int) -> list[str]:
    """MH-09 .. MH-12"""
    own, site, height = build_of(before, action)
    colour, owner = own_colours(before, before.seat)[own], int(before.owner[site])
    city, square = divmod(site, box.SQUARES)
    of_colour = f" of {colour_name(before, colour)}" if before.players == 2 else ""
    empty = "the empty " if owner == NO_COLOUR else ""
    deeds = [f"builds height {height}{of_colour} on {empty}square {square} of {box.CITY_NAMES[city]}"]
    floors = int(before.height[site]) + height
    if owner == colour:
        deeds.append(f"raises its tower there to {floors} floors")
    elif owner != NO_COLOUR:
        deeds.append(f"takes the tower of {floors} floors from {colour_name(before, owner)}")
    return deeds


def _tell_discard(before: Any, action: int) -> list[str]:
    """MH-17"""
    card = action - int(FIRST_DISCARD[before.players])
    square = box.BOARD[box.SIDE[before.players, before.seat], card]
    return ["can build nothing", f"discards a card for square {square}"]


def _drawn(before: Any, action: int, after: Any) -> int:
    """The board square of the card that the seat has drawn: its hand gained the card and lost the played one."""
    p, side = int(before.seat), box.SIDE[before.players, before.seat]
    gained = after.hands[p].astype(int) - before.hands[p]
    gained[words.played_card(before, action)] += 1
    return int(box.BOARD[side, int(gained.argmax())])


def _tell_scoring(before: Any, after: Any) -> list[str]:
    """MH-18, MH-26"""
    if after.phase != PHASE_OVER and after.rounds_done == before.rounds_done:
        return []
    players = int(before.players)
    gains = points_of_seats((after.scores - before.scores)[:players])
    told = [f"Round {before.rounds_done + 1} is scored: {gains}"]
    if after.phase == PHASE_OVER:
        scores = after.scores[:players].tolist()
        told.append(f"The game is over: {winners(scores)} with {max(scores)} points")
    return told
