"""The examples for other libraries, each as a process in a short form; skipped where its library is not installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.processes import ROOT, environment

EXAMPLES = ROOT / "examples"
SHARE = re.compile(r"against random.*?: (\d+\.\d)% first places in (\d+) games")


def run(name: str, arguments: str, *modules: str, extra: str) -> str:
    """The output of an example."""
    for module in modules:
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed: pip install -e '.[{extra}]', or make test-examples")
    cache = os.environ.get("NUMBA_CACHE_DIR")
    variables = environment(ROOT, cache=Path(cache) if cache else None)
    command = [sys.executable, str(EXAMPLES / name), *arguments.split()]
    done = subprocess.run(command, env=variables, cwd=ROOT, text=True, capture_output=True, timeout=1200)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def shares(printed: str, games: int) -> list[float]:
    """The shares of first places, in per cent, in the matches of an example."""
    found = SHARE.findall(printed)
    assert {int(number) for _, number in found} == {games}
    return [float(share) for share, _ in found]


def cleanrl(arguments: str) -> str:
    return run("cleanrl_ppo.py", arguments, "torch", extra="train")


def test_cleanrl_reports_and_its_seed_reproduces(tmp_path: Path) -> None:
    short = f"--steps 6000 --games 100 --save {tmp_path / 'weights.pt'}"
    printed = cleanrl(short)
    before, after = shares(printed, 100)
    assert 35 < before < 65, "a policy that knows nothing plays like a random one"
    assert after > 35
    assert "steps 6,144  first places" in printed
    assert (tmp_path / "weights.pt").stat().st_size > 100_000
    again, other = cleanrl(short), cleanrl(f"{short} --seed 2")
    lines = [re.sub(r"\|.*", "", text) for text in (printed, again, other)]  # the lines without their times
    assert lines[0] == lines[1] != lines[2]


@pytest.mark.parametrize("opponent", ["self", "heuristic"])
def test_cleanrl_plays_other_games_and_opponents(opponent: str) -> None:
    printed = cleanrl(f"--game fifth_avenue --players 3 --opponent {opponent} --reward outcome --steps 2000 --games 30")
    assert len(shares(printed, 30)) == 2


@pytest.mark.slow
def test_cleanrl_learns() -> None:
    before, after = shares(cleanrl("--steps 150000 --games 400"), 400)
    assert before < 60
    assert after > 75


def test_sb3_trains_an_unmodified_maskable_ppo() -> None:
    printed = run("sb3_maskable_ppo.py", "--steps 4096", "sb3_contrib", "stable_baselines3", extra="train")
    before, _ = shares(printed, 1000)
    assert 42 < before < 58
    assert "after 0 steps" in printed
    assert "after 4,096 steps" in printed
    assert len((EXAMPLES / "sb3_maskable_ppo.py").read_text().splitlines()) < 30


def test_torchrl_collects_whole_games_of_legal_moves() -> None:
    printed = run("torchrl_collect.py", "--players 3 --frames 360 --batch 180", "torchrl", extra="examples")
    last = printed.splitlines()[-1]
    assert "360 legal moves, 4 games" in last  # 90 moves a game
    outcomes = [float(number) for number in re.findall(r"[+-]\d\.\d\d", last)]
    assert len(outcomes) == 3
    assert abs(sum(outcomes)) < 0.02
    assert any(outcomes)


def test_tianshou_learns_one_seat_through_its_wrapper() -> None:
    arguments = "--epochs 1 --epoch-moves 500 --envs 2 --games 50"
    assert len(shares(run("tianshou_dqn.py", arguments, "tianshou", extra="examples"), 50)) == 2


def test_rllib_trains_in_self_play() -> None:
    printed = run("rllib_ppo.py", "--iterations 1 --batch 240 --games 50", "ray", "tree", "torch", extra="rllib")
    before, _ = shares(printed, 50)
    assert 25 < before < 75
    moves = re.search(r"iteration 1 of 1: (\d+) moves", printed)
    assert moves is not None
    assert int(moves[1]) >= 240, "whole games"
