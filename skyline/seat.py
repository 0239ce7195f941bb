"""One seat of one game as a `gymnasium.Env`; the other seats are opponents that move inside the environment."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from skyline.batch import Array, Opponent, VectorGames
from skyline.game import NO_SEAT, Game, check_choice


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
        obs_dtype: str = "float32",
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
        super().reset(seed=seed)
        observations, infos = self.games.reset(seed=seed)
        return observations[0], self._info(infos)

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        if self.games.states["seat"][0] == NO_SEAT:
            raise gymnasium.error.ResetNeeded("step() was called after the end of the game: call reset()")
        observations, rewards, ended, _, infos = self.games.step(np.array([action]))
        return observations[0], float(rewards[0]), bool(ended[0]), False, self._info(infos)

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": infos["action_mask"][0], "seat": int(self.games.learner[0])}
        if "final_info" in infos:
            info |= {name: values[0] for name, values in infos["final_info"].items()}
        return info

    def action_masks(self) -> Array:
        """The legal actions, (A,) bool."""
        masks: Array = self.games.action_mask[0].astype(bool)
        return masks

    def render(self) -> Any:
        """The board as the learning seat sees it."""
        s, seat, game = self.games.states[0], int(self.games.learner[0]), self.games.game
        if self.render_mode == "ansi":
            return game.text(s, seat, None)
        if self.render_mode is None:
            warnings.warn(
                'render() shows nothing: make the environment with render_mode="ansi", "svg" ..', stacklevel=2
            )
            return None
        picture = game.svg(s, seat, None)
        if self.render_mode == "svg":
            return picture
        from skyline import drawing

        return drawing.rasterise(picture)
