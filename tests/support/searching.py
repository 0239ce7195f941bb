"""Search agents at a position: views, and the moves of an agent that has just begun."""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.game import Game
from skyline.record import Recorder
from skyline.rng import streams
from skyline_agents import names
from skyline_agents.protocol import View, views_of
from tests.support.rule_cases import Core


def view_at(game: Game, states: Any, options: Any = None) -> View:
    """The view of the seat to decide."""
    core = Core(game, states)
    return views_of(game, core.states.copy(), core.mask.copy(), streams(1, 3), game.check_options(options))[0]


def view_in(name: str | Game, players: int, moves: int, seed: int = 1) -> View:
    """The view after some random moves, and further moves until there is a choice."""
    recorder = Recorder(name, players, seed=seed)
    rng = np.random.default_rng(seed)
    while moves > 0 or len(recorder.legal()) < 3:
        recorder.play(int(rng.choice(recorder.legal())))
        moves -= 1
    return views_of(recorder.game, recorder.state.copy(), recorder.mask.copy(), streams(1, 3), recorder.options)[0]


def begun(text: str, view: View, seed: int = 5) -> Any:
    """An agent that has begun the view's game."""
    agent = names.make(text)
    agent.begin(view.game, view.players, view.options, seed)
    return agent


def move(text: str, view: View, seed: int = 5) -> str:
    """The move of a new agent, as text."""
    return view.move_text(begun(text, view, seed).act(view))


def after(core: Core, text: str) -> Core:
    """A copy in which the move has been played."""
    copy = core.copy()
    copy.play(text)
    return copy
