"""Plain observations of a game beside its core's, at every decision of whole games.

A game brings `tests/games/<game>/plain_observe.py` with `plain_observe(s, seat)`: the base slices of the observation by
name, written from RULES.md without the core; and, if it has options that change what is seen, with OPTIONS, a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import MEMORIES, NO_SEAT, Game
from skyline.rng import streams
from tests.support.rule_cases import Core
from tests.support.seeing import determinized, heuristic_actions, observed

Plain = dict[str, Any]  # the values of the slices, nested as the slices are


def turned(values: Sequence[int], first: int) -> list[int]:
    """The values from the place `first` on, going round."""
    return [*values[first:], *values[:first]]


def one_hot(length: int, place: int | None) -> list[int]:
    return [int(i == place) for i in range(length)]


def differences(core: Core, plain_observe: Any) -> Iterator[str]:
    """What the core shows of this position to each seat otherwise than the plain observation."""
    table, s = core.game.observation(core.players), core.states[0]
    for seat in range(core.players):
        found, wanted = table.decode(observed(core, seat, "base"), "base"), plain_observe(s, seat)
        if list(found) != list(wanted):
            yield f"slices {list(found)} instead of {list(wanted)}"
        for name, values in found.items():
            plain = np.asarray(wanted[name], dtype=np.int64).reshape(values.shape)
            if not np.array_equal(values, plain):
                yield f"{name} of seat {seat}: {values.tolist()} instead of {plain.tolist()}"


def check_games(
    game: Game, players: int, plain: Any, seed: int, options: Any = None, memory: str = "recall", moves: int = 10**9
) -> int:
    """Two games from a seed, by random moves and by the heuristic, and a copy dealt anew at every 16th decision.

    `plain` is the module. The first difference is an AssertionError; the number of positions that were compared.
    """
    plain_observe, compared = plain.plain_observe, 0
    for is_random in (True, False):
        core, luck, number = Core.deal(game.name, players, seed, options), streams(1, seed), 0
        core.states["memory"] = MEMORIES[memory]
        while True:
            _agree(core, plain_observe)
            compared += 1
            if core.states[0].seat == NO_SEAT or number == moves:
                break
            if number % 16 == 0:
                seat = number // 16 % players
                _agree(Core(game, determinized(core, seat, seed + number)), plain_observe)
            number += 1
            if is_random:
                engine.kernels(game).fill_masks(core.states, core.mask)
                legal = np.flatnonzero(core.mask[0])
                core.play_action(int(legal[(seed + 7 * number) % len(legal)]))
            else:
                core.play_action(heuristic_actions(game, core.states, luck)[0])
    return compared


def _agree(core: Core, plain_observe: Any) -> None:
    assert not (found := list(differences(core, plain_observe))), "\n".join(found[:3])
