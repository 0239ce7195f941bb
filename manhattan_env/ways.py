"""All ways that agree with what a seat has seen, in plain Python: with DISCARDs, and where something seems sure.

Places and shuffles. Every card of another hand lies on a place, of which it is known from which shuffle the card comes
(its *source*), and after a DISCARD which cards do not lie there. A card shown empties a place that may have held it;
a `Way` says which places are left and which cards of each source are not yet shown. Several ways are possible when a
hand holds places of different sources; a hand surely holds what it holds in all of them. [MH-M13, MH-M14, MH-M15]

Most ways make nothing sure. So some random ways are followed first; all of them only while something seems sure.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from manhattan_env import components as box
from manhattan_env.memory import PLAY_BITS, PLAY_MASK
from manhattan_env.position import held_hand
from skyline.positions import counts_of

SQUARES = range(box.SQUARES)
RANDOM_WAYS = 40  # followed before all ways are
MOST_POSSIBLE = 10_000  # joint hands that are counted

Counts = tuple[int, ...]  # cards by printed square
Place = tuple[int, int]  # source; bits of the cards that do not lie there
Places = tuple[tuple[Place, ...], ...]  # by seat, each in rising order
Sure = dict[int, list[int]]  # by other seat, and for the deck behind the last seat


class Play(NamedTuple):
    """A card shown by another seat."""

    seat: int
    card: int
    squares: int  # bits of the cards that the hand did not hold besides [MH-M10]
    source: int  # of the card that the seat drew afterwards


class Way(NamedTuple):
    """One possibility for the places of the other hands."""

    places: Places
    left: tuple[Counts, ...]  # by source: cards not yet shown, those of the deck with the last one


class Belief:
    """The ways that agree with what a seat has seen."""

    def __init__(self, s: Any, seat: int) -> None:
        self.players, self.seat, self.deck = int(s.players), seat, int(s.players)
        self.others = [other for other in range(self.players) if other != seat]
        self._in_deck = int(s.deck_size - s.deck_top)
        self._plays, self._first = _story(s, seat)
        self._has_discards = any(play.squares for play in self._plays)

    # ------------------------------------------------------------ what is sure

    def sure(self, found: Sure | None = None) -> Sure:
        """What lies surely where, by `_surely_held`; `found`: what some ways have left of it."""
        for way in self._random_ways() if found is None else ():
            found = self._least(found, way)
            if self._is_settled(found, way):
                return found
        for way in self.ways():
            found = self._least(found, way)
        assert found is not None, "no way agrees with what was seen"
        return found

    def _is_settled(self, found: Sure, way: Way) -> bool:
        """Whether no further way can make less sure; `way` is any way."""
        newest = len(way.left) - 1
        is_drawn = any(source == newest for places in way.places for source, _ in places)
        deck_is_open = is_drawn and self._in_deck > 0
        if deck_is_open and sum(found[self.deck]) == self._in_deck:
            return False
        return not any(any(found[other]) for other in self.others)

    def _least(self, found: Sure | None, way: Way) -> Sure:
        """The smaller numbers of what was found and what this way makes sure."""
        if self._has_discards and not _can_be_filled(self._groups(way), way):
            return found if found is not None else {seat: [box.CARDS_PER_SQUARE] * 9 for seat in self._holders()}
        least = {}
        for holder in self._holders():
            counts = found[holder] if found else [box.CARDS_PER_SQUARE] * box.SQUARES
            least[holder] = [n and min(n, self._number(way, holder, card)) for card, n in enumerate(counts)]
        return least

    def _holders(self) -> list[int]:
        return [*self.others, self.deck]

    def _number(self, way: Way, holder: int, card: int) -> int:
        """How many such cards the holder has at least in this way. [MH-M14]"""
        groups = self._groups(way)
        if self._has_discards:
            most = sum(left[card] for left in way.left)
            return next(n for n in range(most + 1) if _can_be_filled(groups, way, (holder, card, n)))
        number = 0
        for source, left in enumerate(way.left):
            outside = sum(n for (owner, place), n in groups.items() if place[0] == source and owner != holder)
            number += max(0, left[card] - outside)
        return number

    def _groups(self, way: Way) -> dict[tuple[int, Place], int]:
        """How many places of a kind each holder has, the deck among them."""
        groups: dict[tuple[int, Place], int] = {}
        for owner, places in enumerate(way.places):
            for place in places:
                groups[owner, place] = groups.get((owner, place), 0) + 1
        if self._in_deck:
            groups[self.deck, (len(way.left) - 1, 0)] = self._in_deck
        return groups

    # ------------------------------------------------------------ ways

    def ways(self) -> set[Way]:
        """All ways."""
        ways = {self._first}
        for play in self._plays:
            ways = {following for way in ways for following, _ in self._after(way, play)}
        return ways

    def _random_ways(self) -> Iterator[Way]:
        """Some ways, the same ones for the same knowledge; none where no choice comes to its end."""
        chance = random.Random(len(self._plays))
        for _ in range(RANDOM_WAYS):
            way = self._first
            for play in self._plays:
                following = list(self._after(way, play))
                if not following:
                    break
                (way,) = chance.choices([w for w, _ in following], [share for _, share in following])
            else:
                yield way

    def _after(self, way: Way, play: Play) -> Iterator[tuple[Way, float]]:
        """The ways after a card shown, each with a number for how likely its place is."""
        places = way.places[play.seat]
        for i, (source, without) in enumerate(places):
            if i and places[i - 1] == places[i]:
                continue
            left = way.left[source]
            if not left[play.card] or without >> play.card & 1:
                continue
            others = [(origin, bits | play.squares) for origin, bits in (*places[:i], *places[i + 1 :])]
            hand = tuple(sorted([*others, (play.source, 0)]))
            less = tuple(n - (card == play.card) for card, n in enumerate(left))
            yield (
                Way(
                    (*way.places[: play.seat], hand, *way.places[play.seat + 1 :]),
                    (*way.left[:source], less, *way.left[source + 1 :]),
                ),
                places.count(places[i]) * left[play.card] / sum(left),
            )
            if self.players == 2 and len(way.left) > 1 and source == 0:
                return  # the old part of the only other hand is known: the card comes from there [MH-M08]

    # ------------------------------------------------------------ how many

    def possible(self) -> int | None:
        """How many hands of the only other seat are possible; None for more than are counted."""
        hands = {hand for way in self.ways() for hand in _hands_in(way, way.places[self.others[0]], self._in_deck)}
        return len(hands) if len(hands) <= MOST_POSSIBLE else None


def _story(s: Any, seat: int) -> tuple[list[Play], Way]:
    """The plays of the other seats from the deal on, and the way before them. [MH-M20]

    With two players from the last reshuffle on, when the other hand is known: source 0 is this hand. [MH-M08]
    """
    shuffles = int(s.memory_shuffles)
    ends = [int(end) for end in s.memory_ends[:shuffles]]
    if s.players == 2 and shuffles:
        return _story_of_two(s, 1 - seat, ends[-1])
    pools = np.zeros((shuffles + 1, box.SQUARES), int)
    plays, source = [], 0
    for i in range(int(s.memory_size)):
        owner, card, squares = play_at(s, i)
        if owner != seat:
            pools[source, card] += 1
            plays.append(Play(owner, card, squares, source + (i + 1 in ends)))
        source += i + 1 in ends
    for other in range(s.players):
        for number in range(shuffles * (other != seat)):
            held = counts_of(held_hand(s, number, other), box.SQUARES)
            pools[number] += held
            pools[number + 1] -= held
    sizes = [int(s.hands[other].sum()) if other != seat else 0 for other in range(s.players)]
    return plays, Way(tuple(((0, 0),) * size for size in sizes), _with_last(s, seat, pools))


def _story_of_two(s: Any, other: int, first: int) -> tuple[list[Play], Way]:
    """From the play `first` on, after the last reshuffle; the card that this reshuffle was for is newer."""
    found = [play_at(s, i) for i in range(first, int(s.memory_size))]
    plays = [Play(owner, card, squares, 1) for owner, card, squares in found if owner == other]
    held = counts_of(held_hand(s, int(s.memory_shuffles) - 1, other), box.SQUARES)
    pools = np.array([held, counts_of((play.card for play in plays), box.SQUARES) - held])
    drawn = int(play_at(s, first - 1)[0] == other)
    hand = ((0, 0),) * int(held.sum()) + ((1, 0),) * drawn
    places = tuple(hand if seat == other else () for seat in range(2))
    return plays, Way(places, _with_last(s, 1 - other, pools))


def play_at(s: Any, i: int) -> tuple[int, int, int]:
    """Seat, card, and the bits of the cards that the hand did not hold besides."""
    code = int(s.memory_plays[i])
    owner, card = divmod(code & PLAY_MASK, box.SQUARES)
    return owner, card, code >> PLAY_BITS & ~(1 << card)


def _with_last(s: Any, seat: int, pools: Any) -> tuple[Counts, ...]:
    """The cards of each source; the last source has the present hands and the deck, too."""
    pools[-1] += counts_of(s.deck[s.deck_top : s.deck_size], box.SQUARES)
    for other in range(s.players):
        if other != seat:
            pools[-1] += s.hands[other]
    return tuple(tuple(map(int, pool)) for pool in pools)


def _hands_in(way: Way, places: Sequence[Place], in_deck: int) -> set[Counts]:
    """The hands that the places can hold, as counts."""
    found: set[tuple[tuple[Counts, ...], Counts]] = {(way.left, (0,) * box.SQUARES)}
    for source, without in places:
        filled = set()
        for left, hand in found:
            for card in SQUARES:
                if left[source][card] and not without >> card & 1:
                    less = tuple(n - (kind == card) for kind, n in enumerate(left[source]))
                    more = tuple(n + (kind == card) for kind, n in enumerate(hand))
                    filled.add(((*left[:source], less, *left[source + 1 :]), more))
        found = filled
    return {hand for _, hand in found}


def _can_be_filled(groups: dict[tuple[int, Place], int], way: Way, bound: tuple[int, int, int] | None = None) -> bool:
    """Whether all cards of the way find a place; with `bound`, a holder gets at most that number of a card."""
    rooms: dict[Any, int] = dict(groups)
    if bound is not None:
        rooms["bound"] = bound[2]
    lies: dict[Any, list[tuple[int, int]]] = {group: [] for group in groups}

    def takes(group: tuple[int, Place], source: int, card: int) -> bool:
        return group[1][0] == source and not group[1][1] >> card & 1

    def bounded(group: tuple[int, Place], card: int) -> bool:
        return bound is not None and (group[0], card) == bound[:2]

    def settle(source: int, card: int, tried: set[Any]) -> bool:
        """Find a place for a card, moving others where they may lie elsewhere, too."""
        for group in groups:
            if group in tried or not takes(group, source, card):
                continue
            if (
                bounded(group, card)
                and sum(kind == card for where in lies if bounded(where, card) for _, kind in lies[where])
                >= rooms["bound"]
            ):
                continue
            tried.add(group)
            if len(lies[group]) < rooms[group]:
                lies[group].append((source, card))
                return True
            for at, (_, kind) in enumerate(lies[group]):
                if kind != card:
                    lies[group].pop(at)
                    if settle(source, kind, tried):
                        lies[group].append((source, card))
                        return True
                    lies[group].insert(at, (source, kind))
        return False

    return all(
        settle(source, card, set())
        for source, left in enumerate(way.left)
        for card in SQUARES
        for _ in range(left[card])
    )
