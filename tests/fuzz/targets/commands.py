"""Command lines of `skyline`, run in this process: real commands with their real options and odd values.

Commands that could play, train or measure for long get small values, or values that they must refuse.
"""

from __future__ import annotations

import os
import random
import re
import sys
from typing import Any

import typer
from typer.testing import CliRunner

from skyline import registry
from skyline.cli import main as cli
from skyline.record import Recorder
from tests.fuzz import played_games
from tests.fuzz.judgement import LONGEST, Finding, text_fault
from tests.fuzz.mutation import SCALARS, as_json, edited_bytes, edited_text, from_json
from tests.fuzz.targets.base import Target
from tests.support.commands import COMMANDS
from tests.support.made_up_tournaments import sample
from tests.support.processes import declare

LINES = 12  # of a refusal; `verify` says one for each bad record
MOST_FILES = 1000  # more files than the commands leave in their folder
HELP = (["--help"], ["-h"], ["--version"], [])
# Commands that take long with right arguments get one argument that must be refused.
REFUSED_ARGUMENT = {
    "demo": ["--games", "x"], "warmup": ["no-such-game"], "bench": ["no-such-game"],
    "train ppo": ["--set", "no-such-setting=1"], "train ship": ["no/such/folder"],
}  # fmt: skip
ODD = ("", " ", "-", "--", "-1", "0", "1", "1.5", "nan", "inf", "1e400", "x", "²", "٣", "9" * 30, "9" * 5000,
    "\udcff", "a" * 5000, "[b]", "\x1b[0m",
       "é", "=", "==", ",", ",,", ":", "..", "/", "~", "%s", "{0}", "\n", "--help", "-x", "None", "true")  # fmt: skip
AGENTS = (
    "random", "heuristic", "random,heuristic", "heuristic,random,random", "random:1", "random,", "mc:0", "mc:x",
    "ismcts:", "ismcts:-1",
    "ismcts:1s,threads=x", "flat:", "ppo:model.safetensors", "ppo:bad.safetensors", "ppo:missing", "ppo:.", "ppo",
    "own:None", "os:getcwd",
    "json:loads", "sys", ":", "a:b:c", "random=1", "mc:1,playout=x", "nothing", "bad_agent:Bot", "bad_agent:Missing",
)  # fmt: skip
FILES = (
    "good.jsonl", "bad.jsonl", "cut.jsonl", "nested.jsonl", "digits.jsonl", "cup.db", "bad.db", "empty.db",
    "cup.toml", "bad.toml", "deep.toml",
    "model.safetensors", "bad.safetensors", "missing", "missing.jsonl", "folder", "full", ".", "", "*.jsonl", "[",
    "**/*", "loop", "pipe", "/dev/null",
    "/dev/full", "/proc/self/mem", "no/such/file.jsonl", "a" * 300, "good.jsonl/x", "binary", "\udcff.jsonl",
)  # fmt: skip
OUTPUTS = (
    "out",
    "out.svg",
    "out.png",
    "out.html",
    "out.db",
    "folder",
    "good.jsonl",
    "good.jsonl/x",
    "/dev/full",
    "/proc/x",
    "",
    "a" * 300,
    "no/such/o.svg",
    "loop",
)
FEW = ("1", "2", "3", "0", "-1", "x", "", "1.5", "nan", "9" * 30, "9" * 5000, "²", "-9223372036854775809")
VALUES: dict[str, tuple[str, ...]] = {
    "--agents": AGENTS, "--anchor": AGENTS, "--games": FEW, "--deals": FEW, "--jobs": ("1", "0", "-1", "x", "1.5",
    "9" * 30), "--steps": FEW,
    "--minutes": ("0.001", "nan", "-1", "x"), "--replicates": ("40", "0", "39", "x", "-1", "1.5"),
    "--engine": ("local", "ray", "x", ""),
    "--format": ("round-robin", "mixed", "x", ""), "--move-seconds": ("5", "nan", "0", "-1", "inf", "x", "1e-300"),
    "--address": ("auto", ""), "--memory": ("recall", "table", "x", ""),
    "--option": ("a=b", "=", "x", "max_turns=5", "max_turns=²", "rings=x", "market=open", "a=" + "b" * 3000, "a=b=c",
    "\udcff=1"),
    "--set": ("a=b", "x"), "--seconds": ("0", "x"), "--pace": ("0", "1e-9", "nan", "-1", "x"),
    "--seat": ("0", "1", "9", "-1", "x", "9" * 30), "--move": ("0",
    "1", "20", "-1", "9" * 30, "x"),
    "--sprt": ("0 20", "x y", "nan nan", "20 0", "inf 1", "0 0"), "--seed": ("1", "0", "-1", str(2**64 - 1),
    str(2**64), "9" * 5000, "x", "1.0"),
}  # fmt: skip
FILE_OPTIONS = {
    "--db": (
        "cup.db",
        "bad.db",
        "empty.db",
        "new.db",
        "folder",
        "good.jsonl",
        "",
        "loop",
        "/dev/null",
        "no/such/new.db",
        "a" * 300,
    )
}


class Commands(Target):
    name = "commands"
    meaning = "command lines: real commands and options with odd values; a refusal is a line or two and no traceback"
    seconds = 60.0
    place = r"^skyline: "

    def prepare(self) -> None:
        os.environ.update(
            COLUMNS="100", HOME=str(self.folder), XDG_CACHE_HOME=os.environ.get("XDG_CACHE_HOME", str(self.folder))
        )
        site = self.folder / "site"
        declare(site, "skyline.commands", COMMANDS)
        sys.path.insert(0, str(site))
        self._write_files()

    def gather(self) -> None:
        self.parameters = {name: _parameters(command) for name, command in _commands()}
        for game in (game.name for game in played_games.games()):
            for arguments in (
                ["play", game, "-n", "2", "-a", "random,heuristic"],
                ["show", "--game", game, "--seed", "1"],
            ):
                self.run(as_json(arguments).encode())

    def _write_files(self) -> None:
        chance = random.Random(1)
        recorder = Recorder(registry.names()[0], registry.load(registry.names()[0]).player_counts[0], seed=1)
        while recorder.seat is not None:
            recorder.play(recorder.legal()[0])
        good = recorder.save(self.folder / "good.jsonl").read_bytes()
        sample(self.folder / "cup.db", 4)
        database = (self.folder / "cup.db").read_bytes()
        toml = f'agents = ["random", "heuristic"]\ngame = "{registry.names()[0]}"\ndeals = 1\n'
        texts = {
            "bad.jsonl": edited_bytes(chance, good, times=20), "cut.jsonl": good[: len(good) // 2],
            "nested.jsonl": b"[" * 100_000,
            "digits.jsonl": b'{"record": ' + b"9" * 5000 + b"}\n", "bad.db": edited_bytes(chance, database, times=50),
            "empty.db": b"",
            "cup.toml": toml.encode(), "bad.toml": b"agents = [5]\n", "deep.toml": b"a = " + b"[" * 5000,
            "binary": chance.randbytes(3000),
            "model.safetensors": b"\x00" * 8, "bad.safetensors": b'\x02\x00\x00\x00\x00\x00\x00\x00{}',
            "full/one.jsonl": good,
            "full/two.jsonl": b"{}\n", "bad_agent.py": b"raise SystemExit(3)\n", "own.py": b"None\n",
        }  # fmt: skip
        (self.folder / "folder").mkdir(exist_ok=True)
        (self.folder / "full").mkdir(exist_ok=True)
        for name, data in texts.items():
            (self.folder / name).write_bytes(data)
        (self.folder / "loop").unlink(missing_ok=True)
        (self.folder / "loop").symlink_to("loop")
        (self.folder / "pipe").unlink(missing_ok=True)
        os.mkfifo(self.folder / "pipe")
        self.kept = {
            path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file() and "site" not in path.parts
        }

    def make(self, chance: random.Random) -> bytes:
        name = chance.choice(list(self.parameters))
        arguments = name.split()
        if chance.random() < 0.04:
            arguments = [chance.choice(("--traceback", "pla", "PLAY", "", "--x", "-v", *ODD))]
        elif chance.random() < 0.04:
            arguments += chance.choice(HELP)
        else:
            arguments += self._arguments(chance, name)
        arguments = [text for text in arguments if "\x00" not in text]
        return as_json(arguments).encode()

    def _arguments(self, chance: random.Random, name: str) -> list[str]:
        found: list[str] = []
        for parameter in self.parameters[name]:
            longest = max(parameter.opts, key=len)
            needed = longest in ("--games", "--deals", "--jobs", "--replicates") or not longest.startswith("-")
            if chance.random() > (0.85 if needed else 0.25):
                continue
            if not longest.startswith("-"):
                found += [
                    _word(chance, longest) for _ in range(1 if parameter.nargs == 1 else chance.choice((1, 1, 2)))
                ]
            elif parameter.is_flag:
                found.append(chance.choice(parameter.opts))
            else:
                found += [chance.choice(parameter.opts), *_value(chance, longest).split(" ", parameter.nargs - 1)]
        if name in ("play", "tournament") and not {"-n", "--games", "-d", "--deals"} & set(found):
            found += ["--games", "2"]
        if chance.random() < 0.1 and found:
            at = chance.randrange(len(found))
            found[at] = edited_text(chance, found[at]).replace("\x00", "")[:6000]
        return [*found, *REFUSED_ARGUMENT.get(name, [])]

    def run(self, data: bytes) -> bool:
        arguments = from_json(data)
        if _takes_long(arguments):
            return False
        for path, content in self.kept.items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)
        result = CliRunner().invoke(cli.app, arguments, prog_name="skyline")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if "Traceback" in result.stderr or "Traceback" in result.stdout:
            raise Finding(f"a command prints a traceback:\n{result.stderr[-3000:]}", "a command prints a traceback")
        if result.exit_code == 0:
            return True
        if result.exit_code not in (1, 2):
            raise Finding(f"exit code {result.exit_code!r}: {result.stderr[-1000:]}")
        self._check_refusal(result.stderr, MOST_FILES if arguments[:1] == ["verify"] else LINES)
        raise ValueError(result.stderr.strip()[: LONGEST - 1])

    def _check_refusal(self, text: str, most: int) -> None:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > most or len(set(lines)) < len(lines) or any(text_fault(line, "") for line in lines):
            raise Finding(f"a refusal of {len(lines)} lines and {len(text)} characters: {text[:600]}", "a long refusal")
        if not any(re.search(self.place, line) for line in lines):
            raise Finding(f"a refusal without 'skyline: ': {text[:600]!r}", "a refusal without its head")


def _commands() -> list[tuple[str, Any]]:
    """Every command and subcommand."""
    group: Any = typer.main.get_command(cli.app)
    found = []
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        inner = getattr(command, "commands", None)
        found += [(f"{name} {sub}", inner[sub]) for sub in inner] if inner else [(name, command)]
    return found


def _parameters(command: Any) -> list[Any]:
    """The options and arguments of a command, without those that change the user's shell."""
    return [one for one in command.params if not any("completion" in name for name in one.opts)]


def _word(chance: random.Random, name: str) -> str:
    """A value of an argument."""
    if name in ("game", "games"):
        return chance.choice((*registry.names(), *registry.names(), *ODD, "manhatan", "MANHATTAN "))
    pools = {
        "config": ("cup.toml", "bad.toml", "deep.toml"),
        "database": ("cup.db", "bad.db"),
        "record": ("good.jsonl", "bad.jsonl"),
    }
    return chance.choice((*pools.get(name, FILES), *FILES))


def _value(chance: random.Random, name: str) -> str:
    if name in ("--out", "--record", "--svg", "--png", "--csv", "--parquet", "--to", "--baseline"):
        return chance.choice(OUTPUTS)
    if name in FILE_OPTIONS:
        return chance.choice(FILE_OPTIONS[name])
    if name == "--game":
        return chance.choice((*registry.names(), ",".join(registry.names()[:2]), *ODD))
    if name == "--players":
        return chance.choice(("2", "3", "4", "2,3", "0", "99", "2,2", *ODD))
    pool = VALUES.get(name, ODD)
    if chance.random() < 0.85 or pool in (FEW, VALUES["--jobs"], VALUES["--replicates"], VALUES["--minutes"]):
        return chance.choice(pool)
    texts = [value for value in SCALARS if isinstance(value, str) and "\ud800" not in value and "\udfff" not in value]
    return chance.choice((*ODD, *texts))


def _takes_long(arguments: list[str]) -> bool:
    """Whether the command would succeed and run for long."""
    words = set(arguments)
    if {"bench", "warmup", "demo", "train"} & words and not any(
        set(refused) <= words for refused in REFUSED_ARGUMENT.values()
    ):
        return not words & {"--help", "-h", "--settings"}
    numbers = [text for text in arguments if re.fullmatch(r"\d{3,18}", text)]
    return bool({"play", "tournament"} & words and any(int(text) not in (2**64 - 1,) for text in numbers))
