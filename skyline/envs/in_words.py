"""The game of an AEC environment in words and data, for the owner of the environment: moves, position, history, and
what a seat remembers."""

from __future__ import annotations

import copy as copying
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from skyline import record
from skyline.arguments import action_number, brief, check_seat
from skyline.game import NO_SEAT, Game
from skyline.record import History
from skyline.typing import Array

NOT_BEGUN = -2  # instead of the seat to decide, before the first reset


class InWords:
    """What an AEC environment says about its game beside observations; a part of `skyline.envs.aec.TurnBasedEnv`, which
    keeps the fields."""

    game: Game
    options: dict[str, Any]
    possible_agents: list[str]
    _states: Array
    _mask: Array
    _seat: int
    _history: History

    def _check_begun(self, call: str) -> None:
        if self._seat == NOT_BEGUN:
            raise ResetNeeded(f"{call} was called before reset()")

    def _seat_of(self, agent: str) -> int:
        try:
            return self.possible_agents.index(agent)
        except ValueError:
            raise ValueError(f"there is no agent {agent!r}; agents: {', '.join(self.possible_agents)}") from None

    # ------------------------------------------------------------ moves and position

    @property
    def game_seed(self) -> int:
        """The seed of the game being played: reset(seed=...) with it begins the same game.

        The seeds of the games that follow can be computed from it: it is for the owner of the environment, and no
        agent's observation or info holds it.
        """
        self._check_begun("game_seed")
        return int(self._states["deal"][0])

    def legal_moves(self) -> list[str]:
        """The texts of all legal moves, in action order; none when the game is over."""
        self._check_begun("legal_moves()")
        if self._seat == NO_SEAT:
            return []
        return [self.move_text(int(action)) for action in np.flatnonzero(self._mask[0])]

    def move_text(self, action: int) -> str:
        """The text of an action in this position."""
        self._check_begun("move_text()")
        size, number = self._mask.shape[1], action_number(action)
        if number is None:
            raise ValueError(f"an action is a whole number 0 .. {size - 1}, not {brief(action)}")
        if not 0 <= number < size:
            raise ValueError(f"action {action} is outside 0 .. {size - 1}")
        return self.game.move_text(self._states[0], number)

    def parse_move(self, text: str) -> int:
        """The action of a move text in this position; whether it is legal says the mask."""
        self._check_begun("parse_move()")
        if not isinstance(text, str):
            raise ValueError(f"a move is a text, not {brief(text)}")
        return self.game.parse_move(self._states[0], text)

    def position(self) -> dict[str, Any]:
        """The whole state as JSON-able data (it shows everything: not for players)."""
        self._check_begun("position()")
        return record.position_of(self.game, self._states[0], copying.deepcopy(self.options))

    # ------------------------------------------------------------ what happened, and what a seat remembers

    def history(self, agent: str | int | None) -> list[dict[str, Any]]:
        """What happened in this game, told to an agent: the beginning, then an entry for each move, forced ones
        included. Cards and other hidden things have faces where the agent saw them, else they are a number. None:
        everything is shown, to the owner of the environment. `skyline.record.history` describes the entries.

        Here and below an agent is a name or the number of its seat: "player_0" and 0 are the same.
        """
        self._check_begun("history()")
        return self._history.entries(None if agent is None else self._told_seat(agent))

    def since_last(self, agent: str | int) -> list[dict[str, Any]]:
        """The entries of `history(agent)` from the agent's own last decision on, which is the first of them: what that
        move brought was not known before. All entries before the agent's first decision.
        """
        self._check_begun("since_last()")
        return self._history.since_last(self._told_seat(agent))

    def information_state(self, agent: str | int) -> str:
        """`history(agent)` as canonical JSON text: two texts are equal exactly if the agent has seen the same."""
        self._check_begun("information_state()")
        return self._history.text(self._told_seat(agent))

    def knowledge(self, agent: str | int) -> dict[str, Any]:
        """What the agent knows of hidden things beyond the table, as data (docs/memory.md); {} with memory="table"."""
        self._check_begun("knowledge()")
        return self.game.knowledge(self._states[0], self._told_seat(agent))

    def _told_seat(self, agent: str | int) -> int:
        return check_seat("agent", agent, len(self.possible_agents))
