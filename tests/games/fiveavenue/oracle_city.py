"""Fifth Avenue in plain Python: names, tables, the board and what can be read off it.

    START  34W  42W  52W  CP        from left to right, one step a move (rules file 1.3):
                 TS                 START-34W START-34E  34W-42W 34W-TS 34E-TS 34E-42E
           34E  42E  52E            42W-52W 42E-52E TS-52W TS-52E  52W-CP 52E-CP  CP-START

Numbers in comments (FA-..) are clauses of RULES.md, the only source of this file.
"""

from dataclasses import dataclass, field

# 1.2 names and index orders
DISTRICTS = ["34W", "34E", "42W", "42E", "TS", "52W", "52E"]
START = "START"
CENTRAL_PARK = "CP"
NODES = [START, *DISTRICTS, CENTRAL_PARK]
COLOURS = ["brown", "grey", "violet", "orange", "green"]
BLACK = "black"
CARD_COLOURS = [*COLOURS, BLACK]
DASHED = "dashed"
KINDS = ["boutique", "jeweller", "gallery", "perfumery"]
COMMISSIONS = ["white", "beige"]
VALUES = [4, 5, 6]

EGON = "E"  # owner or leader: the imaginary third player of a game for two
NOBODY = None  # owner or leader: none

# 1.1 counts
COLOURED_COUNT = {4: 5, 5: 4, 6: 3}  # cards of each value, each colour
BLACK_COUNT = {4: 20, 5: 16, 6: 14}
SHOPS_A_KIND = 9
ROW_BLOCKS = [3, 2, 3, 2, 3, 2, 3, 2]
BUILDINGS_A_PLAYER = 17
FIRST_RESERVE = 3
FIRST_SUPPLY = 12
MARKERS = 3
CLOSING_SIGNS = 2
SHOPS_A_LOT = 2

# 1.3 way of the commissions
WAYS = {
    START: ["34W", "34E"],
    "34W": ["42W", "TS"],
    "34E": ["42E", "TS"],
    "42W": ["52W"],
    "42E": ["52E"],
    "TS": ["52W", "52E"],
    "52W": [CENTRAL_PARK],
    "52E": [CENTRAL_PARK],
    CENTRAL_PARK: [START],
}

# 1.4 rings of lots (on board 6 the dashed lot is appended)
DEFAULT_RINGS = {
    "34W": ["orange", "green", "violet", "grey", "brown"],
    "34E": ["orange", "green", "violet", "brown", "grey"],
    "42W": ["orange", "green", "grey", "violet", "brown"],
    "42E": ["orange", "violet", "green", "brown", "grey"],
    "TS": ["orange", "green", "grey", "brown", "violet"],
    "52W": ["orange", "violet", "grey", "green", "brown"],
    "52E": ["orange", "violet", "brown", "green", "grey"],
}

# 1.5 value tables
POINTS_BY_KINDS = {0: 1, 1: 2, 2: 3, 3: 5, 4: 8}
MOST_BUILDINGS = {4: 3, 5: 2, 6: 1}  # by the highest card value in the winning bid
BONUSES = {3: (3, 4), 6: (4, 6), 9: (5, 8)}  # shops placed -> (districts needed, points)
LAST_SHOP = 12


def lot_names(board: int) -> list[str]:
    """The lots of a district in index order (board 5: the colours; board 6: also the dashed lot, FA-120)."""
    return [*COLOURS, DASHED] if board == 6 else list(COLOURS)


def rings_in_use(board: int, option: str | dict) -> dict[str, list[str]]:
    """Ring of each district by the option `rings` (1.4, 1.6)."""
    if isinstance(option, str) and option not in ("default", "plain", "random"):
        raise ValueError(f"rings: {option!r}")
    named = option if isinstance(option, dict) else {}
    if not set(named) <= set(DISTRICTS):
        raise ValueError(f"rings of unknown districts: {sorted(set(named) - set(DISTRICTS))}")
    rings = {}
    for district in DISTRICTS:
        colours = COLOURS if option == "plain" else DEFAULT_RINGS[district]
        rings[district] = list(named.get(district, [*colours, DASHED] if board == 6 else colours))
        if sorted(rings[district]) != sorted(lot_names(board)):
            raise ValueError(f"ring of {district}: {rings[district]}")
    return rings


def targets(node: str, closed: list[str]) -> list[str]:
    """Where a commission on `node` can go (FA-24), in node order: closed districts are replaced by their successors."""
    found = set(WAYS[node])
    while any(place in closed for place in found):
        skipped = next(place for place in found if place in closed)
        found = (found - {skipped}) | set(WAYS[skipped])
    return [place for place in NODES if place in found]


@dataclass
class Lot:
    """One lot: buildings of one owner, or up to two shops, or nothing."""

    owner: int | str | None = NOBODY  # a player, EGON or NOBODY
    buildings: int = 0
    shops: list[str] = field(default_factory=list)  # kinds in the order laid, at most 2

    def is_bare(self) -> bool:
        return self.buildings == 0 and not self.shops

    def takes_shop(self) -> bool:
        """No building and at most one shop (FA-32)."""
        return self.buildings == 0 and len(self.shops) < SHOPS_A_LOT

    def build(self, owner: int | str, number: int) -> None:
        if number > 0:
            self.owner = owner
            self.buildings += number


@dataclass
class City:
    """The seven districts."""

    rings: dict[str, list[str]]  # district -> lots in ring order
    lots: dict[str, dict[str, Lot]]  # district -> lot name -> lot
    closed: list[str] = field(default_factory=list)  # in the order of closing

    def open_districts(self) -> list[str]:
        return [district for district in DISTRICTS if district not in self.closed]

    def empty_lots(self, district: str) -> list[str]:
        """Coloured lots without shop and without building; never the dashed lot (FA-121)."""
        return [colour for colour in COLOURS if self.lots[district][colour].is_bare()]

    def is_full(self, district: str) -> bool:
        return not self.empty_lots(district)

    def shop_lots(self) -> list[tuple[str, str]]:
        """Every (district, lot) that can take a shop (FA-32)."""
        return [
            (district, name)
            for district in self.open_districts()
            for name, lot in self.lots[district].items()
            if lot.takes_shop()
        ]

    def buildings(self, district: str, owner: int | str) -> int:
        return sum(lot.buildings for lot in self.lots[district].values() if lot.owner == owner)

    def all_buildings(self, district: str) -> int:
        """Buildings of all owners, Egon too (FA-72, FA-114)."""
        return sum(lot.buildings for lot in self.lots[district].values())

    def kinds_beside(self, district: str, name: str) -> int:
        """Number of different shop kinds on the two neighbours in the ring (FA-41)."""
        ring = self.rings[district]
        place = ring.index(name)
        left = self.lots[district][ring[place - 1]]
        right = self.lots[district][ring[(place + 1) % len(ring)]]
        return len(set(left.shops) | set(right.shops))

    def building_points(self, district: str, name: str) -> int:
        """Points one building on this lot brings (FA-42)."""
        return POINTS_BY_KINDS[self.kinds_beside(district, name)]

    def district_score(self, district: str, player: int) -> int:
        """Points of all buildings of `player` in the district (FA-40)."""
        return sum(
            lot.buildings * self.building_points(district, name)
            for name, lot in self.lots[district].items()
            if lot.owner == player
        )

    def bid_colours(self, district: str, player: int) -> list[str]:
        """Colours in which `player` may bid for the district (FA-53 to FA-55)."""
        lots = self.lots[district]
        own = [colour for colour in COLOURS if lots[colour].owner == player]
        if own:  # FA-53
            return own
        if not self.is_full(district):  # FA-54
            return self.empty_lots(district)
        return [colour for colour in COLOURS if lots[colour].shops]  # FA-55

    def egon_lots(self, district: str) -> list[str]:
        """The empty lots on which a building would score most (FA-110, FA-111)."""
        empty = self.empty_lots(district)
        best = max(self.building_points(district, name) for name in empty)
        return [name for name in empty if self.building_points(district, name) == best]


def empty_city(board: int, rings: dict[str, list[str]]) -> City:
    """All lots bare, nothing closed."""
    return City(rings, {district: {name: Lot() for name in lot_names(board)} for district in DISTRICTS})


def lot_code(lot: Lot) -> str:
    """A lot as in section 10: `1:2`, `E:1`, `boutique+gallery` (kinds in the order of 1.2) or the empty text."""
    if lot.buildings:
        return f"{lot.owner}:{lot.buildings}"
    return "+".join(sorted(lot.shops, key=KINDS.index))


def lot_of_code(code: str) -> Lot:
    if ":" in code:
        owner, number = code.split(":")
        return Lot(EGON if owner == EGON else int(owner), int(number))
    shops = code.split("+") if code else []
    if not set(shops) <= set(KINDS) or len(shops) > SHOPS_A_LOT:
        raise ValueError(f"lot: {code!r}")
    return Lot(shops=shops)
