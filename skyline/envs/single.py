"""One seat of one game as a `gymnasium.Env`; the other seats are opponents that move inside the environment."""

from __future__ import annotations

import copy as copying
import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from skyline.envs.vector import Array, Opponent, VectorGames
from skyline.game import NO_SEAT, Game, action_number, brief, check_choice, check_reset_options, illegal_move
from skyline.rng import check_seed


class SingleSeat(gymnasium.Env[Array, int]):
    """One seat of one game as a `gymnasium.Env`: the others are opponents as in `VectorGames`.

    The mask of the decision is `action_masks()` (bool, as sb3-contrib's MaskablePPO asks for it) and
    `infos["action_mask"]`. With illegal="lose" an action outside the mask ends the game with reward -1.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "svg"], "render_fps": 2}  # noqa: RUF012 - Gymnasium's attribute

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        render_mode: str | None = None,
        obs_dtype: Any = "float32",
        **settings: Any,
    ) -> None:
        if seat is None:
            raise ValueError("a single-seat environment needs a seat: a number or 'rotate'")
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.games = VectorGames(
            game, 1, players, seat=seat, opponents=opponents, obs_dtype=obs_dtype, autoreset="disabled", copy=True,
            **settings,
        )  # fmt: skip
        self.render_mode = render_mode
        self.observation_space = self.games.single_observation_space
        self.action_space = self.games.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        if unknown := check_reset_options(options):
            raise ValueError(f"reset of one seat has no options, not {', '.join(map(repr, unknown))}")
        word = None if seed is None else int(check_seed(seed))
        observations, infos = self.games.reset(seed=word)
        super().reset(seed=word)
        return observations[0], self._info(infos)

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        self._check_begun("step()")
        if self.games.states["seat"][0] == NO_SEAT:
            raise ResetNeeded("step() was called after the end of the game: call reset()")
        observations, rewards, ended, _, infos = self.games.step(np.array([self._checked(action)], np.int64))
        return observations[0], float(rewards[0]), bool(ended[0]), False, self._info(infos)

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

    def clone(self) -> SingleSeat:
        """An independent copy in mid-game with the same future; it shares spaces and opponents with this one."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.games, other._np_random = self.games.clone(), copying.deepcopy(self._np_random)
        return other

    __copy__ = clone  # a shallow copy would step the same game

    def render(self) -> Any:
        """The board as the learning seat sees it."""
        if self.render_mode is None:
            warnings.warn(
                'render() shows nothing: make the environment with render_mode="ansi", "svg" ..', stacklevel=2
            )
            return None
        self._check_begun("render()")
        s, seat, game = self.games.states[0], int(self.games.learner[0]), self.games.game
        if self.render_mode == "ansi":
            return game.text(s, seat, None)
        picture = game.svg(s, seat, None)
        if self.render_mode == "svg":
            return picture
        from skyline.draw import svg as drawing

        return drawing.rasterise(picture)
