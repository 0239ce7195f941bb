"""Very short forms of the drivers of tests/endurance; each driver must find faults that are planted."""

from __future__ import annotations

import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline.envs.vector import VectorGames
from tests.endurance import batches, kills, runs, soak, tournaments, trainings, victims
from tests.endurance.victims import Killings, Victim
from tests.support.made_up_tournaments import sample
from tests.support.playing import GAME
from tests.support.processes import ROOT, environment

# ---------------------------------------------------------------- soak


def small(decisions: int = 1) -> soak.Row:
    return soak.soak(GAME, decisions, seed=0, threads=1, rows=64)


def test_a_short_soak_holds() -> None:
    row = small(150_000)
    assert row.fault == ""
    assert row.looked.decisions >= 150_000
    assert row.looked.compared >= 1000
    assert row.looked.checked >= 50
    assert len(row.samples) > 3


def test_a_soak_plays_all_counts_and_ways() -> None:
    for game in map(registry.load, registry.names()):
        settings = batches.option_sets(game)
        assert len(settings) == 1 + len(game.options)
        assert all(game.check_options(given) != game.check_options({}) for given in settings[1:])
    modes = {way.get("autoreset", "same_step") for way in batches.WAYS}
    assert modes == {"same_step", "next_step", "disabled"}


def wrong_mask(games: VectorGames, said: tuple[Any, ...]) -> None:
    games.action_mask[0, games.action_mask[0].argmin()] = 1


def wrong_observation(games: VectorGames, said: tuple[Any, ...]) -> None:
    said[0][:, 3] = 30_000


def wrong_reward(games: VectorGames, said: tuple[Any, ...]) -> None:
    said[1][1] = np.nan


def wrong_state(games: VectorGames, said: tuple[Any, ...]) -> None:
    games.states["played_size"] += 1


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (wrong_mask, "Broken: masks are not the legal actions"),
        (wrong_observation, "Broken: an observation is above the table's range"),
        (wrong_reward, "Broken: a reward is not finite"),
        (wrong_state, "BrokenState: copies of the cards"),
    ],
)
def test_a_soak_finds(spoil: Any, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = VectorGames.step

    def stepped(self: VectorGames, actions: Any) -> Any:
        said = step(self, actions)
        if self.seat is None and self.illegal == "raise":
            spoil(self, said)
        return said

    monkeypatch.setattr(VectorGames, "step", stepped)
    monkeypatch.setattr(soak.Batch, "made_anew", lambda self: None)
    fault = small().fault
    assert reason in fault
    assert f"in {GAME}, 2 players, seed 0" in fault


def test_memory_that_grows_is_a_fault() -> None:
    row = soak.Row(GAME)
    row.looked.decisions = 1000
    row.samples = [(k, 100.0 + 50 * (k < 100)) for k in range(0, 1000, 50)]
    assert row.growth() == pytest.approx(0, abs=1e-9), "what is loaded first does not count"
    row.samples = [(k, 100.0 + k / 10) for k in range(0, 1000, 50)]
    assert row.growth() == pytest.approx(85)
    assert row.growth() > soak.MOST_GROWTH


# ---------------------------------------------------------------- kills


def test_a_process_that_outlives_its_parent_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In turn: a kill of the group ends the child, a kill of the parent alone leaves the child."""
    monkeypatch.setattr(victims, "GONE_SECONDS", 0.5)
    code = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)']); "
    killings = Killings(random.Random(0))
    for left in (0, 1):
        victim = Victim(["-c", code + "time.sleep(99)"], tmp_path, environment(ROOT, cache=None), tmp_path / "log")
        victim.wait_until(lambda: len(victims.in_session(victim.process.pid)) == 2, 60)  # noqa: B023 - called here
        victim.kill(killings)
        assert len(killings.left) == left
        deadline = time.monotonic() + 20  # the system needs a moment to remove a killed process
        while victims.in_session(victim.process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not victims.in_session(victim.process.pid)
    assert (killings.group, killings.alone) == (1, 1)


def test_differences_of_tournaments_are_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    (one / tournaments.RECORDS).mkdir(parents=True)
    (one / tournaments.RECORDS / "a.jsonl").write_text("a record")
    sample(one / tournaments.DATABASE)
    shutil.copytree(one, other)
    (other / runs.LOG).write_text("what it said")
    with closing(sqlite3.connect(other / tournaments.DATABASE)) as connection:
        connection.execute("UPDATE games SET seconds = 7, thinking_0 = 7, slowest_1 = 7, run = 2")
        connection.commit()
    assert tournaments.differences(one, other) == []
    with closing(sqlite3.connect(other / tournaments.DATABASE)) as connection:
        connection.execute("UPDATE games SET score_1 = score_1 + 1 WHERE deal = 3 AND rotation = 0")
        connection.commit()
    (other / tournaments.RECORDS / "a.jsonl").write_text("another")
    (other / "results.db-lock").touch()
    rows, files, contents = tournaments.differences(one, other)
    assert rows.endswith("games, 2 unlike")
    assert files == "files in one folder only: results.db-lock (1 in all)"
    assert contents == "files with other bytes: records/a.jsonl (1 in all)"


def test_differences_of_checkpoints_are_found() -> None:
    torch = pytest.importorskip("torch")
    one = {"steps": 5, "policy": {"w": torch.zeros(3)}, "pool": [1, (2.0, "a")]}
    assert trainings.unlike(one, {**one, "policy": {"w": torch.zeros(3)}}) == []
    for change, place in (
        ({"steps": 6}, "checkpoint.pt.steps: 5 and 6"),
        ({"policy": {"w": torch.tensor([0.0, -0.0, 0.0])}}, "checkpoint.pt.policy.w: other numbers"),
        ({"policy": {}}, "checkpoint.pt.policy: keys ['w'] in one only"),
        ({"pool": [1, (2.0, "b")]}, "checkpoint.pt.pool[1][1]: 'a' and 'b'"),
        ({"pool": [1]}, "checkpoint.pt.pool: 2 and 1 entries"),
        ({"pool": [1.0, (2.0, "a")]}, "checkpoint.pt.pool[0]: int and float"),
    ):
        assert trainings.unlike(one, {**one, **change}) == [place]


@pytest.mark.slow
def test_killed_tournaments_end_as_whole_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert kills.main(["--tournaments", "4", "--trainings", "0", "--size", "0.3"]) == 0
    assert "4 kills, 0 runs with faults" in capsys.readouterr().out


@pytest.mark.slow
def test_killed_trainings_end_as_whole_ones(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib", reason="needs the extra train")
    assert kills.main(["--tournaments", "0", "--trainings", "2", "--size", "0.3"]) == 0
    assert "2 kills, 0 runs with faults" in capsys.readouterr().out
