"""Games that forced moves alone end: with `auto_forced` they begin and end in one step of a batch."""

from __future__ import annotations

from pathlib import Path

from tests.support.processes import TOY, checkout, copy_package, environment, run

PLAY = """
import itertools
import numpy as np
import skyline
from skyline.rng import following_seed

ROWS = 4


def seed_of(first, episode):
    for _ in range(episode):
        first = following_seed(first)
    return first


def same(history, state):
    row = history._up_to_date(None).row[0].copy()
    row.seat = state.seat  # of a game that was cut off
    return row.tobytes() == state.tobytes()


def forced_games(games, rng):
    games.reset(seed=1)
    firsts, found = games.seeds, 0
    for _ in range(20):
        before = games._rows.episodes.copy()
        actions = (games.action_mask * rng.random(games.action_mask.shape)).argmax(axis=1)
        _, _, ended, truncated, infos = games.step(actions)
        for row in range(ROWS):
            assert games.seeds[row] == seed_of(firsts[row], games._rows.episodes[row])
            assert same(games._histories.running(row), games.states[row])
            if ended[row] or truncated[row]:
                episode = infos["final_info"]["episode"][row]
                assert games.final_seeds[row] == seed_of(firsts[row], episode)
                assert games._rows.episodes[row] == episode + (games.autoreset == "same_step")
                assert same(games._histories.final(row), games.finals[row])
                moves = [entry["move"] for entry in games.final_history(row, 0)[1:]]
                if episode > before[row]:
                    assert ended[row] and moves and set(moves) == {"keep"}
                    found += 1
    return found


settings = itertools.product((("same_step", None), ("same_step", 0), ("next_step", None)), (None, 3))
for (autoreset, seat), max_cycles in settings:
    games = skyline.vector(
        "toy", ROWS, 3, history=True, auto_forced=True, autoreset=autoreset, seat=seat, max_cycles=max_cycles
    )
    found = forced_games(games, np.random.default_rng(1))
    assert found > 1, games
"""


def test_games_that_forced_moves_alone_end(tmp_path: Path) -> None:
    """In this toy game everybody has kept from the beginning where seat 0 starts: nobody has a choice there."""
    folder = checkout(tmp_path, packages=("skyline",))
    rules = copy_package(TOY, folder) / "rules.py"
    source = rules.read_text()
    assert source.count("s.toy_kept[:] = 0") == 1
    rules.write_text(source.replace("s.toy_kept[:] = 0", "s.toy_kept[:] = 1 if s.start == 0 else 0"))
    run(PLAY, environment(folder, cache=tmp_path / "cache", jit=False), folder)
