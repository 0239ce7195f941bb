"""What a seat with perfect memory knows of hidden cards: `knowledge`. [RULES.md 7.2]

With one shuffle or 2 players, and without DISCARDs, there is one way, and counting says what is sure (`_in_one_way`).
With 3 or 4 players random ways are followed after a reshuffle (random_ways.py, compiled), until nothing seems sure;
surely.py looks at all ways (ways.py) where something still does, and wherever a DISCARD was seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from manhattan_env import components as box
from manhattan_env.memory import PLAY_BITS
from manhattan_env.piles import PACK_BITS
from manhattan_env.position import pile_of
from manhattan_env.random_ways import follow_ways, new_desk
from manhattan_env.surely import Sure, hands_possible, surely_held
from manhattan_env.ways import play_at
from skyline.core.jit import FromPython
from skyline.game import RECALL
from skyline.rng import streams

MOST_WAYS = 200  # random ones; then all are looked at

FIELDS = (
    "players", "hands", "deck", "deck_top", "deck_size", "played", "played_size", "memory", "memory_size",
    "memory_plays", "memory_shuffles", "memory_ends", "memory_held", "memory_known",
)  # fmt: skip

_follow_ways = FromPython(follow_ways)


def knowledge(s: Any, seat: int) -> dict[str, Any]:
    """What the seat knows, in the words of section 10; {} with TABLE."""
    s = _fields(s)
    if s.memory != RECALL:
        return {}
    players, in_deck = int(s.players), int(s.deck_size - s.deck_top)
    sure = _surely_held(s, seat)
    deck = sure.pop(players)
    return {
        "unseen": cards_of(unseen_cards(s, seat)),
        "sure": {str(other): cards_of(counts) for other, counts in sure.items()},
        "piles": {str(other): pile_of(s, other) for other in range(players)},
        "deck": cards_of(deck) if sum(deck) == in_deck else None,
        "old": None if players == 2 or not s.memory_shuffles else cards_of(known_cards(s, seat)),
        "possible": _possible(s, seat) if players == 2 else None,
    }


def _fields(s: Any) -> SimpleNamespace:
    """The fields that are read here, and the row itself: a row takes some microseconds to give a field."""
    row = np.asarray(s)
    return SimpleNamespace(row=s, **{name: row[name] for name in FIELDS})


def sure_cards(s: Any, seat: int) -> Sure:
    """By other seat: how many cards of each printed square its hand surely holds, for texts and pictures."""
    s = _fields(s)
    sure = _surely_held(s, seat)
    del sure[int(s.players)]
    return sure


def cards_of(counts: Any) -> list[int]:
    """Counts as a list in rising order."""
    return [card for card, number in enumerate(counts) for _ in range(number)]


def known_cards(s: Any, seat: int) -> list[int]:
    """The other hands at the last reshuffle, less what they have shown of it since. [MH-M09]"""
    word = int(s.memory_known[seat])
    return [word >> PACK_BITS * card & (1 << PACK_BITS) - 1 for card in range(box.SQUARES)]


def unseen_cards(s: Any, seat: int) -> list[int]:
    """The cards of the other hands and of the deck, by printed square. [MH-M04]"""
    hands = s.hands[: s.players].tolist()
    counts = [sum(column) for column in zip(*hands[:seat], *hands[seat + 1 :], strict=True)]
    for card in s.deck[s.deck_top : s.deck_size].tolist():
        counts[card] += 1
    return counts


# ---------------------------------------------------------------- without DISCARDs


def _surely_held(s: Any, seat: int) -> Sure:
    """By other seat, and for the deck behind the last seat: the cards that surely lie there. [MH-M12 .. MH-M15]"""
    if _has_discards(s, seat):
        return surely_held(s, seat)
    if s.players == 2 or not s.memory_shuffles:
        return _in_one_way(s, seat)
    least = np.full((int(s.players) + 1, box.SQUARES), box.CARDS_PER_SQUARE)
    is_settled = _follow_ways(s.row, seat, streams(1, 0)[0], new_desk(), MOST_WAYS, least)
    found = {holder: counts for holder, counts in enumerate(least.tolist()) if holder != seat}
    return found if is_settled else surely_held(s, seat, found)


def _has_discards(s: Any, seat: int) -> bool:
    """Whether a DISCARD of another seat says something of its hand. [MH-M10]"""
    first = int(s.memory_ends[s.memory_shuffles - 1]) if s.players == 2 and s.memory_shuffles else 0
    discards = np.flatnonzero(s.memory_plays[first : s.memory_size] >> PLAY_BITS)
    found = [play_at(s, first + i) for i in discards.tolist()]
    return any(squares and owner != seat for owner, _, squares in found)


def _in_one_way(s: Any, seat: int) -> Sure:
    """With 2 players, or before the first reshuffle: old cards, and what the newer ones leave. [MH-M12, MH-M14]"""
    old, newer, sizes = _newer(s, seat)
    places = sum(sizes.values())
    found = {holder: [max(0, n - places + size) for n in newer] for holder, size in sizes.items()}
    for holder in found:
        if holder != s.players:
            found[holder] = [n + held for n, held in zip(found[holder], old, strict=True)]
    return found


def _newer(s: Any, seat: int) -> tuple[list[int], list[int], dict[int, int]]:
    """There: the old cards of the only other hand, the newer unseen cards, and how many of these each holder has."""
    old, players = known_cards(s, seat), int(s.players)
    newer = [n - held for n, held in zip(unseen_cards(s, seat), old, strict=True)]
    sizes = {other: sum(s.hands[other].tolist()) - sum(old) for other in range(players) if other != seat}
    return old, newer, {**sizes, players: int(s.deck_size - s.deck_top)}


def _possible(s: Any, seat: int) -> int:
    """How many hands of the only other seat are possible."""
    if _has_discards(s, seat):
        return hands_possible(s, seat)
    _, newer, sizes = _newer(s, seat)
    return _hands_from(newer, sizes[1 - seat])


def _hands_from(pool: Sequence[int], size: int) -> int:
    """How many different hands of `size` cards a pool gives."""
    ways = [1] + [0] * size
    for copies in pool:
        ways = [sum(ways[n - taken] for taken in range(min(copies, n) + 1)) for n in range(size + 1)]
    return ways[size]
