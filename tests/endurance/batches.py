"""The batches of a soak, the agents that move in them, and the checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.envs.rows import ROWS_A_THREAD
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, Game
from skyline.rng import streams
from skyline.testing import other_value
from skyline.typing import Array

LOOK_EVERY = 15  # steps of a batch between two checks of all rows
CHECKED = 6  # rows whose states `game.check` counts piece by piece at each check
SPOILT = 0.001  # the share of illegal actions, in batches where an illegal action loses the game

WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"autoreset": "next_step", "obs_dtype": "float32", "features": "rich", "auto_forced": True, "reward": "score"},
    {"autoreset": "disabled", "illegal": "lose", "reward": "margin", "features": "rich"},
    {"seat": "rotate", "opponents": "heuristic", "auto_forced": True, "obs_dtype": "float32"},
    {"seat": 0, "opponents": "random", "autoreset": "next_step", "illegal": "lose", "copy": True},
    {"seat": "rotate", "opponents": "any legal", "autoreset": "disabled", "features": "rich"},
)


class Broken(AssertionError):
    """A state breaks a rule that holds for all states."""


@dataclass
class Looked:
    """Counts of the decisions and of the checks."""

    decisions: int = 0
    compared: int = 0  # states whose mask was computed again and whose observation was compared with the table
    checked: int = 0  # states that `game.check` counted piece by piece


def any_legal(observations: Array, masks: Array, seats: Array) -> Array:
    """An opponent that is a function: a legal action that depends on the numbers of the observation."""
    nth = np.abs(observations.astype(np.int64).sum(axis=1)) % masks.sum(axis=1)
    actions: Array = (np.cumsum(masks, axis=1) > nth[:, np.newaxis]).argmax(axis=1)
    return actions


def option_sets(game: Game) -> list[dict[str, Any]]:
    """The default options, and for every option one set with another value of this option."""
    others = [(option.name, other_value(option)) for option in game.options]
    return [{}, *({name: value} for name, value in others if value is not None)]


def all_batches(game: Game, rows: int, threads: int, seed: int) -> list[Batch]:
    """Every player count in every kind of batch; the options take turns, so that each meets each player count."""
    options, found = option_sets(game), []
    for players in game.player_counts:
        for number, way in enumerate(WAYS):
            for given in options[:1] if number % 2 else options:
                found.append(Batch(game, players, way, given, rows, threads, seed + len(found) * 2**32))
    return found


@dataclass
class Batch:
    """One batch with players for the seats that the caller moves: half of the rows heuristic, half random."""

    game: Game
    players: int
    way: dict[str, Any]
    options: dict[str, Any]
    rows: int
    threads: int
    seed: int
    games: VectorGames = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.rows = max(self.rows, ROWS_A_THREAD * self.threads) if "seat" not in self.way else self.rows
        self.games = self._made()
        self.games.reset(seed=self.seed)
        self._policies = np.where(np.arange(self.rows) % 2, engine.HEURISTIC, engine.RANDOM)
        self._streams, self._actions = streams(self.rows, self.seed), np.zeros(self.rows, np.int64)
        self._kernels, self._mask = engine.kernels(self.game), self.games.action_mask.copy()
        self._random = np.random.default_rng(self.seed)
        table = self.game.observation(self.players)
        features = self.way.get("features", "base")
        scale = table.per_value("scale", features) if "obs_dtype" in self.way else 1.0
        self._low, self._high = (table.per_value(end, features) / scale for end in ("low", "high"))

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value}" for name, value in {**self.way, **self.options}.items())
        return f"{self.game.name}, {self.players} players, seed {self.seed}, {settings or 'no settings'}"

    def _made(self) -> VectorGames:
        way = dict(self.way)
        if way.get("opponents") == "any legal":
            way["opponents"] = any_legal
        return VectorGames(self.game, self.rows, self.players, threads=self.threads, **way, **self.options)

    def made_anew(self) -> None:
        """Go on in a new batch, restored from a snapshot of this batch."""
        data = self.games.snapshot()
        self.games = self._made()
        self.games.restore(data)

    def play(self, steps: int) -> Iterator[Looked]:
        """Make steps and count them."""
        for _ in range(steps):
            running = int((self.games.states["seat"] != NO_SEAT).sum())
            observations, rewards, _, _, infos = self.games.step(self._chosen())
            self.steps += 1
            looked = Looked(decisions=running)
            if self.steps % LOOK_EVERY == 1:
                self._look(observations, rewards, infos)
                looked.compared, looked.checked = self.rows, self._check_some()
            if self.way.get("autoreset") == "disabled" and (over := self.games.states["seat"] == NO_SEAT).mean() > 0.5:
                self.games.reset(options={"reset_mask": over})
            yield looked

    def _chosen(self) -> Array:
        """Actions of the seats to decide; in rows whose game is over any number may stand."""
        games = self.games
        running = np.flatnonzero(games.states["seat"] != NO_SEAT)
        states, masks = games.states, games.action_mask
        if len(running) < self.rows:
            states, masks = states[running], masks[running]
        actions, own = np.zeros(len(running), np.int64), self._streams[running]
        self._kernels.choose_rows(states, masks, self._policies[running], own, actions)
        self._streams[running] = own
        self._actions[running] = actions
        if self.way.get("illegal") == "lose":
            self._actions[self._random.random(self.rows) < SPOILT] = -1
        return self._actions

    def _look(self, observations: Array, rewards: Array, infos: dict[str, Any]) -> None:
        """Check masks, observations, rewards and scores of all rows."""
        games = self.games
        self._kernels.fill_masks(games.states, self._mask)
        _true((self._mask == games.action_mask).all(), "masks are not the legal actions")
        running = games.states["seat"] != NO_SEAT
        _true((games.action_mask.any(axis=1) == running).all(), "a running game has no legal action, or an ended one")
        _true(bool(np.isfinite(observations).all()), "an observation is not finite")
        small = 1e-5 if observations.dtype == np.float32 else 0.0
        seen = observations[running]
        _true(bool((seen >= self._low - small).all()), "an observation is below the table's range")
        _true(bool((seen <= self._high + small).all()), "an observation is above the table's range")
        for what, values in (("reward", rewards), ("reward of a seat", games.rewards_all)):
            _true(bool(np.isfinite(values).all()), f"a {what} is not finite")
        if "final_info" in infos:
            _true(bool(np.isfinite(infos["final_info"]["scores"]).all()), "a score is not finite")
            places = infos["final_info"]["places"][infos["_final_info"]]
            _true(bool(((places >= 1) & (places <= self.players)).all()), "a place is none of the seats'")

    def _check_some(self) -> int:
        """`game.check` on a few running games; their number."""
        running = np.flatnonzero(self.games.states["seat"] != NO_SEAT)
        if len(running) == 0:  # all games have the same length and have ended in this step
            return 0
        rows = self._random.choice(running, CHECKED)
        for row in rows:
            self.game.check(self.games.states[row].copy())
        return len(rows)


def _true(holds: Any, otherwise: str) -> None:
    if not holds:
        raise Broken(otherwise)
