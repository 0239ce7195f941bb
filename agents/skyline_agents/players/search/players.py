"""The agents that search. They see nothing but a `View`: the position they search is one of its determinised copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import DEFAULT_MEMORY, Game
from skyline.rng import streams
from skyline.typing import Array
from skyline_agents.players.search.flat import FlatRounds
from skyline_agents.players.search.forest import Forest, spend
from skyline_agents.players.search.settings import (
    BACKUPS,
    FORGETS,
    MOST_THREADS,
    PRIORS,
    STOPS,
    Budget,
    SearchSettings,
    budget,
    cut_of,
    playout_of,
    roots_of,
    widen_of,
)
from skyline_agents.players.search.tree import RootStatistics
from skyline_agents.players.search.warm import warm_up_flat, warm_up_trees
from skyline_agents.players.texts import SWITCH, choice, number, whole
from skyline_agents.protocol import View


class Ismcts:
    """Information-set Monte Carlo tree search.

    value      the budget of a move: a number of simulations (1000) or a time (2s, 100ms)
    playout    the policy after the tree: random, heuristic
    cut        a number of decisions: a playout ends at the first change of the scores that comes this number of
               decisions or more after the root; end: playouts are whole games; auto: the shortest cut after which the
               scores say enough about the end of the game, found from some games
    backup     maxn: every seat maximises its own value; paranoid: the other seats minimise the searching seat's value
    explore    the weight of exploration, in standard deviations of the values
    widen      at most widen * sqrt(visits) actions are tried at a node; default 0.3, with prior=none 2; 0: all actions
    prior      which action is tried next: heuristic (the one that the heuristic would play), none (a random one)
    margin     the share of the score differences in the value of a finished game, 0 .. 1; the rest are the places
    reuse      yes, no: whether the part of the tree that belongs to the new position is kept
    stop       decided: the search of one tree ends when no other action can get as many visits with what is left of a
               budget of simulations, which never changes the move; budget: the whole budget is always spent
    threads    the number of threads
    roots      the number of trees; default 1, with two threads or more 8
    memory     recall: the deals agree with all that the seat remembers, as far as the match lets it remember; table:
               with what lies on the table now, whatever the match is
    """

    def __init__(
        self, value: str = "1000", playout: str = "heuristic", cut: str = "auto", backup: str = "maxn",
        explore: str = "1", widen: str | None = None, prior: str = "heuristic", margin: str = "0.5", reuse: str = "yes",
        stop: str = "decided", threads: str = "1", roots: str | None = None, memory: str = DEFAULT_MEMORY,
    ) -> None:  # fmt: skip
        self.budget = budget(value)
        order = choice("prior", prior, PRIORS)
        self.settings = SearchSettings(
            playout=playout_of(playout),
            cut=cut_of(cut),
            backup=choice("backup", backup, BACKUPS),
            prior=order,
            explore=number("explore", explore, 0, 100),
            widen=widen_of(widen, order),
            margin=number("margin", margin, 0, 1),
        )
        self.reuse = bool(choice("reuse", reuse, SWITCH))
        self.spend_all = bool(choice("stop", stop, STOPS))
        self.threads = whole("threads", threads, 1, MOST_THREADS)
        self.roots = roots_of(roots, self.threads)
        self.forgets = bool(choice("memory", memory, FORGETS))

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A new game with empty trees. What is not compiled is compiled here, where no time to think is counted."""
        warm_up_trees(game)
        self._seed, self._moves = seed, 0
        settings = self.settings.for_game(game, players, options)
        self._forest = Forest(game, players, dict(options), seed, self.roots, self.threads, settings)

    def act(self, view: View) -> int:
        """The action that was visited most."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        return best_action(legal, self.search(view))

    def search(self, view: View) -> RootStatistics:
        """Visits and summed values of every action for the seat to decide."""
        self._moves += 1
        view = view.forgetful() if self.forgets else view
        root = view.determinized(1, streams(self._moves, self._seed)[-1:])
        return self._forest.search(root, self.budget, self.reuse, self.spend_all)


class FlatMonteCarlo:
    """Flat Monte Carlo: every legal action is played out equally often, each round of them in the same deal.

    value      the budget of a move: a number of playouts (500) or a time (2s, 100ms); every action gets at least one
    playout, cut, margin, memory      as for ismcts
    """

    def __init__(
        self, value: str = "500", playout: str = "random", cut: str = "auto", margin: str = "0.5",
        memory: str = DEFAULT_MEMORY,
    ) -> None:  # fmt: skip
        self.budget, self.forgets = budget(value), bool(choice("memory", memory, FORGETS))
        self.settings = SearchSettings(
            playout=playout_of(playout), cut=cut_of(cut), backup=0, prior=0, explore=0.0, widen=0.0,
            margin=number("margin", margin, 0, 1),
        )  # fmt: skip

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """A new game. What is not compiled is compiled here, where no time to think is counted."""
        warm_up_flat(game)
        self._of_game, self._stream = self.settings.for_game(game, players, options), streams(1, seed)

    def act(self, view: View) -> int:
        """The action with the highest mean."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        totals = self.search(view)
        return max(legal, key=lambda action: totals[action])

    def search(self, view: View) -> Array:
        """Summed values of every action, all played out equally often, (A,)."""
        view = view.forgetful() if self.forgets else view
        root = view.determinized(1, self._stream)
        rounds = FlatRounds(view.game, root, self._of_game.parameters(view.seat), self._stream)
        budget = self.budget
        if budget.simulations is not None:
            budget = Budget(max(1, budget.simulations // len(view.legal())), None)
        spend(budget, lambda first, end: rounds.play_out(end - first))
        return rounds.totals


def best_action(legal: list[int], found: RootStatistics) -> int:
    """The legal action with the most visits; among actions with equally many visits the one with the highest value."""
    return max(legal, key=lambda action: (found.visits[action], found.values[action]))
