"""Environment variables: `skyline games` and a game of the toy in processes of their own, with odd variables."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.fuzz.judgement import ROOT, Finding, text_fault
from tests.fuzz.mutation import as_json, from_json
from tests.fuzz.targets.base import Target
from tests.support.processes import TOY, declare

PLAY = ("play", "toy", "--games", "1", "--agents", "random,heuristic", "--json")
GAMES = ("games",)
FOLDERS = ("", " ", ".", "none", "file", "file/x", "folder", "loop", "/proc", "/dev/null", "no/such", "~", "~nobody",
    "é", "\udcff", "a" * 300,
           "-x", "/" + "d/" * 2100, "full of space", "%TEMP%", "*", "link", "$HOME")  # fmt: skip
NUMBERS = ("", "0", "1", "-1", "x", "99999999999999999999", "1.5", "\u0663")
TEXTS = ("", "C", "POSIX", "en_US.UTF-8", "xx_XX", "tr_TR.UTF-8", "C.ISO-8859-1", "\udcff", "a" * 3000)
POOLS: dict[str, tuple[str, ...]] = {
    "NUMBA_CACHE_DIR": FOLDERS, "HOME": FOLDERS, "XDG_CACHE_HOME": FOLDERS, "TMPDIR": FOLDERS, "COLUMNS": NUMBERS,
    "LINES": NUMBERS,
    "NO_COLOR": NUMBERS, "FORCE_COLOR": NUMBERS, "TERM": ("", "dumb", "xterm", "nothing"), "LANG": TEXTS,
    "LC_ALL": TEXTS, "PYTHONUTF8": ("0", "1"),
    "PYTHONIOENCODING": ("ascii", "latin-1", "utf-8:strict"), "PYTHONHASHSEED": ("0", "1", "4294967295"),
    "PYTHONOPTIMIZE": ("1", "2"),
    "PYTHONDONTWRITEBYTECODE": ("1",), "PYTHONWARNINGS": ("error", "default"), "PYTHONDEVMODE": ("1",), "TZ": TEXTS,
    "PATH": ("", "none"),
    "NUMBA_NUM_THREADS": ("1", "2"), "OMP_NUM_THREADS": NUMBERS, "NUMBA_DISABLE_JIT": ("0", "1"),
    "NUMBA_BOUNDSCHECK": ("0", "1"),
    "SKYLINE_CACHE": TEXTS, "SKYLINE_MODELS": FOLDERS, "XDG_DATA_HOME": FOLDERS, "MPLCONFIGDIR": FOLDERS,
    "_TYPER_STANDARD_TRACEBACK": NUMBERS,
    "_SKYLINE_COMPLETE": ("", "bash_source", "complete_bash", "x"), "TYPER_USE_RICH": NUMBERS, "USER": TEXTS,
    "PYTHONPYCACHEPREFIX": FOLDERS,
}  # fmt: skip


class Environment(Target):
    name = "environment"
    meaning = (
        "environment variables in processes of their own: skyline games, and a game of the toy with its right result"
    )
    seconds = 120.0
    place = r"^skyline: "

    def prepare(self) -> None:
        self.site, self.cache = self.folder / "site", self.folder / "cache"
        declare(self.site, "skyline.games", {"toy": "toy_env"})
        declare(self.site / "commands", "skyline.commands", {"play": "skyline_agents.cli.play:play"})
        shutil.copytree(TOY, self.site / "toy_env", ignore=shutil.ignore_patterns("__pycache__"))
        self.here = self.folder / "here"
        self._write_places()
        self.right = _result(self.call({}, PLAY))

    def _write_places(self) -> None:
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        for name in ("folder", "full of space"):
            (self.here / name).mkdir()
        (self.here / "file").write_text("")
        (self.here / "loop").symlink_to("loop")
        (self.here / "link").symlink_to("folder")

    def make(self, chance: random.Random) -> bytes:
        names = chance.sample(list(POOLS), chance.choice((1, 1, 2, 4)))
        variables: dict[str, Any] = {name: chance.choice(POOLS[name]) for name in names}
        if chance.random() < 0.2:
            variables[chance.choice(("HOME", "PATH", "LANG", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"))] = (
                None  # the variable is not set
            )
        return as_json({"variables": variables, "command": chance.choice((PLAY, GAMES))}).encode()

    def run(self, data: bytes) -> bool:
        case = from_json(data)
        self._write_places()
        before = {path.name for path in self.here.iterdir()}
        variables, command = case["variables"], case["command"]
        done = self.call(variables, command)
        left = {path.name for path in self.here.iterdir()} - before
        named = {text.split("/")[0] for text in variables.values() if text}
        if left - named:
            raise Finding(
                f"{', '.join(sorted(left))} was written into the current folder", "writes into the current folder"
            )
        return judged_process(done, self.place, self.right if command[0] == "play" else None)

    def call(
        self, variables: dict[str, Any], command: Any, cache: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "SKYLINE_"))}
        own |= {
            "NUMBA_CACHE_DIR": str(cache or self.cache),
            "COLUMNS": "100",
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
        }
        own |= {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, self.site, self.site / "commands")))}
        own |= variables
        env = {name: value for name, value in own.items() if value is not None and "\x00" not in value}
        return subprocess.run(
            [sys.executable, "-m", "skyline", *command], env=env, cwd=self.here, capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )  # fmt: skip


def _result(done: subprocess.CompletedProcess[bytes]) -> Any:
    """The result of the game, without times."""
    data = json.loads(done.stdout)
    return {name: value for name, value in data.items() if "second" not in name}


def judged_process(done: subprocess.CompletedProcess[bytes], place: str, right: Any) -> bool:
    """True for the right result; raises ValueError with the text of a refusal, or Finding."""
    said = done.stderr.decode(errors="replace")
    if "Traceback" in said or b"Traceback" in done.stdout:
        raise Finding(f"a command prints a traceback:\n{said[-3000:]}", f"a traceback: {_last_line(said)[:60]}")
    if done.returncode not in (0, 1, 2):
        raise Finding(f"exit code {done.returncode}: {said[-2000:]}")
    if done.returncode:
        if fault := text_fault(said, place):
            raise Finding(f"{fault}: {said[-2000:]!r}")
        raise ValueError(said)
    if right is not None and _result(done) != right:
        raise Finding(f"another result: {done.stdout.decode(errors='replace')[:2000]}")
    return right is not None


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "Traceback"))]
    return lines[-1] if lines else ""
