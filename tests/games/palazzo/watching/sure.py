"""What the hands of Palazzo surely hold: by PZ-M05, by counting (PZ-M11) and by a begun action (PZ-M12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.games.palazzo.watching.counts import Contradiction, Counts, fillings, put
from tests.games.palazzo.watching.debt import Debt

BLANK = ""  # stands for every kind that cannot help to pay


@dataclass
class Guess:
    """The unseen cards of one viewer and the places where they can lie."""

    viewer: int
    known: Sequence[Counts]  # the sure cards of PZ-M05, by seat
    starting: Sequence[int]  # the starting cards unseen, by seat
    unseen: Counts
    deck: int  # unseen cards in the deck

    def outside(self, *seats: int) -> int:
        """The places for unseen cards that are not in these hands."""
        return self.deck + sum(n for seat, n in enumerate(self.starting) if seat not in (self.viewer, *seats))

    def sure(self, debt: Debt | None) -> list[Counts]:
        """The cards that each hand surely holds; of the viewer's own those of PZ-M05 only."""
        sure = [dict(known) for known in self.known]
        if debt is not None and debt.seat != self.viewer and not debt.can_pay(self.known[debt.seat]):
            for seat, least in self._least(debt).items():
                for kind, number in least.items():
                    put(sure[seat], kind, number)
            return sure
        for seat, size in enumerate(self.starting):
            if seat == self.viewer or not size:
                continue
            outside = self.outside(seat)
            for kind, number in self.unseen.items():
                put(sure[seat], kind, max(0, number - outside))  # PZ-M11
        return sure

    def _least(self, debt: Debt) -> dict[int, Counts]:
        """What is sure by counting while a player must be able to finish an action [PZ-M11, PZ-M12].

        Of a kind that not wholly fits elsewhere, a third hand surely holds what is left over in every deal.
        """
        others = [seat for seat, size in enumerate(self.starting) if size and seat not in (debt.seat, self.viewer)]
        spare = {seat: self.outside(debt.seat, seat) for seat in others}
        joint = any(number > room for room in spare.values() for number in self.unseen.values())
        pool = dict(self.unseen) if joint else self._useful(debt)
        least, most = self._range(debt, pool, stop_early=not joint)
        found = {debt.seat: {kind: number for kind, number in least.items() if kind != BLANK}}
        for kind, number in self.unseen.items() if BLANK in pool else ():
            if kind not in pool:
                put(found[debt.seat], kind, max(0, least[BLANK] - (pool[BLANK] - number)))
        for seat in others:
            found[seat] = {}
            for kind, number in self.unseen.items() if joint else ():
                put(found[seat], kind, max(0, number - most[kind] - spare[seat]))
        return found

    def _useful(self, debt: Debt) -> Counts:
        """The unseen cards with all kinds that cannot help to pay as one."""
        useful = debt.useful()
        if useful is None:
            return dict(self.unseen)
        pool = {kind: self.unseen[kind] for kind in useful if kind in self.unseen}
        put(pool, BLANK, sum(self.unseen.values()) - sum(pool.values()))
        return pool

    def _range(self, debt: Debt, pool: Counts, *, stop_early: bool) -> tuple[Counts, Counts]:
        """The least and the largest number of each kind in the hands that can pay.

        With `stop_early` it is over as soon as nothing is sure beyond PZ-M11: then only the least numbers are right.
        """
        size, outside, hand = self.starting[debt.seat], self.outside(debt.seat), self.known[debt.seat]
        bound = {kind: max(0, number - outside) for kind, number in pool.items()}
        least, most = dict.fromkeys(pool, size), dict.fromkeys(pool, 0)
        some = False
        for source in (_rich(pool, size), fillings(pool, size)):
            for filling in source:
                whole = dict(hand)
                for kind, number in filling.items():
                    put(whole, kind, number)
                if not debt.can_pay(whole):
                    continue
                some = True
                for kind in pool:
                    number = filling.get(kind, 0)
                    least[kind] = min(least[kind], number)
                    most[kind] = max(most[kind], number)
                if stop_early and least == bound:
                    return least, most
        if not some:
            raise Contradiction(f"no hand of seat {debt.seat} can finish the action: {debt}, sure {hand}")
        return least, most


def _rich(pool: Counts, size: int) -> Iterator[Counts]:
    """A rich hand of each currency, and of certificates: mostly two of them settle that nothing is sure."""
    for currency in "ABC2":
        chosen: Counts = {}
        left = size
        for kind in sorted(pool, key=lambda kind: (kind[:1] != currency, -int(kind[-1:] or 0))):
            number = min(pool[kind], left)
            put(chosen, kind, number)
            left -= number
        yield chosen
