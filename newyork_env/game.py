"""GAME: everything above put together; the registry looks for this file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from newyork_env.actions import action_table, move_text, parse_move
from newyork_env.components import PLAYER_COUNTS
from newyork_env.deal import reset
from newyork_env.determinize import determinize
from newyork_env.drawing import svg, text
from newyork_env.heuristic import heuristic
from newyork_env.observation import observation_table, observe
from newyork_env.position import check, events, from_position, from_setup, position, preset, setup
from newyork_env.rules import legal, rank_key, step
from newyork_env.state import STATE
from skyline.game import Game, Option, whole_number

MOST_TURNS = 2**31 - 1


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a blank row."""
    s.max_turns = options["max_turns"]


GAME = Game(
    name="new_york",
    title="New York",
    version=0,
    state=STATE,
    player_counts=PLAYER_COUNTS,
    actions=action_table,
    observation=observation_table,
    max_decisions=lambda players, options: 42 * options["max_turns"] + 8,  # [RULES.md section 11]
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
    options=(Option("max_turns", 1000, "turns of all seats after which the game ends", whole_number(1, MOST_TURNS)),),
    prepare=prepare,
)
