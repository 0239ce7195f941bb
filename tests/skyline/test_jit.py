"""Compiled code: equal to plain Python, no index outside an array, and a cache that is never stale.

Most tests start processes, each with an empty cache where the test is about compiling.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage

from skyline import registry
from skyline.core import jit
from skyline.core.cards import sort_cards
from tests.support.playing import GAME, NAMES
from tests.support.processes import ROOT, TOY, checkout, copy_package, environment, failure, output, run, start

FIRST_STEP_SECONDS = 1.0  # from the import to the first step, in a process that loads kernels from the cache
IMPORT_SECONDS = 0.3
NOISE = 3.0  # a busy machine may be that many times as slow

PLAY = """
import hashlib, json, sys
import numpy as np
import skyline
from skyline.core import engine
from skyline.rng import streams

def bytes_of_games(name, players, games):
    digest, game = hashlib.sha256(), skyline.load(name)
    batch = skyline.vector(name, games, players, features="rich", reward="score", illegal="lose")
    observations, _ = batch.reset(seed=7)
    kernels, rng = engine.kernels(game), np.random.default_rng(0)
    luck, policies = streams(games, 1), (np.arange(games) + players) % 2  # a game by chance, one by the heuristic, ..
    actions, ended = np.zeros(games, np.int64), np.zeros(games, bool)
    while not ended.all():
        kernels.choose_rows(batch.states, batch.action_mask, policies, luck, actions)
        copies = batch.states.copy()
        kernels.determinize_rows(copies, rng.integers(players, size=games), luck)
        for array in (batch.states, copies, batch.action_mask, observations, batch.rewards_all, luck):
            digest.update(array.tobytes())
        observations, _, done, _, _ = batch.step(actions)
        ended |= done
    return digest.hexdigest()

"""
FEW_GAMES = 1  # games of a player count; the two policies take turns over the player counts
MANY_GAMES = 40


def bytes_of_games(name: str, players: int, games: int) -> str:
    """The function of PLAY, in this process."""
    space: dict[str, Any] = {}
    exec(PLAY, space)
    digest: str = space["bytes_of_games"](name, players, games)
    return digest


def compiled(game: str, games: int) -> list[str]:
    """A game's bytes by player count, played in this process: compiled."""
    assert not numba.config.DISABLE_JIT
    return [bytes_of_games(game, players, games) for players in registry.load(game).player_counts]


def played(game: str, games: int, env: dict[str, str]) -> list[str]:
    """A game's bytes by player count, played in another process."""
    counts = registry.load(game).player_counts
    return run(f"{PLAY}\nfor P in {counts}: print(bytes_of_games({game!r}, P, {games}))", env, ROOT).split()


# ---------------------------------------------------------------- the same code without numba, and with bounds


@pytest.mark.parametrize("game", [pytest.param(name, marks=[] if name == GAME else pytest.mark.ci) for name in NAMES])
def test_plain_python_gives_the_same_bytes(game: str) -> None:
    """In plain Python NumPy refuses an index beyond the end of an array."""
    assert played(game, FEW_GAMES, environment(ROOT, cache=None, jit=False)) == compiled(game, FEW_GAMES)


@pytest.mark.ci
@pytest.mark.parametrize("game", [pytest.param(name, marks=[] if name == GAME else pytest.mark.slow) for name in NAMES])
def test_no_index_is_out_of_bounds(game: str, tmp_path: Path) -> None:
    """More games, compiled with bounds checks into a separate cache (without optimisation, in half the time)."""
    env = environment(ROOT, cache=tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0")
    assert played(game, MANY_GAMES, env) == compiled(game, MANY_GAMES)


# ---------------------------------------------------------------- the cache is never stale

DEAL = """
import hashlib, numpy as np, skyline
from skyline.core import engine
game = skyline.load("toy")
states, mask = game.blank(2, n=16), engine.mask_array(game, 2, 16)
seeds, rows, rewards = np.arange(16, dtype=np.uint64), np.arange(16), np.zeros((16, 2), np.float32)
engine.kernels(game).begin_rows(states, seeds, rows, mask, rewards, False)
print(hashlib.sha256(states.tobytes() + mask.tobytes()).hexdigest())
"""  # this kernel deals games and fills their masks


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with skyline and the toy game, which compiles in the shortest time, and an empty cache."""
    folder = checkout(tmp_path_factory.mktemp("jit"), packages=("skyline",))
    copy_package(TOY, folder)
    return folder


def deal(folder: Path) -> str:
    return run(DEAL, environment(folder, cache=folder / "cache"), folder)


def stamps(folder: Path) -> set[str]:
    """The kernel folders of a cache."""
    return {path.parent.name for path in (folder / "cache").glob("*/used")}


def compiled_files(folder: Path) -> dict[Path, int]:
    """The times at which the compiled kernels were written."""
    return {path: path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.nbc")}


def test_processes_that_meet_an_empty_cache_share_the_work(toy: Path) -> None:
    """Three processes at once play the same games; one compiles (numba alone would do it twice), others load."""
    shutil.rmtree(toy / "cache", ignore_errors=True)
    env = environment(toy, cache=toy / "cache")
    processes = [start(["-c", DEAL], env, toy) for _ in range(3)]
    assert len({output(process) for process in processes}) == 1
    assert len(stamps(toy)) == 1
    written = compiled_files(toy)
    assert len(written) == 1
    deal(toy)
    assert compiled_files(toy) == written, "the cache was not used"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("components", "COPIES = 2", "COPIES = 3"),  # a constant of the kernels
        ("rules", "s.start = below(s, s.players)", "s.start = 0 * below(s, s.players)"),
    ],
)
def test_an_edited_game_is_compiled_anew(toy: Path, file: str, old: str, new: str) -> None:
    """After an edit the next process plays by the new rules; without the edit the old kernel is used again."""
    before, known = deal(toy), stamps(toy)
    with edited(toy / "toy_env" / f"{file}.py", old, new):
        assert deal(toy) != before
        assert len(stamps(toy) - known) == 1
    written = compiled_files(toy)
    assert deal(toy) == before
    assert compiled_files(toy) == written


@contextlib.contextmanager
def edited(source: Path, old: str, new: str) -> Iterator[int]:
    """A source file with one place changed; the number of the line."""
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    yield text[: text.index(old)].count("\n") + 1
    source.write_text(text)


# ---------------------------------------------------------------- errors


CALL = """
import numpy as np, skyline
from skyline.core import engine
from skyline.rng import streams
game, one = skyline.load("toy"), np.zeros(1, np.int64)
states, mask, out = game.blank(2), engine.mask_array(game, 2), engine.observation_array(game, 2)
kernels = engine.kernels(game)
"""
KERNELS = {
    "fill_masks": "kernels.fill_masks(states, mask)",
    "step_some": "kernels.step_some(states, one, one, mask, np.zeros((1, 2), np.float32), 0)",
    "observe_some": "kernels.observe_some(states, one, one, out, engine.NO_SCALES)",
    "choose_rows": "kernels.choose_rows(states, mask, one, streams(1, 0), one)",
}
MISTAKES = [
    ("fill_masks", "rules", "mask[KEEP] = 1", "mask[KEEP] = 'legal'", "mask[KEEP]"),
    ("step_some", "rules", "s.turn += 1", "s.trun += 1", "trun"),
    ("observe_some", "observation", "out[at] = s.deck_size", "out[at] = nowhere + s.deck_size", "nowhere"),
    ("step_some", "rules", "s.turn += 1", "s.hands[0] = s.hands[1]", "needs memory"),
    ("choose_rows", "heuristic", "def heuristic(s, mask, stream)", "def heuristic(s, mask)", "heuristic"),
]


@pytest.mark.parametrize(("kernel", "file", "old", "new", "said"), MISTAKES)
def test_a_broken_jitted_function_is_named(toy: Path, kernel: str, file: str, old: str, new: str, said: str) -> None:
    """A short ContractError with game, file, line and reason, without numba's long messages."""
    with edited(toy / "toy_env" / f"{file}.py", old, new) as line:
        error = failure(CALL + KERNELS[kernel], environment(toy, cache=toy / "cache"), toy)
    assert "skyline.core.engine.compiled.ContractError: " in error, error
    message = error[error.rindex("skyline.core.engine.compiled.ContractError: ") :]
    assert "The highest sum" in message
    assert said in message
    assert re.search(rf"{file}\.py\D+{line}\b", message), message
    assert len(message) < 600, message


# ---------------------------------------------------------------- start-up


def seconds_of(code: str, tries: int = 3) -> float:
    """The least time that a few processes with this code report."""
    env = environment(ROOT, cache=None)
    return min(float(run(code, env, ROOT).splitlines()[-1]) for _ in range(tries))


@pytest.mark.speed
def test_importing_skyline_is_quick_and_loads_no_heavy_module() -> None:
    code = """
import sys, time
begun = time.perf_counter()
import skyline
print(sorted({"numba", "torch", "matplotlib", "scipy", "pandas", "pygame", "typer", "rich"} & set(sys.modules)))
print([name for name in sys.modules if name.endswith("_env.game") or name.endswith("_env.rules")])
print(time.perf_counter() - begun)
"""
    lines = run(code, environment(ROOT, cache=None), ROOT).splitlines()
    assert lines[:2] == ["[]", "[]"]
    took = seconds_of(code)
    print(f"\nimport skyline: {took:.2f} s")
    assert took < IMPORT_SECONDS * NOISE


@pytest.mark.speed
@pytest.mark.parametrize("game", NAMES)
def test_the_second_process_steps_soon(game: str) -> None:
    """From the import to the first step, with kernels from the cache."""
    code = f"""
import time
begun = time.perf_counter()
import skyline
env = skyline.env({game!r})
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.perf_counter() - begun)
"""
    run(code, environment(ROOT, cache=None), ROOT)
    took = seconds_of(code)
    print(f"\n{game}: import to first step from the cache {took:.2f} s")
    assert took < FIRST_STEP_SECONDS * NOISE


@jit.njit
def mixed(mask, word):
    """A function that the optimiser does not inline at several places: sorting takes many branches."""
    sort_cards(mask, len(mask), 9)
    shuffled = np.uint64(1)
    for bit in mask:
        shuffled = shuffled * np.uint64(31) + np.uint64(bit)
    return shuffled ^ word


def words(mask):
    word = mixed(mask, np.uint64(len(mask)))
    word = mixed(mask[1:], np.uint64(word))
    word = mixed(mask[2:], np.uint64(word))
    return mixed(mask[3:], np.uint64(word))


@jit.njit
def word_of_two(mask, other):
    return mixed(mask, mixed(other, np.uint64(1)))


def test_a_kernel_keeps_its_functions_to_itself(tmp_path: Path) -> None:
    """A kernel has private copies of the functions that it calls, which the optimiser may change."""
    mask = np.array([1, 0, 1, 1] * 40, np.int8)
    kernel = jit.cached_kernel(words, tmp_path)
    assert kernel(mask) == words(mask)
    (compiled,) = kernel.overloads.values()
    linkages = {function.name: function.linkage for function in compiled.library.get_defined_functions()}
    assert Linkage.private in linkages.values()
    assert Linkage.linkonce_odr not in linkages.values(), linkages
    assert word_of_two(mask, mask[4:]) == mixed(mask, np.uint64(mixed(mask[4:], np.uint64(1))))
