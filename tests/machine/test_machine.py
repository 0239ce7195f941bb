"""The short form of the state machine test, which must also find faults that are planted into the environments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skyline.envs.aec import TurnBasedEnv
from skyline.envs.handout import Handout
from skyline.envs.rows import Rows
from skyline.envs.undo import Undo
from skyline.envs.vector import VectorGames
from tests.machine import sequences
from tests.machine.run import data, where
from tests.machine.sequences import play, sequence, shrunk
from tests.machine.worlds import tables, toy_game
from tests.support.playing import FEW, GAME, NAMES
from tests.support.processes import ROOT, _heed_ctrl_c

SHORT = 30  # sequences of each game
MOST = 240  # a planted fault must be found within that many sequences


@pytest.mark.parametrize("game", [pytest.param(name, marks=[] if name == GAME else pytest.mark.ci) for name in NAMES])
def test_refused_calls_change_nothing_and_valid_ones_are_repeatable(game: str) -> None:
    play_all([table for table in tables() if table[0] == game])


@pytest.mark.ci
def test_the_same_with_the_toy_game() -> None:
    with toy_game():
        play_all([table for table in tables() if table[0] not in NAMES])


def play_all(of: list[tuple[str, int]]) -> None:
    refusals = 0
    for number in range(SHORT):
        played = play(sequence(5, number, of))
        refusals += played.refusals
        assert not played.said, f"{shrunk(sequence(5, number, of))}\n{played.said}"
    assert refusals > SHORT, "hardly a call was refused"


# ---------------------------------------------------------------- planted faults


def no_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Undo, "__exit__", lambda self, *error: None)


def a_row_is_taken_by_a_refused_step(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = TurnBasedEnv._refuse

    def taking(self: TurnBasedEnv, action: Any) -> None:
        self._handout.take()
        refuse(self, action)

    monkeypatch.setattr(TurnBasedEnv, "_refuse", taking)


def one_row_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Handout.__init__
    monkeypatch.setattr(Handout, "__init__", lambda self, *sizes, is_one_row: begin(self, *sizes, is_one_row=True))


def shallow_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(TurnBasedEnv, "__copy__")
    monkeypatch.delattr(VectorGames, "__copy__")


def a_wrong_position_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    reset = TurnBasedEnv.reset

    def writing(self: TurnBasedEnv, seed: Any = None, options: Any = None) -> None:
        if options:
            self._states["rng"] += np.uint64(1)
        reset(self, seed, options)

    monkeypatch.setattr(TurnBasedEnv, "reset", writing)


def illegal_actions_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rows, "check_legal", lambda self, rows, actions, whose: None)


def unseen_rewards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other copy forgets the first rewards of a learning seat."""
    clone = VectorGames.clone

    def forgetting(self: VectorGames) -> VectorGames:
        other = clone(self)
        other._rows.streams["rng"] += np.uint64(1)
        return other

    monkeypatch.setattr(VectorGames, "clone", forgetting)


@pytest.mark.parametrize(
    "plant",
    [
        no_undo, a_row_is_taken_by_a_refused_step, one_row_for_all, shallow_copies, a_wrong_position_is_written,
        illegal_actions_are_played, unseen_rewards,
    ],
)  # fmt: skip
def test_a_planted_fault_is_found_and_shrunk(plant: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    made = (sequence(3, number, [(GAME, FEW)]) for number in range(MOST))
    found = next((one for one in made if play(one).said), None)
    assert found is not None, "no sequence shows the fault"
    least = shrunk(found)
    assert play(least).said
    assert len(least.calls) <= 6


def test_a_sequence_is_the_same_whenever_it_is_made() -> None:
    of = [(GAME, FEW)]
    assert sequence(1, 77, of) == sequence(1, 77, of)
    assert len({str(sequence(1, number, of)) for number in range(30)}) == 30


def test_data_tells_differences() -> None:
    one = {"a": [np.zeros(2, np.int8), (1, ValueError("x"))]}
    assert data(data(one)) == data(one)
    assert not where(data(one), data(one))
    assert where(data(one), data({"a": [np.zeros(2, np.int16), (1, ValueError("x"))]})).startswith("['a'][0][0]: '|i1'")
    assert sequences.KINDS.keys() == {"aec", "single", "vector"}


# ---------------------------------------------------------------- the driver


def driver(*words: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.machine", *words]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": _heed_ctrl_c}
    return subprocess.Popen(command, cwd=ROOT, env=env, text=True, start_new_session=True, **pipes)


@pytest.mark.ci
def test_the_driver_counts_by_kind_and_game() -> None:
    with driver("--sequences", "6", "--seed", "2", "--jobs", "1") as process:
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert out.splitlines()[0].split() == ["kind", "game", "sequences", "calls", "refusals", "differences"]
    assert out.splitlines()[-1].split()[:2] == ["all", "6"]


@pytest.mark.slow
def test_ctrl_c_prints_what_was_done() -> None:
    with driver("--sequences", "100000", "--jobs", "1") as process:
        assert process.stderr is not None
        while "sequences/s" not in process.stderr.read(40):
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert int(out.splitlines()[-1].split()[1].replace(",", "")) > 0
