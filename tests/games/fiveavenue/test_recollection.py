"""The memory that the rules keep against the one computed anew from the movements, after every move of whole games."""

from __future__ import annotations

import numpy as np
import pytest

from skyline.rng import streams
from tests.games.fiveavenue.cases import BOARDS, PLAYERS
from tests.games.fiveavenue.recollection import Recollection
from tests.games.fiveavenue.views import FIFTH_AVENUE, deal
from tests.support.rule_cases import Core, sized
from tests.support.seeing import heuristic_actions


def compare(players: int, seed: int, board: int, random: bool, most: int = 10**6) -> int:
    """One game: the number of its moves."""
    core, rng, stream = deal(players, seed, board), np.random.default_rng(seed), streams(1, seed)
    books = Recollection(players, FIFTH_AVENUE.seen(None, -1, core.states[0], None))
    moves = 0
    while core.seat is not None and moves < most:
        before = core.states.copy()
        by_chance = random or moves % 3 == 0
        action = int(rng.choice(core.actions())) if by_chance else heuristic_actions(core.game, core.states, stream)[0]
        core.step(action)
        books.see(FIFTH_AVENUE.seen(before[0], action, core.states[0], None))
        moves += 1
        position = core.position()
        assert books.memory() == position["memory"], (players, seed, moves)
        for p, hand in enumerate(position["hands"]):
            held = sorted((c, v) for c, vs in hand.items() for v in vs)
            assert held == sorted(books.sure[p] + books.unseen[p])
    check_at_end(core)
    return moves


def check_at_end(core: Core) -> None:
    core.check()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_is_that_of_the_movements(players: int, board: int) -> None:
    for seed in range(sized(6, 1)):
        compare(players, seed, board, random=seed % 2 == 0, most=sized(10**6, 150))


def test_the_oldest_is_forgotten() -> None:
    """FA-M21: a hoard of shuffles, more than the state keeps."""
    shuffles = 0
    for seed in range(sized(40, 2)):
        core, rng = deal(2, seed), np.random.default_rng(seed)
        core.states["black_end"] = core.states["black_top"]
        core.states["black_above"], core.states["memory_unknown"] = 0, 0
        books = None
        while core.seat is not None:
            before, action = core.states.copy(), int(rng.choice(core.actions()))
            core.step(action)
            if core.states["memory_shuffles"][0] and books is None:
                books = before
            shuffles = max(shuffles, int(core.states["memory_shuffles"][0]))
    assert shuffles > 1
