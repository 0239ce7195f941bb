"""What an agent is, and what an agent is shown. docs/agents.md is the whole contract.

    class Greedy:
        def begin(self, game, players, options, seed):      # a new game: set up, seed your own generator
            self.rng = np.random.default_rng(seed)

        def act(self, view):                                # -> the id of a legal action
            return view.legal()[-1]

    skyline play manhattan --agents my_file:Greedy,random

An agent never gets the true state. A `View` holds what the agent's seat may know: the observation, the legal moves and
their texts, and copies of the game in which everything hidden has been dealt anew. A view shares no data with the
match.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from skyline.core import engine
from skyline.game import RECALL, TABLE, Game
from skyline.record import told
from skyline.rng import STREAM, streams
from skyline.typing import Array, Memory
from skyline_agents import view_tokens
from skyline_agents.view_tokens import Entry


class Agent(Protocol):
    """A player. An agent may have two more members:

    `act_many(views) -> actions` chooses in several games at once (`observations` and `action_masks` below give arrays
    of all views). Such games are played side by side, and `begin` is called once for all of them. An agent that chooses
    from the view alone, with random numbers from `view.stream` alone, plays the same whatever the number of games.

    `kernel_policy` (a policy number of `skyline.core.engine`) says that the kernel plays the same moves.
    """

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A game begins. `seed` is for the agent's own random numbers and says nothing about the cards."""

    def act(self, view: View) -> int:
        """The id of a legal action."""


class View:
    """What the seat to decide may know. A view is valid until the agent has answered.

    The view holds one deal of the game that looks to the seat like the true one: everything hidden lies elsewhere, and
    the deal contains neither the seed nor the random stream of the game. Observation, legal moves, texts and further
    deals depend only on what the seat sees, so they are the same in this deal as in the true state. With the setting
    memory="recall" the deal agrees with everything that the seat has seen earlier, too; with "table" it agrees with
    what lies on the table alone.
    """

    __slots__ = ("_mask", "_row", "_token", "game", "options", "players", "seat", "stream")

    def __init__(
        self, game: Game, seat: int, row: Array, mask: Array, stream: Array, options: Mapping[str, Any],
        token: object = None,
    ) -> None:  # fmt: skip
        """For `views_of`. `row` (1,) has been dealt anew; nobody else may hold the arrays that are given here.

        `stream` (1,) STREAM is the stream that the kernel draws from in this seat; `token` stands for the history of
        the game (`skyline_agents.view_tokens`), None: the game begins with this position.
        """
        self.game, self.options, self.stream = game, options, stream
        self._row, self._mask, self._token = row, mask, token
        self.players, self.seat = int(row["players"][0]), seat

    @property
    def memory(self) -> Memory:
        """ "recall": the view knows what the seat has seen earlier; "table": only what lies on the table now."""
        return "recall" if self._row["memory"][0] == RECALL else "table"

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

    def history(self) -> list[Entry]:
        """What happened from the beginning of the game, as the seat saw it: a new list; [] with memory="table".

        The first entry is the beginning, then comes an entry a move, forced moves included (docs/agents.md).
        """
        return self._entries(since_last=False)

    def since_last(self) -> list[Entry]:
        """The entries of the history that the seat had not been told when it was asked last; [] with memory="table".

        The first of them is the seat's own last decision, because what the move brought was not known before. At the
        seat's first decision they are the whole history. So the pieces of all questions together are the history.
        """
        return self._entries(since_last=True)

    def _entries(self, since_last: bool) -> list[Entry]:
        if self.memory == "table":
            return []
        if self._token is not None:
            return view_tokens.entries(self._token, since_last)
        return told(self.game, self._row, [], self.seat, thawed(self.options), is_position=True)

    def knowledge(self) -> dict[str, Any]:
        """What the seat knows of hidden things beyond the table, in the words of the rules file (part "what is
        remembered"), as data for JSON; {} with memory="table"."""
        return self.game.knowledge(self._row[0], self.seat)

    def forgetful(self) -> View:
        """The view as it is with memory="table", for agents that forget: nothing earlier can be read from it."""
        row = self._row.copy()
        row["memory"] = TABLE
        engine.kernels(self.game).determinize_rows(row, np.array([self.seat]), np.zeros(1, STREAM))
        return View(self.game, self.seat, row, self._mask, self.stream, self.options)

    def determinized(self, n: int = 1, seed: int | Array = 0) -> Array:
        """n states (n,) in which the future, and all that the seat cannot see, is dealt anew.

        With memory="recall" they agree with everything that the seat has seen earlier, too, and are drawn with the
        chances that the rules file says. State i depends on the seed and i alone. In place of a seed, n rows of STREAM
        can be given: they are drawn from and advanced.
        """
        copies: Array = np.repeat(self._row, n)
        rows = streams(n, int(seed)) if isinstance(seed, (int, np.integer)) else seed
        engine.kernels(self.game).determinize_rows(copies, np.full(n, self.seat), rows)
        return copies


def views_of(
    game: Game, states: Array, mask: Array, streams: Array, options: Mapping[str, Any],
    tokens: Sequence[object] | None = None,
) -> list[View]:  # fmt: skip
    """The views of the seats to decide in n games; `tokens` stand for their histories, None: the games begin here.

    `states` (n,) are the true states, `mask` (n, A) their legal actions, `streams` (n,) STREAM the streams of the
    seats. The views keep and change these arrays, so the caller gives copies. What is hidden is dealt anew from the
    same stream in every game: so not even the luck of that deal depends on a game's seed.
    """
    n, seats = len(states), states["seat"].astype(np.int64)
    engine.kernels(game).determinize_rows(states, seats, np.zeros(n, STREAM))
    tokens = [None] * n if tokens is None else tokens
    if n == 1:
        return [View(game, int(seats[0]), states, mask, streams, options, tokens[0])]
    return [
        View(game, seat, states[i : i + 1], mask[i : i + 1], streams[i : i + 1], options, tokens[i])
        for i, seat in enumerate(seats.tolist())
    ]


def frozen(value: Any) -> Any:
    """A deep copy of options whose mappings and lists cannot be changed."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(part) for key, part in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(frozen(part) for part in value)
    return copy.deepcopy(value)


def thawed(value: Any) -> Any:
    """A copy of what `frozen` gives, as data for JSON."""
    if isinstance(value, Mapping):
        return {key: thawed(part) for key, part in value.items()}
    return [thawed(part) for part in value] if isinstance(value, (list, tuple)) else value


def observations(views: Sequence[View], features: str = "base", dtype: str = "int16", forgetful: bool = False) -> Array:
    """The observations of the seats of n views of one game and player count, (n, N).

    The dtype "int16" gives raw values, "float32" scaled ones. With `forgetful` they are those of memory="table".
    """
    game, players, n = views[0].game, views[0].players, len(views)
    out: Array = engine.observation_array(game, players, n, features, dtype)
    scales = engine.scales(game, players, features, dtype)
    states = np.concatenate([view._row for view in views])
    if forgetful:
        states["memory"] = TABLE
    engine.kernels(game).observe_some(states, np.arange(n), states["seat"].astype(np.int64), out, scales)
    return out


def action_masks(views: Sequence[View]) -> Array:
    """The views' legal actions, int8 (n, A)."""
    return np.concatenate([view._mask for view in views])


def act_in_all(agent: Agent, views: Sequence[View]) -> list[Any]:
    """The agent's answers in all views, by one call if the agent has `act_many`."""
    act_many = getattr(agent, "act_many", None)
    if act_many is None:
        return [agent.act(view) for view in views]
    n = len(views)
    actions = list(itertools.islice(act_many(views), n + 1))
    if len(actions) != n:
        count = f"more than {n}" if len(actions) > n else str(len(actions))
        raise ValueError(f"{type(agent).__name__}.act_many gave {count} actions for {n} views")
    return actions
