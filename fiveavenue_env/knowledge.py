"""What a seat knows beyond the table, in the words of RULES.md section 10. [7.2]

Of each other hand: the cards that it surely holds, and how many different hands the others can have together. Black
cards go by *ways* (FA-M17): one distribution of the old cards, with what is left of the newer ones. One way is in
ways.py, many are in packed_ways.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.packed_ways import Told, Ways, ways_of
from fiveavenue_env.position import FIRST_OUT, black_code, hand_of
from fiveavenue_env.remembered import SHUFFLE, events_of, falling
from fiveavenue_env.ways import NONE, Bound, Counts, Hands, Way, numbers, worth_of
from skyline.game import RECALL

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


# ---------------------------------------------------------------- a seat


@dataclass(frozen=True, slots=True)
class _Raise:
    """A begun raise of another seat: what its unseen cards have to come to.  # FA-M20"""

    k: int  # the bidder among the other hands
    colour: int
    missing: int  # its unseen cards are worth more
    coloured: Counts  # worth by value
    black: Counts


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a seat has seen of the other hands."""

    s: Any
    others: list[int]
    unseen: list[Counts]  # by colour: the cards that the seat does not know
    sizes: list[tuple[int, ...]]  # by colour: unseen cards in each other hand
    ways: Way | Ways | None  # of the black cards; None: too many
    begun: _Raise | None

    @classmethod
    def by(cls, s: Any, seat: int) -> _Seen:
        others = [p for p in range(int(s.players)) if p != seat]
        own = s.hands[seat] - s.memory_known[seat]
        unseen = list(map(tuple, (s.memory_hidden - own).reshape(-1, 3).tolist()))
        sizes = list(zip(*s.memory_unseen[others, : box.BLACK + 1].tolist(), strict=True))
        ways = cls._find_ways(s, seat, sizes[box.BLACK], unseen[box.BLACK])
        return cls(s, others, unseen, sizes, ways, cls._find_raise(s, others))

    @staticmethod
    def _find_ways(s: Any, seat: int, sizes: tuple[int, ...], unseen: Counts) -> Way | Ways | None:
        log = s.memory_log[: int(s.memory_log_n)].tobytes()
        shuffles = log.count(SHUFFLE)
        if not shuffles:
            return Way.without_old(sizes, unseen)
        if s.players == 2:
            held = tuple(s.memory_held[shuffles - 1, 1 - seat].tolist())
            events = events_of(log.rpartition(SHUFFLE)[2])
            return Way.of_two(sizes[0], held, [what for p, what in events if p != seat], unseen)
        return ways_of(Told(int(s.players), seat, log, s.memory_held[:shuffles].tobytes()), sizes, unseen)

    @staticmethod
    def _find_raise(s: Any, others: list[int]) -> _Raise | None:
        begun = s.phase == state.PHASE_BID and (s.last_colour or s.last_black)
        if not begun or int(s.seat) not in others:
            return None
        p, colour = int(s.seat), int(s.table_colour[s.seat])
        black = tuple(v if not s.last_black or v <= s.last_black else 0 for v in box.VALUES)
        coloured = tuple(v if not s.last_black and v <= s.last_colour else 0 for v in box.VALUES)
        known = s.memory_known[p].reshape(-1, 3).tolist()
        reach = int(s.table_total[p]) + worth_of(known[colour], coloured) + worth_of(known[box.BLACK], black)
        return _Raise(others.index(p), colour, int(s.standing) - reach, coloured, black)

    # ------------------------------------------------------------ sure cards

    def sure_hands(self) -> list[list[int]]:
        """Of each other hand all cards that it surely holds, as counts of the kinds.  # FA-M13, FA-M18"""
        hands = [self.s.memory_known[p].tolist() for p in self.others]
        for colour in range(box.BLACK + 1):
            for hand, counts in zip(hands, self._sure_unseen(colour), strict=True):
                for kind, n in enumerate(counts, 3 * colour):
                    hand[kind] += n
        return hands

    def _sure_unseen(self, colour: int) -> Hands:
        ways = self.ways if colour == box.BLACK else Way.without_old(self.sizes[colour], self.unseen[colour])
        return ways.least(self._bound(colour)) if ways else (NONE,) * len(self.others)

    def _bound(self, colour: int) -> Bound | None:
        """What a begun raise says of the bidder's cards of a colour, or of his black ones.  # FA-M20"""
        begun = self.begun
        if begun is None:
            return None
        if colour == box.BLACK:
            other = Way.without_old(self.sizes[begun.colour], self.unseen[begun.colour])
            return Bound(begun.k, begun.black, begun.missing - other.best(begun.k, begun.coloured))
        if colour != begun.colour or self.ways is None:
            return None
        return Bound(begun.k, begun.coloured, begun.missing - self.ways.best(begun.k, begun.black))

    # ------------------------------------------------------------ how many hands

    def possible(self) -> int | None:
        """How many different joint hands of the others agree with all that was seen; None if there are too many."""
        begun = self.begun
        k, worth = (begun.k, begun.black) if begun else (0, NONE)
        black = self.ways.by_worth(k, worth) if self.ways else None
        if black is None:
            return None
        total = 1
        for colour in range(box.COLOURS):
            if begun is None or colour != begun.colour:
                total *= numbers(self.sizes[colour], self.unseen[colour])
        if begun is None:
            return total * sum(black.values())
        coloured = Way.without_old(self.sizes[begun.colour], self.unseen[begun.colour])
        together = 0
        for value, number in coloured.by_worth(k, begun.coloured).items():
            together += number * sum(n for black_worth, n in black.items() if value + black_worth > begun.missing)
        return total * together


__all__ = ["black_known", "falling", "knowledge", "stacks_known"]
