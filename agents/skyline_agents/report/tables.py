"""What a tournament says, as tables: the standing over all games, ratings, pairs, scores, seats, lengths, forfeits.

    from skyline_agents.report.tables import read
    report = read("results.db")
    report.sections[0].ratings.table()      # the ratings of the first event
    report.tables()["ratings"]              # rows of all events: list[dict]

A *section* is an event of the database: one game with a player count, options and agents. The module `page` makes the
page and its plots of these tables, the module `files` writes them as files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.typing import Array
from skyline_agents.database import store
from skyline_agents.memory_setting import memory_words
from skyline_agents.places import first_shares
from skyline_agents.ratings.fit import REPLICATES, Ratings, rate
from skyline_agents.ratings.head_to_head import HeadToHead, head_to_head
from skyline_agents.report.overall import overall_rows
from skyline_agents.report.reasons import kind_of

Row = dict[str, Any]
TABLES = ("ratings", "pairs", "scores", "seats", "lengths", "forfeits")  # of a section
OVERALL = "overall"  # the table of all sections together


def title(game: str) -> str:
    """A game's name as a heading; it need not be installed."""
    return game.replace("_", " ").title()


def chosen_options(event: store.Event) -> dict[str, Any]:
    """The options of an event that are not the defaults of the game; all options where the game is not installed."""
    if event.game not in registry.names():
        return event.options
    usual = {option.name: option.default for option in registry.load(event.game).options}
    return {name: value for name, value in event.options.items() if name not in usual or value != usual[name]}


@dataclass(frozen=True)
class Section:
    """An event with at least one finished game; agents are numbered by the event's own list, the best first."""

    event: store.Event
    games: store.Games
    agents: Array  # (n, P) as in `games`, in the numbers of this section
    ratings: Ratings
    pairs: HeadToHead

    @property
    def names(self) -> list[str]:
        return self.ratings.names

    @property
    def title(self) -> str:
        """The event in words, with the options and the memory that are not the usual ones."""
        options = "".join(f", {name}={value}" for name, value in chosen_options(self.event).items())
        return f"{title(self.event.game)}, {self.event.players} players{options}{memory_words(self.event.memory)}"

    def agent_rows(self) -> list[Row]:
        """Every agent: rating and places of all games; scores and times of those that nobody forfeited (`scored`)."""
        firsts = first_shares(self.games.places)
        forfeited = self.games.forfeits[:, np.newaxis] == np.arange(self.event.players)
        rows = []
        for row in self.ratings.table():
            own = self.agents == self.names.index(row["agent"])
            whole = own & self.games.whole[:, np.newaxis]
            scores, asked = self.games.scores[whole], np.nansum(self.games.asked[whole])
            rows.append(
                {
                    **row,
                    "first_share": float(firsts[own].mean()),
                    "mean_place": float(self.games.places[own].mean()),
                    "scored": len(scores),
                    "mean_score": _mean(scores),
                    "score_deviation": float(scores.std()) if len(scores) else float("nan"),
                    "forfeits": int((own & forfeited).sum()),
                    "seconds_a_move": float(np.nansum(self.games.thinking[whole]) / asked) if asked else float("nan"),
                    "slowest_move": float(np.nanmax(self.games.slowest[whole])) if asked else float("nan"),
                }
            )
        return rows

    def pair_rows(self) -> list[Row]:
        """Every agent against every other one that it met."""
        better, games, score = self.ratings.better(), self.pairs.games, self.pairs.score
        return [
            {
                "agent": self.names[i],
                "opponent": self.names[j],
                "meetings": int(games[i, j]),
                "before": int(self.pairs.before[i, j]),
                "ties": int(self.pairs.ties[i, j]),
                "behind": int(self.pairs.before[j, i]),
                "score": float(score[i, j]),
                "margin": float(self.pairs.margin[i, j]),
                "rated_better": float(better[i, j]),
            }
            for i in self.ratings.order()
            for j in self.ratings.order()
            if games[i, j]
        ]

    def score_rows(self) -> list[Row]:
        """How often every agent had every score at the end of a game that nobody forfeited."""
        rows, whole = [], self.games.whole[:, np.newaxis]
        for k in self.ratings.order():
            own = (self.agents == k) & whole
            for score, n in zip(*np.unique(self.games.scores[own], return_counts=True), strict=True):
                rows.append({"agent": self.names[k], "score": int(score), "games": int(n)})
        return rows

    def seat_rows(self) -> list[Row]:
        """Every seat: its effect in rating points, its places and scores; scores as in `agent_rows`."""
        firsts = first_shares(self.games.places)
        return [
            {
                "seat": seat,
                "effect": float(self.ratings.seats[seat]),
                "low": float(self.ratings.seats_low[seat]),
                "high": float(self.ratings.seats_high[seat]),
                "first_share": float(firsts[:, seat].mean()),
                "mean_place": float(self.games.places[:, seat].mean()),
                "mean_score": _mean(self.games.scores[self.games.whole, seat]),
            }
            for seat in range(self.event.players)
        ]

    def length_rows(self) -> list[Row]:
        """The lengths of the games that nobody forfeited: a number of moves, and the number of games that took it."""
        counted = zip(*np.unique(self.games.moves[self.games.whole], return_counts=True), strict=True)
        return [{"moves": int(moves), "games": int(n)} for moves, n in counted]

    def forfeit_rows(self) -> list[Row]:
        """Who forfeited how often, and why; `example` is the whole reason of the first of these games."""
        rows: dict[tuple[str, str], Row] = {}
        for i in np.flatnonzero(self.games.forfeits >= 0):
            agent = self.names[int(self.agents[i, self.games.forfeits[i]])]
            whole = str(self.games.reasons[i])
            kind = kind_of(agent, whole)
            row = rows.setdefault((agent, kind), {"agent": agent, "reason": kind, "games": 0, "example": whole})
            row["games"] += 1
        return [rows[key] for key in sorted(rows)]

    def tables(self) -> dict[str, list[Row]]:
        """The rows of every table of TABLES by the name of the table."""
        rows = (
            self.agent_rows(), self.pair_rows(), self.score_rows(), self.seat_rows(), self.length_rows(),
            self.forfeit_rows(),
        )  # fmt: skip
        return dict(zip(TABLES, rows, strict=True))


def _mean(values: Array) -> float:
    """The mean of the values; NaN if there are none."""
    return float(values.mean()) if len(values) else float("nan")


@dataclass(frozen=True)
class Report:
    """A whole tournament."""

    path: Path
    sections: list[Section]
    empty: list[store.Event]  # no game of these is finished
    runs: list[Row]
    replicates: int
    seed: int

    def tables(self) -> dict[str, list[Row]]:
        """The rows of all events by the name of the table, each with the event in front; and the table `overall`."""
        found: dict[str, list[Row]] = {OVERALL: overall_rows(self.sections)}
        found |= {name: [] for name in TABLES}
        for section in self.sections:
            event = section.event
            options = " ".join(f"{name}={value}" for name, value in event.options.items())
            head = {"event": event.number, "game": event.game, "version": event.version}
            head |= {"players": event.players, "options": options, "memory": event.memory}
            for name, rows in section.tables().items():
                found[name] += [head | row for row in rows]
        return found


def read(
    path: str | Path,
    *,
    anchor: str | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Read a tournament and rate its agents.

    anchor : the agent with rating 0; in events without it, and by default, the one that `rate` chooses.
    progress : called with the work done and the whole work.
    """
    events = store.events(path)
    played = [(event, games) for event in events if len(games := store.games(path, event))]
    if not played:
        raise ValueError(f"{path} has no finished game to report on")
    there = dict.fromkeys(games.names[k] for _, games in played for k in np.unique(games.agents))
    if anchor is not None and anchor not in there:
        raise ValueError(f"the anchor {anchor!r} played in no event; agents that did: {', '.join(there)}")
    sections: list[Section] = []
    for event, games in played:

        def tell(done: int) -> None:
            if progress is not None:
                progress(len(sections) * replicates + done, len(played) * replicates)

        tell(0)
        sections.append(_section(event, games, anchor, replicates, seed, tell))
    empty = [event for event in events if all(event is not other for other, _ in played)]
    return Report(Path(path), sections, empty, store.runs(path), replicates, seed)


def _section(
    event: store.Event,
    games: store.Games,
    anchor: str | None,
    replicates: int,
    seed: int,
    tell: Callable[[int], None],
) -> Section:
    """Rate the agents of an event that have played in it."""
    playing, agents = np.unique(games.agents, return_inverse=True)
    agents = agents.reshape(games.agents.shape)
    names = [games.names[k] for k in playing]
    zero = anchor if anchor in names else None
    ratings = rate(
        agents, games.places, games.deals, names, anchor=zero, replicates=replicates, seed=seed, progress=tell
    )
    return Section(event, games, agents, ratings, head_to_head(agents, games.places, games.deals, names))
