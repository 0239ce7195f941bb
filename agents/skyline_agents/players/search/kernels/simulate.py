# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The kernels: simulations of a tree, flat Monte Carlo, and the subtree that is kept for the next move.

`desk` is what one search works on: (root, work, mask, out, public, path, values, stream)

    root    (1,) STATE     the position as the searching seat knows it: one deal of many
    work    (2,) STATE     the deal of this simulation; [1] a spare one
    mask    (2, A) int8    legal actions; [1] those not tried yet
    out     (N,) int16     observation;  public (N,) uint64: random odd words, 0 where only the viewer sees
    path    (D,) int32     edges taken;  values (P,) float64;  stream (1,) STREAM
"""

from __future__ import annotations

import numpy as np

from skyline.core.engine import fill_mask
from skyline.core.jit import njit
from skyline.core.masks import nth_legal, only_legal
from skyline.core.overloads import determinize, step
from skyline.game import NO_SEAT
from skyline_agents.players.search.kernels.descent import choose_edge, node_after, public_key
from skyline_agents.players.search.kernels.layout import ALL_OF_THEM, NONE, ROOT
from skyline_agents.players.search.kernels.playouts import checksum, evaluate, horizon_reached, play_on


@njit
def deal_anew(target, root, viewer, stream):
    """A deal that agrees with what the viewer sees."""
    target[0] = root[0]
    determinize(target[0], viewer, stream)


@njit
def descend(tree, s, desk, rules):
    """From the root to a new edge, the horizon or the end: edges taken, decisions made, whether it is the horizon."""
    nodes, edges, _, _ = tree
    _, _, mask, out, public, path, _, stream = desk
    at, taken, depth, before = ROOT, 0, 0, 0
    while True:
        nodes[at].visits += 1
        number, is_new = choose_edge(tree, at, s, mask[0], mask[1], stream[0], rules)
        if number == NONE:
            return taken, depth, False
        path[taken] = number
        taken += 1
        action = np.int64(edges[number].action)
        while action >= 0:  # the edge's action, then forced ones
            before = checksum(s)
            step(s, action)
            depth += 1
            fill_mask(s, mask[0])
            if s.seat == NO_SEAT or horizon_reached(s, depth, before, rules):
                return taken, depth, True
            action = only_legal(mask[0])
        if is_new or taken == path.shape[0]:
            return taken, depth, False
        at = node_after(tree, number, s, public_key(s, rules.viewer, out, public))
        if at == NONE:
            return taken, depth, False


@njit
def back_up(tree, desk, taken):
    _, edges, worth, _ = tree
    path, values = desk[5], desk[6]
    for i in range(taken):
        number = path[i]
        edges[number].visits += 1
        for p in range(values.shape[0]):
            worth[number, p] += values[p]


@njit
def simulate_once(tree, desk, rules):
    root, work, mask, _, _, _, values, stream = desk
    counters = tree[3]
    deal_anew(work[:1], root, rules.viewer, stream[0])
    s = work[0]
    fill_mask(s, mask[0])
    taken, depth, ended = descend(tree, s, desk, rules)
    if not ended:
        play_on(s, mask[0], stream[0], depth, rules)
    evaluate(s, rules, counters[0], values)
    back_up(tree, desk, taken)
    counters[0].simulations += 1


@njit
def is_decided(tree, desk, goal, done):
    """Whether, until the goal, no other legal action can be visited as often as the one that leads."""
    if goal == ALL_OF_THEM:
        return False
    nodes, edges, _, _ = tree
    root, work, mask, _, _, _, _, _ = desk
    work[0] = root[0]
    fill_mask(work[0], mask[0])
    most, second, number = np.int64(0), np.int64(0), np.int64(nodes[ROOT].first_edge)
    while number != NONE:
        if mask[0][edges[number].action]:
            visits = np.int64(edges[number].visits)
            second = max(second, min(most, visits))
            most = max(most, visits)
        number = np.int64(edges[number].sibling)
    return most - second > goal - done


def simulate(tree, desk, rules, simulations, goal):
    """Simulations of one tree; with a goal, the number of all that there are to be, none once the move is decided."""
    done = tree[3]
    for _ in range(simulations):
        if done[0].simulations % LOOK_EVERY == 0 and is_decided(tree, desk, goal, done[0].simulations):
            return
        simulate_once(tree, desk, rules[0])


LOOK_EVERY = 16  # simulations between two looks at who leads: a number that no clock changes


def root_key(desk, rules):
    """The key of the desk's root position."""
    return public_key(desk[0][0], rules[0].viewer, desk[3], desk[4])


def graft(tree, start, target):
    """Copy the subtree below node `start` to an empty tree, of which it is the root; the order of edges stays."""
    nodes, edges, worth, _ = tree
    new_nodes, new_edges, new_worth, counters = target
    counters[0].nodes, counters[0].edges = 1, 0
    _copy_node(nodes, start, new_nodes, 0)
    at = 0
    while at < counters[0].nodes:
        old, last = np.int64(nodes[new_nodes[at].origin].first_edge), NONE
        while old != NONE:
            number = counters[0].edges
            counters[0].edges += 1
            new_edges[number] = edges[old]
            for p in range(worth.shape[1]):
                new_worth[number, p] = worth[old, p]
            if last == NONE:
                new_nodes[at].first_edge = number
            else:
                new_edges[last].sibling = number
            new_edges[number].first_node = _copy_nodes(nodes, edges[old].first_node, new_nodes, counters)
            last, old = number, np.int64(edges[old].sibling)
        new_nodes[at].last_edge = last
        at += 1


@njit
def _copy_node(nodes, old, new_nodes, number):
    new_nodes[number] = nodes[old]
    new_nodes[number].origin = old
    new_nodes[number].sibling = NONE


@njit
def _copy_nodes(nodes, old, new_nodes, counters):
    """Copy the nodes of an edge, the first of which is `old`; the number of the first copy."""
    first, last = NONE, NONE
    while old != NONE:
        number = counters[0].nodes
        counters[0].nodes += 1
        _copy_node(nodes, old, new_nodes, number)
        if last == NONE:
            first = number
        else:
            new_nodes[last].sibling = number
        last, old = number, np.int64(nodes[old].sibling)
    return first


def flat_rounds(root, work, mask, values, stream, rules, counters, totals, rounds):
    """Flat Monte Carlo: `rounds` deals, every legal action played out once in each; sums in totals (A,)."""
    legal = mask[1]
    fill_mask(root[0], legal)
    count = 0
    for a in range(legal.shape[0]):
        count += legal[a]
    for _ in range(rounds):
        deal_anew(work[1:], root, rules[0].viewer, stream[0])
        for n in range(count):
            action = nth_legal(legal, n)
            work[0] = work[1]
            _play_out(work[0], action, mask[0], stream[0], rules[0])
            evaluate(work[0], rules[0], counters[0], values)
            totals[action] += values[rules[0].viewer]
            counters[0].simulations += 1


@njit
def _play_out(s, action, mask, stream, rules):
    before = checksum(s)
    step(s, action)
    fill_mask(s, mask)
    if s.seat != NO_SEAT and not horizon_reached(s, 1, before, rules):
        play_on(s, mask, stream, 1, rules)


KERNELS = {kernel.__name__: kernel for kernel in (simulate, root_key, graft, flat_rounds)}
