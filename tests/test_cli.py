"""The command line: what the commands print, and one clear line with a non-zero exit for everything that is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import skyline
from agents import arena
from skyline import cli, jit, registry, terminal
from skyline.record import Recorder
from tests.playing import FEW, GAME

ROOT = Path(skyline.__file__).parent.parent
GAMES = 3


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that declares the entry points of pyproject.toml, as an installed distribution does."""
    folder = tmp_path_factory.mktemp("site")
    declare(folder, tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["skyline.commands"])
    return folder


def declare(folder: Path, commands: dict[str, str]) -> None:
    info = folder / "declared_commands-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: declared-commands\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in commands.items()]
    (info / "entry_points.txt").write_text("\n".join(["[skyline.commands]", *lines, ""]))


@pytest.fixture(autouse=True)
def _commands(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(site))


class Said:
    """What a call of the command line gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def refused(self) -> str:
        """The one line of a refusal."""
        assert self.code not in (0, None)
        assert self.out == ""
        assert self.err.startswith("skyline: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        return self.err[len("skyline: ") : -1]


def run(*arguments: object) -> Said:
    """A call in this process; errors that are no wrong input come through."""
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments], prog_name="skyline")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def process(site: Path, *arguments: object, **settings: Any) -> subprocess.Popen[str]:
    """A call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    command = [sys.executable, "-m", "skyline.cli", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, env=environment, **pipes, **settings)  # type: ignore[call-overload, no-any-return]


def finish(started: subprocess.Popen[str], seconds: float = 240) -> Said:
    out, err = started.communicate(timeout=seconds)
    return Said(started.returncode, out, err)


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Path:
    """A folder with the records of a few games, written by the command."""
    folder = tmp_path_factory.mktemp("records")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        said = run("play", GAME, "-p", FEW, "-a", "heuristic,random", "-n", GAMES, "--record", folder, "--legal")
    assert said.code == 0, said.err
    return folder


@pytest.fixture
def lines(records: Path) -> list[dict[str, Any]]:
    """The lines of the first record."""
    return [json.loads(line) for line in first(records).read_text().splitlines()]


def first(records: Path) -> Path:
    return records / f"{GAME}-{FEW}p-seed1.jsonl"


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


# ---------------------------------------------------------------- help and version


def test_help_names_every_command_with_examples() -> None:
    for said in (run(), run("--help"), run("-h")):
        assert said.code == 0
        assert said.err == ""
        for command in ("games", "play", "verify", "show", "warmup", "bench", "demo", "skyline play manhattan"):
            assert command in said.out
    for command in ("play", "verify", "show", "warmup"):
        said = run(command, "--help")
        assert said.code == 0
        assert f"skyline {command} " in said.out
        assert "Examples" in said.out
        assert "[bold]" not in said.out


def test_version() -> None:
    said = run("--version")
    assert (said.code, said.out) == (0, f"skyline {skyline.__version__}\n")


def test_help_loads_nothing_heavy(site: Path) -> None:
    code = "import sys; from skyline import cli\ntry: cli.app(['--help'])\nexcept SystemExit: pass\n"
    code += "print(*({'numba', 'torch', 'PIL', 'matplotlib', 'skyline.engine'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=True)
    assert "Usage" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


# ---------------------------------------------------------------- games


def test_games_is_a_table_of_all_games_in_80_columns() -> None:
    said = run("games")
    assert said.code == 0
    for name in registry.names():
        game = registry.load(name)
        assert name in said.out
        assert registry.find(name).id in said.out
        for players in game.player_counts:
            row = f"{game.observation(players).size():,} ({game.observation(players).size('rich'):,})"
            assert row in said.out
    table = said.out.split("Make one")[0]
    assert max(map(len, table.splitlines())) <= 80


def test_games_for_machines() -> None:
    data = json.loads(run("games", "--json").out)
    assert [entry["name"] for entry in data] == registry.names()
    for entry in data:
        game = registry.load(entry["name"])
        assert [table["players"] for table in entry["players"]] == list(game.player_counts)
        assert entry["players"][0]["actions"] == game.actions(game.player_counts[0]).size
        assert [option["name"] for option in entry["options"]] == [option.name for option in game.options]


def test_a_game_that_cannot_be_loaded_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> Any:
        raise SyntaxError("half written")

    monkeypatch.setattr(registry, "load", load)
    said = run("games")
    assert said.code == 0
    assert "SyntaxError: half written" in " ".join(said.out.split())
    assert "half written" in json.loads(run("games", "--json").out)[0]["error"]


# ---------------------------------------------------------------- play


def test_play_sums_up() -> None:
    said = run("play", GAME, "--players", FEW, "--agents", "heuristic,random", "--games", 20, "--seed", 5)
    assert said.code == 0
    assert said.err == ""
    assert f"{FEW} players: 20 games, seeds 5 .. 24" in said.out
    for heading in ("agent", "seat", "mean score", "95 %", "first", "mean place", "steps/s", "a game"):
        assert heading in said.out
    assert said.out.count("heuristic") == (FEW + 1) // 2
    assert said.out.count("random") == FEW // 2
    assert max(map(len, said.out.splitlines())) <= 80


def test_play_for_machines_and_the_same_seed_twice() -> None:
    arguments = ("play", GAME, "-p", FEW, "-a", "random", "-n", 7, "-s", 3, "--rotate", "--json")
    data, again = (json.loads(run(*arguments).out) for _ in range(2))
    assert data["agents"] == again["agents"]
    assert (data["game"], data["players"], data["games"], data["asked"]) == (GAME, FEW, 7, 7)
    assert data["rotate"] is True
    assert data["interrupted"] is False
    assert [agent["agent"] for agent in data["agents"]] == ["random"] * FEW
    assert sum(agent["first_share"] for agent in data["agents"]) == pytest.approx(1)
    assert data["steps"] > 0
    assert data["steps_per_second"] == pytest.approx(data["steps"] / data["seconds"], rel=0.01)


def test_a_single_game_has_no_interval() -> None:
    said = run("play", GAME, "-n", 1)
    assert "1 game, seed 1\n" in said.out
    assert "±" not in said.out


def test_records_are_written_one_a_game_and_are_right(records: Path) -> None:
    names = [f"{GAME}-{FEW}p-seed{seed}.jsonl" for seed in range(1, GAMES + 1)]
    assert sorted(path.name for path in records.iterdir()) == names
    said = run("verify", records)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{GAMES} of {GAMES} records are right (")


def test_watch_prints_every_move_and_the_board() -> None:
    said = run("play", GAME, "-p", FEW, "--watch", "--seed", 9)
    recorder = cli._random_game(GAME, FEW, 9, {}, None)
    texts = [line["move"] for line in recorder.lines if "move" in line]
    assert said.out.count("== seed 9, move ") == len(texts)
    for number, text in enumerate(texts, 1):
        assert f"move {number}, seat " in said.out
        assert f"(random): {text}\n" in said.out
    last = recorder.game.text(recorder.state[0], None, texts[-1])
    assert last in said.out
    assert "1 game, seed 9" in said.out


def test_ctrl_c_in_the_kernel_reports_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    play_chunk = arena._KernelRun.play

    def play(self: Any, seatings: Any) -> Any:
        if sum(played) > 16:
            raise KeyboardInterrupt
        played.append(len(seatings))
        return play_chunk(self, seatings)

    monkeypatch.setattr(arena._KernelRun, "play", play)
    said = run("play", GAME, "-n", 10**7)
    assert said.code == terminal.INTERRUPTED == 130
    assert f"{sum(played):,} of 10,000,000 games" in said.out
    assert said.err == "skyline: interrupted\n"


def test_ctrl_c_before_the_first_game_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "load", stop)
    said = run("play", GAME, "-p", FEW)
    assert said.code == terminal.INTERRUPTED
    assert said.out.endswith(f"{FEW} players: no game was finished\n")


def test_a_real_ctrl_c_leaves_whole_records_only(site: Path, tmp_path: Path) -> None:
    started = process(site, "play", GAME, "-p", FEW, "-n", 10**6, "--record", tmp_path, cwd=tmp_path)
    deadline = time.monotonic() + 200
    while len(list(tmp_path.glob("*.jsonl"))) < 2 and started.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    said = finish(started)
    assert said.code == terminal.INTERRUPTED, said.err
    assert said.err == "skyline: interrupted\n"
    left = sorted(path.name for path in tmp_path.iterdir())
    counts = (len(left), len(left) - 1)  # a record may have been written for a game that was not yet counted
    assert any(f"{n:,} of 1,000,000 games, seeds 1 .. {n}" in said.out for n in counts), said.out
    assert all(name.endswith(".jsonl") for name in left)
    assert run("verify", tmp_path).code == 0


def test_demo_plays_every_game_with_every_player_count() -> None:
    said = run("demo", "--games", 20)
    assert (said.code, said.err) == (0, "")
    rows = [line.split() for line in said.out.splitlines()]
    for name in registry.names():
        for players in registry.load(name).player_counts:
            assert [name, str(players), "20"] in [row[:3] for row in rows]
    assert max(map(len, said.out.splitlines())) <= 80


# ---------------------------------------------------------------- verify


def test_a_changed_move_is_told_with_file_and_line(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(i for i in range(9, len(lines)) if len(lines[i].get("legal", [])) > 1)
    lines[at]["move"] = "jump over the moon"
    path = written(tmp_path / "changed.jsonl", lines)
    said = run("verify", path)
    assert said.code == 1
    assert said.out.startswith("0 of 1 records are right")
    assert said.out.endswith(", 1 is bad\n")
    line = f"skyline: {path}, line {at + 1}: 'jump over the moon' is not legal for seat {lines[at]['player']}; legal: "
    assert said.err.startswith(line)
    assert said.err.count("\n") == 1


def test_every_other_legal_move_is_found_out(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(i for i in range(9, len(lines)) if len(lines[i].get("legal", [])) > 1)
    lines[at]["move"] = next(text for text in lines[at]["legal"] if text != lines[at]["move"])
    path = written(tmp_path / "changed.jsonl", lines)
    error = run("verify", "--quiet", path)
    assert (error.code, error.out) == (1, "")
    line = int(error.err.split(", line ")[1].split(":")[0])
    assert at + 1 < line <= len(lines)


def test_a_changed_legal_list_is_told(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    lines[4]["legal"] = [*lines[4]["legal"][1:], "stay at home"]
    said = run("verify", written(tmp_path / "legal.jsonl", lines))
    assert said.code == 1
    assert f"{tmp_path / 'legal.jsonl'}, line 5: the legal moves differ: number 0 is " in said.err


def test_a_wrong_end_is_told(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    for key in ("scores", "places"):
        changed = json.loads(json.dumps(lines))
        changed[-1]["end"][key][0] += 1
        said = run("verify", written(tmp_path / "end.jsonl", changed))
        assert said.code == 1
        assert f"end.jsonl, line {len(lines)}: {key} are " in said.err


def test_truncated_records_are_told(records: Path, lines: list[dict[str, Any]], tmp_path: Path) -> None:
    text, path = first(records).read_text(), tmp_path / "cut.jsonl"
    path.write_text(text[: len(text) // 2])
    said = run("verify", path)
    assert said.code == 1
    assert "this is not JSON" in said.err
    assert "is the file cut off?" in said.err
    assert "the record stops although seat" in run("verify", written(path, lines[: len(lines) // 2])).err
    assert "the end line is missing" in run("verify", written(path, lines[:-1])).err
    path.write_text("")
    assert "the file is empty" in run("verify", path).err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"record": 99}, "record 99 is not known"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"players": 99}, "players, not 99"),
        ({"players": "two"}, "players, not 'two'"),
        ({"options": {"x": 1}}, "no option 'x'"),
        ({"options": []}, "setup and options are objects"),
        ({"seed": -1}, "seed -1"),
        ({"seed": "x"}, "a seed is a whole number"),
        ({"setup": {}}, "setup"),
        ({"setup": None}, "setup and options are objects"),
    ],
)
def test_wrong_heads_are_told(lines: list[dict[str, Any]], tmp_path: Path, change: dict[str, Any], says: str) -> None:
    lines[0].update(change)
    said = run("verify", written(tmp_path / "head.jsonl", lines))
    assert said.code == 1
    assert "head.jsonl, line 1: " in said.err
    assert says in said.err
    assert said.err.count("\n") == 1


def test_verify_goes_on_after_a_bad_record_and_takes_folders_and_patterns(
    records: Path, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "deep").mkdir()
    bad = written(tmp_path / "deep" / "bad.jsonl", lines[:5])
    for given in ((tmp_path, records), (f"{tmp_path}/**/*.jsonl", f"{records}/*seed*", bad)):
        said = run("verify", *given)
        assert said.code == 1
        assert said.out.startswith(f"{GAMES} of {GAMES + 1} records are right")
        assert said.err.startswith(f"skyline: {bad}, line 5: ")


def test_verify_of_nothing_is_refused(tmp_path: Path) -> None:
    assert run("verify", tmp_path).refused() == f"there is no *.jsonl file in the folder {tmp_path}"
    assert run("verify", tmp_path / "no").refused() == f"there is no file {tmp_path / 'no'}"
    assert run("verify", tmp_path / "*.jsonl").refused() == f"there is no file {tmp_path / '*.jsonl'}"
    assert "FILES" in run("verify").refused()


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(bytes(range(256)))
    said = run("verify", tmp_path)
    assert said.code == 1
    assert f"{tmp_path / 'a.jsonl'}: cannot be read: " in said.err


# ---------------------------------------------------------------- show


def test_show_a_position_of_a_record(records: Path, lines: list[dict[str, Any]]) -> None:
    recorder = Recorder(GAME, FEW, seed=1)
    for line in lines[1:8]:
        recorder.play(recorder.legal()[line["legal"].index(line["move"])])
    game, s = recorder.game, recorder.state[0]
    assert run("show", first(records), "--move", 7).out == game.text(s, None, lines[7]["move"]) + "\n"
    assert run("show", first(records), "--move", 7, "--seat", 1).out == game.text(s, 1, lines[7]["move"]) + "\n"
    begun = Recorder(GAME, FEW, seed=1)
    assert run("show", first(records), "--move", 0).out == game.text(begun.state[0], None, None) + "\n"


def test_show_the_random_game_that_play_plays(tmp_path: Path) -> None:
    said = run("play", GAME, "-p", FEW, "-n", 1, "-s", 4, "--record", tmp_path)
    assert said.code == 0
    path = tmp_path / f"{GAME}-{FEW}p-seed4.jsonl"
    seeded = ("show", "--seed", 4, "--game", GAME, "--players", FEW)
    for move in ((), ("--move", 11)):
        assert run(*seeded, *move).out == run("show", path, *move).out != ""


def test_show_writes_pictures(records: Path, tmp_path: Path) -> None:
    said = run("show", first(records), "--move", 5, "--svg", tmp_path / "a.svg")
    assert (said.code, said.out) == (0, f"{tmp_path / 'a.svg'}\n")
    assert (tmp_path / "a.svg").read_text().startswith("<svg ")
    pytest.importorskip("resvg_py")
    said = run("show", first(records), "--move", 5, "--png", tmp_path / "a.png")
    assert said.code == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_missing_library_is_told(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "pip install 'skyline-envs[viz]'" in run("show", first(records), "--png", tmp_path / "a.png").refused()


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gamse"], "No such command 'gamse'. Did you mean 'games'? (see skyline --help)"),
        (["plya", GAME], "Did you mean 'play'?"),
        (["games", "--jsn"], "No such option: --jsn"),
        (["play"], "Missing argument"),
        (["play", "manhatan"], "there is no game 'manhatan'"),
        (["play", GAME, "-p", "99"], "players, not 99"),
        (["play", GAME, "-p", "two"], "Invalid value for '--players'"),
        (["play", GAME, "-n", "0"], "Invalid value for '--games'"),
        (["play", GAME, "-s", "-1"], "seed -1 is outside"),
        (["play", GAME, "-a", "randon"], "there is no agent 'randon'"),
        (["play", GAME, "-a", "heuristic,,random"], "empty name"),
        (["play", GAME, "-a", "random:5"], "wrong settings"),
        (["play", GAME, "-a", "no_such_file:Agent"], "no agent or module 'no_such_file'"),
        (["play", GAME, "-p", str(FEW), "-a", ",".join(["random"] * 9)], f"9 agents are too many for {FEW} players"),
        (["play", GAME, "-o", "size"], "--option is name=value, not 'size'"),
        (["play", GAME, "-o", "size=1"], "no option 'size'"),
        (["play", GAME, "--legal"], "--legal is for records"),
        (["play", GAME, "--watch", "--json"], "do not go together"),
        (["play", GAME, "--record", __file__], f"{__file__}: File exists"),
        (["play", GAME, "--record", f"{__file__}/out"], "Not a directory"),
        (["show"], "show takes a record, or --seed and --game"),
        (["show", "--seed", "1"], "show takes a record, or --seed and --game"),
        (["show", "no.jsonl"], "no.jsonl: cannot be read"),
        (["show", "--seed", "1", "--game", "chess"], "there is no game 'chess'"),
        (["show", "--seed", "1", "--game", GAME, "-o", "a=b"], "no option 'a'"),
        (["show", "--seed", "1", "--game", GAME, "--move", "-1"], "Invalid value for '--move'"),
        (["show", "--seed", "1", "--game", GAME, "--players", "99"], "players, not 99"),
        (["show", "--seed", "1", "--game", GAME, "--move", "99999"], "moves, not 99999"),
        (["show", "--seed", "1", "--game", GAME, "--move", "1", "--seat", "9"], "the seats are 0 .. "),
        (
            ["show", "--seed", "1", "--game", GAME, "--move", "1", "--svg", "a.txt"],
            "--svg writes a file *.svg, not a.txt",
        ),
        (["show", "--seed", "1", "--game", GAME, "--move", "1", "--svg", "/no/a.svg"], "/no/a.svg: No such file"),
        (["warmup", "chess"], "there is no game 'chess'"),
    ],
)
def test_wrong_input_gives_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in run(*arguments).refused()
    assert list(tmp_path.iterdir()) == []


def test_show_of_wrong_records_is_refused(records: Path, lines: list[dict[str, Any]], tmp_path: Path) -> None:
    assert "the record has its own" in run("show", first(records), "--seed", 1).refused()
    assert (
        f"has {sum('move' in line for line in lines)} moves, not 9999"
        in run("show", first(records), "--move", 9999).refused()
    )
    lines[6]["move"] = "stay at home"
    path = written(tmp_path / "a.jsonl", lines)
    assert run("show", path, "--move", 5).code == 0
    assert f"{path}, line 7: 'stay at home' is not legal" in run("show", path, "--move", 6).refused()


def test_a_process_refuses_without_traceback(site: Path, tmp_path: Path) -> None:
    said = finish(process(site, "play", "manhatan", cwd=tmp_path))
    assert said.code == 1
    assert "there is no game 'manhatan'" in said.refused()


def test_traceback_shows_where_an_error_comes_from() -> None:
    with pytest.raises(ValueError, match="there is no game"):
        run("--traceback", "play", "chess")


def test_faults_of_the_program_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> Any:
        raise KeyError("a fault")

    monkeypatch.setattr(registry, "names", names)
    with pytest.raises(KeyError, match="a fault"):
        run("games")


# ---------------------------------------------------------------- plugins


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command that works and two that cannot be loaded."""
    (tmp_path / "plug_in.py").write_text("def hello(name: str) -> None:\n    'Say hello.'\n    print('hello', name)\n")
    (tmp_path / "plug_bad.py").write_text("raise RuntimeError('not today')\n")
    declare(tmp_path, {"hello": "plug_in:hello", "gone": "plug_gone:run", "bad": "plug_bad:run"})
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("plug_in", None)


@pytest.mark.usefixtures("plugins")
def test_a_plugin_that_cannot_be_imported_breaks_no_other_command() -> None:
    assert run("hello", "world").out == "hello world\n"
    assert run("gone", "--any", "thing").refused() == (
        "the command gone cannot be loaded from plug_gone:run: ModuleNotFoundError: No module named 'plug_gone'"
    )
    assert "RuntimeError: not today" in run("bad").refused()
    said = run("--help")
    assert said.code == 0
    assert said.out.count("(cannot be loaded)") >= 2
    assert "Say hello." in said.out
    assert run("games").code == 0


def test_without_entry_points_the_core_commands_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "plugins", dict)
    said = run("--help")
    assert said.code == 0
    assert "warmup" in said.out
    assert run("games").code == 0
    assert "No such command 'play'" in run("play", GAME).refused()


def test_the_declared_commands_are_those_of_the_project() -> None:
    declared = {entry.name: entry.value for entry in entry_points(group="skyline.commands")}
    assert declared["play"] == "agents.commands:play"
    assert declared["demo"] == "agents.commands:demo"


# ---------------------------------------------------------------- warmup


def test_warmup_says_how_long_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    from skyline import warmup

    monkeypatch.setattr(warmup, "compile_all", lambda game: (14, 2.5))
    said = run("warmup", GAME)
    assert said.code == 0
    assert said.out.startswith(f"{GAME}: 14 kernels compiled in 2.5 s\n")
    assert str(jit.cache_base()) in said.out


def test_warmup_clears_kernels_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    stamp = "0123456789abcdef"
    for name in (f"{GAME}-{stamp}", f"{GAME}-{stamp[::-1]}", f"other-{stamp}"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "used").touch()
        (tmp_path / name / "kernel.nbc").write_bytes(b"x" * 10**5)
    (tmp_path / f"mine-{stamp}").mkdir()
    (tmp_path / "numba-of-another").mkdir()
    assert "removed 2 kernel folders (0.2 MB)" in run("warmup", GAME, "--clear").out
    assert (tmp_path / f"other-{stamp}").is_dir()
    assert "removed 1 kernel folder (0.1 MB)" in run("warmup", "--clear").out
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"mine-{stamp}", "numba-of-another"]


def test_warmup_loads_every_kernel_the_rest_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After it, playing and stepping environments compiles nothing."""
    from skyline import batch, engine, warmup
    from skyline.aec import TurnBasedEnv

    game = registry.load(GAME)
    warmup.compile_all(game)
    compiled = {name: kernel for name, kernel in vars(engine.kernels(game)).items() if name in engine.KERNELS}
    assert set(compiled) == set(engine.KERNELS)
    before = {name: len(kernel.signatures) for name, kernel in compiled.items()}
    assert run("play", GAME, "-n", 2).code == 0
    assert run("play", GAME, "-n", 1, "--watch").code == 0
    for dtype in ("int16", "float32"):
        env = TurnBasedEnv(game, obs_dtype=dtype, auto_forced=True, render_mode="ansi")
        env.reset(seed=1)
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
        env.state()
        for seat in (None, "rotate"):
            games = batch.VectorGames(game, 3, obs_dtype=dtype, seat=seat, autoreset="next_step", features="rich")
            games.reset(seed=1)
            for _ in range(game.max_decisions(FEW, game.check_options({})) + 1):
                games.step(np.array([mask.argmax() for mask in games.action_mask]))
    assert {name: len(kernel.signatures) for name, kernel in compiled.items()} == before
