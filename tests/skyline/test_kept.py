"""Kernels as files: made by several threads at once, damaged, of another user, or on a full disk."""

from __future__ import annotations

import os
import pickle
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from skyline.core import cache, jit, kept
from tests.skyline.test_cache import NOBODY, mode, plus_one, root_only
from tests.support.processes import ROOT, environment, run


@pytest.fixture(autouse=True)
def _warned_of_nothing() -> Iterator[None]:
    cache.warn_once.cache_clear()
    yield
    cache.warn_once.cache_clear()


def test_threads_that_decorate_at_once_keep_every_kernel_in_its_folder(tmp_path: Path) -> None:
    """No setting of the whole process changes meanwhile."""
    before, wrong, rounds = numba.config.CACHE_DIR, [], 75
    folders = [tmp_path / str(thread) for thread in range(8)]

    def decorate(folder: Path) -> None:
        folder.mkdir()
        for _ in range(rounds):
            kernel = jit.cached_kernel(plus_one.py_func, folder)
            if not str(kernel._cache.cache_path).startswith(str(folder)) or before != numba.config.CACHE_DIR:
                wrong.append(kernel)

    threads = [threading.Thread(target=decorate, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert before == numba.config.CACHE_DIR


def test_threads_that_meet_a_kernel_at_once_get_the_same(tmp_path: Path) -> None:
    """Eight threads compile the kernel at the same time: each computes the right sum, and one file is kept."""
    folder, results = tmp_path / "kernels", []
    folder.mkdir(mode=0o700)
    ready = threading.Barrier(8)

    def work() -> None:
        kernel = jit.cached_kernel(total, folder)
        ready.wait()
        with cache.locked(folder):
            kernel.compile((numba.typeof(np.arange(5)),))
        results.append(kernel(np.arange(5)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [10] * 8
    assert len(list(folder.glob("*.nbc"))) == 1
    assert not list(folder.glob("*.tmp"))


def total(values):
    found = 0
    for i in range(values.shape[0]):
        found += values[i]
    return found


# ---------------------------------------------------------------- damaged files


@pytest.fixture
def compiled(tmp_path: Path) -> tuple[Path, bytes]:
    """The file of a kernel, and its bytes."""
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    assert jit.cached_kernel(total, folder)(np.arange(5)) == 10
    (path,) = folder.iterdir()
    return path, path.read_bytes()


def loads(folder: Path) -> bool:
    """Whether a new dispatcher loads the kernel from its file; the result is right in both cases."""
    kernel = jit.cached_kernel(total, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel(np.arange(5)) == 10
    return bool(sum(kernel.stats.cache_hits.values()))


def damages(data: bytes) -> dict[str, bytes]:
    rng = np.random.default_rng(0)
    flipped = {f"bit {bit}": bytes(_flipped(data, int(bit))) for bit in rng.integers(0, 8 * len(data), 40)}
    cut = {f"cut at {end}": data[:end] for end in (1, 20, kept.HEAD - 1, kept.HEAD, len(data) // 2, len(data) - 1)}
    return {"empty": b"", "zeros": bytes(len(data)), "longer": data + b"x", "text": b"hello", **flipped, **cut}


def _flipped(data: bytes, bit: int) -> bytearray:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return changed


def test_a_damaged_file_is_found_before_it_is_unpickled(
    compiled: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut, flipped, empty or overwritten: the file is removed, the kernel is compiled, the new file can be loaded."""
    path, data = compiled
    assert loads(path.parent)
    for name, damaged in damages(data).items():
        path.write_bytes(damaged)
        with monkeypatch.context() as patch:
            patch.setattr(pickle, "loads", _must_not_be_called)
            assert kept.read_checked(path) is None, name
        assert not path.exists(), name
    for damaged in (b"", data[: len(data) // 2]):
        path.write_bytes(damaged)
        assert not loads(path.parent)
        assert loads(path.parent)


def _must_not_be_called(*_: Any) -> None:
    raise AssertionError("a damaged file was unpickled")


def test_the_file_of_another_kernel_is_not_taken(compiled: tuple[Path, bytes], tmp_path: Path) -> None:
    """A whole file under a wrong name, as after a repair of a file system."""
    path, data = compiled
    other = jit.cached_kernel(plus_one.py_func, path.parent)
    assert other(4) == 5
    (second,) = set(path.parent.iterdir()) - {path}
    second.write_bytes(data)
    again = jit.cached_kernel(plus_one.py_func, path.parent)
    assert again(4) == 5
    assert not sum(again.stats.cache_hits.values())


class Foreign:
    """An object that runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return _must_not_be_called, ()


@pytest.mark.parametrize("how", ["open", pytest.param("owner", marks=root_only), "link"])
def test_a_file_that_is_not_private_is_not_read(compiled: tuple[Path, bytes], tmp_path: Path, how: str) -> None:
    """A right checksum does not help: anybody can compute it."""
    path, _ = compiled
    path.unlink()
    place = tmp_path / "foreign" if how == "link" else path
    kept.write_checked(place, pickle.dumps(Foreign()))
    assert mode(place) == 0o600
    if how == "link":
        path.symlink_to(place)
    elif how == "owner":
        os.chown(path, NOBODY, NOBODY)
    else:
        path.chmod(0o666)
    assert not loads(path.parent)
    assert loads(path.parent)


def test_a_folder_in_the_place_of_a_file(compiled: tuple[Path, bytes]) -> None:
    path, _ = compiled
    path.unlink()
    path.mkdir()
    with pytest.warns(cache.CacheWarning, match="cannot be kept"):
        assert jit.cached_kernel(total, path.parent)(np.arange(5)) == 10


def test_nothing_of_a_file_is_left_when_the_disk_is_full(
    compiled: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = compiled
    path.unlink()
    monkeypatch.setattr(Path, "replace", _disk_full)
    kernel = jit.cached_kernel(total, path.parent)
    with pytest.warns(cache.CacheWarning, match="No space left"):
        assert kernel(np.arange(5)) == 10
    assert not list(path.parent.iterdir())


def _disk_full(*_: Any) -> None:
    raise OSError(28, "No space left on device")


def recursive(n):
    return 1 if n < 2 else n * recursive_part(n - 1)


@jit.njit
def recursive_part(n):
    return 1 if n < 2 else n * recursive_part(n - 1)


def test_a_function_that_calls_itself_is_loaded_whole(tmp_path: Path) -> None:
    """In another process, because this process has the function already."""
    code = f"""
import sys
from pathlib import Path
from skyline.core import jit
from tests.skyline.test_kept import recursive
kernel = jit.cached_kernel(recursive, Path({str(tmp_path)!r}))
print(kernel(10), sum(kernel.stats.cache_hits.values()))
"""
    env = environment(ROOT, cache=tmp_path)
    assert [run(code, env, ROOT) for _ in range(2)] == ["3628800 0\n", "3628800 1\n"]
