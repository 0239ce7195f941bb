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
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from skyline import registry
from skyline.arguments import brief, check_choice, check_count, check_flag, check_seat
from skyline.core import engine
from skyline.envs import snapshot
from skyline.envs.boxes import mask_space, observation_box
from skyline.envs.every_seat import EverySeat
from skyline.envs.histories import BatchHistories
from skyline.envs.one_seat import OneSeat, checked_opponents, checked_seat
from skyline.envs.resetting import rows_to_reset, seeds_of
from skyline.envs.rows import Rows
from skyline.envs.settings import (
    check_keywords,
    check_shared,
    checked_cycles,
    checked_dtype,
    checked_mask_dtype,
    checked_players,
    named,
    told_options,
)
from skyline.game import DEFAULT_MEMORY, Game
from skyline.record import History
from skyline.typing import Array, Autoreset, Features, MaskDtype, Memory, ObsDtype, OnIllegal, Opponent, Reward

MOST_GAMES = 2**20  # far above the size at which a batch is fastest (docs/bench.md); more may be more than the memory
MOST_THREADS = 1024

MODES = {
    "same_step": (engine.SAME_STEP, AutoresetMode.SAME_STEP),
    "next_step": (engine.NEXT_STEP, AutoresetMode.NEXT_STEP),
    "disabled": (engine.DISABLED, AutoresetMode.DISABLED),
}


class VectorGames(VectorEnv[Array, Array, Array]):
    """A batch of games of one kind and player count.

    Parameters
    ----------
    game, players, reward, illegal, memory, features, obs_dtype, auto_forced, **options : as for the AEC environment
        (`skyline.envs.settings.AecSettings`).
    num_envs : number of games, 1 .. 2**20.
    seat : None: the caller moves every seat. A number: one learning seat. "rotate": the learning seat of row i is
        i mod P in its first game, and the next seat clockwise from game to game.
    opponents : the players of the other seats when there is a learning seat: "random", "heuristic" or a function
        f(observations (k, N), action_mask (k, A), seats (k,)) -> actions (k,); or a list of those, one for each other
        seat in clockwise order from the learner's left neighbour. If a function raises or gives a wrong answer, the
        whole step or reset is taken back: nothing has changed, and the same call can be made again.
    mask_dtype : "int8": a mask has a value for each action, (n, A). "bits": 64 actions take 8 bytes, (n, bytes) uint8,
        and `skyline.unpack_mask` makes masks of them, also on another device (`skyline.packed`). So are the masks in
        `action_mask`, in `infos`, and those that functions among the opponents are given.
    autoreset : "same_step" (a game that is over is followed at once by the next; its last observation, scores, places
        and number in its row are in `infos`), "next_step" or "disabled" (reset(options={"reset_mask": ...})).
    max_cycles : a game is truncated after this number of its steps (with a learning seat: of that seat's decisions);
        `autoreset` applies to truncated games as to those that have ended, and scores and places are those of the
        moment. None: games are played to their end.
    history : True: the moves of all games are written down, and `history(row, seat)`, `since_last(row, seat)`,
        `information_state(row, seat)` and `final_history(row, seat)` tell what happened. A seat is a number or the name
        of an agent, "player_0" ..; without a seat they tell the learning one. `knowledge(row, seat)` needs no history.
    threads : number of row ranges stepped side by side, 1 .. 1024; a range has 1,000 rows or more.
    copy : True: every array that `reset` and `step` give belongs to the caller. False: `step` gives the same arrays
        again and again and overwrites them, which saves the time of copying.

    Attributes: `current_player` (n,) who decides, `action_mask` (n, A) int8, or bits, `observations` (n, N) of the
    seats to decide, `rewards_all` (n, P) float32 what every seat got in the last step, `learner` (n,) the learning
    seats, `states` (n,) the states themselves. They are the environment's own arrays: read them, never write.
    `legal_ids()` lists the legal actions. `seeds` and `final_seeds` name the games for the environment's owner; what a
    learner is told (`infos`) holds no seed, because the next game's seed follows from it.

    Threads and copies: a batch belongs to one thread at a time (`threads` are its own affair). `clone()`, `copy.copy`,
    `copy.deepcopy` and pickles are independent batches in mid-game; a clone shares the spaces and the opponents.
    `snapshot()` and `restore()` save a batch as plain data.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        players: int | None = None,
        *,
        seat: int | Literal["rotate"] | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        reward: Reward = "outcome",
        illegal: OnIllegal = "raise",
        memory: Memory = DEFAULT_MEMORY,
        features: Features = "base",
        obs_dtype: ObsDtype = "int16",
        mask_dtype: MaskDtype = "int8",
        auto_forced: bool = False,
        autoreset: Autoreset = "same_step",
        max_cycles: int | None = None,
        history: bool = False,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.game = registry.load(game)
        check_keywords(self.game, options, VectorGames)
        self.players = checked_players(self.game, players)
        self.options = self.game.check_options(options)
        check_shared(reward, illegal, memory, features)
        check_choice("autoreset", autoreset, MODES)
        self.num_envs = check_count("num_envs", num_envs, 1, MOST_GAMES)
        self.threads = check_count("threads", threads, 1, MOST_THREADS)
        self.seat, self.copy = checked_seat(seat, self.players), check_flag("copy", copy)
        self.reward, self.illegal, self.memory, self.features = reward, illegal, memory, features
        self.obs_dtype, self.mask_dtype = checked_dtype(obs_dtype), checked_mask_dtype(mask_dtype)
        self.auto_forced = check_flag("auto_forced", auto_forced)
        self.autoreset, self.max_cycles = autoreset, checked_cycles(max_cycles)
        self.keeps_history = check_flag("history", history)
        mode, gymnasium_mode = MODES[autoreset]
        self.metadata = {"autoreset_mode": gymnasium_mode, "name": f"{self.game.name}_v{self.game.version}"}
        line_up = self._checked_opponents(opponents)
        self._rows = Rows(
            self.game, self.players, self.options, self.num_envs, features=features, obs_dtype=self.obs_dtype,
            reward=reward, auto_forced=self.auto_forced, autoreset=mode, threads=self.threads,
            max_cycles=self.max_cycles, memory=memory, history=self.keeps_history,
            mask_dtype=self.mask_dtype,
        )  # fmt: skip
        self._moves: EverySeat | OneSeat = (
            EverySeat(self._rows) if self.seat is None else OneSeat(self._rows, self.seat, line_up)
        )
        self._histories = BatchHistories(self._rows, self.options, memory, has_learner=self.seat is not None)
        self._begun = False
        self.single_observation_space = observation_box(self.game, self.players, features, self.obs_dtype)
        self.single_action_space = spaces.Discrete(self.game.actions(self.players).size)
        self.single_action_mask_space = mask_space(int(self.single_action_space.n), self.mask_dtype)

    @cached_property
    def observation_space(self) -> Any:  # type: ignore[override] # made when asked for: larger than the observations
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Any:  # type: ignore[override] # made when asked for: many values
        return batch_space(self.single_action_space, self.num_envs)

    @cached_property
    def action_mask_space(self) -> Any:
        return batch_space(self.single_action_mask_space, self.num_envs)

    def __repr__(self) -> str:
        parts = [f"{self.num_envs} games of {self.players} players"]
        parts += ["every seat moved by the caller" if self.seat is None else f"learning seat {self.seat}"]
        parts += [f"seed {self.seeds[0]} in row 0" if self._begun else "not begun"]
        return named(self.game, "VectorGames", parts, told_options(self.options, self.memory))

    __str__ = __repr__

    # ------------------------------------------------------------ who moves, what there is to see

    def _checked_opponents(self, opponents: Opponent | Sequence[Opponent]) -> list[Opponent]:
        if self.seat is not None:
            return checked_opponents(opponents, self.players)
        if not (isinstance(opponents, str) and opponents == "random"):
            raise ValueError("opponents need a learning seat: give seat=0 .. or seat='rotate'")
        return []

    def set_opponents(self, opponents: Opponent | Sequence[Opponent]) -> None:
        """Other players for the other seats, from the next step on, also in the games that are running."""
        line_up = self._checked_opponents(opponents)
        if isinstance(self._moves, OneSeat):
            self._moves.meet(line_up, self._begun)

    @property
    def current_player(self) -> Array:
        """Who decides in every game, (n,); NO_SEAT (-1) where the game is over."""
        return self._rows.seats()

    @property
    def states(self) -> Array:
        """The states of all games, (n,) records."""
        return self._rows.states

    @property
    def finals(self) -> Array:
        """The last states of the games that ended last in their rows, (n,) records; zeros before one has ended."""
        return self._rows.finals

    @property
    def observations(self) -> Array:
        """What was handed out last, (n, N)."""
        return self._rows.observations

    @property
    def action_mask(self) -> Array:
        """The legal actions of the seats to decide, (n, A) int8 or (n, bytes) uint8; zeros where the game is over."""
        return self._rows.mask_bits if self._rows.packs_masks else self._rows.action_mask

    def legal_ids(self) -> tuple[Array, Array]:
        """The legal actions of the seats to decide as numbers: `ids` (k,) int32 and `offsets` (n + 1,) int32. Those of
        row i are ids[offsets[i] : offsets[i + 1]], ascending; none where the game is over. With copy=False the next
        call overwrites both arrays."""
        total = self._rows.list_legal()
        return self._given(self._rows.legal_ids[:total]), self._given(self._rows.legal_offsets)

    @property
    def rewards_all(self) -> Array:
        """What every seat got in the last step, (n, P) float32."""
        return self._rows.rewards_all

    @property
    def learner(self) -> Array:
        """The learning seats, (n,); NO_SEAT (-1) without such seats and before the first reset."""
        return self._rows.learner

    # ------------------------------------------------------------ reset

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin games: all, or those of options["reset_mask"] (n,). Row i gets seed + i, or seed[i] of a list."""
        rows = rows_to_reset(options, self._rows.all)
        words = seeds_of(seed, rows, self.num_envs, self.states["deal"] if self._begun else None)
        self._moves.begin(words, rows, is_first=seed is not None or not self._begun)
        self._rows.truncated[:] = False
        self._rows.pack_masks()
        self._begun = True
        return self._given(self.observations), self._infos()

    # ------------------------------------------------------------ step

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One action for every game. `rewards` (n,) are the mover's, or the learning seat's since its last move."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("step() was called before reset()")
        rewards = self._moves.step(self._whole(actions), self.illegal == "raise")
        self._rows.pack_masks()
        ended, truncated = self._rows.ended == engine.ENDED, self._rows.truncated.copy()
        infos, over = self._infos(), ended | truncated
        if over.any():
            infos["final_obs"] = self._rows.final_views(np.flatnonzero(over), self._rows.final_seats)
            infos["final_info"] = self._rows.results(over)
            infos["_final_obs"], infos["_final_info"] = over, over.copy()
        return self._given(self.observations), rewards, ended, truncated, infos

    def _whole(self, actions: Array) -> Array:
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"actions are whole numbers of shape ({self.num_envs},), not {array.dtype} of shape {array.shape}"
            )
        if array.dtype == np.uint64:
            array = np.minimum(array, 2**63 - 1)  # no action, either, and not a negative number after the conversion
        return np.array(array, np.int64)  # a copy: kernels are compiled for arrays that may be written to

    def _given(self, array: Array) -> Array:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._given(self.action_mask),
            "current_player": self.current_player,
            "rewards_all": self._given(self.rewards_all),
        }

    def final_observation(self, seats: int | Array = 0) -> Array:
        """What a seat saw (or seats (n,) saw) at the end of the last game of every row that is over; zeros before."""
        given = np.asarray(seats)
        is_number = given.dtype.kind in "iu" and given.shape in ((), (self.num_envs,))
        if not is_number or (given < 0).any() or (given >= self.players).any():
            allowed = f"whole numbers 0 .. {self.players - 1}, one or one for each of the {self.num_envs} games"
            raise ValueError(f"seats are {allowed}, not {brief(seats)}")
        all_seats = np.broadcast_to(given.astype(np.int64), (self.num_envs,)).copy()
        return self._rows.final_views(np.flatnonzero(self.finals["players"]), all_seats)

    @property
    def seeds(self) -> list[int]:
        """The seed of every game now being played: reset(seed=seeds) begins them again. For the owner only."""
        return [int(word) for word in self.states["deal"]]

    @property
    def final_seeds(self) -> list[int]:
        """The seed of the game that was over last in every row, 0 before there is one. For the owner only."""
        return [int(word) for word in self.finals["deal"]]

    # ------------------------------------------------------------ what happened, and what a seat remembers

    def history(self, row: int, seat: int | str | None = None) -> list[dict[str, Any]]:
        """What happened in the running game of a row, told to a seat, None: to the learning one. The entries are
        described in `skyline.record.history`."""
        return self._told(row).entries(self._told_seat(seat, self.learner[row]))

    def since_last(self, row: int, seat: int | str | None = None) -> list[dict[str, Any]]:
        """The entries of `history(row, seat)` from the seat's own last decision on; all of them before the first."""
        return self._told(row).since_last(self._told_seat(seat, self.learner[row]))

    def information_state(self, row: int, seat: int | str | None = None) -> str:
        """`history(row, seat)` as canonical JSON text: equal exactly if the seat has seen the same."""
        return self._told(row).text(self._told_seat(seat, self.learner[row]))

    def final_history(self, row: int, seat: int | str | None = None) -> list[dict[str, Any]]:
        """The history of the game that ended last in a row, told to a seat, None: to the one that learnt there."""
        self._check_tells(row)
        if not self.finals["players"][row]:
            raise ValueError(f"no game of row {row} has ended yet")
        return self._histories.final(row).entries(self._told_seat(seat, self._rows.final_seats[row]))

    def knowledge(self, row: int, seat: int | str | None = None) -> dict[str, Any]:
        """What a seat (None: the learning one) knows of hidden things beyond the table in the running game of a row, as
        data (docs/memory.md); {} with memory="table"."""
        self._check_row(row, "knowledge()")
        return self.game.knowledge(self.states[row], self._told_seat(seat, self.learner[row]))

    def _told(self, row: int) -> History:
        self._check_tells(row)
        return self._histories.running(row)

    def _check_tells(self, row: int) -> None:
        if not self._histories.is_kept:
            raise ValueError("this batch keeps no history: make it with history=True")
        self._check_row(row, "a history")

    def _check_row(self, row: int, asked: str) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded(f"{asked} was asked for before reset()")
        check_count("row", row, 0, self.num_envs - 1)

    def _told_seat(self, seat: int | str | None, learner: Any) -> int:
        """The seat that is told something; None: the learning one of the game."""
        if seat is None and self.seat is None:
            raise ValueError(
                f"seat is a whole number 0 .. {self.players - 1} or an agent 'player_0' .., not None: the caller moves "
                "every seat, and there is no learning one"
            )
        return check_seat("seat", int(learner) if seat is None else seat, self.players)

    # ------------------------------------------------------------ copies

    def clone(self) -> VectorGames:
        """An independent copy in mid-game with the same future; it shares spaces and opponents with this one."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.options, other._rows = copying.deepcopy(self.options), self._rows.copy()
        other._moves, other._histories = self._moves.with_rows(other._rows), self._histories.with_rows(other._rows)
        return other

    __copy__ = clone  # a shallow copy would step the same games

    def _refuse_within(self) -> None:
        """RuntimeError while an opponent is asked."""
        if isinstance(self._moves, OneSeat):
            self._moves.refuse_within()

    def snapshot(self) -> dict[str, Any]:
        """The batch in mid-game as plain data (skyline/envs/snapshot.py): numbers, texts, arrays of plain numbers."""
        self._refuse_within()
        return snapshot.taken(self)

    def restore(self, data: Mapping[str, Any]) -> tuple[Array, dict[str, Any]]:
        """Go on where the snapshot of a batch with the same settings was taken; observations and infos as after a
        reset. Opponents stay this batch's own. ValueError, and nothing has changed, for a snapshot that does not fit.
        """
        self._refuse_within()
        snapshot.put_back(self, data)
        if self._begun and isinstance(self._moves, OneSeat):
            self._moves.seat_opponents(self._rows.all)
        self._rows.pack_masks()
        return self._given(self.observations), self._infos()


def vector_env(game: str | Game, num_envs: int = 1, **settings: Any) -> VectorGames:
    """The entry point of `gymnasium.make_vec`."""
    settings.pop("vectorization_mode", None)
    return VectorGames(game, num_envs, **settings)
