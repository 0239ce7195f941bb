"""What cards can pay in Palazzo: section 6 of the rules, for the programs that check the core from outside.

Hands are kind -> number ({"A4": 2, "2": 1}); components are the texts of the rules ("T4", "B7", "2").
"""

from __future__ import annotations

from collections.abc import Mapping

CURRENCIES = "ABC"
VALUES = (3, 4, 5, 6, 7)
CERTIFICATE = "2"
KINDS = [CERTIFICATE, *(currency + str(value) for currency in CURRENCIES for value in VALUES)]
COPIES = {kind: 10 if kind == CERTIFICATE else 3 for kind in KINDS}
GROUP = 15

Hand = Mapping[str, int]


def cards_of(component: str) -> list[str]:
    """The cards of a component [PZ-22]."""
    if component == "T2":
        return [CERTIFICATE] * 3
    if component[0] == "T":
        return [currency + component[1] for currency in CURRENCIES]
    return [component]


def value_of(component: str) -> int:
    """What a component counts [PZ-21, PZ-22]."""
    return GROUP if component[0] == "T" else int(component[-1])


def follows(hand: Hand, last: str | None, lock: str | None, singles: int) -> int:
    """`left` of section 6: the most that can still follow after the component `last` (None: nothing laid yet).

    `lock` is the currency of single cards, if one was laid, `singles` the number of single certificates of this
    payment or raise.
    """
    if last == CERTIFICATE:
        return 2 * min(2 - singles, hand.get(CERTIFICATE, 0))
    if last is not None and last[0] != "T":
        cards = sum(value * hand.get(last[0] + str(value), 0) for value in VALUES if value <= int(last[1]))
        return cards + 2 * min(2, hand.get(CERTIFICATE, 0))
    top = 7 if last is None else int(last[1])
    groups = {
        value: min(hand.get(f"{currency}{value}", 0) for currency in CURRENCIES) for value in VALUES if value <= top
    }
    threes, rest = divmod(hand.get(CERTIFICATE, 0), 3)
    best = max(
        sum(value * (hand.get(f"{currency}{value}", 0) - groups.get(value, 0)) for value in VALUES)
        for currency in (lock or CURRENCIES)
    )
    return GROUP * (sum(groups.values()) + threes) + 2 * rest + best


def largest_payment(hand: Hand) -> int:
    """maxpay(h) of section 6."""
    return follows(hand, None, None, 0)
