"""Mask and observation are those of the plain twins after every move, for every seat."""

from __future__ import annotations

import numpy as np
import pytest

from fiveavenue_env.actions import TEXTS
from skyline.core import engine
from skyline.game import MEMORIES
from skyline.record import state_of
from skyline.rng import streams
from skyline.typing import Memory
from tests.games.fiveavenue.cases import bidding
from tests.games.fiveavenue.match import OPTIONS
from tests.games.fiveavenue.plain_moves import actions
from tests.games.fiveavenue.plain_observe import observation
from tests.games.fiveavenue.views import FIFTH_AVENUE, PLAYERS
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import decoded, determinized, heuristic_actions

FEW, MANY = 40, 7  # moves from one loaded position and one deal for each seat to the next


def dealt(players: int, seed: int, options: Json, memory: Memory) -> Core:
    """A new game with the memory."""
    states = FIFTH_AVENUE.blank(players, options, memory=memory)
    mask, rewards = engine.mask_array(FIFTH_AVENUE, players, 1), np.zeros((1, players), np.float32)
    seeds, rows = np.array([seed], np.uint64), np.zeros(1, np.int64)
    engine.kernels(FIFTH_AVENUE).begin_rows(states, seeds, rows, mask, rewards, False)
    return Core(FIFTH_AVENUE, states)


def check_views(core: Core) -> None:
    """Every slice for every viewer; the mask of the seat that decides."""
    assert sorted(TEXTS[action] for action in core.actions()) == sorted(actions(core.states[0]))
    for viewer in range(core.players):
        found = {name: values.reshape(-1).tolist() for name, values in decoded(core, viewer, "base").items()}
        assert list(found.items()) == list(observation(core.states[0], viewer).items())


def check_copies(core: Core, options: Json, memory: Memory, stream: int) -> None:
    """The position written and read, and a deal for each seat."""
    loaded = state_of(FIFTH_AVENUE, {**core.position(), "stream": 1}, options=options, memory=memory)
    check_views(Core(FIFTH_AVENUE, loaded))
    for viewer in range(core.players):
        check_views(Core(FIFTH_AVENUE, determinized(core, viewer, stream)))


def check_game(players: int, seed: int, options: Json, memory: Memory, every: int, moves: int = 10_000) -> None:
    """A game, half of its moves the heuristic's; after each `every` moves its copies, too."""
    core, rng, luck = dealt(players, seed, options, memory), np.random.default_rng(seed), streams(1, seed)
    for number in range(sized(moves, 40)):
        core.check()
        check_views(core)
        if number % every == seed % every:
            check_copies(core, options, memory, number)
        if core.seat is None:
            return
        by_chance = rng.random() < 0.5
        action = rng.choice(core.actions()) if by_chance else heuristic_actions(FIFTH_AVENUE, core.states, luck)[0]
        core.step(int(action))


@pytest.mark.parametrize("players", PLAYERS)
def test_views_are_those_of_the_plain_twins(players: int) -> None:
    """A game of each player count."""
    check_game(players, players, OPTIONS[0], "recall", FEW)


def test_views_of_forgetful_seats() -> None:
    check_game(3, 1, OPTIONS[1], "table", FEW, 100)


@pytest.mark.parametrize("options", OPTIONS[1:], ids=str)
def test_views_under_options(options: Json) -> None:
    check_game(2 + OPTIONS.index(options) % 3, 7, options, "recall", FEW, 60)


def test_views_of_positions_that_lack_cards() -> None:
    """What the other hands hold follows from what is seen, even where cards are nowhere."""
    core = bidding("brown 4", "violet 5 black 5", "grey 4", first=1)
    check_views(core)
    for move in ("add violet 5", "add black 5", "bid", "add grey 4"):
        if move in core.texts():
            core.play(move)
            check_views(core)


@pytest.mark.ci
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", PLAYERS)
def test_views_in_many_games(players: int, options: Json, memory: Memory) -> None:
    for seed in range(3):
        check_game(players, seed, options, memory, MANY)
