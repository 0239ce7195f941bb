"""Agents of a user in the tournaments that are killed; copied into their folders. Answers depend on the view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Python:
    """Chooses by the seed of its game."""

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.word = seed

    def act(self, view: Any) -> int:
        legal = view.legal()
        self.word = (self.word * 6364136223846793005 + 1442695040888963407) % 2**64
        return int(legal[(self.word >> 33) % len(legal)])


class Failing(Python):
    """Forfeits every third game after some moves."""

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        self.left = 5 if seed % 3 == 0 else 10**9

    def act(self, view: Any) -> int:
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("no more")
        return super().act(view)


class Batched:
    """Plays games side by side; the observation decides the action."""

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        """Keeps nothing from game to game."""

    def act(self, view: Any) -> int:
        return self.act_many([view])[0]

    def act_many(self, views: Sequence[Any]) -> list[int]:
        chosen = []
        for view in views:
            legal = view.legal()
            chosen.append(int(legal[abs(int(view.observation.sum())) % len(legal)]))
        return chosen
