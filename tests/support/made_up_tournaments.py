"""Databases of tournaments with made-up games, for the tests of the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from skyline.typing import Array
from skyline_agents.database.store import Event, Store
from skyline_agents.match.matches import Played

VERSIONS = {"skyline": "0.1.0", "machine": "test"}


def event(number: int, players: int, roster: Sequence[str], planned: int, **changed: Any) -> Event:
    """An event; the rules of its game do not matter."""
    settings = {"game": "manhattan", "version": 0, "options": {}, "format": "mixed", "seed": 1, "deals": planned}
    return Event(number=number, players=players, roster=list(roster), planned=planned, **(settings | changed))


def line_ups(rng: np.random.Generator, K: int, P: int, deals: int) -> tuple[Array, Array, Array]:
    """Mixed tables of K agents in all seat rotations: agents (n, P), deals (n,), rotations (n,)."""
    tables = np.array([rng.permutation(K)[:P] for _ in range(deals)])
    agents = np.stack([np.roll(tables, i, axis=1) for i in range(P)], axis=1).reshape(-1, P)
    return agents, np.repeat(np.arange(deals), P), np.tile(np.arange(P), deals)


def played(rng: np.random.Generator, agents: Array, strengths: Array, timed: Sequence[int] = ()) -> Played:
    """Games in which better agents score more; `timed` agents were asked in Python."""
    (n, P), blank = agents.shape, np.full(agents.shape, np.nan)
    scores = np.round(40 + 9 * strengths[agents] + rng.normal(0, 8, (n, P)) - np.arange(P)).astype(np.int64)
    places = 1 + (scores[:, np.newaxis, :] > scores[:, :, np.newaxis]).sum(axis=2)
    own = np.isin(agents, timed)
    return Played(
        scores,
        places,
        rng.integers(44, 53, n),
        rng.integers(0, 4, n),
        rng.random(n),
        np.where(own, 0.4, blank),
        np.where(own, 0.1, blank),
        np.where(own, 20, blank),
        np.full(n, -1),
        [None] * n,
    )


def write(path: Path, games: Sequence[tuple[Event, Array, Array, Array, Played]]) -> Path:
    """A database of these events, each with agents, deals, rotations and results."""
    with Store(path) as store:
        store.create([event for event, *_ in games], {"move_seconds": None, "sprt": None})
        run = store.begin_run(VERSIONS)
        for event, agents, deals, rotations, results in games:
            columns = {"deal": deals, "line_up": np.zeros(len(deals), np.int64), "rotation": rotations}
            store.add(event, run, {**columns, "seed": deals.astype(np.uint64) + np.uint64(1)}, agents, results)
    return path


def sample(path: Path, deals: int = 40) -> Path:
    """A database with two events that have games and one that has none; with forfeits, an agent that never loses, and a
    name that is markup."""
    rng = np.random.default_rng(5)
    roster = ["random", "heuristic", "ismcts:0.1s,playout=heuristic", "<b>my_file:MyAgent</b>"]
    strengths = np.array([0.0, 1.0, 1.6, 0.4])
    four, (agents, numbers, rotations) = event(0, 4, roster, 8 * deals), line_ups(rng, 4, 4, deals)
    results = played(rng, agents, strengths, timed=[2, 3])
    for i in np.flatnonzero((agents[:, 1] == 3) & (numbers % 7 == 0)):
        results.forfeits[i], results.reasons[i] = 1, "ValueError: no move & no idea"
    games = [(four, agents, numbers, rotations, results)]
    two, (agents, numbers, rotations) = event(1, 2, roster[:2], 2 * deals), line_ups(rng, 2, 2, deals)
    games.append((two, agents, numbers, rotations, played(rng, agents, np.array([0.0, 9.0]))))
    none = np.zeros(0, np.int64)
    three = event(2, 3, roster, 100), np.zeros((0, 3), np.int64), none, none
    games.append((*three, played(rng, three[1], strengths)))
    return write(path, games)
