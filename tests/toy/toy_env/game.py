"""GAME, which the registry loads."""

from skyline.game import Game, Option, whole_number
from toy_env.actions import action_table, move_text, parse_move
from toy_env.components import FEWEST_HAND, LARGEST_HAND, PLAYER_COUNTS, ROUNDS, USUAL_HAND
from toy_env.drawing import svg, text
from toy_env.heuristic import heuristic
from toy_env.history import seen
from toy_env.knowledge import knowledge
from toy_env.observation import determinize, observation_table, observe
from toy_env.position import check, events, from_position, from_setup, position, prepare, preset, setup
from toy_env.rules import legal, rank_key, reset, step
from toy_env.state import STATE

GAME = Game(
    name="toy",
    title="The highest sum",
    version=0,
    state=STATE,
    player_counts=PLAYER_COUNTS,
    actions=action_table,
    observation=observation_table,
    max_decisions=lambda players, options: ROUNDS * players,
    options=(Option("hand", USUAL_HAND, "cards in a hand", whole_number(FEWEST_HAND, LARGEST_HAND)),),
    prepare=prepare,
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
    seen=seen,
    knowledge=knowledge,
)
