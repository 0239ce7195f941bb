"""Play whole games with agents.

    results = play("manhattan", ["heuristic", "random"], games=1000, players=2, seed=1, rotate=True)

Game i has the seed `seed + i`; with `duplicate` every seed is played in all seat rotations before the next. Everything
random in a game, the agents' part too, follows from its seed and rotation, so results do not depend on how many games
are played at once. `skyline_agents.match.arena` plays the games.

What an agent raises comes through, with a note that names the agent, the seat, the move and the seed
(`skyline_agents.match.blame`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.arguments import check_choice
from skyline.game import DEFAULT_MEMORY, MEMORIES, Game
from skyline.rng import check_seed
from skyline.typing import Memory
from skyline_agents import names
from skyline_agents.match import arena
from skyline_agents.match.matches import Match, Moved, Played, Seatings
from skyline_agents.protocol import Agent
from skyline_agents.results import Finished, Results

PREPARED = 1 << 16  # games whose seatings are made in one call


def play(
    game: str | Game,
    agents: str | Sequence[str | Agent],
    games: int = 1,
    *,
    players: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    rotate: bool = False,
    duplicate: bool = False,
    memory: Memory = DEFAULT_MEMORY,
    auto_forced: bool = False,
    record: str | Path | None = None,
    legal: bool = False,
    watch: Callable[[Moved], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play games and give their results. Ctrl-C ends the playing early: the results hold the games that were finished.

    Parameters
    ----------
    agents : names (see `skyline_agents.names`) or agents; fewer than players are repeated in turn.
    players : default: as many as agents are given, at least the game's smallest count.
    rotate : agent k sits at seat (k + i) mod P in game i.
    duplicate : the same, and the P games of a round have one seed: every deal is played in every seat rotation.
    memory : "recall": views and observations know what a seat has seen earlier; "table": what lies on the table now.
    auto_forced : agents are not asked when there is a single legal move.
    record, legal : write every game to this folder as `record_name` says, with all legal moves if `legal`.
    watch : called after every move.   progress : called with the number of games finished, first with 0.
    """
    loaded = registry.load(game)
    line_up = names.split(agents) if isinstance(agents, str) else list(agents)
    count = loaded.check_players(max(len(line_up), loaded.player_counts[0]) if players is None else players)
    line_up = names.fill(line_up, count)
    check_choice("memory", memory, tuple(MEMORIES))
    _check_seeds(seed, games, count if duplicate else 1)
    match = Match(
        loaded, count, loaded.check_options(options),
        [agent if isinstance(agent, str) else type(agent).__name__ for agent in line_up],
        [names.make(agent) if isinstance(agent, str) else agent for agent in line_up],
        auto_forced, legal=legal, memory=memory, watch=watch,
    )  # fmt: skip
    folder = None if record is None else writable(Path(record))
    results = Results(
        loaded, count, match.options, match.names, int(seed), int(games), rotate or duplicate, duplicate, memory
    )
    _play(match, results, folder, progress or (lambda done: None))
    return results


def _check_seeds(seed: int, games: int, rounds: int) -> None:
    if games < 1:
        raise ValueError(f"the number of games is at least 1, not {games}")
    check_seed(seed)
    check_seed(int(seed) + (games - 1) // rounds)


def _play(match: Match, results: Results, folder: Path | None, tell: Callable[[int], None]) -> None:
    """Play the games that the results ask for, and put them into the results."""
    try:
        arena.load(match, _seatings(results, range(1), folder))
        tell(0)
        begun = time.perf_counter()
        for seatings in _all_seatings(results, folder):
            for rows, played in arena.games(match, seatings):
                results.blocks.append(_by_agent(seatings.take(rows), played))
                results.seconds = time.perf_counter() - begun
                tell(len(results))
    except KeyboardInterrupt:
        results.interrupted = True


def _all_seatings(results: Results, folder: Path | None) -> Iterator[Seatings]:
    for first in range(0, results.asked, PREPARED):
        yield _seatings(results, range(first, min(first + PREPARED, results.asked)), folder)


def _seatings(results: Results, numbers: range, folder: Path | None) -> Seatings:
    """The seatings of the games with these numbers: seeds, who sits where, rotations and files."""
    P, games = results.players, np.arange(numbers.start, numbers.stop)
    deals, rotations = (games // P, games % P) if results.duplicate else (games, games * 0)
    turned = games[:, np.newaxis] % P if results.rotate else 0
    agents = np.broadcast_to((np.arange(P) - turned) % P, (len(games), P))
    seeds = np.uint64(results.seed) + deals.astype(np.uint64)
    files = None
    if folder is not None:
        files = [
            folder / record_name(results.game, P, int(seed), int(rotation))
            for seed, rotation in zip(seeds, rotations, strict=True)
        ]
    return Seatings(seeds, agents, rotations, files)


def _by_agent(seatings: Seatings, played: Played) -> Finished:
    """The results of games, which come seat by seat, agent by agent."""
    seats = np.argsort(seatings.agents, axis=1)
    scores, places = (np.take_along_axis(values, seats, 1) for values in (played.scores, played.places))
    return Finished(seatings.seeds, seats, scores, places, played.moves, played.forced)


def writable(folder: Path) -> Path:
    """The folder, which is made where it is missing; OSError if nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, "no permission to write", str(folder))
    return folder


def record_name(game: Game, players: int, seed: int, rotation: int = 0) -> str:
    """The file name of a game's record."""
    turned = f"-rotation{rotation}" if rotation else ""
    return f"{game.name}-{players}p-seed{seed}{turned}.jsonl"
