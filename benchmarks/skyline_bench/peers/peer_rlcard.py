"""RLCard: the state of every decision with its observation and legal actions."""

from __future__ import annotations

import random
from functools import partial

import rlcard
from serve import Play, on_one_core, serve

GAMES = ("uno", "gin-rummy", "mahjong")


def player(name: str) -> Play:
    env = rlcard.make(name)

    def play() -> tuple[int, int]:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random.random() * len(legal))])
            steps += 1
        return steps, 1

    return play


if __name__ == "__main__":
    on_one_core()
    serve(
        {game: partial(player, game) for game in GAMES},
        packages=("rlcard", "numpy"),
        loop="env.step() of a random one of state['legal_actions']; the state holds the observation",
    )
