"""Budgets and settings of searches, read from the texts of a command line. Wrong ones raise a ValueError in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline_agents.players.search.horizon import auto_cut
from skyline_agents.players.search.kernels.layout import (
    HEURISTIC_ORDER,
    MAXN,
    PARANOID,
    RANDOM_ORDER,
    RULES,
    WHOLE_GAME,
)
from skyline_agents.players.texts import choice, number, whole

MOST_SIMULATIONS = 10**9
MOST_SECONDS = 86_400
MOST_THREADS = 256
ROOTS_OF_THREADS = 8  # trees of a search with threads, however many: the move does not depend on their number

BACKUPS = {"maxn": MAXN, "paranoid": PARANOID}
PRIORS = {"none": RANDOM_ORDER, "heuristic": HEURISTIC_ORDER}
AUTO_CUT = -2  # cut: found out from some games
WIDEN = {HEURISTIC_ORDER: 0.3, RANDOM_ORDER: 2.0}
STOPS = {"decided": False, "budget": True}  # whether the whole budget is spent


@dataclass(frozen=True)
class Budget:
    """What a move may cost: simulations, or seconds (the other is None)."""

    simulations: int | None
    seconds: float | None


def budget(text: str | float) -> Budget:
    """`1000` simulations, `0.5s` or `200ms`."""
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
        f"of at most {MOST_SECONDS} s, "
        f"not {str(text)!r}"
    )


@dataclass(frozen=True)
class Settings:
    """How it is searched; `rules` is what of it the kernels need."""

    playout: int
    cut: int
    backup: int
    prior: int
    explore: float
    widen: float
    margin: float

    def of(self, game: Game, players: int, options: Mapping[str, Any]) -> Settings:
        """The settings for a game, with the cut it needs if that is to be found out."""
        return self if self.cut != AUTO_CUT else replace(self, cut=auto_cut(game, players, options))

    def rules(self, viewer: int) -> Any:
        """RULES (1,) for a searching seat."""
        rows = np.zeros(1, RULES)
        rows["viewer"] = viewer
        for name in ("playout", "cut", "backup", "prior", "explore", "widen", "margin"):
            rows[name] = getattr(self, name)
        return rows


def cut_of(text: Any) -> int:
    """`auto`, `end`, or a number of decisions."""
    words = {"auto": AUTO_CUT, "end": WHOLE_GAME}
    try:
        if str(text) in words:
            return words[str(text)]
        return whole("cut", text, 1, 10**6)
    except ValueError:
        raise ValueError(f"cut is a number of decisions 1 .. 1000000, auto or end, not {str(text)!r}") from None


def widen_of(text: Any, order: int) -> float:
    """How many actions are tried: few if those that the heuristic likes come first, more if any may."""
    if text is None:
        return WIDEN[order]
    return number("widen", text, 0, 1000)


def playout_of(text: Any) -> int:
    return int(choice("playout", text, engine.POLICIES))


def roots_of(text: Any, threads: int) -> int:
    """The number of trees; one without threads, a fixed number with them."""
    if text is None:
        return 1 if threads == 1 else ROOTS_OF_THREADS
    return whole("roots", text, 1, MOST_THREADS)
