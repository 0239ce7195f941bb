# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The legal actions of many rows in few bytes: as bits, and as the numbers of the actions.

    pack_masks(masks, words)               action a of row i is bit a % 64 of words[i, a // 64]
    list_legal(masks, numbers, offsets)    the legal actions of row i are numbers[offsets[i] : offsets[i + 1]]

Both are called from plain Python and belong to no game: they are compiled once for all games. `masks` (n, A) int8 holds
zeros and ones, `words` (n, ceil(A / 64)) uint64, `numbers` (any length,) int32, `offsets` (n + 1,) int32.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import FromPython, njit
from skyline.core.masks import count_legal, lowest, word_of, words_in
from skyline.core.wide import LANES

ONE = np.uint64(1)


@njit
def _pack_masks(masks, words):
    """Write every word of every row; the bits behind the last action are 0."""
    for i in range(masks.shape[0]):
        for number in range(words.shape[1]):
            words[i, number] = word_of(masks[i], number)


@njit
def _list_legal(masks, numbers, offsets):
    """Write `offsets`, and the legal actions of each row in ascending order if there is room for all of them. Returns
    how many there are."""
    offsets[0] = 0
    total = 0
    for i in range(masks.shape[0]):
        total += count_legal(masks[i])
        offsets[i + 1] = total
    if total > numbers.shape[0]:
        return total
    at = 0
    for i in range(masks.shape[0]):
        mask = masks[i]
        for number in range(words_in(mask)):
            word = word_of(mask, number)
            while word:
                numbers[at] = LANES * number + lowest(word)
                word &= word - ONE
                at += 1
    return total


pack_masks, list_legal = FromPython(_pack_masks), FromPython(_list_legal)
