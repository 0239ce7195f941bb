"""A state as data: positions (RULES.md section 10), setup and chance events of records (section 9), invariants.

loading.py is the way back. A position has two fields more than section 10:

    received         the tiles that each seat has received by NY-91 and not yet placed (those of the deciding seat are
                     in `bought`); null before the end of the game
    scoring_places   where in the deck SA and SB can lie as far as the seats know: first and last place, 0 being the top
                     card; without this field they can lie anywhere, SA above SB
"""

from __future__ import annotations

from typing import Any

import numpy as np

from newyork_env.actions import CARD_TEXTS, DECK_TEXTS, SCORING_NAMES
from newyork_env.city_law import LEGAL, clause_broken_by, empty_board
from newyork_env.components import (
    COPIES,
    DECK,
    HIGHEST_SCORE,
    KINDS,
    MAX_PLAYERS,
    NO_CARD,
    NO_TILE,
    PLAYER_COUNTS,
    SCORING_B,
    START,
    VALUES,
)
from newyork_env.deal import survey
from newyork_env.state import AT_DIRK, IN_BAG, IN_CITY, IN_DEPOT, IN_RESERVE, NO_SLOT, OUT, PHASE_NAMES, TO_PLACE
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, ensure, ensure_same

_survey, _clause_broken_by = FromPython(survey), FromPython(clause_broken_by)


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
    deck = [int(card) for card in s.deck[s.deck_top : s.deck_size]]
    decides = int(s.seat)
    return {
        "players": int(s.players),
        "phase": PHASE_NAMES[int(s.phase)],
        "seat": decides if decides != NO_SEAT else None,
        "turns": int(s.turns),
        "max_turns": int(s.max_turns),
        "market": [_text(card) if card != NO_CARD else None for card in s.market],
        "deck": [_text(card) for card in deck],
        "discard": _cards_of(s.discards),
        "depot": [int(tile) if tile != NO_TILE else None for tile in s.depot],
        "bag": [int(tile) for tile in s.bag[s.bag_top :]],
        "hands": [_cards_of(s.hands[seat]) for seat in seats],
        "cities": [city_of(s, seat) for seat in seats],
        "reserves": [tiles_at(s, IN_RESERVE + seat) for seat in seats],
        "bought": tiles_at(s, TO_PLACE + decides) if decides != NO_SEAT else [],
        "dirk": tiles_at(s, AT_DIRK),
        "scores": [int(score) for score in s.scores[: s.players]],
        "slot": int(s.slot) if s.slot != NO_SLOT else None,
        "paid": [value for value in range(VALUES, 0, -1) for _ in range(s.laid[value])],
        "tile": int(s.chosen) if s.chosen != NO_TILE else None,
        "received": [[] if p == decides else tiles_at(s, TO_PLACE + p) for p in seats] if s.ending else None,
        "scoring_places": {
            SCORING_NAMES[card]: [max(int(s.earliest[i] - s.deck_top), 0), int(s.latest[i] - s.deck_top)]
            for i, card in enumerate(SCORING_NAMES)
            if card in deck
        },
    }


def tiles_at(s: Any, place: int) -> list[int]:
    """The tiles in a place, in rising order."""
    return [int(tile) for tile in np.flatnonzero(s.place[:START] == place)]


def city_of(s: Any, seat: int) -> list[list[int]]:
    """[x, y, tile] for every tile of a city but the start tile, by y, then x."""
    return sorted(
        ([int(s.x[t]), int(s.y[t]), t] for t in tiles_at(s, IN_CITY + seat)), key=lambda row: (row[1], row[0])
    )


def _text(card: Any) -> str:
    """The text of a card of the deck."""
    return DECK_TEXTS[int(card)]


def _cards_of(counts: np.ndarray[Any, Any]) -> list[str]:
    """The texts of cards from counts by card."""
    return [CARD_TEXTS[card] for card in np.repeat(range(KINDS), counts)]


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """No tile or card is in two places, ranges hold, every cache equals its recomputation.

    A loaded position may lack cards and tiles; in a game, which only moves them, all are somewhere.
    """
    players = int(s.players)
    ensure(players in PLAYER_COUNTS, f"{players} players")
    rest = [s.scores[players:], s.hands[players:], s.types[players:MAX_PLAYERS]]
    ensure(not any(part.any() for part in rest), "a seat too many has something")
    ensure(((s.scores >= 0) & (s.scores <= HIGHEST_SCORE)).all(), f"scores {s.scores.tolist()}")
    _check_cards(s)
    _check_tiles(s)
    fresh = np.array([s])[0]
    for seat in range(players):
        clause = _clause_broken_by(s, seat, empty_board())
        ensure(clause == LEGAL, f"the city of seat {seat} breaks NY-{clause}")
    _survey(fresh)
    for name in s.dtype.names:
        ensure_same(f"cache {name}", s[name].tolist(), fresh[name].tolist())


def _check_cards(s: Any) -> None:
    """Cards are known and not too many, SA and SB lie where they can."""
    ensure(0 <= s.deck_top <= s.deck_size <= DECK, f"cards {s.deck_top} .. {s.deck_size} of the deck are left")
    deck = s.deck[s.deck_top : s.deck_size]
    ensure(((deck >= 0) & (deck <= SCORING_B)).all(), f"an unknown card in the deck {deck.tolist()}")
    ensure(((s.market >= NO_CARD) & (s.market < KINDS)).all(), f"an unknown card in the market {s.market.tolist()}")
    ensure((s.hands >= 0).all() and (s.discards >= 0).all(), "a number of cards below zero")
    loose = np.concatenate([deck[deck < KINDS], s.market[s.market != NO_CARD]]).astype(int)
    copies = np.bincount(loose, minlength=KINDS) + s.hands.sum(axis=0) + s.discards
    ensure((copies <= COPIES[s.players]).all(), f"copies of the cards: {copies.tolist()}")
    ensure_same("discards_size", int(s.discards_size), int(s.discards.sum()))
    ensure(not s.order_given, "the order given for a shuffle was not used")
    ensure_same("laid_sum", int(s.laid_sum), sum(value * int(s.laid[value]) for value in range(VALUES + 1)))
    for i, (card, name) in enumerate(SCORING_NAMES.items()):
        places = s.deck_top + np.flatnonzero(deck == card)
        ensure(len(places) == 1 - (s.scored >> i & 1), f"{name} lies {len(places)} times in the deck")
        for at in places:
            ensure(s.earliest[i] <= at <= s.latest[i], f"{name} lies at {at}, not {s.earliest[i]} .. {s.latest[i]}")


def _check_tiles(s: Any) -> None:
    """Every tile is where its place says, and only city tiles have a cell."""
    ensure_same("bag", tiles_at(s, IN_BAG), sorted(s.bag[s.bag_top :].tolist()))
    ensure_same("depot", tiles_at(s, IN_DEPOT), sorted(tile for tile in s.depot.tolist() if tile != NO_TILE))
    places = {OUT, IN_BAG, IN_DEPOT, AT_DIRK} | {p + seat for p in (IN_CITY, IN_RESERVE, TO_PLACE) for seat in range(6)}
    ensure(set(s.place[1:START].tolist()) <= places, f"places of the tiles: {s.place[1:START].tolist()}")
    for tile in range(1, START):
        lies = IN_CITY <= s.place[tile] < IN_CITY + MAX_PLAYERS
        ensure(lies or s.x[tile] == s.y[tile] == 0, f"tile {tile} has a cell and lies in no city")
