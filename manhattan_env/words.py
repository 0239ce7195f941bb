"""What the text and the drawing of a position say in the same words.

A colour has the name of its seat, A to D. With two players a seat has two colours: A and B are the first ones (c0 in
move texts), A' and B' the second ones (c1).

All functions read the row and never change it. None of them reads a hand but `board_squares`, `remembered` and
`remembered_things`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from manhattan_env import components as box
from manhattan_env.actions import BUILDS_PER_COLOUR, FIRST_BUILD, FIRST_DISCARD
from manhattan_env.knowledge import cards_of, known_cards, sure_cards, unseen_cards
from manhattan_env.position import pile_of
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET
from skyline.game import RECALL, LastMove, seat_name
from skyline.telling import Thing, winners

NUMBERS_LEGEND = "number x square, as the cards lie on the viewer's side of the board"


class Tower(NamedTuple):
    """What stands on a site."""

    owner: int
    height: int
    pieces: list[tuple[int, int]]  # (colour, height), bottom first
    floors: list[tuple[int, int]]  # (colour, floors), the owner first, then by floors


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


def remembered(s: Any, viewer: int | None) -> dict[int, list[int]]:
    """By other seat: the board squares of the cards that its hand surely holds, as the viewer remembers; {} with TABLE
    and without a viewer. [7.2]"""
    if viewer is None or s.memory != RECALL:
        return {}
    found = sure_cards(s, viewer)
    return {
        seat: sorted(int(box.BOARD[box.SIDE[s.players, seat], card]) for card in cards_of(counts))
        for seat, counts in found.items()
    }


def remembered_things(s: Any, viewer: int | None) -> list[Thing]:
    """What the viewer remembers beside the hands: the played piles, and which cards nobody has played since the last
    shuffle; nothing with TABLE and without a viewer. [MH-M04, MH-M05, MH-M09]"""
    if viewer is None or s.memory != RECALL:
        return []
    seats = range(int(s.players))
    things = [Thing(f"Pile of {seat_name(seat)}, last on top", _pile_text(s, seat)) for seat in seats]
    things.append(Thing("Other hands and deck together", _numbers(s, viewer, unseen_cards(s, viewer))))
    if s.players > 2 and s.memory_shuffles:
        things.append(Thing("Of these in hands since the shuffle", _numbers(s, viewer, known_cards(s, viewer))))
    return things


def _pile_text(s: Any, seat: int) -> str:
    """The board squares of a played pile in the order in which its cards were played."""
    return " ".join(str(box.BOARD[box.SIDE[s.players, seat], card]) for card in pile_of(s, seat)) or "no cards"


def _numbers(s: Any, viewer: int, counts: Sequence[int]) -> str:
    """Numbers of cards by the board squares of the viewer: `4x0 5x1 ..`."""
    side = box.SIDE[s.players, viewer]
    found = sorted((int(box.BOARD[side, card]), int(n)) for card, n in enumerate(counts) if n)
    return " ".join(f"{n}x{square}" for square, n in found) or "no cards"


def top_square(s: Any, seat: int) -> int:
    """The board square of the top card of the seat's played pile, or NO_CARD."""
    top = s.pile_top[seat]
    return NO_CARD if top == NO_CARD else int(box.BOARD[box.SIDE[s.players, seat], top])


def last_site(s: Any, last: LastMove | None) -> int | None:
    """The site on which the last move built, or None."""
    if last is None or not FIRST_BUILD[s.players] <= last.action < FIRST_DISCARD[s.players]:
        return None
    return build_of(s, last.action)[1]


def build_of(s: Any, action: int) -> tuple[int, int, int]:
    """Own colour, site and height of an action that builds."""
    own, rest = divmod(action - int(FIRST_BUILD[s.players]), BUILDS_PER_COLOUR)
    site, level = divmod(rest, box.HEIGHTS)
    return own, site, level + 1


def played_card(before: Any, action: int) -> int:
    """The printed square of the card that an action other than a SET plays."""
    if action >= FIRST_DISCARD[before.players]:
        return action - int(FIRST_DISCARD[before.players])
    square = build_of(before, action)[1] % box.SQUARES
    return int(box.CARD[box.SIDE[before.players, before.seat], square])


def own_colours(s: Any, seat: int) -> range:
    """The colours of a seat."""
    own = int(box.OWN_COLOURS[s.players])
    return range(own * seat, own * (seat + 1))


def colour_name(s: Any, colour: int) -> str:
    """The name of the colour's seat; with two players an apostrophe marks the second colour of a seat."""
    seat, number = divmod(colour, int(box.OWN_COLOURS[s.players]))
    return seat_name(seat) + "'" * number


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
        return winners(s.scores[: s.players].tolist())
    if s.phase != PHASE_SET:
        return f"{seat_name(s.seat)} plays a card"
    colour = f" for {colour_name(s, deciding(s)[0])} (c{s.turn % 2})" if s.players == 2 else ""
    return f"{seat_name(s.seat)} chooses pieces{colour}"


def deck(s: Any) -> str:
    """How many cards are left to draw."""
    cards = int(s.deck_size - s.deck_top)
    return f"{cards} card{'s' * (cards != 1)} in the draw deck"
