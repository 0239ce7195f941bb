"""Contract checks for people who add a game: random games in which every promise of `skyline.game` is looked at.

    from skyline.testing import check_game
    check_game("my_game")                                             # every player count, default options
    check_game("my_game", players=3, options={"board": 6}, games=20, seed=7)

No test framework is needed: a broken promise raises `ContractBroken`, whose message has what is wrong, the seed and
the record so far. Half of the games mix the heuristic's moves with random ones, to get further than chance does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.core.overloads import observe
from skyline.envs.aec import TurnBasedEnv
from skyline.game import MOST_SEATS, NO_SEAT, BrokenState, Game, IllegalMove, LastMove, Option
from skyline.record import Recorder, position_of, state_of
from skyline.rng import streams
from skyline.typing import Array

GUARD = 64  # values behind an array that nobody may write
FILLS = (-21846, 21845)  # what arrays hold before they are written: a value that stays from before shows
THOROUGH = 12  # one decision in so many gets the dear checks at the beginning of a game
RARER = 8  # and that number grows by one in so many moves: such a check plays on to the end of the game
ILLEGAL_TRIES = 6


class ContractBroken(AssertionError):  # noqa: N818 - it says what the game did
    """A game breaks a promise of `skyline.game`; the message ends with its record so far."""


def check_game(
    game: str | Game,
    players: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    games: int = 4,
    seed: int = 0,
) -> None:
    """Check a game's tables and `games` random games for one player count, or for all (None)."""
    loaded = registry.load(game)
    check_declaration(loaded)
    for count in loaded.player_counts if players is None else (loaded.check_players(players),):
        check_tables(loaded, count)
        for i in range(games):
            check_random_game(loaded, count, seed + i, options, guided=i % 2 == 1)


def check_declaration(game: Game) -> None:
    """Names, player counts and options are what the library can work with."""
    _same(game.name, game.name.lower(), "the name is in lower case")
    _true(game.name.isidentifier(), f"the name {game.name!r} is an identifier")
    _same(list(game.player_counts), sorted(set(game.player_counts)), "player counts rise")
    _true(2 <= min(game.player_counts) <= max(game.player_counts) <= MOST_SEATS, f"2 .. {MOST_SEATS} players")
    found = registry.found().get(game.name)
    if found is not None:
        _same(found.version, game.version, f"the version of GAME is that of the module {found.module}")
    values = game.check_options({})
    _same(game.check_options(values), values, "checked options pass the check again")
    _same(json.loads(json.dumps(values)), values, "option values are JSON")
    for option in game.options:
        _true(option.meaning != "", f"option {option.name} says what it means")


def check_tables(game: Game, players: int) -> None:
    """Action and observation tables of a player count are well made."""
    actions, table = game.actions(players), game.observation(players)
    _unique([block.name for block in actions.blocks], "action blocks")
    _true(all(block.count > 0 and block.meaning for block in actions.blocks), "action blocks have a size and a meaning")
    parts = table.slices("rich")
    _unique([part.name for part in parts], "observation slices")
    for part in parts:
        _true(part.low <= part.high and part.scale > 0 and part.meaning != "", f"slice {part.name} is well made")
        bounds = np.iinfo(np.int16)
        _true(bounds.min <= part.low and part.high <= bounds.max, f"slice {part.name} fits int16")
    _true(table.size("rich") >= table.size() > 0, "the rich table begins with the base table")
    lengths = {part.name: part.length for part in table.base}
    for name in table.worth:
        _true(lengths.get(name, 1) % players == 0, f"worth {name!r} is a base slice with as many values for every seat")
    _true(table.worth_scale > 0, "worth_scale is positive")


def check_random_game(
    game: Game, players: int, seed: int, options: Mapping[str, Any] | None = None, *, guided: bool = False
) -> None:
    """Play one game from this seed, checking on the way. `guided`: half of the moves are the heuristic's."""
    walk: _Walk | None = None
    try:
        walk = _Walk(game, players, seed, options, guided)
        walk.to_the_end()
        walk.check_end()
        walk.check_replay()
    except Exception as error:
        what = str(error) if isinstance(error, (AssertionError, BrokenState)) else f"{type(error).__name__}: {error}"
        record = walk.recorder.text() if walk is not None else "(it did not begin)"
        where = f"{game.title}, {players} players, seed {seed}, options {dict(options or {})}"
        raise ContractBroken(f"{where}: {what}\nThe record so far:\n{record}") from error


def other_value(option: Option) -> Any:
    """Another value than the default that the option allows: from numbers near it or the texts its error names.

    None if none is found; then give `check_game` one yourself.
    """
    default, tries = option.default, list[Any]()
    if isinstance(default, bool):
        tries = [not default]
    elif isinstance(default, int):
        tries = [default // 10, default - 1, default + 1, 2 * default]
    try:
        option.check(object())
    except ValueError as reason:
        tries += re.findall(r"'([^']*)'", str(reason))
    for value in tries:
        try:
            checked = option.check(value)
        except ValueError:
            continue
        if checked != option.check(default):
            return checked
    return None


# ---------------------------------------------------------------- a kernel of our own


def see_rows(S, seats, out, written):  # type: ignore[no-untyped-def] # jitted
    """What seats[i] sees in row i and how many values that were; last row first, so that a row that writes beyond
    its end spoils one that is there already."""
    for i in range(S.shape[0] - 1, -1, -1):
        written[i] = observe(S[i], seats[i], out[i])  # type: ignore[no-untyped-call] # jitted


@lru_cache(None)
def _own_kernels(game: Game) -> engine.Kernels:
    return engine.Kernels(game, {"see_rows": see_rows}, "-testing")


# ---------------------------------------------------------------- a random game


class _Walk:
    """A random game on a recorder, an AEC environment beside it, and the checks of its positions."""

    def __init__(
        self, game: Game, players: int, seed: int, options: Mapping[str, Any] | None, guided: bool = False
    ) -> None:
        self.game, self.players, self.seed, self.guided = game, players, seed, guided
        self.options = game.check_options(options)
        self.kernels = engine.kernels(game)
        self.recorder = Recorder(game, players, seed, self.options)
        self.env = TurnBasedEnv(game, players, **self.options)
        self.env.reset(seed=seed)
        self.rng = np.random.default_rng(seed)
        self.table, self.most = game.observation(players), game.max_decisions(players, self.options)
        self.sizes = {features: self.table.size(features) for features in ("base", "rich")}
        self.low, self.high = (self.table.per_value(bound, "rich") for bound in ("low", "high"))
        self.actions: list[int] = []
        self.chance: list[list[dict[str, Any]]] = []
        self.last: tuple[Any, int] | None = None  # the rows before the last move, and its action
        self.last_text: str | None = None

    @property
    def states(self) -> Array:
        return self.recorder.state

    @property
    def mask(self) -> Array:
        mask: Array = self.recorder.mask[0]
        return mask

    # ------------------------------------------------------------ from move to move

    def to_the_end(self) -> None:
        self.game.check(self.states[0])
        self._check_reset(self.states)
        while self.recorder.seat is not None:
            _true(len(self.actions) < self.most, f"the game ends within max_decisions = {self.most}")
            self._check_decision()
            if not self.actions or self.rng.integers(THOROUGH + len(self.actions) // RARER) == 0:
                self._check_position()
            self._play(self._choose())

    def _choose(self) -> int:
        if self.guided and self.rng.integers(2):
            return self.ask(self.states)
        return int(self.rng.choice(np.flatnonzero(self.mask)))

    def _play(self, action: int) -> None:
        """The move on a copy, on the recorder and in the environment: one and the same result."""
        self.last_text = self.game.move_text(self.states[0], action)
        before, copy = self.states.copy(), self.states.copy()
        self.last = (before, action)
        self.step(copy, action)
        lines = len(self.recorder.lines)
        self.recorder.play(action)
        self.env.step(action)
        self.actions.append(action)
        self.chance.append([line["shuffle"] for line in self.recorder.lines[lines:] if "shuffle" in line])
        _same_bytes(copy, self.states, f"{self.last_text!r} on a copy and on the state")
        _same_bytes(self.env._states, self.states, f"{self.last_text!r} in the environment and on the state")
        _same(int(self.states["players"][0]), self.players, "a move does not change `players`")
        _same(int(self.states["deal"][0]), int(before["deal"][0]), "a move does not change `deal`")
        self.game.check(self.states[0])

    def step(self, states: Array, action: int) -> Array:
        """The action in every row; the masks then."""
        n = len(states)
        masks, rewards = self.masks(states), np.zeros((n, self.players), np.float32)
        self.kernels.step_some(states, np.arange(n), np.full(n, action), masks, rewards, engine.SCORE)
        return masks

    def masks(self, states: Array) -> Array:
        """The mask of every row, (n, A); nothing behind it is written."""
        n, size = len(states), self.game.actions(self.players).size
        memory = np.full(n * size + GUARD, 85, np.int8)
        masks = memory[: n * size].reshape(n, size)
        self.kernels.fill_masks(states, masks)
        _true((memory[n * size :] == 85).all(), "legal() writes nothing behind the mask")
        _true(((masks == 0) | (masks == 1)).all(), "a mask holds zeros and ones")
        return masks

    def views(self, states: Array, features: str = "rich") -> Array:
        """What every seat sees in every row, (n, P, N): every value is written, and nothing behind the last."""
        n, size = len(states) * self.players, self.sizes[features]
        rows, seats = np.repeat(states, self.players), np.tile(np.arange(self.players), len(states))
        seen, written = list[Array](), np.zeros(n, np.int64)
        for fill in FILLS:
            memory = np.full(n * size + GUARD, fill, np.int16)
            _own_kernels(self.game).see_rows(rows, seats, memory[: n * size].reshape(n, size), written)
            _true((memory[n * size :] == fill).all(), "observe() writes nothing behind the observation")
            seen.append(memory[: n * size].reshape(n, size))
        _same_bytes(rows, np.repeat(states, self.players), "the state before and after observe()")
        _same(set(written.tolist()), {size}, f"what observe() returns is the size of the {features} table")
        if (different := np.flatnonzero((seen[0] != seen[1]).any(axis=0))).size:
            raise AssertionError(f"observe() does not write {self._slice_at(different[0])}")
        return seen[0].reshape(len(states), self.players, size)

    def _slice_at(self, value: Any) -> str:
        offsets = self.table.offsets("rich").items()
        return next(f"{name}[{value - part.start}]" for name, part in offsets if part.start <= value < part.stop)

    def ask(self, states: Array) -> int:
        """The heuristic's action, the same in every row if all have the same stream."""
        n, before = len(states), states.copy()
        actions, luck = np.zeros(n, np.int64), np.repeat(streams(1, self.seed + len(self.actions)), n)
        self.kernels.choose_rows(states, self.masks(states), np.full(n, engine.HEURISTIC), luck, actions)
        _same_bytes(before, states, "the state before and after heuristic()")
        _same(len(set(actions.tolist())), 1, "different choices of the heuristic for the same view")
        return int(actions[0])

    # ------------------------------------------------------------ checks of every decision

    def _check_decision(self) -> None:
        s, seat = self.states[0], int(self.states["seat"][0])
        _true(0 <= seat < self.players, f"seat {seat} decides, of {self.players}")
        legal = np.flatnonzero(self.mask)
        _true(legal.size > 0, "a seat that decides has a legal move")
        _same_bytes(self.masks(self.states)[0], self.mask, "the mask filled twice")
        texts = [self.game.move_text(s, int(action)) for action in legal]
        _unique(texts, "move texts")
        _same([self.game.parse_move(s, text) for text in texts], legal.tolist(), "texts parsed back")
        self._check_views()
        action = self.ask(self.states)
        _true(0 <= action < len(self.mask) and self.mask[action] == 1, f"the heuristic's action {action} is legal")

    def _check_views(self) -> None:
        rich, base = self.views(self.states)[0], self.views(self.states, "base")[0]
        wrong = np.argwhere((rich < self.low) | (rich > self.high))
        if wrong.size:
            seat, value = wrong[0]
            bounds = f"{self.low[value]:.0f} .. {self.high[value]:.0f}"
            raise AssertionError(f"seat {seat} sees {self._slice_at(value)} = {rich[seat, value]}, not {bounds}")
        _same_bytes(rich[:, : base.shape[1]].copy(), base, "the base observation and the beginning of the rich one")

    # ------------------------------------------------------------ checks of some positions

    def _check_position(self) -> None:
        before = self.states.copy()
        self._check_illegal()
        self._check_loaded()
        for seat in range(self.players):
            self._check_determinized(seat)
        self._check_reset(self.states)
        self._check_pictures()
        _same_bytes(before, self.states, "the state before and after the checks")

    def _check_illegal(self) -> None:
        """A few illegal actions raise IllegalMove in the environment and change nothing."""
        masked = np.flatnonzero(self.mask == 0)
        some = self.rng.choice(masked, min(ILLEGAL_TRIES, masked.size), replace=False).tolist() if masked.size else []
        for action in (*some, -1, len(self.mask), 2**40):
            try:
                self.env.step(action)
            except IllegalMove:
                _same_bytes(self.env._states, self.states, f"the state before and after the illegal action {action}")
            else:
                raise AssertionError(f"the illegal action {action} was played")
        try:
            self.game.parse_move(self.states[0], "no such move")
        except ValueError:
            return
        raise AssertionError("parse_move reads 'no such move' as a move")

    def _check_loaded(self) -> None:
        """State -> bytes -> state, and state -> position as JSON text -> state; the futures are the same."""
        bytes_back = np.frombuffer(self.states.tobytes(), self.game.state).copy()
        _same_bytes(bytes_back, self.states, "the state from its bytes")
        data = position_of(self.game, self.states[0], self.options)
        text = json.dumps(data)
        _same(json.loads(text), data, "position() is JSON")
        loaded = state_of(self.game, json.loads(text))
        _same(position_of(self.game, loaded[0], self.options), data, "the position of the loaded position")
        self.game.check(loaded[0])
        if loaded.tobytes() != self.states.tobytes():  # parts that no longer matter may differ: what follows may not
            self._check_same_future(np.concatenate([self.states, loaded]))

    def _check_same_future(self, pair: Array) -> None:
        """Two rows: the same masks, views and scores for the same random moves to the end."""
        for _ in range(self.most + 1):
            masks, views = self.masks(pair), self.views(pair)
            for what, values in (("seat", pair["seat"]), ("mask", masks), ("views", views), ("scores", pair["scores"])):
                _true((values[0] == values[1]).all(), f"the {what} after a loaded position as after the state itself")
            if not masks.any():
                return
            self.step(pair, int(self.rng.choice(np.flatnonzero(masks[0]))))
        raise AssertionError(f"a loaded position does not end within max_decisions = {self.most}")

    def _check_determinized(self, seat: int) -> None:
        """Copies with everything hidden from the seat dealt anew: it sees the same, they can be played on."""
        copies, deals = np.repeat(self.states, 2), streams(2, self.seed + len(self.actions))
        again, same_deals = copies.copy(), deals.copy()
        self.kernels.determinize_rows(copies, np.full(2, seat), deals)
        self.kernels.determinize_rows(again, np.full(2, seat), same_deals)
        _same_bytes(copies, again, "two determinizations from the same stream")
        crossed, same_deals = copies[::-1].copy(), streams(2, self.seed + len(self.actions))
        self.kernels.determinize_rows(crossed, np.full(2, seat), same_deals)
        _same_bytes(copies, crossed, f"two determinizations, same stream, of states that look the same to seat {seat}")
        words = {*copies["rng"].tolist(), int(self.states["rng"][0])}
        _same(len(words), 3, "random words of the state and two determinized copies, all different")
        for name in ("players", "seat", "scores"):
            _true((copies[name] == self.states[name]).all(), f"determinize() keeps {name}")
        _true(
            (self.views(copies)[:, seat] == self.views(self.states)[0, seat]).all(),
            f"what seat {seat} sees does not change when what it cannot see is dealt anew",
        )
        for copy in copies:
            self.game.check(copy)
            for what, draw in (("text", self.game.text), ("svg", self.game.svg)):
                shown = draw(copy, seat, None) == draw(self.states[0], seat, None)
                _true(shown, f"the {what} for seat {seat} does not show what is hidden from it")
        if seat == self.states["seat"][0]:
            _true((self.masks(copies) == self.mask).all(), "the decider's mask does not change by determinize()")
            self.ask(np.concatenate([self.states, copies]))
        self._check_playable(copies)

    def _check_playable(self, states: Array) -> None:
        """Random moves lead to the end; every decision on the way has a legal one."""
        for _ in range(self.most + 1):
            masks, running = self.masks(states), states["seat"] != NO_SEAT
            _same(masks.any(axis=1).tolist(), running.tolist(), "whether determinized copies have a legal move")
            if not running.any():
                break
            rows = np.flatnonzero(running)
            actions = np.array([self.rng.choice(np.flatnonzero(masks[row])) for row in rows])
            rewards = np.zeros((len(states), self.players), np.float32)
            self.kernels.step_some(states, rows, actions, masks, rewards, engine.SCORE)
        else:
            raise AssertionError("a determinized copy does not end within max_decisions")
        for state in states:
            self.game.check(state)

    def _check_reset(self, used: Array) -> None:
        """A new game in a row that was played in has the bytes of one in a fresh row."""
        dirty, fresh = used.copy(), self.game.blank(self.players, self.options)
        for states in (dirty, fresh):
            words, rewards = np.array([self.seed], np.uint64), np.zeros((1, self.players), np.float32)
            mask = engine.mask_array(self.game, self.players)
            self.kernels.begin_rows(states, words, np.zeros(1, np.int64), mask, rewards, False)
        _same_bytes(dirty, fresh, "a new game in a used row and in a fresh one")

    def _told(self, viewer: int | None) -> LastMove | None:
        """The last move as told to a viewer: a text that is not empty."""
        if self.last is None:
            return None
        before, action = self.last
        told = self.game.last_move(before[0], action, self.states[0], viewer)
        _true(isinstance(told.story, str) and told.story.strip() != "", "story() tells the move")
        return told

    def _check_pictures(self) -> None:
        for seat in (None, *range(self.players)):
            text, svg = (draw(self.states[0], seat, self._told(seat)) for draw in (self.game.text, self.game.svg))
            _true(isinstance(text, str) and text.strip() != "", "text() gives a text")
            _true(isinstance(svg, str) and "svg" in ElementTree.fromstring(svg).tag, "svg() gives a picture")

    # ------------------------------------------------------------ the end

    def check_end(self) -> None:
        _same(int(self.states["seat"][0]), NO_SEAT, "the seat after the end")
        _true(not self.masks(self.states).any() and not self.mask.any(), "after the end nothing is legal")
        scores = self.states["scores"][0]
        _true(not scores[self.players :].any(), "seats that are not there have no points")
        places = np.zeros((1, self.players), np.int64)
        self.kernels.places_rows(self.states, places)
        _same(self.game.places(self.states[0]), places[0].tolist(), "places in Python and in the kernel")
        ranked = sorted(places[0].tolist())
        _same(ranked, [1 + sum(other < place for other in ranked) for place in ranked], "places share and skip")
        self._check_views()
        self._check_loaded()
        self._check_reset(self.states)
        self._check_pictures()

    def check_replay(self) -> None:
        """The record holds all chance: with another random stream the same setup and events give the same game."""
        setup = json.loads(json.dumps(self.recorder.lines[0]["setup"]))
        again = Recorder(self.game, self.players, self.seed + 1, self.options, setup=setup)
        _same(again.lines[0]["setup"], setup, "the setup of a game dealt from a setup")
        for number, (action, chance) in enumerate(zip(self.actions, self.chance, strict=True)):
            _true(again.mask[0, action] == 1, f"move {number} of the record is legal when it is replayed")
            again.play(action, json.loads(json.dumps(chance)))
            self.game.check(again.state[0])
        _same(again.lines[1:], self.recorder.lines[1:], "the replayed record")
        _same(self.game.position(again.state[0]), self.game.position(self.states[0]), "the replayed last position")


# ---------------------------------------------------------------- asserting, also under python -O


def _true(condition: Any, promise: str) -> None:
    if not condition:
        raise AssertionError(f"this does not hold: {promise}")


def _same(got: Any, wanted: Any, what: str) -> None:
    if got != wanted:
        raise AssertionError(f"{what}: {got!r} instead of {wanted!r}")


def _unique(names: list[str], what: str) -> None:
    _same([name for name in names if names.count(name) > 1], [], f"{what} that are given twice")


def _same_bytes(one: Array, other: Array, what: str) -> None:
    if one.tobytes() != other.tobytes():
        fields = one.dtype.names or ()
        which = [name for name in fields if one[name].tobytes() != other[name].tobytes()]
        raise AssertionError(f"{what} differ{f' in {chr(44).join(which)}' if which else ''}")
