"""The agents that search. They see a `View` only: the position is one of its determinised copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skyline.game import Game
from skyline.rng import streams
from skyline_agents.players.search.forest import Array, Forest, flat_rounds, in_chunks_of_time, warm_up, warm_up_flat
from skyline_agents.players.search.kernels.layout import COUNTERS
from skyline_agents.players.search.settings import (
    BACKUPS,
    MOST_THREADS,
    PRIORS,
    STOPS,
    Budget,
    Settings,
    budget,
    cut_of,
    playout_of,
    roots_of,
    widen_of,
)
from skyline_agents.players.texts import SWITCH, choice, number, whole
from skyline_agents.protocol import View


class Ismcts:
    """Information-set Monte Carlo tree search.

    value      budget of a move: simulations (1000) or time (2s, 100ms)
    playout    random, heuristic
    cut        playouts end at the first change of the scores after so many decisions from the root; end = whole games;
               auto = the shortest cut after which the scores tell enough of the end, found out from some games
    backup     maxn: every seat wants its own value; paranoid: the others want the searcher's to be low
    explore    exploration, in standard deviations of the values
    widen      actions tried at a node: widen * sqrt(visits), 0.3, or 2 with prior none; 0 = all
    prior      order in which actions are tried: heuristic (the baseline player's likings), none (by chance)
    margin     part of the score differences (not the places) in the value of a finished game, 0 .. 1
    reuse      yes, no: keep the part of the tree that was reached
    stop       decided: a budget of simulations is left unspent when no other action can be visited as often any more
               (one tree; the move is the same); budget: never before it is spent
    threads    at once;  roots: trees, 1 or with threads 8
    """

    def __init__(
        self, value: str = "1000", playout: str = "heuristic", cut: str = "auto", backup: str = "maxn",
        explore: str = "1", widen: str | None = None, prior: str = "heuristic", margin: str = "0.5", reuse: str = "yes",
        stop: str = "decided", threads: str = "1", roots: str | None = None,
    ) -> None:  # fmt: skip
        self.budget = budget(value)
        order = choice("prior", prior, PRIORS)
        self.settings = Settings(
            playout=playout_of(playout),
            cut=cut_of(cut),
            backup=choice("backup", backup, BACKUPS),
            prior=order,
            explore=number("explore", explore, 0, 100),
            widen=widen_of(widen, order),
            margin=number("margin", margin, 0, 1),
        )
        self.reuse = bool(choice("reuse", reuse, SWITCH))
        self.whole = bool(choice("stop", stop, STOPS))
        self.threads = whole("threads", threads, 1, MOST_THREADS)
        self.roots = roots_of(roots, self.threads)

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A new game: nothing is known of it. Compiles what is missing, so that it does not count as time to think."""
        warm_up(game)
        self._seed, self._moves = seed, 0
        settings = self.settings.of(game, players, options)
        self._forest = Forest(game, players, dict(options), seed, self.roots, self.threads, settings)

    def act(self, view: View) -> int:
        """The action that was visited most."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        visits, values = self.search(view)
        return best_action(legal, visits, values)

    def search(self, view: View) -> tuple[Array, Array]:
        """Visits and summed values of every action for the seat to decide, (A,) each."""
        self._moves += 1
        root = view.determinized(1, streams(self._moves, self._seed)[-1:])
        return self._forest.search(root, self.budget, self.reuse, self.whole)


class FlatMonteCarlo:
    """Flat Monte Carlo: every legal action is played out equally often, each round of them in the same deal.

    value      budget of a move: playouts (500) or time (2s, 100ms); every action gets at least one
    playout, cut, margin      as for ismcts
    """

    def __init__(self, value: str = "500", playout: str = "random", cut: str = "auto", margin: str = "0.5") -> None:
        self.budget = budget(value)
        self.settings = Settings(
            playout=playout_of(playout), cut=cut_of(cut), backup=0, prior=0, explore=0.0, widen=0.0,
            margin=number("margin", margin, 0, 1),
        )  # fmt: skip

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A new game."""
        warm_up_flat(game)
        self._rules, self._stream = self.settings.of(game, players, options).rules, streams(1, seed)

    def act(self, view: View) -> int:
        """The action with the highest mean."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        totals = self.search(view)
        return max(legal, key=lambda action: totals[action])

    def search(self, view: View) -> Array:
        """Summed values of every action, all played out equally often, (A,)."""
        root, rules = view.determinized(1, self._stream), self._rules(view.seat)
        counters, totals = np.zeros(1, COUNTERS), np.zeros(len(view.action_mask))

        def run(first: int, end: int) -> None:
            totals[:] += flat_rounds(view.game, root, rules, self._stream, counters, end - first)

        rounds = self.budget
        if rounds.simulations is not None:
            rounds = Budget(max(1, rounds.simulations // len(view.legal())), None)
        in_chunks_of_time(run, rounds)
        return totals


def best_action(legal: list[int], visits: Array, values: Array) -> int:
    """The legal action with the most visits; of those with equally many the one worth most."""
    return max(legal, key=lambda action: (visits[action], values[action]))
