"""Fifth Avenue in plain Python: everything that is on the table, as data.

`Game` is the whole state; it can be made from a setup (section 9), read from and written as a position (section 10),
shown to one player (section 7) and counted (section 1.1).

A position is {"players", "options", "state", "decision"}; `state` has the fields of section 10, all of them written,
and those a game in progress needs besides: `shop` (kind in hand between `B` and `shop`), `out`, `box` (buildings and
shops of closed districts), `over`, `final`; in `auction` also `egon`, `asked` (BID turns done), `added` (cards of the
running BID turn), `won` (colour and most buildings, at BUILD) and, not read back, `where` and `in`.
"""

from collections import Counter
from dataclasses import dataclass, field

from .oracle_city import (
    BLACK,
    BLACK_COUNT,
    BUILDINGS_A_PLAYER,
    CARD_COLOURS,
    COLOURED_COUNT,
    COLOURS,
    COMMISSIONS,
    DASHED,
    DISTRICTS,
    FIRST_RESERVE,
    FIRST_SUPPLY,
    KINDS,
    MARKERS,
    NOBODY,
    ROW_BLOCKS,
    SHOPS_A_KIND,
    START,
    City,
    empty_city,
    lot_code,
    lot_of_code,
    rings_in_use,
)

PLACE, TURN, SHOP, TAKE, BID, BUILD, MOVE = "PLACE", "TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE"
OVER = "OVER"  # phase of a finished game; not a decision
PHASES = [PLACE, TURN, SHOP, TAKE, BID, BUILD, MOVE]
FACE_DOWN, FACE_UP = "d", "u"
DEFAULT_OPTIONS = {"board": 5, "rings": "default", "max_turns": 200, "empty_supply": False, "discards": "falling"}

Card = tuple[str, int]  # colour (or black), value
BlackCard = tuple[int, str]  # value, FACE_DOWN or FACE_UP


@dataclass
class Auction:
    """A running auction round: the auction on now and what the round still needs."""

    commission: str  # the moved one
    first: int  # first player = who moved the commission (FA-26)
    left: list[str]  # this place and those still to come, the last is CP
    table: list[list[Card]]  # by player: cards laid in this auction, in order
    inside: list[int]  # players who have not passed
    standing: int = 0  # highest bid
    leader: int | str | None = NOBODY  # its holder: a player, EGON or NOBODY
    colour: str | None = None  # Central Park: the colour fixed by the first bid (FA-80)
    asked: int = 0  # BID turns done in this auction
    egon: list[int] | None = None  # his cards on the table; None before he draws
    added: list[Card] = field(default_factory=list)  # cards laid in the running BID turn
    won: tuple[str, int] | None = None  # at BUILD: colour of the winner and most buildings (FA-65)

    @property
    def where(self) -> str:
        return self.left[0]


@dataclass
class Game:
    """The whole state of one game."""

    players: int
    options: dict  # board, rings, max_turns
    city: City
    commissions: dict[str, str]  # commission -> node
    markers: dict[str, list[str]]  # commission -> districts in the order marked
    row: list[list[str]]  # remaining blocks, left to right
    park: list[str]  # park tiles in the order laid
    out: list[str]  # the tiles out of the game (FA-S2)
    scores: list[int]
    reserve: list[int]
    supply: list[int]
    central_park: list[int]  # buildings there, by player
    hands: list[list[Card]]  # without the cards on the table
    stacks: dict[str, list[int]]  # coloured stacks, top first
    black: list[BlackCard]  # black stack, top first
    phase: str  # open kind of decision, or OVER
    decider: int | None  # who decides; None when over
    active: int  # whose turn it is (PLACE: 0)
    placed: int = 0  # shops placed on lots since the start
    turn: int = 1
    turn_phase: int | None = None  # 1 or 3 while a MOVE or an auction is on
    shop: str | None = None  # kind taken by B, not yet placed
    auction: Auction | None = None
    box_buildings: list[int] = field(default_factory=list)  # by player, gone with closed districts (FA-73)
    box_shops: list[str] = field(default_factory=list)
    final: dict | None = None  # before, districts, park (section 10)


def full_options(options: dict) -> dict:
    """All options, the missing ones as their default (1.6)."""
    if not set(options) <= set(DEFAULT_OPTIONS):
        raise ValueError(f"unknown options: {sorted(set(options) - set(DEFAULT_OPTIONS))}")
    chosen = {**DEFAULT_OPTIONS, **options}
    if chosen["board"] not in (5, 6) or chosen["max_turns"] < 1:
        raise ValueError(f"options: {chosen}")
    return chosen


def placement_order(players: int) -> list[int]:
    """Counter-clockwise from player 0, then the reverse (FA-S9)."""
    first_round = [0, *range(players - 1, 0, -1)]
    return first_round + first_round[::-1]


def bare_game(players: int, options: dict) -> Game:
    """Nothing dealt, nothing on the board: the defaults of section 10."""
    if players not in (2, 3, 4):
        raise ValueError(f"players: {players}")
    chosen = full_options(options)
    return Game(
        players=players,
        options=chosen,
        city=empty_city(chosen["board"], rings_in_use(chosen["board"], chosen["rings"])),
        commissions=dict.fromkeys(COMMISSIONS, START),  # FA-S8
        markers={commission: [] for commission in COMMISSIONS},
        row=[],
        park=[],
        out=[],
        scores=[0] * players,
        reserve=[FIRST_RESERVE] * players,
        supply=[FIRST_SUPPLY] * players,
        central_park=[0] * players,
        hands=[[] for _ in range(players)],
        stacks={colour: [] for colour in COLOURS},
        black=[],
        phase=PLACE,
        decider=0,
        active=0,
        box_buildings=[0] * players,
    )


def new_game(players: int, options: dict, setup: dict) -> Game:
    """The game at its first PLACE decision (FA-S1 to FA-S8)."""
    game = bare_game(players, options)
    if game.options["rings"] == "random":  # FA-S1
        game.city.rings = rings_in_use(game.options["board"], setup["rings"])
    if setup["rings"] != game.city.rings:  # FA-R2
        raise ValueError("the rings of the setup are not those of the options")
    for district in DISTRICTS:  # FA-S3
        kind, name = setup["shops"][district]
        if (game.options["board"] == 6) != (name == DASHED):
            raise ValueError(f"initial shop of {district} on {name}")
        game.city.lots[district][name].shops.append(kind)
    row = list(setup["row"])
    for size in ROW_BLOCKS:  # FA-S4
        game.row.append(row[:size])
        row = row[size:]
    game.out = list(setup["out"])
    for colour in COLOURS:  # FA-S6, FA-S7
        deck = list(setup["cards"][colour])
        for player in range(players):
            game.hands[player].append((colour, deck.pop(0)))
        game.stacks[colour] = deck
    deck = list(setup["cards"][BLACK])
    for player in range(players):
        game.hands[player] += [(BLACK, value) for value in deck[:4]]
        deck = deck[4:]
    game.black = [(value, FACE_DOWN) for value in deck]
    check_counts(game)
    return game


def check_counts(game: Game) -> None:
    """Asserts that every kind of piece sums to its printed count (1.1); only for games from a setup."""
    cards = Counter(card for hand in game.hands for card in hand)
    cards += Counter((colour, value) for colour in COLOURS for value in game.stacks[colour])
    cards += Counter((BLACK, value) for value, _ in game.black)
    if game.auction:
        cards += Counter(card for table in game.auction.table for card in table)
        cards += Counter((BLACK, value) for value in game.auction.egon or [])
    printed = {(colour, value): count for colour in COLOURS for value, count in COLOURED_COUNT.items()}
    printed |= {(BLACK, value): count for value, count in BLACK_COUNT.items()}
    assert dict(cards) == printed, cards
    lots = [lot for district in DISTRICTS for lot in game.city.lots[district].values()]
    shops = Counter(kind for lot in lots for kind in lot.shops)
    shops += Counter(kind for block in game.row for kind in block) + Counter([game.shop] if game.shop else [])
    shops += Counter(game.park) + Counter(game.out) + Counter(game.box_shops)
    assert dict(shops) == dict.fromkeys(KINDS, SHOPS_A_KIND), shops
    to_place = placement_order(game.players)[placed_buildings(game) :] if game.phase == PLACE else []
    for player in range(game.players):
        on_lots = sum(lot.buildings for lot in lots if lot.owner == player)
        off_lots = game.reserve[player] + game.supply[player] + game.central_park[player] + game.box_buildings[player]
        assert on_lots + off_lots + to_place.count(player) == BUILDINGS_A_PLAYER, (player, on_lots, off_lots)
        for district in DISTRICTS:  # FA-68
            assert sum(lot.owner == player for lot in game.city.lots[district].values()) <= 1, (player, district)
    assert all(not (lot.buildings and lot.shops) for lot in lots)
    assert all((lot.owner is NOBODY) == (lot.buildings == 0) for lot in lots)
    assert all(len(marked) <= MARKERS for marked in game.markers.values()), game.markers


def placed_buildings(game: Game) -> int:
    """Buildings on lots; during PLACE the number of placements done."""
    return sum(game.city.all_buildings(district) for district in DISTRICTS)


def sorted_hand(hand: list[Card]) -> dict[str, list[int]]:
    """A hand as in section 10: colour order, falling value, empty colours left out."""
    by_colour = {colour: sorted((v for c, v in hand if c == colour), reverse=True) for colour in CARD_COLOURS}
    return {colour: values for colour, values in by_colour.items() if values}


def common_state(game: Game) -> dict:
    """What everybody sees of board, supplies and turn: the same fields in a position and in a public view."""
    return {
        "lots": {d: {name: lot_code(lot) for name, lot in game.city.lots[d].items()} for d in DISTRICTS},
        "closed": list(game.city.closed),
        "commissions": dict(game.commissions),
        "markers": {commission: list(marked) for commission, marked in game.markers.items()},
        "row": [list(block) for block in game.row],
        "shop": game.shop,
        "placed": game.placed,
        "park": list(game.park),
        "scores": list(game.scores),
        "reserve": list(game.reserve),
        "supply": list(game.supply),
        "cp": list(game.central_park),
        "turn": game.turn,
        "phase": game.turn_phase,
        "auction": auction_as_data(game),
        "over": game.phase == OVER,
    }


def auction_as_data(game: Game) -> dict | None:
    """The running auction; nothing in it is hidden (FA-R20)."""
    auction = game.auction
    if auction is None:
        return None
    return {
        "commission": auction.commission,
        "initiator": auction.first,
        "left": list(auction.left),
        "where": auction.where,
        "table": [[list(card) for card in table] for table in auction.table],
        "standing": auction.standing,
        "leader": auction.leader,
        "passed": [player for player in range(game.players) if player not in auction.inside],
        "in": sorted(auction.inside),
        "cpcolour": auction.colour,
        "asked": auction.asked,
        "egon": None if auction.egon is None else list(auction.egon),
        "added": [list(card) for card in auction.added],
        "won": None if auction.won is None else list(auction.won),
    }


def decision_as_data(game: Game) -> dict | None:
    return None if game.phase == OVER else {"kind": game.phase, "player": game.decider}


def position_of(game: Game) -> dict:
    """The whole state, hidden things too."""
    state = common_state(game)
    state["hands"] = [sorted_hand(hand) for hand in game.hands]
    state["stacks"] = {colour: list(game.stacks[colour]) for colour in COLOURS}
    state["black"] = [f"{value}{face}" for value, face in game.black]
    state["out"] = list(game.out)
    state["box"] = {"buildings": list(game.box_buildings), "shops": sorted(game.box_shops, key=KINDS.index)}
    state["final"] = game.final and {step: list(points) for step, points in game.final.items()}
    options = dict(game.options)
    return {"players": game.players, "options": options, "state": state, "decision": decision_as_data(game)}


def public_of(game: Game, viewer: int) -> dict:
    """What `viewer` sees now (section 7): the open things, sizes of the hidden ones and his own hand."""
    seen = common_state(game)
    seen["decision"] = decision_as_data(game)
    seen["hand"] = sorted_hand(game.hands[viewer])
    seen["hand_sizes"] = [len(hand) for hand in game.hands]
    seen["stacks"] = {
        colour: {"top": game.stacks[colour][0] if game.stacks[colour] else None, "cards": len(game.stacks[colour])}
        for colour in COLOURS
    }
    faces = [face for _, face in game.black]
    above = faces.index(FACE_UP) if FACE_UP in faces else len(faces)
    seen["black"] = {"cards": len(faces), "above_face_up": above}
    return seen


def game_at(position: dict) -> Game:
    """The game of a position; missing fields of `state` have the defaults of section 10."""
    if not set(position) <= {"players", "options", "state", "decision"}:
        raise ValueError(f"position with {sorted(position)}")
    game = bare_game(position["players"], position["options"])
    state = dict(position["state"])
    if "rings" in state:  # FA-R2
        game.city.rings = rings_in_use(game.options["board"], state.pop("rings"))
    for district, codes in state.pop("lots", {}).items():
        for name, code in codes.items():
            if name not in game.city.lots[district]:
                raise ValueError(f"lot {district} {name}")
            game.city.lots[district][name] = lot_of_code(code)
    game.city.closed = list(state.pop("closed", []))
    game.commissions |= state.pop("commissions", {})
    game.markers |= {commission: list(marked) for commission, marked in state.pop("markers", {}).items()}
    game.row = [list(block) for block in state.pop("row", [])]
    game.shop = state.pop("shop", None)
    game.placed = state.pop("placed", 0)
    game.park = list(state.pop("park", []))
    game.scores = list(state.pop("scores", game.scores))
    game.reserve = list(state.pop("reserve", game.reserve))
    game.supply = list(state.pop("supply", game.supply))
    game.central_park = list(state.pop("cp", game.central_park))
    hands = state.pop("hands", [{} for _ in range(game.players)])
    game.hands = [[(colour, value) for colour, values in hand.items() for value in values] for hand in hands]
    game.stacks |= {colour: list(values) for colour, values in state.pop("stacks", {}).items()}
    game.black = [(int(card[:-1]), card[-1]) for card in state.pop("black", [])]
    game.turn = state.pop("turn", 1)
    game.turn_phase = state.pop("phase", None)
    game.out = list(state.pop("out", []))
    box = state.pop("box", {"buildings": game.box_buildings, "shops": []})
    game.box_buildings, game.box_shops = list(box["buildings"]), list(box["shops"])
    final = state.pop("final", None)
    game.final = final and {step: list(points) for step, points in final.items()}
    game.auction = auction_at(game.players, state.pop("auction", None))
    over = state.pop("over", False)
    if state:
        raise ValueError(f"unknown fields of a state: {sorted(state)}")
    read_decision(game, None if over else position["decision"])
    return game


def read_decision(game: Game, decision: dict | None) -> None:
    """Sets phase, decider and active player; the first player of an auction round is the active one."""
    if decision is None:
        game.phase, game.decider = OVER, None
        return
    if decision["kind"] not in PHASES:
        raise ValueError(f"decision {decision['kind']!r}")
    game.phase, game.decider = decision["kind"], decision["player"]
    if game.phase != PLACE:
        game.active = game.auction.first if game.auction else game.decider


def auction_at(players: int, data: dict | None) -> Auction | None:
    if data is None:
        return None
    data = {key: value for key, value in data.items() if key not in ("where", "in")}
    passed = data.pop("passed", [])
    won = data.pop("won", None)
    egon = data.pop("egon", None)
    auction = Auction(
        commission=data.pop("commission"),
        first=data.pop("initiator"),
        left=list(data.pop("left")),
        table=[[tuple(card) for card in table] for table in data.pop("table", [[] for _ in range(players)])],
        inside=[player for player in range(players) if player not in passed],
        standing=data.pop("standing", 0),
        leader=data.pop("leader", NOBODY),
        colour=data.pop("cpcolour", None),
        asked=data.pop("asked", 0),
        egon=None if egon is None else list(egon),
        added=[tuple(card) for card in data.pop("added", [])],
        won=tuple(won) if won else None,
    )
    if data:
        raise ValueError(f"unknown fields of an auction: {sorted(data)}")
    return auction
