"""Where a game of the AEC environment may begin instead of a fresh deal: a position or a record's setup."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skyline import record
from skyline.arguments import check_reset_options
from skyline.game import Game
from skyline.typing import Array, Memory


@dataclass(frozen=True)
class Beginning:
    """A length-1 state array to begin from; `has_future`: its random stream is a part of it."""

    states: Array
    has_future: bool
    is_position: bool


def asked_for(
    options: Mapping[str, Any] | None, game: Game, players: int, rules: Mapping[str, Any], memory: Memory
) -> Beginning | None:
    """What the options of a reset ask for: `position` (see `TurnBasedEnv.position`) or `setup` (of a record's head);
    None for a fresh deal. `rules` are the rule options of the environment, `memory` is its setting.
    """
    options = check_reset_options(options)
    given: dict[str, Any] = {name: options.pop(name) for name in ("position", "setup") if name in options}
    if options:
        unknown = ", ".join(map(repr, options))
        warnings.warn(f"reset knows the options position and setup, not {unknown}", stacklevel=3)
    if len(given) > 1:
        raise ValueError("reset takes a position or a setup, not both")
    if "position" in given:
        position = given["position"]
        states = record.state_of(game, position, players, rules, memory)
        return Beginning(states, has_future="stream" in position, is_position=True)
    if "setup" in given:
        if not isinstance(given["setup"], Mapping):
            raise ValueError(f"a setup is an object as in a record, not {given['setup']!r}")
        states = game.blank(players, rules, memory=memory)
        game.from_setup(states[0], given["setup"])
        return Beginning(states, has_future=False, is_position=False)
    return None
