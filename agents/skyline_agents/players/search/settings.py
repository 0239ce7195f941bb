"""Budgets and settings of searches, read from the texts of a command line.

A text that is no setting raises a ValueError that says what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.typing import Array
from skyline_agents.players.search.horizon import auto_cut
from skyline_agents.players.search.kernels.layout import (
    HEURISTIC_ORDER,
    MAXN,
    PARAMETERS,
    PARANOID,
    RANDOM_ORDER,
    WHOLE_GAME,
)
from skyline_agents.players.texts import choice, number, whole

MOST_SIMULATIONS = 10**9
MOST_SECONDS = 86_400
MOST_THREADS = 256
ROOTS_OF_THREADS = 8  # trees of a search with two threads or more, whatever their number: the move is the same

BACKUPS = {"maxn": MAXN, "paranoid": PARANOID}
PRIORS = {"none": RANDOM_ORDER, "heuristic": HEURISTIC_ORDER}
AUTO_CUT = -2  # `cut`: horizon.py finds the cut from some games
WIDEN = {HEURISTIC_ORDER: 0.3, RANDOM_ORDER: 2.0}  # the default of `widen` by `prior`
FORGETS = {"recall": False, "table": True}  # by `memory`: whether what was seen earlier is forgotten
STOPS = {"decided": False, "budget": True}  # whether the whole budget is always spent


@dataclass(frozen=True)
class Budget:
    """What a move may cost: a number of simulations or of seconds; the other one is None."""

    simulations: int | None
    seconds: float | None


def budget(text: str | float) -> Budget:
    """The budget of a text: `1000` is a number of simulations, `0.5s` and `200ms` are times."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})(s|ms)?", str(text).strip())
    if match:
        number, unit = float(match[1]), match[2]
        seconds = number / (1000 if unit == "ms" else 1)
        if unit and 0 < seconds <= MOST_SECONDS:
            return Budget(None, seconds)
        if not unit and number.is_integer() and 1 <= number <= MOST_SIMULATIONS:
            return Budget(int(number), None)
    raise ValueError(
        f"the budget of a move is a number of simulations 1 .. {MOST_SIMULATIONS} (1000) or a time (2s, 100ms) "
        f"of at most {MOST_SECONDS} s, not {str(text)!r}"
    )


@dataclass(frozen=True)
class SearchSettings:
    """How a position is searched. The fields are those of PARAMETERS but for the searching seat."""

    playout: int
    cut: int  # decisions, WHOLE_GAME or AUTO_CUT
    backup: int
    prior: int
    explore: float
    widen: float
    margin: float

    def for_game(self, game: Game, players: int, options: Mapping[str, Any]) -> SearchSettings:
        """The settings for a game: AUTO_CUT is replaced by the cut that the game needs."""
        return self if self.cut != AUTO_CUT else replace(self, cut=auto_cut(game, players, options))

    def parameters(self, viewer: int) -> Array:
        """PARAMETERS (1,) of the kernels for a searching seat."""
        rows = np.zeros(1, PARAMETERS)
        rows["viewer"] = viewer
        for field in fields(self):
            rows[field.name] = getattr(self, field.name)
        return rows


def cut_of(text: Any) -> int:
    """The cut of a text: `auto`, `end`, or a number of decisions."""
    words = {"auto": AUTO_CUT, "end": WHOLE_GAME}
    try:
        if str(text) in words:
            return words[str(text)]
        return whole("cut", text, 1, 10**6)
    except ValueError:
        raise ValueError(f"cut is a number of decisions 1 .. 1000000, auto or end, not {str(text)!r}") from None


def widen_of(text: Any, order: int) -> float:
    """The widening of a text. The default is small where the heuristic chooses which action is tried next, and large
    where chance does."""
    if text is None:
        return WIDEN[order]
    return number("widen", text, 0, 1000)


def playout_of(text: Any) -> int:
    """The policy number of a playout's name."""
    return int(choice("playout", text, engine.POLICIES))


def roots_of(text: Any, threads: int) -> int:
    """The number of trees of a text. The default is one tree for one thread, else ROOTS_OF_THREADS."""
    if text is None:
        return 1 if threads == 1 else ROOTS_OF_THREADS
    return whole("roots", text, 1, MOST_THREADS)
