"""The command line: the output of the commands, and for wrong input one clear line and an exit code that is not 0."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skyline
from skyline import registry
from skyline.cli import records, terminal
from skyline.core.cache import cache_base
from skyline.game import seat_name
from skyline_agents.match import arena
from tests.support import processes
from tests.support.commands import finish, process, run
from tests.support.playing import FEW, GAME
from tests.support.processes import ROOT, declare

pytestmark = pytest.mark.usefixtures("commands")


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
    code = "import sys; from skyline.cli import main\ntry: main.app(['--help'])\nexcept SystemExit: pass\n"
    code += "print(*({'numba', 'torch', 'PIL', 'matplotlib', 'skyline.core.engine'} & set(sys.modules)))"
    printed = processes.run(code, processes.environment(ROOT, site, cache=None), ROOT)
    assert "Usage" in printed
    assert printed.splitlines()[-1] == ""


# ---------------------------------------------------------------- games


def test_games_is_a_table_of_all_games_in_80_columns() -> None:
    said = run("games")
    assert said.code == 0
    for name in registry.names():
        game = registry.load(name)
        assert name in said.out
        assert registry.find(name).id in said.out
        for players in game.player_counts:
            sizes = [game.actions(players).size, *(game.observation(players).size(kind) for kind in ("base", "rich"))]
            assert [str(players), *(f"{size:,}" for size in sizes)] in [
                line.removeprefix(f" {name}").split()[:4] for line in said.out.splitlines()
            ]
        for option in game.options:
            assert f"  {name}: {option.name}={option.default}  " in said.out
            assert option.meaning in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines())) <= 80


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


def test_watch_prints_every_move_and_the_board() -> None:
    said = run("play", GAME, "-p", FEW, "--watch", "--seed", 9)
    recorder = records._random_game(GAME, FEW, 9, {}, None)
    lines = [line for line in recorder.lines if "move" in line]
    texts = [line["move"] for line in lines]
    assert said.out.count("== seed 9, move ") == len(texts)
    for number, text in enumerate(texts, 1):
        assert f"move {number}, seat " in said.out
        assert f", {seat_name(lines[number - 1]['player'])} (random): {text}\n" in said.out
    last = recorder.game.text(recorder.state[0], None, recorder.last_move())
    assert last in said.out
    assert "1 game, seed 9" in said.out


def test_ctrl_c_in_the_kernel_reports_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    play_chunk = arena._KernelRun.whole_games

    def play(self: Any, seatings: Any) -> Any:
        if sum(played) > 16:
            raise KeyboardInterrupt
        played.append(len(seatings))
        return play_chunk(self, seatings)

    monkeypatch.setattr(arena._KernelRun, "whole_games", play)
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
    started = process(site, tmp_path, "play", GAME, "-p", FEW, "-n", 10**6, "--record", tmp_path)
    deadline = time.monotonic() + 200
    while len(list(tmp_path.glob("*.jsonl"))) < 2 and started.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    said = finish(started)
    assert said.code == terminal.INTERRUPTED, said.err
    assert said.err == "skyline: interrupted\n"
    left = sorted(path.name for path in tmp_path.iterdir())
    counts = (len(left), len(left) - 1)  # the last game may have a record without being counted
    seeds = {n: "seed 1" if n == 1 else f"seeds 1 .. {n}" for n in counts}
    assert any(f"{n:,} of 1,000,000 games, {seeds[n]}" in said.out for n in counts), said.out
    assert all(name.endswith(".jsonl") for name in left)
    assert run("verify", tmp_path).code == 0


def test_demo_plays_every_game_with_every_player_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "LINE_SECONDS", 1e9)  # no progress lines on stderr while something compiles
    said = run("demo", "--games", 20)
    assert (said.code, said.err) == (0, "")
    rows = [line.split() for line in said.out.splitlines()]
    for name in registry.names():
        for players in registry.load(name).player_counts:
            assert [name, str(players), "20"] in [row[:3] for row in rows]
    assert max(map(len, said.out.splitlines())) <= 80


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gamse"], "No such command 'gamse'. Did you mean 'games'? (see skyline --help)"),
        (["plya", GAME], "Did you mean 'play'?"),
        (["games", "--jsn"], "No such option: --jsn"),
        (["play"], "Missing argument"),
        (["play", "manhatan"], "there is no game 'manhatan'"),
        (["play", GAME, "-p", "9"], "players, not 9"),
        (["play", GAME, "-p", "two"], "Invalid value for '--players'"),
        (["play", GAME, "-n", "0"], "Invalid value for '--games'"),
        (["play", GAME, "-s", "-1"], "a number 0 .. 2^64 - 1, not -1"),
        (["play", GAME, "-a", "randon"], "there is no agent 'randon'"),
        (["play", GAME, "-a", "heuristic,,random"], "empty name"),
        (["play", GAME, "-a", "random:5"], "wrong settings"),
        (["play", GAME, "-a", "no_such_file:Agent"], "no agent or module 'no_such_file'"),
        (["play", GAME, "-p", str(FEW), "-a", ",".join(["random"] * 9)], f"9 agents are too many for {FEW} players"),
        (["play", GAME, "-o", "size"], "--option is name=value, not 'size'"),
        (["play", GAME, "-o", "size=1"], "no option 'size'"),
        (["play", GAME, "--legal"], "--legal is for records"),
        (["play", GAME, "--watch", "--json"], "do not go together"),
        (["play", GAME, "--pace", "1"], "--pace is for --watch"),
        (["show", "--seed", "1", "--game", GAME, "--story", "--svg", "a.svg"], "--story tells in words"),
        (["show", "--seed", "1", "--game", GAME, "--story", "--seat", "9"], "the seats are 0 .. "),
        (["play", GAME, "--record", __file__], f"{__file__}: File exists"),
        (["play", GAME, "--record", f"{__file__}/out"], "Not a directory"),
        (["show"], "show takes a record, or --seed and --game"),
        (["show", "--seed", "1"], "show takes a record, or --seed and --game"),
        (["show", "no.jsonl"], "no.jsonl: cannot be read"),
        (["show", "--seed", "1", "--game", "chess"], "there is no game 'chess'"),
        (["show", "--seed", "1", "--game", GAME, "-o", "a=b"], "no option 'a'"),
        (["show", "--seed", "1", "--game", GAME, "--move", "-1"], "Invalid value for '--move'"),
        (["show", "--seed", "1", "--game", GAME, "--players", "9"], "players, not 9"),
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


def test_a_process_refuses_without_traceback(site: Path, tmp_path: Path) -> None:
    said = finish(process(site, tmp_path, "play", "manhatan"))
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
    declare(tmp_path, "skyline.commands", {"hello": "plug_in:hello", "gone": "plug_gone:run", "bad": "plug_bad:run"})
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
    assert declared["play"] == "skyline_agents.cli.play:play"
    assert declared["demo"] == "skyline_agents.cli.play:demo"


# ---------------------------------------------------------------- warmup


def test_warmup_says_how_long_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    from skyline import warmup

    monkeypatch.setattr(warmup, "compile_all", lambda game: (14, 2.5))
    said = run("warmup", GAME)
    assert said.code == 0
    assert said.out.startswith(f"{GAME}: 14 kernels compiled in 2.5 s\n")
    assert str(cache_base()) in said.out


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
    """After `warmup`, playing and stepping environments compile nothing."""
    from skyline import warmup
    from skyline.core import engine
    from skyline.envs import vector as batch
    from skyline.envs.aec import TurnBasedEnv

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


def test_progress_without_a_terminal_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "LINE_SECONDS", 0.0)
    with terminal.progress(2000, "playing") as tell:
        for done in (500, 500, 1000, 2000):
            tell(done)
    assert capsys.readouterr().err == "playing: 1,000 of 2,000, 0:00:00 left\n"
    monkeypatch.setattr(terminal, "LINE_SECONDS", 60.0)
    with terminal.progress(2000, "playing") as tell:
        for done in range(2000):
            tell(done)
    assert capsys.readouterr().err == ""
