"""The loop that drives our AEC environments and PettingZoo's; it needs the standard library only."""

from __future__ import annotations

import random
from typing import Any


def aec_decisions(env: Any, least: int) -> tuple[int, int]:
    """Random legal play for at least that many decisions; decisions and games. Steps of ended agents do not count."""
    done, games = 0, 0
    while done < least:
        env.reset(seed=done)
        for _ in env.agent_iter():
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(random.random() * len(legal))]))
                done += 1
        games += 1
    return done, games
