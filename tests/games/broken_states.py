"""Which broken states a game's own check finds when Python leaves assertions out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.support.rule_cases import TESTS

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


def found_under_python_o(game: str, fields: Sequence[str]) -> list[str]:
    """Those of the fields whose first value, made one larger in a fresh game, is found by `python -O`."""
    command = [sys.executable, "-O", "-c", CODE, game, *fields]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
