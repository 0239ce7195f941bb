"""`SelfPlay`: games with one learning seat each, as a Stable-Baselines3 `VecEnv`.

    env = SelfPlay("manhattan", players=4, groups=4, rows=128, seed=1)
    env.set_opponents(2, ["heuristic", "random", my_function])     # whom group 2 meets from the next step on
    model = MaskablePPO("MlpPolicy", env, ..)                      # env.action_masks: one array a step

Every row is the trajectory of one learning seat. Its observations are the seat's own decisions, one after the other. A
reward is all that the seat got from one decision to the next, whoever moved; the last reward of a game comes with the
seat's last decision, even if others moved later. Forced decisions are played inside. Games are played to their end and
never cut off, so no value is bootstrapped over the end of a game.

The rows come in groups of equal size, each with opponents of its own. A step does Python work for the rows whose game
has just ended, and for no other row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

import skyline
from skyline.typing import Array, Features, Opponent
from skyline_agents.players.ppo.shaping import Potential


class SelfPlay(VecEnv):  # type: ignore[misc] # SB3 is not read by mypy
    """`groups` batches of `rows` games; `shaping`: the change of the potential is added to the rewards.

    `action_masks` (n, A) bool are the masks of the last observations. `finished` (n,) says which games ended in the
    last step; `outcomes` (n,) are the learner's outcomes in them, 0 in all other rows.
    """

    def __init__(
        self, game: str, players: int, groups: int, rows: int, seed: int, *,
        features: str = "rich", shaping: bool = True, **settings: Any,
    ) -> None:  # fmt: skip
        self.games = [
            skyline.vector(
                game, rows, players, seat="rotate", opponents="heuristic", features=cast(Features, features),
                obs_dtype="float32", mask_dtype="int8", auto_forced=True, copy=False, **settings,
            )
            for _ in range(groups)
        ]  # fmt: skip
        self.rows, self._seed = rows, seed
        self._potential = Potential(self.games[0].game, players) if shaping else None
        single = self.games[0]
        super().__init__(groups * rows, single.single_observation_space, single.single_action_space)
        self.action_masks: Array = np.zeros((self.num_envs, single.action_mask.shape[1]), np.bool_)
        self.finished = np.zeros(self.num_envs, bool)
        self.outcomes = np.zeros(self.num_envs, np.float32)
        self._phi = np.zeros(self.num_envs, np.float32)
        self._lengths = np.zeros(self.num_envs, np.int64)

    def set_opponents(self, group: int, opponents: Sequence[Opponent]) -> None:
        """Whom a group meets from the next step on."""
        self.games[group].set_opponents(opponents)

    # ------------------------------------------------------------ steps

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset: the game of row i gets seed + i."""
        if seed is not None:
            self._seed = seed
        return [self._seed + row for row in range(self.num_envs)]

    def reset(self) -> Array:
        observations = self._blank()
        for part, games in self._parts():
            observations[part], _ = games.reset(seed=self._seed + part.start)
            self.action_masks[part] = games.action_mask
        self._lengths[:] = 0
        self._phi = self._worth(observations)
        return observations

    def snapshot(self) -> dict[str, Any]:
        """Games, potentials and lengths between two steps, as plain data; opponents are no part of the snapshot."""
        games = [games.snapshot() for games in self.games]
        return {"games": games, "phi": self._phi.copy(), "lengths": self._lengths.copy()}

    def restore(self, data: Mapping[str, Any]) -> Array:
        """Go on where the snapshot was taken; ValueError if it does not fit. Returns the observations to decide on."""
        if len(data["games"]) != len(self.games):
            raise ValueError(f"the snapshot has {len(data['games'])} groups of games, not {len(self.games)}")
        self._phi[:], self._lengths[:] = data["phi"], data["lengths"]
        observations = self._blank()
        for (part, games), snapshot in zip(self._parts(), data["games"], strict=True):
            observations[part], _ = games.restore(snapshot)
            self.action_masks[part] = games.action_mask
        return observations

    def step_async(self, actions: Array) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        observations, rewards = self._blank(), np.zeros(self.num_envs, np.float32)
        infos: list[dict[str, Any]] = [{}] * self.num_envs
        self.action_masks = np.zeros_like(self.action_masks)
        for part, games in self._parts():
            observations[part], rewards[part], ended, _, said = games.step(self._actions[part])
            self.action_masks[part] = games.action_mask
            self.finished[part] = ended
            for row in np.flatnonzero(ended):
                infos[part.start + row] = {"terminal_observation": said["final_obs"][row], "TimeLimit.truncated": False}
        self.outcomes[:] = np.where(self.finished, rewards, 0)
        self._tell_episodes(infos)
        return observations, rewards + self._shaping(observations), self.finished.copy(), infos

    def _shaping(self, observations: Array) -> Array:
        """Phi(s') - Phi(s) of every row, with Phi(end) = 0; the next game of a row begins with a Phi of its own."""
        phi = self._worth(observations)
        change: Array = np.where(self.finished, 0, phi) - self._phi
        self._phi = phi
        return change

    def _worth(self, observations: Array) -> Array:
        return np.zeros(self.num_envs, np.float32) if self._potential is None else self._potential(observations)

    def _tell_episodes(self, infos: list[dict[str, Any]]) -> None:
        """Add outcome and number of decisions of the games that ended to the infos, as Stable-Baselines3 names them."""
        self._lengths += 1
        for row in np.flatnonzero(self.finished):
            infos[row]["episode"] = {"r": float(self.outcomes[row]), "l": int(self._lengths[row])}
        self._lengths[self.finished] = 0

    def _blank(self) -> Array:
        return np.empty((self.num_envs, *self.observation_space.shape), np.float32)

    def _parts(self) -> list[tuple[slice, Any]]:
        return [(slice(i * self.rows, (i + 1) * self.rows), games) for i, games in enumerate(self.games)]

    # ------------------------------------------------------------ what VecEnv asks for

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The method `action_masks` of every row, which MaskablePPO calls; rows have no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"the rows of a batch have no method {method_name!r}: they are no environments")
        return list(self.action_masks[self._chosen(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        rows = self._chosen(indices)
        if attr_name == "action_masks":
            return list(self.action_masks[rows])
        if attr_name == "render_mode":
            return [None] * len(rows)
        raise AttributeError(f"the rows of a batch have no attribute {attr_name!r}: they are no environments")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the rows of a batch have no attribute {attr_name!r}: they are no environments")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: Any) -> Array:
        return np.arange(self.num_envs)[slice(None) if indices is None else np.atleast_1d(indices)]

    def close(self) -> None:
        """Nothing to do: no file or process is held."""
