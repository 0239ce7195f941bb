"""What has happened in a game up to a question, for the view that an agent is asked with.

A view may lead to nothing that its seat must not know. What happened can only be told from the true first row and all
actions, hidden results included. So a view holds a token and nothing else; the past lies in the table of this module,
and the entries of a history are made when the agent asks for them, as fresh data. The token means nothing any more once
the agent has answered (`closed`), nor in a copy of the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

Entry = dict[str, Any]  # one entry of a history, docs/agents.md


class Past(Protocol):
    """The past of one game as one seat saw it, up to a question."""

    def entries(self, latest: bool) -> list[Entry]:
        """All entries, or with `latest` those since the seat was asked last; the caller may change them."""


_PASTS: dict[object, Past] = {}


def opened(known: Iterable[Past]) -> list[object]:
    """New tokens that stand for these pasts."""
    found = {object(): past for past in known}
    _PASTS.update(found)
    return list(found)


def entries(token: object, latest: bool) -> list[Entry]:
    """The entries of the past of a token; ValueError if the token is closed."""
    past = _PASTS.get(token)
    if past is None:
        raise ValueError("a view is valid until the agent has answered: later it has no history")
    return past.entries(latest)


def closed(tokens: Iterable[object]) -> None:
    """The tokens mean nothing any more."""
    for token in tokens:
        _PASTS.pop(token, None)
