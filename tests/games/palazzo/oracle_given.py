"""What comes from outside of the oracle of Palazzo: setup, options, shuffles."""

from collections import Counter
from collections.abc import Sequence

from . import oracle_palace as building
from .oracle_palace import KNIGHT, KNIGHTS
from .oracle_payment import CARD_COUNTS


def order_of_shuffle(cards: list[str], events: Sequence[dict]) -> list[str]:
    """The new deck, if the move shuffles `cards`; any other number or kind of events is refused."""
    if len(events) != (1 if cards else 0):
        raise ValueError(f"{len(events)} events where {'one shuffle' if cards else 'none'} is due")
    if not cards:
        return []
    [event] = events
    if set(event) != {"deck", "order"} or event["deck"] != "money" or Counter(event["order"]) != Counter(cards):
        raise ValueError(f"not a shuffle of the discards {cards}: {event}")
    return list(event["order"])


def refuse_bad_start(players: int, options: dict, setup: dict) -> None:
    if players not in (2, 3, 4):
        raise ValueError(f"Palazzo is for 2 to 4 players, not {players}")
    if set(options) - {"quiet_limit", "knight_first"}:
        raise ValueError(f"unknown options: {options}")
    if options.get("quiet_limit", 0) < 0:
        raise ValueError(f"quiet_limit below 0: {options}")
    if options.get("knight_first", "quarry") not in ("quarry", "depot"):
        raise ValueError(f"knight_first is quarry or depot: {options}")
    piles = (building.PILE_I, building.PILE_II, building.PILE_III + [KNIGHT] * KNIGHTS)
    first, second = len(piles[0]), len(piles[0]) + len(piles[1])
    stack = setup["stack"]
    for cut, pile in zip((stack[:first], stack[first:second], stack[second:]), piles, strict=True):
        if sorted(cut) != sorted(pile):  # PZ-S2
            raise ValueError(f"not a shuffled pile: {cut}")
    if Counter(setup["money"]) != CARD_COUNTS:
        raise ValueError(f"not the 55 cards: {setup['money']}")
