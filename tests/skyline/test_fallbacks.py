"""Private interfaces of numba that are missing or different: one warning each, slower kernels, the same games."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from skyline.core import loops, wide
from tests.support.processes import ROOT, TOY, environment, finished, run, start, toy_site

PLAY = """
import hashlib
import numpy as np
import skyline
from skyline.core import engine
game = skyline.load("toy")
env = skyline.env("toy", 3, reward="score")
digest = hashlib.sha256()
for seed in range(3):
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, done, _, _ = env.last()
        digest.update(observation["observation"].tobytes() + repr(reward).encode())
        digest.update(observation["action_mask"].tobytes())
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if done else int(legal[seed % len(legal)]))
print(digest.hexdigest(), len(list(engine.kernels(game).folder.glob("*.nbc"))))
"""
OTHER_LIBRARY = """
import numba.core.codegen
numba.core.codegen.JITCodeLibrary = type("JITCodeLibrary", (), {})
"""
HIDDEN = {  # interfaces that are missing for skyline, but not for numba itself; and the words of the warning
    "option _nrt": ("import numba.core.options as o; del o.DefaultOptions._nrt", "has no option _nrt"),
    "code library": ("import numba.core.codegen as c; del c.JITCodeLibrary", "numba's own libraries"),
    "another library": (OTHER_LIBRARY, "numba's own libraries"),
    "vector types": ("import numba; from llvmlite import ir; del ir.VectorType", "as loops"),
    "counting bits": ("import numba; from llvmlite import ir; del ir.IRBuilder.ctpop", "as loops"),
    "compile results": (
        "import numba.core.compiler as c; c.CompileResult._reduce = lambda self, how: ()",
        "cannot be kept",
    ),
    "codegen": (
        "import numba.core.codegen as c; c.JITCPUCodegen.magic_tuple = lambda self, what: ()",
        "cannot be loaded",
    ),
}


def games(tmp_path: Path, before: str = "") -> tuple[list[str], str]:
    """A digest of some games and the number of kept kernels; and the stderr."""
    site, cache = toy_site(tmp_path / "site"), tmp_path / "cache"
    process = start(["-c", f"{before}\n{PLAY}"], environment(site, TOY.parent, ROOT, cache=cache), ROOT)
    out, err = finished(process)
    assert process.returncode == 0, err
    return out.split(), err


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    said, err = games(tmp_path_factory.mktemp("usual"))
    assert err == ""
    return said


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in ("counting bits", "codegen") else pytest.mark.slow) for n in HIDDEN]
)
def test_without_a_private_interface_the_games_are_the_same(name: str, usual: list[str], tmp_path: Path) -> None:
    """Without a cache or without fast code: one warning that names the interface, and the same bytes."""
    hide, warning = HIDDEN[name]
    (digest, kept), err = games(tmp_path, hide)
    assert digest == usual[0]
    assert (int(kept) > 0) == (not warning.startswith("cannot be"))
    assert err.count("CacheWarning:") == (2 if name == "codegen" else 1), err  # both loading and keeping fail there
    assert warning in err


def test_every_vector_function_has_a_loop() -> None:
    """The loops pass the tests of the vector functions of skyline.core.wide, in jitted code."""
    code = """
import sys
from skyline.core import wide
wide.vectors_work = lambda: False
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-W", "error", "tests/skyline/test_wide.py"]))
"""
    assert "passed" in run(code, environment(ROOT, cache=None), ROOT)
    assert {name for name, value in vars(loops).items() if inspect.isfunction(value)} <= set(vars(wide))
