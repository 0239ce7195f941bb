"""The random stream: one splitmix64 word in a field `rng`, 1.2 ns a draw, the same on every machine and thread.

Every function takes a record with a field `rng` (uint64) and advances it: a game's state, or a `STREAM` row for
the randomness of a policy or a search, which never touches a state's own stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.arguments import brief
from skyline.core.jit import njit, record_dtype

STREAM = record_dtype([("rng", np.uint64), ("stream_of_a_policy", np.uint8, (8,))])

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
NEXT_GAME = np.uint64(0xD1B54A32D192ED03)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

SEED_LIMIT = 2**64


@njit
def mixed(word: Any) -> Any:
    """The splitmix64 output function: a bijection of the 64-bit words."""
    word = (word ^ (word >> S30)) * MIX_1
    word = (word ^ (word >> S27)) * MIX_2
    return word ^ (word >> S31)


@njit
def next_word(s: Any) -> Any:
    """64 fresh random bits."""
    s.rng = s.rng + GOLDEN
    return mixed(s.rng)


@njit
def _scaled(word: Any, n: int) -> Any:
    """The number 0 .. n-1 that a random word stands for."""
    return np.int64(((word >> S32) * np.uint64(n)) >> S32)


@njit
def below(s: Any, n: int) -> int:
    """A number 0 .. n-1, n < 2^31; each has the same chance up to n / 2^32."""
    number: int = _scaled(next_word(s), n)
    return number


@njit
def below_later(s: Any, n: int, draws: int) -> int:
    """What `below(s, n)` would give after that many other draws; the stream stays where it is."""
    word = mixed(s.rng + np.uint64(draws + 1) * GOLDEN)
    number: int = _scaled(word, n)
    return number


@njit
def skip(s: Any, draws: int) -> None:
    """Leave out that many draws."""
    s.rng = s.rng + np.uint64(draws) * GOLDEN


@njit
def shuffle(s: Any, array: Any, n: int) -> None:
    """Shuffle array[0] .. array[n-1] in place (Fisher-Yates from the end)."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        array[i], array[j] = array[j], array[i]


@njit
def next_seed(seed: Any) -> Any:
    """The seed of the game that follows the game of `seed` in the same row or environment."""
    return mixed(seed ^ NEXT_GAME)


_plain_mixed = getattr(mixed, "py_func", mixed)  # called from Python, the jitted one compiles in every process


def following_seed(seed: np.uint64) -> np.uint64:
    """`next_seed` for Python."""
    with np.errstate(over="ignore"):
        return np.uint64(_plain_mixed(np.uint64(seed) ^ NEXT_GAME))


def check_seed(seed: int) -> np.uint64:
    """The seed as a stream word; any whole number 0 .. 2^64 - 1 is a seed like any other."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"a seed is a whole number, not {brief(seed)}")
    if not 0 <= int(seed) < SEED_LIMIT:
        shown = seed if abs(seed) < 2**80 else "of more than 24 digits"  # Python refuses to write very long numbers
        raise ValueError(f"seed {shown} is outside 0 .. 2^64 - 1")
    return np.uint64(seed)


def fresh_seed() -> int:
    """A seed from the operating system, for games that were given none."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1


def streams(n: int, seed: int) -> np.ndarray[Any, Any]:
    """n independent policy streams, stream i the same for every n."""
    rows = np.zeros(n, STREAM)
    with np.errstate(over="ignore"):
        first = _plain_mixed(check_seed(seed) ^ GOLDEN)
        rows["rng"] = first + np.arange(n, dtype=np.uint64) * MIX_2
    return rows
