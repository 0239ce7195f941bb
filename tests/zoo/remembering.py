"""Bots that misuse what a view tells of its history."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any

from tests.zoo.kinds import Hostile, kind


@kind(None)
class RewritesHistory(Hostile):
    """Writes into the entries; the next ones are as if nobody had."""

    def misbehave(self, view: Any) -> Any:
        before = str(view.history())
        for entry in view.history() + view.since_last():
            entry.get("seen", []).clear()
            entry.clear()
        view.history().clear()
        if str(view.history()) != before:
            raise AssertionError("the history was rewritten")
        return self.honest


@kind("a view is valid until the agent has answered")
class AsksForTheHistoryLater(Hostile):
    """Keeps its views, and asks an old one what has happened since."""

    kept: Any = None

    def act(self, view: Any) -> Any:
        answer = super().act(view)
        self.kept = view
        return answer

    def misbehave(self, view: Any) -> Any:
        return self.kept.history()


@kind(None)
class AsksInThreads(Hostile):
    """Asks for the history in threads that go on after the answer."""

    def misbehave(self, view: Any) -> Any:
        for ask in (view.history, view.since_last):
            threading.Thread(target=self._ask, args=(ask,)).start()
        return self.honest

    def _ask(self, ask: Any) -> None:
        until = time.monotonic() + 0.1
        with contextlib.suppress(ValueError):
            while time.monotonic() < until:
                ask()


@kind(None)
class SwitchesMemory(Hostile):
    """Writes to the memory of its own copies."""

    def misbehave(self, view: Any) -> Any:
        view._row["memory"] = 1 - view._row["memory"]
        view.determinized(2)["memory"] = 0
        return self.honest


@kind("a token of one's own has no history: ")
class MakesTokens(Hostile):
    """Gives its view another token."""

    def misbehave(self, view: Any) -> Any:
        view._token = object()
        try:
            return view.history()
        except ValueError as error:
            raise ValueError(f"a token of one's own has no history: {error}") from None
