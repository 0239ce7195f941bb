"""A state as data: the setup and shuffles of records, the positions, and what holds in every state. [RULES.md 9, 10]

loading.py reads what is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from manhattan_env import components as box
from manhattan_env.memory import HELD_BITS, HELD_MASK, PLAY_BITS, PLAY_MASK, survey_memory
from manhattan_env.piles import survey_piles
from manhattan_env.scoring import survey
from manhattan_env.state import NO_COLOUR, PHASE_NAMES, PHASE_SET
from skyline.core.jit import FromPython
from skyline.game import RECALL, ensure, ensure_same
from skyline.positions import check_caches, check_seats, counts_of

TOWER_CACHES = (
    "need", "fits", "towers", "majority", "won", "points_now", "colour_best", "top_height", "top_owner",
)  # fmt: skip
PILE_CACHES = ("pile_size", "pile_top", "open_cards", "tops")
MEMORY_CACHES = ("memory_known", "memory_loose", "memory_shown")

_survey, _survey_memory, _survey_piles = FromPython(survey), FromPython(survey_memory), FromPython(survey_piles)


# ---------------------------------------------------------------- records


def setup(s: Any) -> dict[str, Any]:
    """Start seat and whole deck of a fresh game. [section 9]"""
    return {"start": int(s.marker), "deck": [int(card) for card in s.deck]}


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The reshuffle of the move between two states, if there was one."""
    if before.deck_top < before.deck_size or after.deck_top != 1:
        return []
    return [{"deck": "cards", "order": [int(card) for card in after.deck[: after.deck_size]]}]


# ---------------------------------------------------------------- positions


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10; with RECALL what is remembered, too."""
    players, colours = int(s.players), int(box.COLOURS_IN_PLAY[s.players])
    memory = {"memory": remembered(s)} if s.memory == RECALL else {}
    return {
        "players": players,
        "round": int(s.rounds_done) + 1,
        "marker": int(s.marker),
        "phase": PHASE_NAMES[int(s.phase)],
        ("picked" if s.phase == PHASE_SET else "turn"): int(s.turn),
        "hands": [[int(card) for card in np.repeat(range(box.SQUARES), s.hands[seat])] for seat in range(players)],
        "deck": [int(card) for card in s.deck[s.deck_top : s.deck_size]],
        "played": [pile_of(s, seat) for seat in range(players)],
        "stock": {str(c): [int(n) for n in s.stock[c]] for c in range(colours)},
        "chosen": {str(c): [int(h) for h in np.repeat(range(1, 5), s.chosen[c])] for c in range(colours)},
        "towers": _towers(s),
        "scores": [int(score) for score in s.scores[:players]],
        **memory,
    }


def remembered(s: Any) -> list[dict[str, Any]]:
    """The memory in the words of section 10: the plays since each shuffle, the hands at each reshuffle. [MH-M16]"""
    ends = [0, *map(int, s.memory_ends[: s.memory_shuffles]), int(s.memory_size)]
    shuffles: list[dict[str, Any]] = []
    for number, (first, end) in enumerate(pairwise(ends)):
        held = {"held": [held_hand(s, number - 1, seat) for seat in range(s.players)]} if number else {}
        shuffles.append({**held, "plays": [_play(int(play)) for play in s.memory_plays[first:end]]})
    return shuffles


def held_hand(s: Any, number: int, seat: int) -> list[int]:
    """The seat's hand at a reshuffle, before the draw that needed the reshuffle."""
    word = s.memory_held[number, seat]
    return [card for card in range(box.SQUARES) for _ in range(in_held_plain(word, card))]


def in_held_plain(word: Any, card: int) -> int:
    """`memory.in_held` for plain Python."""
    return int(word) >> HELD_BITS * card & HELD_MASK


def _play(play: int) -> list[Any]:
    """[seat, card], and for a DISCARD the cards that could have been built with."""
    seat, card = divmod(play & PLAY_MASK, box.SQUARES)
    squares = play >> PLAY_BITS
    if not squares:
        return [seat, card]
    return [seat, card, [square for square in range(box.SQUARES) if square != card and squares >> square & 1]]


def pile_of(s: Any, seat: int) -> list[int]:
    return [card % box.SQUARES for card in s.played[: s.played_size].tolist() if card // box.SQUARES == seat]


def _towers(s: Any) -> list[list[Any]]:
    """[city, square, [[colour, height], .. bottom first]] for every tower, by site."""
    pieces: dict[int, list[list[int]]] = {}
    for code in s.built[: s.built_size].tolist():
        pieces.setdefault(code // 16, []).append([code // 4 % 4, code % 4 + 1])
    return [[*divmod(site, box.SQUARES), pieces[site]] for site in sorted(pieces)]


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """Every piece and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    check_seats(s, box.PLAYER_COUNTS, ("scores", "hands"))
    colours = int(box.COLOURS_IN_PLAY[s.players])
    ensure(not s.made_up, "a position is marked as made up")
    ensure(not s.stock[colours:].any(), "stock of colours that are not there", s.stock)
    _check_cards(s)
    _check_memory(s)
    _check_pieces(s, colours)
    check_caches(s, _survey, TOWER_CACHES)


def _check_cards(s: Any) -> None:
    loose = np.concatenate([s.deck[s.deck_top : s.deck_size], s.played[: s.played_size] % box.SQUARES])
    ensure((loose >= 0).all() and (loose < box.SQUARES).all() and (s.hands >= 0).all(), "a card that is none")
    copies = counts_of(loose, box.SQUARES) + s.hands.sum(axis=0)
    ensure_same("copies of the cards", copies.tolist(), box.CARD_COPIES)
    for seat in range(s.players):
        ensure_same(f"cards in the hand of seat {seat}", int(s.hands[seat].sum()), box.HAND)
    owners = s.played[: s.played_size] // box.SQUARES
    ensure((owners >= 0).all() and (owners < s.players).all(), "cards in piles of seats that are not there", owners)
    check_caches(s, _survey_piles, PILE_CACHES)
    ensure(not s.order_given, "a given order of the cards was not used")


def _check_memory(s: Any) -> None:
    """What is remembered agrees with itself and with what lies on the table. [MH-M16]"""
    ensure(0 <= s.memory_size <= turns_taken(s), f"{s.memory_size} cards remembered in {turns_taken(s)} turns")
    ensure(not s.memory_plays[s.memory_size :].any(), "cards remembered behind the last one")
    ensure(0 <= s.memory_shuffles <= box.MOST_RESHUFFLES, f"{s.memory_shuffles} reshuffles remembered")
    for name in ("memory_ends", "memory_held"):
        ensure(not s[name][s.memory_shuffles :].any(), f"{name} of reshuffles that were not")
    ensure(not s.memory_held[:, s.players :].any(), "hands remembered of seats that are not there")
    ends = [0, *map(int, s.memory_ends[: s.memory_shuffles])]
    ensure(all(a < b for a, b in pairwise(ends)) and ends[-1] <= s.memory_size, f"reshuffles after {ends[1:]} plays")
    fault = memory_fault(s)
    ensure(not fault, fault)
    check_caches(s, _survey_memory, MEMORY_CACHES)


def turns_taken(s: Any) -> int:
    """The turns of the whole game so far, by the clock."""
    turns = int(s.players) * int(box.TURNS[s.players])
    return int(s.rounds_done) * turns + (0 if s.phase == PHASE_SET else int(s.turn))


def memory_fault(s: Any) -> str:
    """What is wrong with the cards of a memory whose numbers are in range: "" if nothing is. [MH-M05 .. MH-M07]

    Between two shuffles a seat draws a card after each play; its draws are what it played or held at the end and not
    at the beginning, so that no card may be missing there. A card that it shows it must have held or drawn before.
    """
    players, shuffles = int(s.players), int(s.memory_shuffles)
    cards = s.hands[:players].sum(axis=0) + counts_of(s.deck[s.deck_top : s.deck_size], box.SQUARES)
    piles = counts_of(s.played[: s.played_size] % box.SQUARES, box.SQUARES)
    ends = [0, *map(int, s.memory_ends[:shuffles]), int(s.memory_size)]
    held = [np.array([counts_of(held_hand(s, n, p), box.SQUARES) for p in range(players)]) for n in range(shuffles)]
    for number, (first, end) in enumerate(pairwise(ends)):
        plays = [divmod(int(play) & PLAY_MASK, box.SQUARES) for play in s.memory_plays[first:end]]
        shown = counts_of((card for _, card in plays), box.SQUARES)
        where = f"memory[{number}]"
        if number == shuffles:
            if (fault := _pile_fault(s, plays)) or (shown > piles).any():
                return f"{where}.plays: {fault or 'cards that lie in no pile'}"
            after = s.hands[:players].astype(int)
        else:
            over = shown + held[number].sum(axis=0) - cards - piles
            if (over > 0).any() or (number > 0 and over.any()):
                return f"memory[{number + 1}].held: these hands and the cards of the new deck are not all cards"
            after = held[number]
        before = held[number - 1] if number else None
        drew = divmod(int(s.memory_plays[first - 1]) & PLAY_MASK, box.SQUARES)[0] if number else None
        for seat in range(players):
            played = [card for owner, card in plays if owner == seat]
            size = int(s.hands[seat].sum())
            drawn_last = number < shuffles and plays[-1][0] == seat
            if number < shuffles and after[seat].sum() != size - drawn_last:
                return f"memory[{number + 1}].held[{seat}]: {size - drawn_last} cards, not {after[seat].sum()}"
            if before is not None and (fault := _draw_fault(before[seat], played, after[seat], seat == drew)):
                return f"{where}.plays: seat {seat} {fault}"
    return ""


def _pile_fault(s: Any, plays: Sequence[tuple[int, int]]) -> str:
    """Whether the last plays are the upper cards of the piles, after a reshuffle all of them."""
    for seat in range(s.players):
        pile, played = pile_of(s, seat), [card for owner, card in plays if owner == seat]
        if pile[len(pile) - len(played) :] != played or (s.memory_shuffles and len(pile) != len(played)):
            return f"the pile of seat {seat} is {pile}, not what it has played since the last shuffle"
    return ""


def _draw_fault(before: Any, played: Sequence[int], after: Any, has_drawn: bool) -> str:
    """Whether a hand can have played these cards, with a card drawn after each (and one before, if `has_drawn`)."""
    shown = np.zeros(box.SQUARES, int)
    for number, card in enumerate(played):
        shown[card] += 1
        if np.maximum(shown - before, 0).sum() > number + has_drawn:
            return f"shows the card {card} without having drawn it"
    missing = np.flatnonzero(shown + after < before)
    return f"neither shows nor keeps the card {missing[0]}" if len(missing) else ""


def _check_pieces(s: Any, colours: int) -> None:
    built = np.zeros((4, 4), int)
    floors = np.zeros((4, box.ROW), int)
    owner = np.full(box.ROW, NO_COLOUR)
    for code in s.built[: s.built_size].tolist():
        site, colour, level = code // 16, code // 4 % 4, code % 4
        built[colour, level] += 1
        floors[colour, site] += level + 1
        owner[site] = colour
    for colour in range(colours):
        pieces = built[colour] + s.stock[colour] + s.chosen[colour]
        ensure_same(f"pieces of colour {colour}", pieces.tolist(), box.PIECES.tolist())
        ensure(floors[colour].sum() <= box.FLOORS_PER_COLOUR, f"floors of colour {colour}: {floors[colour].sum()}")
    ensure(np.array_equal(floors, s.floors), "floors of the towers")
    ensure(np.array_equal(floors.sum(axis=0)[: box.SITES], s.height), "heights of the towers")
    ensure(np.array_equal(owner, s.owner), "owners of the towers")
