"""`skyline bench`: each layer measures what its name says, in rounds, and no layer is left out silently."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from skyline import registry
from skyline.cli import main as cli
from skyline.core import engine
from skyline.envs.aec import TurnBasedEnv
from skyline_bench.harness import bench_report as reports
from skyline_bench.harness import groups
from skyline_bench.harness.layer import Layer, Sample, pinned, repeated
from skyline_bench.harness.measure import Rounds
from skyline_bench.harness.workers import WorkerError
from skyline_bench.layers import aec, core, kernels
from skyline_bench.peers.loops import aec_decisions
from tests.support.processes import ROOT

GAME = registry.load("manhattan")
P = GAME.player_counts[0]


def run(*arguments: object) -> Any:
    """`skyline bench ..` in this process."""
    return CliRunner().invoke(cli.app, ["bench", *map(str, arguments)], prog_name="skyline", env={"COLUMNS": "80"})


# ---------------------------------------------------------------- layers


def test_replayed_layers_play_the_recorded_games_and_each_adds_one_thing() -> None:
    games, moves, own = core.Games(GAME, P, 3), np.zeros((3, 400), np.int32), kernels.bench_kernels(GAME)
    begun = games.states.copy()
    own.record_moves(games.states, games.mask, games.streams, moves)
    after = games.states.copy()
    assert (after["deal"] != begun["deal"]).all()  # that many moves are more than one game

    def replayed(kernel: Callable[..., None], *rest: Any) -> bool:
        games.states[:] = begun
        kernel(games.states, moves, *rest)
        return bool((games.states == after).all())

    mask, out = np.full_like(games.mask, 7), np.full_like(games.out, 99)
    assert replayed(own.replay_steps)
    assert replayed(own.replay_masks, mask)
    legal = engine.mask_array(GAME, P, 3)
    engine.kernels(GAME).fill_masks(after, legal)
    assert (mask == legal).all()
    mask[:] = 7
    assert replayed(own.replay_views, mask, out)
    seen, rows = np.zeros_like(out), np.arange(3)
    engine.kernels(GAME).observe_some(after, rows, after["seat"].astype(np.int64), seen, engine.NO_SCALES)
    assert (mask == legal).all()
    assert (out == seen).all()


def test_the_loops_count_decisions_and_nothing_else() -> None:
    """Steps of ended agents are no decisions: with these steps a game of 2 seats would count 2 more."""
    env = TurnBasedEnv(GAME, P)
    env.reset(seed=0)
    pick, length = aec.picker(GAME), {aec.drive(env, lambda agent, mask: int(mask.argmax()), 1)}
    env.reset(seed=0)
    moves = 0
    while env.agents and not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        moves += 1
    assert length == {moves}
    decisions, games = aec_decisions(env, moves + GAME.max_decisions(P, {}))
    assert games >= 2
    assert decisions <= games * GAME.max_decisions(P, {})
    assert aec.picking(env, pick)() >= aec.A_RUN


def test_decisions_and_sizes() -> None:
    game = registry.load("manhattan")
    assert reports.decisions(game, 2, "random", 4) == reports.decisions(game, 2, "heuristic", 4) == 120
    sizes = reports.sizes(game, 2)
    assert sizes["state"] == game.state.itemsize == 1544
    assert sizes["mask"] == 476
    assert sizes["observation"] == 2 * game.observation(2).size()


@pytest.mark.speed
def test_pettingzoos_benchmark_takes_as_long_as_wanted() -> None:
    """PettingZoo's source says five seconds; the layer takes the 0.2 seconds that are asked for, at the true rate."""
    measure, own = aec.pettingzoo_benchmark(TurnBasedEnv(GAME, P)), repeated(aec.sampling(TurnBasedEnv(GAME, P)))
    own(0), measure(0)  # loads the kernels
    begun = time.perf_counter()
    sample = measure(0.2)
    assert 0.2 <= sample.seconds <= time.perf_counter() - begun < 3
    assert 0.2 < sample.rate / own(0.2).rate < 20  # sampling the action space is slower than the compiled choice


def test_a_layer_is_named_by_its_group_its_name_or_its_beginning() -> None:
    def chosen(*words: str, threads: int = 1) -> list[str]:
        return list(groups.choose(GAME, P, words, threads).layers)

    core_layers = ["step", "step-mask", "step-mask-obs", "rollout-random", "rollout-heuristic", "copy-view"]
    assert chosen("core") == core_layers
    assert chosen("core", threads=2) == [*core_layers, "rollout-4096", "rollout-4096-2t"]
    assert chosen("step", "rollout") == ["step", "rollout-random", "rollout-heuristic"]
    assert chosen("vector-1", "rollout-random", "rollout") == ["vector-1", "rollout-random", "rollout-heuristic"]
    with pytest.raises(ValueError, match=r"there is no layer 'vektor'; groups: core, .*; layers: step, "):
        chosen("vektor")


def test_a_group_that_cannot_be_imported_is_listed_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(groups.MODULES, "sb3", "benchmarks.not_there")
    chosen = groups.choose(GAME, P, ("step", "sb3"))
    assert list(chosen.layers) == ["step"]
    assert chosen.missing == {"sb3": "No module named 'benchmarks.not_there'"}
    assert groups.choose(GAME, P, ("step",)).missing == {}


# ---------------------------------------------------------------- rounds


def test_rounds_go_there_and_back_and_keep_medians() -> None:
    calls: list[str] = []

    def measure(name: str, rates: list[float], seconds: float) -> Sample:
        calls.append(name)
        return Sample(1, 1 / rates[calls.count(name) - 1])

    told: list[int] = []
    rounds = Rounds({"a": partial(measure, "a", [9, 1, 2, 6]), "b": partial(measure, "b", [9, 5, 5, 5])}, 3, 3)
    rounds.run(told.append)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab"  # the first two calls warm up and do not count
    assert told == [1, 2, 3, 4, 5, 6]
    assert rounds.calls == 6
    assert (rounds.speeds["a"].median, rounds.speeds["a"].best) == (pytest.approx(2), pytest.approx(6))
    assert rounds.speeds["b"].nanoseconds == pytest.approx(2e8)


def test_rounds_keep_what_was_measured_when_interrupted_and_when_a_process_dies() -> None:
    left = iter([1, 1, 1])

    def ending(seconds: float) -> Sample:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return Sample(1, 1)

    def dying(seconds: float) -> Sample:
        raise WorkerError("it has ended")

    rounds = Rounds({"a": ending, "b": dying}, 1)
    rounds.run(lambda done: None)
    assert rounds.interrupted
    assert len(rounds.speeds["a"].rates) == 2
    assert rounds.failed == {"b": "it has ended"}
    assert "b" not in rounds.speeds


def test_repeated_runs_until_the_time_is_over_and_at_least_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert repeated(lambda: 3)(0.0).steps == 3
    clock = iter(range(100))
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))  # every look at the clock is a second later
    assert repeated(lambda: 3)(4.0) == Sample(12, 4)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system binds no process to a core")
def test_a_pinned_layer_uses_one_core_and_gives_the_others_back() -> None:
    before, seen = os.sched_getaffinity(0), set[int]()

    def measure(seconds: float) -> Sample:
        seen.update(os.sched_getaffinity(0))
        return Sample(1, seconds)

    assert pinned(measure)(2.0) == Sample(1, 2.0)
    assert seen == {max(before)}
    assert os.sched_getaffinity(0) == before
    layers = groups.choose(GAME, P, ("rollout-4096", "rollout-4096-2t", "vector-16", "vector-16384-2t"), 2).layers
    assert {name: layer.threads for name, layer in layers.items()} == {
        "rollout-4096": 1, "rollout-4096-2t": 2, "vector-16": 1, "vector-16384-2t": 2,
    }  # fmt: skip


# ---------------------------------------------------------------- the command


def test_the_command_measures_prints_writes_and_compares(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    few = ("manhattan", "-p", 2, "--layers", "step,vector-1,aec-numpy", "--seconds", 0.02, "--no-startup", "--no-peers")
    said = run(*few, "--json", file)
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Manhattan, 2 players: 1,544 bytes a state")
    assert "120.0 random" in said.stdout
    data = reports.read(file)
    layers = data["games"]["manhattan"]["players"]["2"]["layers"]
    assert list(layers) == ["step", "vector-1", "aec-numpy"]
    assert layers["step"]["games"] == pytest.approx(layers["step"]["median"] / 120)
    assert layers["step"]["median"] <= layers["step"]["best"]
    assert len(layers["step"]["rates"]) == layers["step"]["rounds"] == 10
    assert {"cpu", "commit", "versions", "calibration", "load", "calibration after"} <= set(data["fingerprint"])
    data["games"]["manhattan"]["players"]["2"]["layers"]["step"]["median"] = layers["step"]["median"] / 50
    file.write_text(json.dumps(data))
    second = tmp_path / "b.json"
    again = run(*few, "--baseline", file, "--json", second)
    assert again.exit_code == 0
    rows = {line.split()[0]: line.split()[-1] for line in again.stdout.splitlines() if line.strip()}
    old, new = (reports.read(path)["games"]["manhattan"]["players"]["2"]["layers"] for path in (file, second))
    for name in ("step", "vector-1"):
        assert float(rows[name]) == pytest.approx(new[name]["median"] / old[name]["median"], rel=0.01, abs=0.006), name


@pytest.mark.speed
def test_the_aec_is_faster_than_connect_four_in_the_same_rounds() -> None:
    said = run("manhattan", "-p", 2, "-l", "aec-numpy", "-s", 0.02, "--no-startup")
    assert said.exit_code == 0, said.output
    rows = {line.split()[0]: line.split()[-1] for line in said.stdout.splitlines() if line.strip()}
    assert float(rows["aec-numpy"]) > 3  # times the speed of c4-env
    assert rows["c4-env"] == rows["aec-numpy"]  # the row of the reference shows the same ratio


def test_ctrl_c_shows_and_writes_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter(range(4))

    def measure(seconds: float) -> Sample:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return Sample(1000, 0.001)

    monkeypatch.setattr(core, "makers", lambda game, players, threads: {"step": lambda: Layer(measure)})
    said = run("manhattan", "-p", 2, "-l", "step", "--no-peers", "--json", tmp_path / "a.json")
    assert said.exit_code == 130
    assert "1,000,000" in said.stdout
    data = reports.read(tmp_path / "a.json")
    assert data["interrupted"]
    assert data["games"]["manhattan"]["players"]["2"]["layers"]["step"]["rounds"] == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["manhatan"], "there is no game 'manhatan'"),
        (["manhattan", "--players", "9"], "players, not 9"),
        (["manhattan", "--layers", "kore"], "there is no layer 'kore'"),
        (["manhattan", "--layers", "core,,aec"], "empty name"),
        (["manhattan", "--json", "/no/a.json"], "the folder /no does not exist"),
        (["manhattan", "--baseline", "no.json"], "no.json: No such file"),
        (["manhattan", "--baseline", str(ROOT / "pyproject.toml")], "is no JSON"),
        (["manhattan", "--threads", "0"], "Invalid value for '--threads'"),
    ],
)
def test_wrong_input_gives_one_line(arguments: list[str], says: str) -> None:
    said = run(*arguments)
    assert said.exit_code not in (0, None)
    assert says in said.stderr
    assert said.stderr.count("\n") == 1


# ---------------------------------------------------------------- stable-baselines3


def test_sb3_is_listed_when_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert groups.choose(GAME, P, ("sb3",)).missing == {"sb3": "not installed: pip install 'skyline-envs[train]'"}


def test_sb3_collects_and_leaves_torch_as_it_was() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("sb3_contrib")
    used = torch.get_num_threads()
    torch.set_num_threads(2)
    layers = groups.choose(GAME, P, ("sb3",)).layers
    for layer in layers.values():
        sample = layer.measure(0.0)
        assert sample.steps == 16 * 32
        assert sample.seconds > 0
    assert torch.get_num_threads() == 2
    torch.set_num_threads(used)
