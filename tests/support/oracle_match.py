"""Whole games on the fast core and on the game's oracle, compared at every decision.

    python -m tests.support.oracle_match manhattan --games 20000 --jobs 2 --seed 1

The core deals and shuffles from its seed; the oracle is given the results. The two must agree in the seat to decide,
the legal actions with their texts, the whole position with its hidden parts, the scores, and the places at the end.

A game brings `tests/games/<game>/match.py`:

    OPTIONS    option sets that are played in turn: [{}]
    POLICIES   {name: policy(rng, legal, oracle) -> move text}, beside the uniform policy
    before_move(oracle, legal, text) and at_end(oracle)    names of rare events to count
    comparable(position)    the position of either side without parts that have no meaning
"""

from __future__ import annotations

import argparse
import copy
import importlib
import itertools
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from skyline import registry
from skyline.record import Recorder
from tests.support.rule_cases import Core, Legal, folder_of

Policy = Callable[[random.Random, Legal, Any], str]


def uniform(rng: random.Random, legal: Legal, oracle: Any) -> str:
    """Every legal move with the same chance."""
    return rng.choice(legal)[1]


@dataclass(frozen=True)
class Plan:
    """One game to play: all moves and chance events follow from these fields."""

    game: str
    players: int
    options: int  # index in the game's OPTIONS
    policy: str
    seed: int


class Disagreement(AssertionError):
    """Core and oracle differ: the place, the difference, and the record until there."""


@lru_cache(None)
def data_of(game: str) -> Any:
    """The module tests/games/<game>/match.py."""
    return importlib.import_module(f"tests.games.{folder_of(game)}.match")


@lru_cache(None)
def oracle_of(game: str) -> Any:
    """The class Oracle of tests/games/<game>/oracle.py."""
    return importlib.import_module(f"tests.games.{folder_of(game)}.oracle").Oracle


def policies(game: str) -> dict[str, Policy]:
    return {"uniform": uniform, **data_of(game).POLICIES}


def compare(core: Core, oracle: Any, comparable: Callable[[Any], Any]) -> tuple[Legal, str | None]:
    """The legal moves, and the differences between core and oracle, or None."""
    legal = core.legal()
    sides = {
        "seat to decide": (core.seat, oracle.seat),
        "legal moves": (legal, oracle.legal()),
        "position": (comparable(core.position()), comparable(oracle.position())),
        "scores": (core.scores, list(oracle.scores)),
    }
    if core.seat is None:
        sides["places"] = core.places(), list(oracle.places())
    for what, (ours, theirs) in sides.items():
        if ours != theirs:
            return legal, f"{what}: {_apart(ours, theirs)}"
    return legal, None


def _apart(ours: Any, theirs: Any) -> str:
    """The parts of two values that differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        fields = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
        return "; ".join(f"{key}: core {ours.get(key)}, oracle {theirs.get(key)}" for key in fields)
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) + len(theirs) > 12:
        only = [row for row in ours if row not in theirs], [row for row in theirs if row not in ours]
        return f"only core {only[0]}, only oracle {only[1]}, {len(ours)} and {len(theirs)} in all"
    return f"core {ours}, oracle {theirs}"


def play(plan: Plan) -> Counter[str]:
    """Play one game on both sides; the counts of its events. Raises Disagreement at the first difference."""
    data, counts = data_of(plan.game), Counter[str]()
    options = data.OPTIONS[plan.options]
    core = Core.deal(plan.game, plan.players, plan.seed, options)
    oracle = oracle_of(plan.game)(plan.players, dict(options), core.game.setup(core.states[0]))
    rng, policy = random.Random(plan.seed), policies(plan.game)[plan.policy]
    moves: list[str] = []
    while True:
        legal, difference = compare(core, oracle, data.comparable)
        if difference is not None:
            raise Disagreement(_report(plan, options, moves, difference))
        if oracle.seat is None:
            counts.update(["games"], decisions=len(moves))
            counts.update(data.at_end(oracle))
            return counts
        text = policy(rng, legal, oracle)
        counts.update(data.before_move(oracle, legal, text))
        moves.append(text)
        events = core.play_action(next(action for action, legal_text in legal if legal_text == text))
        counts["shuffles"] += len(events)
        try:
            oracle.play(text, events)
        except Exception as error:
            reason = f"the oracle refuses {text!r} with {events}: {error!r}"
            raise Disagreement(_report(plan, options, moves, reason)) from error


def _report(plan: Plan, options: dict[str, Any], moves: Sequence[str], difference: str) -> str:
    recorder = Recorder(plan.game, plan.players, plan.seed, options)
    for text in moves:
        recorder.play(recorder.game.parse_move(recorder.state[0], text))
    return f"{plan}, after {len(moves)} moves: {difference}\n{recorder.text()}"


def plans(game: str, games: int, seed: int, players: Sequence[int] = (), only: Sequence[str] = ()) -> Iterator[Plan]:
    """Games spread over player counts, option sets and policies; game i has the seed `seed` + i.

    Half of the games are uniform, the others go through the game's policies.
    """
    counts = list(players or registry.load(game).player_counts)
    biased = list(only or data_of(game).POLICIES)
    names = biased if only else [name for other in biased for name in ("uniform", other)] or ["uniform"]
    mixes = itertools.product(names, range(len(data_of(game).OPTIONS)), counts)
    for i, (policy, options, count) in zip(range(games), itertools.cycle(mixes), strict=False):
        yield Plan(game, count, options, policy, seed + i)


def match(game: str, games: int, seed: int, players: Sequence[int] = (), only: Sequence[str] = ()) -> Counter[str]:
    """Play the games one after the other; the sum of their counts."""
    total = Counter[str]()
    for plan in plans(game, games, seed, players, only):
        total += play(plan)
    return total


# ---------------------------------------------------------------- counts of the tree


def count_nodes(core: Core, oracle: Any, depth: int) -> list[int]:
    """The numbers of positions 1, 2, .. `depth` moves below this one; core and oracle must agree on each of them.

    Chance events come from the core's stream, so the counts belong to the `stream` of the first position.
    """
    legal, difference = compare(core, oracle, data_of(core.game.name).comparable)
    assert difference is None, difference
    below = [0] * depth
    for action, text in legal:
        below[0] += 1
        if depth > 1:
            next_core, next_oracle = core.copy(), copy.deepcopy(oracle)
            next_oracle.play(text, next_core.play_action(action))
            for i, count in enumerate(count_nodes(next_core, next_oracle, depth - 1), 1):
                below[i] += count
    return below


# ---------------------------------------------------------------- the script


def _played(plan: Plan) -> tuple[Plan, Counter[str] | str]:
    """For a worker: the counts, or the text of the disagreement."""
    try:
        return plan, play(plan)
    except Disagreement as found:
        return plan, str(found)


def _results(todo: Sequence[Plan], jobs: int) -> Iterator[tuple[Plan, Counter[str] | str]]:
    if jobs == 1:
        yield from map(_played, todo)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_played, todo, chunksize=20)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.oracle_match", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, nargs="*", default=[], help="player counts (all)")
    parser.add_argument("--policy", nargs="*", default=[], help="uniform or a policy of the game (all)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="game i is dealt from seed + i")
    given = parser.parse_args(arguments)
    if unknown := set(given.policy) - set(policies(given.game)):
        parser.error(f"no policy {', '.join(unknown)}; there are {', '.join(policies(given.game))}")
    if given.games < 1 or given.jobs < 1:
        parser.error("games and jobs are at least 1")
    todo = list(plans(given.game, given.games, given.seed, given.players, given.policy))
    began, total, kinds = time.monotonic(), Counter[str](), Counter[str]()
    for done, (plan, result) in enumerate(_results(todo, given.jobs), 1):
        if isinstance(result, str):
            print(f"\nDISAGREEMENT {result}")
            return 1
        total += result
        kinds[f"{plan.players} players, {plan.policy}"] += 1
        if done % max(1, len(todo) // 20) == 0:
            rate = done / (time.monotonic() - began)
            print(f"{done} of {len(todo)} games agree, {rate:.1f} a second", file=sys.stderr, flush=True)
    print(f"{given.game}: core and oracle agree on {len(todo)} whole games, seeds {given.seed} .. "
          f"{given.seed + len(todo) - 1}, {time.monotonic() - began:.0f} s")  # fmt: skip
    for name, count in [*sorted(kinds.items()), *total.most_common()]:
        print(f"  {count:>9,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
