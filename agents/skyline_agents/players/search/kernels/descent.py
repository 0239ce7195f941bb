# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""In the tree: which edge a simulation takes, when a new edge is made, and which node the edge leads to.

`tree` is a `TreeArrays`; nodes and edges are named by the numbers of their rows.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.masks import count_legal, is_illegal, random_legal
from skyline.core.overloads import heuristic, observe
from skyline_agents.players.search.kernels.layout import HEURISTIC_ORDER, NONE, PARANOID
from skyline_agents.players.search.kernels.playouts import deviation

WIDEN_POWER = 0.5  # actions that may be tried at a node: widen * visits ** WIDEN_POWER
KINDS_POWER = 0.4  # nodes that an edge may lead to: visits ** KINDS_POWER, at least 1
HASH_START, HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x100000001B3)
ANYTHING = np.uint64(0x5851F42D4C957F2D)  # the key of an edge's last node, which stands for all further outcomes
LOW_16 = np.uint64(0xFFFF)


@njit
def public_key(s, viewer, observation, public):
    """A hash of the viewer and of the public part of its observation.

    `observation` (N,) int16 is written over; `public` (N,) uint64 has an odd word for every public value, else 0.
    """
    observe(s, viewer, observation)
    key = HASH_START + np.uint64(viewer) * HASH_FACTOR
    for i in range(public.shape[0]):
        key += (np.uint64(observation[i]) & LOW_16) * public[i]
    return key ^ (key >> np.uint64(32))


@njit
def new_node(tree, key):
    """The number of a new node without edges."""
    number = tree.counters[0].nodes
    tree.counters[0].nodes += 1
    node = tree.nodes[number]
    node.key, node.visits = key, 0
    node.first_edge, node.last_edge, node.sibling = NONE, NONE, NONE
    return number


@njit
def new_edge(tree, at, action):
    """The number of a new edge: an action that is tried for the first time at node `at`."""
    nodes, edges = tree.nodes, tree.edges
    number = tree.counters[0].edges
    tree.counters[0].edges += 1
    edge = edges[number]
    edge.action, edge.visits, edge.available, edge.kinds = action, 0, 1, 0
    edge.first_node, edge.sibling = NONE, NONE
    tree.worth[number, :] = 0
    if nodes[at].first_edge == NONE:
        nodes[at].first_edge = number
    else:
        edges[nodes[at].last_edge].sibling = number
    nodes[at].last_edge = number
    return number


@njit
def is_full(tree):
    """Whether the tree has no room for another node or edge."""
    counters = tree.counters[0]
    return counters.nodes == tree.nodes.shape[0] or counters.edges == tree.edges.shape[0]


@njit
def choose_edge(tree, at, s, legal, untried, stream, parameters):
    """The edge that is taken at node `at`, and whether the edge is new; NONE if nothing was tried and the tree is full.

    `untried` (A,) int8 is written over. Among the actions that are legal in this deal the upper confidence bound
    decides; the bound counts for every action the visits in which the action was legal.
    """
    edges = tree.edges
    for action in range(legal.shape[0]):
        untried[action] = legal[action]
    paranoid = parameters.backup == PARANOID and s.seat != parameters.viewer
    whose = parameters.viewer if paranoid else np.int64(s.seat)
    explore = parameters.explore * deviation(tree.counters[0])
    best, best_bound, tried, number = np.int64(NONE), -np.inf, 0, np.int64(tree.nodes[at].first_edge)
    while number != NONE:
        edge = edges[number]
        if legal[edge.action]:
            tried += 1
            untried[edge.action] = 0
            edge.available += 1
            mean = tree.worth[number, whose] / edge.visits
            bound = (-mean if paranoid else mean) + explore * np.sqrt(np.log(edge.available) / edge.visits)
            if bound > best_bound:
                best, best_bound = number, bound
        number = np.int64(edge.sibling)
    if is_full(tree) or not widens(tree.nodes[at].visits, tried, parameters):
        return best, False
    if count_legal(untried) == 0:
        return best, False
    return new_edge(tree, at, next_untried(s, untried, stream, parameters)), True


@njit
def widens(visits, tried, parameters):
    """Whether another action may be tried at a node with these visits, where `tried` actions have an edge."""
    return tried == 0 or parameters.widen == 0 or tried < parameters.widen * np.float64(visits) ** WIDEN_POWER


@njit
def next_untried(s, untried, stream, parameters):
    """The untried action that the heuristic would play, or a random one."""
    if parameters.prior == HEURISTIC_ORDER:
        action = heuristic(s, untried, stream)
        if not is_illegal(untried, action):
            return action
    return random_legal(untried, stream)


@njit
def node_after(tree, number, s, key):
    """The node that edge `number` leads to when the viewer sees `key`: a new node if there is room, else NONE.

    An edge that has led to as many nodes as its visits allow gets one more node, which stands for all other outcomes.
    """
    edge = tree.edges[number]
    found = find_node(tree.nodes, edge, key)
    if found != NONE:
        return found
    if edge.kinds >= max(1.0, np.float64(edge.visits) ** KINDS_POWER):
        key = ANYTHING + np.uint64(s.seat)
        found = find_node(tree.nodes, edge, key)
    if found != NONE or is_full(tree):
        return found
    found = new_node(tree, key)
    tree.nodes[found].sibling = edge.first_node
    edge.first_node = found
    edge.kinds += 1
    return found


@njit
def find_node(nodes, edge, key):
    """The node of an edge that has this key, or NONE."""
    number = np.int64(edge.first_node)
    while number != NONE and nodes[number].key != key:
        number = np.int64(nodes[number].sibling)
    return number
