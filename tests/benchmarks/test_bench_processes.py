"""The parts of the bench with other processes: peers, curves over the batch size, the gate; and the pictures."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from skyline import registry
from skyline.cli import main as cli
from skyline_bench.gate import check
from skyline_bench.gate import prove as prove_gate
from skyline_bench.harness import bench_report as reports
from skyline_bench.harness import machine, scaling
from skyline_bench.harness.layer import Sample
from skyline_bench.harness.measure import Rounds
from skyline_bench.harness.workers import Worker, WorkerError
from skyline_bench.layers import aec, core
from skyline_bench.pages import plot
from skyline_bench.peers import FAILED, PEERS, Peer, PeerGame, install, pythons
from skyline_bench.peers.run import Started, started
from skyline_bench.peers.serve import settled
from tests.support.processes import ROOT


def run(*arguments: object) -> Any:
    """`skyline bench ..` in this process."""
    return CliRunner().invoke(cli.app, ["bench", *map(str, arguments)], prog_name="skyline", env={"COLUMNS": "80"})


# ---------------------------------------------------------------- processes and peers

SERVED = """
import sys
from serve import serve

print("a library talks")
calls = []

def broken():
    raise RuntimeError("no such game")

def dying():
    calls.append("a call")
    if len(calls) > 1:
        sys.exit("gone")
    return 1, 1

serve({"good": lambda: lambda: (5, 1), "bad": lambda: broken, "dies": lambda: dying}, loop="none")
"""


@pytest.fixture
def worker(tmp_path: Path) -> Any:
    """A process with three games: one that works, one that cannot be made, and one that ends the process."""
    (tmp_path / "adaptor.py").write_text(SERVED)
    peers = ROOT / "benchmarks" / "skyline_bench" / "peers"
    made = Worker([sys.executable, tmp_path / "adaptor.py"], "Some", {"PYTHONPATH": str(peers)})
    yield made
    made.close()


def test_a_process_serves_its_games_and_tells_what_fails(worker: Worker) -> None:
    worker.wait()
    assert worker.ready["games"] == ["good", "dies"]
    assert worker.ready["missing"] == {"bad": "RuntimeError: no such game"}
    sample = worker.measure("good", 0.01)
    assert sample.steps >= 5
    assert sample.steps % 5 == 0
    assert sample.seconds >= 0.01
    again = worker.measure("good", 0.01)
    assert worker.steps["good"] == sample.steps + again.steps == 5 * worker.games["good"]
    assert worker.memory["good"] > 2**20
    with pytest.raises(WorkerError, match="Some has ended: gone"):
        worker.measure("dies", 0.0)


def test_a_process_that_cannot_begin_says_why(tmp_path: Path) -> None:
    worker = Worker([sys.executable, "-c", "import no_such_library"], "Some")
    with pytest.raises(WorkerError, match=r"Some has ended: .*no_such_library"):
        worker.wait()
    worker.close()


def test_peers_that_are_not_there_are_listed_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYLINE_PEERS", str(tmp_path))
    (tmp_path / "rlcard").mkdir()
    (tmp_path / "rlcard" / FAILED).write_text("No matching distribution found")
    said = run("manhattan", "-p", 2, "-l", "step", "-s", 0.01, "--no-startup", "--peers")
    assert said.exit_code == 0, said.output
    text = " ".join(said.stdout.split())
    for peer in PEERS:
        for game in peer.game_names:
            assert f"not measured: {peer.title} {game}: " in text
    assert "RLCard uno: No matching distribution found" in text
    assert f"not installed in {tmp_path}: make bench-peers" in text.replace("- ", "-")


def test_every_peer_has_its_adaptor_and_they_name_the_same_games() -> None:
    for peer in PEERS:
        assert peer.adaptor.is_file()
        source = peer.adaptor.read_text()
        for game in peer.game_names:
            assert f'"{game}"' in source


def test_an_environment_that_cannot_be_made_leaves_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = Peer("some", "Some", ("nothing==0",), (PeerGame("a"),))
    monkeypatch.setenv("SKYLINE_PEERS", str(tmp_path))
    failed = subprocess.CompletedProcess([], 1, "", "noise\nERROR: No matching distribution found for nothing==0\n")
    monkeypatch.setattr(install.subprocess, "run", lambda *arguments, **settings: failed)
    assert install.install(peer) == "No matching distribution found for nothing==0"
    monkeypatch.setattr("skyline_bench.peers.PEERS", (peer,))
    with started(["some"]) as there:
        assert there[0].missing == {"a": "No matching distribution found for nothing==0"}
        assert there[0].games == []
    monkeypatch.setattr(install.subprocess, "run", lambda *a, **s: subprocess.CompletedProcess([], 0, "", ""))
    assert install.install(peer) is None
    monkeypatch.setattr(install, "_make", lambda peer: "called again")
    assert install.install(peer) is None  # the same requirements are not installed twice


def test_a_newer_python_is_looked_for_in_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def python(path: str, exit_code: int) -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\nexit {exit_code}\n")
        file.chmod(0o755)
        return file

    monkeypatch.setattr(sys, "version_info", (3, 11, 7))
    for variable, place in (("PATH", "path"), ("PYENV_ROOT", "pyenv"), ("DEBIAN13", "debian")):
        monkeypatch.setenv(variable, str(tmp_path / place))
    assert pythons.find((3, 11)) == Path(sys.executable)
    assert pythons.find((3, 12)) is None
    python("path/python3.12", 127)  # pyenv's shim of a version that is not chosen
    last = python("debian/usr/bin/python3.13", 0)
    assert pythons.find((3, 12)) == last
    assert pythons.find((3, 14)) is None
    middle = python("pyenv/versions/3.12.1/bin/python3.12", 0)
    assert pythons.find((3, 12)) == middle
    first = python("path/python3.13", 0)
    assert pythons.find((3, 12)) == first


def test_a_peer_without_a_python_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYLINE_PEERS", str(tmp_path))
    monkeypatch.setattr(pythons, "find", lambda least: None)
    peer = Peer("new", "New", ("new",), (PeerGame("a"),), python=(3, 12))
    assert str(install.install(peer)).startswith(
        "needs Python 3.12 or newer, which is neither this one nor on the PATH"
    )
    monkeypatch.setattr("skyline_bench.peers.PEERS", (peer,))
    with started(["new"]) as there:
        assert there[0].missing["a"].startswith("needs Python 3.12")


def test_a_batch_is_settled_when_as_many_games_have_ended() -> None:
    calls = iter([(8, 0), (8, 3), (8, 1), (8, 7)])
    play = settled(lambda: next(calls), 4)
    assert play() == (8, 7)


def test_a_report_says_what_a_peers_steps_are(worker: Worker) -> None:
    worker.wait()
    peer = Started(Peer("some", "Some", (), (PeerGame("good", 3, "micro-action", "mask"), PeerGame("bad"))), worker)
    rounds = Rounds({("peers", "some", "good"): partial(peer.measure, "good")}, 0.01, 1)
    rounds.run(lambda done: None)
    data = peer.as_data(rounds)["games"]
    assert list(data) == ["good"]
    speed = data["good"]
    assert (speed["seats"], speed["step"], speed["left_out"], speed["rows"]) == (3, "micro-action", "mask", 1)
    assert speed["games"] == pytest.approx(speed["median"] / 5)


# ---------------------------------------------------------------- curves and pictures


def test_the_curves_tell_speed_and_memory_of_every_size(tmp_path: Path) -> None:
    file = tmp_path / "scaling.json"
    held = np.ones(2**26)  # half a GiB
    few = ["manhattan", "--players", "2", "--sizes", "1,20000", "--threads", "1,2", "--kinds", "vector"]
    assert scaling.main([*few, "--seconds", "0.01", "--json", str(file)]) == 0
    points = json.loads(file.read_text())["curves"]
    assert [(point["size"], point["threads"]) for point in points] == [(1, 1), (1, 2), (20000, 1), (20000, 2)]
    assert points[0]["memory"] < 400 * 2**20  # the memory of this process, not of its parent
    states = 2 * 20000 * registry.load("manhattan").state.itemsize
    grown = points[2]["memory"] - points[0]["memory"]
    assert states < grown < 10 * states
    assert plot.main([str(file), "--out", str(tmp_path / "out")]) == 0
    assert_pictures(tmp_path / "out", "scaling")
    assert held.all()


def assert_pictures(folder: Path, name: str) -> None:
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg " in (folder / f"{name}.svg").read_text()


def test_a_report_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    speed = {"median": 1e6, "best": 2e6, "nanoseconds": 1e3, "rounds": 1, "rates": [1e6]}
    peer = {**speed, "step": "decision", "left_out": ""}
    part = {"layers": {"step": speed, "rollout-random": speed}, "missing": {}, "sizes": {}, "decisions": {}}
    data = {
        "schema": reports.SCHEMA,
        "fingerprint": machine.fingerprint(),
        "games": {"a": {"title": "A", "players": {"2": part, "4": part}}},
        "reference": {"c4-env": speed},
        "peers": {
            "some": {
                "title": "Some",
                "games": {"uno": peer},
                "missing": {"chess": "why not"},
            }
        },
    }
    file = tmp_path / "report.json"
    file.write_text(json.dumps(data))
    assert plot.main([str(file), "--out", str(tmp_path)]) == 0
    assert_pictures(tmp_path, "throughput")
    svg = plot.throughput(data)
    assert [label.get_text() for label in svg.axes[1].get_yticklabels()] == [
        "A, 4 players: rollout-random", "PettingZoo here: c4-env", "Some uno",
    ]  # fmt: skip
    file.write_text("{}")
    assert plot.main([str(file)]) == 1
    assert "is no report" in capsys.readouterr().err


# ---------------------------------------------------------------- the gate


class Side:
    """A process of the gate that reports these rates."""

    def __init__(self, **rates: float) -> None:
        self.rates = rates

    def measure(self, layer: str, seconds: float) -> Sample:
        return Sample(1, 1 / self.rates[layer])


def test_the_ratio_is_new_to_old() -> None:
    sides: Any = (Side(a=100, b=100), Side(a=80, b=130))
    found = check.ratios(sides, ["a", "b"], 0.01, 3, "measuring")
    assert found == {"a": pytest.approx(0.8), "b": pytest.approx(1.3)}


@pytest.mark.parametrize(
    ("rates", "again", "green"), [((90, 90), 90, True), ((80, 100), 80, False), ((80, 100), 95, True)]
)
def test_the_gate_is_red_only_if_a_layer_is_slow_twice(
    rates: tuple[float, float], again: float, green: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [Side(a=100, b=100), Side(a=rates[0], b=rates[1])]
    for side in sides:
        side.ready = {"games": ["a", "b"]}  # type: ignore[attr-defined]
    measured = check.ratios

    def ratios(sides: Any, layers: Any, *rest: Any) -> Any:
        if rest[1] == check.ROUNDS_AGAIN:
            sides[1].rates["a"] = again
        return measured(sides, layers, *rest)

    left = itertools.cycle(sides)
    monkeypatch.setattr(check, "checkout", lambda commit, has_own_harness: ROOT)
    monkeypatch.setattr(check, "git", lambda *words: "0" * 40)
    monkeypatch.setattr(check, "start", lambda *arguments: next(left))
    monkeypatch.setattr(check, "ratios", ratios)
    assert check.gate("HEAD", ["manhattan"], ["a", "b"], 0.001, check.LIMIT) is green


def test_the_ratio_of_a_layer_is_the_median_over_pairs_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pair whose code happens to lie badly does not decide."""
    speeds = iter([100, 60, 100, 104, 100, 97])  # old and new of three pairs

    def start(*arguments: Any) -> Any:
        side = Side(a=next(speeds))
        side.ready = {"games": ["a"]}  # type: ignore[attr-defined]
        return side

    printed: list[Any] = []
    monkeypatch.setattr(check, "checkout", lambda commit, has_own_harness: ROOT)
    monkeypatch.setattr(check, "git", lambda *words: "0" * 40)
    monkeypatch.setattr(check, "start", start)
    monkeypatch.setattr(check, "_print", lambda found, *rest: printed.append(found))
    assert check.gate("HEAD", ["manhattan"], ["a"], 0.001, check.LIMIT, pairs=3)
    assert printed == [{"a": pytest.approx(0.97)}]


def test_the_gate_refuses_what_it_cannot_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["manhatan"]) == 2
    assert check.main(["manhattan", "--base", "no-such-commit"]) == 2
    assert check.main(["manhattan", "--layers", "step,stepp"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 3
    assert "a layer of the gate is one of 'step', " in said


def test_the_gate_looks_at_every_core_layer() -> None:
    """The gate looks at every core layer apart from `copy-view`, in which no game is played."""
    game = registry.load("manhattan")
    assert {*check.LAYERS, "copy-view"} == {*core.makers(game, 2, 1), "aec-checked"}
    assert "aec-checked" in aec.makers(game, 2, 1)


def test_the_slowed_rule_still_plays_the_same_game(tmp_path: Path) -> None:
    """Otherwise the proof would compare two games, not two speeds of one game."""
    from tests.support.processes import checkout, environment, output, start

    folder = checkout(tmp_path, ("manhattan",), ("skyline",))
    code = """
import numpy as np
from skyline import registry
from manhattan_env import rules
s = registry.load("manhattan").blank(2)
s["deal"] = s["rng"] = 5
rules.reset(s[0])
mask = np.zeros(476, np.int8)
for _ in range(120):
    mask[:] = 0
    rules.legal(s[0], mask)
    rules.step(s[0], int(mask.argmax()))
print(s.tobytes().hex())
"""
    played = partial(start, ["-c", code], environment(folder, cache=tmp_path, jit=False), folder)
    before = output(played())
    path = folder / prove_gate.RULES
    path.write_text(prove_gate.slowed(path.read_text()))
    assert prove_gate.SLOWED in path.read_text()
    assert output(played()) == before


@pytest.mark.slow
@pytest.mark.speed
def test_the_gate_is_red_for_a_slowed_rule_and_green_for_a_comment() -> None:
    assert prove_gate.main() == 0
