"""The observation is the plain one, and all caches are their recomputation, move for move."""

from __future__ import annotations

import numpy as np
import pytest

from skyline.game import MEMORIES, RECALL, TABLE
from skyline.record import state_of
from skyline.rng import streams
from tests.games.manhattan.cases import GAME, PLAYERS
from tests.games.manhattan.plain_observe import plain_observation
from tests.games.manhattan.views import MANHATTAN
from tests.support.rule_cases import Core, sized
from tests.support.seeing import copy_of, decoded, heuristic_actions


def check_views(core: Core) -> None:
    """The caches, and every slice for every viewer."""
    core.check()
    for viewer in range(core.players):
        found, wanted = decoded(core, viewer, "base"), plain_observation(core.states[0], viewer)
        assert list(found) == list(wanted)
        for name, values in found.items():
            assert values.tolist() == np.reshape(wanted[name], values.shape).astype(int).tolist(), (name, viewer)


def check_game(players: int, seed: int, guided: bool, memory: int, every: int, moves: int = 1000) -> None:
    """A game after every move; after each `every` moves a deal and the position written and read, too."""
    core, luck, rng = Core.deal(GAME, players, seed), streams(1, seed), np.random.default_rng(seed)
    core.states["memory"] = memory
    name = next(name for name, value in MEMORIES.items() if value == memory)
    for number in range(moves):
        check_views(core)
        if core.seat is None:
            return
        if number % every == 0:
            check_views(copy_of(core, number // every % players, seed))
            check_views(Core(MANHATTAN, state_of(MANHATTAN, core.position(), memory=name)))
        is_guided = guided and number % 3 > 0
        core.step(heuristic_actions(MANHATTAN, core.states, luck)[0] if is_guided else int(rng.choice(core.actions())))


@pytest.mark.parametrize("guided", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_observations_are_the_plain_ones(players: int, guided: bool) -> None:
    check_game(players, 1, guided, RECALL, 16, sized(150, 20))


def test_observations_of_the_table_are_the_plain_ones() -> None:
    check_game(3, 2, False, TABLE, 16, sized(150, 20))


@pytest.mark.ci
@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize("players", PLAYERS)
def test_observations_of_many_games_are_the_plain_ones(players: int, memory: int) -> None:
    for seed in range(4):
        check_game(players, 3 + seed, seed % 2 == 0, memory, 5, sized(150, 20))
