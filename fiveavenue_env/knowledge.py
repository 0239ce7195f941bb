"""What a seat knows beyond the table, in the words of RULES.md section 10. [7.2]

Of each other hand: the cards that it surely holds, and how many different hands the others can have together. Black
cards go by *ways* (FA-M17): one distribution of the old cards, with what is left of the newer ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.position import FIRST_OUT, black_code, hand_of
from fiveavenue_env.remembered import DRAW, Span, falling, spans_of, unseen_black
from skyline.game import RECALL

MOST_WAYS = 10_000  # with more of them the sure black cards are those of all onlookers, and `possible` is null

Counts = tuple[int, ...]  # by value 4, 5, 6
Hands = tuple[Counts, ...]  # of the other seats, in seat order
NONE: Counts = (0, 0, 0)
ONE: tuple[Counts, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
FIELDS = (
    "players", "seat", "phase", "hands", "stacks", "stack_top", "stack_end", "black", "black_top", "black_end", "tiles",
    "standing", "table_total", "table_colour", "last_colour", "last_black", "memory_known", "memory_first",
    "memory_unknown", "memory_log", "memory_log_n", "memory_held", "memory_unseen", "memory_hidden",
)  # fmt: skip


def knowledge(s: Any, seat: int) -> dict[str, Any]:
    """What the seat knows with perfect memory; {} with the memory TABLE."""
    if s.memory != RECALL:
        return {}
    seen = _Seen.by(SimpleNamespace(**{name: s[name] for name in FIELDS}), int(seat))
    hands = seen.sure_hands()
    s = seen.s
    return {
        "known": [hand_of(s.memory_known[p].tolist()) for p in range(int(s.players))],
        "unseen": hand_of([n for counts in seen.unseen for n in counts]),
        "sure": {str(p): hand_of(cards) for p, cards in zip(seen.others, hands, strict=True)},
        "first": {name: int(s.memory_first[c]) for c, name in enumerate(box.COLOUR_NAMES[: box.COLOURS])},
        "stacks": stacks_known(s),
        "black": black_known(s),
        "shops_out": sorted(box.KIND_NAMES[kind] for kind in s.tiles[FIRST_OUT:]),  # FA-M04
        "possible": seen.possible(),
    }


def stacks_known(s: Any) -> dict[str, dict[str, Any]]:
    """Of each coloured stack the cards of the first part, the open top card, the cards below that are known."""
    found = {}
    for c, name in enumerate(box.COLOUR_NAMES[: box.COLOURS]):
        cards, first = s.stacks[c, s.stack_top[c] : s.stack_end[c]].tolist(), int(s.memory_first[c])
        found[name] = {"first": first, "open": cards[0] if cards else None, "then": cards[max(1, first) :]}
    return found


def black_known(s: Any) -> dict[str, Any]:
    """The cards of the unknown part, and the known part in order."""
    unknown = int(s.memory_unknown)
    stack = s.black[s.black_top : s.black_end].tolist()
    return {"unknown": unknown, "then": [black_code(card) for card in stack[unknown:]]}


# ---------------------------------------------------------------- counts of three values


def _less(counts: Counts, other: Counts) -> Counts:
    return counts[0] - other[0], counts[1] - other[1], counts[2] - other[2]


def _more(counts: Counts, other: Counts) -> Counts:
    return counts[0] + other[0], counts[1] + other[1], counts[2] + other[2]


def _one(value: int) -> Counts:
    return ONE[value - 4]


def _picks(number: int, pool: Counts) -> Iterator[Counts]:
    """All ways to take so many cards of a pool, equal cards not told apart."""
    for a in range(min(number, pool[0]) + 1):
        for b in range(min(number - a, pool[1]) + 1):
            if number - a - b <= pool[2]:
                yield a, b, number - a - b


@lru_cache(10_000)
def _numbers(sizes: tuple[int, ...], pool: Counts) -> int:
    """In how many ways hands of these sizes can be filled from a pool, equal cards not told apart."""
    if not sizes:
        return 1
    if len(sizes) == 1:
        return sum(1 for _ in _picks(sizes[0], pool))
    return sum(_numbers(sizes[1:], _less(pool, cards)) for cards in _picks(sizes[0], pool))


def _fillings(sizes: tuple[int, ...], pool: Counts) -> Iterator[Hands]:
    """These ways."""
    if not sizes:
        yield ()
        return
    for cards in _picks(sizes[0], pool):
        for others in _fillings(sizes[1:], _less(pool, cards)):
            yield cards, *others


# ---------------------------------------------------------------- ways


@dataclass(frozen=True, slots=True)
class _Way:
    """The old cards of the other hands, and the newer cards that are unseen, in hands or in the unknown part."""

    old: Hands
    newer: Counts

    def shown(self, k: int, value: int, has_newer: bool) -> _Way | None:
        """The way after the k-th hand shows an unseen card; None if it falls out.  # FA-M17"""
        card = _one(value)
        if self.old[k][value - 4]:
            return _Way((*self.old[:k], _less(self.old[k], card), *self.old[k + 1 :]), self.newer)
        return _Way(self.old, _less(self.newer, card)) if has_newer and self.newer[value - 4] else None


def _ways(spans: list[Span], others: list[int], ends: list[list[Counts]], pools: list[Counts]) -> set[_Way] | None:
    """The ways at the end of the last span, None for too many; `ends`: unseen cards of the other hands at the end of
    each span; `pools`: the newer cards of each span."""
    ways = {_Way((NONE,) * len(others), pools[0])}
    for number, span in enumerate(spans):
        events = [(others.index(p), what) for p, what in span.events if p in others]
        sizes = [sum(end) for end in ends[number]]
        for k, what in events:
            sizes[k] += 1 if what else -1
        for k, what in events:
            if what == DRAW:
                sizes[k] += 1
                continue
            after = {way.shown(k, what, sizes[k] > sum(way.old[k])) for way in ways}
            ways = {way for way in after if way is not None}
            sizes[k] -= 1
        if number + 1 < len(spans):
            joint = _joint_hands(ways, sizes)
            if joint is None:
                return None
            ways = {_Way(hands, pools[number + 1]) for hands in joint}
    return ways


def _joint_hands(ways: set[_Way], sizes: list[int]) -> set[Hands] | None:
    """The joint hands that contain the old parts of a way, filled up from its newer cards; None for too many."""
    joint = set[Hands]()
    for way in ways:
        left = tuple(size - sum(old) for size, old in zip(sizes, way.old, strict=True))
        for filling in _fillings(left, way.newer):
            joint.add(tuple(_more(old, new) for old, new in zip(way.old, filling, strict=True)))
            if len(joint) > MOST_WAYS:
                return None
    return joint


# ---------------------------------------------------------------- a seat


@dataclass(frozen=True, slots=True)
class _Raise:
    """A begun raise of another seat: what its unseen cards have to come to.  # FA-M20"""

    k: int  # the bidder among the other hands
    colour: int
    missing: int  # its unseen cards are worth more
    coloured: Counts  # worth by value
    black: Counts


def _worth(cards: Counts, worth: Counts) -> int:
    return sum(n * w for n, w in zip(cards, worth, strict=True))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a seat has seen of the other hands."""

    s: Any
    others: list[int]
    unseen: list[Counts]  # by colour: the cards that the seat does not know
    sizes: list[tuple[int, ...]]  # by colour: unseen cards in each other hand
    ways: set[_Way] | None  # None: too many
    begun: _Raise | None

    @classmethod
    def by(cls, s: Any, seat: int) -> _Seen:
        others = [p for p in range(int(s.players)) if p != seat]
        own = s.hands[seat] - s.memory_known[seat]
        unseen = [tuple(row) for row in (s.memory_hidden - own).reshape(-1, 3).tolist()]
        sizes = [tuple(int(s.memory_unseen[p, c]) for p in others) for c in range(box.BLACK + 1)]
        ways = cls._find_ways(s, others, unseen[box.BLACK])
        return cls(s, others, unseen, sizes, ways, cls._find_raise(s, others))

    @staticmethod
    def _find_ways(s: Any, others: list[int], unseen: Counts) -> set[_Way] | None:
        spans = spans_of(s)
        if s.players == 2 and len(spans) > 1:  # FA-M16
            last = Span(None, spans[-1].events)
            held = tuple((spans[-1].held or ())[p] for p in others)
            starts, spans = [held], [last]
        else:
            starts = [(NONE,) * len(others)]
        ends: list[list[Counts]] = [[(span.held or ())[p] for p in others] for span in spans[1:]]
        ends.append([unseen_black(s, p) for p in others])
        pools = []
        for number, span in enumerate(spans):
            last_one = number + 1 == len(spans)
            pool = unseen if last_one else tuple(map(sum, zip(*ends[number], strict=True)))
            for p, what in span.events:
                if p in others and what != DRAW:
                    pool = _more(pool, _one(what))
            for old in starts[0] if number == 0 else ends[number - 1]:
                pool = _less(pool, old)
            pools.append(pool)
        if starts[0] != (NONE,) * len(others):
            return _last_ways(spans[0], others, starts[0], ends[0], pools[0])
        return _ways(spans, others, ends, pools)

    @staticmethod
    def _find_raise(s: Any, others: list[int]) -> _Raise | None:
        begun = s.phase == state.PHASE_BID and (s.last_colour or s.last_black)
        if not begun or int(s.seat) not in others:
            return None
        p, colour = int(s.seat), int(s.table_colour[s.seat])
        black = tuple(v if not s.last_black or v <= s.last_black else 0 for v in box.VALUES)
        coloured = tuple(v if not s.last_black and v <= s.last_colour else 0 for v in box.VALUES)
        known = s.memory_known[p].reshape(-1, 3).tolist()
        reach = int(s.table_total[p]) + _worth(known[colour], coloured) + _worth(known[box.BLACK], black)
        return _Raise(others.index(p), colour, int(s.standing) - reach, coloured, black)

    # ------------------------------------------------------------ sure cards

    def sure_hands(self) -> list[list[int]]:
        """Of each other hand all cards that it surely holds, as counts of the kinds.  # FA-M13, FA-M18"""
        hands = [self.s.memory_known[p].reshape(-1, 3).tolist() for p in self.others]
        for colour in range(box.BLACK + 1):
            for k, counts in enumerate(self._sure_unseen(colour)):
                hands[k][colour] = list(_more(tuple(hands[k][colour]), counts))
        return [[n for counts in hand for n in counts] for hand in hands]

    def _sure_unseen(self, colour: int) -> Hands:
        sizes, pool = self.sizes[colour], self.unseen[colour]
        if colour < box.BLACK:
            ways = {_Way((NONE,) * len(sizes), pool)}
        elif self.ways is None:
            return (NONE,) * len(sizes)
        else:
            ways = self.ways
        least: Hands | None = None
        for way in ways:
            for hands in self._least_hands(colour, way, sizes):
                least = hands if least is None else tuple(
                    tuple(map(min, one, two)) for one, two in zip(least, hands, strict=True)
                )  # fmt: skip
        return least or (NONE,) * len(sizes)

    def _least_hands(self, colour: int, way: _Way, sizes: tuple[int, ...]) -> Iterator[Hands]:
        """The fewest cards of each value in each hand; one for each hand that a bidder can have."""
        left = [size - sum(old) for size, old in zip(sizes, way.old, strict=True)]
        begun = self.begun
        if begun is None or colour not in (begun.colour, box.BLACK):
            yield tuple(self._least(way, left, k, way.newer) for k in range(len(left)))
            return
        for cards in _picks(left[begun.k], way.newer):
            hand = _more(way.old[begun.k], cards)
            if self._can_be(colour, hand):
                rest = _less(way.newer, cards)
                others = [n if k != begun.k else 0 for k, n in enumerate(left)]
                yield tuple(
                    hand if k == begun.k else self._least(way, others, k, rest) for k in range(len(left))
                )  # fmt: skip

    @staticmethod
    def _least(way: _Way, left: list[int], k: int, pool: Counts) -> Counts:
        outside = sum(pool) - left[k]
        return _more(way.old[k], tuple(max(0, n - outside) for n in pool))

    def _can_be(self, colour: int, hand: Counts) -> bool:
        """Whether the bidder can have these unseen cards of a colour, or black ones, and finish its raise."""
        begun = self.begun
        assert begun is not None
        if colour == box.BLACK:
            size, pool, worth = self.sizes[begun.colour][begun.k], self.unseen[begun.colour], begun.coloured
            best = max(_worth(cards, worth) for cards in _picks(size, pool))
            return _worth(hand, begun.black) + best > begun.missing
        if self.ways is None:
            return True
        best = 0
        for way in self.ways:
            left = self.sizes[box.BLACK][begun.k] - sum(way.old[begun.k])
            for cards in _picks(left, way.newer):
                best = max(best, _worth(_more(way.old[begun.k], cards), begun.black))
        return _worth(hand, begun.coloured) + best > begun.missing

    # ------------------------------------------------------------ how many hands

    def possible(self) -> int | None:
        """How many different joint hands of the others agree with all that was seen; None if there are too many."""
        begun = self.begun
        black = self._black_hands()
        if black is None:
            return None
        total = 1
        for colour in range(box.COLOURS):
            if begun is None or colour != begun.colour:
                total *= _numbers(self.sizes[colour], self.unseen[colour])
        if begun is None:
            return total * sum(black.values())
        sizes, pool = self.sizes[begun.colour], self.unseen[begun.colour]
        further = sizes[: begun.k] + sizes[begun.k + 1 :]
        together = 0
        for cards in _picks(sizes[begun.k], pool):
            number = _numbers(further, _less(pool, cards))
            worth = _worth(cards, begun.coloured)
            together += number * sum(n for black_worth, n in black.items() if worth + black_worth > begun.missing)
        return total * together

    def _black_hands(self) -> dict[int, int] | None:
        """The number of joint black hands by what the bidder's are worth in its raise (0 without one); None for too
        many."""
        if self.ways is None:
            return None
        k, worth = (self.begun.k, self.begun.black) if self.begun else (0, NONE)
        sizes = self.sizes[box.BLACK]
        found: dict[int, int] = {}
        if len(self.ways) == 1:
            (way,) = self.ways
            left = [size - sum(old) for size, old in zip(sizes, way.old, strict=True)]
            further = tuple(left[:k] + left[k + 1 :])
            for cards in _picks(left[k], way.newer):
                value = _worth(_more(way.old[k], cards), worth)
                found[value] = found.get(value, 0) + _numbers(further, _less(way.newer, cards))
            return found
        joint = _joint_hands(self.ways, list(sizes))
        if joint is None:
            return None
        for hands in joint:
            value = _worth(hands[k], worth)
            found[value] = found.get(value, 0) + 1
        return found


def _last_ways(span: Span, others: list[int], old: Hands, end: list[Counts], pool: Counts) -> set[_Way]:
    """The only way with two players, whose old cards are known: what it shows later is old or newer.  # FA-M16"""
    way: _Way | None = _Way(old, pool)
    size = sum(map(sum, old))
    for p, what in span.events:
        if p in others and way is not None:
            if what == DRAW:
                size += 1
            else:
                way = way.shown(0, what, size > sum(way.old[0]))
                size -= 1
    return {way} if way is not None else set()


__all__ = ["black_known", "falling", "knowledge", "stacks_known"]
