"""Things counted by kind, {"A4": 2}: what the watcher of Palazzo keeps its books with. No kind has the number 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

Counts = dict[str, int]


class Contradiction(AssertionError):
    """An entry that no deal of the game agrees with."""


def put(counts: Counts, kind: str, number: int = 1) -> None:
    if number:
        counts[kind] = counts.get(kind, 0) + number


def drop(counts: Counts, kind: str, where: str = "a place") -> None:
    number = counts.get(kind, 0)
    if number < 1:
        raise Contradiction(f"{kind} leaves {where}, which does not hold it: {counts}")
    if number == 1:
        del counts[kind]
    else:
        counts[kind] = number - 1


def listed(counts: Mapping[str, int]) -> list[str]:
    return [kind for kind in sorted(counts) for _ in range(counts[kind])]


def counted(kinds: Iterable[str]) -> Counts:
    counts: Counts = {}
    for kind in kinds:
        put(counts, kind)
    return counts


def fillings(unseen: Mapping[str, int], size: int) -> Iterator[Counts]:
    """Every choice of `size` of the unseen cards, by kind."""
    kinds = list(unseen)
    room = [0] * (len(kinds) + 1)  # cards of the kinds from here on
    for at in range(len(kinds) - 1, -1, -1):
        room[at] = room[at + 1] + unseen[kinds[at]]
    chosen: Counts = {}

    def choose(at: int, left: int) -> Iterator[Counts]:
        if left == 0:
            yield chosen
            return
        if room[at] < left:
            return
        kind = kinds[at]
        for number in range(min(unseen[kind], left), 0, -1):
            chosen[kind] = number
            yield from choose(at + 1, left - number)
            del chosen[kind]
        yield from choose(at + 1, left)

    return choose(0, size)
