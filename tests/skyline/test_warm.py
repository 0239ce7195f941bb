"""A process with all kernels in the cache compiles nothing; `warmup` puts all kernels there."""

from __future__ import annotations

from pathlib import Path

import pytest

from skyline import registry
from skyline.core.cache import cache_base
from tests.support.commands import WARMUP
from tests.support.playing import GAME, NAMES
from tests.support.processes import ROOT, declare, environment, finished, output, run, start

# Python runs a module of this name first, in the processes that a command starts, too. numba says what it compiles.
# `skyline bench` measures a process that has an empty cache of its own, which must compile.
COUNT = """
import os
from numba.core import event

class Compiled(event.Listener):
    def on_start(self, happened):
        with open(os.environ["COMPILED"], "a") as file:
            file.write(happened.data["dispatcher"].py_func.__qualname__ + "\\n")
    def on_end(self, happened):
        pass

if os.environ["NUMBA_CACHE_DIR"] == os.environ["WARM_CACHE"]:
    event.register("numba:compile", Compiled())
"""
STEPS = """
import pickle
import numpy as np
import skyline
from skyline.rng import streams
from skyline_agents.protocol import views_of

def first_legal(observations, masks, seats):
    return masks.argmax(axis=1)

for dtype in ("int16", "float32"):
    for reward in ("outcome", "score", "margin"):
        env = skyline.env({game!r}, obs_dtype=dtype, reward=reward, auto_forced=True, render_mode="ansi")
        for seed in (1, None):
            env.reset(seed=seed)
            env.step(int(env.last()[0]["action_mask"].argmax()))
        env.render(), env.state(), env.clone(), env.reset(options={{"position": env.position()}})
    own = ({{}}, {{"seat": 0}}, {{"seat": "rotate", "opponents": "heuristic"}}, {{"seat": 0, "opponents": first_legal}})
    for settings in own:
        for autoreset in ("same_step", "next_step", "disabled"):
            batch = skyline.vector({game!r}, 3, obs_dtype=dtype, autoreset=autoreset, illegal="lose", **settings)
            batch.reset(seed=1)
            for _ in range(20):
                batch.step(batch.action_mask.argmax(axis=1))
            batch.legal_ids()
            batch.reset()
            batch = pickle.loads(pickle.dumps(batch))
            actions = batch.action_mask.argmax(axis=1)
            actions.flags.writeable = False
            batch.step(actions)
            batch.step(np.repeat(batch.action_mask.argmax(axis=1), 2)[::2])
        cut = skyline.vector({game!r}, 3, obs_dtype=dtype, max_cycles=2, **settings)
        cut.reset(seed=1)
        for _ in range(5):
            cut.step(cut.action_mask.argmax(axis=1))
    packed = skyline.vector({game!r}, 2000, obs_dtype=dtype, mask_dtype="bits", threads=2)
    packed.reset(seed=1)
    ids, offsets = packed.legal_ids()
    packed.step(ids[offsets[:-1]])
    single = skyline.single({game!r}, obs_dtype=dtype, opponents="heuristic")
    observation, info = single.reset(seed=1)
    single.step(int(single.action_masks().argmax()))
cut.reset(seed=1)
view, other = views_of(cut.game, cut.states[:2].copy(), cut.action_mask[:2].copy(), streams(2, 0), {{}})
view.determinized(3), other.determinized(2, streams(2, 1)), view.observe("rich", "float32")
cut.game.places(cut.states[0])
"""

LAYERS = "core,vector-16,vector-1024-bits,vector-1024-ids,vector-seat-16,aec,search"


@pytest.fixture(scope="module")
def counting(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of processes that write down which functions they compile."""
    folder = tmp_path_factory.mktemp("counting")
    (folder / "sitecustomize.py").write_text(COUNT)
    declare(folder, "skyline.warmup", WARMUP)
    cache = str(cache_base())
    return environment(folder, ROOT, site, cache=None, COMPILED=str(folder / "compiled"), WARM_CACHE=cache)


def compiled(counting: dict[str, str], folder: Path, *arguments: str) -> list[str]:
    """The functions that a process compiles; the process must succeed."""
    said = Path(counting["COMPILED"])
    said.write_text("")
    process = start(list(arguments), counting, folder)
    out, err = finished(process, 600)
    assert process.returncode == 0, out + err
    return said.read_text().split()


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=pytest.mark.ci if name == GAME else pytest.mark.slow) for name in NAMES]
)
def test_a_warm_process_compiles_nothing(game: str, counting: dict[str, str], tmp_path: Path) -> None:
    """Environments of every kind and setting, dealing anew and the commands, after one `skyline warmup`."""
    compiled(counting, tmp_path, "-m", "skyline", "warmup", game)
    players = registry.load(game).player_counts[0]
    found = {"environments": compiled(counting, tmp_path, "-c", STEPS.format(game=game))}
    for command in (
        f"warmup {game}",
        f"show --seed 3 --game {game}",
        f"show --seed 3 --game {game} --move 4 --seat 1 --svg picture.svg",
        f"play {game} -n 3 --record records",
        f"play {game} -n 1 -a ismcts:20,flat:20,heuristic --auto-forced --record records",
        "verify records",
        f"bench {game} -p {players} -l {LAYERS} -s 0.01",
        f"tournament -g {game} -a random,heuristic -n 4 --db games.db",
        f"tournament -g {game} -a ismcts:20,flat:20 -n 2 -j 2 --db search.db",
    ):
        found[command] = compiled(counting, tmp_path, "-m", "skyline", *command.split())
    assert found == {what: [] for what in found}


def test_clearing_leaves_nothing_behind(counting: dict[str, str], tmp_path: Path) -> None:
    """Neither kernels of the search nor other functions of the game, with and without the name of the game."""
    cache = tmp_path / "kernels"
    env = {**counting, "NUMBA_CACHE_DIR": str(cache), "NUMBA_OPT": "0"}
    code = """
import numpy as np, skyline
from skyline_agents.players.search import tree
from skyline.core import engine
game = skyline.load({game!r})
states, mask = game.blank(2), engine.mask_array(game, 2)
engine.kernels(game).fill_masks(states, mask)
tree.search_kernels(game).root_key
game.places(states[0])
"""
    for arguments in (["warmup", GAME, "--clear"], ["warmup", "--clear"]):
        run(code.format(game=GAME), env, ROOT)
        assert len({path.name.partition("-")[0] for path in cache.iterdir()}) > 1
        said = output(start(["-m", "skyline", *arguments], env, tmp_path))
        assert said.startswith("removed 3 kernel folders"), said
        assert not list(cache.iterdir())
