"""The Ray engine on a cluster of two nodes on this machine, one of which is killed (extra ray; slow)."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline.game import NO_SEAT
from skyline_agents.database import store
from skyline_agents.tournament.ray_backend import Ray
from skyline_agents.tournament.run import run
from skyline_agents.tournament.settings import TournamentSettings, event, prepare
from tests.support.played_tournaments import held, table
from tests.support.playing import FEW, GAME
from tests.support.processes import ROOT

ray = pytest.importorskip("ray")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray warns of much


@pytest.fixture
def cluster(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head and a second node; the nodes import from where this process does."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "agents"), str(here)]))
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.second = made.add_node(num_cpus=1)
    yield made
    made.shutdown()


def workers_of(cluster: Any) -> list[int]:
    """The processes that the second node's raylet started."""
    raylet = cluster.second.all_processes["raylet"][0].process.pid
    return [int(pid) for pid in Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()]


def is_playing(pid: int) -> bool:
    """Ray names a worker's process by its task."""
    try:
        return b"_play" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def wait_for_work(cluster: Any) -> None:
    """Until a process of the second node plays games; on a busy machine that may take a while."""
    deadline = time.monotonic() + 120
    while not any(is_playing(pid) for pid in workers_of(cluster)):
        assert time.monotonic() < deadline, "the second node never got work"
        time.sleep(0.01)


def kill(cluster: Any) -> None:
    """The second node is gone as if its machine were: with all processes that its raylet started."""
    workers = workers_of(cluster)
    cluster.remove_node(cluster.second, allow_graceful=False)
    for pid in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def on_ray(path: Path, settings: TournamentSettings, engine: Ray, tell: Any) -> Any:
    try:
        with store.Store(path) as database:
            prepare(database, settings)
            return run(database, settings, engine, backend_name="ray", progress=tell)
    finally:
        engine.close()


def test_a_killed_node_costs_nothing_and_doubles_nothing(here: Path, cluster: Any) -> None:
    made = event(GAME, ["own:Slow", "random", "heuristic"], FEW, deals=50)
    settings, engine, killed_at = TournamentSettings([made]), Ray(cluster.address), list[int]()

    def tell(done: int) -> None:
        if done >= made.planned // 4 and not killed_at:
            assert sum(node["Alive"] for node in ray.nodes()) == 2
            wait_for_work(cluster)
            kill(cluster)
            killed_at.append(done)

    outcome = on_ray(here / "ray.db", settings, engine, tell)
    assert killed_at[0] < made.planned
    assert engine._lost, "work was under way on the node"
    assert outcome.finished == outcome.played == made.planned
    assert [run["engine"] for run in store.runs("ray.db")] == ["ray"]
    held(here / "local.db", settings)
    assert table(here / "ray.db") == table(here / "local.db")


def test_agents_that_kill_their_process_forfeit_on_a_cluster_too(here: Path, cluster: Any) -> None:
    made = event(GAME, ["own:Deadly", "random"], FEW, deals=3)
    outcome = on_ray(here / "ray.db", TournamentSettings([made]), Ray(cluster.address), lambda done: None)
    games = store.games("ray.db", made)
    assert outcome.finished == len(games) == made.planned
    lost = np.flatnonzero(games.forfeits != NO_SEAT)
    assert len(lost)
    assert all(str(games.reasons[row]).endswith("its process ended (exit code 7), twice") for row in lost)
