"""The hands that the other seats can have held at the last shuffle, and what the plays since then leave of them.

A *span* is what happens between two shuffles, and to the present: a hand shows cards and draws others. The hands
depend on each other only at its two ends, where the cards of all of them together are known. [MH-M04, MH-M09]

    way     the hands of the other seats at a shuffle, each with its cards; at the deal one way of empty hands
    old     the cards that a hand has at the beginning of a span
    place   in a hand, for a card drawn in the span

One hand can be followed through a span by itself, because what is best for the rest of the span is known at every play
(`follow`). A DISCARD says of the places that were filled before which cards do not lie there; places with the same
such cards are a *kind*. [MH-M10, MH-M15]

The ways at a reshuffle never change. They are kept for some games (`ways_after`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import iand
from typing import Any, NamedTuple

import numpy as np

from manhattan_env import components as box
from manhattan_env.memory import HELD_BITS, PLAY_BITS, PLAY_MASK
from manhattan_env.position import in_held_plain
from skyline.typing import Array

ALL_SQUARES = (1 << box.SQUARES) - 1

Counts = tuple[int, ...]  # cards by printed square


class Play(NamedTuple):
    """A card shown by another seat."""

    card: int
    squares: int  # bits of the cards that the hand did not hold besides [MH-M10]
    draws: int  # 1: from the same shuffle; 0: this draw needs a reshuffle


class Span(NamedTuple):
    """What the other seats show and draw between two shuffles, or up to the present; `cards` and `sizes` at its end."""

    drawn: tuple[int, ...]  # by other seat: cards drawn before its first play
    plays: tuple[tuple[Play, ...], ...]  # by other seat
    cards: Counts  # of the other hands together, at present those of the deck, too
    sizes: tuple[int, ...]  # by other seat: cards of its hand


class Ways:
    """All ways at a shuffle that agree with what was seen before. (Two objects are never equal: caches are quick.)"""

    def __init__(self, hands: Sequence[Array], rows: Array) -> None:
        self.hands = hands  # by other seat: the hands that it can have, (SQUARES, hands)
        self.rows = rows  # by other seat and way: the number of its hand


class Rest(NamedTuple):
    """What the plays of a span leave of the hands of one seat; different hands can leave the same."""

    kept: Array  # (SQUARES, rests): old cards
    places: Array  # (kinds, rests): how many of each kind; the kinds from the oldest on
    squares: tuple[int, ...]  # by kind: bits of the cards that do not lie there; those of older kinds contain them
    of_hand: Array  # by hand: the number of the rest; -1: the hand cannot have shown what it has


# ---------------------------------------------------------------- what was seen


def spans_of(s: Any, seat: int) -> tuple[Span, ...]:
    """The spans as the seat has seen them, the present one last. [MH-M16, MH-M20]

    With 2 players the first of two spans stands for all up to the last reshuffle: the hand is known then. [MH-M08]
    """
    players, last = int(s.players), int(s.memory_shuffles)
    others = [other for other in range(players) if other != seat]
    ends = [0, *s.memory_ends[:last].tolist()]
    codes = s.memory_plays[: s.memory_size].tolist()
    present = s.hands[:players].tolist()
    drawn = tuple(sum(present[other]) for other in others)
    spans = []
    for number in range(last):
        drawer = (codes[ends[number + 1] - 1] & PLAY_MASK) // box.SQUARES
        held = [_held_counts(s.memory_held[number, other]) for other in others]
        plays = _plays(codes[ends[number] : ends[number + 1]], others, drawer)
        if players == 2:
            drawn, plays = (sum(held[0]),), ((),)
        spans.append(Span(drawn, plays, _sums(held), tuple(map(sum, held))))
        drawn = tuple(int(other == drawer) for other in others)
    deck = np.bincount(s.deck[s.deck_top : s.deck_size], minlength=box.SQUARES).tolist()
    hands = [present[other] for other in others]
    plays = _plays(codes[ends[last] :], others, None)
    spans.append(Span(drawn, plays, _sums([*hands, deck]), tuple(map(sum, hands))))
    return tuple(spans[-2:] if players == 2 else spans)


def play_at(s: Any, i: int) -> tuple[int, int, int]:
    """Seat, card, and the bits of the cards that the hand did not hold besides."""
    return _parts(int(s.memory_plays[i]))


def _parts(code: int) -> tuple[int, int, int]:
    owner, card = divmod(code & PLAY_MASK, box.SQUARES)
    return owner, card, code >> PLAY_BITS & ~(1 << card)


def _plays(codes: Sequence[int], others: Sequence[int], drawer: int | None) -> tuple[tuple[Play, ...], ...]:
    """The plays by other seat; the last one of all is the drawer's."""
    plays: dict[int, list[Play]] = {other: [] for other in others}
    for code in codes:
        owner, card, squares = _parts(code)
        if owner in plays:
            plays[owner].append(Play(card, squares, 1))
    if drawer in plays:
        plays[drawer][-1] = plays[drawer][-1]._replace(draws=0)
    return tuple(map(tuple, plays.values()))


def _held_counts(word: Any) -> list[int]:
    return [in_held_plain(word, card) for card in range(box.SQUARES)]


def _sums(hands: Sequence[Sequence[int]]) -> Counts:
    return tuple(map(sum, zip(*hands, strict=True)))


# ---------------------------------------------------------------- one hand through a span


@lru_cache(maxsize=256)
def follow(ways: Ways, other: int, drawn: int, plays: tuple[Play, ...]) -> Rest:
    """What the plays leave of each hand that the seat can have in the ways.

    A card shown is an old one as long as the hand has such a card: which of two equal cards is shown makes no
    difference. [MH-M03] Any other card comes from a place, and from the oldest kind where it may lie: whatever can lie
    on a place can lie on a newer one.
    """
    hands = ways.hands[other]
    shown = [0] * box.SQUARES
    possible = np.ones(hands.shape[1], bool)
    places, squares = [np.full(hands.shape[1], drawn, np.int8)], [0]
    for play in plays:
        lacks = hands[play.card] <= shown[play.card]
        for number, bits in zip(places, squares, strict=True):
            if not bits >> play.card & 1:
                taken = lacks & (number > 0)
                number -= taken
                lacks &= ~taken
        possible &= ~lacks
        shown[play.card] += 1
        if play.squares:
            for card in cards_in(play.squares):
                possible &= hands[card] <= shown[card]  # MH-M10
            places, squares = _newer_kind(places, [bits | play.squares for bits in squares])
        places[-1] += play.draws
    return _rest(np.maximum(hands - np.array(shown, np.int8)[:, None], 0), np.array(places), squares, possible)


def cards_in(bits: int) -> Iterator[int]:
    return (card for card in range(box.SQUARES) if bits >> card & 1)


def _newer_kind(places: Sequence[Array], squares: Sequence[int]) -> tuple[list[Array], list[int]]:
    """The kinds after a DISCARD, those that do not differ put together, and one without places yet."""
    kinds: dict[int, Array] = {}
    for number, bits in zip(places, squares, strict=True):
        kinds[bits] = kinds[bits] + number if bits in kinds else number
    return [*kinds.values(), np.zeros_like(places[0])], [*kinds, 0]


def _rest(kept: Array, places: Array, squares: Sequence[int], possible: Array) -> Rest:
    """Each different rest once, and the kinds that have places in some rest."""
    word = words_of(np.concatenate([kept, places]), HELD_BITS)  # at most 9 + 10 numbers, for `squares` differ
    _, first, inverse = np.unique(word[possible], return_index=True, return_inverse=True)
    index = np.full(len(possible), -1, np.int16)
    index[possible] = inverse
    rows = np.flatnonzero(possible)[first]
    used = [kind for kind, number in enumerate(places[:, rows]) if number.any()]
    return Rest(kept[:, rows], places[used][:, rows], tuple(squares[kind] for kind in used), index)


def words_of(counts: Array, bits: int) -> Array:
    """Each column of small numbers as one word, so many bits for a number."""
    words: Array = (counts.astype(np.int64) << bits * np.arange(len(counts))[:, None]).sum(axis=0)
    return words


def fitting(rest: Rest, hands: Array) -> Array:
    """(rests, hands): whether the hand can have become of the rest at the end of the span."""
    fits = (rest.kept[:, :, None] <= hands[:, None, :]).all(axis=0)
    for kind, bits in enumerate(rest.squares):
        cards = list(cards_in(bits))
        if cards:  # these lie on newer places
            need = hands[cards].sum(axis=0) - rest.kept[cards].sum(axis=0)[:, None]
            fits &= need <= rest.places[kind + 1 :].sum(axis=0)[:, None]
    return np.asarray(fits)


# ---------------------------------------------------------------- ways at a reshuffle


@lru_cache(maxsize=64)
def ways_after(spans: tuple[Span, ...], others: int) -> Ways:
    """The ways at the end of these spans, so many other seats. [MH-M13]"""
    if not spans:
        return Ways([np.zeros((box.SQUARES, 1), np.int8)] * others, np.zeros((others, 1), np.int16))
    span, before = spans[-1], ways_after(spans[:-1], others)
    rests = followed(before, span)
    hands = [hands_in(span.cards, size) for size in span.sizes]
    rows = _distributions(span.cards, hands)
    reached = []
    for rest, numbers, after, row in zip(rests, joint_rests(before, rests), hands, rows, strict=True):
        fits = np.packbits(fitting(rest, after)[numbers], axis=0)  # by joint rest, eight in a byte, and hand
        reached.append(np.ascontiguousarray(fits.T)[row])
    return Ways(hands, rows[:, reduce(iand, reached).any(axis=1)].astype(np.int16))


def followed(ways: Ways, span: Span) -> list[Rest]:
    """By other seat: what the plays of the span leave of its hands."""
    return [follow(ways, other, *seen) for other, seen in enumerate(zip(span.drawn, span.plays, strict=True))]


def joint_rests(ways: Ways, rests: Sequence[Rest]) -> Array:
    """(others, joint rests): the numbers of the rests that the ways leave, each combination once."""
    numbers = possible_rests(ways, rests)
    sizes = [rest.kept.shape[1] for rest in rests]
    if not numbers.shape[1]:
        return numbers
    return np.array(np.unravel_index(np.unique(np.ravel_multi_index(tuple(numbers), sizes)), sizes))


def possible_rests(ways: Ways, rests: Sequence[Rest]) -> Array:
    """(others, ways): the rest of each hand, for the ways in which each hand can have shown what it has."""
    numbers = np.array([rest.of_hand[row] for rest, row in zip(rests, ways.rows, strict=True)])
    return numbers[:, (numbers >= 0).all(axis=0)]


def hands_in(cards: Counts, size: int) -> Array:
    """(SQUARES, hands): the different hands of a size that these cards give."""
    hands = np.zeros((1, box.SQUARES), np.int8)
    for card, copies in enumerate(cards):
        more = np.zeros((copies + 1, 1, box.SQUARES), np.int8)
        more[:, 0, card] = range(copies + 1)
        hands = (hands + more).reshape(-1, box.SQUARES)
        hands = hands[hands.sum(axis=1) <= size]
    return np.ascontiguousarray(hands[hands.sum(axis=1) == size].T)


def _distributions(cards: Counts, hands: Sequence[Array]) -> Array:
    """(others, ways): the numbers of hands that have all the cards together. The last hand follows from the others."""
    bits = 4  # of a number from 0 to 5, with a bit that is lost when the number becomes negative
    guard = sum(1 << bits * card + bits - 1 for card in range(box.SQUARES))
    *words, last = (words_of(hand, bits) for hand in hands)
    left = words_of(np.array(cards)[:, None], bits)
    rows = np.zeros((0, 1), int)
    for word in words:
        less = guard + left[:, None] - word
        way, hand = np.nonzero(less & guard == guard)
        rows, left = np.vstack([rows[:, way], hand]), less[way, hand] - guard
    order = np.argsort(last)
    return np.vstack([rows, order[np.searchsorted(last[order], left)]])
