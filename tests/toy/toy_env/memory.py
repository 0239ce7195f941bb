"""What a perfect memory of this game holds: the discards since the last shuffle. The rules keep it in any case."""

from skyline.core.jit import njit


@njit
def begin_memory(s):
    s.memory_discards[:] = 0


@njit
def remember_discard(s, value):
    s.memory_discards[value] += 1


@njit
def forget_discards(s):
    """They were shuffled into a new deck."""
    s.memory_discards[:] = 0
