"""Tournaments as TOML: every refusal names the file and the place in it, and nothing else is ever raised."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from skyline.reading import Unreadable
from skyline_agents.limits import MOST_GAMES, MOVE_SECONDS
from skyline_agents.tournament import config as tournament_config
from tests.support.playing import FEW, GAME

GOOD = f"""agents = ["random", "heuristic"]
seed = 7
deals = 3
move_seconds = 2.5
records = "out"
legal = true

[[events]]
game = "{GAME}"
players = [{FEW}]
options = {{}}

[[events]]
game = "{GAME}"
games = 40
agents = ["random"]
format = "mixed"
seed = 9
"""
EVENT = f'game = "{GAME}"\nagents = ["random", "heuristic"]\n'


def refusal(path: Path, text: str | bytes) -> str:
    """What the reader says of a file, without the file's name."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Unreadable) as error:
        tournament_config.read(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < 600
    return said.removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f'game = "{GAME}"\ndeals = 1\nagents = [5]', "agents[0]: a text of at most 200 characters, not 5"),
        (EVENT + "deals = 1\nplayers = 2.0", "players: a whole number"),
        (EVENT + "deals = 1\nplayers = [2, true]", "players[1]: a whole number"),
        (EVENT + "deals = 1\nplayers = [2, 2]", "players[1]: 2 is there already"),
        (EVENT + "deals = 1\nplayers = 9", "players: Manhattan is for 2, 3, 4 players, not 9"),
        (EVENT + "deals = 1\nplayers = []", "players: a list of 1 .. 64"),
        (EVENT + "games = 0", f"games: a whole number 1 .. {MOST_GAMES}, not 0"),
        (EVENT + "games = 10" + 12 * "0", f"games: a whole number 1 .. {MOST_GAMES}, not 10000000000000"),
        (EVENT + "deals = 6000000", "deals: at most 5000000 deals of 1 line-up with 2 players"),
        (EVENT + "deals = 1" + 5000 * "0", "is no TOML, or has a number of too many digits"),
        (EVENT + "deals = 1\nseed = -1", f"seed: a whole number 0 .. {2**64 - 1}, not -1"),
        (EVENT + f"deals = 2\nseed = {2**64 - 1}", "deals: seed 18446744073709551616 is outside"),
        (EVENT + "deals = 1\nmove_seconds = nan", f"move_seconds: a number {MOVE_SECONDS[0]:g} .. 86400, not nan"),
        (EVENT + "deals = 1\nmove_seconds = inf", f"move_seconds: a number {MOVE_SECONDS[0]:g} .. 86400, not inf"),
        (EVENT + "deals = 1\nmove_seconds = -1", f"move_seconds: a number {MOVE_SECONDS[0]:g} .. 86400, not -1"),
        (EVENT + "deals = 1\nmove_seconds = 1979-05-27", f"move_seconds: a number {MOVE_SECONDS[0]:g} .. 86400"),
        (EVENT + "deals = 1\nsprt = [0, nan]", "sprt[1]: a number -10000 .. 10000, not nan"),
        (EVENT + "deals = 1\nsprt = [9, 0]", "sprt: the test needs elo0 < elo1, not 9 and 0"),
        (EVENT + "deals = 1\nsprt = [0, 9]\nalpha = 0.7", "alpha: a number 1e-06 .. 0.499999, not 0.7"),
        (EVENT + "deals = 1\nalpha = 0.1", "alpha: is for a sequential test: write sprt = [0, 20], too"),
        (EVENT + "deals = 1\nlegal = 1", "legal: true or false, not 1"),
        (EVENT + 'deals = 1\nrecords = ""', "records: the name of a folder, not ''"),
        (EVENT + 'deals = 1\nformat = "knockout"', "format: one of round-robin, mixed, not 'knockout'"),
        (EVENT + "deals = 1\noptions = { x = 1 }", "options: Manhattan has no option 'x'"),
        (EVENT + "deals = 1\noptions = 3", "options: an object"),
        (EVENT + "deals = 1\ngames = 20", "either games or deals, not both"),
        (EVENT, "the length is missing: write games = .. or deals = .."),
        (f'game = "{GAME}"\ndeals = 1\nagents = []', "agents: a list of 1 .. 1000, not a list of 0"),
        (f'game = "{GAME}"\ndeals = 1\nagents = ["random", "random"]', "agents[1]: 'random' is there already"),
        (f'game = "{GAME}"\ndeals = 1\nagents = ["random", "randon"]', "agents[1]: there is no agent 'randon'"),
        (
            f'game = "{GAME}"\ndeals = 1\nagents = ["a\\u001b[2J:b"]',
            "agents[0]: the agent's name 'a\\x1b[2J:b' has control characters",
        ),
        (f'game = "{GAME}"\ndeals = 1\nagents = [""]', "agents[0]: the name of an agent is empty"),
        ('game = "chess"\nagents = ["random"]\ndeals = 1', "game: there is no game 'chess'"),
        ('game = 7\nagents = ["random"]\ndeals = 1', "game: a text"),
        ("[[events]]\ngame = 'x'\nplayer = 2", "events[0]: there is no field 'player'; the fields are"),
        (EVENT + "deals = 1\nmove_second = 3", "there is no field 'move_second'"),
        (f"{EVENT}deals = 1\n[[events]]\nplayers = 2\n[[events]]\n", "events[1]: is the same event as events[0]"),
        ("events = [1]", "events[0]: an object"),
        ("events = []", "events: a list of 1 .. 1000"),
        ("", "there is no game: write [[events]]"),
        ("x = " + "[" * 5000, "is nested too deeply"),
        ("x = " + "{a=" * 5000, "is nested too deeply"),
        ("a" + ".a" * 3000 + " = 1", "line 1 has a key of more than 1,000 parts"),
        ("x = [", "is no TOML: "),
        ("x = " + "1" * 5000, "is no TOML, or has a number of too many digits"),
        (b"\xff\xfe", "is no UTF-8 text"),
        ("#" * 70_000, "has 70,000 bytes; a tournament file has at most 65,536"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(text: str | bytes, says: str, tmp_path: Path) -> None:
    assert refusal(tmp_path / "cup.toml", text).startswith(says)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cup.toml")
    with pytest.raises(Unreadable, match=r"cup\.toml: is no regular file"):
        tournament_config.read(tmp_path / "cup.toml")
    with pytest.raises(Unreadable, match="is a folder, not a tournament file"):
        tournament_config.read(tmp_path)


WORDS = [
    b"nan", b"inf", b"-1", b"1e999", b"[[", b"]]", b'"', b"{", b"}", b"=", b"\n", b"\0", b"\xff", b"true", b"[]",
    b"1979-05-27T07:32:00Z", b"9" * 30, b"events", b"[[events]]", b"options", b"'''", b".", b"a.b.c", b"\\u0000",
]  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with up to four changes: a piece taken out, doubled, replaced by a word, or a bit turned."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.randint(0, 12))
        match chance.randrange(4):
            case 0:
                del changed[at:end]
            case 1:
                changed[at:at] = changed[at:end]
            case 2:
                changed[at:end] = chance.choice(WORDS)
            case _:
                if at < len(changed):
                    changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


def test_mutants_are_read_or_refused_with_their_place(tmp_path: Path) -> None:
    chance, path, refused = random.Random(1), tmp_path / "cup.toml", 0
    for _ in range(400):
        path.write_bytes(mutated(GOOD.encode(), chance))
        try:
            tournament_config.read(path)
        except Unreadable as error:
            refused += 1
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)
    assert refused > 200
