"""Many games at once, as a `gymnasium.vector.VectorEnv`.

Every seat moved by the caller:

    games = skyline.vector("manhattan", 1024, players=4)
    observations, infos = games.reset(seed=1)
    while training:
        actions = policy(observations, games.action_mask)            # for the seats games.current_player
        observations, rewards, terminations, truncations, infos = games.step(actions)
        ...                                                         # games.rewards_all: what every seat got

One learning seat against opponents that move inside the kernel, or by a batched function:

    games = skyline.vector("manhattan", 1024, players=4, seat="rotate", opponents="heuristic")

No step does Python work per game. Game i of a batch with seed s is the game with seed s + i: the same game the AEC
environment plays after reset(seed=s + i), whatever the batch size, the thread count or the calls before; so are the
games that follow it in its row.
"""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from skyline import registry
from skyline.core import engine
from skyline.envs import snapshot
from skyline.envs.undo import Undo
from skyline.game import (
    NO_SEAT,
    Game,
    IllegalMove,
    brief,
    check_choice,
    check_count,
    check_dtype,
    check_flag,
    check_reset_options,
    illegal_move,
)
from skyline.rng import SEED_LIMIT, STREAM, check_seed, following_seed, fresh_seed, streams

Array = np.ndarray[Any, Any]
Opponent = str | Callable[[Array, Array, Array], Array]
ROWS_A_THREAD = 1000  # the least that is worth handing to another thread (docs/bench.md, batch size)
MOST_GAMES = 2**20  # far above the size at which a batch is fastest (docs/bench.md); more may be more than the memory
MOST_THREADS = 1024

CHANGING = frozenset(  # what a step or a reset writes; `finals` are kept row by row, observations follow from states
    ("states", "action_mask", "rewards_all", "learner", "_ended", "_carried", "_final_seats",
     "_episodes", "_final_episodes", "_policies", "_streams")
)  # fmt: skip

MODES = {
    "same_step": (engine.SAME_STEP, AutoresetMode.SAME_STEP),
    "next_step": (engine.NEXT_STEP, AutoresetMode.NEXT_STEP),
    "disabled": (engine.DISABLED, AutoresetMode.DISABLED),
}


class VectorGames(VectorEnv[Array, Array, Array]):
    """A batch of games of one kind and player count.

    Parameters
    ----------
    game, players, reward, features, obs_dtype, auto_forced, **options : as for `skyline.envs.aec.TurnBasedEnv`.
    seat : None - the caller moves every seat; a number - one learning seat; "rotate" - the learning seat of row i is
        i mod P in its first game and moves on by one from game to game.
    opponents : the other seats' players when there is a learning seat: "random", "heuristic" or a function
        f(observations (k, N), action_mask (k, A), seats (k,)) -> actions (k,); or a list of those, one for each other
        seat in clockwise order from the learner's left neighbour. If a function raises or gives a wrong answer, the
        whole step or reset is taken back: nothing has changed, and the same call can be made again.
    autoreset : "same_step" (a finished game is followed at once by the next; its last observation, scores, places and
        number in its row are in `infos`), "next_step" or "disabled" (reset(options={"reset_mask": ...})).
    illegal : "raise" (`IllegalMove`, no game changed) or "lose" (-1 to the mover, 0 to the others, game over).
    threads : row ranges stepped side by side, of `ROWS_A_THREAD` rows or more: fewer are stepped sooner than shared.
    copy : False (default) hands out the same arrays at every step, overwritten by the next; True hands out copies.

    Attributes: `current_player` (n,) who decides, `action_mask` (n, A) int8, `rewards_all` (n, P) float32 what every
    seat got in the last step, `learner` (n,) the learning seats, `states` (n,) the states themselves. They are the
    environment's own arrays: read them, never write. `seeds` and `final_seeds` name the games for the environment's
    owner; what a learner is told (`infos`) holds no seed, because the next game's seed follows from it.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        players: int | None = None,
        *,
        seat: int | str | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        reward: str = "outcome",
        features: str = "base",
        obs_dtype: Any = "int16",
        auto_forced: bool = False,
        autoreset: str = "same_step",
        illegal: str = "raise",
        threads: int = 1,
        copy: bool = False,
        **options: Any,
    ) -> None:
        self.game = registry.load(game)
        self.players = self.game.check_players(self.game.player_counts[0] if players is None else players)
        self.options = self.game.check_options(options)
        check_choice("reward", reward, engine.REWARDS)
        check_choice("features", features, ("base", "rich"))
        check_choice("autoreset", autoreset, MODES)
        check_choice("illegal", illegal, ("raise", "lose"))
        self.num_envs = check_count("num_envs", num_envs, 1, MOST_GAMES)
        self.threads = check_count("threads", threads, 1, MOST_THREADS)
        self.seat, self.copy = self._check_seat(seat), check_flag("copy", copy)
        self.obs_dtype = check_dtype("obs_dtype", obs_dtype, ("int16", "float32"))
        self.features, self.illegal = features, illegal
        self._kind, self._forced = engine.REWARDS[reward], check_flag("auto_forced", auto_forced)
        self._mode, mode = MODES[autoreset]
        self.metadata = {"autoreset_mode": mode, "name": f"{self.game.name}_v{self.game.version}"}
        self._opponents = self._check_opponents(opponents)
        self._make_spaces()
        self._make_arrays()
        self._begun = False
        self._attach()

    def _make_spaces(self) -> None:
        table = self.game.observation(self.players)
        low, high = table.per_value("low", self.features), table.per_value("high", self.features)
        dtype = np.dtype(self.obs_dtype).type
        self._scales = engine.scales(self.game, self.players, self.features, self.obs_dtype)
        if dtype is np.float32:
            low, high = low / self._scales, high / self._scales
        self.single_observation_space = spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)
        self.single_action_space = spaces.Discrete(self.game.actions(self.players).size)

    @cached_property
    def observation_space(self) -> Any:  # type: ignore[override] # made when asked for: larger than the observations
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Any:  # type: ignore[override]
        return batch_space(self.single_action_space, self.num_envs)

    def _make_arrays(self) -> None:
        n, P = self.num_envs, self.players
        self.states = self.game.blank(P, self.options, n)
        self.finals = np.zeros(n, self.game.state)
        self.action_mask = engine.mask_array(self.game, P, n)
        self.rewards_all = np.zeros((n, P), np.float32)
        self.learner = np.full(n, NO_SEAT, np.int64)
        self._out = engine.observation_array(self.game, P, n, self.features, self.obs_dtype)
        self._ended = np.zeros(n, np.int8)
        self._carried = np.zeros((n, P), np.float32)  # rewards from before the learning seat's first decision
        self._final_seats = np.zeros(n, np.int64)  # whose view final_obs is
        self._episodes = np.zeros(n, np.int64)  # number of the running game in its row, 0 for that of reset(seed=..)
        self._final_episodes = np.zeros(n, np.int64)  # the same of the last game that ended
        self._rows = np.arange(n)
        self._policies = np.full((n, P), engine.CALLER)
        self._streams = streams(n, 0)

    def _attach(self) -> None:
        """What is derived and not part of a copy."""
        self._kernels = engine.kernels(self.game)
        self._undo: Undo | None = None
        self.states = self.states.view(self.game.state)  # a pickled array comes with a dtype of its own
        self.finals = self.finals.view(self.game.state)
        self._streams = self._streams.view(STREAM)

    def _check_seat(self, seat: Any) -> int | str | None:
        if seat is None or (isinstance(seat, str) and seat == "rotate"):
            return seat
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.players:
            allowed = f"a whole number 0 .. {self.players - 1} or 'rotate', None if the caller moves every seat"
            raise ValueError(f"seat is {allowed}, not {brief(seat)}")
        return int(seat)

    def _check_opponents(self, opponents: Opponent | Sequence[Opponent]) -> list[Opponent]:
        if self.seat is None:
            if not (isinstance(opponents, str) and opponents == "random"):
                raise ValueError("opponents need a learning seat: give seat=0 .. or seat='rotate'")
            return []
        others = self.players - 1
        if isinstance(opponents, str) or callable(opponents) or not isinstance(opponents, Sequence):
            given: list[Opponent] = [opponents] * others
        else:
            given = list(opponents)
        if len(given) != others:
            there = "there is 1 opponent" if others == 1 else f"there are {others} opponents"
            raise ValueError(f"{there} with {self.players} players, not {len(given)}")
        for opponent in given:
            if not callable(opponent) and not (isinstance(opponent, str) and opponent in engine.POLICIES):
                allowed = ", ".join(map(repr, engine.POLICIES))
                raise ValueError(f"an opponent is one of {allowed} or a function, not {brief(opponent)}")
        return given

    def set_opponents(self, opponents: Opponent | Sequence[Opponent]) -> None:
        """Other players for the other seats, from the next step on, also in the games that are running."""
        self._opponents = self._check_opponents(opponents)
        if self._begun:
            self._seat_opponents(self._rows)

    @property
    def current_player(self) -> Array:
        """Who decides in every game, (n,); NO_SEAT (-1) where the game is over."""
        return self.states["seat"].astype(np.int64)

    # ------------------------------------------------------------ reset

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin games: all, or those of options["reset_mask"] (n,). Row i gets seed + i, or seed[i] of a list."""
        rows = self._rows_to_reset(options)
        words = self._words(seed, rows)
        with self._taking_back():
            self._begin_rows(words, rows, is_first=seed is not None or not self._begun)
        self._begun = True
        return self._given(self._out), self._infos()

    def _begin_rows(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds; `is_first`: they do not follow from the games before."""
        self._kernels.begin_rows(self.states, words, rows, self.action_mask, self.rewards_all, self._forced)
        if is_first:  # a row's opponents follow from its own seed, whatever the batch
            self._streams[rows] = np.concatenate([streams(1, int(word)) for word in words])
        self._episodes[rows] = 0 if is_first else self._episodes[rows] + 1
        self._ended[rows] = engine.RUNNING
        if self.seat is not None:
            self._seat_learners(rows, is_first)
            self._to_learner(rows)
            self._carry(rows)
        self._observe()

    def _taking_back(self) -> AbstractContextManager[None]:
        """What follows is taken back if it fails. Only opponents that are functions can fail."""
        if not any(map(callable, self._opponents)):
            return nullcontext()
        if self._undo is None:
            self._undo = Undo([array for name, array in vars(self).items() if name in CHANGING], self._show_again)
        return self._undo

    def _show_again(self) -> None:
        """The observations from before a step that was taken back: opponents' views were written over them."""
        if self._begun:
            self._observe()
        else:
            self._out[:] = 0

    def _rows_to_reset(self, options: dict[str, Any] | None) -> Array:
        options = check_reset_options(options)
        mask = options.pop("reset_mask", None)
        if options:
            raise ValueError(f"reset knows the option reset_mask, not {', '.join(map(str, options))}")
        if mask is None:
            return self._rows
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"reset_mask is a bool array of shape ({self.num_envs},) with a True in it")
        return np.flatnonzero(mask)

    def _words(self, seed: int | Sequence[int] | None, rows: Array) -> Array:
        if seed is None:
            if not self._begun:
                seed = fresh_seed() % (SEED_LIMIT // 2)
            else:
                return np.array([following_seed(word) for word in self.states["deal"][rows]], np.uint64)
        if isinstance(seed, (str, bytes)) or not isinstance(seed, (Sequence, np.ndarray)) or not np.shape(seed):
            first = int(check_seed(seed))  # type: ignore[arg-type] # a 0-dimensional array, say: TypeError
            return np.array([check_seed(first + int(row)) for row in rows], np.uint64)
        if len(seed) != self.num_envs:
            raise ValueError(f"a list of seeds has one for each of the {self.num_envs} games, not {len(seed)}")
        return np.array([check_seed(seed[row]) for row in rows], np.uint64)

    def _seat_learners(self, rows: Array, is_first: bool) -> None:
        """Give every row its learning seat, and the seats round it their players."""
        if self.seat != "rotate":
            self.learner[rows] = int(self.seat or 0)
        elif is_first or (self.learner[rows] == NO_SEAT).any():
            self.learner[rows] = rows % self.players
        else:
            self.learner[rows] = (self.learner[rows] + 1) % self.players
        self._seat_opponents(rows)

    def _seat_opponents(self, rows: Array) -> None:
        for j, opponent in enumerate(self._opponents):
            seats = (self.learner[rows] + 1 + j) % self.players
            self._policies[rows, seats] = engine.POLICIES[opponent] if isinstance(opponent, str) else engine.CALLER
        self._policies[rows, self.learner[rows]] = engine.CALLER

    # ------------------------------------------------------------ step

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One action for every game. `rewards` (n,) are the mover's, or the learning seat's since its last move."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("step() was called before reset()")
        actions = self._checked(actions)
        if self.seat is None:
            rewards = self._step_all(actions)
        else:
            with self._taking_back():
                rewards = self._step_learner(actions)
        ended = self._ended == engine.ENDED
        infos = self._infos()
        if ended.any():
            self._add_finals(infos, ended)
        return self._given(self._out), rewards, ended, np.zeros(self.num_envs, bool), infos

    def _checked(self, actions: Array) -> Array:
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"actions are whole numbers of shape ({self.num_envs},), not {array.dtype} of shape {array.shape}"
            )
        if array.dtype == np.uint64:
            array = np.minimum(array, 2**63 - 1)  # no action, either, and not a negative number after the conversion
        array = array.astype(np.int64, copy=False)
        if self.illegal == "raise":
            self._refuse_illegal(self._rows, array, "")
        return array

    def _refuse_illegal(self, rows: Array, actions: Array, whose: str) -> None:
        i = self._kernels.first_illegal(self.states, rows, actions, self.action_mask)
        if i >= 0:
            row = int(rows[i])
            s = self.states[row]
            reason = illegal_move(self.game, s, self.action_mask[row], int(actions[i]), f"player_{int(s.seat)}")
            raise IllegalMove(f"{whose}game {row}, {reason}")

    def _step_all(self, actions: Array) -> Array:
        movers = self.states["seat"].astype(np.int64)

        def run(part: slice) -> None:
            self._kernels.step_rows(
                self.states[part], self.finals[part], actions[part], self.action_mask[part], self._out[part],
                self.rewards_all[part], self._ended[part], self._scales, self._kind, self._forced, self._mode,
            )  # fmt: skip

        engine.in_chunks(run, self.num_envs, self.threads, ROWS_A_THREAD)
        self._final_seats[:] = np.maximum(movers, 0)
        self._count_episodes(movers == NO_SEAT)
        return self.rewards_all[self._rows, self._final_seats]

    def _count_episodes(self, were_over: Array) -> None:
        """After a step of the kernel that begins the next games itself."""
        if self._mode == engine.NEXT_STEP:
            self._episodes += were_over
        ended = self._ended == engine.ENDED
        if ended.any():
            self._final_episodes[ended] = self._episodes[ended]
            if self._mode == engine.SAME_STEP:
                self._episodes += ended

    def _step_learner(self, actions: Array) -> Array:
        over = self.states["seat"] == NO_SEAT
        rows = np.flatnonzero(~over)
        self.rewards_all[:] = self._carried
        self._carried[:] = 0
        self._ended[:] = engine.RUNNING
        learners = self.learner.copy()
        self._step_rows_of(rows, actions[rows])
        self._to_learner(rows)
        rewards = self.rewards_all[self._rows, learners]
        if self._mode == engine.NEXT_STEP and over.any():
            self._begin_next(np.flatnonzero(over))
        self._finish(rows)
        self._observe()
        return rewards

    def _step_rows_of(self, rows: Array, actions: Array) -> None:
        def run(part: slice) -> None:
            self._kernels.step_some(
                self.states, rows[part], actions[part], self.action_mask, self.rewards_all, self._kind
            )

        engine.in_chunks(run, len(rows), self.threads, ROWS_A_THREAD)

    def _to_learner(self, rows: Array) -> None:
        """Let the others move in these rows until the learning seat has to choose or the game is over."""
        self._move_others(rows)
        while len(rows):
            seats = self.states["seat"][rows]
            rows = rows[(seats != NO_SEAT) & (seats != self.learner[rows])]
            for j, opponent in enumerate(self._opponents):
                if callable(opponent):
                    turn = rows[self.states["seat"][rows] == (self.learner[rows] + 1 + j) % self.players]
                    if len(turn):
                        self._ask(opponent, turn)
                        self._move_others(turn)

    def _move_others(self, rows: Array) -> None:
        """The moves of policies in the kernel, and forced ones if they are not to be chosen."""

        def run(part: slice) -> None:
            self._kernels.others_move(
                self.states, rows[part], self._policies, self._streams, self.action_mask, self.rewards_all, self._kind,
                self._forced,
            )  # fmt: skip

        engine.in_chunks(run, len(rows), self.threads, ROWS_A_THREAD)

    def _ask(self, opponent: Callable[[Array, Array, Array], Array], rows: Array) -> None:
        """One batched move of an opponent that is a function."""
        seats = self.states["seat"].astype(np.int64)
        self._observe_rows(rows, seats)
        actions = np.asarray(opponent(self._out[rows], self.action_mask[rows], seats[rows]))
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the opponent {brief(opponent)} gave actions of shape {actions.shape} and type {actions.dtype} for "
                f"{len(rows)} games: it gives whole numbers, one for each"
            )
        actions = actions.astype(np.int64)
        self._refuse_illegal(rows, actions, f"opponent {brief(opponent)}: ")
        self._step_rows_of(rows, actions)

    def _finish(self, rows: Array) -> None:
        """Keep the final states of games that ended and begin the next ones, as the autoreset mode says."""
        ended = rows[self.states["seat"][rows] == NO_SEAT]
        while len(ended):
            self._ended[ended] = engine.ENDED
            if self._undo is not None:
                self._undo.keep_rows(self.finals, ended)
            self.finals[ended] = self.states[ended]
            self._final_seats[ended] = self.learner[ended]
            self._final_episodes[ended] = self._episodes[ended]
            if self._mode != engine.SAME_STEP:
                return
            self._begin_next(ended)
            ended = ended[self.states["seat"][ended] == NO_SEAT]

    def _begin_next(self, rows: Array) -> None:
        self._kernels.begin_next_rows(self.states, rows)
        self._episodes[rows] += 1
        self._seat_learners(rows, is_first=False)
        kept = self.rewards_all[rows].copy()
        self.rewards_all[rows] = 0
        self._to_learner(rows)
        self._carry(rows)
        self.rewards_all[rows] = kept

    def _carry(self, rows: Array) -> None:
        """What came before the learning seat's first decision belongs to its first step."""
        self._carried[rows] = self.rewards_all[rows]

    # ------------------------------------------------------------ what is handed out

    def _observe(self) -> None:
        """Observations of the seats to decide; after the end those of the learning seat (or seat 0)."""
        seats = self.learner if self.seat is not None else np.maximum(self.states["seat"].astype(np.int64), 0)
        self._observe_rows(self._rows, seats)

    def _observe_rows(self, rows: Array, seats: Array) -> None:
        def run(part: slice) -> None:
            self._kernels.observe_some(self.states, rows[part], seats, self._out, self._scales)

        engine.in_chunks(run, len(rows), self.threads, ROWS_A_THREAD)

    def _given(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._given(self.action_mask),
            "current_player": self.current_player,
            "rewards_all": self._given(self.rewards_all),
        }

    def _add_finals(self, infos: dict[str, Any], ended: Array) -> None:
        """Last observation, scores, places and number in their row of the games that ended in this step."""
        rows = np.flatnonzero(ended)
        finals = self.finals[rows]
        places = np.zeros((len(rows), self.players), np.int64)
        self._kernels.places_rows(finals, places)
        infos["final_obs"] = self._final_views(rows, self._final_seats)
        infos["final_info"] = {
            "scores": _scattered(self.num_envs, rows, finals["scores"][:, : self.players]),
            "places": _scattered(self.num_envs, rows, places),
            "episode": _scattered(self.num_envs, rows, self._final_episodes[rows]),
        }
        infos["_final_obs"], infos["_final_info"] = ended.copy(), ended.copy()

    def final_observation(self, seats: int | Array = 0) -> Array:
        """What a seat saw (or seats (n,) saw) at the end of the last finished game of every row; zeros before one."""
        given = np.asarray(seats)
        is_number = given.dtype.kind in "iu" and given.shape in ((), (self.num_envs,))
        if not is_number or (given < 0).any() or (given >= self.players).any():
            allowed = f"whole numbers 0 .. {self.players - 1}, one or one for each of the {self.num_envs} games"
            raise ValueError(f"seats are {allowed}, not {brief(seats)}")
        all_seats = np.broadcast_to(given.astype(np.int64), (self.num_envs,)).copy()
        return self._final_views(np.flatnonzero(self.finals["players"]), all_seats)

    def _final_views(self, rows: Array, seats: Array) -> Array:
        """The same of some rows; zeros, which take no memory before they are written, in the others."""
        out: Array = np.zeros(self._out.shape, self._out.dtype)
        self._kernels.observe_some(self.finals, rows, seats, out, self._scales)
        return out

    @property
    def seeds(self) -> list[int]:
        """The seed of every game now being played: reset(seed=seeds) begins them again. For the owner only."""
        return [int(word) for word in self.states["deal"]]

    @property
    def final_seeds(self) -> list[int]:
        """The seed of the game that ended last in every row, 0 before one has ended. For the owner only."""
        return [int(word) for word in self.finals["deal"]]

    # ------------------------------------------------------------ copies

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_kernels", "_undo")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._attach()

    def clone(self) -> VectorGames:
        """An independent copy in mid-game with the same future; it shares spaces and opponents with this one."""
        other = object.__new__(type(self))
        state = self.__getstate__()
        state |= {name: value.copy() for name, value in state.items() if isinstance(value, np.ndarray)}
        other.__setstate__({**state, "options": copying.deepcopy(self.options)})
        return other

    __copy__ = clone  # a shallow copy would step the same games

    def snapshot(self) -> dict[str, Any]:
        """The batch in mid-game as plain data (skyline/envs/snapshot.py): numbers, texts, arrays of plain numbers."""
        return snapshot.taken(self)

    def restore(self, data: Mapping[str, Any]) -> tuple[Array, dict[str, Any]]:
        """Go on where the snapshot of a batch with the same settings was taken; observations and infos as after a
        reset. Opponents stay this batch's own. ValueError, and nothing has changed, for a snapshot that does not fit.
        """
        snapshot.put_back(self, data)
        if self._begun and self.seat is not None:
            self._seat_opponents(self._rows)
        return self._given(self._out), self._infos()


def _scattered(n: int, rows: Array, values: Array) -> Array:
    """values[k] at rows[k] of an array of n rows, zeros elsewhere."""
    out = np.zeros((n, *values.shape[1:]), values.dtype)
    out[rows] = values
    return out


def vector_env(game: str | Game, num_envs: int = 1, **settings: Any) -> VectorGames:
    """The entry point of `gymnasium.make_vec`."""
    settings.pop("vectorization_mode", None)
    return VectorGames(game, num_envs, **settings)
