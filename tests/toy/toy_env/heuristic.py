"""The baseline player: swap the lowest card while it is below the mean."""

from skyline.core.jit import njit
from toy_env.actions import FIRST_SWAP, KEEP
from toy_env.components import VALUES


@njit
def heuristic(s, mask, stream):
    for value in range(VALUES // 2):
        if mask[FIRST_SWAP + value]:
            return FIRST_SWAP + value
    return KEEP
