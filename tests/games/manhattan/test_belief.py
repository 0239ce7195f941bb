"""Deals that a perfect memory draws (MH-M18 .. MH-M21): none contradicts what was seen, and how often each comes.

Exact frequencies: with 2 players, and before the first reshuffle with any number. After a reshuffle with 3 or 4 players
the distance from the exact belief is bounded here and measured by distance.py.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from tests.games.manhattan.beliefs import Belief, Hands
from tests.games.manhattan.cases import PLAYERS
from tests.games.manhattan.memory_cases import MANHATTAN, memory_cases, watched_game
from tests.games.manhattan.test_memory import reached
from tests.games.manhattan.views import played, positions, remembered_by_all, without_memory
from tests.support.rule_cases import Core, quick, sized
from tests.support.seeing import SEEDS, copies_of, copy_of, determinized, observed

COPIES = sized(4000, 300)
DISTANCE = 0.12  # total variation that is allowed after a reshuffle with 3 or 4 players, beyond that of the sampling


def found_in(rows: np.ndarray, belief: Belief) -> Counter[Hands]:
    return Counter(tuple(tuple(map(int, row["hands"][other])) for other in belief.others) for row in rows)


def chi_square(found: Counter[Hands], chances: dict[Hands, Fraction]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; cells of which less than five are expected are one cell."""
    copies, rest_found, rest_expected = sum(found.values()), 0.0, 0.0
    cells = []
    for hands, chance in chances.items():
        if (expected := float(copies * chance)) >= 5:
            cells.append((found[hands], expected))
        else:
            rest_found, rest_expected = rest_found + found[hands], rest_expected + expected
    if rest_expected >= 5:
        cells.append((rest_found, rest_expected))
    return sum((number - expected) ** 2 / expected for number, expected in cells), len(cells) - 1


def check_frequencies(core: Core, belief: Belief, copies: int, stream: int) -> None:
    """No deal is impossible; in games where drawing is exact the frequencies pass a chi-square test, in others the
    distance is small."""
    chances = belief.chances()
    found = found_in(determinized(core, belief.seat, stream, copies), belief)
    assert set(found) <= set(chances)
    if core.players == 2 or not core.states["memory_shuffles"][0]:
        statistic, freedom = chi_square(found, chances)
        assert statistic < freedom + 6 * (2 * max(freedom, 1)) ** 0.5 + 8, (statistic, freedom)
    elif copies >= 1000:
        distance = sum(abs(found[hands] / copies - float(chance)) for hands, chance in chances.items()) / 2
        noise = sum((float(chance * (1 - chance)) / copies / 6.28) ** 0.5 for chance in chances.values())
        assert distance < DISTANCE + 1.5 * noise, (distance, noise)


@pytest.mark.parametrize("with_discards", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_deals_come_as_often_as_they_should(players: int, with_discards: bool) -> None:
    """Small games to their end, with up to three reshuffles; every joint hand is enumerated."""
    for seed in range(sized({2: 8, 3: 4, 4: 1}[players], 1)):
        for number, watched in enumerate(watched_game(players, seed, with_discards)):
            if number % sized(3, 6) == 0:
                for belief in watched.beliefs.values():
                    check_frequencies(watched.core, belief, COPIES, seed + number)


# (players, seed, moves, seat, deals, bound): where a wrong chance shows most, at a distance of 0.12 and 0.24
TELLING = [(2, 19, 4, 0, sized(20000, 700), 0.05), (3, 5, 9, 1, sized(20000, 300), 0.12)]


@pytest.mark.parametrize(("players", "seed", "moves", "seat", "copies", "bound"), TELLING)
def test_deals_come_as_they_should_where_a_wrong_chance_shows_most(
    players: int, seed: int, moves: int, seat: int, copies: int, bound: float
) -> None:
    """MH-M19: each card of a hand may be the one drawn last. MH-M20: a replay weighs what it was expected to show."""
    for number, watched in enumerate(watched_game(players, seed)):
        if number == moves:
            belief = watched.beliefs[seat]
            found = found_in(determinized(watched.core, seat, 6, copies), belief)
            chances = belief.chances()
            assert sum(abs(found[hands] / copies - float(chance)) for hands, chance in chances.items()) / 2 < bound
            return
    raise AssertionError("the game is shorter")


@pytest.mark.parametrize("name", [name for name, case in memory_cases().items() if "chances" in case["expect"]])
def test_deals_of_the_memory_cases_have_their_chances(name: str) -> None:
    """The fractions of RULES.md, among many deals."""
    case = memory_cases()[name]
    core = reached(case)
    for ask in case["expect"]["chances"]:
        if ask.get("before_draw"):
            continue
        rows = determinized(core, ask["seat"], stream=3, copies=COPIES)
        holds = np.ones(COPIES, bool)
        for seat, cards in ask["hands"].items():
            for card, number in Counter(cards).items():
                holds &= rows["hands"][:, int(seat), card] >= number
        chance = float(Fraction(ask["chance"]))
        exact = core.players == 2 or not core.states["memory_shuffles"][0]
        assert abs(holds.mean() - chance) <= 4.5 * (chance * (1 - chance) / COPIES) ** 0.5 + (0 if exact else 0.06)


# ---------------------------------------------------------------- what a deal keeps, and what it depends on


@quick
@given(positions(over=True), SEEDS)
def test_a_deal_keeps_all_that_the_seat_knows(core: Core, stream: int) -> None:
    """Piles, plays, own hands at the reshuffles; the whole of it is a state that could be (MH-M18)."""
    for viewer in range(core.players):
        copy = copy_of(core, viewer, stream)
        copy.check()
        assert remembered_by_all(copy.position(), viewer) == remembered_by_all(core.position(), viewer)
        assert MANHATTAN.knowledge(copy.states[0], viewer) == MANHATTAN.knowledge(core.states[0], viewer)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_deal_agrees_with_what_is_sure(players: int) -> None:
    """Many deals at many moments of whole games."""
    for decisions in range(8, 90, sized(3, 40)):
        core = played(players, decisions, decisions)
        for viewer in range(players):
            sure = MANHATTAN.knowledge(core.states[0], viewer)["sure"]
            rows = determinized(core, viewer, decisions, copies=sized(50, 2))
            for other, cards in sure.items():
                for card, number in Counter(cards).items():
                    assert (rows["hands"][:, int(other), card] >= number).all()


@quick
@given(positions(over=True), SEEDS)
def test_a_deal_depends_on_the_stream_and_on_what_the_seat_knows_alone(core: Core, stream: int) -> None:
    """Two states that differ in what the seat cannot know give the same deal, byte for byte; with either memory."""
    for game in (core, without_memory(core)):
        for viewer in range(core.players):
            other = copy_of(game, viewer, stream ^ 1)
            assert determinized(game, viewer, stream).tobytes() == determinized(other, viewer, stream).tobytes()


@quick
@given(positions(), SEEDS)
def test_the_deal_of_a_deal_is_one_of_the_same_deals(core: Core, stream: int) -> None:
    """Dealt for one seat, then for another and for the first again: still all that this seat knows."""
    first, second = 0, core.players - 1
    once = copy_of(core, first, stream)
    again = copy_of(copy_of(once, second, stream), first, stream)
    again.check()
    assert np.array_equal(observed(copy_of(once, first, stream ^ 1), first), observed(core, first))
    assert remembered_by_all(copy_of(once, first, 5).position(), first) == remembered_by_all(core.position(), first)


@pytest.mark.parametrize("players", PLAYERS)
def test_others_remember_other_hands_in_every_deal(players: int) -> None:
    """MH-M18: private memory is dealt anew; with two players the hands at a reshuffle are known to both."""
    core = played(players, 5, 75)
    held = core.position()["memory"][-1]["held"]
    found = {json_text(copy.position()["memory"][-1]["held"][1]) for copy in copies_of(core, 0, 4, copies=20)}
    assert (found == {json_text(held[1])}) == (players == 2)
    for copy in copies_of(core, 0, 4, copies=5):
        assert copy.position()["memory"][-1]["held"][0] == held[0]


def json_text(hand: list[int]) -> str:
    return " ".join(map(str, hand))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_of_the_deck_is_open(players: int) -> None:
    """Every card of the deck comes to its top, and as often as the deck of the deal has it."""
    core = played(players, 5, 20)
    rows = determinized(core, 1, 8, copies=COPIES)
    left = len(core.position()["deck"])
    expected, top = np.zeros(9), np.zeros(9)
    for card in range(9):
        expected[card] = (rows["deck"][:, :left] == card).sum() / left
        top[card] = (rows["deck"][:, 0] == card).sum()
    assert ((top - expected) ** 2 / np.maximum(expected, 1)).sum() < 42.7  # chi-square of 8, once in 10^6
