"""Tiles and palaces of Palazzo for the oracle: piles, building, rebuilding, points (1.3, PZ-60 to PZ-72, PZ-80, PZ-81).

A tile is its text, floor - windows - material: `32m`. A palace is the list of its tiles from bottom to top.
"""

from collections import Counter

MATERIALS = "bms"
KNIGHT = "K"
KNIGHTS = 5


def _each_material(*faces: str) -> list[str]:
    return [face + material for face in faces for material in MATERIALS]


PILE_I = _each_material("11", "13", "22", "23", "32")
PILE_II = _each_material("12", "21", "31", "33", "43", "53")
PILE_III = _each_material("31", "41", "42", "51", "52")
TILE_COUNTS = Counter(PILE_I + PILE_II + PILE_III)

PRICE_BASE = 10


def floor_of(tile: str) -> int:
    return int(tile[0])


def windows_of(tile: str) -> int:
    return int(tile[1])


def material_of(tile: str) -> str:
    return tile[2]


def tile_index(tile: str) -> int:
    return 9 * (floor_of(tile) - 1) + 3 * (windows_of(tile) - 1) + MATERIALS.index(material_of(tile))


def price(depot_size: int) -> int:
    """Of one tile (PZ-31)."""
    return max(0, PRICE_BASE - depot_size)


def palace_text(palace: list[str]) -> str:
    return "/".join(palace)


def palace_of(text: str) -> list[str]:
    return text.split("/")


def points(palace: list[str]) -> int:
    """PZ-80 and PZ-81."""
    tiles = len(palace)
    windows = sum(windows_of(tile) for tile in palace)
    one_material = len({material_of(tile) for tile in palace}) == 1
    by_height = {1: -5, 2: 0, 3: windows, 4: windows + 3, 5: windows + 6}
    bonus = {1: 0, 2: 0, 3: 3, 4: 3, 5: 6}
    return by_height[tiles] + (bonus[tiles] if one_material else 0)


def can_top(palace: list[str], tile: str) -> bool:
    """PZ-61: the top floor is lower than the tile's."""
    return floor_of(palace[-1]) < floor_of(tile)


def takes_insert(palace: list[str], tile: str) -> bool:
    """PZ-71 (b), PZ-R7, PZ-R9: the palace lacks the floor; of two singles the lower goes into the higher."""
    if floor_of(tile) in [floor_of(other) for other in palace]:
        return False
    return len(palace) >= 2 or floor_of(palace[0]) > floor_of(tile)


def split_tiles(palace: list[str]) -> list[str]:
    """Tiles that may be split off: PZ-71 (a), of two tiles the upper one only (PZ-R9)."""
    if len(palace) == 1:
        return []
    return palace[1:] if len(palace) == 2 else palace


def rises(palace: list[str]) -> bool:
    """PZ-62."""
    floors = [floor_of(tile) for tile in palace]
    return floors == sorted(set(floors))


def rebuilt(palaces: list[list[str]], change: str, target: str | None) -> list[list[str]]:
    """The palaces after `change`, the text of a REBUILD move; an inserted single goes into `target` (PZ-71, PZ-R8)."""
    after = [list(palace) for palace in palaces]
    match change.split():
        case ["split", palace, tile]:
            after[after.index(palace_of(palace))].remove(tile)
            after.append([tile])
        case ["remove", tile]:
            after.remove([tile])
        case ["insert", tile]:
            after.remove([tile])
            after[after.index(palace_of(target))].append(tile)
    return sorted((sorted(palace, key=floor_of) for palace in after), key=palace_text)
