# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Drawing tiles, buying from the depot: decisions CHOICE, BUY, PAY. [RULES.md PZ-10 .. PZ-13, PZ-30 .. PZ-33]"""

from __future__ import annotations

from palazzo_env.actions import ADD, AUCTION, BUY, STOP, TILE
from palazzo_env.building import begin_building
from palazzo_env.components import KNIGHT, KNIGHTS, QUARRIES, TILE_WINDOWS
from palazzo_env.memory import drawn
from palazzo_env.payment import begin_laying, clear_totals, discard_table, lay, legal_components, price_of_one
from palazzo_env.places import choose_lot, comes_to, leaves
from palazzo_env.purses import most_of
from palazzo_env.state import DEPOT, LETS_PASS, PHASE_BUY, PHASE_CHOICE, PHASE_OVER, PHASE_PAY, QUARRY
from palazzo_env.supply import count_supply
from skyline.core.jit import njit
from skyline.game import NO_SEAT

# ---------------------------------------------------------------- lists of tiles


@njit
def put_tile(tiles, size, tile):
    """A tile comes to a list of `size` tiles in tile order."""
    at = int(size)
    while at > 0 and tiles[at - 1] > tile:
        tiles[at] = tiles[at - 1]
        at -= 1
    tiles[at] = tile


@njit
def take_tile(tiles, size, tile):
    """A tile leaves the list."""
    at, last = 0, int(size) - 1
    while tiles[at] != tile:
        at += 1
    for i in range(at, last):
        tiles[i] = tiles[i + 1]
    tiles[last] = 0


# ---------------------------------------------------------------- drawing


@njit
def apply_draw(s):
    """The first entry goes to the depot, the second one to a quarry; knights are put aside.  # PZ-10, PZ-11"""
    to_depot = True
    for _ in range(2):
        entry = int(s.stack[s.stack_top])
        s.stack_top += 1
        drawn(s, entry)
        if entry == KNIGHT:
            s.knights += 1
            if s.knights == KNIGHTS:  # PZ-12
                s.phase, s.seat = PHASE_OVER, NO_SEAT
                break
            to_depot = s.knight_first == LETS_PASS  # PZ-R4
        elif to_depot:
            into_depot(s, entry)
            to_depot = False
        else:
            to_quarry(s, (s.builder + TILE_WINDOWS[entry]) % QUARRIES, entry)
    else:
        s.phase = PHASE_CHOICE
    count_supply(s)


@njit
def into_depot(s, tile):
    """A tile from the stack comes to the depot.  # PZ-10"""
    put_tile(s.depot, s.depot_size, tile)
    s.depot_size += 1
    s.visible[tile] += 1
    comes_to(s, DEPOT, tile)


@njit
def to_quarry(s, quarry, tile):
    """A tile from the stack comes to a quarry."""
    put_tile(s.quarries[quarry], s.quarry_size[quarry], tile)
    s.quarry_size[quarry] += 1
    s.visible[tile] += 1
    comes_to(s, QUARRY + quarry, tile)


@njit
def legal_choice(s, mask):
    """The player buys or auctions.  # PZ-13, PZ-D3, PZ-R21"""
    mask[AUCTION] = 1
    mask[BUY] = s.depot_size > 0 and most_of(s, s.seat) >= price_of_one(s)


# ---------------------------------------------------------------- buying


@njit
def apply_buy(s):
    """The player buys; the choice of the tiles follows.  # PZ-30"""
    s.phase = PHASE_BUY


@njit
def legal_buy(s, mask):
    """One or two tiles of the depot, the second not before the first in tile order.  # PZ-30, PZ-D4"""
    second = s.lot_size == 1
    mask[STOP] = second
    if second and most_of(s, s.seat) < 2 * price_of_one(s):
        return
    taken = False
    for i in range(s.depot_size):
        tile = int(s.depot[i])
        if second and not taken and tile == s.lot[0]:
            taken = True  # the other depot tiles
        elif not second or tile >= s.lot[0]:
            mask[TILE + tile] = 1


@njit
def apply_choose(s, tile):
    """A tile of the depot is chosen; it stays there until it is paid."""
    s.lot[s.lot_size] = tile
    s.lot_size += 1
    choose_lot(s)
    if s.lot_size == 2:
        apply_stop(s)


@njit
def apply_stop(s):
    """The choice is made. The payment follows, unless the price is 0.  # PZ-31, PZ-R5"""
    begin_laying(s)
    if goal_of_payment(s) == 0:
        _hand_over(s)
    else:
        s.phase = PHASE_PAY


@njit
def goal_of_payment(s):
    """The price of the chosen tiles.  # PZ-31"""
    return int(s.lot_size) * price_of_one(s)


@njit
def legal_pay(s, mask):
    """The components with which the price can still be reached.  # PZ-32, section 6"""
    legal_components(
        s.hands[s.seat], int(s.totals[s.seat]), int(s.locks[s.seat]), int(s.last), int(s.singles),
        goal_of_payment(s), mask[ADD:],
    )  # fmt: skip


@njit
def apply_pay(s, component):
    """The payment ends as soon as the price is reached.  # PZ-32, PZ-R13"""
    lay(s, s.seat, component)
    if s.totals[s.seat] >= goal_of_payment(s):
        discard_table(s, s.seat)
        clear_totals(s)
        _hand_over(s)


@njit
def _hand_over(s):
    """The tiles leave the depot and are built.  # PZ-33"""
    for i in range(s.lot_size):
        take_tile(s.depot, s.depot_size, s.lot[i])
        s.depot_size -= 1
        leaves(s, DEPOT, s.lot[i])
    begin_building(s)
