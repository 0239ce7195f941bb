"""What was seen of the cards and tiles that a move moved. [RULES.md section 7.2]

Everything in New York moves openly (NY-M03), so all seats see the same; hidden is the order of deck and bag, which a
list with "shuffled" leaves open. The places:

    box          where cards and tiles come from in the setup, and where scoring cards go that are out
    deck, bag    shuffled; of SA and SB in a deck, "places" says the first and the last place, 0 being the top card
    discards, market I, depot I (slot I), dirk (his heap)
    hand S, bought S, city S, reserve S (of seat S)
    marker       the seat that begins, or has to decide in a position

Cards are texts, tiles numbers, as in section 10. The cell of a tile in a city is in the text of the move.
"""

from __future__ import annotations

from typing import Any

from newyork_env import components as box
from newyork_env import state
from newyork_env.actions import DECK_TEXTS, FIRST_BUY, FIRST_CELL, FIRST_OVERPAY, FIRST_PAY, RESERVE, TO_DIRK, card_text
from newyork_env.knowledge import sorted_cards
from newyork_env.position import scoring_places, tiles_at
from skyline.game import NO_SEAT

Movement = dict[str, Any]


def seen(before: Any | None, action: int, after: Any, seat: int | None) -> list[Movement]:
    """The movements of a move in their order; without `before`, what lies where. With seat None no order is hidden."""
    if before is None:
        return _lying(after, seat)
    movements = _moved(before, action, after)
    if after.turns != before.turns:
        movements += _refilled(before, action, after, seat)
    return movements


def _move(source: str, target: str, cards: list[Any], **more: Any) -> Movement:
    return {"from": source, "to": target, "cards": cards, **more}


# ---------------------------------------------------------------- a setup, or a position


def _lying(s: Any, seat: int | None) -> list[Movement]:
    """Everything that lies somewhere.  # NY-M04, NY-M08, NY-M12"""
    movements = [*_lying_tiles(s, seat), *_lying_money(s, seat)]
    if s.seat != NO_SEAT:
        movements.append(_move("box", "marker", [str(int(s.seat))]))
    return [movement for movement in movements if movement["cards"]]


def _lying_tiles(s: Any, seat: int | None) -> list[Movement]:
    """Bag, depot, Dirk's heap, the seats' tiles."""
    bag = [int(tile) for tile in s.bag[s.bag_top :]]
    movements = [_move("box", "bag", bag) if seat is None else _move("box", "bag", sorted(bag), shuffled=True)]
    movements += [_move("box", f"depot {i}", [int(tile)]) for i, tile in enumerate(s.depot) if tile != box.NO_TILE]
    movements.append(_move("box", "dirk", tiles_at(s, state.AT_DIRK)))
    for name, place in (("city", state.IN_CITY), ("reserve", state.IN_RESERVE), ("bought", state.TO_PLACE)):
        movements += [_move("box", f"{name} {p}", tiles_at(s, place + p)) for p in range(s.players)]
    return movements


def _lying_money(s: Any, seat: int | None) -> list[Movement]:
    """Hands, market, discards, deck."""
    movements = [_move("box", f"hand {p}", sorted_cards(s.hands[p])) for p in range(s.players)]
    movements += [
        _move("box", f"market {i}", [card_text(card)]) for i, card in enumerate(s.market) if card != box.NO_CARD
    ]
    movements.append(_move("box", "discards", sorted_cards(s.discards)))
    if seat is None:
        return [*movements, _move("box", "deck", [DECK_TEXTS[card] for card in s.deck[s.deck_top : s.deck_size]])]
    places = scoring_places(s)
    movements.append(_move("box", "deck", sorted_cards(s.memory_deck), shuffled=True))
    return movements + [_move("box", "deck", [name], places=places[name]) for name in places]


# ---------------------------------------------------------------- a move


def _moved(before: Any, action: int, after: Any) -> list[Movement]:
    """What the action itself moves, by the phase in which it was played.  # NY-M05, NY-M06"""
    seat, phase = int(before.seat), int(before.phase)
    if phase == state.PHASE_MAIN:
        return _of_main(before, action, seat)
    if phase == state.PHASE_PAY:
        return _of_payment(before, action, after, seat)
    if phase == state.PHASE_BUILD:
        replaced = tiles_at(after, state.IN_RESERVE + seat)
        replaced = [tile for tile in replaced if before.place[tile] == state.IN_CITY + seat]
        lifted = [_move(f"city {seat}", f"reserve {seat}", replaced)] * bool(replaced)
        return [*lifted, _move(f"reserve {seat}", f"city {seat}", [int(before.chosen)])]
    if phase == state.PHASE_PUT:
        target = {RESERVE: f"reserve {seat}", TO_DIRK: "dirk"}.get(action, f"city {seat}")
        return [_move(f"bought {seat}", target, [int(before.chosen)])]
    return []


def _of_main(before: Any, action: int, seat: int) -> list[Movement]:
    """Cards taken, a further card paid, a tile removed; other main actions move nothing yet.  # NY-10, NY-23, NY-31"""
    if action < FIRST_BUY:
        slots = [i for i in range(box.SLOTS) if action + 1 >> i & 1]
        return [_move(f"market {i}", f"hand {seat}", [card_text(before.market[i])]) for i in slots]
    if action >= FIRST_OVERPAY:
        card = box.VALUES * int(before.paid_slot) + action - FIRST_OVERPAY
        return [_move(f"hand {seat}", "discards", [card_text(card)])]
    if FIRST_CELL <= action < RESERVE:
        row, column = divmod(action - FIRST_CELL, box.CELLS_ACROSS)
        x, y = column - box.BOUND, row - box.BOUND
        (tile,) = (t for t in tiles_at(before, state.IN_CITY + seat) if before.x[t] == x and before.y[t] == y)
        return [_move(f"city {seat}", f"reserve {seat}", [tile])]
    return []


def _of_payment(before: Any, action: int, after: Any, seat: int) -> list[Movement]:
    """A card laid; the tile of a completed purchase.  # NY-22"""
    slot = int(before.slot)
    card = box.VALUES * slot + action - FIRST_PAY
    movements = [_move(f"hand {seat}", "discards", [card_text(card)])]
    if after.slot != slot:
        movements.append(_move(f"depot {slot}", f"bought {seat}", [int(before.depot[slot])]))
    return movements


# ---------------------------------------------------------------- the end of a turn


def _refilled(before: Any, action: int, after: Any, seat: int | None) -> list[Movement]:
    """Cards to the market, Dirk's tiles after a scoring card, tiles to the depot, leftover tiles to their seats."""
    taken = action + 1 if before.phase == state.PHASE_MAIN and action < FIRST_BUY else 0
    market = [i for i in range(box.SLOTS) if before.market[i] == box.NO_CARD or taken >> i & 1]
    tiles = [int(tile) for tile in before.bag[before.bag_top : after.bag_top]]
    dirks = [tile for tile in tiles if after.place[tile] == state.AT_DIRK]
    movements: list[Movement] = []
    for drawn in _drawn(before, after, seat):
        if isinstance(drawn, dict):
            movements.append(drawn)
        elif drawn < box.SCORING_A:
            movements.append(_move("deck", f"market {market.pop(0)}", [DECK_TEXTS[drawn]]))  # NY-M07
        else:
            number = box.DIRK_AFTER_A if drawn == box.SCORING_A else len(dirks)
            movements += [_move("deck", "box", [DECK_TEXTS[drawn]])]  # NY-M09
            movements += [_move("bag", "dirk", dirks[:number])] * bool(dirks)  # NY-M12
            dirks = dirks[number:]
    return movements + _depot_tiles(before, after, [tile for tile in tiles if after.place[tile] != state.AT_DIRK])


def _drawn(before: Any, after: Any, seat: int | None) -> list[Any]:
    """The cards drawn, and the reshuffle as a movement between them.  # NY-M11"""
    if after.reshuffles == before.reshuffles:
        return [int(card) for card in before.deck[before.deck_top : after.deck_top]]
    order, last = (
        [DECK_TEXTS[card] for card in after.deck[: after.deck_size]],
        before.deck[before.deck_top : before.deck_size],
    )
    shuffled = _move("discards", "deck", order)
    if seat is not None:
        shuffled = _move("discards", "deck", sorted(order), shuffled=True)
    return [*(int(card) for card in last), shuffled, *(int(card) for card in after.deck[: after.deck_top])]


def _depot_tiles(before: Any, after: Any, drawn: list[int]) -> list[Movement]:
    """The tiles drawn for the depot; at the end of the game the tiles that seats receive.  # NY-M12, NY-91"""
    slots = [i for i in range(box.SLOTS) if before.depot[i] == box.NO_TILE]
    movements = [_move("bag", f"depot {i}", [tile]) for i, tile in zip(slots, drawn, strict=False)]
    depot = {i: int(tile) for i, tile in enumerate(before.depot)} | dict(zip(slots, drawn, strict=False))
    if after.ending:
        for i, tile in depot.items():
            if after.place[tile] >= state.TO_PLACE:
                movements.append(_move(f"depot {i}", f"bought {int(after.place[tile]) - state.TO_PLACE}", [tile]))
    return movements
