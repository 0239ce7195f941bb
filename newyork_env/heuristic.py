# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player: the main action that is worth most, paid as exactly as possible, tiles where the street grows.

A tile is worth what one and two more of its type bring at the coming scorings, and the change of the own street in its
best cell at each of them. A purchase costs the money that is paid, and an exact one has a bonus. Money counts by its
value: less where the bank has enough, more if it makes a tile of the depot payable exactly. The heuristic reads the own
hand and what lies open, nothing else.
"""

from __future__ import annotations

from newyork_env.actions import FIRST_BUY, FIRST_CELL, FIRST_OVERPAY, FIRST_PAY, FIRST_TILE, PASS, RESERVE, TO_DIRK
from newyork_env.city import action_cell
from newyork_env.components import CARD_BANK, CARD_VALUE, DIRK, NO_CARD, NO_TILE, PRICE, SHARE, SLOTS, TYPE, VALUES
from newyork_env.money import REACH_BITS
from newyork_env.scoring import next_scoring, participants, rank_among, without
from newyork_env.state import PHASE_BUILD, PHASE_MAIN, PHASE_PAY, PHASE_PLACE, PHASE_PUT, seats
from newyork_env.valuation import best_cell_worth, cell_worth, next_worth, tile_worth
from skyline.core.choice import best_legal
from skyline.core.jit import njit
from skyline.core.masks import lowest

MONEY = 0.35  # worth of a unit of money
CARD = 0.4  # worth of any card
ENOUGH = 14  # more money than this of one bank is worth half
EXACT = 2.7  # worth of another main action
MADE_EXACT = 1.0  # worth of a card with which a tile of the depot can be paid exactly
REMOVAL = -3.0  # worth of removing a tile
ALL_SLOTS = (1 << SLOTS) - 1
EVERY_BANK = 0x1111  # repeats four bits for each bank
LUCK = 0.01  # ties are broken by a random fraction of this value


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    if s.phase == PHASE_PAY:
        return FIRST_PAY + _best_card(s, mask) - 1
    slots = _slots_of_banks(s) if s.phase == PHASE_MAIN else 0
    more = next_worth(s, int(s.seat), TYPE[s.chosen]) if s.phase in (PHASE_BUILD, PHASE_PUT) else 0.0
    return best_legal(_worth, s, (slots, more), mask, stream, LUCK)


@njit
def _worth(s, action, known):
    """What an action is worth. `known`: `_slots_of_banks` in MAIN, `next_worth` of the tile in BUILD and PUT."""
    seat = int(s.seat)
    if s.phase == PHASE_MAIN:
        if action < FIRST_BUY:
            return _take_worth(s, seat, action + 1, known[0])
        if action < FIRST_PAY:
            return _buy_worth(s, seat, action - FIRST_BUY)
        if action < FIRST_CELL:
            return best_cell_worth(s, seat, action - FIRST_TILE + 1, True)
        if action >= FIRST_OVERPAY:
            return -MONEY * (action - FIRST_OVERPAY + 1) - CARD
        return 0.0 if action == PASS else REMOVAL
    if s.phase == PHASE_PLACE:
        return best_cell_worth(s, seat, action - FIRST_TILE + 1, False)
    if action < RESERVE:
        tile = int(s.chosen)
        return cell_worth(s, seat, tile, action_cell(action), known[1])
    return _dirk_worth(s, seat) if action == TO_DIRK else 0.0


# ---------------------------------------------------------------- tiles


@njit
def _dirk_worth(s, seat):
    """What the other seat would lose at the next scoring by one more tile of Dirk, less what this seat would lose."""
    kind = TYPE[s.chosen]
    value, share, having = 0.0, SHARE[next_scoring(s), kind], participants(s, kind, int(s.types[DIRK, kind]) + 1)
    for other in seats(s):
        count = int(s.types[other, kind])
        lost = s.majority[other, kind] - share[rank_among(without(having, count), count)]
        value += -lost if other == seat else lost
    return value


# ---------------------------------------------------------------- money


@njit
def _take_worth(s, seat, slots, slots_of_banks):
    """What cards of the market are worth: their value, half of it above ENOUGH, more if they make a tile exact."""
    value, left = 0.0, slots_of_banks & EVERY_BANK * slots
    while left:
        bank = lowest(left) // SLOTS
        chosen = left & ALL_SLOTS << SLOTS * bank
        left &= ~chosen
        total, reach = 0, int(s.reach[seat, bank])
        while chosen:
            card = int(CARD_VALUE[s.market[lowest(chosen) % SLOTS]])
            chosen &= chosen - 1
            total += card
            reach |= reach << card & REACH_BITS
            value += CARD
        full = min(max(int(s.money[seat, bank]) + total - ENOUGH, 0), total)
        value += MONEY * (total - 0.5 * full)
        tile = s.depot[bank]
        if tile != NO_TILE and (reach & ~int(s.reach[seat, bank])) >> PRICE[tile] & 1:
            value += MADE_EXACT
    return value


@njit
def _slots_of_banks(s):
    """The market slots with cards of each bank, four bits a bank."""
    slots = 0
    for i in range(SLOTS):
        if s.market[i] != NO_CARD:
            slots |= 1 << SLOTS * CARD_BANK[s.market[i]] + i
    return slots


@njit
def _buy_worth(s, seat, slot):
    """The tile's worth less what is paid for it."""
    tile = int(s.depot[slot])
    over = lowest(int(s.reach[seat, slot]) >> PRICE[tile])
    return tile_worth(s, seat, tile) - MONEY * (PRICE[tile] + over) + (EXACT if over == 0 else 0.0)


@njit
def _best_card(s, mask):
    """The highest card with which the least can be overpaid in the end."""
    slot, missing = int(s.slot), PRICE[s.depot[s.slot]] - int(s.laid_sum)
    best, least = -1, 1 << 30
    lower = 1  # sums of the cards below the value
    for value in range(1, VALUES + 1):
        copies = int(s.hands[s.seat, VALUES * slot + value - 1])
        rest = lower
        for n in range(copies):
            lower |= lower << value & REACH_BITS
            if n < copies - 1:
                rest |= rest << value & REACH_BITS
        if mask[FIRST_PAY + value - 1]:
            over = value - missing if value >= missing else lowest(rest >> (missing - value))
            if over <= least:
                best, least = value, over
    return best
