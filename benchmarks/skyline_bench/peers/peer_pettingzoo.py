"""PettingZoo's classic games as the wrapped `env()`, in the loop of our layer `aec-numpy`."""

from __future__ import annotations

import importlib
import warnings
from functools import partial

from loops import aec_decisions
from serve import Play, on_one_core, serve

GAMES = {
    "connect_four": "connect_four_v3",
    "tictactoe": "tictactoe_v3",
    "texas_holdem": "texas_holdem_v4",
    "hanabi": "hanabi_v5",
    "chess": "chess_v6",
}


def player(module: str) -> Play:
    return partial(aec_decisions, importlib.import_module(f"pettingzoo.classic.{module}").env(), 20)


if __name__ == "__main__":
    on_one_core()
    warnings.simplefilter("ignore")
    serve(
        {game: partial(player, module) for game, module in GAMES.items()},
        packages=("pettingzoo", "numpy"),
        loop="env(): last(), a random legal action of the mask, step()",
    )
