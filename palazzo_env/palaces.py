# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The palaces of a seat: a sorted list of keys, identical palaces once with their number. [RULES.md PZ-61 .. PZ-64]"""

from __future__ import annotations

import numpy as np

from palazzo_env.scoring import count_palace
from skyline.core.jit import njit


@njit
def add_palace(s, seat, key):
    """A palace comes to the seat's list; returns its slot."""
    keys, copies, count = s.palaces[seat], s.copies[seat], int(s.palace_count[seat])
    slot = count
    while slot > 0 and keys[slot - 1] >= key:
        slot -= 1
    if slot < count and keys[slot] == key:
        copies[slot] += 1
    else:
        for i in range(count, slot, -1):
            keys[i], copies[i] = keys[i - 1], copies[i - 1]
        keys[slot], copies[slot] = key, 1
        s.palace_count[seat] = count + 1
    count_palace(s, seat, key, 1)
    return slot


@njit
def remove_palace(s, seat, slot):
    """One palace of this slot leaves the seat's list; returns its key."""
    keys, copies, count = s.palaces[seat], s.copies[seat], int(s.palace_count[seat])
    key = np.int64(keys[slot])
    copies[slot] -= 1
    if copies[slot] == 0:
        for i in range(slot, count - 1):
            keys[i], copies[i] = keys[i + 1], copies[i + 1]
        keys[count - 1], copies[count - 1] = 0, 0
        s.palace_count[seat] = count - 1
    count_palace(s, seat, key, -1)
    return key
