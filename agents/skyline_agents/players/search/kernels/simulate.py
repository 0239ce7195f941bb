# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The kernels: simulations of a tree, flat Monte Carlo, and the subtree that is kept for the next move.

`tree` is a `TreeArrays`, `work` a `Workspace` (or a `FlatWorkspace`), `parameters` one row of PARAMETERS.
"""

from __future__ import annotations

import numpy as np

from skyline.core.engine import fill_mask
from skyline.core.jit import njit
from skyline.core.masks import count_legal, nth_legal, only_legal
from skyline.core.overloads import determinize, step
from skyline.game import NO_SEAT
from skyline_agents.players.search.kernels.descent import choose_edge, node_after, public_key
from skyline_agents.players.search.kernels.layout import NO_GOAL, NONE, ROOT
from skyline_agents.players.search.kernels.playouts import checksum, evaluate, horizon_reached, play_on

LOOK_EVERY = 16  # simulations between two looks whether the move is decided; no clock changes this number


@njit
def deal_anew(target, root, viewer, stream):
    """Write into `target` (1,) a deal that agrees with what the viewer sees of `root` (1,)."""
    target[0] = root[0]
    determinize(target[0], viewer, stream)


@njit
def descend(tree, s, work, parameters):
    """Go from the root to a new edge, to the horizon or to the end of the game.

    Returns the number of edges taken, the number of decisions made, and whether the simulation is over.
    """
    at, taken, depth, before = ROOT, 0, 0, 0
    while True:
        tree.nodes[at].visits += 1
        number, is_new = choose_edge(tree, at, s, work.legal, work.untried, work.stream[0], parameters)
        if number == NONE:
            return taken, depth, False
        work.path[taken] = number
        taken += 1
        action = np.int64(tree.edges[number].action)
        while action >= 0:  # the action of the edge, then forced actions
            before = checksum(s)
            step(s, action)
            depth += 1
            fill_mask(s, work.legal)
            if s.seat == NO_SEAT or horizon_reached(s, depth, before, parameters):
                return taken, depth, True
            action = only_legal(work.legal)
        if is_new or taken == work.path.shape[0]:
            return taken, depth, False
        at = node_after(tree, number, s, public_key(s, parameters.viewer, work.observation, work.public))
        if at == NONE:
            return taken, depth, False


@njit
def back_up(tree, work, taken):
    """Add the values of a simulation to the edges that it took."""
    for i in range(taken):
        number = work.path[i]
        tree.edges[number].visits += 1
        for p in range(work.values.shape[0]):
            tree.worth[number, p] += work.values[p]


@njit
def simulate_once(tree, work, parameters):
    """One simulation in a deal of its own."""
    deal_anew(work.deal, work.root, parameters.viewer, work.stream[0])
    s = work.deal[0]
    fill_mask(s, work.legal)
    taken, depth, ended = descend(tree, s, work, parameters)
    if not ended:
        play_on(s, work.legal, work.stream[0], depth, parameters)
    evaluate(s, parameters, tree.counters[0], work.values)
    back_up(tree, work, taken)
    tree.counters[0].simulations += 1


@njit
def is_decided(tree, work, goal, done):
    """Whether the leading action keeps the most visits whatever happens in simulations `done` .. `goal`."""
    if goal == NO_GOAL:
        return False
    work.deal[0] = work.root[0]
    fill_mask(work.deal[0], work.legal)
    most, second, number = np.int64(0), np.int64(0), np.int64(tree.nodes[ROOT].first_edge)
    while number != NONE:
        if work.legal[tree.edges[number].action]:
            visits = np.int64(tree.edges[number].visits)
            second = max(second, min(most, visits))
            most = max(most, visits)
        number = np.int64(tree.edges[number].sibling)
    return most - second > goal - done


def simulate(tree, work, parameters, simulations, goal):
    """Simulations of one tree. `goal` is the number of simulations of the whole move: with a goal, none is made once
    the move is decided; NO_GOAL: all of them are made."""
    counters = tree.counters
    for _ in range(simulations):
        if counters[0].simulations % LOOK_EVERY == 0 and is_decided(tree, work, goal, counters[0].simulations):
            return
        simulate_once(tree, work, parameters[0])


def root_key(work, parameters):
    """The key of the root position."""
    return public_key(work.root[0], parameters[0].viewer, work.observation, work.public)


# ---------------------------------------------------------------- a subtree


def graft(tree, start, target):
    """Copy the subtree below node `start` to an empty tree, of which it is the root; the order of edges stays."""
    counters, at = target.counters, 0
    counters[0].nodes, counters[0].edges = 1, 0
    _copy_node(tree, start, target, 0)
    while at < counters[0].nodes:
        node = target.nodes[at]
        old, last = np.int64(tree.nodes[node.origin].first_edge), NONE
        while old != NONE:
            number = _copy_edge(tree, old, target)
            if last == NONE:
                node.first_edge = number
            else:
                target.edges[last].sibling = number
            target.edges[number].first_node = _copy_nodes(tree, tree.edges[old].first_node, target)
            last, old = number, np.int64(tree.edges[old].sibling)
        node.last_edge = last
        at += 1


@njit
def _copy_edge(tree, old, target):
    """Copy edge `old` with its values; the number of the copy."""
    number = target.counters[0].edges
    target.counters[0].edges += 1
    target.edges[number] = tree.edges[old]
    for p in range(tree.worth.shape[1]):
        target.worth[number, p] = tree.worth[old, p]
    return number


@njit
def _copy_node(tree, old, target, number):
    """Copy node `old` to the row `number`, without siblings."""
    target.nodes[number] = tree.nodes[old]
    target.nodes[number].origin = old
    target.nodes[number].sibling = NONE


@njit
def _copy_nodes(tree, old, target):
    """Copy the nodes of an edge, the first of which is `old`; the number of the first copy."""
    first, last = NONE, NONE
    while old != NONE:
        number = target.counters[0].nodes
        target.counters[0].nodes += 1
        _copy_node(tree, old, target, number)
        if last == NONE:
            first = number
        else:
            target.nodes[last].sibling = number
        last, old = number, np.int64(tree.nodes[old].sibling)
    return first


# ---------------------------------------------------------------- flat Monte Carlo


def flat_rounds(work, parameters, rounds):
    """Flat Monte Carlo: `rounds` deals, in each of which every legal action is played out once."""
    fill_mask(work.root[0], work.choices)
    count = count_legal(work.choices)
    viewer = parameters[0].viewer
    for _ in range(rounds):
        deal_anew(work.deal, work.root, viewer, work.stream[0])
        for n in range(count):
            action = nth_legal(work.choices, n)
            work.playout[0] = work.deal[0]
            _play_out(work.playout[0], action, work.legal, work.stream[0], parameters[0])
            evaluate(work.playout[0], parameters[0], work.counters[0], work.values)
            work.totals[action] += work.values[viewer]
            work.counters[0].simulations += 1


@njit
def _play_out(s, action, legal, stream, parameters):
    before = checksum(s)
    step(s, action)
    fill_mask(s, legal)
    if s.seat != NO_SEAT and not horizon_reached(s, 1, before, parameters):
        play_on(s, legal, stream, 1, parameters)


KERNELS = {kernel.__name__: kernel for kernel in (simulate, root_key, graft, flat_rounds)}
