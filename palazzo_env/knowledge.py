"""What a seat knows beyond the table, in the words of RULES.md section 10; texts and pictures take it from here. [7.2]

sure        by seat: cards of the hand by kind; of the own hand those that everybody is sure of (PZ-M05), of another
            one all that are certain for the seat (PZ-M02), by counting (PZ-M11) and by a begun action (PZ-M12), too
shown       by seat: starting cards that have been shown, by kind, wherever they are now
starting    by seat: how many starting cards in the hand have not been shown
unseen      cards by kind that the seat has not seen: in other hands, before the first shuffle also in the deck
deck        cards of the deck by kind if everybody knows the set, else None
piles, box  tiles left of each pile, "K" among them, and out of the game
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np

from palazzo_env import components as box
from palazzo_env.begun import needed
from palazzo_env.keys import tile_texts
from palazzo_env.memory import count_unseen
from palazzo_env.position import Json, cards_left, counted
from palazzo_env.state import NO_COMPONENT, NO_LOCK
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, RECALL
from skyline.positions import counts_of
from skyline.typing import Array

_needed, _count_unseen = FromPython(needed), FromPython(count_unseen)

MOST_LISTED = box.START_HAND  # unseen cards of a hand that has begun something whose possible hands are listed


def knowledge(s: Any, seat: int) -> Json:
    """What the seat knows; {} with TABLE."""
    if s.memory != RECALL:
        return {}
    sure = surely(s, seat)
    return {
        "sure": {str(other): counted(row) for other, row in enumerate(sure)},
        "shown": {str(other): counted(s.memory_shown[other]) for other in range(s.players)},
        "starting": {str(other): int(s.memory_starting[other]) for other in range(s.players)},
        "unseen": counted(unseen_by(s, seat)),
        "deck": counted(deck) if (deck := deck_set(s)) is not None else None,
        "piles": piles_of(s),
        "box": tile_texts(np.repeat(range(box.TILE_KINDS), box.TILE_COPIES - s.visible - s.memory_stack)),
    }


def unseen_by(s: Any, seat: int) -> Array:
    """The cards that the seat has not seen, by kind."""
    return np.array([_count_unseen(s, seat, card) for card in range(box.CARD_KINDS)])


def deck_set(s: Any) -> Array | None:
    """The cards of the deck by kind if everybody knows them: after a shuffle, or when no hand or no deck hides a card.

    [PZ-M10]
    """
    if s.memory_shuffled or not cards_left(s) or not s.memory_starting.any():
        return counts_of(s.deck[s.deck_top : s.deck_size], box.CARD_KINDS)
    return None


def piles_of(s: Any) -> dict[str, list[str]]:
    """What is left of each pile.  # PZ-M13"""
    first, second = box.STACK - box.BELOW_PILE_1, box.STACK - box.BELOW_PILE_2
    cuts = np.maximum(s.stack_top, [0, first, second, box.STACK])
    parts = pairwise(cuts)
    return {
        name: [box.STACK_TEXTS[entry] for entry in sorted(s.stack[begin:end])]
        for name, (begin, end) in zip(("I", "II", "III"), parts, strict=True)
    }


# ---------------------------------------------------------------- cards that a hand surely holds


def surely(s: Any, seat: int) -> list[Array]:
    """By seat, the cards that the hand surely holds for the viewer; of the own hand what the others are sure of."""
    unseen, hidden = unseen_by(s, seat), _hidden_places(s, seat)
    rows = _hands_that_can_finish(s, seat, unseen)
    found = []
    for other in range(s.players):
        sure = s.memory_sure[other].astype(int)
        if other != seat and rows is not None and other == s.seat:
            sure = sure + rows.min(axis=0)  # PZ-M12
        elif other != seat:
            taken = 0 if rows is None else rows
            places = hidden - int(s.memory_starting[other]) - (0 if rows is None else int(s.memory_starting[s.seat]))
            sure = sure + np.maximum(0, np.atleast_2d(unseen - taken) - places).min(axis=0)  # PZ-M11
        found.append(sure)
    return found


def _hidden_places(s: Any, seat: int) -> int:
    """Places for cards that the seat has not seen: in all other hands, before the first shuffle in the deck."""
    of_hands = int(s.memory_starting.sum()) - int(s.memory_starting[seat])
    return of_hands + (0 if s.memory_shuffled else cards_left(s))


def _hands_that_can_finish(s: Any, seat: int, unseen: Array) -> Array | None:
    """Every set of unseen cards with which the deciding seat can finish what it has begun, by kind (m, 16); None if
    nothing is begun by another seat, or no game reaches the position.  # PZ-M12
    """
    if s.seat in (NO_SEAT, seat) or (goal := _needed(s)) <= 0 or s.memory_starting[s.seat] > MOST_LISTED:
        return None
    rows = _sets_of(int(s.memory_starting[s.seat]))
    rows = rows[(rows <= unseen).all(axis=1)]
    rows = rows[_still_to_come(s, rows + s.memory_sure[s.seat]) >= goal]
    return rows if len(rows) else None


@lru_cache(None)
def _sets_of(size: int) -> Array:
    """Every set of so many cards, by kind."""
    sets = combinations_with_replacement(range(box.CARD_KINDS), size)
    return np.array([np.bincount(np.array(cards, int), minlength=box.CARD_KINDS) for cards in sets])


def _still_to_come(s: Any, hands: Array) -> Array:
    """`begun.still_to_come` for many hands. [section 6, `left`]"""
    rank = int(box.RANKS[s.last]) if s.last != NO_COMPONENT else 0
    certificates = hands[:, box.CERTIFICATE]
    if rank == box.CERTIFICATE_RANK:
        most: Array = box.CERTIFICATE_VALUE * np.minimum(box.MOST_SINGLE_CERTIFICATES - int(s.singles), certificates)
        return most
    money = hands[:, 1:].reshape(-1, box.CURRENCIES, box.VALUES)
    values = np.arange(box.LOWEST_VALUE, box.LOWEST_VALUE + box.VALUES)
    if rank > box.RANKS[box.FIRST_GROUP]:
        values = values * (box.RANKS[1 : 1 + box.VALUES] >= rank)
        most = box.CERTIFICATE_VALUE * np.minimum(box.MOST_SINGLE_CERTIFICATES, certificates)
        return most + money[:, s.locks[s.seat]] @ values
    locked = slice(None) if s.locks[s.seat] == NO_LOCK else slice(s.locks[s.seat], s.locks[s.seat] + 1)
    most = (money[:, locked] @ values).max(axis=1)
    gains = (box.GROUP_VALUE - values) * (box.RANKS[box.FIRST_GROUP + 1 :] >= rank)
    groups, rest = np.divmod(certificates, box.GROUP_CARDS)
    most += money.min(axis=1) @ gains + box.GROUP_VALUE * groups + box.CERTIFICATE_VALUE * rest
    return most
