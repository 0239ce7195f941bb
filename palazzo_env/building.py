# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Building the tiles of a lot: the decision BUILD. [RULES.md PZ-60 .. PZ-64, PZ-R10, PZ-D8]"""

from __future__ import annotations

import numpy as np

from palazzo_env.actions import BUILD_NEW, BUILD_ON, BUILD_SCRAP
from palazzo_env.components import TILE_FLOORS
from palazzo_env.keys import on_top, single, top_floor
from palazzo_env.palaces import add_palace, remove_palace
from palazzo_env.places import NO_TILES, choose_lot, comes_to, leaves, show_palaces
from palazzo_env.state import NO_TWIN, PALACES, PENDING, PHASE_BUILD, PHASE_SHARE, QUARRY, TWIN_NEW, TWIN_SCRAP
from palazzo_env.supply import into_box
from palazzo_env.turn import end_turn, left_of
from skyline.core.jit import njit


@njit
def begin_building(s):
    """The deciding seat builds the tiles of the lot in tile order.  # PZ-60, PZ-R10"""
    s.phase = PHASE_BUILD
    s.twin = NO_TWIN
    choose_lot(s)


@njit
def legal_build(s, mask):
    """A new palace, on a palace with a lower top, or scrap; a twin not before the choice for the first.  # PZ-61"""
    keys, floor, twin = s.palaces[s.seat], TILE_FLOORS[s.lot[0]], s.twin
    mask[BUILD_NEW] = twin <= TWIN_NEW
    for slot in range(s.palace_count[s.seat]):
        mask[BUILD_ON + slot] = (top_floor(np.int64(keys[slot])) < floor) & (keys[slot] >= twin)
    mask[BUILD_SCRAP] = 1


@njit
def apply_build(s, action):
    """The lowest tile of the lot is built or scrapped.  # PZ-60, PZ-61"""
    seat, tile = np.int64(s.seat), np.int64(s.lot[0])
    if action == BUILD_NEW:
        comes_to(s, PALACES + seat, tile)
        slot = add_palace(s, seat, single(tile))
        show_palaces(s, seat, slot, int(s.palace_count[seat]))
        choice = TWIN_NEW
    elif action == BUILD_SCRAP:
        into_box(s, tile)
        choice = TWIN_SCRAP
    else:
        slot, count = action - BUILD_ON, s.palace_count[seat]
        choice = remove_palace(s, seat, slot)
        comes_to(s, PALACES + seat, tile)
        other = add_palace(s, seat, on_top(choice, tile))
        end = max(slot, other) + 1 if s.palace_count[seat] == count else int(s.palace_count[seat])
        show_palaces(s, seat, min(slot, other), end)
    _next_tile(s, tile, choice)


@njit
def _next_tile(s, tile, choice):
    """The next tile of the lot, the next one to share, or the end of the turn.  # PZ-D8, PZ-42"""
    size = int(s.lot_size) - 1
    for i in range(size):
        s.lot[i] = s.lot[i + 1]
    s.lot[size] = 0
    s.lot_size = size
    leaves(s, PENDING, tile)
    if size:
        s.twin = choice if s.lot[0] == tile else NO_TWIN
        return
    s.twin = NO_TWIN
    if s.sharing:
        s.seat = left_of(s, s.seat)
        if s.seat != s.active:
            s.phase = PHASE_SHARE
            return
        _clear_quarry(s)
    end_turn(s, True)


@njit
def _clear_quarry(s):
    """What a distribution leaves goes into the box.  # PZ-42"""
    quarry = s.builder
    for i in range(s.quarry_size[quarry]):
        into_box(s, int(s.quarries[quarry, i]))
    s.quarries[quarry, :] = 0
    s.quarry_size[quarry] = 0
    s.tiles_at[QUARRY + quarry] = NO_TILES
    s.sharing = 0
