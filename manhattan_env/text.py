"""A position in words, from a seat's view: the board as text, and the story of a move.

    +---------+---------+---------+      a square: its number, > if it was built on last; owner and height of its tower,
    |0        |1  A 4   |2        |      * if it is the single tallest one; below that the floors of each colour in the
    |         |         |         |      tower, if there are several, the owner's first
    +---------+---------+---------+

A colour has the name of its seat, A to D. With two players a seat has two colours: A and B are the first ones (c0 in
move texts), A' and B' the second ones (c1).

Everything here reads the rows and never changes them. With a seat, what section 7 of RULES.md hides from the seat is
not read: the cards of the other hands. Without a seat all hands are shown. The order of the draw deck and the lower
cards of the played piles are never shown.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Any, NamedTuple

from manhattan_env import components as box
from manhattan_env.actions import BUILDS_PER_COLOUR, FIRST_BUILD, FIRST_DISCARD
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET
from skyline.draw.svg import text_grids
from skyline.game import LastMove, seat_name

COLUMNS = 80
CELL = 9  # characters inside a square; a city is 3 * 9 + 4 wide


class Tower(NamedTuple):
    """What stands on a site."""

    owner: int
    height: int
    pieces: list[tuple[int, int]]  # (colour, height), bottom first
    floors: list[tuple[int, int]]  # (colour, floors), the owner first, then by floors


# ---------------------------------------------------------------- what text and picture say


def towers_of(s: Any) -> dict[int, Tower]:
    """The towers by site."""
    pieces: dict[int, list[tuple[int, int]]] = {}
    for code in s.built[: s.built_size].tolist():
        pieces.setdefault(code // 16, []).append((code // 4 % 4, code % 4 + 1))
    towers = {}
    for site, stack in sorted(pieces.items()):
        owner = stack[-1][0]
        floors = {colour: sum(h for c, h in stack if c == colour) for colour in {c for c, _ in stack}}
        ranked = sorted(floors.items(), key=lambda item: (item[0] != owner, -item[1], item[0]))
        towers[site] = Tower(owner, sum(h for _, h in stack), stack, ranked)
    return towers


def points_now(s: Any, colour: int) -> tuple[int, int, int]:
    """The parts of `scoring.round_points`: for towers, cities and the tallest tower. [MH-21 .. MH-23]"""
    towers, cities = int(s.towers[colour].sum()), int((s.majority == colour).sum())
    tallest = bool(s.top_owner == colour)
    return box.TOWER_POINTS * towers, box.CITY_POINTS * cities, box.TALLEST_POINTS * tallest


def is_tallest(s: Any, site: int) -> bool:
    """Whether the single tallest tower stands there. [MH-21]"""
    return bool(s.top_owner != NO_COLOUR and s.height[site] == s.top_height)


def board_squares(s: Any, seat: int) -> list[int]:
    """The board squares that the seat's cards allow, in rising order."""
    side = box.SIDE[s.players, seat]
    return sorted(int(box.BOARD[side, card]) for card in range(box.SQUARES) for _ in range(s.hands[seat, card]))


def top_square(s: Any, seat: int) -> int:
    """The board square of the top card of the seat's played pile, or NO_CARD."""
    top = s.pile_top[seat]
    return NO_CARD if top == NO_CARD else int(box.BOARD[box.SIDE[s.players, seat], top])


def built_site(s: Any, last: LastMove | None) -> int | None:
    """The site on which the last move built, or None."""
    if last is None or not FIRST_BUILD[s.players] <= last.action < FIRST_DISCARD[s.players]:
        return None
    return _build(s, last.action)[1]


def _build(s: Any, action: int) -> tuple[int, int, int]:
    """Own colour, site and height of an action that builds."""
    own, rest = divmod(action - int(FIRST_BUILD[s.players]), BUILDS_PER_COLOUR)
    site, level = divmod(rest, box.HEIGHTS)
    return own, site, level + 1


def own_colours(s: Any, seat: int) -> range:
    """The colours of a seat."""
    own = int(box.OWN_COLOURS[s.players])
    return range(own * seat, own * (seat + 1))


def colour_name(s: Any, colour: int) -> str:
    """The name of the colour's seat; with two players an apostrophe marks the second colour of a seat."""
    seat, number = divmod(colour, int(box.OWN_COLOURS[s.players]))
    return seat_name(seat) + "'" * number


def view(seat: int | None) -> str:
    """Whose view the picture shows."""
    return "all hands shown" if seat is None else f"seen by {seat_name(seat)}"


def clock(s: Any) -> tuple[str, str]:
    """The round and the step in it."""
    players, rounds = int(s.players), int(box.ROUNDS[s.players])
    this = f"round {s.rounds_done + 1} of {rounds}"
    if s.phase == PHASE_OVER:
        return f"after {rounds} rounds", "the game is over"
    if s.phase == PHASE_SET:
        return this, f"choosing pieces, {s.turn + 1} of {box.COLOURS_IN_PLAY[players]}"
    return this, f"turn {s.turn + 1} of {players * int(box.TURNS[players])}"


def deciding(s: Any) -> range:
    """The colours that the decision is about: those of the seat, or the one that pieces are chosen for."""
    own = own_colours(s, s.seat)
    if s.phase != PHASE_SET:
        return own
    at = int(s.turn) % len(own)
    return own[at : at + 1]


def decision(s: Any) -> str:
    """Who decides what, or who has won."""
    if s.phase == PHASE_OVER:
        return winners(s)
    if s.phase != PHASE_SET:
        return f"{seat_name(s.seat)} plays a card"
    colour = f" for {colour_name(s, deciding(s)[0])} (c{s.turn % 2})" if s.players == 2 else ""
    return f"{seat_name(s.seat)} chooses pieces{colour}"


def winners(s: Any) -> str:
    """Who has won, as the beginning of a sentence."""
    best = [seat_name(seat) for seat in range(s.players) if s.scores[seat] == max(s.scores[: s.players])]
    if len(best) == 1:
        return f"{best[0]} wins"
    return f"{', '.join(best[:-1])} and {best[-1]} share the win"


def deck(s: Any) -> str:
    """How many cards are left to draw."""
    cards = int(s.deck_size - s.deck_top)
    return f"{cards} card{'s' * (cards != 1)} in the draw deck"


# ---------------------------------------------------------------- the board


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 80 columns wide, as `seat` sees it; `last_move` led to the position."""
    towers, last = towers_of(s), built_site(s, last_move)
    lines = [f"Manhattan, {s.players} players, {view(seat)}: {', '.join(clock(s))}.", f"{decision(s)}. {deck(s)}."]
    if last_move is not None:
        lines += wrap(f"Last move: {last_move.story}", COLUMNS)
    for first in range(0, box.CITIES, 2):
        lines += ["", *_two_cities(s, range(first, first + 2), towers, last)]
    lines.append("")
    for p in range(s.players):
        lines += _seat_lines(s, p, seat)
    return "\n".join([*lines, "", *_legend(s)]) + "\n"


def _legend(s: Any) -> list[str]:
    lines = [
        "Square: its number, owner and height of its tower; floors of each colour if",
        "there are several; > last move, * the single tallest tower (+3).",
        "City: towers of each colour, (+2) for the majority.",
        "now: points if the round were scored now = towers + cities + tallest tower.",
        "stock: number x height. Hand and top of the played pile: board squares.",
    ]
    if s.players == 2:
        lines.append("A and B are the first colours of the seats (c0), A' and B' the second (c1).")
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
    tallest = "*" if is_tallest(s, site) else ""
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


def _seat_lines(s: Any, p: int, viewer: int | None) -> list[str]:
    """Score and cards of a seat, then a line for each of its colours."""
    marks = [" (you)"] * (p == viewer) + [" (round marker)"] * bool(p == s.marker and s.phase != PHASE_OVER)
    hand = " ".join(map(str, board_squares(s, p)) if viewer in (None, p) else "?" * int(s.hands[p].sum()))
    top = top_square(s, p)
    pile = f"played {s.pile_size[p]}" + (f", top {top}" if top != NO_CARD else "")
    lines = [f"Seat {seat_name(p)}{''.join(marks)}: {s.scores[p]} points; hand {hand or '-'}; {pile}"]
    for colour in own_colours(s, p):
        points = points_now(s, colour)
        chosen = " ".join(str(h) for h in range(1, box.HEIGHTS + 1) for _ in range(s.chosen[colour, h - 1])) or "-"
        stock = " ".join(f"{n}x{h}" for h, n in enumerate(s.stock[colour].tolist(), 1))
        now = f"now +{sum(points)} = {' + '.join(map(str, points))}"
        lines.append(f"   {colour_name(s, colour):<2}  {now:<21}  chosen {chosen:<11}  stock {stock}")
    return lines


# ---------------------------------------------------------------- the story of a move


def story(before: Any, action: int, after: Any, seat: int | None = None) -> str:
    """What the action between two rows was and did, told to `seat` (None: to somebody who sees all hands)."""
    if before.phase == PHASE_SET:
        return _told([_set_story(before, after)])
    deeds = _build_story(before, action) if action < FIRST_DISCARD[before.players] else _discard_story(before, action)
    if seat in (None, before.seat):
        deeds.append(f"draws a card for square {_drawn(before, action, after)}")
    sentences = [f"{seat_name(before.seat)} {_joined(deeds)}"]
    if before.deck_top == before.deck_size:
        sentences.append(f"The draw deck was empty: the {after.deck_size} played cards are shuffled into a new one")
    return _told([*sentences, *_scoring_story(before, after)])


def _told(sentences: list[str]) -> str:
    return " ".join(f"{sentence}." for sentence in sentences)


def _joined(parts: list[str]) -> str:
    """The parts as "first, second and third"."""
    return " and ".join([", ".join(parts[:-1])] * (len(parts) > 1) + parts[-1:])


def _set_story(before: Any, after: Any) -> str:
    """MH-04"""
    colour = deciding(before)[0]
    pieces = [f"{number} of height {h}" for h, number in enumerate(after.chosen[colour].tolist(), 1) if number]
    of_colour = f" of its colour {colour_name(before, colour)}" if before.players == 2 else ""
    return f"{seat_name(before.seat)} chooses pieces{of_colour}: {_joined(pieces)}"


def _build_story(before: Any, action: int) -> list[str]:
    """MH-09 .. MH-12"""
    own, site, height = _build(before, action)
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


def _discard_story(before: Any, action: int) -> list[str]:
    """MH-17"""
    card = action - int(FIRST_DISCARD[before.players])
    square = box.BOARD[box.SIDE[before.players, before.seat], card]
    return ["can build nothing", f"discards a card for square {square}"]


def _drawn(before: Any, action: int, after: Any) -> int:
    """The board square of the card that the seat has drawn: its hand gained the card and lost the played one."""
    p, side = int(before.seat), box.SIDE[before.players, before.seat]
    gained = after.hands[p].astype(int) - before.hands[p]
    gained[_played(before, action)] += 1
    return int(box.BOARD[side, int(gained.argmax())])


def _played(before: Any, action: int) -> int:
    """The printed square of the card that the action plays."""
    if action >= FIRST_DISCARD[before.players]:
        return action - int(FIRST_DISCARD[before.players])
    return int(box.CARD[box.SIDE[before.players, before.seat], _build(before, action)[1] % box.SQUARES])


def _scoring_story(before: Any, after: Any) -> list[str]:
    """MH-18, MH-26"""
    if after.phase != PHASE_OVER and after.rounds_done == before.rounds_done:
        return []
    players = range(before.players)
    points = ", ".join(f"{seat_name(p)} {after.scores[p] - before.scores[p]}" for p in players)
    sentences = [f"Round {before.rounds_done + 1} is scored: {points} points"]
    if after.phase == PHASE_OVER:
        sentences.append(f"The game is over: {winners(after)} with {max(after.scores[: after.players])} points")
    return sentences
