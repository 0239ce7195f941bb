"""The one-way hash of the agents' streams: it is BLAKE2b."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skyline.core.oneway import OWN_SEEDS, PERSON, STREAMS, hashed

WORDS = st.integers(0, 2**64 - 1)


def by_hashlib(seed: int, salt: int, purpose: int, count: int) -> list[int]:
    blocks = [
        hashlib.blake2b(struct.pack("<4Q", seed, salt, block, purpose), person=PERSON).digest()
        for block in range(-(-count // 8))
    ]
    return [word for block in blocks for word in struct.unpack("<8Q", block)][:count]


@settings(deadline=None)  # the first example compiles
@given(st.lists(st.tuples(WORDS, WORDS), max_size=4), WORDS, st.integers(1, 20))
def test_words_are_those_of_blake2b(rows: list[tuple[int, int]], purpose: int, count: int) -> None:
    given_rows = np.array(rows, np.uint64).reshape(-1, 2)
    found = hashed(given_rows[:, 0], given_rows[:, 1], purpose, count)
    assert found.tolist() == [by_hashlib(seed, salt, purpose, count) for seed, salt in rows]


def test_every_seat_seed_salt_and_purpose_has_words_of_its_own() -> None:
    seeds, salts = np.repeat(np.arange(50), 4), np.tile(np.arange(4), 50)
    words = np.concatenate([hashed(seeds, salts, purpose, 9).ravel() for purpose in (STREAMS, OWN_SEEDS)])
    assert len(np.unique(words)) == len(words)
