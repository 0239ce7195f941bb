"""Properties of moves and observations over random positions, as far as they are this game's own."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from newyork_env.actions import DECK_TEXTS
from skyline.rng import streams
from tests.games.newyork.cases import GAME, PLAYERS, at
from tests.games.newyork.oracle import Oracle
from tests.games.newyork.oracle_city import (
    KIND,
    PRICE,
    SIDES,
    START,
    STREETS,
    City,
    majority_points,
    neighbour,
    street_length,
)
from tests.games.newyork.views import NEW_YORK, positions, public_part, whole_game
from tests.support.rule_cases import Core, Json, json_blocks, quick, sized
from tests.support.seeing import Values, decoded, heuristic_actions, index

(DATA,) = [block for block in json_blocks(GAME) if "data" in block]
TILES = DATA["tiles"]


def oracle_at(core: Core) -> Oracle:
    position = core.position()
    del position["scoring_places"]
    return Oracle.at(position)


# ---------------------------------------------------------------- moves


@quick
@given(positions())
def test_every_legal_action_has_one_text_and_comes_back_from_it(core: Core) -> None:
    """Text and action are each other's inverse among the legal ones; every action has some text."""
    s = core.states[0]
    texts = core.texts()
    assert len(set(texts)) == len(texts)
    assert [NEW_YORK.parse_move(s, text) for text in texts] == core.actions()
    size = NEW_YORK.actions(core.players).size
    for action in range(size):
        text = NEW_YORK.move_text(s, action)
        assert NEW_YORK.move_text(s, NEW_YORK.parse_move(s, text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "take", "take B0", "take  B1", "take G9 B9", "buy 4", "buy -1", "buy 01", "pay 0", "pay 10", "use 55", "use 0",
     "place 7", "at 0 1", "remove 11 0", "remove 0", "remove 0 -0", "remove +1 0", "reserve 1", "Pass", "dirk ",
     "overpay 0"],
)  # fmt: skip
def test_texts_that_are_no_moves_here(text: str) -> None:
    """A main decision: the error quotes the text."""
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        NEW_YORK.parse_move(at().states[0], text)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_setup_comes_back_from_its_data(players: int) -> None:
    core = Core.deal(GAME, players, 5)
    again = Core.start(GAME, players, json.loads(json.dumps(core.game.setup(core.states[0]))))
    assert again.position() == core.position()
    again.check()


@pytest.mark.parametrize("players", [2, 5])
def test_wrong_setups_are_refused(players: int) -> None:
    """Wrong cards, tiles, lengths, places of the scoring cards: the error says which."""
    given_setup = NEW_YORK.setup(Core.deal(GAME, players, 5).states[0])
    money, bag = given_setup["money"], given_setup["bag"]
    early = ["SA", *[card for card in money if card != "SA"]]
    late = [*[card for card in money if card != "SA"], "SA"]
    for wrong, match in (
        ({"money": money}, "the field 'bag' is missing"),
        ({"money": money[1:], "bag": bag}, "money"),
        ({"money": [*money[1:], "B10"], "bag": bag}, "one of B1, B2"),
        ({"money": [*money[1:-1], money[1], money[1]], "bag": bag}, "setup.money: there must be every card"),
        ({"money": early, "bag": bag}, "among the starting money"),
        ({"money": late, "bag": bag}, "SA stands at"),
        ({"money": money, "bag": [*bag[1:], bag[1]]}, "setup.bag: there must be every tile"),
        ({"money": money, "bag": [*bag[1:], 55]}, r"setup.bag\[53\]: a whole number 1 .. 54"),
    ):
        with pytest.raises(ValueError, match=match):
            Core.start(GAME, players, wrong)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"riddle": 1}, "no field 'riddle'"),
        ({"phase": "buy"}, "position.phase: one of main"),
        ({"seat": 3}, "seat"),
        ({"turns": 1000}, "the game is over"),
        ({"hands": [["B1"], []]}, "a list of 3"),
        ({"hands": [["SA"], [], []]}, r"position.hands\[0\]\[0\]: one of B1"),
        ({"deck": ["SB", "SA"]}, "SA above SB"),
        ({"deck": ["B1"] * 109}, "B1 109 times .there are 3"),
        ({"cities": [[[1, 0, 20], [2, 0, 22]], [], []], "depot": [None] * 4}, "NY-41"),
        ({"cities": [[[11, 0, 20]], [], []]}, "-10 .. 10"),
        ({"cities": [[[0, 0, 20]], [], []]}, "start tile"),
        ({"cities": [[[1, 0, 23], [0, 1, 23]], [], []]}, "tile 23 lies in another place"),
        ({"reserves": [[40], [40], []]}, "tile 40 lies in another place"),
        ({"dirk": [40]}, "two players"),
        ({"phase": "place"}, "nothing to place"),
        ({"phase": "put", "bought": [40], "tile": 41}, "not among the bought"),
        ({"phase": "put", "bought": [40]}, "tile"),
        ({"phase": "build", "tile": 40}, "not in the reserve"),
        ({"phase": "pay"}, "slot"),
        ({"phase": "pay", "slot": 0}, "cannot go on"),
        ({"phase": "pay", "slot": 0, "paid": [3, 5], "hands": [["B9"], [], []]}, r"paid\[1\]: a whole number 1 .. 3"),
        ({"phase": "over", "bought": [40]}, "nobody decides"),
        ({"phase": "place", "bought": [40], "exact": 0}, "position.exact: .*phase main"),
        ({"exact": 0}, "there is a tile in slot 0"),
        ({"exact": 0, "depot": [None, 14, 22, 31]}, "seat 0 has bought nothing"),
        ({"exact": 4, "bought": [40]}, r"position.exact: a whole number 0 \.\. 3"),
        ({"received": [[], [], []]}, "end of the game"),
        ({"scoring_places": {"SA": [0, 1]}}, "not in the deck"),
        ({"market": ["B1"]}, "a list of 4"),
        ({"scores": [0, 0, 245]}, r"position.scores\[2\]: a whole number 0 .. 244"),
    ],
)  # fmt: skip
def test_wrong_positions_are_refused(fields: Json, match: str) -> None:
    """The error says what does not fit."""
    position = {"players": 3, "market": ["B9", "G9", "Y9", "R9"], "depot": [7, 14, 22, 31], **fields}
    with pytest.raises(ValueError, match=match):
        Core.at(GAME, position)


# ---------------------------------------------------------------- observations


def public_of(core: Core, viewer: int) -> Json:
    """What Oracle.public says, less the turn numbers, which are compared as `turns_left`."""
    public = oracle_at(core).public(viewer)
    public["cities"] = [sorted(city) for city in public["cities"]]
    return {name: value for name, value in public.items() if name not in ("turns", "max_turns")}


@quick
@given(positions(over=True))
def test_the_observation_says_all_that_is_public(core: Core) -> None:
    """Decoded for every viewer it is the oracle's public view, and nothing of it is missing."""
    position = core.position()
    for viewer in range(core.players):
        values = decoded(core, viewer, "base")
        assert public_part(values, core.players, viewer, TILES) == public_of(core, viewer)
        assert values["turns_left"][0] == min(1000, position["max_turns"] - position["turns"])


@quick
@given(positions())
def test_the_mask_follows_from_the_deciders_observation(core: Core) -> None:
    """Equal observations of the decider are equal masks: the mask is built here from the observation alone."""
    seat = core.seat
    assert seat is not None
    public = public_part(decoded(core, seat, "base"), core.players, seat, TILES)
    hands = [public["hand"] if p == seat else [] for p in range(core.players)]
    fields = ("players", "phase", "seat", "market", "depot", "cities", "reserves", "bought", "received", "dirk",
              "scores", "slot", "paid", "exact", "tile")  # fmt: skip
    assert Oracle.at({**{name: public[name] for name in fields}, "hands": hands}).legal() == core.legal()


def type_counts(oracle: Oracle, tiles: list[int]) -> list[int]:
    return [sum(KIND[tile] == kind for tile in tiles) for kind in range(6)]


@quick
@given(positions(over=True))
def test_derived_slices_are_what_the_oracle_computes(core: Core) -> None:
    """Streets, types, margin, majorities at the next scoring, what a tile more would bring, what can be paid."""
    oracle, players = oracle_at(core), core.players
    cities = [[tile for tile in city.values() if tile != START] for city in oracle.cities]
    counts = [type_counts(oracle, tiles) for tiles in cities]
    counts += [type_counts(oracle, oracle.dirk)] if players == 2 else []
    out = [name not in oracle.deck for name in ("SA", "SB")]
    scoring = "C" if oracle.received is not None or all(out) else "B" if out[0] else "A"
    for viewer in range(players):
        values = decoded(core, viewer)
        order = [(viewer + j) % players for j in range(players)]
        assert values["street"].tolist() == [street_length(oracle.cities[p]) for p in order]
        assert values["types"][:players].tolist() == [counts[p] for p in order]
        assert values["types"][players:].tolist() == counts[players:]
        assert values["reserve_types"].tolist() == [type_counts(oracle, oracle.reserves[p]) for p in order]
        others = [score for p, score in enumerate(oracle.scores) if p != viewer]
        assert values["margin"][0] == oracle.scores[viewer] - max(others)
        assert "ABC"[int(np.argmax(values["scoring_next"]))] == scoring
        now = [
            [majority_points(scoring, kind, [c[kind] for c in counts])[p] for kind in range(6)] for p in range(players)
        ]
        assert values["major_now"].tolist() == [sum(now[p]) for p in order]
        for kind in range(6):
            more = [c[kind] + (p == viewer) for p, c in enumerate(counts)]
            gain = majority_points(scoring, kind, more)[viewer] - now[viewer][kind]
            assert values["type_gain"][kind] == gain
        bought = 0 if oracle.received is not None else oracle.depot.count(None)
        assert values["purchases"][0] == bought
        _check_money(values, oracle, viewer)


def _check_money(values: Values, oracle: Oracle, viewer: int) -> None:
    """`afford` by trying all sets of cards; `unseen` by counting."""
    hand = oracle.hands[viewer]
    for slot, tile in enumerate(oracle.depot):
        cards = [int(card[1]) for card in hand if card[0] == "BGYR"[slot]]
        least = _least_total(cards, PRICE[tile]) if tile is not None else None
        expected = [0, 0, -1] if tile is None or least is None else [1, int(least == PRICE[tile]), least - PRICE[tile]]
        assert values["afford"][slot].tolist() == expected
    seen = Counter(hand) + Counter(card for card in oracle.market if card)
    seen += Counter(f"{'BGYR'[oracle.slot or 0]}{value}" for value in oracle.paid)
    copies = 2 if oracle.players == 2 else 3
    for number, card in enumerate(DECK_TEXTS):
        if card[0] != "S":
            assert values["unseen"][number // 9, number % 9] == copies - seen[card]


def _least_total(cards: list[int], price: int) -> int | None:
    """The least sum of some cards that is at least the price."""
    sums = {0}
    for value in cards:
        sums |= {total + value for total in sums}
    return min((total for total in sums if total >= price), default=None)


def test_least_total_by_all_subsets() -> None:
    cards = [4, 4, 6, 9, 1]
    sums = {sum(some) for n in range(6) for some in combinations(cards, n)}
    for price in range(2, 14):
        assert _least_total(cards, price) == min(total for total in sums if total >= price)
    assert _least_total([1, 2], 4) is None


@quick
@given(positions())
def test_rich_slices_are_what_the_oracle_computes(core: Core) -> None:
    """`own_grid`; `cell_worth` of every free cell tried out in the oracle's city; 0 elsewhere."""
    oracle = oracle_at(core)
    for viewer in range(core.players):
        values, city = decoded(core, viewer), oracle.cities[viewer]
        assert np.array_equal(values["own_grid"], _grid(city))
        elsewhere = np.ones((21, 21), bool)
        if viewer == oracle.seat and oracle.phase in ("build", "put"):
            for text in core.texts():
                if text.startswith("at"):
                    x, y = map(int, text.split()[1:])
                    elsewhere[y + 10, x + 10] = False
                    if oracle.phase == "put":
                        found = _worth(values, city, (x, y), oracle.tile or START)
                        assert values["cell_worth"][y + 10, x + 10] == pytest.approx(found, abs=1)
        assert not values["cell_worth"][elsewhere].any()


def _worth(values: Values, city: City, cell: tuple[int, int], tile: int) -> float:
    """Of the tile in a free cell, in quarters of a point: its type, the street at the scorings to come, open sides."""
    streets = STREETS[tile]
    change = street_length({**city, cell: tile}) - street_length(city)
    open_sides = sum(side not in streets and neighbour(cell, side) not in city for side in SIDES)
    to_come = 3 - index(values["scoring_next"])
    return float(values["type_worth"][KIND[tile]] + 4 * (0.9 * to_come * change + 0.1 * open_sides))


@quick
@given(positions())
def test_the_heuristic_goes_by_the_worth_of_cells(core: Core) -> None:
    """Where it puts a tile nothing is worth more; a card is exact if a tile can be paid with it and not without."""
    if core.seat is None:
        return
    values = decoded(core, core.seat)
    (action,) = heuristic_actions(NEW_YORK, core.states, streams(1, 7))
    text = NEW_YORK.move_text(core.states[0], int(action))
    if text.startswith("at"):
        x, y = map(int, text.split()[1:])
        best = max(values["cell_worth"][int(b) + 10, int(a) + 10] for _, a, b in _cells(core))
        assert values["cell_worth"][y + 10, x + 10] >= best - 1
    for slot in np.flatnonzero(values["made_exact"]):
        bank = index(values["market"][slot, :4])
        assert values["depot"][bank, 0] == 1
        assert values["afford"][bank, 1] == 0


def _cells(core: Core) -> list[list[str]]:
    return [text.split() for text in core.texts() if text.startswith("at")]


def _grid(city: City) -> np.ndarray:
    grid = np.zeros((5, 15, 15), int)
    for (x, y), tile in city.items():
        if max(abs(x), abs(y)) <= 7:
            grid[:, y + 7, x + 7] = [1, *(side in STREETS[tile] for side in "NESW")]
    return grid


@pytest.mark.parametrize(
    ("players", "base", "rich"), [(2, 914, 2494), (3, 1023, 2603), (4, 1192, 2772), (5, 1361, 2941), (6, 1530, 3110)]
)
def test_how_long_the_observations_are(players: int, base: int, rich: int) -> None:
    """As the game's page says; that the slices fill them is in the contract."""
    table = NEW_YORK.observation(players)
    assert (table.size("base"), table.size("rich")) == (base, rich)


def test_every_position_of_a_game_keeps_the_caches() -> None:
    """Every cache equals its recomputation at every decision of a game that builds much."""
    for core in whole_game(3, 301)[:: sized(1, 9)]:
        core.check()
