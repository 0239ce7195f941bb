# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The unseen black cards of the other hands, as a seat believes in them. [RULES.md FA-M02, FA-M16 .. FA-M20, FA-M24 ..
FA-M26]

All hands are drawn together, with the tables of chances.py: a hand's
table runs through the black events of one order of the stack, from one black shuffle to the next (a *span*). With two
players the hand at the last shuffle is known, so that the last span says all. With more, and after a shuffle, one
*replay* draws the hands at each shuffle in turn: by their ways up to there, times the chance of each hand to show later
what it has shown (`_fill_outlook`). What this lacks is the weight of the replay, and of `REPLAYS` replays one is taken
by weight.
"""

from __future__ import annotations

from fiveavenue_env.chances import (
    CELLS,
    add_draw,
    before_draw,
    before_shown,
    cell,
    fill_evenly,
    fill_known,
    fill_with,
    join,
    pick,
    take_shown,
    unit,
    weigh,
)
from fiveavenue_env.components import BLACK, FIRST_BLACK
from fiveavenue_env.raises import finish_raise
from fiveavenue_env.state import MEMORY_SHUFFLES, SHUFFLED
from skyline.core.jit import njit
from skyline.core.seats import around

REPLAYS = 16  # FA-M26
ROUNDS = 64  # of so many replays each, until one agrees

# The desk: at its start the tables of three hands; of two hands together, weights, outlooks of three hands; numbers.
JOINT, WEIGHTS, OUTLOOK = 3 * CELLS, 4 * CELLS, 5 * CELLS
LATER = 8 * CELLS  # weights of a hand after the first
SIZES = 9 * CELLS  # of three hands
POOL = SIZES + 3  # the cards by value that the hands and the unknown part share
SHARES = POOL + 3
PATH = SHARES + 3  # hands by value at each shuffle and now: 9 * span + 3 * hand + value
CHOSEN = PATH + 9 * (MEMORY_SHUFFLES + 1)
SUM = CHOSEN + 9 * (MEMORY_SHUFFLES + 1)  # of the weights of the first hand
STARTS = SUM + 1  # of each replay: its hands at the first shuffle, and a weight
DESK = STARTS + 10 * REPLAYS  # the numbers of a desk


@njit
def draw_black_hands(s, seat, desk, stream):
    """The unseen black cards of the other hands now, and at each shuffle, into CHOSEN.  # FA-M24, FA-M26"""
    spans = int(s.memory_shuffles)
    if s.players == 2 or spans == 0:
        _fill_span(s, seat, desk, spans)
        _pick_hands(s, desk, spans, stream)
        _choose(desk)
        return
    sum_of_all = 0.0
    for _ in range(ROUNDS):
        _draw_starts(s, seat, desk, stream)
        for i in range(REPLAYS):
            weight = _replay(s, seat, desk, i, stream)
            sum_of_all += weight
            if weight > 0 and unit(stream) * sum_of_all < weight:
                _choose(desk)
        if sum_of_all > 0:
            return
    _keep(s, seat, desk)


@njit
def _draw_starts(s, seat, desk, stream):
    """The hands of every replay at the first shuffle, with the weight that each begins with, into STARTS."""
    _fill_span(s, seat, desk, 0)
    for i in range(REPLAYS):
        _pick_hands(s, desk, 0, stream)
        at = STARTS + 10 * i
        for j in range(9):
            desk[at + j] = desk[PATH + j]
        desk[at + 9] = 1 / _outlook_on_path(s, desk, 0)


@njit
def _replay(s, seat, desk, i, stream):
    """Draw the hands at the later shuffles and now, from a start; the weight of the replay, 0 if it cannot be."""
    for j in range(9):
        desk[PATH + j] = desk[STARTS + 10 * i + j]
    weight, now = desk[STARTS + 10 * i + 9], int(s.memory_shuffles)
    for span in range(1, now + 1):
        total = _fill_span(s, seat, desk, span)
        if total == 0:
            return 0.0
        _pick_hands(s, desk, span, stream)
        weight *= total
        if span < now:
            weight /= _outlook_on_path(s, desk, span)
    return weight


@njit
def _outlook_on_path(s, desk, span):
    """The outlooks of the hands drawn at the end of a span, multiplied."""
    chance = 1.0
    for k in range(s.players - 1):
        at = PATH + 9 * span + 3 * k
        chance *= desk[OUTLOOK + CELLS * k : OUTLOOK + CELLS * (k + 1)][cell(int(desk[at]), int(desk[at + 1]))]
    return chance


@njit
def _choose(desk):
    for i in range(CHOSEN - PATH):
        desk[CHOSEN + i] = desk[PATH + i]


@njit
def _keep(s, seat, desk):
    """No replay agreed in all rounds: the hands stay. (Outlooks leave so few replays that nobody has seen this.)"""
    for k in range(s.players - 1):
        p = around(seat, k + 1, int(s.players))
        for v in range(3):
            for span in range(s.memory_shuffles):
                desk[CHOSEN + 9 * span + 3 * k + v] = s.memory_held[span, p, v]
            now = s.hands[p, FIRST_BLACK + v] - s.memory_known[p, FIRST_BLACK + v]
            desk[CHOSEN + 9 * s.memory_shuffles + 3 * k + v] = now


@njit
def _fill_span(s, seat, desk, span):
    """The tables of the hands at the end of a span, from the hands at its start; the sum of all weights."""
    first, end = _bounds(s, span)
    for k in range(s.players - 1):
        p = around(seat, k + 1, int(s.players))
        size = _fill_hand(s, desk, desk[CELLS * k : CELLS * (k + 1)], p, k, span, first, end)
        desk[SIZES + k] = size
        if span == s.memory_shuffles:
            finish_raise(s, seat, desk[CELLS * k : CELLS * (k + 1)], p, size)
    if span < s.memory_shuffles:
        _look_out(s, seat, desk, span + 1)
    _fill_pool(s, seat, desk, span)
    desk[SUM] = _weigh_first(s, desk)
    return desk[SUM]


@njit
def _bounds(s, span):
    """The first event of a span, and the one behind its last."""
    first, found = 0, 0
    for i in range(s.memory_log_n):
        if s.memory_log[i] == SHUFFLED:
            if found == span:
                return first, i
            found += 1
            first = i + 1
    return first, int(s.memory_log_n)


@njit
def _fill_hand(s, desk, table, p, k, span, first, end):
    """The table of a hand at the end of the span; its size.  # FA-M24"""
    if span > 0 and s.players == 2:
        held = s.memory_held[span - 1, p]
        size = fill_known(table, int(held[0]), int(held[1]), int(held[2]))
    elif span > 0:
        at = PATH + 9 * (span - 1) + 3 * k
        size = fill_known(table, int(desk[at]), int(desk[at + 1]), int(desk[at + 2]))
    else:
        return _fill_first_hand(s, table, p, first, end)
    for i in range(first, end):
        event = int(s.memory_log[i])
        if event >> 2 == p:
            size = add_draw(table, size) if event & 3 == 0 else take_shown(table, size, (event & 3) - 1)
    return size


@njit
def _fill_first_hand(s, table, p, first, end):
    """The same for the span that begins with the deal: until something is shown all ways are there."""
    size = _size_at(s, p, 0)
    for i in range(first, end):
        event = int(s.memory_log[i])
        if event >> 2 == p:
            size += 1 if event & 3 else -1
    is_even = True
    for i in range(first, end):
        event = int(s.memory_log[i])
        if event >> 2 == p:
            if event & 3 == 0:
                size = size + 1 if is_even else add_draw(table, size)
            else:
                if is_even:
                    fill_evenly(table, size)
                    is_even = False
                size = take_shown(table, size, (event & 3) - 1)
    if is_even:
        fill_evenly(table, size)
    return size


@njit
def _size_at(s, p, span):
    """Unseen black cards of a hand at the end of a span."""
    if span == s.memory_shuffles:
        return int(s.memory_unseen[p, BLACK])
    held = s.memory_held[span, p]
    return int(held[0]) + int(held[1]) + int(held[2])


@njit
def _fill_pool(s, seat, desk, span):
    """The cards that the other hands and the unknown part have together at the end of a span, by value."""
    for v in range(3):
        card = FIRST_BLACK + v
        if span == s.memory_shuffles:
            own = int(s.hands[seat, card]) - int(s.memory_known[seat, card])
            desk[POOL + v] = int(s.memory_hidden[card]) - own
        else:
            desk[POOL + v] = 0
            for p in range(s.players):
                if p != seat:
                    desk[POOL + v] += s.memory_held[span, p, v]


@njit
def _weigh_first(s, desk):
    """The weights of the first of the hands, into WEIGHTS; their sum."""
    hands, a, b, c = int(s.players) - 1, int(desk[POOL]), int(desk[POOL + 1]), int(desk[POOL + 2])
    weights, joint = desk[WEIGHTS : WEIGHTS + CELLS], desk[JOINT : JOINT + CELLS]
    size = int(desk[SIZES])
    if hands == 1:
        return weigh(weights, desk[:CELLS], size, joint, -1, a, b, c)
    if hands == 2:
        return weigh(weights, desk[:CELLS], size, desk[CELLS : 2 * CELLS], int(desk[SIZES + 1]), a, b, c)
    join(joint, desk[CELLS : 2 * CELLS], int(desk[SIZES + 1]), desk[2 * CELLS : 3 * CELLS], int(desk[SIZES + 2]))
    return weigh(weights, desk[:CELLS], size, joint, int(desk[SIZES + 1] + desk[SIZES + 2]), a, b, c)


@njit
def _pick_hands(s, desk, span, stream):
    """Draw the hands at the end of a span from the pool, one after the other, into PATH."""
    hands, a, b, c = int(s.players) - 1, int(desk[POOL]), int(desk[POOL + 1]), int(desk[POOL + 2])
    weights, total = desk[WEIGHTS : WEIGHTS + CELLS], desk[SUM]
    for k in range(hands):
        size = int(desk[SIZES + k])
        if k > 0:
            weights = desk[LATER : LATER + CELLS]
            further = int(desk[SIZES + k + 1]) if k + 1 < hands else -1
            table, after = desk[CELLS * k : CELLS * (k + 1)], desk[CELLS * (k + 1) : CELLS * (k + 2)]
            total = weigh(weights, table, size, after, further, a, b, c)
        found = pick(weights, size, total, stream)
        fours, fives = found >> 6, found & 63
        at = PATH + 9 * span + 3 * k
        desk[at], desk[at + 1], desk[at + 2] = fours, fives, size - fours - fives
        a, b, c = a - fours, b - fives, c - (size - fours - fives)


# ---------------------------------------------------------------- what is shown later


@njit
def _look_out(s, seat, desk, span):
    """Multiply the tables at the end of a span by the outlook of each hand on the spans from `span` on."""
    for k in range(s.players - 1):
        p = around(seat, k + 1, int(s.players))
        table, outlook = desk[CELLS * k : CELLS * (k + 1)], desk[OUTLOOK + CELLS * k : OUTLOOK + CELLS * (k + 1)]
        size = _fill_outlook(s, seat, desk, outlook, p, span)
        for a in range(size + 1):
            for b in range(size + 1 - a):
                table[cell(a, b)] *= outlook[cell(a, b)]


@njit
def _fill_outlook(s, seat, desk, outlook, p, span):
    """For each hand at the start of a span the chance to show all that is shown from there on, every draw being of a
    value with its share of the cards that the others draw in that span; the size of the hand."""
    size, now = int(s.memory_unseen[p, BLACK]), int(s.memory_shuffles)
    fill_with(outlook, size, 1.0)
    finish_raise(s, seat, outlook, p, size)
    first, _ = _bounds(s, span)
    _fill_shares(s, seat, desk, now)
    for i in range(s.memory_log_n - 1, first - 1, -1):
        event = int(s.memory_log[i])
        if event == SHUFFLED:
            now -= 1
            _fill_shares(s, seat, desk, now)
        elif event >> 2 == p:
            if event & 3 == 0:
                size = before_draw(outlook, size, desk[SHARES], desk[SHARES + 1], desk[SHARES + 2])
            else:
                size = before_shown(outlook, size, (event & 3) - 1)
    return size


@njit
def _fill_shares(s, seat, desk, span):
    """The shares of the values among the cards that the others drew in the span and those left in the unknown part."""
    _fill_pool(s, seat, desk, span)
    first, end = _bounds(s, span)
    for i in range(first, end):
        event = int(s.memory_log[i])
        if event & 3 and event >> 2 != seat:
            desk[POOL + (event & 3) - 1] += 1
    if span > 0:
        for p in range(s.players):
            if p != seat:
                for v in range(3):
                    desk[POOL + v] -= s.memory_held[span - 1, p, v]
    total = max(1.0, desk[POOL] + desk[POOL + 1] + desk[POOL + 2])
    for v in range(3):
        desk[SHARES + v] = desk[POOL + v] / total
