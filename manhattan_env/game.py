"""GAME: everything above put together; the registry looks for this file."""

from __future__ import annotations

from manhattan_env.actions import action_table, move_text, parse_move
from manhattan_env.components import PLAYER_COUNTS
from manhattan_env.drawing import svg, text
from manhattan_env.heuristic import heuristic
from manhattan_env.observation import determinize, observation_table, observe
from manhattan_env.position import check, events, from_position, from_setup, position, preset, setup
from manhattan_env.rules import legal, rank_key, reset, step
from manhattan_env.state import STATE
from skyline.game import Game

DECISIONS = {2: 120, 3: 90, 4: 112}  # always exactly so many   [RULES.md section 11]

GAME = Game(
    name="manhattan",
    title="Manhattan",
    version=0,
    state=STATE,
    player_counts=PLAYER_COUNTS,
    actions=action_table,
    observation=observation_table,
    max_decisions=lambda players, options: DECISIONS[players],
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
)
