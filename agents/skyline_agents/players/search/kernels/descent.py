# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""In the tree: which edge a simulation takes, when a new one is tried, and which node it leads to.

A tree is the tuple (nodes, edges, worth, counters); worth (edges, P) are sums of values.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.masks import count_legal, is_illegal, random_legal
from skyline.core.overloads import heuristic, observe
from skyline_agents.players.search.kernels.layout import HEURISTIC_ORDER, NONE, PARANOID
from skyline_agents.players.search.kernels.playouts import deviation

WIDEN_POWER = 0.5
KINDS_FACTOR, KINDS_POWER = 1.0, 0.4  # nodes that an edge may lead to: KINDS_FACTOR * visits ** KINDS_POWER, at least 1
HASH_START, HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x100000001B3)
ANYTHING = np.uint64(0x5851F42D4C957F2D)  # key of the nodes for all outcomes beyond that number
LOW_16 = np.uint64(0xFFFF)


@njit
def public_key(s, viewer, out, public):
    """A hash of the viewer and the public part of its observation. `out` (N,) int16; `public` (N,) odd words, or 0."""
    observe(s, viewer, out)
    key = HASH_START + np.uint64(viewer) * HASH_FACTOR
    for i in range(public.shape[0]):
        key += (np.uint64(out[i]) & LOW_16) * public[i]
    return key ^ (key >> np.uint64(32))


@njit
def new_node(tree, key):
    nodes, _, _, counters = tree
    number = counters[0].nodes
    counters[0].nodes += 1
    node = nodes[number]
    node.key, node.visits = key, 0
    node.first_edge, node.last_edge, node.sibling = NONE, NONE, NONE
    return number


@njit
def new_edge(tree, at, action):
    """An action that is tried for the first time at node `at`."""
    nodes, edges, worth, counters = tree
    number = counters[0].edges
    counters[0].edges += 1
    edge = edges[number]
    edge.action, edge.visits, edge.available, edge.kinds = action, 0, 1, 0
    edge.first_node, edge.sibling = NONE, NONE
    worth[number, :] = 0
    if nodes[at].first_edge == NONE:
        nodes[at].first_edge = number
    else:
        edges[nodes[at].last_edge].sibling = number
    nodes[at].last_edge = number
    return number


@njit
def is_full(tree):
    """No room for another edge or node."""
    nodes, edges, _, counters = tree
    return counters[0].nodes == nodes.shape[0] or counters[0].edges == edges.shape[0]


@njit
def choose_edge(tree, at, s, mask, untried, stream, rules):
    """The edge taken at node `at` and whether it is new; NONE if no action was tried and the tree is full.

    `untried` (A,) is scratch. Among the actions that are legal in this deal the upper confidence bound decides; an
    action's count in the bound is how often it could have been taken.
    """
    nodes, edges, worth, counters = tree
    for action in range(mask.shape[0]):
        untried[action] = mask[action]
    paranoid = rules.backup == PARANOID and s.seat != rules.viewer
    whose = rules.viewer if paranoid else np.int64(s.seat)
    explore = rules.explore * deviation(counters[0])
    best, best_bound, tried, number = np.int64(NONE), -np.inf, 0, np.int64(nodes[at].first_edge)
    while number != NONE:
        edge = edges[number]
        if mask[edge.action]:
            tried += 1
            untried[edge.action] = 0
            edge.available += 1
            mean = worth[number, whose] / edge.visits
            bound = (-mean if paranoid else mean) + explore * np.sqrt(np.log(edge.available) / edge.visits)
            if bound > best_bound:
                best, best_bound = number, bound
        number = np.int64(edge.sibling)
    if is_full(tree) or not widens(nodes[at].visits, tried, rules):
        return best, False
    if count_legal(untried) == 0:
        return best, False
    return new_edge(tree, at, next_untried(s, untried, stream, rules)), True


@njit
def widens(visits, tried, rules):
    """Whether another action may be tried."""
    return tried == 0 or rules.widen == 0 or tried < rules.widen * np.float64(visits) ** WIDEN_POWER


@njit
def next_untried(s, untried, stream, rules):
    """The untried action that the heuristic likes best, or any."""
    if rules.prior == HEURISTIC_ORDER:
        action = heuristic(s, untried, stream)
        if not is_illegal(untried, action):
            return action
    return random_legal(untried, stream)


@njit
def node_after(tree, number, s, key):
    """The node that edge `number` leads to when the viewer sees `key`; a new one if there is room.

    An edge that chance leads to very many places gets one more node for all of them beyond a growing number.
    """
    nodes, edges = tree[0], tree[1]
    edge = edges[number]
    found = find_node(nodes, edge, key)
    if found != NONE:
        return found
    if edge.kinds >= max(1.0, KINDS_FACTOR * np.float64(edge.visits) ** KINDS_POWER):
        key = ANYTHING + np.uint64(s.seat)
        found = find_node(nodes, edge, key)
    if found != NONE or is_full(tree):
        return found
    found = new_node(tree, key)
    nodes[found].sibling = edge.first_node
    edge.first_node = found
    edge.kinds += 1
    return found


@njit
def find_node(nodes, edge, key):
    number = np.int64(edge.first_node)
    while number != NONE and nodes[number].key != key:
        number = np.int64(nodes[number].sibling)
    return number
