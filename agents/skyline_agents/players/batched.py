"""A policy function as an agent: a function that plays in `skyline.vector` plays matches, too.

def policy(observations, action_mask, seats):     # (k, N), (k, A), (k,) -> actions (k,)
    return net(observations).masked(action_mask).argmax(axis=1)

skyline.vector("manhattan", 64, seat="rotate", opponents=policy)
play("manhattan", [Batched(policy), "heuristic"], games=1000, duplicate=True).standings()[0].first_share
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from skyline.arguments import check_choice
from skyline.envs.settings import checked_dtype, checked_mask_dtype
from skyline.game import Game
from skyline.packed import pack_mask
from skyline.typing import Array, MaskDtype, ObsDtype
from skyline_agents.protocol import View, action_masks, observations


class Batched:
    """An agent that asks a function f(observations (k, N), action_mask (k, A), seats (k,)) -> actions (k,).

    `features`, `obs_dtype` and `mask_dtype` are those of `skyline.vector`; networks are trained on float32, the
    default.
    """

    def __init__(
        self,
        policy: Callable[[Array, Array, Array], Array],
        features: str = "base",
        obs_dtype: ObsDtype = "float32",
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        check_choice("features", features, ("base", "rich"))
        self.policy, self.features = policy, features
        self.obs_dtype, self.mask_dtype = checked_dtype(obs_dtype), checked_mask_dtype(mask_dtype)

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """Nothing to do: a policy keeps nothing from game to game."""

    def act(self, view: View) -> int:
        return self.act_many([view])[0]

    def act_many(self, views: Sequence[View]) -> list[int]:
        """One call of the policy gives the actions in all views."""
        seen, seats = observations(views, self.features, self.obs_dtype), np.array([view.seat for view in views])
        masks = action_masks(views)
        shown = pack_mask(masks) if self.mask_dtype == "bits" else masks
        return [int(action) for action in self.policy(seen, shown, seats)]
