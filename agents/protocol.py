"""What an agent is, and what it is shown.

    class Greedy:
        def begin(self, game, players, options, seed):      # a new game: set up, seed your own generator
            self.rng = np.random.default_rng(seed)

        def act(self, view):                                # -> the id of a legal action
            return view.legal()[-1]

    skyline play manhattan --agents my_file:Greedy,random

An agent never gets the true state. A `View` holds what its seat may know: the observation, the legal moves and their
texts, and copies of the game in which everything hidden has been dealt anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from skyline import engine
from skyline.game import Game
from skyline.rng import streams

Array = np.ndarray[Any, Any]


class Agent(Protocol):
    """A player. Two more members are looked for:

    `act_many(views) -> actions` chooses in several games at once (`observations` and `action_masks` below give arrays
    of all views). Such games are played side by side and `begin` is called once for all of them: choose from the view
    alone, with random numbers from `view.stream` alone, and the games do not depend on how many are played together.

    `kernel_policy` (a policy number of `skyline.engine`) says that the kernel can play the same moves.
    """

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A game begins. `seed` is the agent's own: it says nothing about the cards."""

    def act(self, view: View) -> int:
        """The id of a legal action."""


class View:
    """What the seat to decide may know. Valid until the agent has answered."""

    __slots__ = ("_mask", "_states", "game", "options", "players", "seat", "stream")

    def __init__(self, game: Game, states: Array, mask: Array, stream: Array, options: Mapping[str, Any]) -> None:
        """`states` (1,) the true state, `mask` (1, A), `stream` (1,) STREAM: the random stream of the game's agents.

        An agent that draws from `stream`, and only as a kernel does, plays in Python as in the kernel.
        """
        self.game, self.options, self.stream = game, options, stream
        self._states, self._mask = states, mask
        self.players, self.seat = int(states["players"][0]), int(states["seat"][0])

    @property
    def action_mask(self) -> Array:
        """1 for every legal action, int8 (A,); a copy."""
        mask: Array = self._mask[0].copy()
        return mask

    @property
    def observation(self) -> Array:
        """The base observation, int16 (N,)."""
        return self.observe()

    def observe(self, features: str = "base", obs_dtype: str = "int16") -> Array:
        """The observation (N,) with "base" or "rich" features, "int16" as it is or scaled "float32".

        `game.observation(players)` is its table.
        """
        observation: Array = observations([self], features, obs_dtype)[0]
        return observation

    def legal(self) -> list[int]:
        """The legal action ids, ascending."""
        return [int(action) for action in np.flatnonzero(self._mask[0])]

    def move_text(self, action: int) -> str:
        """The text of a legal action."""
        if not (0 <= action < self._mask.shape[1] and self._mask[0, action]):
            raise ValueError(f"action {action} is not legal here: it has no text")
        return self.game.move_text(self._states[0], int(action))

    def move_texts(self) -> list[str]:
        """The texts of all legal actions, in the order of `legal()`."""
        return [self.move_text(action) for action in self.legal()]

    def text(self) -> str:
        """The board as text, as the seat sees it."""
        return str(self.game.text(self._states[0], self.seat, None))

    def determinized(self, n: int = 1, seed: int | Array = 0) -> Array:
        """n states (n,) in which all that the seat cannot see, and the future, is dealt anew.

        Copy i depends on the seed and i alone. n STREAM rows in place of the seed are drawn from and advanced.
        """
        copies: Array = np.repeat(self._states, n)
        rows = streams(n, int(seed)) if isinstance(seed, (int, np.integer)) else seed
        engine.kernels(self.game).determinize_rows(copies, np.full(n, self.seat), rows)
        return copies


def observations(views: Sequence[View], features: str = "base", dtype: str = "int16") -> Array:
    """What the views' seats observe, (n, N), by one call; dtype "float32" is the float view.

    The views are of one game and player count.
    """
    game, players, n = views[0].game, views[0].players, len(views)
    out: Array = engine.observation_array(game, players, n, features, dtype)
    scales = engine.scales(game, players, features, dtype)
    states = np.concatenate([view._states for view in views])
    engine.kernels(game).observe_some(states, np.arange(n), states["seat"].astype(np.int64), out, scales)
    return out


def action_masks(views: Sequence[View]) -> Array:
    """The views' legal actions, int8 (n, A)."""
    return np.concatenate([view._mask for view in views])


def kernel_policy(agent: Agent) -> int | None:
    """The agent's policy number in the kernel, if it has one."""
    policy: int | None = getattr(agent, "kernel_policy", None)
    return policy


def is_batched(agent: Agent) -> bool:
    """Whether games of this agent can be played side by side."""
    return kernel_policy(agent) is not None or hasattr(agent, "act_many")


def act_in_all(agent: Agent, views: Sequence[View]) -> list[int]:
    """The agent's action in every view; one call if it can choose in many."""
    act_many = getattr(agent, "act_many", None)
    if act_many is None:
        return [agent.act(view) for view in views]
    actions = list(act_many(views))
    if len(actions) != len(views):
        raise ValueError(f"{type(agent).__name__}.act_many gave {len(actions)} actions for {len(views)} views")
    return actions
