# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Where tiles go: out of the bag, to Dirk, into a city, into a reserve. [RULES.md NY-22, NY-30 .. NY-32, NY-80]"""

from __future__ import annotations

from newyork_env.city import add_tile, city_changed, take_tile
from newyork_env.components import DIRK, TYPE
from newyork_env.scoring import type_changed
from newyork_env.state import AT_DIRK, IN_CITY, IN_RESERVE
from skyline.core.jit import njit


@njit
def draw_tile(s, place):
    """The first tile of the bag goes to a place; returns the tile."""
    tile = int(s.bag[s.bag_top])
    s.bag_top += 1
    s.place[tile] = place
    return tile


@njit
def give_to_dirk(s, count):
    """Tiles from the bag for Dirk.  # NY-80, NY-82, NY-83"""
    for _ in range(count):
        tile_to_dirk(s, draw_tile(s, AT_DIRK))


@njit
def tile_to_dirk(s, tile):
    """A tile comes to Dirk's heap.  # NY-80, NY-84"""
    s.place[tile] = AT_DIRK
    s.types[DIRK, TYPE[tile]] += 1
    type_changed(s, TYPE[tile])


@njit
def tile_to_city(s, seat, tile, cell):
    """A tile is laid in an empty cell of the city.  # NY-30, NY-50"""
    s.place[tile] = IN_CITY + seat
    s.in_city[seat] |= 1 << tile
    add_tile(s, seat, tile, cell)
    city_changed(s, seat, cell)
    s.types[seat, TYPE[tile]] += 1
    type_changed(s, TYPE[tile])


@njit
def tile_to_reserve(s, seat, tile):
    """A city tile goes to the reserve; `city_changed` must follow."""
    take_tile(s, seat, tile)
    s.in_city[seat] &= ~(1 << tile)
    into_reserve(s, seat, tile)
    s.types[seat, TYPE[tile]] -= 1
    type_changed(s, TYPE[tile])


@njit
def into_reserve(s, seat, tile):
    """A tile comes to the reserve.  # NY-31, NY-51"""
    s.place[tile] = IN_RESERVE + seat
    s.in_reserve[seat] |= 1 << tile
    s.reserve_types[seat, TYPE[tile]] += 1
