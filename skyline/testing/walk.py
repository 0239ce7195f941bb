"""One random game from its beginning to its end, with the checks of every decision and of the record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from skyline.envs.aec import TurnBasedEnv
from skyline.game import DEFAULT_MEMORY, NO_SEAT, BrokenState, Game
from skyline.record import Recorder
from skyline.testing.positions import PositionChecks
from skyline.testing.probe import Probe
from skyline.testing.promises import ContractBroken, holds, same, same_bytes, unique
from skyline.typing import Memory

THOROUGH = 12  # of the decisions at the beginning of a game, one in 12 gets the checks that take long
RARER = 8  # every 8 moves, those checks become rarer by one decision: each of them plays on to the end of the game


def check_random_game(
    game: Game, players: int, seed: int, options: Mapping[str, Any] | None = None, *, guided: bool = False,
    memory: Memory = DEFAULT_MEMORY,
) -> None:  # fmt: skip
    """Play one game from this seed, checking on the way. `guided`: half of the moves are the heuristic's; `memory`: the
    setting of the states."""
    walk: Walk | None = None
    try:
        walk = Walk(game, players, seed, options, guided, memory)
        walk.to_the_end()
        walk.check_end()
        walk.check_replay()
    except Exception as error:
        what = str(error) if isinstance(error, (AssertionError, BrokenState)) else f"{type(error).__name__}: {error}"
        record = walk.recorder.text() if walk is not None else "(it did not begin)"
        where = f"{game.title}, {players} players, seed {seed}, options {dict(options or {})}, memory {memory}"
        raise ContractBroken(f"{where}: {what}\nThe record so far:\n{record}") from error


class Walk:
    """A random game on a recorder, an AEC environment beside it, and the checks of its positions."""

    def __init__(
        self, game: Game, players: int, seed: int, options: Mapping[str, Any] | None, guided: bool, memory: Memory
    ) -> None:
        self.game, self.players, self.seed, self.guided = game, players, seed, guided
        self.options = game.check_options(options)
        self.recorder = Recorder(game, players, seed, self.options, memory=memory)
        self.states, self.mask = self.recorder.state, self.recorder.mask[0]  # the recorder's own arrays
        self.env = TurnBasedEnv(game, players, memory=memory, **self.options)
        self.env.reset(seed=seed)
        self.rng = np.random.default_rng(seed)
        self.probe = Probe(game, players, seed)
        self.checks = PositionChecks(self.probe, self.recorder, self.env, self.rng)
        self.actions: list[int] = []
        self.chance: list[list[dict[str, Any]]] = []

    def to_the_end(self) -> None:
        """Play until nobody has to decide, checking every decision, and some positions thoroughly."""
        self.game.check(self.states[0])
        self.checks.check_reset(self.states)
        self.checks.remembering.check_told(None, -1, self.states)
        while self.recorder.seat is not None:
            holds(len(self.actions) < self.checks.most, f"the game ends within max_decisions = {self.checks.most}")
            self._check_decision()
            if not self.actions or self.rng.integers(THOROUGH + len(self.actions) // RARER) == 0:
                self.checks.check_position(len(self.actions))
            self._play(self._choose())

    def _choose(self) -> int:
        if self.guided and self.rng.integers(2):
            return self.probe.ask(self.states, len(self.actions))
        return int(self.rng.choice(np.flatnonzero(self.mask)))

    def _play(self, action: int) -> None:
        """The move on a copy, on the recorder and in the environment: one and the same result."""
        text = self.game.move_text(self.states[0], action)
        before, copy = self.states.copy(), self.states.copy()
        self.probe.step(copy, action)
        lines = len(self.recorder.lines)
        self.recorder.play(action)
        self.env.step(action)
        self.actions.append(action)
        self.chance.append([line["shuffle"] for line in self.recorder.lines[lines:] if "shuffle" in line])
        same_bytes(copy, self.states, f"{text!r} on a copy and on the state")
        same_bytes(self.env._states, self.states, f"{text!r} in the environment and on the state")
        for name in ("players", "deal", "memory"):
            same(int(self.states[name][0]), int(before[name][0]), f"`{name}` after a move")
        self.checks.remembering.check_told(before, action, self.states)
        self.game.check(self.states[0])

    def _check_decision(self) -> None:
        s, seat = self.states[0], int(self.states["seat"][0])
        holds(0 <= seat < self.players, f"seat {seat} decides, of {self.players}")
        legal = np.flatnonzero(self.mask)
        holds(legal.size > 0, "a seat that decides has a legal move")
        same_bytes(self.probe.masks(self.states)[0], self.mask, "the mask filled twice")
        texts = [self.game.move_text(s, int(action)) for action in legal]
        unique(texts, "move texts")
        same([self.game.parse_move(s, text) for text in texts], legal.tolist(), "texts parsed back")
        self.checks.check_views()
        action = self.probe.ask(self.states, len(self.actions))
        holds(0 <= action < len(self.mask) and self.mask[action] == 1, f"the heuristic's action {action} is legal")

    def check_end(self) -> None:
        """Places, scores, views and pictures of the last position."""
        same(int(self.states["seat"][0]), NO_SEAT, "the seat after the end")
        holds(not self.probe.masks(self.states).any() and not self.mask.any(), "after the end nothing is legal")
        scores = self.states["scores"][0]
        holds(not scores[self.players :].any(), "seats that are not there have no points")
        places = np.zeros((1, self.players), np.int64)
        self.probe.kernels.places_rows(self.states, places)
        same(self.game.places(self.states[0]), places[0].tolist(), "places in Python and in the kernel")
        ranked = sorted(places[0].tolist())
        same(ranked, [1 + sum(other < place for other in ranked) for place in ranked], "places share and skip")
        self.checks.check_views()
        self.checks.check_loaded()
        self.checks.check_reset(self.states)
        self.checks.check_pictures()
        for seat, agent in enumerate(self.env.possible_agents):
            told = self.env.history(agent)
            same(len(told), 1 + len(self.actions), "entries of a history")
            same(self.recorder.history(seat), told, f"the history for seat {seat} of the recorder and the environment")

    def check_replay(self) -> None:
        """The record holds all chance: with another random stream the same setup and events give the same game."""
        setup = json.loads(json.dumps(self.recorder.lines[0]["setup"]))
        again = Recorder(self.game, self.players, self.seed + 1, self.options, setup=setup, memory=self.checks.memory)
        same(again.lines[0]["setup"], setup, "the setup of a game dealt from a setup")
        for number, (action, chance) in enumerate(zip(self.actions, self.chance, strict=True)):
            holds(again.mask[0, action] == 1, f"move {number} of the record is legal when it is replayed")
            again.play(action, json.loads(json.dumps(chance)))
            self.game.check(again.state[0])
        same(again.lines[1:], self.recorder.lines[1:], "the replayed record")
        same(self.game.position(again.state[0]), self.game.position(self.states[0]), "the replayed last position")
