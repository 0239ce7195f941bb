"""New York in plain Python: the slow, obvious game that the fast core is compared with.
Written from `newyork_env/RULES.md` alone; clause numbers (NY-..) and section numbers are those of that file.

A card is its text: "B1" .. "R9", "SA", "SB". A position is the dict of section 10 plus `received`. The oracle has no
randomness: `play` is given the result of every reshuffle. Cities are in oracle_city.py, money cards in oracle_money.py.

    MAIN --take, remove, pass,           end of main part: PLACE with bought tiles, else end of turn
           overpay--> end of main part
    MAIN --use--> BUILD --at---> end of main part       PLACE --place--> PUT --at, reserve, dirk--> PLACE .. end of turn
    MAIN --buy--> PAY --pay ..-> exact: MAIN            end of turn: refill, then MAIN of the next seat, or the last
                                 more: end of main part   tiles (PLACE and PUT of every receiver), scoring C, OVER
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.games.newyork.oracle_check import check_pieces
from tests.games.newyork.oracle_city import (
    HOME,
    KIND,
    PRICE,
    START,
    TYPES,
    Cell,
    City,
    build_cells,
    can_build,
    cell_index,
    free_cells,
    majority_points,
    own_cells,
    removable_cells,
    street_length,
)
from tests.games.newyork.oracle_money import (
    BANKS,
    DEFAULT_MAX_TURNS,
    SCORING_CARDS,
    SLOTS,
    MissingShuffleError,
    bank_values,
    check_setup,
    deal_hands,
    final_places,
    options_of,
    pay_values,
    sort_cards,
    starting_seat,
    takes,
)

MAIN, PAY, BUILD, PLACE, PUT, OVER = "main", "pay", "build", "place", "put", "over"

# First numbers of the action index (section 6).
TAKE_INDEX, BUY_INDEX, PAY_INDEX, TILE_INDEX = -1, 15, 18, 27  # mask, slot, value, tile id are added
RESERVE_INDEX, DIRK_INDEX, PASS_INDEX, OVERPAY_INDEX = 523, 524, 525, 525  # value is added to the last
DIRK_TILES = 6  # at the start (NY-80) and after scoring A (NY-82)
_PLAIN = ("players", "phase", "seat", "turns", "max_turns", "slot", "exact", "tile")  # fields of one value


class Oracle:
    """One game. `play` changes it by one move, and leaves it as it was if the move or its events are refused."""

    players: int  # 2 .. 6
    phase: str  # MAIN .. OVER
    seat: int | None  # who decides; None when the game is over
    turns: int  # finished turns
    max_turns: int
    market: list[str | None]  # 4 slots
    deck: list[str]  # top first, with the scoring cards
    discard: list[str]
    depot: list[int | None]  # 4 slots
    bag: list[int]  # first drawn first
    hands: list[list[str]]  # per seat
    cities: list[City]  # per seat
    reserves: list[list[int]]  # per seat
    bought: list[int]  # of the deciding seat
    dirk: list[int]  # Dirk's heap
    scores: list[int]  # per seat
    slot: int | None  # PAY: the depot slot being bought
    paid: list[int]  # PAY: the values paid so far; these cards are in the discards already
    exact: int | None  # MAIN: the slot that the decision before paid exactly, if a further card may be paid (NY-23)
    tile: int | None  # BUILD, PUT: the chosen tile, until then still in the reserve or in `bought`
    received: list[list[int]] | None  # per seat, NY-91: tiles of the receivers still to come; None before the end

    overpay = True  # option; not a field of a position

    def __init__(self, players: int, options: dict, setup: dict):
        if not 2 <= players <= 6:
            raise ValueError(f"players: {players}")
        check_setup(players, setup)
        deck, bag = list(setup["money"]), list(setup["bag"])
        depot = [bag.pop(0) for _ in SLOTS]
        dirk = [bag.pop(0) for _ in range(DIRK_TILES)] if players == 2 else []
        hands = deal_hands(players, deck)
        market = [deck.pop(0) for _ in SLOTS]
        max_turns, self.overpay = options_of(options)
        start = {"players": players, "phase": MAIN, "seat": starting_seat(hands), "max_turns": max_turns}
        self._load({**start, "market": market, "deck": deck, "depot": depot, "bag": bag, "hands": hands, "dirk": dirk})

    @classmethod
    def at(cls, position: dict) -> Oracle:
        unknown = set(position) - set(cls.__annotations__)
        if unknown:
            raise ValueError(f"unknown fields in a position: {sorted(unknown)}")
        oracle = cls.__new__(cls)
        oracle._load(position)
        return oracle

    def _load(self, position: dict) -> None:
        """Missing fields are empty, missing scores 0 (section 10)."""
        nobody: list[list] = [[] for _ in range(position["players"])]
        self.players, self.phase, self.seat = position["players"], position["phase"], position["seat"]
        self.turns, self.max_turns = position.get("turns", 0), position.get("max_turns", DEFAULT_MAX_TURNS)
        self.market = list(position.get("market", [None] * len(SLOTS)))
        self.deck, self.discard = list(position.get("deck", [])), list(position.get("discard", []))
        self.depot, self.bag = list(position.get("depot", [None] * len(SLOTS))), list(position.get("bag", []))
        self.hands = [list(hand) for hand in position.get("hands", nobody)]
        self.cities = [{HOME: START} | {(x, y): tile for x, y, tile in c} for c in position.get("cities", nobody)]
        self.reserves = [list(reserve) for reserve in position.get("reserves", nobody)]
        self.bought, self.dirk = list(position.get("bought", [])), list(position.get("dirk", []))
        self.scores = list(position.get("scores", [0] * self.players))
        self.slot, self.paid, self.tile = position.get("slot"), list(position.get("paid", [])), position.get("tile")
        self.exact = position.get("exact")
        received = position.get("received")
        self.received = None if received is None else [list(tiles) for tiles in received]
        self._events: list[dict] = []  # of the move being played
        self._legal: list[tuple[int, str]] | None = None  # legal list of this position, once asked for

    def position(self) -> dict:
        """The whole state; hands and everything else without an order are sorted."""
        own = {name: getattr(self, name) for name in _PLAIN}
        ordered = {name: list(getattr(self, name)) for name in ("market", "deck", "depot", "bag", "scores", "paid")}
        heaps = {name: sorted(getattr(self, name)) for name in ("bought", "dirk")}
        return {
            **own,
            **ordered,
            **heaps,
            "discard": sort_cards(self.discard),
            "hands": [sort_cards(hand) for hand in self.hands],
            "cities": [[[*cell, city[cell]] for cell in own_cells(city)] for city in self.cities],
            "reserves": [sorted(reserve) for reserve in self.reserves],
            "received": None if self.received is None else [sorted(tiles) for tiles in self.received],
        }

    def public(self, viewer: int) -> dict:
        """What section 7 shows to `viewer`: hidden cards and tiles are replaced by their numbers."""
        seen = self.position()
        for hidden in ("deck", "discard", "bag", "hands"):
            del seen[hidden]
        return {
            **seen,
            "deck_size": len(self.deck),
            "discard_size": len(self.discard),
            "bag_size": len(self.bag),
            "hand_sizes": [len(hand) for hand in self.hands],
            "scoring_out": [card for card in SCORING_CARDS if card not in self.deck],
            "viewer": viewer,
            "hand": sort_cards(self.hands[viewer]),
        }

    def places(self) -> list[int]:
        return final_places(self.scores)

    def check(self) -> None:
        """Every card and tile is somewhere, exactly once (1.1, 1.2)."""
        check_pieces(self)

    # Legal moves (section 6)

    def legal(self) -> list[tuple[int, str]]:
        if self._legal is None:
            kinds = {
                MAIN: self._legal_main,
                PAY: self._legal_pay,
                BUILD: self._legal_build,
                PLACE: self._legal_place,
                PUT: self._legal_put,
                OVER: list,
            }
            self._legal = sorted(kinds[self.phase]())
        return list(self._legal)

    def _legal_main(self) -> list[tuple[int, str]]:
        hand, city, reserve = self.hands[self.seat], self.cities[self.seat], self.reserves[self.seat]
        moves = [(TAKE_INDEX + mask, text) for text, mask in takes(self.market).items()]
        for slot, tile in enumerate(self.depot):
            if tile is not None and sum(bank_values(hand, slot)) >= PRICE[tile]:  # NY-20
                moves.append((BUY_INDEX + slot, f"buy {slot}"))
        moves += [(TILE_INDEX + tile, f"use {tile}") for tile in reserve if can_build(city, tile)]  # NY-30, NY-32
        moves += [(cell_index((x, y)), f"remove {x} {y}") for x, y in removable_cells(city)]  # NY-31
        return (moves or [(PASS_INDEX, "pass")]) + self._further_cards()  # NY-05

    def _further_cards(self) -> list[tuple[int, str]]:  # NY-23
        if self.exact is None:
            return []
        values = sorted(set(bank_values(self.hands[self.seat], self.exact)))
        return [(OVERPAY_INDEX + v, f"overpay {v}") for v in values]

    def _legal_pay(self) -> list[tuple[int, str]]:
        unpaid = bank_values(self.hands[self.seat], self.slot)
        return [(PAY_INDEX + v, f"pay {v}") for v in pay_values(unpaid, PRICE[self.depot[self.slot]], self.paid)]

    def _legal_build(self) -> list[tuple[int, str]]:
        return [(cell_index((x, y)), f"at {x} {y}") for x, y in build_cells(self.cities[self.seat], self.tile)]

    def _legal_place(self) -> list[tuple[int, str]]:
        return [(TILE_INDEX + tile, f"place {tile}") for tile in self.bought]

    def _legal_put(self) -> list[tuple[int, str]]:
        moves = [(cell_index((x, y)), f"at {x} {y}") for x, y in free_cells(self.cities[self.seat], self.tile)]  # NY-50
        moves.append((RESERVE_INDEX, "reserve"))  # NY-51
        if self.players == 2 and self.received is None:  # NY-84, not NY-92
            moves.append((DIRK_INDEX, "dirk"))
        return moves

    # Playing a move

    def play(self, text: str, events: Sequence[dict] = ()) -> None:
        if text not in [legal_text for _, legal_text in self.legal()]:
            raise ValueError(f"illegal move {text!r}")
        before = self.position()
        self._events, self._legal = list(events), None
        try:
            self._play_word(text.split())
            if self._events:
                raise ValueError("an event too many")
        except Exception:
            self._load(before)
            raise

    def _play_word(self, words: list[str]) -> None:
        word, numbers, exact = words[0], words[1:], self.exact
        self.exact = None
        if word == "take":
            self._take(takes(self.market)[" ".join(words)])
        elif word == "buy":
            self.phase, self.slot = PAY, int(numbers[0])
        elif word == "pay":
            self._pay(int(numbers[0]))
        elif word == "use":
            self.phase, self.tile = BUILD, int(numbers[0])
        elif word == "place":
            self.phase, self.tile = PUT, int(numbers[0])
        elif word == "remove":
            self._remove((int(numbers[0]), int(numbers[1])))
        elif word == "at" and self.phase == BUILD:
            self._build((int(numbers[0]), int(numbers[1])))
        elif word == "at" and self.phase == PUT:
            self._put((int(numbers[0]), int(numbers[1])))
        elif word == "reserve":
            self.reserves[self.seat].append(self.tile)
            self._tile_placed()
        elif word == "dirk":
            self.dirk.append(self.tile)
            self._tile_placed()
        elif word == "overpay":
            card = f"{BANKS[exact]}{numbers[0]}"
            self.hands[self.seat].remove(card)
            self.discard.append(card)
            self._end_main()
        elif word == "pass":
            self._end_main()

    def _take(self, mask: int) -> None:  # NY-10
        for slot in SLOTS:
            if mask & (1 << slot):
                self.hands[self.seat].append(self.market[slot])
                self.market[slot] = None
        self._end_main()

    def _pay(self, v: int) -> None:  # NY-20 .. NY-22
        card = f"{BANKS[self.slot]}{v}"
        self.hands[self.seat].remove(card)
        self.discard.append(card)
        self.paid.append(v)
        tile = self.depot[self.slot]
        if sum(self.paid) < PRICE[tile]:
            return
        exact = sum(self.paid) == PRICE[tile]
        self.bought.append(tile)
        self.depot[self.slot] = None
        if exact:
            self.phase, self.exact = MAIN, self.slot if self.overpay else None  # NY-03, NY-23
        self.slot, self.paid = None, []
        if not exact:
            self._end_main()

    def _remove(self, cell: Cell) -> None:  # NY-31
        self.reserves[self.seat].append(self.cities[self.seat].pop(cell))
        self._end_main()

    def _build(self, cell: Cell) -> None:  # NY-30, NY-32
        city, reserve = self.cities[self.seat], self.reserves[self.seat]
        reserve.remove(self.tile)
        if cell in city:
            reserve.append(city[cell])
        city[cell] = self.tile
        self.tile = None
        self._end_main()

    def _end_main(self) -> None:
        if self.bought:
            self.phase = PLACE
        else:
            self._end_turn()

    def _put(self, cell: Cell) -> None:  # NY-50
        self.cities[self.seat][cell] = self.tile
        self._tile_placed()

    def _tile_placed(self) -> None:
        self.bought.remove(self.tile)
        self.tile = None
        if self.bought:
            self.phase = PLACE
        elif self.received is None:
            self._end_turn()
        else:
            self._next_receiver()

    def _end_turn(self) -> None:
        self._refill_market()
        self._refill_depot()
        self.turns += 1
        if None in self.depot or self.turns == self.max_turns:  # NY-64, NY-95
            self._give_leftovers()
            self._next_receiver()
        else:
            self.seat, self.phase = (self.seat + 1) % self.players, MAIN

    def _refill_market(self) -> None:  # NY-60
        for slot in SLOTS:
            if self.market[slot] is None:
                self.market[slot] = self._draw_money()

    def _draw_money(self) -> str | None:
        """The next money card; scoring cards on the way are scored (NY-62). None if deck and discards are empty."""
        while True:
            if not self.deck and self.discard:
                self._reshuffle()
            if not self.deck:
                return None
            card = self.deck.pop(0)
            if card not in SCORING_CARDS:
                return card
            self._score(SCORING_CARDS[card])
            self._give_to_dirk(SCORING_CARDS[card])

    def _reshuffle(self) -> None:  # NY-61
        if not self._events:
            raise MissingShuffleError(sort_cards(self.discard))
        event = self._events.pop(0)
        if set(event) != {"deck", "order"} or event["deck"] != "money":
            raise ValueError(f"not a shuffle of the money deck: {event}")
        if Counter(event["order"]) != Counter(self.discard):
            raise ValueError("the order is not a permutation of the discards")
        self.deck, self.discard = list(event["order"]), []

    def _refill_depot(self) -> None:  # NY-63
        for slot in SLOTS:
            if self.depot[slot] is None and self.bag:
                self.depot[slot] = self.bag.pop(0)

    def _score(self, scoring: str) -> None:  # NY-70 .. NY-77, NY-81
        heaps = [[tile for tile in city.values() if tile != START] for city in self.cities]
        if self.players == 2:
            heaps.append(self.dirk)
        for seat in range(self.players):
            self.scores[seat] += street_length(self.cities[seat])
        for kind in range(len(TYPES)):
            counts = [sum(KIND[tile] == kind for tile in heap) for heap in heaps]
            points = majority_points(scoring, kind, counts)
            for seat in range(self.players):
                self.scores[seat] += points[seat]

    def _give_to_dirk(self, scoring: str) -> None:  # NY-82, NY-83
        if self.players == 2:
            number = min(DIRK_TILES, len(self.bag)) if scoring == "A" else len(self.bag) // 3
            self.dirk += [self.bag.pop(0) for _ in range(number)]

    def _give_leftovers(self) -> None:  # NY-91
        self.received = [[] for _ in range(self.players)]
        for slot, tile in enumerate(self.depot):
            totals = [sum(bank_values(hand, slot)) for hand in self.hands]
            if tile is not None and totals.count(max(totals)) == 1:
                self.received[totals.index(max(totals))].append(tile)
                self.depot[slot] = None

    def _next_receiver(self) -> None:
        """The next seat with received tiles, from the one whose turn has ended clockwise; else scoring C (NY-92)."""
        for seat in [(self.seat + step) % self.players for step in range(self.players)]:
            if self.received[seat]:
                self.seat, self.phase = seat, PLACE
                self.bought, self.received[seat] = self.received[seat], []
                return
        self._score("C")  # NY-93
        self.seat, self.phase = None, OVER
