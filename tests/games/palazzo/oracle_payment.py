"""Money of Palazzo for the oracle: cards, groups, payments, raises (PZ-20 to PZ-23, PZ-46, PZ-47, section 6).

A component is what one `add` puts down: a group `T7`..`T2` of three cards, or a single card.
Component order (PZ-R11):  T7 T6 T5 T4 T3 T2 | value 7 6 5 4 3 of one currency | certificates `2`.
"""

from collections import Counter
from dataclasses import dataclass, field

CERTIFICATE = "2"
CURRENCIES = ("A", "B", "C")
VALUES = (3, 4, 5, 6, 7)
GROUP_WORTH = 15
MAX_SINGLE_CERTIFICATES = 2  # PZ-R12

CARDS = (CERTIFICATE, *(f"{currency}{value}" for currency in CURRENCIES for value in VALUES))  # 1.2, card order
CARD_COUNTS = Counter({card: 10 if card == CERTIFICATE else 3 for card in CARDS})

CERTIFICATE_GROUP = "T2"
VALUE_GROUPS = {value: f"T{value}" for value in VALUES}
COMPONENTS = (*CARDS, CERTIFICATE_GROUP, *VALUE_GROUPS.values())  # section 9: `add` 0-21

GROUP_CARDS = {group: Counter(f"{currency}{value}" for currency in CURRENCIES) for value, group in VALUE_GROUPS.items()}
GROUP_CARDS[CERTIFICATE_GROUP] = Counter({CERTIFICATE: 3})
COMPONENT_CARDS = {card: Counter({card: 1}) for card in CARDS} | GROUP_CARDS

COMPONENT_ORDER = ("T7", "T6", "T5", "T4", "T3", "T2", 7, 6, 5, 4, 3, CERTIFICATE)  # PZ-R11


@dataclass
class Stake:
    """What one player has on the table in a payment or in the whole auction."""

    total: int = 0  # 3-certificate included (PZ-44)
    lock: str | None = None  # his one currency, once a single currency card is down (PZ-46, PZ-R16)
    table: Counter = field(default_factory=Counter)


@dataclass
class Raise:
    """The payment or raise being put together; begun anew for every payment and every raise."""

    last: str | None = None  # component added before in this raise
    singles: int = 0  # single certificates in it, `j` of section 6


def is_group(component: str) -> bool:
    return component in GROUP_CARDS


def is_currency_card(component: str) -> bool:
    return component[0] in CURRENCIES


def value_of(component: str) -> int:
    """PZ-21 and PZ-22."""
    return GROUP_WORTH if is_group(component) else int(component[-1])


def rank(component: str) -> int:
    """Place in component order; cards of the same value share one."""
    return COMPONENT_ORDER.index(int(component[1]) if is_currency_card(component) else component)


def has_cards(hand: Counter, component: str) -> bool:
    return all(hand[card] >= number for card, number in COMPONENT_CARDS[component].items())


def largest_payment(hand: Counter, group_values: list[int], currencies: list[str]) -> int:
    """The first `left` formula: all groups of these values and of certificates, and the best of these currencies."""
    groups = {v: min(hand[f"{x}{v}"] for x in CURRENCIES) if v in group_values else 0 for v in VALUES}
    certificate_groups = hand[CERTIFICATE] // 3
    singles = max(sum(v * (hand[f"{x}{v}"] - groups[v]) for v in VALUES) for x in currencies)
    return GROUP_WORTH * (certificate_groups + sum(groups.values())) + 2 * (hand[CERTIFICATE] % 3) + singles


def maxpay(hand: Counter) -> int:
    """Largest single payment a hand can make; also the tie-break value (PZ-82)."""
    return largest_payment(hand, list(VALUES), list(CURRENCIES))


def after_adding(component: str, hand: Counter, lock: str | None, singles: int) -> tuple[Counter, str | None, int]:
    """Hand, lock and single certificates once `component` lies on the table."""
    rest = hand.copy()
    rest.subtract(COMPONENT_CARDS[component])
    if is_currency_card(component):
        return rest, component[0], singles
    return rest, lock, singles + 1 if component == CERTIFICATE else singles


def left(component: str, hand: Counter, lock: str | None, singles: int) -> int:
    """The largest amount that can still follow `component`; the other arguments are as they are after it."""
    if is_group(component):
        group_values = [v for v in VALUES if rank(VALUE_GROUPS[v]) >= rank(component)]
        return largest_payment(hand, group_values, [lock] if lock else list(CURRENCIES))
    if component == CERTIFICATE:
        return 2 * min(MAX_SINGLE_CERTIFICATES - singles, hand[CERTIFICATE])
    same_or_lower = sum(w * hand[f"{lock}{w}"] for w in VALUES if w <= value_of(component))
    return same_or_lower + 2 * min(MAX_SINGLE_CERTIFICATES, hand[CERTIFICATE])


def may_add(component: str, hand: Counter, stake: Stake, begun: Raise, goal: int) -> bool:
    """The five points of the test for `add c`, in their order (section 6)."""
    if not has_cards(hand, component):
        return False
    if begun.last is not None and rank(component) < rank(begun.last):
        return False
    if is_currency_card(component) and stake.lock not in (None, component[0]):
        return False
    if component == CERTIFICATE and begun.singles >= MAX_SINGLE_CERTIFICATES:
        return False
    following = left(component, *after_adding(component, hand, stake.lock, begun.singles))
    return stake.total + value_of(component) + following >= goal  # PZ-R15


def put_down(component: str, hand: Counter, stake: Stake, begun: Raise) -> None:
    """The cards leave the hand and lie on the table."""
    _, stake.lock, begun.singles = after_adding(component, hand, stake.lock, begun.singles)
    begun.last = component
    stake.total += value_of(component)
    stake.table.update(COMPONENT_CARDS[component])
    hand.subtract(COMPONENT_CARDS[component])
