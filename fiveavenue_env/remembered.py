"""The memory of a state as data, and what is wrong with one. [RULES.md FA-M21, section 10, "What is remembered"]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import state

DRAW = 0
SHUFFLE = bytes([state.SHUFFLED])
Event = tuple[int, int]  # seat; DRAW, or the value that it showed


@dataclass(frozen=True, slots=True)
class Span:
    """The black events from one shuffle (the first one: from the deal) to the next."""

    held: tuple[tuple[int, ...], ...] | None  # unseen black cards by seat and value at the shuffle; None: the deal
    events: tuple[Event, ...]

    def of_seat(self, p: int) -> list[int]:
        """The events of one seat."""
        return [what for seat, what in self.events if seat == p]


def spans_of(s: Any) -> list[Span]:
    """The black events that are kept, shuffle by shuffle; `s` is a row or its fields."""
    parts = s.memory_log[: int(s.memory_log_n)].tobytes().split(SHUFFLE)
    held = [tuple(map(tuple, hands)) for hands in s.memory_held[: len(parts) - 1, : int(s.players)].tolist()]
    return [Span(hands, events_of(part)) for hands, part in zip([None, *held], parts, strict=True)]


def events_of(log: bytes) -> tuple[Event, ...]:
    """The events between two shuffles."""
    return tuple((event >> 2, (event & 3) + 3 if event & 3 else DRAW) for event in log)


def unseen_black(s: Any, p: int) -> tuple[int, int, int]:
    """The black cards of a hand that are not sure, by value."""
    four, five, six = (s.hands[p] - s.memory_known[p])[box.FIRST_BLACK :].tolist()
    return four, five, six


def contradiction(s: Any) -> str | None:
    """What in the black events contradicts the hands: no order of the black cards leads from the one to the other."""
    spans, players = spans_of(s), range(int(s.players))
    for number, span in enumerate(spans):
        after = spans[number + 1].held if number + 1 < len(spans) else None
        cards = 0 if after else int(s.memory_unknown)
        for p in players:
            end = after[p] if after else unseen_black(s, p)
            events = span.of_seat(p)
            draws = events.count(DRAW)
            start = sum(span.held[p]) if span.held else sum(end) + len(events) - 2 * draws
            fault = _fault(span.held[p] if span.held else None, start, events, end)
            if fault:
                return f"events {number}: seat {p} {fault}"
            cards += start + draws
        if cards > box.BLACK_STACK:
            return f"events {number}: they need {cards} black cards, and there are {box.BLACK_STACK}"
    return None


def _fault(held: tuple[int, ...] | None, start: int, events: list[int], end: tuple[int, ...]) -> str | None:
    """What is wrong with the events of one hand between two shuffles."""
    if start < 0 or start + 2 * events.count(DRAW) - len(events) != sum(end):
        return f"comes to {start + 2 * events.count(DRAW) - len(events)} unseen black cards, and has {sum(end)}"
    shown, draws = [0, 0, 0], 0
    for what in events:
        if what == DRAW:
            draws += 1
            continue
        shown[what - 4] += 1
        newer = sum(shown) - start if held is None else sum(max(0, n - h) for n, h in zip(shown, held, strict=True))
        if newer > draws:
            return f"shows a black {what} that it cannot have"
    if held and min(e + n - h for e, n, h in zip(end, shown, held, strict=True)) < 0:
        return "lacks an old black card that it has not shown"
    return None


def memory_of(s: Any) -> dict[str, Any]:
    """The field `memory` of a position."""
    from fiveavenue_env.position import hand_of

    players = range(int(s.players))
    blacks: list[dict[str, Any]] = []
    for span in spans_of(s):
        events = [[p, what or "draw"] for p, what in span.events]
        held = {"held": [falling(counts) for counts in span.held]} if span.held else {}
        blacks.append({**held, "events": events})
    return {
        "known": [hand_of(s.memory_known[p].tolist()) for p in players],
        "first": {name: int(s.memory_first[c]) for c, name in enumerate(box.COLOUR_NAMES[: box.COLOURS])},
        "unknown": int(s.memory_unknown),
        "blacks": blacks,
    }


def falling(counts: Any) -> list[int]:
    """Card values from how many are 4, 5, 6: falling."""
    return [value for value in (6, 5, 4) for _ in range(int(counts[value - 4]))]
