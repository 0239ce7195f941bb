"""The public interface: keywords that editors and type checkers know, ids, exports, and the repr of environments."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import skyline
from skyline import registry
from skyline.envs.settings import AecSettings, setting_names
from tests.support.playing import FEW, GAME, MANY, advance, aec, fewest, names
from tests.support.processes import ROOT, environment, run

MAKERS: tuple[Callable[..., Any], ...] = (skyline.env, skyline.vector, skyline.single)
OWN_DEFAULTS = {"seat"}  # a batch has no learning seat by default; the one-seat environment has one


def module(game: str) -> Any:
    return importlib.import_module(registry.find(game).module)


# ---------------------------------------------------------------- keywords


def keywords(maker: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {name: one for name, one in inspect.signature(maker).parameters.items() if name not in ("game", "options")}


def test_a_setting_has_the_same_default_everywhere() -> None:
    found: dict[str, set[Any]] = {}
    for maker in MAKERS:
        for name, parameter in keywords(maker).items():
            found.setdefault(name, set()).add(parameter.default)
    different = {name for name, defaults in found.items() if len(defaults) > 1}
    assert different == OWN_DEFAULTS
    assert found["obs_dtype"] == {"int16"}
    assert found["copy"] == {True}
    shared = set(keywords(skyline.env)) - {"copy"}
    assert shared - {"render_mode"} <= set(keywords(skyline.vector))
    assert shared <= set(keywords(skyline.single))


@pytest.mark.parametrize("maker", MAKERS)
def test_a_dictionary_of_settings_may_hold_the_game(maker: Callable[..., Any]) -> None:
    sizes = {"num_envs": 2} if maker is skyline.vector else {}
    made = maker(**{"game": GAME, "players": FEW, **sizes})
    assert repr(made) == repr(maker(GAME, players=FEW, **sizes))
    with pytest.raises(TypeError, match=r"missing .*'game'"):
        maker(players=FEW)


@names
def test_the_functions_of_a_module_have_the_settings_of_the_class(game: str) -> None:
    wanted = keywords(skyline.env)
    for name in ("env", "raw_env", "parallel_env"):
        function = getattr(module(game), name)
        got = inspect.signature(function).parameters
        assert list(got) == [*wanted, "options"]
        assert all(got[key] == parameter for key, parameter in wanted.items())
        assert pickle.loads(pickle.dumps(function)) is function, "worker processes get it by its name"


@pytest.mark.parametrize("maker", MAKERS)
def test_every_setting_is_described(maker: Callable[..., Any]) -> None:
    """In the text of `help()` each keyword stands at the beginning of a line, alone or with keywords of one meaning."""
    shown = pydoc.plain(pydoc.render_doc(maker))
    described = set(re.findall(r"\w+", " ".join(re.findall(r"(?m)^[ |]*([\w, *]+?) : ", shown))))
    assert set(keywords(maker)) <= described


def test_help_of_a_module_shows_types_and_defaults() -> None:
    shown = pydoc.plain(pydoc.render_doc(module(GAME).env))
    assert "players: int | None = None" in shown
    assert "reward: Literal['outcome', 'score', 'margin'] = 'outcome'" in shown
    assert "max_cycles : all agents are truncated after this number of steps" in shown
    assert "game :" not in shown


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: module(GAME).env(playerz=4),
            r"^manhattan has no setting 'playerz'; did you mean 'players'\? Settings: p",
        ),
        (lambda: module(GAME).parallel_env(rewards="score"), r"did you mean 'reward'\? .*; rule options: none$"),
        (lambda: skyline.env(GAME, zzz=1), r"^manhattan has no setting 'zzz'\. Settings: players, reward, .*none$"),
        (
            lambda: skyline.env("new_york", max_turn=1),
            r"did you mean 'max_turns'\? .*; rule options: max_turns, overpay$",
        ),
        (
            lambda: skyline.env("new_york", max_cycle_turns=1),
            r"; did you mean the setting 'max_cycles' or the rule option 'max_turns'\? Settings: .*; rule options: ",
        ),
        (lambda: skyline.vector(GAME, 2, num_env=3), r"did you mean 'num_envs'\? Settings: num_envs, players, seat, "),
        (lambda: skyline.single(GAME, oponents="random"), r"did you mean 'opponents'\? Settings: players, seat, "),
        (lambda: skyline.single(GAME, copy=False), r"^manhattan has no setting 'copy'"),
    ],
)
def test_an_unknown_keyword_names_the_closest(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        make()


def test_rule_options_are_keywords() -> None:
    wanted = {"max_turns": 7, "overpay": True}
    assert skyline.env("new_york", max_turns=7).options == wanted
    assert module("new_york").env(max_turns=7).options == wanted
    assert skyline.vector("new_york", 2, max_turns=7).options == wanted
    assert skyline.single("new_york", max_turns=7).games.options == wanted


def test_names_of_settings() -> None:
    assert setting_names(AecSettings) == list(keywords(AecSettings))
    assert "game" not in setting_names(skyline.vector)


USERS_SCRIPT = """
import numpy as np
import skyline
from manhattan_env import manhattan_v1
from newyork_env import new_york_v1

reveal_type(manhattan_v1.env(players=4, reward="score", max_cycles=10))
reveal_type(manhattan_v1.env().players)
reveal_type(skyline.vector("manhattan", 4).step(np.zeros(4, int))[0])
reveal_type(skyline.single("manhattan", seat="rotate", opponents=["random"]).reset()[0])
new_york_v1.env(players=3, max_turns=20)
skyline.env("new_york", max_turns=20)
manhattan_v1.env(playerz=4)
manhattan_v1.parallel_env(reward="points")
new_york_v1.raw_env(max_turns="many")
skyline.env("manhattan", features=1)
skyline.vector("manhattan", "many")
"""


def test_mypy_knows_the_keywords_of_a_users_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(USERS_SCRIPT)
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "script.py"],
        cwd=tmp_path, env=environment(ROOT, cache=None), capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    lines = USERS_SCRIPT.splitlines()
    revealed = re.findall(r'note: Revealed type is "(.*)"', said)
    array = "numpy.ndarray[Any, Any]"
    assert revealed == ["skyline.envs.aec.TurnBasedEnv", "int", array, array], said
    errors = [lines[int(number) - 1] for number in re.findall(r"script\.py:(\d+): error", said)]
    assert errors == lines[-5:], said
    assert 'Argument "playerz" has incompatible type "int"; expected "Never"' in said


# ---------------------------------------------------------------- ids and exports


@names
def test_an_id_is_a_name(game: str) -> None:
    found = registry.find(game)
    for written in (found.id, found.id.removeprefix("skyline/"), found.key, found.id.upper(), game):
        assert registry.find(written) == found
        assert skyline.env(written).game is skyline.load(game)
    assert skyline.vector(found.id, 2).game is skyline.single(found.key).games.game


def test_unknown_versions_are_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=rf"^there is no version 7 of {GAME} \(versions: {GAME}_v1\)$"):
        skyline.env(f"skyline/{GAME}-v7")
    with pytest.raises(ValueError, match=rf"there is no game 'manhatan-v1' \(games: .*\); did you mean '{GAME}'\?"):
        skyline.env("manhatan-v1")
    with pytest.raises(TypeError, match="a game is a name, an id or a Game, not 5"):
        skyline.env(5)  # type: ignore[arg-type]


def test_gymnasium_imports_skyline_by_itself(tmp_path: Path) -> None:
    code = f"""
import gymnasium
seat = gymnasium.make("skyline:skyline/{GAME}-v1", players={FEW})
games = gymnasium.make_vec("skyline:skyline/{GAME}-v1", num_envs=2, players={FEW})
print(seat.reset(seed=1)[0].dtype, games.reset(seed=1)[0].shape[0])
"""
    assert run(code, environment(ROOT, cache=None), tmp_path).strip() == "int16 2"


def test_an_import_is_light_and_every_export_is_there(tmp_path: Path) -> None:
    code = """
import sys, skyline
heavy = [name for name in ("numba", "skyline.core.engine", "rich", "manhattan_env") if name in sys.modules]
missing = [name for name in skyline.__all__ if name not in dir(skyline)]
print(heavy, missing, *(getattr(skyline, name).__name__ for name in skyline.__all__))
"""
    said = run(code, environment(ROOT, cache=None), tmp_path).split()
    assert said[:2] == ["[]", "[]"]
    assert said[2:6] == ["ContractError", "Game", "IllegalMove", "RecordError"]
    assert len(said) == 2 + len(skyline.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        skyline.nothing  # noqa: B018


@fewest
def test_errors_are_caught_by_their_exported_names(game: str, players: int, tmp_path: Path) -> None:
    with pytest.raises(skyline.IllegalMove):
        aec(game, players, seed=1).step(-1)
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(skyline.RecordError):
        skyline.verify(tmp_path / "empty.jsonl")
    assert isinstance(skyline.load(game), skyline.Game)
    assert issubclass(skyline.ContractError, TypeError)


# ---------------------------------------------------------------- how environments name themselves


def test_an_environment_names_game_players_options_and_seed() -> None:
    env = aec(GAME, MANY)
    assert repr(env) == str(env) == f"<Manhattan AEC, {MANY} players, not begun>"
    env.reset(seed=7)
    advance(env, 12)
    assert repr(env) == f"<Manhattan AEC, {MANY} players, seed 7, move 12>"
    assert repr(env.clone()) == repr(env)
    advance(env, 10**9)
    assert re.fullmatch(rf"<Manhattan AEC, {MANY} players, seed 7, over after \d+ moves>", repr(env))
    assert (
        repr(skyline.env("new_york", 3, max_turns=9))
        == "<New York AEC, 3 players, max_turns=9, overpay=True, not begun>"
    )


def test_a_game_and_its_tables_name_themselves_on_a_line() -> None:
    game = registry.load(GAME)
    assert repr(game) == "<game Manhattan, version 1, 2 .. 4 players>"
    table, actions = game.observation(FEW), game.actions(FEW)
    assert f"{table.size()} base values in {len(table.base)} slices" in repr(table)
    assert f"actions: {actions.size}" in repr(actions)
    assert max(len(repr(table)), len(repr(actions))) < 100


@pytest.mark.parametrize("wrong", [0, -1, 7, True, 2.0, "2", None, [2]])
def test_tables_are_made_for_admitted_player_counts_alone(wrong: Any) -> None:
    game = registry.load(GAME)
    assert game.observation(np.int64(FEW)) is game.observation(FEW)
    for table in (game.observation, game.actions):
        with pytest.raises(ValueError, match="Manhattan is for 2, 3, 4 players, not "):
            table(wrong)


def test_batches_and_seats_name_themselves() -> None:
    games = skyline.vector(GAME, 3, FEW, seat="rotate")
    assert repr(games) == f"<Manhattan VectorGames, 3 games of {FEW} players, learning seat rotate, not begun>"
    games.reset(seed=5)
    assert str(games).endswith("learning seat rotate, seed 5 in row 0>")
    assert "every seat moved by the caller" in repr(skyline.vector(GAME, 3, FEW))
    seat = skyline.single(GAME, FEW, seat=1)
    assert repr(seat) == f"<Manhattan SingleSeat, {FEW} players, seat 1, not begun>"
    seat.reset(seed=4)
    seat.step(int(seat.action_masks().argmax()))
    assert str(seat) == f"<Manhattan SingleSeat, {FEW} players, seat 1, seed 4, decision 1>"
    assert repr(seat) in repr(gymnasium.Wrapper(seat))


# ---------------------------------------------------------------- results


@fewest
@pytest.mark.parametrize("settings", [{}, {"max_cycles": 9}, {"illegal": "lose"}], ids=str)
def test_every_agent_is_told_scores_and_places_at_the_end(game: str, players: int, settings: dict[str, Any]) -> None:
    env = aec(game, players, seed=2, **settings)
    advance(env, 8)
    assert all("scores" not in info for info in env.infos.values())
    if "illegal" in settings:
        env.step(-1)
    else:
        advance(env, 10**9)
    state = env._states[0]
    while env.agents:
        *_, info = env.last()
        assert info["scores"].tolist() == state.scores[:players].tolist()
        assert info["places"].tolist() == env.game.places(state)
        assert info["scores"].dtype == info["places"].dtype == np.int64
        env.step(None)
    env.reset(seed=3)
    assert all(set(info) == {"action_mask"} for info in env.infos.values())


@names
def test_a_parallel_environment_tells_the_result(game: str) -> None:
    parallel = pettingzoo.make("parallel", registry.find(game).id, max_cycles=3)
    observations, _ = parallel.reset(seed=1)
    infos: dict[str, Any] = {}
    while parallel.agents:
        chosen = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        observations, _, _, _, infos = parallel.step(chosen)
    assert {"scores", "places"} <= set(next(iter(infos.values())))
