"""A state as data: the setup and shuffles of records, the positions, and what holds in every state. [RULES.md 9, 10]

loading.py reads what is written here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manhattan_env import components as box
from manhattan_env.scoring import survey
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_NAMES, PHASE_SET
from skyline.core.jit import FromPython
from skyline.game import ensure, ensure_same
from skyline.positions import check_caches, check_seats, counts_of

_survey = FromPython(survey)


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
    """The whole state in the fields of section 10."""
    players, colours = int(s.players), int(box.COLOURS_IN_PLAY[s.players])
    return {
        "players": players,
        "round": int(s.rounds_done) + 1,
        "marker": int(s.marker),
        "phase": PHASE_NAMES[int(s.phase)],
        ("picked" if s.phase == PHASE_SET else "turn"): int(s.turn),
        "hands": [[int(card) for card in np.repeat(range(box.SQUARES), s.hands[seat])] for seat in range(players)],
        "deck": [int(card) for card in s.deck[s.deck_top : s.deck_size]],
        "played": [_pile(s, seat) for seat in range(players)],
        "stock": {str(c): [int(n) for n in s.stock[c]] for c in range(colours)},
        "chosen": {str(c): [int(h) for h in np.repeat(range(1, 5), s.chosen[c])] for c in range(colours)},
        "towers": _towers(s),
        "scores": [int(score) for score in s.scores[:players]],
    }


def _pile(s: Any, seat: int) -> list[int]:
    return [int(card) % box.SQUARES for card in s.played[: s.played_size] if card // box.SQUARES == seat]


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
    _check_pieces(s, colours)
    check_caches(s, _survey, ("need", "towers", "majority", "colour_best", "top_height", "top_owner"))


def _check_cards(s: Any) -> None:
    loose = np.concatenate([s.deck[s.deck_top : s.deck_size], s.played[: s.played_size] % box.SQUARES])
    ensure((loose >= 0).all() and (loose < box.SQUARES).all() and (s.hands >= 0).all(), "a card that is none")
    copies = counts_of(loose, box.SQUARES) + s.hands.sum(axis=0)
    ensure_same("copies of the cards", copies.tolist(), box.CARD_COPIES)
    for seat in range(s.players):
        pile = _pile(s, seat)
        ensure_same(f"cards in the hand of seat {seat}", int(s.hands[seat].sum()), box.HAND)
        ensure_same(f"the size of the pile of seat {seat}", int(s.pile_size[seat]), len(pile))
        ensure_same(f"the top card of the pile of seat {seat}", int(s.pile_top[seat]), pile[-1] if pile else NO_CARD)
    ensure(not s.order_given, "a given order of the cards was not used")


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
