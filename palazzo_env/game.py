"""GAME: everything above put together; the registry looks for this file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palazzo_env.actions import action_table, move_text, parse_move
from palazzo_env.components import PLAYER_COUNTS
from palazzo_env.determinize import determinize
from palazzo_env.drawing import svg, text
from palazzo_env.heuristic import heuristic
from palazzo_env.observation import observe
from palazzo_env.observation_table import observation_table
from palazzo_env.position import check, events, from_position, from_setup, position, preset, setup
from palazzo_env.rules import legal, rank_key, reset, step
from palazzo_env.state import STATE
from skyline.game import Game, Option, whole_number

QUIET_LIMIT = 40  # [RULES.md 1.4, PZ-R20]
MOST_QUIET_LIMIT = 1000
DRAWS = 24  # turns with `draw` in a game, at most   [RULES.md section 11]
QUIET_TURN = 6  # decisions of a turn without `draw`, at most
DRAW_TURN = 2 + 55 + 55 + 3 + 3  # draw, auction, every card a raise, passes, tiles built


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """The option in a blank row."""
    s.quiet_limit = options["quiet_limit"]


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """No game has more decisions. [RULES.md section 11]"""
    return DRAWS * (QUIET_TURN * int(options["quiet_limit"]) + DRAW_TURN)


GAME = Game(
    name="palazzo",
    title="Palazzo",
    version=0,
    state=STATE,
    player_counts=PLAYER_COUNTS,
    actions=action_table,
    observation=observation_table,
    max_decisions=max_decisions,
    reset=reset,
    legal=legal,
    step=step,
    observe=observe,
    determinize=determinize,
    rank_key=rank_key,
    heuristic=heuristic,
    move_text=move_text,
    parse_move=parse_move,
    setup=setup,
    from_setup=from_setup,
    events=events,
    preset=preset,
    position=position,
    from_position=from_position,
    check=check,
    text=text,
    svg=svg,
    options=(
        Option(
            "quiet_limit",
            QUIET_LIMIT,
            "turns in a row without `draw` after which only `draw` is legal (PZ-R20)",
            whole_number(0, MOST_QUIET_LIMIT),
        ),
    ),
    prepare=prepare,
)
