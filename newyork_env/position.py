"""A state as data: positions (RULES.md section 10), setup and chance events of records (section 9), invariants.

loading.py is the way back. A position has one field more than section 10:

    received         the tiles that each seat has received by NY-91 and not yet placed (those of the deciding seat are
                     in `bought`); null before the end of the game

Of section 7.2 the field `scoring_places` says where SA and SB can lie; hands, discards, deck and bag have fields in any
case.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from newyork_env import components as box
from newyork_env import state
from newyork_env.actions import CARD_TEXTS, DECK_TEXTS, SCORING_NAMES
from newyork_env.city_law import LEGAL, clause_broken_by, empty_board
from newyork_env.memory import scoring_range
from newyork_env.scoring import survey
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, ensure, ensure_same
from skyline.positions import check_caches, check_seats, counts_of

_survey, _clause_broken_by, _scoring_range = map(FromPython, (survey, clause_broken_by, scoring_range))


# ---------------------------------------------------------------- records


def setup(s: Any) -> dict[str, Any]:
    """The money cards with SA and SB before the deal and the bag of a fresh game. [section 9]"""
    return {"money": [_text(card) for card in s.deck[: s.deck_size]], "bag": [int(tile) for tile in s.bag]}


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The reshuffle of the move between two states, if there was one."""
    if before.reshuffles == after.reshuffles:
        return []
    return [{"deck": "money", "order": [_text(card) for card in after.deck[: after.deck_size]]}]


# ---------------------------------------------------------------- positions


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10."""
    seats = range(int(s.players))
    decides = int(s.seat)
    return {
        "players": int(s.players),
        "phase": state.PHASE_NAMES[int(s.phase)],
        "seat": decides if decides != NO_SEAT else None,
        "turns": int(s.turns),
        "max_turns": int(s.max_turns),
        "market": [_text(card) if card != box.NO_CARD else None for card in s.market],
        "deck": [_text(card) for card in s.deck[s.deck_top : s.deck_size]],
        "discard": _cards_of(s.discards),
        "depot": [int(tile) if tile != box.NO_TILE else None for tile in s.depot],
        "bag": [int(tile) for tile in s.bag[s.bag_top :]],
        "hands": [_cards_of(s.hands[seat]) for seat in seats],
        "cities": [city_of(s, seat) for seat in seats],
        "reserves": [tiles_at(s, state.IN_RESERVE + seat) for seat in seats],
        "bought": tiles_at(s, state.TO_PLACE + decides) if decides != NO_SEAT else [],
        "dirk": tiles_at(s, state.AT_DIRK),
        "scores": [int(score) for score in s.scores[: s.players]],
        "slot": int(s.slot) if s.slot != state.NO_SLOT else None,
        "paid": [value for value in range(box.VALUES, 0, -1) for _ in range(s.laid[value])],
        "exact": int(s.paid_slot) if s.paid_slot != state.NO_SLOT else None,
        "tile": int(s.chosen) if s.chosen != box.NO_TILE else None,
        "received": [[] if p == decides else tiles_at(s, state.TO_PLACE + p) for p in seats] if s.ending else None,
        "scoring_places": scoring_places(s),
    }


def scoring_places(s: Any) -> dict[str, list[int]]:
    """First and last place of each scoring card that is in the deck, 0 being the top card. [NY-M08]"""
    names = enumerate(SCORING_NAMES.values())
    return {name: [int(at) for at in _scoring_range(s, i)] for i, name in names if not s.scored >> i & 1}


def tiles_at(s: Any, place: int) -> list[int]:
    """The tiles in a place, in rising order."""
    return [int(tile) for tile in np.flatnonzero(s.place[: box.START] == place)]


def city_of(s: Any, seat: int) -> list[list[int]]:
    """[x, y, tile] for every tile of a city but the start tile, by y, then x."""
    return sorted(
        ([int(s.x[t]), int(s.y[t]), t] for t in tiles_at(s, state.IN_CITY + seat)), key=lambda row: (row[1], row[0])
    )


def _text(card: Any) -> str:
    """The text of a card of the deck."""
    return DECK_TEXTS[int(card)]


def _cards_of(counts: np.ndarray[Any, Any]) -> list[str]:
    """The texts of cards from counts by card."""
    return [CARD_TEXTS[card] for card in np.repeat(range(box.CARD_KINDS), counts)]


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """No tile or card is in two places, ranges hold, every cache equals its recomputation.

    A loaded position may lack cards and tiles; in a game, which only moves them, all are somewhere.
    """
    players = int(s.players)
    check_seats(s, box.PLAYER_COUNTS, ("scores", "hands"))
    ensure(not s.types[players : box.MAX_PLAYERS].any(), "types of seats that are not there", s.types)
    ensure(((s.scores >= 0) & (s.scores <= box.MOST_SCORE)).all(), f"scores {s.scores.tolist()}")
    _check_cards(s)
    _check_tiles(s)
    for seat in range(players):
        clause = _clause_broken_by(s, seat, empty_board())
        ensure(clause == LEGAL, f"the city of seat {seat} breaks NY-{clause}")
    check_caches(s, _survey, s.dtype.names)


def _check_cards(s: Any) -> None:
    """Cards are known and not too many, SA and SB lie where they can."""
    ensure(0 <= s.deck_top <= s.deck_size <= box.DECK, f"cards {s.deck_top} .. {s.deck_size} of the deck are left")
    deck = s.deck[s.deck_top : s.deck_size]
    ensure(((deck >= 0) & (deck <= box.SCORING_B)).all(), f"an unknown card in the deck {deck.tolist()}")
    known = (s.market >= box.NO_CARD) & (s.market < box.CARD_KINDS)
    ensure(known.all(), f"an unknown card in the market {s.market.tolist()}")
    ensure((s.hands >= 0).all() and (s.discards >= 0).all(), "a number of cards below zero")
    loose = np.concatenate([deck[deck < box.CARD_KINDS], s.market[s.market != box.NO_CARD]])
    copies = counts_of(loose, box.CARD_KINDS) + s.hands.sum(axis=0) + s.discards
    ensure((copies <= box.CARD_COPIES[s.players]).all(), f"copies of the cards: {copies.tolist()}")
    ensure_same("discards_size", int(s.discards_size), int(s.discards.sum()))
    ensure(not s.order_given, "the order given for a shuffle was not used")
    paid = int(s.paid_slot)
    ensure(state.NO_SLOT <= paid < box.SLOTS, f"slot {paid} was paid exactly")
    open_ = paid == state.NO_SLOT or (s.overpay and s.phase == state.PHASE_MAIN and s.depot[paid] == box.NO_TILE)
    ensure(open_, f"a further card may be paid for slot {paid}")
    ensure_same("laid_sum", int(s.laid_sum), sum(value * int(s.laid[value]) for value in range(box.VALUES + 1)))
    for i, (card, name) in enumerate(SCORING_NAMES.items()):
        places = s.deck_top + np.flatnonzero(deck == card)
        ensure(len(places) == 1 - (s.scored >> i & 1), f"{name} lies {len(places)} times in the deck")
        for at in places:
            ensure(s.earliest[i] <= at <= s.latest[i], f"{name} lies at {at}, not {s.earliest[i]} .. {s.latest[i]}")


def _check_tiles(s: Any) -> None:
    """Every tile is where its place says, and only city tiles have a cell."""
    ensure_same("bag", tiles_at(s, state.IN_BAG), sorted(s.bag[s.bag_top :].tolist()))
    ensure_same("depot", tiles_at(s, state.IN_DEPOT), sorted(tile for tile in s.depot.tolist() if tile != box.NO_TILE))
    of_seats = (state.IN_CITY, state.IN_RESERVE, state.TO_PLACE)
    places = {place + seat for place in of_seats for seat in range(box.MAX_PLAYERS)}
    places |= {state.OUT, state.IN_BAG, state.IN_DEPOT, state.AT_DIRK}
    ensure(set(s.place[1 : box.START].tolist()) <= places, f"places of the tiles: {s.place[1 : box.START].tolist()}")
    for tile in range(1, box.START):
        lies = state.IN_CITY <= s.place[tile] < state.IN_CITY + box.MAX_PLAYERS
        ensure(lies or s.x[tile] == s.y[tile] == 0, f"tile {tile} has a cell and lies in no city")
