"""Training by PPO (extra `train`): the run and its checkpoints, and the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
torch = pytest.importorskip("torch")

from typer.testing import CliRunner

from skyline_agents.cli.train import train
from skyline_agents.players.ppo import card, checkpoint, clone, network, training
from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.evaluation import strength
from skyline_agents.players.ppo.settings import TrainingSettings
from skyline_agents.players.ppo.training import News, Training, TrainingPlan
from tests.endurance import trainings
from tests.support.playing import Array
from tests.support.ppo_training import FEW, GAME, SMALL

# ---------------------------------------------------------------- the run


def ran(folder: Path, steps: int, settings: TrainingSettings = SMALL, **given: Any) -> tuple[Training, list[News]]:
    folder.mkdir(exist_ok=True)
    run, news = Training(folder, TrainingPlan(GAME, FEW, 1, settings, steps=steps, minutes=None, deals=4, **given)), []
    run.go(news.append)
    return run, news


def weights(run: Training) -> list[Array]:
    return [array for layer in run._network().layers for array in layer]


def test_the_same_seed_trains_the_same_network(tmp_path: Path) -> None:
    first, second = (weights(ran(tmp_path / name, 2048)[0]) for name in "ab")
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    third = weights(ran(tmp_path / "c", 2048, every=1e9)[0])
    assert all(np.array_equal(a, b) for a, b in zip(first, third, strict=True)), "evaluations change nothing"


@pytest.mark.parametrize("data", [b"", b"PK\3\4 half of a checkpoint", b"\x80\x02}q\x00."])
def test_a_bad_checkpoint_is_named(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(data)
    with pytest.raises(ValueError, match=r"checkpoint\.pt is no checkpoint"):
        Training.resumed(tmp_path)


def test_a_plan_ends_by_steps_or_minutes() -> None:
    plan = TrainingPlan(GAME, FEW, 1, SMALL, steps=100, minutes=2)
    assert [plan.progress(*done) for done in ((50, 0), (50, 90), (0, 240))] == [0.5, 0.75, 1.0]
    assert TrainingPlan(GAME, FEW, 1, SMALL, steps=None, minutes=1).progress(10**9, 30) == 0.5


@pytest.mark.parametrize("memory", ["recall", "table"])
def test_a_run_keeps_its_memory_and_names_it(memory: Any, tmp_path: Path) -> None:
    run, _ = ran(tmp_path / "run", 512, replace(SMALL, clone_decisions=512), memory=memory)
    assert {games.memory for games in run.env.games} == {memory}
    assert run._new_copying().teacher._games.memory == memory
    found = run.finish(2)
    assert network.load(tmp_path / "run" / "model.safetensors").memory == memory
    data = card.facts(run, found, "")
    assert data["memory"] == memory
    assert ("memory=table" in card.card(data)) == (memory == "table")
    run.save()
    assert Training.resumed(tmp_path / "run").plan.memory == memory


def test_a_run_of_an_earlier_version_had_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, _ = ran(tmp_path / "run", 256, replace(SMALL, clone_decisions=0), memory="table")
    run.save()
    load = checkpoint.load

    def loaded(path: Path) -> dict[str, Any]:
        data = load(path)
        del data["plan"]["memory"]
        return data

    monkeypatch.setattr(checkpoint, "load", loaded)
    assert Training.resumed(tmp_path / "run").plan.memory == "table"


# ---------------------------------------------------------------- killed and resumed


class Killed(BaseException):
    """The end of a process, for a run in this process: nothing of the run's is called any more."""


def killing(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every further step of a rollout, gradient step, block to copy or checkpoint may be the last."""

    def deadly(owner: Any, name: str, chance: float) -> None:
        method = getattr(owner, name)

        def called(*words: Any, **named: Any) -> Any:
            if rng.random() < chance:
                raise Killed
            return method(*words, **named)

        monkeypatch.setattr(owner, name, called)

    deadly(SelfPlay, "step_wait", 0.02)
    deadly(Training, "_evaluate", 0.1)
    deadly(Training, "_log", 0.1)
    deadly(Training, "save", 0.1)
    deadly(clone.Teacher, "block", 0.2)


def until_done(folder: Path, plan: TrainingPlan) -> tuple[Training, int]:
    """A run that is resumed as often as it is killed, and how often that was."""
    kills = 0
    while True:
        try:
            resumes = (folder / "checkpoint.pt").exists()
            run = Training.resumed(folder) if resumes else Training(folder, plan)
            run.go(lambda news: None)
            run.finish(4)
            run.complete()
            return run, kills
        except Killed:
            kills += 1


@pytest.mark.parametrize("copied", [0, 4000])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_by_steps_ends_as_if_it_had_never_been_killed(
    copied: int, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Model file, curve and the whole checkpoint: networks, optimiser, pool, games, generators."""
    monkeypatch.setattr(clone, "GAMES", 16)
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.03)
    plan = TrainingPlan(GAME, FEW, 1, replace(SMALL, clone_decisions=copied), steps=8192, minutes=None, deals=4)
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    whole, none = until_done(tmp_path / "whole", plan)
    killing(np.random.default_rng(seed), monkeypatch)
    again, kills = until_done(tmp_path / "killed", plan)
    assert none == 0
    assert kills >= 5
    assert again.sessions > 3
    assert not trainings.differences(tmp_path / "whole", tmp_path / "killed")
    assert len(whole.curve) == 18, "before, after each of the 16 updates, and of the model file"
    assert checkpoint.load(tmp_path / "killed" / "checkpoint.pt")["complete"]


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    """The update in which Ctrl-C comes is learnt from; the run ends after it."""
    plan = TrainingPlan(GAME, FEW, 1, SMALL, steps=4096, minutes=None, deals=4)
    for name in ("whole", "stopped"):
        (tmp_path / name).mkdir()
    whole, _ = until_done(tmp_path / "whole", plan)
    run = Training(tmp_path / "stopped", plan)
    step, steps = run.env.step_wait, iter(range(10**6))

    def step_wait() -> Any:
        run.stop.asked = run.stop.asked or next(steps) == 20
        return step()

    run.env.step_wait = step_wait  # type: ignore[method-assign]
    run.go(lambda news: None)
    assert run.model.num_timesteps == 1024, "the second update of 512 decisions"
    run.finish(4)
    run.complete()
    assert not run.is_complete
    again, _ = until_done(tmp_path / "stopped", plan)
    assert all(np.array_equal(a, b) for a, b in zip(weights(whole), weights(again), strict=True))
    assert [row["what"] for row in again.curve].count("final") == 2, "where it was stopped and at its end"


def test_a_complete_run_that_is_made_longer_is_not_complete(tmp_path: Path) -> None:
    until_done(tmp_path, TrainingPlan(GAME, FEW, 1, SMALL, steps=512, minutes=None, deals=4))
    assert checkpoint.load(tmp_path / "checkpoint.pt")["complete"]
    longer = Training.resumed(tmp_path, steps=1024, every_steps=10**9)
    longer.go(lambda news: None)
    longer.save()
    assert not checkpoint.load(tmp_path / "checkpoint.pt")["complete"]
    longer.finish(4)
    finals = [row["steps"] for row in longer.curve if row["what"] == "final"]
    assert finals == [512, 1024], "one for every end, and one only"


def test_evaluations_come_by_steps_or_by_minutes() -> None:
    by_steps = TrainingPlan(GAME, FEW, 1, SMALL, steps=1000, minutes=None)
    assert (by_steps.every, by_steps.every_steps) == (None, 50)
    assert [by_steps.is_evaluation_due(*done) for done in ((0, 49, 999.0), (49, 50, 0.0), (50, 99, 0.0))] == [
        False, True, False
    ]  # fmt: skip
    for plan in (TrainingPlan(GAME, FEW, 1, SMALL), TrainingPlan(GAME, FEW, 1, SMALL, steps=1000, minutes=1)):
        assert (plan.every, plan.every_steps) == (2.0, None)
        assert [plan.is_evaluation_due(0, 1000, seconds) for seconds in (119.0, 120.0)] == [False, True]
    with pytest.raises(ValueError, match="not both"):
        TrainingPlan(GAME, FEW, 1, SMALL, every=1.0, every_steps=5)


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    ran(tmp_path, 512)
    left = tmp_path / ".checkpoint.pt-0123abcd"
    left.write_bytes(b"half of a checkpoint")
    Training.resumed(tmp_path)
    assert not left.exists()
    assert (tmp_path / "checkpoint.pt").exists()


# ---------------------------------------------------------------- the command


def small_settings() -> list[str]:
    """SMALL on the command line."""
    return [part for name, value in vars(SMALL).items() for part in ("--set", f"{name}={_text(value)}")]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


MEASURED = ("--deals", 2, "--final-deals", 2)


def command(*arguments: object) -> Any:
    return CliRunner().invoke(train, ["ppo", GAME, *map(str, arguments)])


def test_the_command_leaves_model_card_and_curve(tmp_path: Path) -> None:
    said = command("--steps", 1024, "--out", tmp_path, "--deals", 2, "--final-deals", 4, *small_settings())
    assert said.exit_code == 0, said.output
    for name in ("model.safetensors", "CARD.md", "model.json", "curve.png", "curve.jsonl", "checkpoint.pt"):
        assert (tmp_path / name).stat().st_size > 0, name
    assert list((tmp_path / "tensorboard").glob("events*"))
    data = json.loads((tmp_path / "model.json").read_text())
    assert data["steps_done"] == 1024
    assert {"environment", "network", "update", "evaluation"} <= set(data["shares"])
    assert sum(data["shares"].values()) == pytest.approx(1, abs=0.01)
    page = (tmp_path / "CARD.md").read_text()
    assert "first places (fair: 50%)" in page
    for name in vars(SMALL):
        assert f"| {name} |" in page
    model = network.load(tmp_path / "model.safetensors")
    assert strength(model, "random", 4).first == data["strength"]["random"]["first"], (
        "what was measured is what is there"
    )
    shipped = CliRunner().invoke(train, ["ship", str(tmp_path), "--to", str(tmp_path / "models")])
    assert shipped.exit_code == 0, shipped.output
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == [
        "README.md", *(f"{GAME}_{FEW}p.{kind}" for kind in ("json", "md", "png", "safetensors"))
    ]  # fmt: skip
    assert f"| [{GAME}_{FEW}p]({GAME}_{FEW}p.md) | 50% |" in (tmp_path / "models" / "README.md").read_text()
    page = (tmp_path / "models" / f"{GAME}_{FEW}p.md").read_text()
    assert f"]({GAME}_{FEW}p.png)" in page
    assert "-a ppo,heuristic " in page
    again = command("--steps", 1024, "--out", tmp_path)
    assert "--resume goes on with it" in str(again.exception)
    done = command("--resume", "--out", tmp_path)
    assert "is done: 1,024 steps" in str(done.exception)
    other = CliRunner().invoke(train, ["ppo", "palazzo", "--resume", "--out", str(tmp_path)])
    assert "trains manhattan with 2 players" in str(other.exception)


def test_a_run_killed_before_its_card_was_written_is_finished_by_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(card, "write", killed)
        with pytest.raises(Killed):
            command("--steps", 1024, "--out", tmp_path, "--deals", 2, "--final-deals", 4, *small_settings())
    assert not (tmp_path / "CARD.md").exists()
    (tmp_path / "model.safetensors").unlink()
    said = command("--resume", "--out", tmp_path)
    assert said.exit_code == 0, said.output
    assert (tmp_path / "CARD.md").exists()
    assert (tmp_path / "model.safetensors").exists()
    rows = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [row["what"] for row in rows] == ["untrained", "trained", "trained", "final"]
    assert [row["random"]["games"] for row in rows] == [4, 4, 4, 8], "a resumed run is measured as it was"


def test_every_minutes_and_every_steps_exclude_each_other(tmp_path: Path) -> None:
    both = command("--steps", 1024, "--out", tmp_path / "a", "--every", 1, "--every-steps", 10)
    assert "not both" in str(both.exception)
    run, _ = ran(tmp_path, 512)
    run.save()
    assert command("--resume", "--out", tmp_path, "--every", 1, "--steps", 1024, *MEASURED).exit_code == 0
    plan = checkpoint.load(tmp_path / "checkpoint.pt")["plan"]
    assert (plan["every"], plan["every_steps"]) == (1.0, None)


def test_wrong_commands(tmp_path: Path) -> None:
    for arguments, reason in (
        (["--resume", "--out", tmp_path], "nothing to resume"),
        (["--set", "speed=1"], "no setting 'speed'"),
        (["--resume", "--set", "batch=1000", "--out", tmp_path], "--set does not go with --resume"),
        (["--players", "9"], "is for 2, 3, 4 players, not 9"),
    ):
        said = command(*arguments)
        assert reason in f"{said.exception} {' '.join(said.output.replace('│', ' ').split())}"


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    code = "from skyline_agents.cli.train import train; train(prog_name='skyline train')"
    arguments = ["ppo", GAME, "--out", str(folder), "--deals", "2", "--final-deals", "2", "--every", "0.01", *more]
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def wait_for(path: Path, lines: int) -> None:
    until = time.monotonic() + 240
    while time.monotonic() < until:
        if path.exists() and len(path.read_text().splitlines()) >= lines:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} has not got {lines} lines")


def test_ctrl_c_ends_with_everything_written(tmp_path: Path) -> None:
    process = start(tmp_path, "--steps", str(10**9), *small_settings())
    wait_for(tmp_path / "curve.jsonl", 2)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "stopping after this update" in said
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert curve[-1]["what"] == "final"
    assert json.loads((tmp_path / "model.json").read_text())["steps_done"] == curve[-1]["steps"]
    assert checkpoint.load(tmp_path / "checkpoint.pt")["steps"] == curve[-1]["steps"]


@pytest.mark.slow
def test_kill_9_leaves_a_whole_checkpoint(tmp_path: Path) -> None:
    """At any moment, again and again, also while it is written; the curve goes on."""
    process = start(tmp_path, "--steps", str(10**9), *small_settings())
    wait_for(tmp_path / "curve.jsonl", 2)
    steps = 0
    for i in range(4):
        time.sleep(0.5 + 0.37 * i)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        found = checkpoint.load(tmp_path / "checkpoint.pt")
        assert found["steps"] >= steps
        steps = found["steps"]
        known = len(found["curve"])
        process = start(tmp_path, "--resume", "--steps", str(10**9))
        wait_for(tmp_path / "curve.jsonl", known + 1)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
