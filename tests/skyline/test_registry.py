"""A new game is a new folder: the toy game is listed, played, drawn, recorded and measured, and no file is edited."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

import skyline
from skyline import registry
from skyline.core import engine
from skyline.core.jit import record_dtype
from skyline.game import Game
from tests.support.processes import (
    PACKAGES,
    ROOT,
    TOY,
    checkout,
    copy_package,
    declare,
    environment,
    failure,
    output,
    run,
    start,
)

COMMANDS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["skyline.commands"]


class Place:
    """A folder with copies of our packages and the toy game."""

    def __init__(self, folder: Path) -> None:
        self.folder = checkout(folder)
        copy_package(TOY, folder)
        declare(folder, "skyline.commands", COMMANDS)

    def skyline(self, *arguments: object, jit: bool = False) -> str:
        """The output of a command, by default without compiling, which takes longer than a few games."""
        env = environment(self.folder, cache=self.folder / "cache", jit=jit)
        return output(start(["-m", "skyline", *map(str, arguments)], env, self.folder))

    def python(self, code: str, jit: bool = False) -> str:
        return run(code, environment(self.folder, cache=self.folder / "cache", jit=jit), self.folder)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("registry"))


# ---------------------------------------------------------------- a folder beside skyline


def test_it_is_listed(place: Place) -> None:
    assert place.python("import skyline; print(skyline.games())").strip() == "['toy']"
    shown = place.skyline("games")
    assert "toy" in shown
    assert "hand" in shown
    assert "skyline/toy-v0" in shown


def test_it_is_played_recorded_and_verified(place: Place) -> None:
    line_up = ["--agents", "heuristic,random", "--games", 6, "--seed", 3, "--option", "hand=4"]
    said = json.loads(place.skyline("play", "toy", "--players", 3, *line_up, "--record", "out", "--legal", "--json"))
    assert said["game"] == "toy"
    records = sorted((place.folder / "out").glob("*.jsonl"))
    assert len(records) == 6
    assert "6 of 6 records are right" in place.skyline("verify", "out")
    head = json.loads(records[0].read_text().splitlines()[0])
    assert head["options"] == {"hand": 4}
    assert any('"shuffle"' in record.read_text() for record in records), "no deck was made anew"


def test_it_is_drawn(place: Place) -> None:
    shown = ["show", "--game", "toy", "--seed", 1, "--move", 3]
    assert "turn 3" in place.skyline(*shown)
    assert "?" in place.skyline(*shown, "--seat", 0)
    place.skyline(*shown, "--svg", "toy.svg")
    place.skyline(*shown, "--png", "toy.png")
    assert (place.folder / "toy.svg").read_text().startswith("<svg")
    assert (place.folder / "toy.png").read_bytes().startswith(b"\x89PNG")


def test_its_environments_are_made_by_id(place: Place) -> None:
    code = """
import gymnasium, pettingzoo, skyline
from toy_env import toy_v0
env = pettingzoo.make("aec", "skyline/toy-v0", players=4, hand=2)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, done, _, _ = env.last()
    env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
games = gymnasium.make_vec("skyline/toy-v0", num_envs=3, hand=2)
games.reset(seed=1)
observations, *_ = games.step(games.action_mask.argmax(axis=1))
print(toy_v0.env().metadata["name"], env.unwrapped.options, games.options, observations.shape)
"""
    assert place.python(code).strip() == "toy_v0 {'hand': 2} {'hand': 2} (3, 25)"


@pytest.mark.ci
def test_it_is_compiled_checked_and_measured(place: Place) -> None:
    """Compiled: the contract for every player count and option, then `skyline bench`."""
    code = """
from skyline.testing import check_game
check_game("toy", games=4)
for hand in (2, 4):
    check_game("toy", options={"hand": hand}, games=2, seed=9)
print("kept")
"""
    assert place.python(code, jit=True).strip() == "kept"
    few = ["--players", 2, "--seconds", 0.05, "--layers", "rollout,aec", "--no-peers", "--no-startup"]
    said = place.skyline("bench", "toy", *few, jit=True)
    assert "The highest sum" in said
    assert "rollout" in said


def test_no_file_was_edited(place: Place) -> None:
    """The copies of our packages have not changed."""
    for package in PACKAGES:
        for source in (ROOT / package).rglob("*.py"):
            copied = place.folder / source.relative_to((ROOT / package).parent)
            assert copied.read_bytes() == source.read_bytes(), source


# ---------------------------------------------------------------- an entry point


def test_a_game_is_found_by_its_entry_point(tmp_path: Path) -> None:
    """The game lies elsewhere on the path, and a distribution declares it."""
    library, elsewhere = checkout(tmp_path / "library", packages=("skyline",)), tmp_path / "elsewhere"
    copy_package(TOY, elsewhere)
    declare(elsewhere, "skyline.games", {"anything": "toy_env"})
    env = environment(library, elsewhere, cache=tmp_path / "cache", jit=False)
    code = """
import skyline
env = skyline.env("toy", players=2)
env.reset(seed=1)
print(skyline.games(), env.legal_moves()[0], skyline.registry.find("toy").folder)
"""
    assert run(code, env, tmp_path).strip() == f"['toy'] keep {elsewhere / 'toy_env'}"
    assert registry.names() == skyline.games()
    assert not [entry for entry in entry_points(group="skyline.games") if entry.value == "toy_env"]


# ---------------------------------------------------------------- versions


def toy_version_one(folder: Path, package: str) -> Path:
    """A copy of the toy game as version 1, in another package and with another name of a state field."""
    other = copy_package(TOY, folder).rename(folder / package)
    for source in other.glob("*.py"):
        text = source.read_text().replace("toy_env", package).replace("version=0", "version=1")
        source.write_text(text.replace("toy_kept", "toy_one_kept"))
    (other / "toy_v0.py").rename(other / "toy_v1.py")
    return other


SIDE_BY_SIDE = """
import warnings
import gymnasium, pettingzoo, skyline
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    newest = [skyline.env(name) for name in ("toy", "toy-v1", "skyline/toy-v1")]
    newest += [pettingzoo.make("aec", "skyline/toy-v1"), {newest}.toy_v1.env()]
    assert not said, said
    older = [skyline.env(name) for name in ("toy_v0", "skyline/toy-v0")]
    older += [pettingzoo.make("aec", "skyline/toy-v0"), {older}.toy_v0.parallel_env(), skyline.single("toy-v0").games]
    texts = [str(one.message) for one in said if one.category is DeprecationWarning]
    assert len(texts) == len(older), texts
    assert set(texts) == {{
        "toy_v0 is an older version of the environment: toy_v1 (skyline/toy-v1) is the newest"
    }}, texts
    seats = [gymnasium.make(name, hand=2).unwrapped.games.game for name in ("skyline/toy-v0", "skyline/toy-v1")]
assert [env.unwrapped.game.version for env in newest] == [1] * 5
assert [env.unwrapped.game.version for env in older] == [0] * 5
assert [game.version for game in seats] == [0, 1]
assert [env.metadata["name"] for env in (newest[0], older[0])] == ["toy_v1", "toy_v0"]
import pickle
for env in (newest[0], older[0]):
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        other = pickle.loads(pickle.dumps(env))
    assert other.game is env.game
    other.step(int(other.last()[0]["action_mask"].argmax()))
print(skyline.games(), [found.id for found in skyline.registry.versions().values()])
"""


def test_two_versions_stand_side_by_side(tmp_path: Path) -> None:
    """In two packages. A name without a version means the newest one; the older one names the newest in a warning."""
    folder = checkout(tmp_path, packages=("skyline",))
    toy_version_one(folder, "toyone_env")
    copy_package(TOY, folder)
    env = environment(folder, cache=tmp_path / "cache", jit=False)
    code = "import toy_env.toy_v0, toyone_env.toy_v1\n" + SIDE_BY_SIDE.format(newest="toyone_env", older="toy_env")
    assert run(code, env, folder).strip() == "['toy'] ['skyline/toy-v0', 'skyline/toy-v1']"


def test_an_older_version_may_lie_in_a_folder_of_the_newest(tmp_path: Path) -> None:
    """toy_env/toy_v0.py and toy_env/toy_v1.py; the game of version 0 is in toy_env/v0/."""
    folder = checkout(tmp_path, packages=("skyline",))
    older = toy_version_one(folder, "toyone_env")
    package = copy_package(TOY, folder)
    (folder / "toy_env").rename(folder / "kept")
    for source in older.glob("*.py"):
        source.write_text(source.read_text().replace("toyone_env", "toy_env"))
    older.rename(package)
    kept = (folder / "kept").rename(package / "v0")
    (kept / "toy_v0.py").rename(package / "toy_v0.py")
    for source in kept.glob("*.py"):
        source.write_text(source.read_text().replace("toy_env", "toy_env.v0"))
    env = environment(folder, cache=tmp_path / "cache", jit=False)
    code = "import toy_env.toy_v0, toy_env.toy_v1\n" + SIDE_BY_SIDE.format(newest="toy_env", older="toy_env")
    assert run(code, env, folder).strip() == "['toy'] ['skyline/toy-v0', 'skyline/toy-v1']"


# ---------------------------------------------------------------- errors


def test_unknown_games_are_named_with_the_nearest() -> None:
    name = registry.names()[0]
    with pytest.raises(ValueError, match=rf"there is no game '{name}x' \(games: .*{name}.*\); did you mean '{name}'\?"):
        skyline.env(f"{name}x")
    with pytest.raises(ValueError, match="there is no game 'zzz'") as error:
        registry.load("zzz")
    assert "did you mean" not in str(error.value)


def test_names_are_found_however_they_are_written() -> None:
    for name in registry.names():
        for written in (name.upper(), name.replace("_", "-"), name.replace("_", " ").title()):
            assert registry.find(written).name == name
        assert registry.load(registry.load(name)) is registry.load(name)


def test_no_game_has_its_name_in_skyline() -> None:
    """The framework knows no game: outside docstrings and comments, nothing in skyline/ names one."""
    for source in (ROOT / "skyline").rglob("*.py"):
        code = re.sub(r'"""(?:.|\n)*?"""|#.*', "", source.read_text())
        named = [name for name in registry.names() if re.search(rf"\b{name}(_env)?\b", code)]
        assert not named, f"{source.relative_to(ROOT)} names {named}"


def game_of(**changes: object) -> Game:
    """The first game with something changed."""
    return dataclasses.replace(registry.load(registry.names()[0]), **changes)  # type: ignore[arg-type]


def test_two_games_with_one_state_layout_are_refused() -> None:
    original = registry.load(registry.names()[0])
    engine.kernels(original)
    with pytest.raises(TypeError, match=f"other and {original.name} have the same state layout: give one field"):
        engine.kernels(game_of(name="other"))
    assert engine.legal_actions(original, dealt(original)), "the first game still works"


def dealt(game: Game) -> np.ndarray:
    env = skyline.env(game.name)
    env.reset(seed=1)
    return np.ascontiguousarray(env._states)


USUAL = [("rng", np.uint64), ("deal", np.uint64), ("players", np.uint8), ("seat", np.int8), ("memory", np.int8)]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([("cards", np.int8)], "lacks the fields deal, memory, players, rng, scores, seat"),
        (USUAL, "lacks the fields scores"),
        ([*USUAL, ("scores", np.int16, (9,))], "scores of .* must have shape"),
        ([*USUAL, ("scores", np.int16, (4,)), ("sort", np.int8)], "names of NumPy's own attributes: sort"),
    ],
)
def test_states_without_what_every_state_has_are_refused(fields: list[tuple[object, ...]], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        game_of(state=record_dtype(fields), player_counts=(2, 3, 4))


def test_states_with_padding_are_refused() -> None:
    padded = np.dtype([*USUAL, ("scores", np.int16, (4,)), ("wide", np.int64)], align=True)
    with pytest.raises(TypeError, match=r"must be made by skyline\.core\.jit\.record_dtype"):
        game_of(state=padded, player_counts=(2, 3, 4))
    with pytest.raises(TypeError, match="padding"):
        game_of(state=np.dtype((np.record, padded)), player_counts=(2, 3, 4))


def test_a_game_without_a_member_names_it(tmp_path: Path) -> None:
    folder = checkout(tmp_path, packages=("skyline",))
    file = copy_package(TOY, folder) / "game.py"
    file.write_text(file.read_text().replace("    rank_key=rank_key,\n", ""))
    env = environment(folder, cache=tmp_path / "cache", jit=False)
    assert "'rank_key'" in failure("import skyline; skyline.load('toy')", env, folder)
    assert run("import skyline; print(skyline.games())", env, folder).strip() == "['toy']"


def test_a_game_file_without_a_game_says_so(tmp_path: Path) -> None:
    folder = checkout(tmp_path, packages=("skyline",))
    (copy_package(TOY, folder) / "game.py").write_text("GAME = 'toy'\n")
    env = environment(folder, cache=tmp_path / "cache", jit=False)
    said = failure("import skyline; skyline.load('toy')", env, folder)
    assert "toy_env.game.GAME is not a skyline.game.Game" in said


def test_a_folder_without_a_versioned_module_is_no_game(tmp_path: Path) -> None:
    folder = checkout(tmp_path, packages=("skyline",))
    package = copy_package(TOY, folder)
    (package / "toy_v0.py").rename(package / "toy_v12.py")
    (package / "toy_v3.py").write_text("")
    env = environment(folder, cache=tmp_path / "cache", jit=False)
    found = "import skyline; print([found.id for found in skyline.registry.found().values()])"
    assert run(found, env, folder).strip() == "['skyline/toy-v12']", "the newest version counts"
    (package / "toy_v12.py").unlink()
    (package / "toy_v3.py").unlink()
    assert run(found, env, folder).strip() == "[]"
