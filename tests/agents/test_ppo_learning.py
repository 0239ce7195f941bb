"""What a training is told: potentials, settings, opponents and times."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import skyline
from skyline import registry
from skyline.core import engine
from skyline.game import NO_SEAT
from skyline.rng import streams
from skyline_agents import protocol
from skyline_agents.cli.train import train
from skyline_agents.players.ppo.opponents import Mix, Pool
from skyline_agents.players.ppo.settings import GAMES, TrainingSettings, settings_for
from skyline_agents.players.ppo.shaping import MOST, Potential
from skyline_agents.players.ppo.stopwatch import Stopwatch
from tests.support.networks import FEW, GAME, random_network, views
from tests.support.playing import tables


@tables
def test_the_potential_is_the_lead_in_worth(game: str, players: int) -> None:
    """Phi of every seat's view against the sums of the named slices by hand; 0 only where nobody leads."""
    seen, games = views(game, players, 20)
    table, features = games.game.observation(players), "rich"
    potential, leads = Potential(games.game, players), []
    phi = potential(protocol.observations(seen, features, "float32"))
    for view, value in zip(seen, phi, strict=True):
        slices = table.decode(view.observe(features), features)
        worth = np.zeros(players)
        for name in table.worth:
            worth += slices[name].reshape(players, -1).sum(axis=1)
        leads.append(worth[0] - worth[1:].max())
        assert value == pytest.approx(0.5 * np.tanh(leads[-1] / table.worth_scale), abs=1e-5)
    assert table.worth
    assert np.abs(phi).max() < MOST


@tables
def test_the_worth_is_own_first_and_of_the_end(game: str, players: int) -> None:
    """At the end of games between heuristics the seat that leads in worth mostly leads in points, seen by anyone (Fifth
    Avenue counts its districts once more)."""
    games = skyline.vector(game, 20, players, obs_dtype="float32", autoreset="disabled")
    games.reset(seed=1)
    choose, actions = engine.kernels(games.game).choose_rows, np.zeros(20, np.int64)
    own_streams, policies = streams(20, 1), np.full(20, engine.HEURISTIC)
    while (games.current_player != NO_SEAT).any():
        choose(games.states, games.action_mask, policies, own_streams, actions)
        games.step(actions)
    potential = Potential(games.game, players)
    scores = games.states["scores"][:, :players].astype(int)
    for seat in range(players):
        phi = potential(games.final_observation(seat))
        lead = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
        assert (np.sign(phi) == np.sign(lead))[np.abs(lead) > 2].mean() >= 0.8


def test_a_game_without_worth_is_not_shaped() -> None:
    class Plain:
        def observation(self, players: int) -> Any:
            from skyline.game import ObservationTable, Slice

            return ObservationTable((Slice("a", (3,), 0, 1, 1, "a"),))

    assert Potential(Plain(), 2)(np.ones((4, 3), np.float32)).tolist() == [0.0] * 4  # type: ignore[arg-type]


def test_every_game_has_possible_settings() -> None:
    assert set(GAMES) <= set(registry.names())
    for name in registry.names():
        assert isinstance(settings_for(name, {}), TrainingSettings)


def test_settings_are_read_from_texts() -> None:
    read = settings_for(
        GAME, {"policy": "64+32", "trunk": "", "shaping": "no", "batch": "100", "heuristic": "1+0.5", "random": "0+0"}
    )
    assert (read.policy, read.trunk, read.shaping, read.batch, read.heuristic) == ((64, 32), (), False, 100, (1.0, 0.5))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"speed": "1"}, "no setting 'speed'; settings are features, trunk"),
        ({"batch": "many"}, "batch is a whole number, not 'many'"),
        ({"shaping": "perhaps"}, "shaping is yes or no"),
        ({"policy": "64,32"}, r"policy is numbers with \+ between them"),
        ({"clip": "0"}, "clip is greater than 0"),
        ({"rows": "0"}, "rows is at least 1"),
        ({"features": "all"}, "features is base or rich, not all"),
        ({"precision": "half"}, "precision is auto or float32 or bfloat16, not half"),
        ({"policy": "0"}, "at most 32 layers of 1 .. 32,768 units"),
        ({"random": "0.5"}, "random is two shares"),
        ({"random": "0.6+0.6", "heuristic": "0.6+0"}, "at most 1 together"),
    ],
)
def test_wrong_settings_are_named(given: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        settings_for(GAME, given)


def test_opponents_are_drawn_as_the_mix_says() -> None:
    """In straight lines from the shares at the beginning to those at the end; the rest are past selves, half of them
    the newest."""
    pool = Pool(5, Mix((0.6, 0.2), (0.4, 0.0)), 1, Stopwatch())
    assert pool.draw(1.0, 3) == ["heuristic"] * 3, "there is no past self yet"
    networks = [random_network(GAME, FEW, seed=seed) for seed in range(9)]
    for net in networks:
        pool.add(net)
    assert len(pool.networks) == 5
    assert pool.networks[0] is networks[0]
    assert pool.networks[-1] is networks[-1]
    for progress, shares in ((0.0, (0.6, 0.4, 0.0)), (0.5, (0.4, 0.2, 0.4)), (1.0, (0.2, 0.0, 0.8))):
        drawn = pool.draw(progress, 4000)
        found = [drawn.count("heuristic") / 4000, drawn.count("random") / 4000]
        assert [*found, 1 - sum(found)] == pytest.approx(shares, abs=0.03)
    selves = [opponent for opponent in drawn if not isinstance(opponent, str)]
    newest = sum(one._player._logits is networks[-1] for one in selves) / len(selves)  # type: ignore[attr-defined]
    assert newest == pytest.approx(0.5 + 0.5 / 5, abs=0.03)


def test_a_part_inside_another_one_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 1.0, 4.0, 10.0, 10.0, 11.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(now))
    watch = Stopwatch()
    with watch("outer"), watch("inner"):
        pass
    with watch("inner"):
        pass
    assert watch.seconds == {"outer": 7.0, "inner": 4.0}
    assert watch.shares() == {"outer": pytest.approx(7 / 11), "inner": pytest.approx(4 / 11)}


def test_training_without_the_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    said = CliRunner().invoke(train, ["ppo", GAME])
    assert isinstance(said.exception, ImportError)
    assert "pip install 'skyline-envs[train]'" in str(said.exception)


def test_the_settings_of_a_game_are_listed_without_the_extra() -> None:
    said = CliRunner().invoke(train, ["ppo", GAME, "--settings", "--set", "policy=7+5"])
    assert said.exit_code == 0
    assert re.search(r"^policy +7\+5$", said.output, re.MULTILINE)
    assert len(said.output.splitlines()) == len(vars(settings_for(GAME, {})))
