"""The games of a batch as arrays, a row for each game, and what the kernels do to some of the rows.

Whose move is chosen by whom is decided elsewhere: `EverySeat` (the caller moves every seat) and `OneSeat` (one learning
seat in each row, the others are opponents) work on the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from skyline.core import engine
from skyline.core.packing import list_legal, pack_masks
from skyline.envs.results import results_of
from skyline.game import NO_SEAT, Game, illegal_move
from skyline.packed import mask_words
from skyline.rng import STREAM, streams
from skyline.typing import Array, Memory

ROWS_A_THREAD = (
    1000  # a range of fewer rows is sooner stepped than handed to another thread (docs/bench.md, batch size)
)

CHANGING = (  # the arrays that a step or a reset writes
    "states", "action_mask", "rewards_all", "learner", "ended", "truncated", "stopped", "carried", "steps",
    "episodes", "final_episodes", "final_seats", "policies", "streams", "moved", "final_moved",
)  # fmt: skip
DERIVED = ("kernels", "arrays", "mask_bits")  # attributes of Rows that follow from the others
FIRST_ROOM = 64  # moves of a game that can be written down at first
HANDED_OUT = ("finals", "observations")  # arrays that a step writes, too: a few rows, and what follows from the others
WRITTEN_DOWN = ("moves", "final_moves")  # and these: what is written behind `moved` does not count


class Rows:
    """n games of one kind and player count.

    A row is over when nobody has to decide there: the game has ended, or it was truncated and "stopped" there. The
    state of a truncated game is kept whole in `finals`; where no game follows at once, `states` has NO_SEAT to decide.
    """

    def __init__(
        self, game: Game, players: int, options: Mapping[str, Any], n: int, *, features: str, obs_dtype: str,
        reward: str, auto_forced: bool, autoreset: int, threads: int, max_cycles: int | None, memory: Memory,
        history: bool, mask_dtype: str,
    ) -> None:  # fmt: skip
        self.game, self.players, self.threads, self.max_cycles = game, players, threads, max_cycles
        self.kind, self.forced, self.autoreset = engine.REWARDS[reward], auto_forced, autoreset
        self.scales = engine.scales(game, players, features, obs_dtype)
        self.all = np.arange(n)  # the numbers of all rows
        self.states = game.blank(players, options, n, memory)
        self.finals = np.zeros(n, game.state)  # the last state of the game that ended last in each row
        self.observations: Array = engine.observation_array(game, players, n, features, obs_dtype)
        self.action_mask = engine.mask_array(game, players, n)
        self.packs_masks = mask_dtype == "bits"
        words = mask_words(game.actions(players).size) if self.packs_masks else 0
        self.mask_words = np.zeros((n, words), np.uint64)  # the masks as bits, where they are handed out so
        self.legal_ids = np.zeros(0, np.int32)  # what `list_legal` has written last, and room behind it
        self.legal_offsets = np.zeros(n + 1, np.int32)
        self.rewards_all = np.zeros((n, players), np.float32)  # what every seat got in the last step
        self.carried = np.zeros((n, players), np.float32)  # rewards from before the learning seat's first decision
        self.ended = np.zeros(n, np.int8)  # ENDED where a game ended in the last step
        self.truncated = np.zeros(n, bool)  # where a game was truncated in the last step
        self.stopped = np.zeros(n, bool)  # where the game was truncated and no other one has begun
        self.steps = np.zeros(n, np.int64)  # of the running game; counted if there are `max_cycles`
        self.episodes = np.zeros(n, np.int64)  # number of the running game in its row, 0 for that of reset(seed=..)
        self.final_episodes = np.zeros(n, np.int64)  # the same of the last game that ended
        self.final_seats = np.zeros(n, np.int64)  # whose view the last observation of that game is
        self.learner = np.full(n, NO_SEAT, np.int64)  # the learning seats
        self.policies = np.full((n, players), engine.CALLER)  # who plays each seat in the kernel
        self.streams = streams(n, 0)  # the luck of those players
        room = FIRST_ROOM if history else 0
        self.moves, self.final_moves = (np.zeros((n, room), np.int32) for _ in range(2))  # see `engine.BatchArrays`
        self.moved, self.final_moved = (np.zeros(n, np.int64) for _ in range(2))
        self.gains = np.zeros(n, np.float32)  # what the learning seats got in the last step
        self.begun, self.waits = np.zeros(n, np.int8), np.zeros(n, np.int8)  # between two calls of the kernel
        self.waiting = np.zeros(1, np.int64)
        self.closed = np.zeros(0, bool)  # this and the next: for `put_back_closed`; empty if no step is ever taken back
        self.kept_finals = np.zeros(0, game.state)
        self.kept_moves, self.kept_final_moves = (np.zeros((0, room), np.int32) for _ in range(2))
        self._attach()

    def _attach(self) -> None:
        """What is derived and no part of a copy; a pickled array comes with a dtype of its own."""
        self.kernels = engine.kernels(self.game)
        self.states, self.finals = self.states.view(self.game.state), self.finals.view(self.game.state)
        self.kept_finals = self.kept_finals.view(self.game.state)
        self.streams = self.streams.view(STREAM)
        self.mask_bits = self.mask_words.view(np.uint8)
        self.arrays = engine.BatchArrays(*(getattr(self, name) for name in engine.BatchArrays._fields))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._attach()

    def copy(self) -> Rows:
        """The same games in arrays of their own."""
        other = object.__new__(type(self))
        arrays = {name: value.copy() for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        other.__setstate__({**self.__getstate__(), **arrays})
        return other

    def __len__(self) -> int:
        return len(self.all)

    def seats(self) -> Array:
        """Who decides in every row, int64; NO_SEAT where the game is over."""
        seats: Array = self.states["seat"].astype(np.int64)
        return seats

    # ------------------------------------------------------------ kernels on some rows

    def in_ranges(self, run: Callable[[slice], Any], n: int) -> None:
        """run(range) for ranges of n rows, side by side on the threads of the batch."""
        engine.in_chunks(run, n, self.threads, ROWS_A_THREAD)

    def begin(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds; `is_first`: they do not follow from the games before."""
        self.kernels.begin_rows(self.states, words, rows, self.action_mask, self.rewards_all, self.forced)
        self.moved[rows] = 0
        self.count_from_here(words, rows, is_first)

    def begin_all(self, words: Array) -> None:
        """Begin the first game of every row and write what the seats to decide see."""
        self.states["deal"] = words
        self._step_rows(np.zeros(len(self), np.int64), engine.OUTCOME, engine.BEGIN)
        self.moved[:] = 0
        self.count_from_here(words, self.all, is_first=True)

    def count_from_here(self, words: Array, rows: Array, is_first: bool) -> None:
        """Numbers of games and steps, and the luck of the opponents, for games that begin."""
        if is_first:  # the luck of a row's opponents follows from the row's own seed, whatever the batch
            self.streams[rows] = np.concatenate([streams(1, int(word)) for word in words])
        self.episodes[rows] = 0 if is_first else self.episodes[rows] + 1
        self.ended[rows] = engine.RUNNING
        self.steps[rows], self.stopped[rows] = 0, False

    def step_all(self, actions: Array) -> None:
        """One step of every row, every seat moved by the caller; the next games begin as the autoreset mode says."""
        self._step_rows(actions, self.kind, self.autoreset)

    def _step_rows(self, actions: Array, kind: int, autoreset: int) -> None:
        def run(part: slice) -> None:
            self.kernels.step_rows(
                self.states[part], self.finals[part], actions[part], self.action_mask[part], self.observations[part],
                self.rewards_all[part], self.ended[part], self.episodes[part], self.final_episodes[part], self.scales,
                kind, self.forced, autoreset,
            )  # fmt: skip

        self.in_ranges(run, len(self))

    def observe(self, rows: Array, seats: Array) -> None:
        """What seats[r] sees in some rows r."""

        def run(part: slice) -> None:
            self.kernels.observe_some(self.states, rows[part], seats, self.observations, self.scales)

        self.in_ranges(run, len(rows))

    def observe_stopped(self, seats: Array) -> None:
        """Truncated games without a next one: their last observation, of the state in which somebody had to decide."""
        if self.max_cycles is not None and self.stopped.any():
            rows = np.flatnonzero(self.stopped)
            self.kernels.observe_some(self.finals, rows, seats, self.observations, self.scales)

    # ------------------------------------------------------------ legal actions in few bytes

    def pack_masks(self) -> None:
        """Write the masks as bits, where they are handed out so."""
        if self.packs_masks:
            self.in_ranges(lambda part: pack_masks(self.action_mask[part], self.mask_words[part]), len(self))

    def masks_of(self, rows: Array) -> Array:
        """The masks of some rows as they are handed out, in an array of their own."""
        masks: Array = self.action_mask[rows]
        if not self.packs_masks:
            return masks
        words = np.zeros((len(rows), self.mask_words.shape[1]), np.uint64)
        pack_masks(masks, words)
        return words.view(np.uint8)

    def list_legal(self) -> int:
        """Write the legal actions of all rows into `legal_ids` and `legal_offsets`; returns how many there are."""
        total = int(list_legal(self.action_mask, self.legal_ids, self.legal_offsets))
        if total > len(self.legal_ids):
            self.legal_ids = np.zeros(min(2 * total, self.action_mask.size), np.int32)
            list_legal(self.action_mask, self.legal_ids, self.legal_offsets)
        return total

    # ------------------------------------------------------------ moves written down, where a history is kept

    @property
    def keeps_moves(self) -> bool:
        """Whether moves are written down."""
        return self.moves.shape[1] > 0

    def write_down(self, rows: Array, actions: Array) -> None:
        """Keep the legal actions that are played in some rows next."""
        self.make_room(rows)
        self.moves[rows, self.moved[rows]] = actions
        self.moved[rows] += 1

    def make_room(self, rows: Array) -> Array:
        """Those of the rows that have no room for a further move; then they have."""
        full: Array = rows[self.moved[rows] == self.moves.shape[1]]
        if len(full) and self.keeps_moves:
            width = 2 * self.moves.shape[1]
            self.take_moves(_as_wide(self.moves, width), _as_wide(self.final_moves, width))
        return full

    def take_moves(self, moves: Array, final_moves: Array) -> None:
        """Other arrays in which moves are written down, and arrays as wide for what is kept of them."""
        self.moves, self.final_moves = moves, final_moves
        self.kept_moves, self.kept_final_moves = (
            _as_wide(kept, moves.shape[1]) for kept in (self.kept_moves, self.kept_final_moves)
        )
        self._attach()

    def close_moves(self, rows: Array) -> None:
        """The games of these rows are over: what is written down for them is that of the last game, too."""
        self.final_moves[rows], self.final_moved[rows] = self.moves[rows], self.moved[rows]

    def check_legal(self, rows: Array, actions: Array, whose: str = "") -> None:
        """IllegalMove that names the first row whose action is not legal; games that are over take any number."""
        i = self.kernels.first_illegal(self.states, rows, actions, self.action_mask)
        if i >= 0:
            self.refuse(int(rows[i]), int(actions[i]), whose)

    def refuse(self, row: int, action: int, whose: str = "") -> NoReturn:
        """IllegalMove for an action that is not legal in a row."""
        s = self.states[row]
        error = illegal_move(self.game, s, self.action_mask[row], action, f"player_{int(s.seat)}")
        raise type(error)(f"{whose}game {row}, {error}")

    # ------------------------------------------------------------ taking a step back

    def keep_what_is_closed(self) -> None:
        """From now on keep what is overwritten where games end or begin."""
        self.closed, self.kept_finals = np.zeros(len(self), bool), np.zeros_like(self.finals)
        self.kept_moves, self.kept_final_moves = np.zeros_like(self.moves), np.zeros_like(self.final_moves)
        self._attach()

    def put_back_closed(self) -> None:
        """Put back what was overwritten where games ended or began, and let no row wait any more."""
        rows = np.flatnonzero(self.closed)
        self.finals[rows] = self.kept_finals[rows]
        self.moves[rows], self.final_moves[rows] = self.kept_moves[rows], self.kept_final_moves[rows]
        self.closed[:] = False
        self.waits[:], self.waiting[0] = engine.NOTHING, 0

    # ------------------------------------------------------------ games that are over

    def final_views(self, rows: Array, seats: Array) -> Array:
        """What the seats saw at the end of the last games of some rows; zeros, which take no memory before they are
        written, in the others.
        """
        out: Array = np.zeros(self.observations.shape, self.observations.dtype)
        self.kernels.observe_some(self.finals, rows, seats, out, self.scales)
        return out

    def results(self, over: Array) -> dict[str, Array]:
        """Scores, places and number in its row of every game that is `over` (n,) bool; zeros in the other rows."""
        rows = np.flatnonzero(over)
        scores, places = results_of(self.game, self.finals[rows], self.players)
        parts = {"scores": scores, "places": places, "episode": self.final_episodes[rows]}
        return {name: self._scattered(rows, values) for name, values in parts.items()}

    def _scattered(self, rows: Array, values: Array) -> Array:
        """values[k] at rows[k] of an array of n rows, zeros elsewhere."""
        out = np.zeros((len(self), *values.shape[1:]), values.dtype)
        out[rows] = values
        return out


def _as_wide(array: Array, width: int) -> Array:
    """The first `width` columns, filled up with zeros."""
    wide = np.zeros((len(array), width), array.dtype)
    shared = min(width, array.shape[1])
    wide[:, :shared] = array[:, :shared]
    return wide
