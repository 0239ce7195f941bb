"""Money cards, payments and the piles of a setup in plain Python, written from RULES.md alone (see oracle.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.games.newyork.oracle_city import TILES

BANKS = ["B", "G", "Y", "R"]  # bank i sells depot slot i
VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9]
COPIES = 3  # of every money card (1.1)
COPIES_2_PLAYERS = 2
SCORING_CARDS = {"SA": "A", "SB": "B"}
SLOTS = [0, 1, 2, 3]  # of the market and of the depot

DEFAULT_MAX_TURNS = 1000
START_MONEY = 20  # each seat draws until it has this much (section 2, step 5)
TAKE_LIMIT = 5  # sum of two or more cards taken together (NY-10)


class MissingShuffleError(ValueError):
    """A move reshuffles the discards and no event was given; `cards` are the cards to be shuffled."""

    def __init__(self, cards: list[str]):
        super().__init__("the move needs a shuffle event")
        self.cards = cards


def value(card: str) -> int:
    return int(card[1])


def sort_cards(cards: Iterable[str]) -> list[str]:
    """By bank (B, G, Y, R), then value, as in move texts."""
    return sorted(cards, key=lambda card: (BANKS.index(card[0]), value(card)))


def money_cards(players: int) -> list[str]:
    copies = COPIES_2_PLAYERS if players == 2 else COPIES
    return [f"{bank}{v}" for bank in BANKS for v in VALUES for _ in range(copies)]


def bank_values(hand: Sequence[str], slot: int) -> list[int]:
    """The values of the cards in hand that can pay for depot slot `slot` (NY-20)."""
    return [value(card) for card in hand if card[0] == BANKS[slot]]


def takes(market: Sequence[str | None]) -> dict[str, int]:
    """Legal takings: move text -> mask; of several masks with the same cards the smallest (NY-10, NY-R20)."""
    found: dict[str, int] = {}
    for mask in range(1, 16):
        cards = [market[slot] for slot in SLOTS if mask & (1 << slot)]
        if None in cards:
            continue
        if len(cards) == 1 or sum(value(card) for card in cards) <= TAKE_LIMIT:
            found.setdefault("take " + " ".join(sort_cards(cards)), mask)
    return found


def pay_values(unpaid: Sequence[int], price: int, paid: Sequence[int]) -> list[int]:
    """Section 6 PAY: the values that may be paid now, from the unpaid values of the bank and the values paid so far."""
    return [
        v
        for v in sorted(set(unpaid))  # (a)
        if (not paid or v <= paid[-1])  # (b)
        and sum(paid) + sum(u for u in unpaid if u <= v) >= price  # (c)
    ]


def payments(unpaid: Sequence[int], price: int, paid: Sequence[int] = ()) -> list[list[int]]:
    """All complete payments, each as it is paid (NY-20, NY-21)."""
    if sum(paid) >= price:
        return [list(paid)]
    complete = []
    for v in pay_values(unpaid, price, paid):
        rest = list(unpaid)
        rest.remove(v)
        complete += payments(rest, price, [*paid, v])
    return complete


def final_places(scores: Sequence[int]) -> list[int]:
    """1 + number of seats with a strictly higher score (8.3)."""
    return [1 + sum(other > score for other in scores) for score in scores]


def pile_sizes(r: int) -> list[int]:
    """Section 2, step 7: r cards in five piles."""
    return [r // 5 + (1 if i <= r % 5 else 0) for i in (1, 2, 3, 4, 5)]


def scoring_places(r: int) -> dict[str, tuple[int, int]]:
    """First and last place that SA and SB can have in the finished deck (section 2, step 7)."""
    s1, s2, s3, s4, _ = pile_sizes(r)
    top_of_4 = s1 + s2 + 1 + s3
    return {"SA": (s1, s1 + s2), "SB": (top_of_4, top_of_4 + s4)}


def deal_hands(players: int, deck: list[str]) -> list[list[str]]:
    """Section 2, step 5; the cards leave the deck."""
    hands = []
    for _ in range(players):
        hand: list[str] = []
        while sum(map(value, hand)) < START_MONEY:
            hand.append(deck.pop(0))
        hands.append(hand)
    return hands


def starting_seat(hands: Sequence[Sequence[str]]) -> int:
    """Section 2, step 8."""
    return min(range(len(hands)), key=lambda seat: (len(hands[seat]), sum(map(value, hands[seat])), seat))


def check_setup(players: int, setup: dict) -> None:
    """Is `setup` a possible result of section 2 (composition, and the piles of SA and SB)?"""
    if set(setup) != {"money", "bag"} or sorted(setup["bag"]) != TILES:
        raise ValueError("setup: needs `money` and `bag`, the bag with tiles 1 .. 54")
    if sorted(setup["money"]) != sorted([*money_cards(players), *SCORING_CARDS]):
        raise ValueError("setup: wrong money cards")
    deck = [card for card in setup["money"] if card not in SCORING_CARDS]
    deal_hands(players, deck)
    dealt = len(money_cards(players)) - len(deck) + len(SLOTS)
    for card, (first, last) in scoring_places(len(deck) - len(SLOTS)).items():
        if not dealt + first <= setup["money"].index(card) <= dealt + last:
            raise ValueError(f"setup: {card} is not in its pile")


def options_of(options: dict) -> tuple[int, bool]:
    """The options max_turns and overpay (section 5)."""
    if set(options) - {"max_turns", "overpay"}:
        raise ValueError(f"unknown option in {options}")
    max_turns = options.get("max_turns", DEFAULT_MAX_TURNS)
    if type(max_turns) is not int or max_turns < 1:
        raise ValueError(f"max_turns: {max_turns!r}")
    overpay = options.get("overpay", True)
    if type(overpay) is not bool:
        raise ValueError(f"overpay: {overpay!r}")
    return max_turns, overpay
