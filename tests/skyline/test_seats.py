"""One largest number of seats for games, packed seats, records and ratings: a toy game with that many seats plays."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from skyline import game as contract
from skyline import registry
from skyline.game import MOST_SEATS, Game
from tests.support.playing import GAME
from tests.support.processes import ROOT, TOY, checkout, copy_package, environment, output, run, start

PLAY = f"""
import numpy as np
import skyline
from pettingzoo.test import api_test
from skyline import record
from skyline.testing import check_game

SEATS = {MOST_SEATS}
check_game("toy", SEATS, games=2)
env = skyline.env("toy", SEATS, reward="score")
api_test(env, 20)
batch = skyline.vector("toy", 1, SEATS, reward="score")
env.reset(seed=5)
batch.reset(seed=5)
seats, result = set(), None
while env.agents:
    observation, _, done, _, info = env.last()
    if done:
        env.step(None)
        continue
    seat = int(env.agent_selection.removeprefix("player_"))
    seats.add(seat)
    assert batch.current_player[0] == seat
    assert (batch.action_mask[0] == observation["action_mask"]).all()
    action = int(np.flatnonzero(observation["action_mask"])[-1])
    env.step(action)
    _, _, ended, _, infos = batch.step(np.array([action]))
assert seats == set(range(SEATS)), seats
assert ended[0] and (infos["rewards_all"][0] == infos["final_info"]["scores"][0]).all()
for seat in (0, SEATS - 1):
    learner = skyline.single("toy", SEATS, seat=seat, opponents="heuristic")
    learner.reset(seed=1)
recorder = record.Recorder(skyline.load("toy"), SEATS, 3)
while recorder.seat is not None:
    recorder.play(recorder.legal()[-1])
again = record.replay(record.read(recorder.text().splitlines()))
assert again.result() == recorder.result() and len(recorder.result()["places"]) == SEATS
"""


@pytest.fixture(scope="module")
def largest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a toy game for the most seats."""
    folder = checkout(tmp_path_factory.mktemp("seats"))
    toy = copy_package(TOY, folder)
    components = (toy / "components.py").read_text()
    for old, new in (
        ("PLAYER_COUNTS = (2, 3, 4)", f"PLAYER_COUNTS = (2, {MOST_SEATS})"),
        ("SEATS = 4", f"SEATS = {MOST_SEATS}"),
        ("COPIES = 2", "COPIES = 8"),
    ):
        assert components.count(old) == 1
        components = components.replace(old, new)
    (toy / "components.py").write_text(components)
    return folder


def test_a_game_of_the_most_seats_plays_in_every_environment(largest: Path) -> None:
    run(PLAY, environment(largest, cache=largest / "cache"), largest)


def test_a_tournament_of_the_most_seats_is_played_and_rated(largest: Path, site: Path) -> None:
    """The database has the place of every seat; the ratings use all places."""
    env = environment(largest, site, cache=largest / "cache")
    command = ["-m", "skyline", "tournament", "-g", "toy", "-p", str(MOST_SEATS), "-a", "random,heuristic", "-d", "4"]
    said = output(start([*command, "-f", "mixed", "-j", "1", "--db", "cup.db", "--record", "records"], env, largest))
    assert "heuristic" in said
    (record, *_) = (largest / "records").rglob("*.jsonl")
    last = json.loads(record.read_text().splitlines()[-1])
    assert len(last["end"]["places"]) == MOST_SEATS


@pytest.mark.parametrize("counts", [(), (1, 2), (2, MOST_SEATS + 1), (3, 2), (2, 2), (True, 2), (2, 3.0), ("2",)])
def test_other_player_counts_are_no_game(counts: tuple[object, ...]) -> None:
    given = SimpleNamespace(name="toy", player_counts=counts)
    with pytest.raises(TypeError, match=rf"player_counts of toy must rise within 2 \.\. {MOST_SEATS}, not be"):
        Game._check_player_counts(given)  # type: ignore[arg-type]


def test_no_other_file_has_a_limit_of_its_own() -> None:
    assert MOST_SEATS & (MOST_SEATS - 1) == 0, "a seat is packed into bits"
    assert max(registry.load(GAME).player_counts) <= contract.MOST_SEATS
    for package in ("skyline", "agents"):
        for path in (ROOT / package).rglob("*.py"):
            if path.name != "game.py":
                assert "MOST_SEATS =" not in path.read_text(), path
