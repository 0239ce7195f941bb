"""Agents of a user, which tests copy into the current folder as own.py: good, slow, faulty and deadly ones."""

from __future__ import annotations

import os
import time
from typing import Any


class Last:
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        print("a game")

    def act(self, view: Any) -> int:
        return int(view.legal()[-1])


class Mixed:
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.seed = seed

    def act(self, view: Any) -> int:
        self.seed = self.seed * 6364136223846793005 % 2**64 + 1
        return int(view.legal()[(self.seed >> 33) % len(view.legal())])


class Slow(Mixed):
    def act(self, view: Any) -> int:
        time.sleep(0.002)
        return super().act(view)


class Thinker(Mixed):
    def act(self, view: Any) -> int:
        print("thinking", flush=True)
        time.sleep(1000)
        return 0


class Bad(Mixed):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        self.left = 3 if seed % 2 else 10**9

    def act(self, view: Any) -> int:
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("no more")
        return super().act(view)


class Deadly(Mixed):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        self.left = 3 if seed % 3 == 0 else 10**9

    def act(self, view: Any) -> int:
        self.left -= 1
        if self.left == 0:
            os._exit(7)
        return super().act(view)
