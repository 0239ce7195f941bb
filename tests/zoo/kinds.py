"""The base of all bots of the zoo.

    @kind("ZeroDivisionError: no such number")      a text in the reasons of the forfeits; None: it forfeits nothing
    class Raises(Hostile):
        def misbehave(self, view): ...

`KINDS` has every hostile bot by the name of its class. `Honest` and `Other` are for comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LCG = 6364136223846793005


@dataclass(frozen=True)
class Kind:
    """A kind of hostile bot, and the result that a test expects."""

    bot: type
    reason: str | None  # a text in the reasons of the forfeits; None: the bot forfeits nothing
    ends_process: bool = False  # needs some seconds for each game: most of these kinds are in the long tests only
    hangs: bool = False  # uses the whole limit of a move

    @property
    def name(self) -> str:
        """The name of the bot in a roster."""
        return f"{self.bot.__module__}:{self.bot.__name__}"


KINDS: dict[str, Kind] = {}


def kind(reason: str | None, **settings: bool) -> Callable[[type], type]:
    """Note a class in KINDS."""

    def register(bot: type) -> type:
        KINDS[bot.__name__] = Kind(bot, reason, **settings)
        return bot

    return register


class Honest:
    """Random legal actions from the agent's own seed."""

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.game, self.word, self.asked, self.naughty = game, seed, 0, seed % 2 == 1

    def act(self, view: Any) -> Any:
        self.word = (self.word * LCG + 1) % 2**64
        self.asked += 1
        legal = view.legal()
        return legal[(self.word >> 33) % len(legal)]


class Other(Honest):
    """An honest bot with another name, because a roster has each agent once."""


class Hostile(Honest):
    """Misbehaves at its third question in games whose seed for the agent is odd."""

    def act(self, view: Any) -> Any:
        honest = super().act(view)
        self.honest = honest
        return self.misbehave(view) if self.naughty and self.asked == 3 else honest

    def misbehave(self, view: Any) -> Any:
        raise NotImplementedError
