"""The AEC environment, for every game: seeds, and environments that do not disturb each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.playing import (
    FEW,
    FEWEST,
    GAME,
    advance,
    aec,
    decisions,
    fewest,
    raw,
    tables,
)


@tables
def test_the_same_seed_is_the_same_game(game: str, players: int) -> None:
    one, two = aec(game, players, seed=0), aec(game, players)
    two.reset(seed=99)
    advance(two, 20)
    two.reset(seed=0)
    assert raw(one) == raw(two)
    assert advance(one, 30, seed=1) == advance(two, 30, seed=1)
    assert raw(one) == raw(two)
    assert raw(aec(game, players, seed=1)) != raw(aec(game, players, seed=0))


@fewest
def test_reset_continues_the_chain(game: str, players: int) -> None:
    """reset() without a seed begins the next game of the chain, however the game before was played."""
    one, two = aec(game, players, seed=5), aec(game, players, seed=5)
    for moves in (0, 3, 10**9):
        advance(one, moves)
        one.reset()
        two.reset()
        assert raw(one) == raw(two) == raw(aec(game, players, seed=one.game_seed))
    assert one.game_seed not in (5, 6)


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError)])
def test_wrong_seeds_are_refused(seed: Any, error: type[Exception]) -> None:
    env = aec(GAME, FEW, seed=1)
    before = raw(env)
    with pytest.raises(error, match="seed"):
        env.reset(seed=seed)
    assert raw(env) == before


@fewest
def test_environments_without_seed_differ(game: str, players: int) -> None:
    one, two = aec(game, players), aec(game, players)
    one.reset()
    two.reset()
    assert one.game_seed != two.game_seed


def test_nothing_is_called_seed() -> None:
    """Some wrappers, such as Tianshou's, call env.seed(n) if the environment has an attribute `seed`."""
    assert not hasattr(aec(*FEWEST[0]), "seed")


@fewest
def test_interleaved_environments_do_not_interact(game: str, players: int) -> None:
    alone = []
    for seed in (1, 2):
        env = aec(game, players, seed=seed)
        advance(env, 40, seed)
        alone.append(raw(env))
    envs = [aec(game, players, seed=seed) for seed in (1, 2)]
    walks = [decisions(env, np.random.default_rng(seed), 40) for env, seed in zip(envs, (1, 2), strict=True)]
    for _ in zip(*walks, strict=False):
        pass
    for walk in walks:
        list(walk)
    assert [raw(env) for env in envs] == alone
