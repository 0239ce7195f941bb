"""A run as data, which `skyline bench` writes, prints, draws and compares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.game import Game
from skyline.reading import Fields, Value, parse_json, read_file
from skyline.rng import streams
from skyline_bench.harness import groups, machine
from skyline_bench.harness.layer import Measure, pinned
from skyline_bench.harness.measure import Rounds
from skyline_bench.layers import reference
from skyline_bench.peers.run import started

SCHEMA = 2
WHOLE_GAMES = 256  # the mean number of decisions is taken over that many games
Report = dict[str, Any]
Key = tuple[str, str, str]  # a game, "peers" or "reference"; player count or peer; layer or game


@dataclass(frozen=True)
class BenchPlan:
    """The games, layers and peers of a run."""

    games: Sequence[str | Game] = ()
    players: Sequence[int] = ()
    layers: Sequence[str] = groups.QUICK
    threads: int = 1
    seconds: float = 0.5
    reference: bool = True  # PettingZoo's connect four in this process, where it can be imported
    peers: Sequence[str] = ()
    start_up: bool = False


def measure(plan: BenchPlan, tell: Callable[[int, int], None] = lambda done, total: None) -> Report:
    """Measure in one run; `tell` gets the numbers of finished calls and of all. After Ctrl-C: the report until then."""
    fingerprint = machine.fingerprint()
    tables = [(game, count) for game in _games(plan) for count in _counts(plan, game)]
    chosen = {(game.name, str(count)): groups.choose(game, count, plan.layers, plan.threads) for game, count in tables}
    lengths = {table: {policy: decisions(*table, policy) for policy in engine.POLICIES} for table in tables}
    others = reference.connect_four() if plan.reference else {}
    with started(plan.peers) as peers:
        measures: dict[Key, Measure] = {
            (*table, name): layer.measure if layer.threads > 1 else pinned(layer.measure)
            for table, part in chosen.items()
            for name, layer in part.layers.items()
        }
        measures |= {("reference", "", name): pinned(layer.measure) for name, layer in others.items()}
        measures |= {("peers", peer.name, game): partial(peer.measure, game) for peer in peers for game in peer.games}
        rounds = Rounds(measures, plan.seconds)
        rounds.run(lambda done: tell(done, rounds.calls))
        report: Report = {
            "schema": SCHEMA,
            "fingerprint": {**fingerprint, "calibration after": machine.calibration(), "load after": machine.load()},
            "settings": _settings(plan),
            "interrupted": rounds.interrupted,
            "games": _by_game(lengths, chosen, rounds),
            "reference": {name: speed.as_data() for (of, _, name), speed in rounds.speeds.items() if of == "reference"},
            "peers": {peer.name: peer.as_data(rounds) for peer in peers},
        }
    if plan.start_up and not rounds.interrupted:
        _add_start_up(plan, report)
    return report


def _add_start_up(plan: BenchPlan, report: Report) -> None:
    """Add the start-up times of every game; Ctrl-C leaves out the games that are left."""
    try:
        for game in _games(plan):
            report["games"][game.name]["start_up"] = machine.start_up(game.name, _counts(plan, game)[0])
    except KeyboardInterrupt:
        report["interrupted"] = True


def _settings(plan: BenchPlan) -> dict[str, Any]:
    return {
        "seconds": plan.seconds,
        "threads": plan.threads,
        "reference": plan.reference,
        "layers": list(plan.layers),
    }


def _games(plan: BenchPlan) -> list[Game]:
    return list(dict.fromkeys(registry.load(name) for name in plan.games or registry.names()))


def _counts(plan: BenchPlan, game: Game) -> list[int]:
    return [game.check_players(count) for count in plan.players] if plan.players else list(game.player_counts)


def _by_game(lengths: Mapping[tuple[Game, int], dict[str, float]], chosen: Any, rounds: Rounds[Key]) -> dict[str, Any]:
    games: dict[str, Any] = {}
    for (game, count), length in lengths.items():
        part, speeds = chosen[game.name, str(count)], {}
        for name, layer in part.layers.items():
            key = (game.name, str(count), name)
            if speed := rounds.speeds.get(key):
                speeds[name] = speed.as_data() | {"first call seconds": round(rounds.first[key], 3)}
                if layer.policy:
                    speeds[name]["games"] = speed.median / length[layer.policy]
        entry = games.setdefault(game.name, {"title": game.title, "version": game.version, "players": {}})
        entry["players"][str(count)] = {
            "sizes": sizes(game, count),
            "decisions": length,
            "layers": speeds,
            "missing": part.missing,
        }
    return games


def sizes(game: Game, players: int) -> dict[str, int]:
    """Bytes of a state, a mask and an observation."""
    observation = game.observation(players)
    return {
        "state": game.state.itemsize,
        "mask": game.actions(players).size,
        "observation": 2 * observation.size(),
        "rich observation": 2 * observation.size("rich"),
    }


def decisions(game: Game, players: int, policy: str, n: int = WHOLE_GAMES) -> float:
    """The mean number of decisions of a game in which this policy plays every seat."""
    states, moves, forced = game.blank(players, n=n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    luck, policies = streams(n * players, 1).reshape(n, players), np.full((n, players), engine.POLICIES[policy])
    engine.kernels(game).whole_games(
        states, np.arange(1, n + 1, dtype=np.uint64), policies, luck, engine.mask_array(game, players, n), moves,
        forced, np.zeros((n, players), np.int64),
    )  # fmt: skip
    return float(moves.mean())


def read(path: Path) -> Report:
    """A report from a file; ValueError for any other file."""
    data = parse_json(read_file(path, "report"), str(path))
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or "games" not in data:
        raise ValueError(f"{path} is no report of this version's skyline bench --json (schema {SCHEMA}): measure again")
    _check(Value(data, f"{path}: report").items())
    return data


def _check(given: Fields) -> None:
    """Raises Unreadable unless the report has everything that a comparison needs."""
    for _, game in given["games"].items():
        for _, part in game.items()["players"].items():
            for _, speed in part.items()["layers"].items():
                speed.items()["median"].number(1e-9, 1e15)
    for _, peer in given["peers"].items():
        for _, speed in peer.items()["games"].items():
            fields = speed.items()
            fields["step"].text()
            fields["left_out"].text()
    machine = given["fingerprint"].items()
    machine["calibration"].number(1e-9, 1e9)
    machine["time"].text()
    if not machine["commit"].is_null:
        machine["commit"].text()
