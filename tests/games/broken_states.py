"""What must not become a state: odd values in positions, and states that a game's own check finds broken."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from skyline.game import Game
from tests.support.rule_cases import TESTS, Json

CODE = """
import sys
from skyline.game import BrokenState
from tests.support.rule_cases import Core
game, *fields = sys.argv[1:]
for field in fields:
    core = Core.deal(game, 3, 1)
    core.check()
    core.states[field].reshape(-1)[0] += 1
    try:
        core.check()
    except BrokenState:
        print(field)
"""


def check_odd_values(game: Game, position: Json, odd_values: Sequence[Any]) -> None:
    """An odd value in any field, or as the last entry of a list, is refused with its place, or a sound state loads."""
    for field in [field for field in position if field != "players"]:
        for value in odd_values:
            inner = [[*position[field][:-1], value]] if isinstance(position[field], list) else []
            for odd in (value, *inner):
                states = game.blank(position["players"])
                try:
                    game.from_position(states[0], {**copy.deepcopy(position), field: odd})
                except ValueError as error:
                    assert re.match(r"position[.:\[]", str(error)), (field, odd, error)
                    assert len(str(error)) < 1000
                else:
                    game.check(states[0])


def found_under_python_o(game: str, fields: Sequence[str]) -> list[str]:
    """Those of the fields whose first value, made one larger in a fresh game, is found by `python -O`."""
    command = [sys.executable, "-O", "-c", CODE, game, *fields]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
