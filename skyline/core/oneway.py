"""One-way words, for random streams that agents see: nobody can compute the seed from which a word was made.

The seed of a game is a secret: whoever knows the seed knows every card. `skyline.rng.mixed` can be computed backwards,
so it would give the seed away. `hashed` is the hash function BLAKE2b (RFC 7693), the same as

    hashlib.blake2b(seed + salt + block + purpose, person=PERSON).digest()      # each 8 bytes, little-endian

as eight words of 64 bits; word k of block b is for seat 8 * b + k.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.core.jit import FromPython, njit

PERSON = b"skyline agents"
STREAMS, OWN_SEEDS = 0, 1  # purposes: what words are for

_WORDS = 8  # of a hash
_MESSAGE_BYTES = np.uint64(32)
_IV = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
# Digest of 64 bytes, no key, one leaf; the person in the last two words.
_PARAMETERS = np.zeros(_WORDS, np.uint64)
_PARAMETERS[0] = 0x01010040
_PARAMETERS[6:] = np.frombuffer(PERSON.ljust(16, b"\0"), "<u8")
_BEGIN = _IV ^ _PARAMETERS
# Which word of the message goes where in each of the twelve rounds.
_SIGMA = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.int64,
)
_R32, _R24, _R16, _R63 = np.uint64(32), np.uint64(24), np.uint64(16), np.uint64(63)
_L40, _L48, _L1 = np.uint64(40), np.uint64(48), np.uint64(1)
_ALL = np.uint64(2**64 - 1)


@njit
def _mix(v: Any, a: int, b: int, c: int, d: int, x: Any, y: Any) -> None:
    """The function G of BLAKE2b."""
    v[a] = v[a] + v[b] + x
    word = v[d] ^ v[a]
    v[d] = (word >> _R32) | (word << _R32)
    v[c] = v[c] + v[d]
    word = v[b] ^ v[c]
    v[b] = (word >> _R24) | (word << _L40)
    v[a] = v[a] + v[b] + y
    word = v[d] ^ v[a]
    v[d] = (word >> _R16) | (word << _L48)
    v[c] = v[c] + v[d]
    word = v[b] ^ v[c]
    v[b] = (word >> _R63) | (word << _L1)


@njit
def _compress(v: Any, m: Any) -> None:
    """The only block of a message, m (16,): v (16,) becomes what the words of the hash are made of."""
    for k in range(_WORDS):
        v[k] = _BEGIN[k]
        v[k + _WORDS] = _IV[k]
    v[12] ^= _MESSAGE_BYTES
    v[14] ^= _ALL
    for r in range(12):
        t = _SIGMA[r]
        _mix(v, 0, 4, 8, 12, m[t[0]], m[t[1]])
        _mix(v, 1, 5, 9, 13, m[t[2]], m[t[3]])
        _mix(v, 2, 6, 10, 14, m[t[4]], m[t[5]])
        _mix(v, 3, 7, 11, 15, m[t[6]], m[t[7]])
        _mix(v, 0, 5, 10, 15, m[t[8]], m[t[9]])
        _mix(v, 1, 6, 11, 12, m[t[10]], m[t[11]])
        _mix(v, 2, 7, 8, 13, m[t[12]], m[t[13]])
        _mix(v, 3, 4, 9, 14, m[t[14]], m[t[15]])


@njit
def _hash_rows(seeds: Any, salts: Any, purpose: Any, work: Any, words: Any) -> None:
    """words (n, K) of n seeds and salts; work (2, 16) uint64, the second row zeroed."""
    v, m = work[0], work[1]
    for i in range(seeds.shape[0]):
        m[0], m[1], m[3] = seeds[i], salts[i], purpose
        for first in range(0, words.shape[1], _WORDS):
            m[2] = np.uint64(first // _WORDS)
            _compress(v, m)
            for k in range(first, min(first + _WORDS, words.shape[1])):
                words[i, k] = _BEGIN[k - first] ^ v[k - first] ^ v[k - first + _WORDS]


_hashed_from_python = FromPython(_hash_rows)


def hashed(seeds: Any, salts: Any, purpose: int, count: int) -> np.ndarray[Any, Any]:
    """The first `count` words of every seed with its salt, (n, count) uint64."""
    given = np.ascontiguousarray(seeds, np.uint64), np.ascontiguousarray(salts).astype(np.uint64)
    words = np.zeros((len(given[0]), count), np.uint64)
    _hashed_from_python(*given, np.uint64(purpose), np.zeros((2, 16), np.uint64), words)
    return words
