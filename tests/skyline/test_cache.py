"""The folders of kernels: nobody else can write there; old stamps are removed; stamps cover all sources."""

from __future__ import annotations

import os
import stat
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skyline.core import cache, jit
from tests.support.processes import ROOT, environment, run

NOBODY = 65534
root_only = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root: chown, setuid")


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home and a temporary folder for the test, no variable set, and no warning given before."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir(mode=0o755)
    (tmp_path / "tmp").chmod(0o1777)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    cache.warn_once.cache_clear()
    cache._fresh_folder.cache_clear()
    yield tmp_path
    cache.warn_once.cache_clear()
    cache._fresh_folder.cache_clear()


def base() -> tuple[Path, list[str]]:
    """The base folder, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        folder = cache.cache_base()
    assert all(warning.category is cache.CacheWarning for warning in caught)
    return folder, [str(warning.message) for warning in caught]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def temporary(places: Path) -> Path:
    return places / "tmp" / f"skyline-kernels-{os.geteuid()}"


# ---------------------------------------------------------------- which folder


def test_the_users_cache_folder_is_made_for_the_user_alone(places: Path) -> None:
    old = os.umask(0)
    try:
        folder, said = base()
    finally:
        os.umask(old)
    assert (folder, said) == (places / "home/.cache/skyline/kernels", [])
    assert [mode(path) for path in (folder, folder.parent, folder.parent.parent)] == [0o700] * 3


def test_xdg_cache_home_is_taken_if_it_is_a_whole_path(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "xdg"))
    assert base() == (places / "xdg/skyline/kernels", [])
    for wrong in ("", "xdg"):
        monkeypatch.setenv("XDG_CACHE_HOME", wrong)
        assert base() == (places / "home/.cache/skyline/kernels", [])


def test_an_empty_variable_is_not_the_current_folder(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    assert base() == (places / "home/.cache/skyline/kernels", [])


@pytest.mark.parametrize("given", ["own", "deep/er", "linked"])
def test_the_folder_of_the_variable_is_taken(places: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """A link that the user made is resolved once; afterwards only its target is used."""
    (places / "own").mkdir(mode=0o755)
    (places / "linked").symlink_to(places / "own")
    monkeypatch.setenv("NUMBA_CACHE_DIR", given)
    folder, said = base()
    assert (folder, said) == (places / ("own" if given == "linked" else given), [])
    assert mode(folder) == (0o700 if given == "deep/er" else 0o755)


@pytest.mark.parametrize("bits", [0o775, 0o757, 0o1777])
def test_a_folder_that_others_write_to_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    """The warning names the folder, the reason and the remedy; the folder stays open, as its owner may want."""
    (places / "shared").mkdir()
    (places / "shared").chmod(bits)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(places / "shared"))
    folder, (warning,) = base()
    assert folder == temporary(places)
    assert mode(folder) == 0o700
    assert mode(places / "shared") == bits
    for part in (f"NUMBA_CACHE_DIR={places / 'shared'}", f"(mode {bits:04o})", "chmod 700"):
        assert part in warning


def test_a_folder_below_one_that_is_open_to_all_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody could replace such a folder. Where only owners may rename (a temporary folder) the folder is used."""
    (places / "open" / "own").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(places / "open" / "own"))
    (places / "open").chmod(0o777)
    folder, (warning,) = base()
    assert folder == temporary(places)
    assert "open to all" in warning
    (places / "open").chmod(0o1777)
    assert base() == (places / "open" / "own", [])


def test_our_own_folder_that_is_too_open_is_closed(places: Path) -> None:
    folder = places / "home/.cache/skyline/kernels"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert base() == (folder, [])
    assert mode(folder) == 0o700


@root_only
@pytest.mark.parametrize("given", [True, False])
def test_a_folder_of_another_user_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch, given: bool) -> None:
    folder = places / "home/.cache/skyline/kernels"
    folder.mkdir(parents=True)
    os.chown(folder, NOBODY, NOBODY)
    if given:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    found, said = base()
    assert found == temporary(places)
    assert [f"belongs to user {NOBODY}, not to user 0" in text for text in said] == [True] * given


@root_only
def test_a_temporary_folder_that_somebody_else_made_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process uses a new folder, with a warning that names the remedy."""
    temporary(places).mkdir()
    os.chown(temporary(places), NOBODY, NOBODY)
    monkeypatch.setenv("HOME", "/nonexistent")
    folder, (warning,) = base()
    assert folder.parent == places / "tmp"
    assert folder.name.startswith("skyline-kernels-")
    assert folder != temporary(places)
    assert mode(folder) == 0o700
    assert folder == base()[0]
    for part in (str(temporary(places)), f"belongs to user {NOBODY}", "set NUMBA_CACHE_DIR"):
        assert part in warning
    assert not Path("/nonexistent").exists()


def test_a_temporary_folder_that_is_a_link_is_not_used(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "elsewhere").mkdir(mode=0o700)
    temporary(places).symlink_to(places / "elsewhere")
    monkeypatch.setenv("HOME", "/nonexistent")
    folder, (warning,) = base()
    assert folder not in (temporary(places), places / "elsewhere")
    assert "symbolic link" in warning


def test_the_folder_of_one_process_is_gone_with_it(places: Path) -> None:
    """A forked child does not remove the folder of its parent."""
    code = """
import os, warnings
warnings.simplefilter("ignore")
from skyline.core import cache
print(cache.cache_base(), flush=True)
if os.fork() == 0:
    raise SystemExit
os.wait()
assert cache.cache_base().is_dir()
"""
    temporary(places).write_text("no folder")
    env = {
        **environment(ROOT, cache=None),
        "HOME": "/nonexistent",
        "TMPDIR": str(places / "tmp"),
        "NUMBA_CACHE_DIR": "",
    }
    env.pop("XDG_CACHE_HOME", None)
    folder = Path(run(code, env, ROOT).strip())
    assert folder.parent == places / "tmp"
    assert not folder.exists()


@root_only
def test_each_user_has_a_folder_of_its_own(places: Path) -> None:
    """A forked child runs as another user, and does not read the folder that root made."""
    for path in (places, *places.parents):
        if path.stat().st_uid == 0 and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o711)
    temporary(places).mkdir(mode=0o700)
    code = f"""
import os, tempfile, warnings
warnings.simplefilter("error")
from skyline.core import cache
tempfile.tempdir = {str(places / "tmp")!r}
os.environ.update(HOME="/nonexistent", NUMBA_CACHE_DIR="", XDG_CACHE_HOME="")
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
folder = cache.cache_base()
print(folder.name, oct(folder.stat().st_mode & 0o7777), folder.stat().st_uid)
"""
    assert run(code, environment(ROOT, cache=None), ROOT) == f"skyline-kernels-{NOBODY} 0o700 {NOBODY}\n"


@pytest.mark.parametrize("home", [None, "", "/nonexistent", "relative"])
def test_without_a_home_the_temporary_folder_is_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    if home is None:
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(Path, "home", _no_home)
    else:
        monkeypatch.setenv("HOME", home)
    assert base() == (temporary(places), [])


def _no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_a_file_where_the_folder_should_be(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "file").write_text("")
    for given in (places / "file", places / "file" / "below"):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(given))
        cache.warn_once.cache_clear()
        folder, (warning,) = base()
        assert folder == temporary(places)
        assert str(given) in warning


def test_nowhere_to_write_is_no_error_for_kernels(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled in this process, and compute the same."""
    monkeypatch.setattr(cache, "_make", _read_only)
    monkeypatch.setattr(tempfile, "mkdtemp", _read_only)
    with pytest.warns(cache.CacheWarning, match="cannot be kept anywhere"):
        assert jit.FromPython(plus_one)(3) == 4
    with pytest.raises(OSError, match="set NUMBA_CACHE_DIR"):
        cache.cache_base()


def _read_only(*_: Any, **__: Any) -> None:
    raise OSError(30, "Read-only file system")


@jit.njit
def plus_one(n):
    return n + 1


# ---------------------------------------------------------------- stamps


def test_old_stamps_are_pruned(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stamps that were used last are kept, and so are stamps of other games whose names begin alike."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(places / "kernels"))
    source = places / "source"
    source.mkdir()
    other = cache.cache_folder("toy-agents", [source])
    made = []
    for number in range(cache.KEPT_STAMPS + 3):
        (source / "rules.py").write_text(f"NUMBER = {number}")
        folder = cache.cache_folder("toy", [source])
        assert folder is not None
        assert mode(folder) == 0o700
        made.append(folder)
        (folder / "kernel.nbc").write_bytes(b"x")
        os.utime(folder / "used", (number, number))
    assert [folder for folder in made if folder.is_dir()] == made[-cache.KEPT_STAMPS :]
    assert other is not None
    assert other.is_dir()
    assert len(set(made)) == len(made)


def test_a_stamp_covers_every_source_and_its_name(places: Path) -> None:
    """Sources of sub-folders, too; tests, hidden folders and files that are not Python do not count."""
    package = places / "package"
    for name in ("rules/phases", "tests", ".venv", "__pycache__"):
        (package / name).mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("A = 1")
    stamps = [cache.stamp([package])]
    changes: list[Callable[[], object]] = [
        lambda: (package / "a.py").write_text("A = 2"),
        lambda: (package / "b.py").write_text(""),
        lambda: (package / "b.py").rename(package / "c.py"),
        lambda: (package / "rules/phases/bid.py").write_text("BID = 1"),
        lambda: (package / "rules/phases/bid.py").write_text("BID = 2"),
        lambda: (package / "rules/phases/bid.py").rename(package / "rules/bid.py"),
    ]
    for change in changes:
        change()
        stamps.append(cache.stamp([package]))
    assert len(set(stamps)) == len(changes) + 1
    for name in ("README.md", "tests/test_a.py", ".venv/b.py", "__pycache__/c.py"):
        (package / name).write_text("no source of a kernel")
    assert cache.stamp([package]) == stamps[-1]


def test_a_folder_that_is_no_package_has_only_its_own_files(places: Path) -> None:
    """A game in a single file may lie in a home folder."""
    (places / "game.txt").write_text("")
    (places / "alone.py").write_text("A = 1")
    before = cache.stamp([places])
    (places / "home" / "other.py").write_text("B = 1")
    assert cache.stamp([places]) == before


@pytest.mark.parametrize(("module", "folder"), [("p.rules.bid", "p"), ("p.rules", "p"), ("p", "p"), ("alone", "")])
def test_the_sources_of_a_function_are_its_whole_package(places: Path, module: str, folder: str) -> None:
    (places / "p/rules").mkdir(parents=True)
    files = {
        "p.rules.bid": "p/rules/bid.py",
        "p.rules": "p/rules/__init__.py",
        "p": "p/__init__.py",
        "alone": "alone.py",
    }
    space: dict[str, Any] = {"__name__": module}
    exec(compile("def f(): pass", str(places / files[module]), "exec"), space)
    assert cache.package_folder(space["f"]) == places / folder
