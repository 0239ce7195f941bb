"""The ten most likely mistakes in observations and determinised copies, as far as they concern New York.

Each test fails when its mistake is made: `python -m tests.support.mutants new_york` makes them.
Mistake 7 (tiles of Palazzo, colour totals of Fifth Avenue) has nothing to be made with in this game.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from newyork_env.state import PHASE_PAY
from skyline.core import engine
from tests.games.newyork.cases import MARKET, RING, at, forgetful
from tests.games.newyork.views import KERNELS, NEW_YORK, positions, whole_game
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import check_rewards, copies_of, decoded, determinized, in_range, masks_of, observed


def test_mistake_01_a_copy_keeps_the_random_word() -> None:
    """Nothing hidden here can be told apart but the reshuffle: every copy has its own, none has that of the game."""
    discard = [f"{bank}{value}" for bank in "BG" for value in range(1, 9)]
    core = at(deck=[], discard=discard, stream=77)
    orders = []
    for rows in (core.states, *determinized(core, 0, stream=3, copies=20).reshape(-1, 1)):
        (event,) = Core(NEW_YORK, rows.copy()).play("take B9")
        assert sorted(event["order"]) == sorted(discard)
        orders.append(tuple(event["order"]))
    assert len(set(orders)) == len(orders)


def test_mistake_02_purchases_of_whole_games() -> None:
    """At every payment of some games, at the table; a blind deal leaves 39-44 % of them without a legal move."""
    payments = 0
    for players in (2, 4):
        for core in whole_game(players, 100 * players + 1)[:: sized(1, 3)]:
            if forgetful(core).states["phase"][0] == PHASE_PAY:
                payments += 1
                viewer = ((core.seat or 0) + 1) % players
                rows = determinized(core, viewer, payments, copies=sized(8, 3))
                assert masks_of(NEW_YORK, rows).any(axis=1).all()
    assert payments > sized(60, 15)


def test_mistake_03_another_hand_shows_through() -> None:
    """Seat 1 decides with one hand or another of as many cards: at the table the others observe the same."""
    cities = [[], RING, []]
    rich = at(seat=1, hands=[["B1"], ["B9", "G9"], []], cities=cities)
    poor = at(seat=1, hands=[["B1"], ["B1", "G1"], []], cities=cities)
    assert rich.texts() != poor.texts()
    assert not np.array_equal(observed(rich, 0), observed(poor, 0))  # who remembers knows every hand
    forgetful(rich), forgetful(poor)
    for viewer in (0, 2):
        assert np.array_equal(observed(rich, viewer), observed(poor, viewer))
    assert not np.array_equal(observed(rich, 1), observed(poor, 1))


def test_mistake_03_the_order_inside_hands_and_heaps_is_shown() -> None:
    """A hand, the discards, a reserve are sets: whatever their order was, the state is the same, byte for byte."""
    orders = ((["B1", "R7", "G3"], [40, 41], [50, 51]), (["G3", "R7", "B1"], [41, 40], [51, 50]))
    one, two = (
        at(2, hands=[cards, []], discard=cards, reserves=[tiles, []], dirk=heap, bag=[1, 2])
        for cards, tiles, heap in orders
    )
    assert one.states.tobytes() == two.states.tobytes()


# ---------------------------------------------------------------- mistake 4


def turned(position: Json) -> Json:
    """The same position with every seat one further on."""
    after = {key: position[key][-1:] + position[key][:-1] for key in ("hands", "cities", "reserves", "scores")}
    if position["received"] is not None:
        after["received"] = position["received"][-1:] + position["received"][:-1]
    seat = position["seat"]
    return {**position, **after, "seat": None if seat is None else (seat + 1) % position["players"]}


@quick
@given(positions())
def test_mistake_04_a_field_is_left_absolute(core: Core) -> None:
    """Turned with the table, the next seat observes exactly what the seat observed."""
    next_core = Core.at("new_york", turned(core.position()))
    for viewer in range(core.players):
        here, there = decoded(core, viewer), decoded(next_core, (viewer + 1) % core.players)
        for name in here:
            assert np.array_equal(here[name], there[name]), (name, here[name], there[name])


# ---------------------------------------------------------------- mistakes 5, 6


def test_mistake_05_unseen_cards_are_taken_for_public() -> None:
    """At the table the discards change places with hands and deck, the own hand and the market never do."""
    core = at(3, hands=[["B1", "B1"], ["G1", "G1"], ["Y1", "Y1"]], deck=["R1", "R1", "R1"], discard=["R2", "R2", "R2"])
    forgetful(core)
    seen: dict[str, set[str]] = {name: set() for name in ("hand", "deck", "discard")}
    for copy in copies_of(core, 0, 4, 40):
        position = copy.position()
        seen["hand"] |= set(position["hands"][1])
        seen["deck"] |= set(position["deck"])
        seen["discard"] |= set(position["discard"])
        assert (position["hands"][0], position["market"]) == (["B1", "B1"], MARKET)
    assert all(cards == {"G1", "Y1", "R1", "R2"} for cards in seen.values()), seen


@pytest.mark.parametrize("draws", [0, 1, 2, 4])
def test_mistake_06_scoring_cards_lie_anywhere(draws: int) -> None:
    """SA and SB stay in their ranges, are as likely at every place of them, and the range is cut by the cards drawn."""
    deck = ["B1", "B2", "G1", "SA", "G2", "Y1", "R3", "R4", "SB", "R5", "R6"]
    ranges = {"SA": [2, 5], "SB": [7, 9]}
    core = at(3, deck=deck[min(draws, 3) :] if draws < 4 else deck[4:], scoring_places={
        name: [max(low - draws, 0), high - draws] for name, (low, high) in ranges.items() if name != "SA" or draws < 4
    })  # fmt: skip
    found: dict[str, Counter[int]] = {"SA": Counter(), "SB": Counter()}
    copies = sized(3000, 200)
    for copy in copies_of(core, 0, 8, copies):
        position = copy.position()
        assert position["scoring_places"] == core.position()["scoring_places"]
        for name in found:
            if name in position["deck"]:
                found[name][position["deck"].index(name)] += 1
    for name, (low, high) in core.position()["scoring_places"].items():
        assert set(found[name]) == set(range(low, high + 1))
        share = copies / (high - low + 1)
        assert all(abs(n - share) < 5 * share**0.5 for n in found[name].values()), found
    assert ("SA" in core.position()["scoring_places"]) == (draws < 4)


@quick
@given(positions())
def test_mistake_06_ranges_of_real_games(core: Core) -> None:
    """They follow from the deal: piles of the deck, less the cards drawn since; observed as draws until the card."""
    position, deck = core.position(), core.position()["deck"]
    for number, name in enumerate(("SA", "SB")):
        fewest, most = decoded(core, 0)["scoring_due"][number]
        if name not in deck:
            assert (fewest, most) == (0, 0)
            assert name not in position["scoring_places"]
            continue
        low, high = position["scoring_places"][name]
        assert (fewest, most) == (low + 1, high + 1)
        assert low <= deck.index(name) <= high
        width = len(core.game.setup(core.states[0])["money"])  # the deck as dealt: never shuffled yet
        assert high - low <= (width - 2) // 5 + 1


# ---------------------------------------------------------------- mistakes 8, 9, 10


@quick
@given(positions())
def test_mistake_08_cards_laid_are_counted_twice(core: Core) -> None:
    """Unseen + own hand + market + laid are all cards, and nobody holds what is laid."""
    values, cards = decoded(core, core.seat or 0), {2: 72}.get(core.players, 108)
    market = (values["market"][:, 4] > 0).sum()
    known = values["hand"].sum() + market + values["pay_laid"].sum()
    assert values["unseen"].sum() + known == cards
    for viewer in range(core.players):
        values = decoded(core, viewer)
        assert values["hand_size"][0] == values["hand"].sum()
        out = values["scoring_out"].sum()
        assert values["hand_size"].sum() + market + values["piles"][:2].sum() == cards + 2 - out
        assert values["hand_sum"].tolist() == (values["hand"] * np.arange(1, 10)).sum(axis=1).tolist()


def test_mistake_08_laid_cards_leave_the_hand() -> None:
    """The mover's hand, sums and `afford` are those of the cards not laid."""
    core = at(depot=[43, 14, 22, 31], hands=[["B5", "B5", "B2"], [], []])
    core.play_all(["buy 0", "pay 5"])
    values = decoded(core, 0)
    assert values["hand"][0].tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert (values["hand_sum"][0], values["hand_size"][0]) == (7, 2)
    assert values["afford"][0].tolist() == [0, 0, -1]
    assert (values["pay_missing"][0], values["pay_last"][0], values["pay_laid"][4]) == (7, 5, 1)
    assert values["unseen"][0].tolist() == [3, 2, 3, 3, 1, 3, 3, 3, 2]  # B9 lies in the market


def test_mistake_09_only_the_mover_is_paid() -> None:
    """A scoring card in a seat's refill pays every seat; over a game the rewards are the scores, outcomes sum to 0."""
    core = at(3, cities=[[], [[0, 1, 44]], [[1, 0, 53]]], deck=["SA", "B1", "B2"])
    rewards = np.zeros((1, 3), np.float32)
    KERNELS.step_some(core.states, np.zeros(1, np.int64), np.array([0]), core.mask, rewards, engine.SCORE)
    assert rewards.tolist() == [[0, 3 + 3, 3]]
    for players in (2, 4):
        check_rewards(Core.deal("new_york", players, 8))


def test_mistake_10_small_integers_wrap() -> None:
    """Sums of a bank above 127, hands of 108 cards, scores above 255, negative coordinates."""
    hand = [f"{bank}{value}" for bank in "BGYR" for value in range(1, 10)]
    everything = [card for card in hand for _ in range(3)]
    core = at(3, hands=[everything, [], []], market=[None] * 4, deck=[], scores=[0, 244, 200])
    values = decoded(core, 0)
    assert values["hand_sum"].tolist() == [135] * 4
    assert (values["hand_size"][0], values["margin"][0]) == (108, -244)
    assert values["scores"].tolist() == [0, 244, 200]
    over = decoded(at(phase="over", scores=[0, 435, 300]), 0)
    assert (over["scores"].tolist(), over["margin"][0]) == ([0, 435, 300], -435)
    assert len([text for text in core.texts() if text.startswith("buy")]) == 4
    column = [[0, -i - 1, tile] for i, tile in enumerate([7, 14, 22, 23, 31, 32, 39, 42, 50, 53])]
    low = decoded(at(cities=[column, [], []], depot=[None] * 4), 1)
    assert low["tile_y"][53 - 1] == -10
    assert low["tile_x"].tolist() == [0] * 54


@quick
@given(positions(over=True))
def test_mistake_10_values_leave_the_stated_range(core: Core) -> None:
    """Every value lies in the range of its slice; one-hot slices are categories, never numbers."""
    for viewer in range(core.players):
        values = in_range(core, viewer)
        for name in ("to_move", "phase", "pay_slot", "scoring_next"):
            assert values[name].sum() <= 1
        assert values["scoring_next"].sum() == 1
        assert (values["depot"][:, 1:7].sum(axis=1) == values["depot"][:, 0]).all()
        assert (values["market"][:, :4].sum(axis=1) == (values["market"][:, 4] > 0)).all()
