"""Properties of moves and observations over random positions, as far as they are this game's own."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiveavenue_env.actions import FIRST_B, FIRST_SHOP
from fiveavenue_env.state import PHASE_SHOP, PHASE_TURN
from skyline.core import engine
from skyline.rng import streams
from tests.games.fiveavenue.cases import ALL_CARDS, BOARDS, COLOURS, DISTRICTS, KINDS, LOTS, PLAYERS
from tests.games.fiveavenue.oracle import ACTION_INDEX, Oracle
from tests.games.fiveavenue.views import (
    CARD_COLOURS,
    FIFTH_AVENUE,
    MAX_TURNS,
    deal,
    options_of,
    positions,
    public_part,
    reduced,
)
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, Values, decoded, heuristic_actions, index, observed


def oracle_of(core: Core) -> Oracle:
    """The oracle in the core's position; `added` is what the core has of the cards of a begun raise: the last ones."""
    position = core.position()
    left_out = ("players", "decision", "action", "auction", "memory")
    state = {name: value for name, value in position.items() if name not in left_out}
    auction = position["auction"]
    if auction is not None:
        colour, black = auction["last"]
        cards = auction["table"][position["decision"]["player"]]
        own = [name for name, _ in cards if name != "black"]
        added = ([[own[0], colour]] if colour else []) + ([["black", black]] if black else [])
        auction = {name: value for name, value in auction.items() if name != "last"}
        auction = {**auction, "added": added, "egon": auction["egon"] or None}
        if core.players > 2:
            auction["asked"] = 0
    state["auction"] = auction
    return Oracle.at({
        "players": core.players, "options": options_of(core), "state": state, "decision": position["decision"],
    })  # fmt: skip


# ---------------------------------------------------------------- moves


@quick
@given(positions(over=True))
def test_every_action_has_one_text_and_comes_back_from_it(core: Core) -> None:
    """Text and action are each other's inverse, in every position, and those of section 9."""
    s, size = core.states[0], FIFTH_AVENUE.actions(core.players).size
    texts = [FIFTH_AVENUE.move_text(s, action) for action in range(size)]
    assert texts == list(ACTION_INDEX) and size == 148
    assert [FIFTH_AVENUE.parse_move(s, text) for text in texts] == list(range(size))


@quick
@given(positions(over=True))
def test_cards_shops_and_caches_hold(core: Core) -> None:
    """Every card is somewhere once, shops as printed until a district is closed, every cache its recomputation."""
    core.check()
    position = core.position()
    found = [(c, v) for cards in position["hands"] for c, vs in cards.items() for v in vs]
    found += [(c, v) for c, values in position["stacks"].items() for v in values]
    found += [("black", int(code[0])) for code in position["black"]]
    if position["auction"] is not None:
        found += [tuple(card) for cards in position["auction"]["table"] for card in cards]
        found += [("black", v) for v in position["auction"]["egon"] or []]
    assert Counter(found) == Counter(ALL_CARDS)
    kinds = Counter(k for lots in position["lots"].values() for code in lots.values() for k in code.split("+"))
    kinds += Counter(k for block in position["row"] for k in block) + Counter(position["park"] + position["out"])
    kinds += Counter([position["shop"]])
    for kind in KINDS:
        assert kinds[kind] <= 9 if position["closed"] else kinds[kind] == 9


@quick
@given(positions())
def test_the_largest_numbers_of_section_11_hold(core: Core) -> None:
    """Legal moves at once, hands, stacks, auctions of a round."""
    most = {"PLACE": 35, "TURN": 7, "SHOP": 42, "TAKE": 10, "MOVE": 6, "BID": 16, "BUILD": 5}
    position = core.position()
    assert 1 <= len(core.actions()) <= most[position["decision"]["kind"]]
    assert len(position["closed"]) <= 1
    assert all(len(marked) <= 3 for marked in position["markers"].values())
    assert max(position["reserve"] + position["cp"]) <= 15
    assert all(len(stack) <= 12 for stack in position["stacks"].values())


# ---------------------------------------------------------------- observations


@quick
@given(positions(over=True))
def test_the_observation_says_all_that_is_public(core: Core) -> None:
    """Decoded for every viewer it is the oracle's public view, and nothing of it is missing."""
    oracle = oracle_of(core)
    for viewer in range(core.players):
        found = public_part(decoded(core, viewer), core.players)
        assert found == reduced(oracle.public(viewer), viewer, core.position(), MAX_TURNS)


@quick
@given(positions())
def test_the_mask_follows_from_what_the_decider_observes(core: Core) -> None:
    """The oracle's moves with every other hand empty, of the stacks the tops alone and no black card."""
    oracle = oracle_of(core)
    for seat, hand in enumerate(oracle.game.hands):
        if seat != core.seat:
            hand.clear()
    oracle.game.stacks = {colour: cards[:1] for colour, cards in oracle.game.stacks.items()}
    oracle.game.black, oracle.game.out = [], []
    assert oracle.legal() == core.legal()


@quick
@given(positions(over=True))
def test_derived_slices_are_what_the_rules_say(core: Core) -> None:
    """Lots, districts, points, cards unseen, colours and sums: from the oracle and by hand."""
    oracle, position = oracle_of(core), core.position()
    city = oracle.game.city
    for viewer in range(core.players):
        values = decoded(core, viewer)
        _check_lots(values, oracle, position)
        for j in range(core.players):
            seat = (viewer + j) % core.players
            points = [0 if d in city.closed else city.district_score(d, seat) for d in DISTRICTS]
            assert values["district_points"][j].tolist() == points
            assert values["districts"][j] == sum(city.buildings(d, seat) > 0 for d in DISTRICTS)
            assert values["final_now"][j] == core.scores[seat] + sum(points)
        others = core.scores[:viewer] + core.scores[viewer + 1 :]
        assert values["margin"][0] == core.scores[viewer] - max(others)
        placed = position["placed"]
        assert values["bonus_in"][0] == (min(n for n in (3, 6, 9) if n > placed) - placed if placed < 9 else 0)
        _check_unseen(values, position, viewer)
        _check_colours(values, oracle, core, viewer)


def _check_lots(values: Values, oracle: Oracle, position: Json) -> None:
    city = oracle.game.city
    for i, district in enumerate(DISTRICTS):
        there = district in city.open_districts()
        assert values["full"][i] == (there and city.is_full(district))
        for k, name in enumerate(LOTS):
            code = position["lots"][district].get(name)
            on_board = there and code is not None
            beside = [False] * 4
            if on_board:
                ring = city.rings[district]
                near = [ring[ring.index(name) - 1], ring[(ring.index(name) + 1) % len(ring)]]
                beside = [any(kind in position["lots"][district][n].split("+") for n in near) for kind in KINDS]
            assert values["beside"][:, i, k].tolist() == beside
            buildable = on_board and name != "dashed" and (code == "" or ":" in str(code))
            assert values["lot_points"][i, k] == (city.building_points(district, name) if buildable else 0)
            assert values["empty"][i, k] == (on_board and name != "dashed" and code == "")


def _check_unseen(values: Values, position: Json, viewer: int) -> None:
    open_cards = Counter((c, v) for c, vs in position["hands"][viewer].items() for v in vs)
    open_cards.update((c, cards[0]) for c, cards in position["stacks"].items() if cards)
    auction = position["auction"]
    if auction is not None:
        open_cards.update(tuple(card) for cards in auction["table"] for card in cards)
        open_cards.update(("black", v) for v in auction["egon"] or [])
    unseen = Counter(ALL_CARDS) - open_cards
    for i, colour in enumerate(CARD_COLOURS):
        assert values["unseen"][i].tolist() == [unseen[colour, v] for v in (4, 5, 6)]
        held = sum(len(hand.get(colour, [])) for p, hand in enumerate(position["hands"]) if p != viewer)
        assert values["others"][i] == held


def _check_colours(values: Values, oracle: Oracle, core: Core, viewer: int) -> None:
    """`allowed` and `reach` of a viewer who has not passed, deciding or not."""
    auction = oracle.game.auction
    if oracle.phase != "BID" or auction is None or viewer not in auction.inside:
        assert not values["allowed"].any() and not values["reach"].any()
        return
    oracle.game.decider = viewer
    allowed = oracle._allowed_colours()
    oracle.game.decider = core.seat
    hand, table = oracle.game.hands[viewer], auction.table[viewer]
    for i, colour in enumerate(COLOURS):
        assert values["allowed"][i] == (colour in allowed)
        total = sum(v for c, v in hand if c in (colour, "black")) + sum(v for _, v in table)
        assert values["reach"][i] == (total if colour in allowed else 0)


@pytest.mark.parametrize(("players", "base", "rich"), [(2, 1067, 1118), (3, 1128, 1179), (4, 1237, 1288)])
def test_how_long_the_observations_are(players: int, base: int, rich: int) -> None:
    """As the game's page says; that the slices fill them is in the contract."""
    table = FIFTH_AVENUE.observation(players)
    assert (table.size("base"), table.size("rich")) == (base, rich)


@quick
@given(positions(over=True))
def test_every_value_is_written(core: Core) -> None:
    """Whatever the vector held before, it is the same afterwards."""
    for seat in range(core.players):
        dirty = engine.observation_array(FIFTH_AVENUE, core.players, features="rich")
        dirty[:] = 77
        engine.kernels(FIFTH_AVENUE).observe_some(
            core.states, np.zeros(1, np.int64), np.full(1, seat), dirty, engine.NO_SCALES
        )
        assert np.array_equal(dirty[0], observed(core, seat))


@quick
@given(positions())
def test_the_worth_of_winning_is_zero_where_the_seat_cannot_win(core: Core) -> None:
    """`win_value`: only in colours in which the viewer can beat the standing bid."""
    for viewer in range(core.players):
        values = decoded(core, viewer)
        hopeless = values["reach"] <= values["standing"][0]
        assert not values["win_value"][hopeless].any()


@quick
@given(positions())
def test_the_worth_of_shops_is_what_the_heuristic_goes_by(core: Core) -> None:
    """`shop_gain` and `best_gain`: 0 but at SHOP and TURN; the heuristic takes a lot, or a kind, of the highest."""
    while core.seat is not None and core.states["phase"][0] not in (PHASE_SHOP, PHASE_TURN):
        core.play_action(int(np.flatnonzero(core.mask[0])[0]))
    if core.seat is None:
        return
    values = decoded(core, core.seat)
    gains, kinds = values["shop_gain"].ravel(), values["best_gain"]
    (action,) = heuristic_actions(FIFTH_AVENUE, core.states, streams(1, 7))
    if core.states["phase"][0] == PHASE_SHOP:
        legal = core.mask[0, FIRST_SHOP : FIRST_SHOP + len(gains)] != 0
        assert gains[action - FIRST_SHOP] >= gains[legal].max() - 1
        assert not gains[~legal].any()
        assert not kinds.any()
    else:
        legal = core.mask[0, FIRST_B : FIRST_B + len(kinds)] != 0
        assert not gains.any()
        if FIRST_B <= action < FIRST_B + len(kinds):
            assert kinds[action - FIRST_B] >= kinds[legal].max() - 1


@quick
@given(st.sampled_from(PLAYERS), st.sampled_from(BOARDS), SEEDS)
def test_the_heuristic_plays_legal_moves_to_the_end(players: int, board: int, seed: int) -> None:
    core, stream = deal(players, seed, board), streams(1, seed)
    for _ in range(sized(2000, 60)):
        if core.seat is None:
            break
        (action,) = heuristic_actions(FIFTH_AVENUE, core.states, stream)
        assert core.mask[0, action]
        core.play_action(action)
    assert core.seat is None or sized(0, 1)
    assert index(decoded(core, 0)["start"]) == 0
