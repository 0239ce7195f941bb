"""A begun action of Palazzo (PZ-M12): what its owner must still be able to pay, followed move text by move text.

`Debts.see` reads the moves; `Debts.open` is the condition on the hand of the player who is in the middle of a purchase
or of a raise, or None.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.games.palazzo.watching.paying import CERTIFICATE, Hand, cards_of, follows, value_of

OPENING = 3  # the 3-certificate of the opener [PZ-44]


class Debt(NamedTuple):
    """The hand of `seat` must be able to add `missing` or more after the component `last`."""

    seat: int
    missing: int
    last: str | None
    lock: str | None
    singles: int

    def can_pay(self, hand: Hand) -> bool:
        return follows(hand, self.last, self.lock, self.singles) >= self.missing

    def useful(self) -> list[str] | None:
        """The kinds that can help to pay; None: all kinds."""
        if self.last is None or self.last[0] == "T":
            return None
        if self.last == CERTIFICATE:
            return [CERTIFICATE]
        return [CERTIFICATE, *(self.last[0] + str(value) for value in range(3, int(self.last[1]) + 1))]


class Debts:
    """Purchase and auction as the move texts tell them."""

    def __init__(self) -> None:
        self.price: int | None = None  # of the purchase that is going on, None outside of a purchase
        self.unit = 0
        self.tiles = 0
        self.standing = 0
        self.totals: dict[int, int] = {}
        self.locks: dict[int, str] = {}
        self.raising: int | None = None  # who has begun a raise and not yet finished it
        self.paid = 0
        self.last: str | None = None
        self.lock: str | None = None
        self.singles = 0
        self.buyer = 0

    def see(self, seat: int, move: str, depot: int) -> None:
        """Follow a move; `depot` is the number of tiles in the depot when it was made."""
        word, _, rest = move.partition(" ")
        if word == "add":
            self._add(seat, rest)
        elif word == "buy":
            self.price = self.unit = max(0, 10 - depot)  # PZ-31
            self.buyer, self.tiles, self.paid = seat, 0, 0
            self._fresh()
            self.lock = None
        elif word == "tile" and self.price is not None:
            self.tiles += 1
            if self.tiles == 2:
                self.price = 2 * self.unit
        elif word == "auction":
            self.standing, self.totals, self.locks = OPENING, {seat: OPENING}, {}  # PZ-44
            self.raising = None
        elif word == "bid":
            self.standing, self.raising = self.totals[seat], None
        elif word == "build":
            self.price = None  # the purchase is paid [PZ-D5]

    def _fresh(self) -> None:
        self.last, self.singles = None, 0

    def _add(self, seat: int, component: str) -> None:
        if self.price is None and self.raising != seat:
            self.raising = seat
            self._fresh()
        self.last = component
        self.singles += component == CERTIFICATE
        single = component if len(cards_of(component)) == 1 and component != CERTIFICATE else None
        if self.price is None:
            self.totals[seat] = self.totals.get(seat, 0) + value_of(component)
            if single:
                self.locks[seat] = single[0]  # PZ-46
        else:
            self.paid += value_of(component)
            if single:
                self.lock = single[0]

    @property
    def open(self) -> Debt | None:
        """What the player in the middle of an action must be able to do [PZ-M12]."""
        if self.price is not None:
            missing = self.price - self.paid
            return Debt(self.buyer, missing, self.last, self.lock, self.singles) if missing > 0 else None
        if self.raising is not None:
            seat = self.raising
            missing = self.standing + 1 - self.totals[seat]
            if missing > 0:
                return Debt(seat, missing, self.last, self.locks.get(seat), self.singles)
        return None
