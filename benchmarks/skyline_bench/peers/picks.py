# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A random legal action of every game in a batch, chosen by compiled functions.

A library offers the legal actions of a batch of n games in one of three forms:

    from_mask    a row of zeros and ones for each game (n, actions)
    from_ids     the ids of all games one after the other, and where each game begins (n + 1)
    from_words   a row of words of 64 bits for each game (n, words); bit i of word w stands for action 64 w + i

`stream` (1) is the state of the random generator, any word but 0. Where a game has no legal action, the action is
`nothing`. This module needs NumPy and numba only, because it runs in the peers' environments.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.cpython.unsafe.numbers import trailing_zeros


@njit
def below(stream, n):
    """A random number below n: a step of xorshift64, whose upper half is scaled."""
    word = stream[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    stream[0] = word
    return np.int64(((word >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def from_mask(mask, stream, actions, nothing):
    for i in range(mask.shape[0]):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[i, action]
        actions[i] = nothing
        left = below(stream, legal)
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1


@njit
def from_ids(ids, offsets, stream, actions, nothing):
    for i in range(actions.shape[0]):
        legal = np.int64(offsets[i + 1]) - np.int64(offsets[i])
        actions[i] = ids[np.int64(offsets[i]) + below(stream, legal)] if legal > 0 else nothing


@njit
def count_bits(word):
    """The number of ones in a word: sums of neighbouring bits, then pairs, then fours."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit
def from_words(words, allowed, stream, actions, nothing):
    """`allowed` (words) holds the actions that may be chosen at all."""
    for i in range(words.shape[0]):
        legal = 0
        for w in range(words.shape[1]):
            legal += count_bits(words[i, w] & allowed[w])
        actions[i] = nothing
        left = below(stream, legal)
        for w in range(words.shape[1] if legal else 0):
            word = words[i, w] & allowed[w]
            here = count_bits(word)
            if left < here:
                for _ in range(left):
                    word &= word - np.uint64(1)
                actions[i] = 64 * w + np.int64(trailing_zeros(word))
                break
            left -= here
