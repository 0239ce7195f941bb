"""How the agents of a tournament stand over all its games together.

Ratings of different games have no common scale. What can be compared is the share of meetings in which an agent came
before another one, a shared place counting half: 50 % is as good as the others. An agent's shares in the events of a
game are averaged, then those of the games: every game counts the same, however many events and games were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skyline_agents.report.tables import Section


def overall_rows(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """A row for every agent, the best first; agents that have met others in fewer events have fewer `events`."""
    shares: dict[str, dict[str, list[float]]] = {}
    seats: dict[str, int] = {}
    for section in sections:
        for agent, share in _shares(section).items():
            shares.setdefault(agent, {}).setdefault(section.event.game, []).append(share)
        for row in section.ratings.table():
            seats[row["agent"]] = seats.get(row["agent"], 0) + row["games"]
    rows = [
        {
            "agent": agent,
            "ahead": _mean([_mean(events) for events in games.values()]),
            "kinds": len(games),
            "events": sum(map(len, games.values())),
            "games": seats[agent],
        }
        for agent, games in shares.items()
    ]
    return sorted(rows, key=lambda row: -row["ahead"])


def _shares(section: Section) -> dict[str, float]:
    """The share of its meetings in which every agent of an event came before the other."""
    meetings = section.pairs.games.sum(axis=1)
    won = section.pairs.before.sum(axis=1) + section.pairs.ties.sum(axis=1) / 2
    return {name: float(won[k] / meetings[k]) for k, name in enumerate(section.names) if meetings[k]}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
