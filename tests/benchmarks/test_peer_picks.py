"""The compiled choice of the peers' moves: each legal action with the same chance, and no other action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skyline_bench.peers import picks

N, ACTIONS, NOTHING = 4, 150, 999
LEGAL = {0: [0], 1: [0, 63, 64, 149], 2: [127, 128, 130], 3: list[int]()}  # of each game
MASK = np.array([[action in LEGAL[i] for action in range(ACTIONS)] for i in range(N)])


def from_mask(stream: Any, actions: Any) -> None:
    picks.from_mask(MASK, stream, actions, NOTHING)


def from_ids(stream: Any, actions: Any) -> None:
    offsets = np.cumsum([0, *map(len, LEGAL.values())]).astype(np.uint32)
    picks.from_ids(np.concatenate([*LEGAL.values()]).astype(np.uint16), offsets, stream, actions, NOTHING)


def from_words(stream: Any, actions: Any) -> None:
    wide = np.zeros((N, 192), np.uint8)
    wide[:, :ACTIONS] = MASK
    wide[:, ACTIONS:] = 1  # legal, but not allowed
    words = np.packbits(wide, axis=1, bitorder="little").view(np.uint64)
    allowed = np.packbits(np.arange(192) < ACTIONS, bitorder="little").view(np.uint64)
    picks.from_words(words, allowed, stream, actions, NOTHING)


@pytest.mark.parametrize("pick", [from_mask, from_ids, from_words])
def test_every_legal_action_has_the_same_chance(pick: Callable[[Any, Any], None]) -> None:
    stream, actions, rounds = np.ones(1, np.uint64), np.zeros(N, np.uint32), 3000
    chosen = np.zeros((N, NOTHING + 1), np.int64)
    for _ in range(rounds):
        pick(stream, actions)
        chosen[np.arange(N), actions] += 1
    for i, legal in LEGAL.items():
        expected = legal or [NOTHING]
        assert chosen[i, expected].sum() == rounds
        assert chosen[i, expected] == pytest.approx(rounds / len(expected), rel=0.12)


def test_bits_are_counted() -> None:
    words = np.random.default_rng(1).integers(0, 2**64, 100, np.uint64)
    for word in (np.uint64(0), np.uint64(2**64 - 1), *words):
        assert picks.count_bits(word) == int(word).bit_count()
