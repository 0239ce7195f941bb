"""One seat of one game as a `gymnasium.Env`; the other seats are opponents that move inside the environment."""

from __future__ import annotations

import copy as copying
from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from skyline import registry
from skyline.arguments import action_number, brief, check_choice, check_reset_options
from skyline.envs.pictures import Pictures
from skyline.envs.settings import PICTURES, check_keywords, named, told_options
from skyline.envs.vector import VectorGames
from skyline.game import DEFAULT_MEMORY, NO_SEAT, Game, illegal_move
from skyline.rng import check_seed
from skyline.typing import Array, Features, Memory, ObsDtype, OnIllegal, Opponent, Picture, Reward


class SingleSeat(gymnasium.Env[Array, int]):
    """One seat of one game as a `gymnasium.Env`.

    The mask of the decision is `action_masks()` (bool, as sb3-contrib's MaskablePPO asks for it) and
    `infos["action_mask"]`. With illegal="lose" an action outside the mask ends the game with reward -1.

    Parameters
    ----------
    game, players, reward, illegal, memory, features, obs_dtype, auto_forced, **options : as for the AEC environment
        (`skyline.envs.settings.AecSettings`).
    seat : number of the learning seat, or "rotate": seat 0 in the first game, and the next seat from game to game.
    opponents : the players of the other seats, as for `skyline.envs.vector.VectorGames`.
    max_cycles : a game is truncated after this number of the seat's decisions; None: games are played to their end.
    render_mode : None, "ansi" (text), "rgb_array" (pixels, uint8) or "svg" (text of an SVG picture).

    Threads and copies: an environment belongs to one thread at a time. `clone()`, `copy.copy`, `copy.deepcopy` and
    pickles are independent games in mid-game; a clone shares the spaces and the opponents.
    """

    metadata: dict[str, Any] = {"render_modes": list(PICTURES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's attribute

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seat: int | Literal["rotate"] = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        reward: Reward = "outcome",
        illegal: OnIllegal = "raise",
        memory: Memory = DEFAULT_MEMORY,
        features: Features = "base",
        obs_dtype: ObsDtype = "int16",
        auto_forced: bool = False,
        max_cycles: int | None = None,
        render_mode: Picture | None = None,
        **options: Any,
    ) -> None:
        loaded = registry.load(game)
        check_keywords(loaded, options, SingleSeat)
        if seat is None:
            raise ValueError("a single-seat environment needs a seat: a number or 'rotate'")
        check_choice("render_mode", render_mode, (None, *PICTURES))
        self.games = VectorGames(
            loaded, 1, players, seat=seat, opponents=opponents, reward=reward, illegal=illegal, memory=memory,
            features=features, obs_dtype=obs_dtype, auto_forced=auto_forced, max_cycles=max_cycles,
            autoreset="disabled", history=True, **options,
        )  # fmt: skip
        self.render_mode = render_mode
        self._pictures = Pictures(loaded, render_mode, loaded.title)
        self._steps = 0  # of the game being played
        self.observation_space = self.games.single_observation_space
        self.action_space = self.games.single_action_space

    def __repr__(self) -> str:
        games, begun = self.games, self.games.learner[0] != NO_SEAT
        parts = [f"{games.players} players", f"seat {int(games.learner[0]) if begun else games.seat}"]
        parts += [f"seed {games.seeds[0]}", f"decision {self._steps}"] if begun else ["not begun"]
        return named(games.game, "SingleSeat", parts, told_options(games.options, games.memory))

    __str__ = __repr__

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game: the one of the seed, or without a seed the next of the same chain. There are no options."""
        if unknown := check_reset_options(options):
            raise ValueError(f"reset of one seat has no options, not {', '.join(map(repr, unknown))}")
        word = None if seed is None else int(check_seed(seed))
        observations, infos = self.games.reset(seed=word)
        self._steps = 0
        super().reset(seed=word)
        return observations[0], self._info(infos)

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play the action; the opponents move until the seat has to choose again or the game is over."""
        self._check_begun("step()")
        if self.games.states["seat"][0] == NO_SEAT:
            raise ResetNeeded("step() was called after the end of the game: call reset()")
        actions = np.array([self._checked(action)], np.int64)
        observations, rewards, ended, truncated, infos = self.games.step(actions)
        self._steps += 1
        return observations[0], float(rewards[0]), bool(ended[0]), bool(truncated[0]), self._info(infos)

    def _checked(self, action: Any) -> int:
        """The action as a number of the kernel's: those outside the table lose like -1."""
        number, size = action_number(action), self.games.action_mask.shape[1]
        if number is None:
            raise ValueError(f"an action is a whole number 0 .. {size - 1}, not {brief(action)}")
        if 0 <= number < size:
            return number
        if self.games.illegal == "raise":
            who = f"player_{int(self.games.learner[0])}"
            raise illegal_move(self.games.game, self.games.states[0], self.games.action_mask[0], number, who)
        return -1

    def _check_begun(self, call: str) -> None:
        if self.games.learner[0] == NO_SEAT:
            raise ResetNeeded(f"{call} was called before reset()")

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": infos["action_mask"][0], "seat": int(self.games.learner[0])}
        if "final_info" in infos:
            info |= {name: values[0] for name, values in infos["final_info"].items()}
        return info

    def action_masks(self) -> Array:
        """The legal actions, (A,) bool."""
        self._check_begun("action_masks()")
        masks: Array = self.games.action_mask[0].astype(bool)
        return masks

    def history(self) -> list[dict[str, Any]]:
        """What happened in this game, told to the learning seat: the beginning, then an entry for each move of all
        seats. Cards and other hidden things have faces where the seat saw them, else they are a number.
        `skyline.record.history` describes the entries.
        """
        self._check_begun("history()")
        return self.games.history(0)

    def since_last(self) -> list[dict[str, Any]]:
        """The entries of `history()` from the seat's own last decision on, which is the first of them: what that move
        brought was not known before. All entries before the first decision."""
        self._check_begun("since_last()")
        return self.games.since_last(0)

    def information_state(self) -> str:
        """`history()` as canonical JSON text: two texts are equal exactly if the seat has seen the same."""
        self._check_begun("information_state()")
        return self.games.information_state(0)

    def knowledge(self) -> dict[str, Any]:
        """What the learning seat knows of hidden things beyond the table, as data (docs/memory.md); {} with
        memory="table"."""
        self._check_begun("knowledge()")
        return self.games.knowledge(0)

    def clone(self) -> SingleSeat:
        """An independent copy in mid-game with the same future; it shares spaces and opponents with this one."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.games, other._np_random = self.games.clone(), copying.deepcopy(self._np_random)
        return other

    __copy__ = clone  # a shallow copy would step the same game

    def render(self) -> Any:
        """The board as the learning seat sees it."""
        if not self._pictures.has_mode():
            return None
        self._check_begun("render()")
        return self._pictures.show(self.games.states[0], int(self.games.learner[0]), None)
