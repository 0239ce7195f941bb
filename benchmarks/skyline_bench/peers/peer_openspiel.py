"""OpenSpiel driven from Python: the observation tensor and the legal actions at every decision; chance is sampled."""

from __future__ import annotations

import random
from functools import partial

import pyspiel
from serve import Play, on_one_core, serve

GAMES = ("connect_four", "backgammon", "gin_rummy", "hanabi")


def player(name: str) -> Play:
    game = pyspiel.load_game(name)

    def play() -> tuple[int, int]:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            steps += 1
        return steps, 1

    return play


if __name__ == "__main__":
    on_one_core()
    serve(
        {game: partial(player, game) for game in GAMES},
        packages=("open_spiel",),
        loop="observation_tensor(), a random one of legal_actions(), apply_action(); chance nodes are no steps",
    )
