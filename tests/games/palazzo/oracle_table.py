"""The state of a Palazzo game for the oracle: fields, positions (section 10), public view (section 7), piece counts."""

from collections import Counter
from enum import StrEnum
from typing import Self

from .oracle_palace import KNIGHT, KNIGHTS, TILE_COUNTS, palace_of, palace_text, rises
from .oracle_payment import CARD_COUNTS, Raise, Stake

QUARRIES = 4
DEFAULT_QUIET_LIMIT = 40
DEFAULT_KNIGHT_FIRST = "quarry"


class Phase(StrEnum):
    MAIN = "MAIN"
    MONEY = "MONEY"
    CHOICE = "CHOICE"
    BUY = "BUY"
    PAY = "PAY"
    BID = "BID"
    SHARE = "SHARE"
    BUILD = "BUILD"
    REBUILD = "REBUILD"
    INTO = "INTO"
    FEE = "FEE"
    END = "END"


def kinds(cards: Counter) -> dict[str, int]:
    """As section 10 lists cards: kind -> number, in card order, no zeros."""
    return {card: cards[card] for card in sorted(cards) if cards[card]}


class Table:
    """What lies on the table, in the hands and out of sight; no rules."""

    def _clear_table(self, players: int, quiet_limit: int, knight_first: str) -> None:
        """PZ-S1, PZ-R1, PZ-S5 and nothing pending."""
        self.players = players
        self.quiet_limit = quiet_limit
        self.knight_first = knight_first  # the place of a tile drawn after a knight
        self.phase = Phase.MAIN
        self.seat: int | None = 0
        self.active = 0
        self.builder = 0
        self.knights = 0
        self.quiet = 0
        self.depot: list[str] = []
        self.quarries: list[list[str]] = [[] for _ in range(QUARRIES)]
        self.stack: list[str] = []
        self.deck: list[str] = []
        self.discard: Counter = Counter()
        self.box: list[str] = []
        self.hands = [Counter() for _ in range(players)]
        self.palaces: list[list[list[str]]] = [[] for _ in range(players)]
        self.face_up: list[str] = []  # MONEY
        self.first_take: str | None = None  # MONEY, second pick of the active player
        self.chosen: list[str] = []  # BUY and PAY: still in the depot
        self.to_build: list[str] = []  # BUILD: rest of the lot, in tile order
        self.twin_move: str | None = None  # BUILD: the move just made for an identical tile of the lot
        self.sharing = False  # SHARE and the BUILDs in it
        self.change: str | None = None  # INTO and FEE: the REBUILD move
        self.target: str | None = None  # FEE: palace the single goes into
        self._clear_stakes()

    def _clear_stakes(self) -> None:
        self.stakes = [Stake() for _ in range(self.players)]  # PAY and BID
        self.begun = Raise()  # PAY and BID
        self.standing: list[int] | None = None  # BID: [player, standing bid]
        self.out: list[int] = []  # BID: who passed

    @classmethod
    def at(cls, position: dict) -> Self:
        """A `position()`, or a `start` of section 10: unnamed cards go under the deck, unnamed tiles into the box."""
        self = cls.__new__(cls)
        limit = position.get("quiet_limit", DEFAULT_QUIET_LIMIT)
        self._clear_table(position["players"], limit, position.get("knight_first", DEFAULT_KNIGHT_FIRST))
        for name in ("active", "builder", "knights", "quiet"):
            setattr(self, name, position[name])
        self.phase = Phase(position.get("decision", Phase.MAIN))
        self.seat = position.get("player", self.active)
        self.depot = sorted(position["depot"])
        self.quarries = [sorted(quarry) for quarry in position["quarries"]]
        self.stack = list(position["stack"])
        self.deck = list(position["deck"])
        self.discard = Counter(position["discard"])
        self.hands = [Counter(hand) for hand in position["hands"]]
        self.palaces = [[palace_of(text) for text in sorted(texts)] for texts in position["palaces"]]
        self._set_pending(position)
        unnamed_cards = CARD_COUNTS.copy()
        unnamed_cards.subtract(self._cards())
        unnamed_tiles = TILE_COUNTS.copy()
        unnamed_tiles.subtract(self._tiles())
        if min(*unnamed_cards.values(), *unnamed_tiles.values()) < 0:
            raise ValueError(f"more cards or tiles of a kind than there are: {position}")
        self.deck += sorted(unnamed_cards.elements())
        self.box = sorted(unnamed_tiles.elements())
        return self

    def _set_pending(self, position: dict) -> None:
        """The open decision of a `position()`; a `start` has none of these."""
        for name in ("face_up", "chosen", "to_build", "out"):
            setattr(self, name, list(position.get(name, [])))
        for name in ("first_take", "twin_move", "change", "target"):
            setattr(self, name, position.get(name))
        self.sharing = position.get("sharing", False)
        self.standing = list(position["standing"]) if position.get("standing") else None
        if "totals" in position:
            rows = zip(position["totals"], position["locks"], position["table"], strict=True)
            self.stakes = [Stake(total, lock, Counter(table)) for total, lock, table in rows]
            self.begun = Raise(position["last"], position["singles"])

    def position(self) -> dict:
        """Fields of section 10, then the open decision in fields of our own."""
        return {
            "players": self.players,
            "quiet_limit": self.quiet_limit,
            "knight_first": self.knight_first,
            "player": self.seat,
            "decision": str(self.phase),
            "active": self.active,
            "builder": self.builder,
            "knights": self.knights,
            "quiet": self.quiet,
            "depot": list(self.depot),
            "quarries": [list(quarry) for quarry in self.quarries],
            "stack": list(self.stack),
            "deck": list(self.deck),
            "discard": kinds(self.discard),
            "hands": [kinds(hand) for hand in self.hands],
            "palaces": [[palace_text(palace) for palace in palaces] for palaces in self.palaces],
            "face_up": list(self.face_up),
            "first_take": self.first_take,
            "chosen": list(self.chosen),
            "standing": list(self.standing) if self.standing else None,
            "totals": [stake.total for stake in self.stakes],
            "locks": [stake.lock for stake in self.stakes],
            "table": [kinds(stake.table) for stake in self.stakes],
            "out": list(self.out),
            "last": self.begun.last,
            "singles": self.begun.singles,
            "to_build": list(self.to_build),
            "twin_move": self.twin_move,
            "sharing": self.sharing,
            "change": self.change,
            "target": self.target,
        }

    def public(self, viewer: int) -> dict:
        """Section 7: numbers for the hidden orders and the other hands (PZ-R22, PZ-R26); the box is in no position."""
        view = self.position()
        stack, deck, hands = view.pop("stack"), view.pop("deck"), view.pop("hands")
        view["viewer"] = viewer
        view["stack_size"] = len(stack)
        view["stack_pile"] = _top_pile(len(stack))
        view["deck_size"] = len(deck)
        view["hand_sizes"] = [sum(hand.values()) for hand in hands]
        view["hand"] = hands[viewer]
        if viewer != self.active:
            view["first_take"] = None  # it is in his hand already
        return view

    def check(self) -> None:
        """Every kind of piece sums to its printed count (1.1 to 1.3); only for games from a setup."""
        assert self._cards() == CARD_COUNTS
        assert all(number >= 0 for cards in self._card_places() for number in cards.values())
        assert self._tiles() + Counter(self.box) == TILE_COUNTS
        assert self.knights + self.stack.count(KNIGHT) == KNIGHTS
        assert all(rises(palace) for palaces in self.palaces for palace in palaces)
        assert not Counter(self.chosen) - Counter(self.depot)

    def _card_places(self) -> list[Counter]:
        tables = [stake.table for stake in self.stakes]
        return [Counter(self.deck), self.discard, Counter(self.face_up), *self.hands, *tables]

    def _cards(self) -> Counter:
        return sum(self._card_places(), Counter())

    def _tiles(self) -> Counter:
        """All tiles outside the box."""
        tiles = Counter(self.stack + self.depot + self.to_build)
        for quarry in self.quarries:
            tiles.update(quarry)
        for palaces in self.palaces:
            for palace in palaces:
                tiles.update(palace)
        del tiles[KNIGHT]
        return tiles


def _top_pile(entries: int) -> str | None:
    """Back of the stack's top entry (section 7)."""
    if entries > 38:
        return "I"
    if entries > 20:
        return "II"
    return "III" if entries else None
