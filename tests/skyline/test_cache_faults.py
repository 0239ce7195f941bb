"""The cache of kernels on a machine with faults: processes are killed, run at the same time, or fork; disks are full or
read-only. Every process plays the same games, without a traceback.

The tests play the toy game, which compiles in the shortest time.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.processes import ROOT, TOY, environment, finished, output, run, start, toy_site

DEAL = """
import hashlib, numpy as np, skyline
from skyline.core import engine
game = skyline.load("toy")

def deal():
    states, mask = game.blank(2, n=16), engine.mask_array(game, 2, 16)
    seeds, rows, rewards = np.arange(16, dtype=np.uint64), np.arange(16), np.zeros((16, 2), np.float32)
    engine.kernels(game).begin_rows(states, seeds, rows, mask, rewards, False)
    return hashlib.sha256(states.tobytes() + mask.tobytes()).hexdigest()
"""  # this kernel deals games and fills their masks
PRINT = f"{DEAL}\nprint(deal())"
NO_USER = """
from pathlib import Path
from typing import Any
def unknown():
    raise RuntimeError("Could not determine home directory.")
Path.home = unknown
"""  # as for a user without an account


def slow(value: object) -> Any:
    return pytest.param(value, marks=pytest.mark.slow)


needs_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root: mount")


@pytest.fixture(scope="module", autouse=True)
def _toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOY_SITE", str(toy_site(tmp_path_factory.mktemp("site"))))
        yield


def variables(cache: Path | str, **more: str) -> dict[str, str]:
    """The environment of a process with the toy game and this cache."""
    env = environment(Path(os.environ["TOY_SITE"]), TOY.parent, ROOT, cache=Path("unused"), **more)
    return env | {"NUMBA_CACHE_DIR": str(cache)}


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the kernel."""
    folder = tmp_path_factory.mktemp("warm")
    run(PRINT, variables(folder), ROOT)
    return folder


@pytest.fixture(scope="module")
def right(warm: Path) -> str:
    """The output that every process must give."""
    return run(PRINT, variables(warm), ROOT)


def kernels_of(cache: Path) -> dict[Path, int]:
    """The times at which the kept kernels were written."""
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}


def copied(warm: Path, place: Path) -> Path:
    shutil.copytree(warm, place)
    return place


# ---------------------------------------------------------------- processes


@pytest.mark.parametrize("seconds", ["lock", *map(slow, (0.8, 1.6, 2.4, 4.0))])
def test_after_a_kill_while_compiling_the_next_process_works(seconds: float | str, right: str, tmp_path: Path) -> None:
    """The lock is free, and no incomplete file is read; clearing the cache removes the files of the killed process."""
    process = start(["-c", PRINT], variables(tmp_path), ROOT)
    if isinstance(seconds, str):
        _wait_for(lambda: any(tmp_path.rglob("lock")))
    else:
        time.sleep(seconds)
    process.kill()
    finished(process)
    assert run(PRINT, variables(tmp_path), ROOT) == right
    written = kernels_of(tmp_path)
    assert len(written) == 1
    assert run(PRINT, variables(tmp_path), ROOT) == right
    assert kernels_of(tmp_path) == written


def _wait_for(condition: object, seconds: float = 120) -> None:
    ends = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.slow
def test_a_kill_while_eight_wait_stops_none_of_them(right: str, tmp_path: Path) -> None:
    processes = [start(["-c", PRINT], variables(tmp_path), ROOT) for _ in range(8)]
    _wait_for(lambda: any(tmp_path.rglob("lock")))
    time.sleep(1)
    processes[0].send_signal(signal.SIGKILL)
    finished(processes[0])
    assert [output(process) for process in processes[1:]] == [right] * 7
    assert len(kernels_of(tmp_path)) == 1


@pytest.mark.slow
def test_eight_cold_processes_compile_once(right: str, tmp_path: Path) -> None:
    """One process compiles, the others wait and load."""
    counting = f"""{DEAL}
found = deal()
print(found, sum(engine.kernels(game).begin_rows.stats.cache_misses.values()))
"""
    processes = [start(["-c", counting], variables(tmp_path), ROOT) for _ in range(8)]
    said = [output(process).split() for process in processes]
    assert {digest for digest, _ in said} == {right.strip()}
    assert sorted(int(missed) for _, missed in said) == [0] * 7 + [1]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("first", [True, slow(False)])
def test_children_of_every_kind_play(method: str, first: bool, right: str, warm: Path, tmp_path: Path) -> None:
    """With a parent that has used its kernels and threads, and with one that has not."""
    (tmp_path / "children.py").write_text(f"""{DEAL}
import multiprocessing, sys

def child(n):
    touched = np.zeros(8, np.int64)
    def run(part):
        touched[part] += 1
    engine.in_chunks(run, 8, 2)
    assert (touched == 1).all()
    return deal()

if __name__ == "__main__":
    if {first}:
        child(0)
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        said = set(pool.map(child, range(4)))
    print(*said)
""")
    process = start([str(tmp_path / "children.py")], variables(warm), ROOT)
    out, err = finished(process)
    assert out == right, err


def test_a_child_forked_while_another_thread_compiles_plays(right: str, tmp_path: Path) -> None:
    """Locks that a thread of the parent holds (of numba, of the folder) do not exist in an exec'd child."""
    code = f"""{DEAL}
import multiprocessing, threading
from skyline.core import cache
if __name__ == "__main__":
    thread = threading.Thread(target=deal)
    thread.start()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(eval, ("__import__('children').deal()",)))
    thread.join()
"""
    (tmp_path / "children.py").write_text(DEAL)
    (tmp_path / "parent.py").write_text(code)
    env = variables(tmp_path / "kernels")
    env["PYTHONPATH"] += os.pathsep + str(tmp_path)
    out, err = finished(start([str(tmp_path / "parent.py")], env, ROOT))
    assert out == right, err


# ---------------------------------------------------------------- files and disks


@pytest.mark.parametrize(
    "damage", ["flipped", *(pytest.param(d, marks=pytest.mark.slow) for d in ("empty", "cut", "other"))]
)
def test_a_damaged_cache_is_repaired(damage: str, right: str, warm: Path, tmp_path: Path) -> None:
    """No traceback, no warning, the right games; the next process loads again."""
    cache = copied(warm, tmp_path / "kernels")
    (path,) = kernels_of(cache)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(
        {"empty": b"", "cut": bytes(data[:1000]), "flipped": bytes(data), "other": b"\x80\x04." * 99}[damage]
    )
    out, err = finished(start(["-W", "error", "-c", PRINT], variables(cache), ROOT))
    assert (out, err) == (right, "")
    written = kernels_of(cache)
    assert run(PRINT, variables(cache), ROOT) == right
    assert kernels_of(cache) == written


def test_many_random_damages(warm: Path, tmp_path: Path) -> None:
    """A hundred files with flipped or missing bytes: none is loaded as a kernel."""
    from skyline.core import kept

    (path,) = kernels_of(warm)
    data, rng, place = path.read_bytes(), np.random.default_rng(1), tmp_path / "kernel.nbc"
    for _ in range(100):
        damaged = bytearray(data[: rng.integers(len(data) + 1)] if rng.random() < 0.3 else data)
        for at in rng.integers(len(damaged), size=rng.integers(1, 4)) if damaged else ():
            damaged[at] ^= 1 << rng.integers(8)
        if bytes(damaged) == data:
            continue
        kept.write_checked(place, b"")
        place.write_bytes(damaged)
        assert kept.read_checked(place) is None


@contextlib.contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[Path]:
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@needs_root
def test_a_full_disk_costs_the_cache_only(right: str, tmp_path: Path) -> None:
    """One warning with the reason; the games are right; no incomplete file is left."""
    with small_disk(tmp_path / "disk", "size=64k", "mode=700") as disk:
        out, err = finished(start(["-c", PRINT], variables(disk / "kernels"), ROOT))
        assert out == right, err
        assert err.count("CacheWarning") == 1, err
        assert "No space left on device" in err
        assert not kernels_of(disk)
        assert not list(disk.rglob("*.tmp"))


@needs_root
def test_a_disk_with_no_room_at_all(right: str, tmp_path: Path) -> None:
    """Not even folders can be made: the temporary folder is used."""
    (tmp_path / "tmp").mkdir()
    with small_disk(tmp_path / "disk", "nr_inodes=1", "mode=700") as disk:
        out, err = finished(start(["-c", PRINT], variables(disk / "k", TMPDIR=str(tmp_path / "tmp")), ROOT))
        assert out == right, err
        assert "No space left on device" in err
    assert len(kernels_of(tmp_path / "tmp")) == 1


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
def test_files_may_not_grow(right: str, tmp_path: Path) -> None:
    """The same as a full disk, for machines where nothing can be mounted: no file may have more than 20 kB."""
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    out, err = finished(start(["-c", limit + PRINT], variables(tmp_path), ROOT))
    assert out == right, err
    assert "File too large" in err
    assert not kernels_of(tmp_path)


@needs_root
def test_a_disk_that_cannot_be_written_to(right: str, warm: Path, tmp_path: Path) -> None:
    """The temporary folder is used, with a warning that names the folder and the remedy."""
    (tmp_path / "tmp").mkdir()
    with small_disk(tmp_path / "disk", "mode=700") as disk:
        copied(warm, disk / "kernels")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        env = variables(disk / "kernels", TMPDIR=str(tmp_path / "tmp"))
        out, err = finished(start(["-c", PRINT], env, ROOT))
        assert out == right, err
        assert err.count("CacheWarning") == 1, err
        assert f"NUMBA_CACHE_DIR={disk / 'kernels'} is not used" in err
        assert "set NUMBA_CACHE_DIR" in err
    assert len(kernels_of(tmp_path / "tmp")) == 1


@needs_root
def test_no_disk_at_all_can_be_written_to(right: str, tmp_path: Path) -> None:
    """Without a cache and a temporary folder kernels are compiled for this process alone."""
    with small_disk(tmp_path / "disk", "mode=700") as disk:
        (disk / "tmp").mkdir()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        code = f"import tempfile; tempfile.tempdir = {str(disk / 'tmp')!r}\n{PRINT}"
        out, err = finished(start(["-c", code], variables(disk / "kernels"), ROOT))
        assert out == right, err
        assert "cannot be kept anywhere" in err


@pytest.mark.parametrize("home", ["/nonexistent", *map(slow, (None, ""))])
def test_no_home(home: str | None, right: str, tmp_path: Path) -> None:
    """In services, containers and cron: the user's own folder in the temporary folder is used, without a warning."""
    env = variables("", TMPDIR=str(tmp_path))
    for name in ("HOME", "XDG_CACHE_HOME"):
        env.pop(name, None)
    if home is not None:
        env["HOME"] = home
    out, err = finished(start(["-c", PRINT if home is not None else NO_USER + PRINT], env, ROOT))
    assert (out, err) == (right, "")
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"skyline-kernels-{os.geteuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700


class Attack:
    """A file that another user would put into a folder that everybody may write to."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.place,)


@needs_root
def test_code_of_another_user_does_not_run(right: str, warm: Path, tmp_path: Path) -> None:
    """The folder of the other user has the right name and stamp, and its files the right names and checksums."""
    import pickle

    from skyline.core import kept

    (tmp_path / "tmp").mkdir()
    base = copied(warm, tmp_path / "tmp" / f"skyline-kernels-{os.geteuid()}")
    for path in kernels_of(base):
        kept.write_checked(path, pickle.dumps(Attack(tmp_path / "attacked")))
    for path in (base, *base.rglob("*")):
        os.chown(path, 65534, 65534)
    env = variables("", TMPDIR=str(tmp_path / "tmp"), HOME="/nonexistent")
    env.pop("XDG_CACHE_HOME", None)
    out, err = finished(start(["-c", PRINT], env, ROOT))
    assert out == right
    assert not (tmp_path / "attacked").exists()
    assert f"{base} belongs to user 65534" in err
    assert list((tmp_path / "tmp").iterdir()) == [base], "the process's own folder is gone with it"
