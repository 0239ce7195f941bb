"""Tokens, which views hold in place of the history of their game.

A view may lead to nothing that its seat must not know. A history can only be told from the true first row and all
actions, hidden results included. So a view holds a token and nothing else; what the token stands for lies in the table
of this module, and the entries are made when the agent asks for them, as fresh data. The token means nothing any more
once the agent has answered (`closed`), nor in a copy of the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

Entry = dict[str, Any]  # one entry of a history, docs/agents.md


class SeatHistory(Protocol):
    """The history of one game as one seat is told it, up to a question."""

    def entries(self, since_last: bool) -> list[Entry]:
        """All entries, or with `since_last` those since the seat was asked last; the caller may change them."""


_OPEN: dict[object, SeatHistory] = {}


def opened(histories: Iterable[SeatHistory]) -> list[object]:
    """New tokens that stand for these histories."""
    found = {object(): history for history in histories}
    _OPEN.update(found)
    return list(found)


def entries(token: object, since_last: bool) -> list[Entry]:
    """The entries of the history that a token stands for; ValueError if the token is closed."""
    history = _OPEN.get(token)
    if history is None:
        raise ValueError("a view is valid until the agent has answered: later it has no history")
    return history.entries(since_last)


def closed(tokens: Iterable[object]) -> None:
    """The tokens mean nothing any more."""
    for token in tokens:
        _OPEN.pop(token, None)
