"""Watchers beside whole games: what a seat knows by its history alone, compared with the core at every decision.

    python -m tests.support.watch manhattan --decisions 1000000 --jobs 2
    python -m tests.support.watch manhattan --decisions 100000 --deals 2

A game brings `tests/games/<game>/watching/watcher.py`, written from its RULES.md without knowledge of the core:

    Watcher(first)           the books of one seat, from the first entry of its history
        see(entry)           the next entry
        knowledge()          what the seat knows, as `knowledge(row, seat)` of the game says it
        possible(position)   why a deal does not agree with what was seen, or None
        number_possible()    where a game's `knowledge` has `possible`: that number; None if it is too large to say

Every seat's watcher gets every entry. At every decision, and at the end, `knowledge()` is compared with the core's
(with --rotate for one seat, in turn), `possible` in it at each --every-th one. With --deals K, at each --every-deals-th
decision the position itself and K deals drawn by `determinize` for one seat, in turn, go to `possible`. The entries are
built from `game.seen` and `game.move_text`; each --every-history-th game they are compared with `Recorder.history`.

The first difference ends the run with exit code 1 and the command that repeats it.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.game import MEMORIES
from skyline.record import Recorder
from skyline.rng import streams
from tests.games.forgotten import has_forgotten
from tests.support.leaning import Policy
from tests.support.oracle_match import data_of
from tests.support.rule_cases import folder_of

Json = dict[str, Any]

OF_GAMES = ("random", "heuristic", "mixed")
MOST_FORGOTTEN = 10_000  # one deal of so many may forget (MH-M22, FA-M27); more would hide a fault of determinize


@dataclass(frozen=True)
class Plan:
    """One game: everything in it follows from these fields."""

    game: str
    players: int
    options: int  # index in the OPTIONS of the game's match.py
    policy: str
    seed: int
    deals: int = 0
    every: int = 1  # decisions: of each so-many-th the number of possible hands is compared
    every_deals: int = 1
    history: bool = False  # compare the entries with those of the recorder
    rotate: bool = False  # compare one seat at a decision, one after the other, instead of all
    forgetful: bool = False  # draw the deals with memory "table", and count those that contradict

    def command(self) -> str:
        deals = f" --deals {self.deals} --every-deals {self.every_deals}" if self.deals else ""
        return (
            f"python -m tests.support.watch {self.game} --games 1 --seed {self.seed} --players {self.players} "
            f"--options {self.options} --policy {self.policy} --every {self.every}{deals}{' --rotate' * self.rotate}"
        )


class Difference(AssertionError):
    """Watcher and core differ: the place, both sides, and the command that repeats it."""


def watcher_of(game: str) -> Any:
    """The class Watcher of tests/games/<game>/watching/watcher.py."""
    return importlib.import_module(f"tests.games.{folder_of(game)}.watching.watcher").Watcher


def policies_of(game: str) -> dict[str, Policy]:
    """Further policies of the game, from tests/games/<game>/watching/policies.py."""
    return dict(importlib.import_module(f"tests.games.{folder_of(game)}.watching.policies").POLICIES)


class Table:
    """One game on a recorder with the watchers of all seats."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.counts = plan, Counter[str]()
        self.options = data_of(plan.game).OPTIONS[plan.options]
        self.recorder = Recorder(plan.game, plan.players, plan.seed, self.options)
        self.game = self.recorder.game
        self.kernels = engine.kernels(self.game)
        self.rng = random.Random(plan.seed)
        row, seats = self.recorder.state[0], range(plan.players)
        first: Json = {"players": plan.players, "options": self.recorder.options}
        self.entries: list[list[Json]] = [
            [{**first, "viewer": seat, "seen": self.game.seen(None, -1, row, seat)}] for seat in seats
        ]
        self.moves = 0
        self.watchers: list[Any] = []
        self.watchers = [self._guarded(seat, watcher_of(plan.game), self.entries[seat][0]) for seat in seats]
        names = ["random", "heuristic", *policies_of(plan.game)]
        mixed = plan.policy == "mixed"
        self.policies = [self.rng.choice(names) if mixed else plan.policy for _ in seats]

    # ------------------------------------------------------------ play

    def play(self) -> Counter[str]:
        """The whole game; its counts. Raises Difference at the first difference."""
        while True:
            began = time.perf_counter()
            self._compare()
            self.counts["us of comparing"] += int(1e6 * (time.perf_counter() - began))
            if self.recorder.seat is None:
                break
            if self.plan.deals and self.moves % self.plan.every_deals == 0:
                self._deals(self.moves // self.plan.every_deals % self.plan.players)
            self._move()
        if self.plan.history:
            self._histories()
        self.counts.update(["games"], decisions=self.moves)
        return self.counts

    def _move(self) -> None:
        seat = self.recorder.seat
        assert seat is not None
        before = self.recorder.state.copy()
        action = self._choice(self.policies[seat])
        move = self.game.move_text(before[0], action)
        self.recorder.play(action)
        self.moves += 1
        self.counts[f"moves: {move.split()[0]}"] += 1
        after = self.recorder.state[0]
        for viewer, watcher in enumerate(self.watchers):
            began = time.perf_counter()
            entry = {"seat": seat, "move": move, "seen": self.game.seen(before[0], action, after, viewer)}
            told = time.perf_counter()
            if self.plan.history:
                self.entries[viewer].append(entry)
            self._guarded(viewer, watcher.see, entry)
            self.counts["us of telling"] += int(1e6 * (told - began))
            self.counts["us of watching"] += int(1e6 * (time.perf_counter() - told))

    def _choice(self, policy: str) -> int:
        if policy == "random":
            return self.rng.choice(self.recorder.legal())
        if policy == "heuristic":
            actions = np.zeros(1, np.int64)
            luck = streams(1, self.rng.getrandbits(63))
            chooser = np.full(1, engine.HEURISTIC)
            self.kernels.choose_rows(self.recorder.state, self.recorder.mask, chooser, luck, actions)
            return int(actions[0])
        row = self.recorder.state[0]
        legal = [(action, self.game.move_text(row, action)) for action in self.recorder.legal()]
        return policies_of(self.plan.game)[policy](self.rng, legal, self.watchers)

    # ------------------------------------------------------------ compare

    def _guarded(self, seat: int, call: Callable[..., Any], argument: Any) -> Any:
        """The call's result; an error of the watcher is a difference."""
        try:
            return call(argument)
        except Exception as error:
            raise Difference(self._report(seat, f"the watcher cannot follow: {error!r}\n  told {argument}")) from error

    def _report(self, seat: int, difference: str) -> str:
        plan = self.plan
        who = f"{plan.game}, seed {plan.seed}, {plan.players} players, options {self.options}, after {self.moves} moves"
        lines = [line["move"] for line in self.recorder.lines if "move" in line]
        return f"{who}, seat {seat}: {difference}\n  last moves: {lines[-12:]}\n  again: {plan.command()}"

    def _compare(self) -> None:
        row = self.recorder.state[0]
        seats = [self.moves % self.plan.players] if self.plan.rotate else range(self.plan.players)
        for seat in seats:
            watcher = self.watchers[seat]
            if self._is_outgrown(seat):
                continue
            began = time.perf_counter()
            ours = dict(self.game.knowledge(row, seat))
            known = time.perf_counter()
            theirs = dict(watcher.knowledge())
            self.counts["us of the core's knowledge"] += int(1e6 * (known - began))
            self.counts["us of the watchers' knowledge"] += int(1e6 * (time.perf_counter() - known))
            if hasattr(watcher, "number_possible"):
                number = ours.pop("possible", None)
                theirs.pop("possible", None)
                if number is not None and self.moves // self.plan.players % self.plan.every == 0:
                    self._compare_possible(seat, number)
            if ours != theirs:
                fields = [field for field in {**ours, **theirs} if ours.get(field, "-") != theirs.get(field, "-")]
                apart = [f"\n  {f}:\n    core    {ours.get(f, '-')}\n    watcher {theirs.get(f, '-')}" for f in fields]
                raise Difference(self._report(seat, f"they know different things{''.join(apart)}"))
            if self.plan.history:
                json.dumps(ours)  # plain data only
            self.counts["comparisons"] += 1

    def _is_outgrown(self, seat: int) -> bool:
        """Whether the game is longer than what the rules let a seat remember; such decisions are counted."""
        found: bool = getattr(self.watchers[seat], "is_outgrown", False)
        self.counts["decisions beyond what is kept"] += found
        return found

    def _compare_possible(self, seat: int, ours: int) -> None:
        theirs = self.watchers[seat].number_possible()
        if theirs is not None and theirs != ours:
            raise Difference(self._report(seat, f"possible hands: core {ours}, watcher {theirs}"))
        self.counts["possible hands compared" if theirs is not None else "possible hands too many for the watcher"] += 1

    def _deals(self, seat: int) -> None:
        """The true position and the deals drawn for a seat."""
        if self._is_outgrown(seat):
            return
        began = time.perf_counter()
        possible = self.watchers[seat].possible
        if reason := self._guarded(seat, possible, self.game.position(self.recorder.state[0])):
            raise Difference(self._report(seat, f"the true position is not possible: {reason}"))
        rows = np.repeat(self.recorder.state, self.plan.deals)
        if self.plan.forgetful:
            rows["memory"] = MEMORIES["table"]
        self.kernels.determinize_rows(rows, np.full(len(rows), seat), streams(len(rows), self.rng.getrandbits(63)))
        for number, row in enumerate(rows):
            reason = self._guarded(seat, possible, self.game.position(row))
            self.counts["deals"] += 1
            if reason and self.plan.forgetful:
                self.counts["deals that contradict"] += 1
            elif has_forgotten(self.plan.game, row, self.recorder.state[0]):
                self.counts["deals that forgot"] += 1  # hardly a deal agrees: MH-M22, FA-M27
            elif reason:
                raise Difference(self._report(seat, f"deal {number} is not possible: {reason}"))
        self.counts["us of deals"] += int(1e6 * (time.perf_counter() - began))

    def _histories(self) -> None:
        """The entries as users get them are the ones that the watchers got."""
        for seat, entries in enumerate(self.entries):
            ours = self.recorder.history(seat)  # type: ignore[attr-defined, unused-ignore]
            if ours != entries:
                pairs = enumerate(itertools.zip_longest(ours, entries))
                number, pair = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
                raise Difference(self._report(seat, f"entry {number} of the history is {pair[0]}, not {pair[1]}"))
        self.counts["histories compared"] += len(self.entries)


# ---------------------------------------------------------------- many games


def plans(given: argparse.Namespace) -> Iterator[Plan]:
    """Games without end, spread over player counts, option sets and policies; game i has the seed `seed` + i."""
    counts = given.players or list(registry.load(given.game).player_counts)
    options = given.options if given.options is not None else range(len(data_of(given.game).OPTIONS))
    mixes = itertools.cycle(itertools.product(options, counts, given.policy))
    for i, (option, players, policy) in enumerate(mixes):
        history = bool(given.every_history) and i % given.every_history == 0
        yield Plan(
            given.game, players, option, policy, given.seed + i, given.deals, given.every, given.every_deals, history,
                given.rotate, given.forgetful,
        )  # fmt: skip


def watched(plan: Plan) -> Counter[str] | str:
    """The counts of a game, or the text of the difference."""
    try:
        counts = Table(plan).play()
    except Difference as found:
        return str(found)
    counts[f"decisions with {plan.players} players"] = counts["decisions"]
    counts[f"decisions of policy {plan.policy}"] = counts["decisions"]
    return counts


def results(todo: Iterator[Plan], jobs: int) -> Iterator[Counter[str] | str]:
    """The games one after the other, or by processes that take a handful at a time."""
    if jobs == 1:
        yield from map(watched, todo)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        while True:
            yield from pool.imap_unordered(watched, itertools.islice(todo, 20 * jobs))


def run(given: argparse.Namespace) -> int:
    total, began, shown = Counter[str](), time.monotonic(), time.monotonic()
    todo = plans(given)
    for result in results(itertools.islice(todo, given.games) if given.games else todo, given.jobs):
        if isinstance(result, str):
            print(f"\nDIFFERENCE {result}")
            return 1
        total += result
        if time.monotonic() - shown > 5:
            shown = time.monotonic()
            rate = total["decisions"] / (shown - began)
            print(f"{total['decisions']:,} decisions agree, {rate:.0f} a second", file=sys.stderr, flush=True)
        if total["games"] == given.games or (not given.games and total["decisions"] >= given.decisions):
            break
    seconds = time.monotonic() - began
    seats = "one seat in turn" if given.rotate else "every seat"
    print(f"{given.game}: {total['decisions']:,} decisions of {total['games']:,} games agree for {seats}, seeds "
          f"{given.seed} .., {seconds:.0f} s, {total['decisions'] / seconds:.0f} a second; policies {given.policy}, "
          f"possible hands at each {given.every}. decision, {given.deals} deals each {given.every_deals}")  # fmt: skip
    for name, count in sorted(total.items()):
        print(f"  {count:>15,}  {name}")
    if total["deals that forgot"] > 1 + total["deals"] // MOST_FORGOTTEN:
        print(f"\nDIFFERENCE more than one deal of {MOST_FORGOTTEN:,} forgot what the seat had seen")
        return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.watch", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("--decisions", type=int, default=10_000, help="stop after so many (10000)")
    parser.add_argument("--games", type=int, default=0, help="play so many games instead")
    parser.add_argument("--seed", type=int, default=1, help="game i is dealt from seed + i")
    parser.add_argument("--players", type=numbers, default=[], help="player counts: 2,3,4 (all)")
    parser.add_argument("--options", type=numbers, help="option sets by their number in match.py: 0,2 (all)")
    parser.add_argument(
        "--policy",
        type=lambda text: text.split(","),
        default=["random", "heuristic", "mixed"],
        help="of the game, too; with commas (random,heuristic,mixed)",
    )
    parser.add_argument("--every", type=int, default=10, help="compare the number of possible hands so often (10)")
    parser.add_argument("--deals", type=int, default=0, help="deals drawn at a decision (0)")
    parser.add_argument("--every-deals", type=int, default=1, help="draw them at each so-many-th decision (1)")
    parser.add_argument(
        "--every-history", type=int, default=20, help="compare Recorder.history each so many games (20)"
    )
    parser.add_argument("--rotate", action="store_true", help="compare one seat at a decision, in turn, not all")
    parser.add_argument("--forgetful", action="store_true", help="deals of memory=table: count those that contradict")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    if unknown := set(given.policy) - {*OF_GAMES, *policies_of(given.game)}:
        parser.error(
            f"no policy {', '.join(sorted(unknown))}; there are {', '.join([*OF_GAMES, *policies_of(given.game)])}"
        )
    if min(given.every, given.every_deals, given.jobs) < 1:
        parser.error("--every, --every-deals and --jobs are at least 1")
    return run(given)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
