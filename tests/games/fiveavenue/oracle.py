"""Fifth Avenue in plain Python: an independent twin of the fast core, written from RULES.md alone.

    Oracle(players, options, setup)      a game from the setup object of a record (section 9)
    Oracle.at(position)                  a game from a position (section 10, see `oracle_state.py`)
    seat, phase, scores, legal()         who decides, what, the points, every legal move
    play(text, events)                   one move; `events` are the shuffles it causes (the oracle has no randomness)
    position(), public(viewer), places(), check()

Slow and literal on purpose: each method is one clause or one decision of RULES.md, whose number stands beside it.
"""

import pickle
from collections import Counter

from .oracle_auction import AuctionRounds
from .oracle_city import (
    BLACK,
    BONUSES,
    CENTRAL_PARK,
    COLOURS,
    COMMISSIONS,
    DASHED,
    DISTRICTS,
    KINDS,
    LAST_SHOP,
    NODES,
    POINTS_BY_KINDS,
    VALUES,
    targets,
)
from .oracle_state import (
    BID,
    BUILD,
    FACE_DOWN,
    FACE_UP,
    MOVE,
    OVER,
    PLACE,
    SHOP,
    TAKE,
    TURN,
    check_counts,
    game_at,
    new_game,
    placed_buildings,
    placement_order,
    position_of,
    public_of,
)


def move_texts() -> list[str]:
    """The text of every action, in action-index order (section 9)."""
    texts = [f"place {district} {colour}" for district in DISTRICTS for colour in COLOURS]
    texts += ["A", *(f"B {kind}" for kind in KINDS), "C", *(f"D {district}" for district in DISTRICTS)]
    texts += [f"shop {district} {lot}" for district in DISTRICTS for lot in [*COLOURS, DASHED]]
    texts += [f"take {c1} {c2}" for i, c1 in enumerate(COLOURS) for c2 in COLOURS[i + 1 :]]
    texts += [f"take {colour}" for colour in COLOURS]
    texts += [f"move {commission} {node}" for commission in COMMISSIONS for node in NODES]
    texts += [f"add {colour} {value}" for colour in [*COLOURS, BLACK] for value in VALUES]
    return [*texts, "bid", "pass", *(f"build {number}" for number in range(4)), "close"]


ACTION_INDEX = {text: index for index, text in enumerate(move_texts())}


class MissingEvent(ValueError):
    """A move needs one more shuffle than it was given: of which deck, and which cards lie in it now."""

    def __init__(self, deck: str, cards: list):
        super().__init__(f"missing shuffle of {deck}: {cards}")
        self.deck = deck
        self.cards = cards


class Oracle(AuctionRounds):
    """One game, played by move texts."""

    def __init__(self, players: int, options: dict, setup: dict):
        self.game = new_game(players, options, setup)
        self._events: list[dict] = []  # given to the running `play`, not yet used

    @classmethod
    def at(cls, position: dict) -> "Oracle":
        oracle = cls.__new__(cls)
        oracle.game = game_at(position)
        oracle._events = []
        return oracle

    @property
    def seat(self) -> int | None:
        return self.game.decider

    @property
    def phase(self) -> str:
        return self.game.phase

    @property
    def scores(self) -> list[int]:
        return self.game.scores

    def position(self) -> dict:
        return position_of(self.game)

    def public(self, viewer: int) -> dict:
        return public_of(self.game, viewer)

    def check(self) -> None:
        check_counts(self.game)

    def legal(self) -> list[tuple[int, str]]:
        """Every legal move as (action index, text), by ascending index; empty when the game is over."""
        texts = {
            PLACE: self._legal_place,
            TURN: self._legal_turn,
            SHOP: self._legal_shop,
            TAKE: self._legal_take,
            BID: self._legal_bid,
            BUILD: self._legal_build,
            MOVE: self._legal_move,
            OVER: list,
        }[self.phase]()
        return sorted((ACTION_INDEX[text], text) for text in texts)

    def play(self, text: str, events: list[dict] = ()) -> None:
        """Plays one legal move. After a ValueError the game stands as before the call."""
        if text not in [legal for _, legal in self.legal()]:
            raise ValueError(f"illegal: {text!r}")
        before = pickle.dumps(self.game)  # a whole copy, 10 times faster than copy.deepcopy
        self._events = list(events)
        try:
            self._carry_out(text)
            if self._events:
                raise ValueError(f"{text!r} does not cause {self._events}")
        except Exception:
            self.game = pickle.loads(before)
            raise

    def _carry_out(self, text: str) -> None:
        word, *rest = text.split()
        {
            "place": self._place,
            "A": self._take_buildings,
            "B": self._take_shop,
            "C": self._draw_and_move,
            "D": self._score_district,
            "shop": self._place_shop,
            "take": self._take_cards,
            "move": self._move_commission,
            "add": self._add_card,
            "bid": self._bid,
            "pass": self._pass,
            "build": self._build,
            "close": self._close,
        }[word](*rest)

    def _decide(self, phase: str, player: int | None) -> None:
        self.game.phase, self.game.decider = phase, player

    def _shuffled(self, deck: str, cards: list) -> list:
        """The cards in the order of the next event."""
        if not self._events:
            raise MissingEvent(deck, cards)
        event = self._events.pop(0)
        if set(event) != {"deck", "order"} or event["deck"] != deck or Counter(event["order"]) != Counter(cards):
            raise ValueError(f"shuffle of {deck} {cards} given as {event}")
        return list(event["order"])

    def _clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.game.players for step in range(self.game.players)]

    # FA-D1 PLACE

    def _legal_place(self) -> list[str]:
        city = self.game.city
        free = [d for d in DISTRICTS if city.buildings(d, self.seat) == 0]  # FA-R1
        return [f"place {district} {colour}" for district in free for colour in city.empty_lots(district)]

    def _place(self, district: str, colour: str) -> None:
        self.game.city.lots[district][colour].build(self.seat, 1)
        order = placement_order(self.game.players)
        done = placed_buildings(self.game)
        if done < len(order):
            self._decide(PLACE, order[done])
        else:
            self._decide(TURN, self.game.active)  # FA-S10

    # FA-D2 TURN

    def _legal_turn(self) -> list[str]:
        game = self.game
        texts = ["C"]  # FA-R3
        if game.supply[game.active] >= 3 or game.options["empty_supply"]:  # FA-7, FA-R3
            texts.append("A")
        if game.row and game.city.shop_lots():  # FA-R4
            texts += {f"B {kind}" for kind in game.row[0]}  # FA-30, FA-R5
        standing_in = set(game.commissions.values())
        return texts + [f"D {district}" for district in game.city.open_districts() if district in standing_in]  # FA-6

    def _take_buildings(self) -> None:
        """FA-3"""
        moved = min(3, self.game.supply[self.seat])
        self.game.supply[self.seat] -= moved
        self.game.reserve[self.seat] += moved
        self._to_phase_2()

    def _take_shop(self, kind: str) -> None:
        """FA-4, first half"""
        self.game.row[0].remove(kind)
        self.game.shop = kind
        self._decide(SHOP, self.seat)

    def _draw_and_move(self) -> None:
        """FA-5"""
        self._draw_black(self.seat)
        self._to_move(1)

    def _score_district(self, district: str) -> None:
        """FA-6, FA-9, FA-10"""
        game, city = self.game, self.game.city
        for player in range(game.players):
            game.scores[player] += city.district_score(district, player)
        self._draw_black(game.active)
        self._draw_black(game.active)
        for player in self._clockwise(game.active):
            if city.buildings(district, player) == 0:
                self._draw_black(player)
        self._to_move(3)

    def _draw_black(self, player: int) -> None:
        """One card for the player, none from an empty stack (FA-R9)."""
        if self.game.black:
            self.game.hands[player].append((BLACK, self._top_black()))

    def _top_black(self) -> int:
        value, _ = self.game.black.pop(0)
        self._check_black_stack()
        return value

    def _check_black_stack(self) -> None:
        """A face-up card on top: the whole stack is shuffled and turned face-down (FA-64, FA-R9)."""
        black = self.game.black
        if black and black[0][1] == FACE_UP:
            order = self._shuffled(BLACK, [value for value, _ in black])
            self.game.black = [(value, FACE_DOWN) for value in order]

    # FA-D3 SHOP

    def _legal_shop(self) -> list[str]:
        return [f"shop {district} {name}" for district, name in self.game.city.shop_lots()]

    def _place_shop(self, district: str, name: str) -> None:
        """FA-4, second half"""
        game = self.game
        game.city.lots[district][name].shops.append(game.shop)
        game.shop = None
        game.placed += 1
        if len(game.row[0]) <= 1:  # FA-31
            game.park += game.row.pop(0)
        if game.placed in BONUSES:
            self._bonus(*BONUSES[game.placed])
        if game.placed == LAST_SHOP:  # FA-35, FA-90
            self._finish()
        else:
            self._to_phase_2()

    def _bonus(self, needed: int, points: int) -> None:
        """FA-34"""
        city = self.game.city
        for player in range(self.game.players):
            if sum(city.buildings(district, player) > 0 for district in city.open_districts()) >= needed:
                self.game.scores[player] += points

    # FA-D4 TAKE

    def _filled_stacks(self) -> list[str]:
        return [colour for colour in COLOURS if self.game.stacks[colour]]

    def _to_phase_2(self) -> None:
        """TAKE, or without any coloured card the MOVE after it (FA-R7)."""
        self.game.turn_phase = None
        if self._filled_stacks():
            self._decide(TAKE, self.game.active)
        else:
            self._to_move(3)

    def _legal_take(self) -> list[str]:
        filled = self._filled_stacks()
        if len(filled) == 1:
            return [f"take {filled[0]}"]
        return [f"take {c1} {c2}" for i, c1 in enumerate(filled) for c2 in filled[i + 1 :]]  # FA-8

    def _take_cards(self, *colours: str) -> None:
        for colour in colours:
            self.game.hands[self.seat].append((colour, self.game.stacks[colour].pop(0)))
        self._to_move(3)

    # FA-D7 MOVE

    def _to_move(self, turn_phase: int) -> None:
        self.game.turn_phase = turn_phase
        self._decide(MOVE, self.game.active)

    def _legal_move(self) -> list[str]:
        game = self.game
        return [
            f"move {commission} {node}"
            for commission in COMMISSIONS
            for node in targets(game.commissions[commission], game.city.closed)
        ]

    def _move_commission(self, commission: str, node: str) -> None:
        game = self.game
        left = game.commissions[commission]
        game.commissions[commission] = node
        if left in game.city.open_districts():  # FA-22, FA-25
            game.markers[commission].append(left)
        if left == CENTRAL_PARK:  # FA-26
            self._start_auction(commission, [*game.markers[commission], CENTRAL_PARK])  # FA-50
        else:
            self._after_move()

    def _after_move(self) -> None:
        if self.game.turn_phase == 1:
            self._to_phase_2()
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        game = self.game
        game.turn_phase = None
        if game.turn == game.options["max_turns"]:  # FA-R14
            self._finish()
            return
        game.turn += 1
        game.active = (game.active + 1) % game.players  # FA-1
        self._decide(TURN, game.active)

    # section 8

    def _finish(self) -> None:
        """Final scoring (FA-92 to FA-94)."""
        game, city, players = self.game, self.game.city, range(self.game.players)
        game.auction = None
        game.turn_phase = None
        districts = [sum(city.district_score(d, player) for d in city.open_districts()) for player in players]
        turned_up = self._shuffled("park", game.park)[:3]  # FA-93
        points = POINTS_BY_KINDS[len(set(turned_up))]  # FA-94, FA-R13
        park = [points * game.central_park[player] for player in players]
        game.final = {"before": list(game.scores), "districts": districts, "park": park}
        for player in players:
            game.scores[player] += districts[player] + park[player]
        self._decide(OVER, None)

    def places(self) -> list[int]:
        """Final places by points, then cards in hand; equals share a place (section 8, FA-R15)."""
        if self.phase != OVER:
            raise ValueError("the game is not over")
        results = list(zip(self.game.scores, map(len, self.game.hands), strict=True))
        return [1 + sum(other > own for other in results) for own in results]
