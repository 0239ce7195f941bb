"""Palazzo once more, in plain slow Python, written from palazzo_env/RULES.md alone: the fast core is compared with it.

    turn:  MAIN - draw --- CHOICE - buy ------ BUY BUY [PAY..] BUILD..
                |                 - auction -- BID.. BUILD.. | (SHARE BUILD).. | nothing
                |- money - MONEY..
                |- rebuild - REBUILD [INTO] FEE

Chance comes from outside: the setup, and the `events` of a `money` move.
The state is in oracle_table.py, payments are in oracle_payment.py, palaces in oracle_palace.py; setup and shuffles
are checked in oracle_given.py.
"""

from collections import Counter
from collections.abc import Sequence

from . import oracle_palace as building
from . import oracle_payment as money
from .oracle_given import order_of_shuffle, refuse_bad_start
from .oracle_palace import KNIGHT, KNIGHTS, palace_of, palace_text
from .oracle_payment import COMPONENTS, Raise, Stake
from .oracle_table import DEFAULT_KNIGHT_FIRST, DEFAULT_QUIET_LIMIT, QUARRIES, Phase, Table, kinds

START_HAND = 4
OPENING_BID = 3
DISTRIBUTION_FROM = 4


def action_index(text: str, slots: list[str]) -> int:
    """Index of section 9; `slots` are the distinct palace texts of the player who decides."""
    match text.split():
        case ["add", component]:
            return COMPONENTS.index(component)
        case ["build", _, "new"]:
            return 24
        case ["build", _, "on", palace]:
            return 25 + slots.index(palace)
        case ["build", _, "scrap"]:
            return 73
        case ["insert", tile]:
            return 76 + building.tile_index(tile)
        case ["into", palace]:
            return 121 + slots.index(palace)
        case ["pay", card]:
            return 171 + money.CARDS.index(card)
        case ["remove", tile]:
            return 188 + building.tile_index(tile)
        case ["split", palace, tile]:
            return 233 + 5 * slots.index(palace) + building.floor_of(tile) - 1
        case ["take", card]:
            return 474 + money.CARDS.index(card)
        case ["tile", tile]:
            return 490 + building.tile_index(tile)
    alone = {"auction": 22, "bid": 23, "buy": 74, "draw": 75, "money": 169, "pass": 170, "rebuild": 187, "stop": 473}
    return alone[text]


class Oracle(Table):
    """Legality first, one function a decision of section 6; then the effects in the same order."""

    def __init__(self, players: int, options: dict, setup: dict) -> None:
        refuse_bad_start(players, options, setup)
        limit = options.get("quiet_limit", DEFAULT_QUIET_LIMIT)
        self._clear_table(players, limit, options.get("knight_first", DEFAULT_KNIGHT_FIRST))
        self.stack = list(setup["stack"])
        self.deck = list(setup["money"])
        for quarry in self.quarries:  # PZ-S3
            quarry.append(self.stack.pop(0))
        self.depot.append(self.stack.pop(0))
        for hand in self.hands:  # PZ-S4
            hand.update(self.deck.pop(0) for _ in range(START_HAND))

    @property
    def scores(self) -> list[int]:
        return [sum(building.points(palace) for palace in palaces) for palaces in self.palaces]

    def tiebreaks(self) -> list[int]:
        return [money.maxpay(hand) for hand in self.hands]

    def places(self) -> list[int]:
        """Section 8.4; equal pairs share a place (PZ-82, PZ-R23, PZ-R24)."""
        results = list(zip(self.scores, self.tiebreaks(), strict=True))
        return [1 + sum(other > mine for other in results) for mine in results]

    def legal(self) -> list[tuple[int, str]]:
        slots = self._slots(self.seat) if self.seat is not None else []
        return sorted((action_index(text, slots), text) for text in self._texts())

    def reshuffle(self, text: str) -> list[str]:
        """The cards which the move `text` makes shuffle, sorted; [] if it causes no shuffle (PZ-05)."""
        if text != "money" or len(self.deck) >= self.players + 1:
            return []
        return sorted(self.discard.elements())

    def play(self, text: str, events: Sequence[dict] = ()) -> None:
        if text not in self._texts():
            raise ValueError(f"{text!r} is not legal in {self.phase} for player {self.seat}: {self.legal()}")
        order = order_of_shuffle(self.reshuffle(text), events)
        match [self.phase.value, *text.split()]:
            case ["MAIN", "money"]:
                self._turn_up_money(order)
            case ["MAIN", "draw"]:
                self._draw()
            case ["MAIN", "rebuild"]:
                self._ask(Phase.REBUILD, self.active)
            case ["MONEY", "take", card]:
                self._take(card)
            case ["CHOICE", "buy"]:
                self._ask(Phase.BUY, self.active)
            case ["CHOICE", "auction"]:
                self._auction()
            case ["BUY", *_, choice]:
                self._choose(choice)
            case ["PAY", "add", component]:
                self._pay_component(component)
            case ["BID", "add", component]:
                money.put_down(component, self.hands[self.seat], self.stakes[self.seat], self.begun)
            case ["BID", "bid"]:
                self._bid()
            case ["BID", "pass"]:
                self._pass()
            case ["SHARE", "tile", tile]:
                self.quarries[self.builder].remove(tile)
                self._acquire([tile], self.seat)
            case ["BUILD", "build", _, *where]:
                self._build(where, text)
            case ["REBUILD", *_]:
                self._choose_change(text)
            case ["INTO", "into", palace]:
                self.target = palace
                self._ask(Phase.FEE, self.active)
            case ["FEE", "pay", card]:
                self._pay_fee(card)

    def _slots(self, seat: int) -> list[str]:
        """Distinct palace texts in ASCII order (section 9)."""
        return sorted({palace_text(palace) for palace in self.palaces[seat]})

    def _ask(self, phase: Phase, seat: int | None) -> None:
        self.phase = phase
        self.seat = seat

    def _next(self, seat: int) -> int:
        return (seat + 1) % self.players  # PZ-01

    def _end_turn(self, drew: bool) -> None:
        self.quiet = 0 if drew else self.quiet + 1
        self.active = self._next(self.active)  # PZ-50: of the active player, whoever won
        self._ask(Phase.MAIN, self.active)

    def _texts(self) -> list[str]:
        match self.phase:
            case Phase.MAIN:
                return self._legal_main()
            case Phase.MONEY:
                return self._legal_money()
            case Phase.CHOICE:
                return self._legal_choice()
            case Phase.BUY:
                return self._legal_buy()
            case Phase.PAY:
                return self._legal_adds(goal=self._price())
            case Phase.BID:
                return self._legal_bid()
            case Phase.SHARE:
                return [f"tile {tile}" for tile in sorted(set(self.quarries[self.builder]))]  # PZ-D7, PZ-R19
            case Phase.BUILD:
                return self._legal_build()
            case Phase.REBUILD:
                return self._legal_rebuild()
            case Phase.INTO:
                return [f"into {palace}" for palace in self._targets(self.change.split()[1])]  # PZ-D10
            case Phase.FEE:
                return [f"pay {card}" for card in kinds(self.hands[self.active])]  # PZ-D11
            case Phase.END:
                return []

    def _legal_main(self) -> list[str]:
        """PZ-D1."""
        texts = ["draw"]
        if self.quiet >= self.quiet_limit:  # PZ-R20
            return texts
        if len(self.deck) + self.discard.total() >= self.players + 1:  # PZ-02
            texts.append("money")
        if self.hands[self.active].total() and self.palaces[self.active]:  # PZ-70
            texts.append("rebuild")
        return texts

    def _legal_money(self) -> list[str]:
        """PZ-D2, PZ-R2."""
        cards = sorted(self.face_up)
        if self.seat == self.active and self.first_take is None:
            cards = cards[:-1]  # a kind with another card of the same or a higher kind face up
        elif self.seat == self.active:
            cards = [card for card in cards if card >= self.first_take]
        return [f"take {card}" for card in sorted(set(cards))]

    def _legal_choice(self) -> list[str]:
        """PZ-D3, PZ-R21."""
        can_buy = self.depot and money.maxpay(self.hands[self.active]) >= building.price(len(self.depot))
        return ["auction", "buy"] if can_buy else ["auction"]

    def _legal_buy(self) -> list[str]:
        """PZ-D4, PZ-30, PZ-R21."""
        others = list(self.depot)
        if not self.chosen:
            return [f"tile {tile}" for tile in sorted(set(others))]
        first = self.chosen[0]
        others.remove(first)
        if money.maxpay(self.hands[self.active]) < 2 * building.price(len(self.depot)):
            return ["stop"]
        return ["stop", *(f"tile {tile}" for tile in sorted(set(others)) if tile >= first)]

    def _price(self) -> int:
        return len(self.chosen) * building.price(len(self.depot))  # PZ-31

    def _legal_adds(self, goal: int) -> list[str]:
        """PZ-D5 and PZ-D6."""
        hand, stake = self.hands[self.seat], self.stakes[self.seat]
        return [f"add {c}" for c in COMPONENTS if money.may_add(c, hand, stake, self.begun, goal)]

    def _legal_bid(self) -> list[str]:
        """PZ-D6; asked also of one who can only pass (PZ-R18), and after reaching the goal (PZ-R14)."""
        _, bid = self.standing
        texts = self._legal_adds(goal=bid + 1)  # PZ-45
        if self.begun.last is None:
            texts.append("pass")
        elif self.stakes[self.seat].total > bid:
            texts.append("bid")
        return texts

    def _legal_build(self) -> list[str]:
        """PZ-D8; any number of palaces (PZ-63)."""
        tile = self.to_build[0]
        texts = [f"build {tile} new", f"build {tile} scrap"]
        for palace in self._slots(self.seat):
            if building.can_top(palace_of(palace), tile):
                texts.append(f"build {tile} on {palace}")
        return [text for text in texts if self.twin_move is None or text >= self.twin_move]

    def _legal_rebuild(self) -> list[str]:
        """PZ-D9."""
        texts = []
        for text in self._slots(self.active):
            palace = palace_of(text)
            texts += [f"split {text} {tile}" for tile in building.split_tiles(palace)]
            if len(palace) == 1:
                texts.append(f"remove {text}")
                if self._targets(text):
                    texts.append(f"insert {text}")
        return texts

    def _targets(self, tile: str) -> list[str]:
        """Palaces the single `tile` may be inserted into (PZ-D10); its own has its floor and drops out."""
        return [palace for palace in self._slots(self.active) if building.takes_insert(palace_of(palace), tile)]

    def _turn_up_money(self, order: list[str]) -> None:
        for _ in range(self.players + 1):  # PZ-03
            if not self.deck:  # PZ-05, PZ-R3
                self.deck = list(order)
                self.discard = Counter()
            self.face_up.append(self.deck.pop(0))
        self.face_up.sort()
        self._ask(Phase.MONEY, self.active)

    def _take(self, card: str) -> None:
        """PZ-04; hands are not limited (PZ-06)."""
        self.face_up.remove(card)
        self.hands[self.seat][card] += 1
        if self.seat == self.active and self.first_take is None:
            self.first_take = card
            return
        self.first_take = None
        if self.face_up:
            self._ask(Phase.MONEY, self._next(self.seat))
        else:
            self._end_turn(drew=False)

    def _draw(self) -> None:
        first = self.stack.pop(0)
        if first == KNIGHT:  # PZ-11, PZ-R4: the second entry keeps its place
            self.knights += 1
        else:
            self.depot = sorted([*self.depot, first])  # PZ-10
        if self.knights == KNIGHTS:  # PZ-12
            return self._ask(Phase.END, None)
        second = self.stack.pop(0)
        if second == KNIGHT:
            self.knights += 1
        elif first == KNIGHT and self.knight_first == "depot":  # the other reading of PZ-R4
            self.depot = sorted([*self.depot, second])
        else:
            quarry = self.quarries[(self.builder + building.windows_of(second)) % QUARRIES]
            quarry.append(second)
            quarry.sort()
        if self.knights == KNIGHTS:
            return self._ask(Phase.END, None)
        self._ask(Phase.CHOICE, self.active)  # PZ-13

    def _choose(self, choice: str) -> None:
        """A tile, or `stop`; the second choice opens the payment (PZ-D4)."""
        second = bool(self.chosen)
        if choice != "stop":
            self.chosen.append(choice)
        if second:
            self._ask(Phase.PAY, self.active)
            self._pay_if_complete()

    def _pay_component(self, component: str) -> None:
        money.put_down(component, self.hands[self.active], self.stakes[self.active], self.begun)
        self._pay_if_complete()

    def _pay_if_complete(self) -> None:
        """PZ-R13; a price of 0 is complete with no card (PZ-R5)."""
        stake = self.stakes[self.active]
        if stake.total < self._price():
            return
        self.discard.update(stake.table)  # PZ-32
        self._clear_stakes()
        tiles, self.chosen = self.chosen, []
        for tile in tiles:  # PZ-33
            self.depot.remove(tile)
        self._acquire(tiles, self.active)

    def _auction(self) -> None:
        """PZ-40, PZ-R25: clockwise round the ring, his own quarry last."""
        ring = [(self.builder + step) % QUARRIES for step in range(1, QUARRIES + 1)]
        with_tiles = [quarry for quarry in ring if self.quarries[quarry]]
        if not with_tiles:  # PZ-41, PZ-R6
            return self._end_turn(drew=True)
        self.builder = with_tiles[0]
        if len(self.quarries[self.builder]) >= DISTRIBUTION_FROM:  # PZ-42
            self.sharing = True
            return self._ask(Phase.SHARE, self.active)
        self.stakes[self.active].total = OPENING_BID  # PZ-43, PZ-44, PZ-R17
        self.standing = [self.active, OPENING_BID]
        self._ask(Phase.BID, self._next_bidder(self.active))

    def _next_bidder(self, seat: int) -> int:
        """PZ-45: clockwise, not yet out."""
        seat = self._next(seat)
        return self._next_bidder(seat) if seat in self.out else seat

    def _bid(self) -> None:
        self.standing = [self.seat, self.stakes[self.seat].total]
        self.begun = Raise()
        self._ask(Phase.BID, self._next_bidder(self.seat))

    def _pass(self) -> None:
        self.hands[self.seat].update(self.stakes[self.seat].table)  # PZ-48
        self.stakes[self.seat] = Stake()
        self.out.append(self.seat)
        bidder = self._next_bidder(self.seat)
        if len(self.out) < self.players - 1:
            return self._ask(Phase.BID, bidder)
        self.discard.update(self.stakes[bidder].table)  # PZ-49
        self._clear_stakes()
        tiles, self.quarries[self.builder] = self.quarries[self.builder], []
        self._acquire(tiles, bidder)

    def _acquire(self, tiles: list[str], owner: int) -> None:
        """One lot for `owner` to build, lowest tile first (PZ-60, PZ-R10)."""
        self.to_build = sorted(tiles)
        self._ask(Phase.BUILD, owner)

    def _build(self, where: list[str], text: str) -> None:
        tile = self.to_build.pop(0)
        palaces = self.palaces[self.seat]
        match where:
            case ["new"]:
                palaces.append([tile])
            case ["on", palace]:
                palaces[palaces.index(palace_of(palace))].append(tile)
            case ["scrap"]:
                self.box.append(tile)
        palaces.sort(key=palace_text)
        self.twin_move = text if tile in self.to_build else None
        if not self.to_build:
            self._lot_built()

    def _lot_built(self) -> None:
        if self.sharing and self._next(self.seat) != self.active:
            return self._ask(Phase.SHARE, self._next(self.seat))
        if self.sharing:  # PZ-42: what is left goes to the box
            self.box += self.quarries[self.builder]
            self.quarries[self.builder] = []
            self.sharing = False
        self._end_turn(drew=True)

    def _choose_change(self, text: str) -> None:
        self.change = text
        self._ask(Phase.INTO if text.startswith("insert") else Phase.FEE, self.active)

    def _pay_fee(self, card: str) -> None:
        self.hands[self.active][card] -= 1  # PZ-70
        self.discard[card] += 1
        if self.change.startswith("remove"):
            self.box.append(self.change.split()[1])
        self.palaces[self.active] = building.rebuilt(self.palaces[self.active], self.change, self.target)
        self.change = self.target = None
        self._end_turn(drew=False)
