# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The builder, auctions and distributions: decisions BID and SHARE. [RULES.md PZ-40 .. PZ-50]"""

from __future__ import annotations

from palazzo_env.actions import ADD, BID, PASS, TILE
from palazzo_env.building import begin_building
from palazzo_env.components import LEAST_SHARED, OPENING_BID, QUARRIES
from palazzo_env.market import take_tile
from palazzo_env.payment import begin_laying, clear_totals, discard_table, lay, legal_components, take_back
from palazzo_env.places import NO_TILES, leaves
from palazzo_env.state import NO_COMPONENT, NO_LOCK, PHASE_BID, PHASE_SHARE, QUARRY
from palazzo_env.turn import end_turn, left_of
from skyline.core.jit import njit


@njit
def apply_auction(s):
    """The builder moves, then the tiles of the new quarry are given out or auctioned.  # PZ-40 .. PZ-43"""
    if not _move_builder(s):
        end_turn(s, True)  # PZ-41
    elif s.quarry_size[s.builder] >= LEAST_SHARED:
        s.phase, s.seat, s.sharing = PHASE_SHARE, s.active, 1
    else:
        s.totals[s.active] = OPENING_BID  # PZ-44
        s.standing, s.holder = OPENING_BID, s.active
        s.phase = PHASE_BID
        begin_laying(s)
        s.seat = left_of(s, s.active)


@njit
def _move_builder(s):
    """The builder goes clockwise to the first quarry with a tile, the present quarry coming last.  # PZ-40, PZ-R25

    False if all quarries are empty.
    """
    for ahead in range(1, QUARRIES + 1):
        quarry = (s.builder + ahead) % QUARRIES
        if s.quarry_size[quarry]:
            s.builder = quarry
            return True
    return False


# ---------------------------------------------------------------- bidding


@njit
def legal_bid(s, mask):
    """Pass or begin a raise; a raise that is begun goes on or ends.  # PZ-45, PZ-D6"""
    total, standing = int(s.totals[s.seat]), int(s.standing)
    legal_components(
        s.hands[s.seat], total, int(s.locks[s.seat]), int(s.last), int(s.singles), standing + 1, mask[ADD:]
    )
    mask[PASS] = s.last == NO_COMPONENT  # PZ-R15
    mask[BID] = (s.last != NO_COMPONENT) & (total > standing)


@njit
def apply_bid(s):
    """The raise becomes the standing bid.  # PZ-45"""
    s.standing, s.holder = s.totals[s.seat], s.seat
    _next_bidder(s)


@njit
def apply_raise(s, component):
    """A component of a raise is laid; the seat goes on.  # PZ-45"""
    lay(s, s.seat, component)


@njit
def apply_pass(s):
    """Out of this auction, with all cards back in the hand.  # PZ-48"""
    if s.totals[s.seat]:  # else nothing is laid
        take_back(s, s.seat)
    s.totals[s.seat] = 0
    s.locks[s.seat] = NO_LOCK
    s.passed[s.seat] = 1
    _next_bidder(s)


@njit
def _next_bidder(s):
    """The next seat that has not passed bids; if only the holder of the bid is left, that seat wins.  # PZ-45, PZ-49"""
    begin_laying(s)
    seat = left_of(s, s.seat)
    while s.passed[seat]:
        seat = left_of(s, seat)
    if seat == s.holder:
        _win(s, seat)
    else:
        s.seat = seat


@njit
def _win(s, seat):
    """The winner pays, takes all tiles of the quarry and builds them.  # PZ-49"""
    discard_table(s, seat)
    clear_totals(s)
    size = int(s.quarry_size[s.builder])
    for i in range(size):
        s.lot[i] = s.quarries[s.builder, i]
    s.lot_size = size
    s.quarries[s.builder, :] = 0
    s.quarry_size[s.builder] = 0
    s.tiles_at[QUARRY + s.builder] = NO_TILES
    s.seat = seat
    begin_building(s)


# ---------------------------------------------------------------- distribution


@njit
def legal_share(s, mask):
    """Each kind of tile on the builder's quarry.  # PZ-42, PZ-D7"""
    tiles = s.quarries[s.builder]
    for i in range(s.quarry_size[s.builder]):
        mask[TILE + int(tiles[i])] = 1


@njit
def apply_share(s, tile):
    """The player takes a tile and builds it at once.  # PZ-42"""
    take_tile(s.quarries[s.builder], s.quarry_size[s.builder], tile)
    s.quarry_size[s.builder] -= 1
    leaves(s, QUARRY + s.builder, tile)
    s.lot[0] = tile
    s.lot_size = 1
    begin_building(s)
