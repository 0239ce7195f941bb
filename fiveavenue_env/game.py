"""GAME: everything above put together; the registry looks for this file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fiveavenue_env.actions import action_table, move_text, parse_move
from fiveavenue_env.components import PLAYER_COUNTS
from fiveavenue_env.drawing import svg, text
from fiveavenue_env.heuristic import heuristic
from fiveavenue_env.hidden import determinize
from fiveavenue_env.loading import from_position
from fiveavenue_env.observation import observe
from fiveavenue_env.options import OPTIONS, prepare
from fiveavenue_env.position import position
from fiveavenue_env.records import check, events, from_setup, preset, setup
from fiveavenue_env.rules import legal, rank_key, reset, step
from fiveavenue_env.state import STATE
from fiveavenue_env.table import observation_table
from skyline.game import Game

DECISIONS_A_TURN = 8 * 225 + 5  # every raise lays a card   [RULES.md section 11]


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """Start buildings and turns, each as long as could be."""
    return 2 * players + DECISIONS_A_TURN * int(options["max_turns"])


GAME = Game(
    name="fifth_avenue",
    title="Fifth Avenue",
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
    options=OPTIONS,
    prepare=prepare,
)
