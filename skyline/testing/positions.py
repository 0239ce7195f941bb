"""Checks of a position: loading, dealing anew, illegal moves, pictures, and playing on to the end of the game."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np

from skyline.core import engine
from skyline.envs.aec import TurnBasedEnv
from skyline.game import NO_SEAT, RECALL, IllegalMove, LastMove
from skyline.record import Recorder, position_of, state_of
from skyline.rng import streams
from skyline.testing.probe import Probe
from skyline.testing.promises import holds, same, same_bytes
from skyline.testing.remembering import MemoryChecks
from skyline.typing import Array, Memory

ILLEGAL_TRIES = 6


class PositionChecks:
    """Checks of the position in which a recorder and an environment stand."""

    def __init__(self, probe: Probe, recorder: Recorder, env: TurnBasedEnv, rng: np.random.Generator) -> None:
        self.probe, self.recorder, self.env, self.rng = probe, recorder, env, rng
        self.states, self.mask = recorder.state, recorder.mask[0]  # the recorder's own arrays
        self.game, self.players, self.options = probe.game, probe.players, recorder.options
        self.most = self.game.max_decisions(self.players, self.options)
        self.memory: Memory = "recall" if self.states["memory"][0] == RECALL else "table"
        self.remembering = MemoryChecks(probe, self.states, rng)
        self.low, self.high = (probe.table.per_value(bound, "rich") for bound in ("low", "high"))

    def check_views(self) -> None:
        """Every value that a seat sees is in its range; the base observation begins the rich one."""
        rich, base = self.probe.views(self.states)[0], self.probe.views(self.states, "base")[0]
        wrong = np.argwhere((rich < self.low) | (rich > self.high))
        if wrong.size:
            seat, value = wrong[0]
            bounds = f"{self.low[value]:.0f} .. {self.high[value]:.0f}"
            raise AssertionError(f"seat {seat} sees {self.probe.slice_at(value)} = {rich[seat, value]}, not {bounds}")
        same_bytes(rich[:, : base.shape[1]].copy(), base, "the base observation and the beginning of the rich one")
        self.remembering.check_views(self.states, rich)

    def check_position(self, moves: int) -> None:
        """All checks that are made of some positions only; `moves` have led here."""
        before = self.states.copy()
        self._check_illegal()
        self.check_loaded()
        for seat in range(self.players):
            self._check_determinized(seat, moves)
        self.remembering.check_table(self.states)
        self.check_reset(self.states)
        self.check_pictures()
        same_bytes(before, self.states, "the state before and after the checks")

    def _check_illegal(self) -> None:
        """A few illegal actions raise IllegalMove in the environment and change nothing."""
        masked = np.flatnonzero(self.mask == 0)
        some = self.rng.choice(masked, min(ILLEGAL_TRIES, masked.size), replace=False).tolist() if masked.size else []
        for action in (*some, -1, len(self.mask), 2**40):
            try:
                self.env.step(action)
            except IllegalMove:
                same_bytes(self.env._states, self.states, f"the state before and after the illegal action {action}")
            else:
                raise AssertionError(f"the illegal action {action} was played")
        try:
            self.game.parse_move(self.states[0], "no such move")
        except ValueError:
            return
        raise AssertionError("parse_move reads 'no such move' as a move")

    def check_loaded(self) -> None:
        """State -> bytes -> state, and state -> position as JSON text -> state; the futures are the same."""
        bytes_back = np.frombuffer(self.states.tobytes(), self.game.state).copy()
        same_bytes(bytes_back, self.states, "the state from its bytes")
        data = position_of(self.game, self.states[0], self.options)
        text = json.dumps(data)
        same(json.loads(text), data, "position() is JSON")
        loaded = state_of(self.game, json.loads(text), memory=self.memory)
        same(position_of(self.game, loaded[0], self.options), data, "the position of the loaded position")
        self.game.check(loaded[0])
        if loaded.tobytes() != self.states.tobytes():  # parts that no longer matter may differ: what follows may not
            self._check_same_future(np.concatenate([self.states, loaded]))

    def _check_same_future(self, pair: Array) -> None:
        """Two rows: the same masks, views and scores for the same random moves to the end."""
        for _ in range(self.most + 1):
            masks, views = self.probe.masks(pair), self.probe.views(pair)
            for what, values in (("seat", pair["seat"]), ("mask", masks), ("views", views), ("scores", pair["scores"])):
                holds((values[0] == values[1]).all(), f"the {what} after a loaded position as after the state itself")
            if not masks.any():
                return
            self.probe.step(pair, int(self.rng.choice(np.flatnonzero(masks[0]))))
        raise AssertionError(f"a loaded position does not end within max_decisions = {self.most}")

    def _check_determinized(self, seat: int, moves: int) -> None:
        """Copies with everything hidden from the seat dealt anew: it sees the same, they can be played on."""
        copies, deals = np.repeat(self.states, 2), streams(2, self.probe.seed + moves)
        again, same_deals = copies.copy(), deals.copy()
        self.probe.kernels.determinize_rows(copies, np.full(2, seat), deals)
        self.probe.kernels.determinize_rows(again, np.full(2, seat), same_deals)
        same_bytes(copies, again, "two determinizations from the same stream")
        crossed, same_deals = copies[::-1].copy(), streams(2, self.probe.seed + moves)
        self.probe.kernels.determinize_rows(crossed, np.full(2, seat), same_deals)
        same_bytes(copies, crossed, f"two determinizations, same stream, of states that look the same to seat {seat}")
        words = {*copies["rng"].tolist(), int(self.states["rng"][0])}
        same(len(words), 3, "random words of the state and two determinized copies, all different")
        for name in ("players", "seat", "scores", "memory"):
            holds((copies[name] == self.states[name]).all(), f"determinize() keeps {name}")
        holds(
            (self.probe.views(copies)[:, seat] == self.probe.views(self.states)[0, seat]).all(),
            f"what seat {seat} sees does not change when what it cannot see is dealt anew",
        )
        for copy in copies:
            self.game.check(copy)
            for what, draw in (("text", self.game.text), ("svg", self.game.svg)):
                shown = draw(copy, seat, None) == draw(self.states[0], seat, None)
                holds(shown, f"the {what} for seat {seat} does not show what is hidden from it")
        if seat == self.states["seat"][0]:
            holds((self.probe.masks(copies) == self.mask).all(), "the decider's mask does not change by determinize()")
            self.probe.ask(np.concatenate([self.states, copies]), moves)
        self.remembering.check_knowledge(self.states, copies, seat)
        self.remembering.check_unseen(self.states, copies[:1], seat)
        self._check_playable(copies)

    def _check_playable(self, states: Array) -> None:
        """Random moves lead to the end; every decision on the way has a legal one."""
        for _ in range(self.most + 1):
            masks, running = self.probe.masks(states), states["seat"] != NO_SEAT
            same(masks.any(axis=1).tolist(), running.tolist(), "whether determinized copies have a legal move")
            if not running.any():
                break
            rows = np.flatnonzero(running)
            actions = np.array([self.rng.choice(np.flatnonzero(masks[row])) for row in rows])
            rewards = np.zeros((len(states), self.players), np.float32)
            self.probe.kernels.step_some(states, rows, actions, masks, rewards, engine.SCORE)
        else:
            raise AssertionError("a determinized copy does not end within max_decisions")
        for state in states:
            self.game.check(state)

    def check_reset(self, used: Array) -> None:
        """A new game in a row that was played in has the bytes of one in a fresh row."""
        dirty, fresh = used.copy(), self.game.blank(self.players, self.options, memory=self.memory)
        for states in (dirty, fresh):
            words, rewards = np.array([self.probe.seed], np.uint64), np.zeros((1, self.players), np.float32)
            mask = engine.mask_array(self.game, self.players)
            self.probe.kernels.begin_rows(states, words, np.zeros(1, np.int64), mask, rewards, False)
        same_bytes(dirty, fresh, "a new game in a used row and in a fresh one")

    def _told(self, viewer: int | None) -> LastMove | None:
        """The last move as told to a viewer: a text that is not empty."""
        told = self.recorder.last_move(viewer)
        if told is None:
            return None
        holds(isinstance(told.story, str) and told.story.strip() != "", "story() tells the move")
        return told

    def check_pictures(self) -> None:
        """The texts and pictures for every viewer are what they are called."""
        for seat in (None, *range(self.players)):
            text, svg = (draw(self.states[0], seat, self._told(seat)) for draw in (self.game.text, self.game.svg))
            holds(isinstance(text, str) and text.strip() != "", "text() gives a text")
            holds(isinstance(svg, str) and "svg" in ElementTree.fromstring(svg).tag, "svg() gives a picture")
