"""The engine: kernels over rows of any game's state. One compiled call does the work of a step; nothing is allocated.

    kernels = engine.kernels(game)                    # the compiled kernels of a game, as attributes
    kernels.begin_rows(states, seeds, rows, mask, rewards, False)

The kernels are written once against the stubs `reset(s)`, `step(s, a)`, .. of `skyline.core.overloads`. In the machine
code for a game, each stub is the game's own function: as fast as loops that are written by hand for one game.

row         what happens in one game; the numbers of rewards (OUTCOME, ..) and of policies (RANDOM, ..)
desk        the step of the AEC environment
batch       rows whose caller moves every seat; learner: rows with a learning seat; rollouts: whole games in a call
compiled    `kernels(game)`: compiled at the first call and kept on disk; `Kernels`: the same for kernels of others
threads     ranges of rows on several threads
arrays      masks, observations and their scales

Everything that is used outside of this folder is imported here.
"""

from skyline.core.engine.arrays import NO_SCALES, as_rows, legal_actions, mask_array, observation_array, scales
from skyline.core.engine.batch import BEGIN, DISABLED, ENDED, NEXT_STEP, RUNNING, SAME_STEP
from skyline.core.engine.compiled import KERNELS, ContractError, Kernels, kernels
from skyline.core.engine.desk import GAME_OVER, LOOK, REFUSED, REWARDED, SEAT_BITS, desk_dtype
from skyline.core.engine.learner import (
    ANSWERS,
    ENDLESS,
    FUNCTION,
    GOES_ON,
    MOVES,
    NOTHING,
    OPENS,
    ROOM,
    BatchArrays,
    LearnerSettings,
)
from skyline.core.engine.row import (
    CALLER,
    HEURISTIC,
    MARGIN,
    OUTCOME,
    POLICIES,
    RANDOM,
    REWARDS,
    SCORE,
    begin_next,
    chosen,
    fill_mask,
    outcome,
    play,
)
from skyline.core.engine.threads import in_chunks

__all__ = [
    "ANSWERS",
    "BEGIN",
    "CALLER",
    "DISABLED",
    "ENDED",
    "ENDLESS",
    "FUNCTION",
    "GAME_OVER",
    "GOES_ON",
    "HEURISTIC",
    "KERNELS",
    "LOOK",
    "MARGIN",
    "MOVES",
    "NEXT_STEP",
    "NOTHING",
    "NO_SCALES",
    "OPENS",
    "OUTCOME",
    "POLICIES",
    "RANDOM",
    "REFUSED",
    "REWARDED",
    "REWARDS",
    "ROOM",
    "RUNNING",
    "SAME_STEP",
    "SCORE",
    "SEAT_BITS",
    "BatchArrays",
    "ContractError",
    "Kernels",
    "LearnerSettings",
    "as_rows",
    "begin_next",
    "chosen",
    "desk_dtype",
    "fill_mask",
    "in_chunks",
    "kernels",
    "legal_actions",
    "mask_array",
    "observation_array",
    "outcome",
    "play",
    "scales",
]
