"""Observation, mask and caches after every move are what plain_observe.py says of the position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from skyline.core import engine
from skyline.game import RECALL, TABLE
from skyline.record import state_of
from skyline.rng import streams
from tests.games.newyork.cases import GAME, PLAYERS
from tests.games.newyork.plain_observe import plain_mask, plain_observation
from tests.games.newyork.views import NEW_YORK, positions
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, copies_of, observed

OPTIONS: list[Json] = [{}, {"overpay": False}, {"max_turns": 25}]


def compare(core: Core, viewers: Any) -> None:
    """The mask, and the observations of some seats, with the memory of the state."""
    position, recall = core.position(), bool(core.states["memory"][0] == RECALL)
    assert np.array_equal(core.mask[0], plain_mask(position, core.mask.shape[1]))
    for viewer in viewers:
        plain = plain_observation(position, viewer, recall)
        table, found = core.game.observation(core.players), observed(core, viewer, "base")
        assert found.shape == plain.shape
        differences = np.flatnonzero(found != plain)
        names = {name for name, part in table.offsets().items() for at in differences if part.start <= at < part.stop}
        assert not names, (names, viewer, position)


def play(players: int, seed: int, guided: bool, options: Json, most: int) -> None:
    """A game, or its first moves; all seats look at the table, some of them without memory."""
    core = Core.deal(GAME, players, seed, options)
    rng, stream, action = np.random.default_rng(seed), streams(1, seed), np.zeros(1, np.int64)
    kernels = engine.kernels(NEW_YORK)
    for move in range(most):
        core.states["memory"] = TABLE if move % 7 == 3 else RECALL
        compare(core, range(players))
        if move % 20 == 0:
            core.check()
        if core.seat is None:
            return
        policy = engine.HEURISTIC if guided and rng.integers(3) else engine.RANDOM
        kernels.choose_rows(core.states, core.mask, np.full(1, policy), stream, action)
        core.play_action(int(action[0]))


@pytest.mark.parametrize("players", PLAYERS)
def test_after_every_move(players: int) -> None:
    play(players, 10 + players, True, OPTIONS[players % 3], sized(400, 25))
    play(players, 20 + players, False, {"max_turns": 30}, sized(1000, 25))


@pytest.mark.ci
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("guided", [True, False])
@pytest.mark.parametrize("players", PLAYERS)
def test_after_every_move_of_whole_games(players: int, guided: bool, options: Json) -> None:
    for seed in range(2):
        play(players, 100 + seed, guided, options, 3000)


@quick
@given(positions(over=True), SEEDS)
def test_after_loading_and_dealing(core: Core, stream: int) -> None:
    """A loaded position, and copies in which everything unseen is dealt anew, with both kinds of memory."""
    loaded = Core(core.game, state_of(core.game, core.position()))
    loaded.check()
    compare(loaded, range(core.players))
    for memory in (RECALL, TABLE):
        core.states["memory"] = memory
        viewer = stream % core.players
        (copy,) = copies_of(core, viewer, stream)
        copy.check()
        compare(copy, range(core.players))
        assert np.array_equal(observed(copy, viewer), observed(core, viewer))
