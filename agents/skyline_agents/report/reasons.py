"""Reasons of forfeits in groups: what went wrong, without the move, the action and the figures of a single game."""

from __future__ import annotations

import re

BEGINNING = "beginning: "  # in place of the number of a move: the agent was told that a game begins
PLACE = re.compile(r"(?P<kind>\w+): .* (?P<place>\([^()]+, line \d+\))", re.DOTALL)
ANSWERS = (  # the beginning of what is said of an answer, and the group
    (re.compile(r"its answer: an action is a whole number"), "its answer is no whole number"),
    (re.compile(r"its answer: action -?\d+ is outside"), "its answer is no action"),
    (re.compile(r"its answer: .* is not legal here", re.DOTALL), "its answer is not legal"),
    (re.compile(r"it took .* s, the limit is (?P<limit>\S+ s)"), "it took longer than the limit of {limit}"),
)


def kind_of(agent: str, reason: str) -> str:
    """The group of a reason, which begins with the name of the agent and the number of the move.

    An exception is told by its kind and by the place that raised it.
    """
    rest = re.sub(r"^move \d+: ", "", reason.removeprefix(f"{agent}, "))
    when = BEGINNING if rest.startswith(BEGINNING) else ""
    rest = rest.removeprefix(when)
    for pattern, group in ANSWERS:
        if found := pattern.match(rest):
            return when + group.format(**found.groupdict())
    if found := PLACE.fullmatch(rest):
        return f"{when}{found['kind']} {found['place']}"
    return when + rest
