"""Games for targets: every allowed option, fresh positions, and playing on from a state by random moves."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from skyline import record, registry
from skyline.core import engine
from skyline.game import NO_SEAT, Game
from skyline.typing import Array
from tests.fuzz.judgement import Finding

QUICK = "FUZZ_QUICK"
PROBED = (*range(-1, 21), True, False)


def games() -> list[Game]:
    """Every game; with the variable FUZZ_QUICK only the one with the smallest state, whose kernels load fastest."""
    found = [registry.load(name) for name in registry.names()]
    return [min(found, key=lambda game: game.state.itemsize)] if os.environ.get(QUICK) else found


def variants() -> Iterator[tuple[Game, int, dict[str, Any]]]:
    """Every game and player count with the default options, and with each other option value that is found; with the
    variable FUZZ_QUICK every game once."""
    quick = bool(os.environ.get(QUICK))
    for name in registry.names():
        game = registry.load(name)
        for players in game.player_counts[: 1 if quick else None]:
            for options in option_values(game)[: 1 if quick else None]:
                yield game, players, options


@lru_cache(None)
def option_values(game: Game) -> tuple[dict[str, Any], ...]:
    """Allowed options: the default, and for every option each value that the default's refusals name or that is a
    small whole number, at most six for each option."""
    found: list[dict[str, Any]] = [game.check_options({})]
    for option in game.options:
        try:
            option.check("no such value")
            named: list[str] = []
        except ValueError as reason:
            named = re.findall(r"'([^']*)'", str(reason))
        allowed = [options for value in (*named, *PROBED) if (options := _checked(game, {option.name: value}))]
        found += [options for options in allowed[:6] if options not in found]
    return tuple(found)


def _checked(game: Game, options: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return game.check_options(options)
    except ValueError:
        return None


class Table:
    """One state, the mask of the seat to decide, and all observations."""

    def __init__(self, game: Game, states: Array) -> None:
        self.game, self.states, self.players = game, states, int(states["players"][0])
        self.kernels = engine.kernels(game)
        self.mask = engine.mask_array(game, self.players)
        self._views = {form: engine.observation_array(game, self.players, 1, form) for form in ("base", "rich")}
        self._row, self._seat = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._rewards = np.zeros((1, self.players), np.float32)
        self.kernels.fill_masks(self.states, self.mask)

    @property
    def over(self) -> bool:
        return int(self.states["seat"][0]) == NO_SEAT

    def observe(self) -> None:
        """Compute the observations of every seat, in both forms."""
        for seat in range(self.players):
            self._seat[0] = seat
            for out in self._views.values():
                self.kernels.observe_some(self.states, self._row, self._seat, out, engine.NO_SCALES)

    def play(self, action: int) -> None:
        self.kernels.step_some(self.states, self._row, np.array([action]), self.mask, self._rewards, engine.OUTCOME)

    def legal(self) -> Array:
        found = np.flatnonzero(self.mask[0])
        if not len(found):
            raise Finding(f"a position without a legal move: seat {self.states['seat'][0]} has to move")
        return found

    def play_on(self, chance: random.Random, most: int, seen: bool = True) -> int:
        """Random moves to the end, at most `most`, each after all observations; the number of moves."""
        for played in range(most):
            if self.over:
                return played
            legal = self.legal()
            if seen:
                self.observe()
            self.play(int(legal[chance.randrange(len(legal))]))
        return most


def begun(game: Game, players: int, options: dict[str, Any], seed: int) -> Table:
    """A new game."""
    states = game.blank(players, options)
    rewards, mask = np.zeros((1, players), np.float32), engine.mask_array(game, players)
    rows, seeds = np.zeros(1, np.int64), np.array([seed], np.uint64)
    engine.kernels(game).begin_rows(states, seeds, rows, mask, rewards, False)
    return Table(game, states)


def positions(game: Game, players: int, options: dict[str, Any], chance: random.Random, count: int) -> list[Any]:
    """Positions of one random game, spread over its length."""
    seed = chance.randrange(2**63)
    length = begun(game, players, options, seed).play_on(random.Random(seed), 2000, seen=False)
    moments = sorted(chance.sample(range(length + 1), min(count, length + 1)))
    table, moves, found, at = begun(game, players, options, seed), random.Random(seed), [], 0
    for moment in moments:
        table.play_on(moves, moment - at, seen=False)
        at = moment
        found.append(record.position_of(game, table.states[0], options))
    return found
