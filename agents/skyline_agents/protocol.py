"""What an agent is, and what it is shown. docs/agents.md is the whole contract.

    class Greedy:
        def begin(self, game, players, options, seed):      # a new game: set up, seed your own generator
            self.rng = np.random.default_rng(seed)

        def act(self, view):                                # -> the id of a legal action
            return view.legal()[-1]

    skyline play manhattan --agents my_file:Greedy,random

An agent never gets the true state. A `View` holds what its seat may know: the observation, the legal moves and their
texts, and copies of the game in which everything hidden has been dealt anew. All that a view holds is its own.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.rng import STREAM, streams
from skyline.typing import Array


class Agent(Protocol):
    """A player. Two more members are looked for:

    `act_many(views) -> actions` chooses in several games at once (`observations` and `action_masks` below give arrays
    of all views). Such games are played side by side and `begin` is called once for all of them: choose from the view
    alone, with random numbers from `view.stream` alone, and the games do not depend on how many are played together.

    `kernel_policy` (a policy number of `skyline.core.engine`) says that the kernel can play the same moves.
    """

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A game begins. `seed` is the agent's own: it says nothing about the cards."""

    def act(self, view: View) -> int:
        """The id of a legal action."""


class View:
    """What the seat to decide may know. Valid until the agent has answered.

    The view holds one deal of the game that looks to the seat as the true one does: everything hidden lies elsewhere
    in it, and neither the game's seed nor its random stream is in it. Observation, legal moves, texts and further deals
    depend on what the seat sees alone, so they are the same in that deal as in the true state.
    """

    __slots__ = ("_mask", "_row", "game", "options", "players", "seat", "stream")

    def __init__(
        self, game: Game, seat: int, row: Array, mask: Array, stream: Array, options: Mapping[str, Any]
    ) -> None:
        """`views_of` makes views: `row` (1,) has been dealt anew, and all that is given here becomes the view's own.

        An agent that draws from `stream` (1,) STREAM, and only as a kernel does, plays in Python as in the kernel.
        """
        self.game, self.options, self.stream = game, options, stream
        self._row, self._mask = row, mask
        self.players, self.seat = int(row["players"][0]), seat

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
        return self.game.move_text(self._row[0], int(action))

    def move_texts(self) -> list[str]:
        """The texts of all legal actions, in the order of `legal()`."""
        return [self.move_text(action) for action in self.legal()]

    def text(self) -> str:
        """The board as text, as the seat sees it."""
        return str(self.game.text(self._row[0], self.seat, None))

    def determinized(self, n: int = 1, seed: int | Array = 0) -> Array:
        """n states (n,) in which all that the seat cannot see, and the future, is dealt anew.

        Copy i depends on the seed and i alone. n STREAM rows in place of the seed are drawn from and advanced.
        """
        copies: Array = np.repeat(self._row, n)
        rows = streams(n, int(seed)) if isinstance(seed, (int, np.integer)) else seed
        engine.kernels(self.game).determinize_rows(copies, np.full(n, self.seat), rows)
        return copies


def views_of(game: Game, states: Array, mask: Array, streams: Array, options: Mapping[str, Any]) -> list[View]:
    """What the seats to decide in n games may know: a view of each.

    `states` (n,) are the true ones, `mask` (n, A) their legal actions, `streams` (n,) STREAM those of the seats; all
    become the views', so they are copies that nobody else holds. What is hidden is dealt anew from the same stream in
    every game: not even the luck of that deal depends on a seed.
    """
    n, seats = len(states), states["seat"].astype(np.int64)
    engine.kernels(game).determinize_rows(states, seats, np.zeros(n, STREAM))
    if n == 1:
        return [View(game, int(seats[0]), states, mask, streams, options)]
    return [
        View(game, seat, states[i : i + 1], mask[i : i + 1], streams[i : i + 1], options)
        for i, seat in enumerate(seats.tolist())
    ]


def frozen(value: Any) -> Any:
    """A copy of options that cannot be written to: mappings, lists and what is in them."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(part) for key, part in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(frozen(part) for part in value)
    return copy.deepcopy(value)


def observations(views: Sequence[View], features: str = "base", dtype: str = "int16") -> Array:
    """What the views' seats observe, (n, N), by one call; dtype "float32" is the float view.

    The views are of one game and player count.
    """
    game, players, n = views[0].game, views[0].players, len(views)
    out: Array = engine.observation_array(game, players, n, features, dtype)
    scales = engine.scales(game, players, features, dtype)
    states = np.concatenate([view._row for view in views])
    engine.kernels(game).observe_some(states, np.arange(n), states["seat"].astype(np.int64), out, scales)
    return out


def action_masks(views: Sequence[View]) -> Array:
    """The views' legal actions, int8 (n, A)."""
    return np.concatenate([view._mask for view in views])


def act_in_all(agent: Agent, views: Sequence[View]) -> list[Any]:
    """The agent's answer in every view; one call if it can choose in many."""
    act_many = getattr(agent, "act_many", None)
    if act_many is None:
        return [agent.act(view) for view in views]
    n = len(views)
    actions = list(itertools.islice(act_many(views), n + 1))
    if len(actions) != n:
        count = f"more than {n}" if len(actions) > n else str(len(actions))
        raise ValueError(f"{type(agent).__name__}.act_many gave {count} actions for {n} views")
    return actions
