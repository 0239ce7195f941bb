"""Catanatron, four players: its feature vector and a random playable action at every decision."""

from __future__ import annotations

import random

from catanatron import Color, Game, RandomPlayer
from catanatron_gym.features import create_sample_vector
from serve import Play, on_one_core, serve


def player() -> Play:
    seats = [RandomPlayer(colour) for colour in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]

    def play() -> tuple[int, int]:
        game, steps = Game(seats), 0
        while game.winning_color() is None and game.state.num_turns < 1000:  # Catanatron's own limit of turns
            create_sample_vector(game, game.state.current_color())
            legal = game.state.playable_actions
            game.execute(legal[int(random.random() * len(legal))])
            steps += 1
        return steps, 1

    return play


if __name__ == "__main__":
    on_one_core()
    serve(
        {"catan": player},
        packages=("catanatron", "catanatron_gym"),
        loop="create_sample_vector(), a random one of playable_actions, execute(); rolling the dice is a decision",
    )
