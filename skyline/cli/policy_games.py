"""Recorded games in which a policy of the kernel chooses every move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from skyline.chance import seat_streams
from skyline.core import engine
from skyline.game import DEFAULT_MEMORY, Game
from skyline.record import Recorder
from skyline.typing import Memory


def policy_game(
    game: Game,
    players: int,
    seed: int,
    policy: int,
    moves: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    memory: Memory = DEFAULT_MEMORY,
    watch: Callable[[Recorder], None] | None = None,
) -> tuple[Recorder, int]:
    """The game of a seed after a number of moves (None: at its end), and how many were played.

    Every seat draws from the stream of an agent that sits there. `watch` is called after every move.
    """
    recorder, played = Recorder(game, players, seed, options, memory=memory), 0
    stream = seat_streams(np.array([seed], np.uint64), np.zeros(1, np.int64), players)[0]
    choose, policies, action = engine.kernels(game).choose_rows, np.array([policy]), np.zeros(1, np.int64)
    while recorder.seat is not None and played != moves:
        choose(recorder.state, recorder.mask, policies, stream[recorder.seat : recorder.seat + 1], action)
        recorder.play(int(action[0]))
        played += 1
        if watch is not None:
            watch(recorder)
    return recorder, played
