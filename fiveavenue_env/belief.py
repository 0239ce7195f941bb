# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The unseen black cards of the other hands, as a seat believes in them. [RULES.md FA-M02, FA-M16 .. FA-M20, FA-M24 ..
FA-M26]

All hands are drawn together, with the tables of chances.py: a hand's
table runs through the black events of one order of the stack, from one black shuffle to the next (a *span*). With two
players the hand at the last shuffle is known, so that the last span says all. With more, and after a shuffle,
`REPLAYS` *replays* go side by side through the spans and draw the hands at each shuffle: by their ways up to there,
times the chance of each hand to show later what it has shown (`_fill_outlook`). What this lacks is the weight of a
replay; one is taken by weight.
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
from fiveavenue_env.memory import forget_black_events
from fiveavenue_env.raises import finish_raise
from fiveavenue_env.state import MEMORY_SHUFFLES, SHUFFLED
from skyline.core.jit import njit
from skyline.core.seats import around

REPLAYS = 16  # FA-M26
ROUNDS = 64  # of so many replays each, until one agrees [FA-M27]

# The desk: at its start the tables of three hands; of two hands together, weights, outlooks of three hands; numbers.
JOINT, WEIGHTS, OUTLOOK = 3 * CELLS, 4 * CELLS, 5 * CELLS
LATER = 8 * CELLS  # weights of a hand after the first
SIZES = 9 * CELLS  # of three hands
POOL = SIZES + 3  # the cards by value that the hands and the unknown part share
SHARES = POOL + 3
SUM = SHARES + 3  # of the weights of the first hand
START = SUM + 1  # hands by value at the start of a span: 3 * hand + value
DRAWN = START + 9  # and at its end, as drawn
WEIGHT = DRAWN + 9  # of each replay
PATHS = WEIGHT + REPLAYS  # the hands of each replay at the end of each span: REPLAYS * span + replay, packed
PARENTS = PATHS + REPLAYS * (MEMORY_SHUFFLES + 1)  # the replay that each one of the next span goes on from
CHOSEN = PARENTS + REPLAYS * (MEMORY_SHUFFLES + 1)  # the hands of the deal: 9 * span + 3 * hand + value
DESK = CHOSEN + 9 * (MEMORY_SHUFFLES + 1)  # the numbers of a desk
PACKED = 64  # more than a hand has cards of a value


@njit
def draw_black_hands(s, seat, desk, stream):
    """The unseen black cards of the other hands now, and at each shuffle, into CHOSEN.  # FA-M24, FA-M26"""
    draw_in_rounds(s, seat, desk, stream, ROUNDS)


@njit
def draw_in_rounds(s, seat, desk, stream, rounds):
    """The same with so many rounds; if no replay of them agrees, the black events are forgotten.  # FA-M27"""
    if s.players > 2 and s.memory_shuffles > 0:
        for _ in range(rounds):
            if _replay(s, seat, desk, stream):
                _choose(s, seat, desk, stream)
                return
        forget_black_events(s)
    now = int(s.memory_shuffles)
    _fill_tables(s, seat, desk, now)
    _pick_hands(s, desk, stream)
    for i in range(9):
        desk[CHOSEN + 9 * now + i] = desk[DRAWN + i]


@njit
def _replay(s, seat, desk, stream):
    """All replays, span by span; whether one of them agrees with everything that was seen."""
    now = int(s.memory_shuffles)
    for i in range(REPLAYS):
        desk[WEIGHT + i] = 1.0
    for span in range(now + 1):
        if span < now:
            _look_out(s, seat, desk, span + 1)
        for i in range(REPLAYS):
            if desk[WEIGHT + i] > 0:
                desk[WEIGHT + i] *= _go_on(s, seat, desk, span, i, stream)
        if not _even_out(desk, span, span < now, stream):
            return False
    return True


@njit
def _go_on(s, seat, desk, span, i, stream):
    """One replay goes on by a span; what its weight is multiplied by."""
    if span > 0:
        _unpack(s, seat, desk, span - 1, int(desk[PARENTS + REPLAYS * (span - 1) + i]), START)
    if span > 0 or i == 0:
        _fill_tables(s, seat, desk, span)
    if desk[SUM] == 0:
        return 0.0
    _pick_hands(s, desk, stream)
    factor, packed = desk[SUM], 0
    for k in range(s.players - 1):
        fours, fives = int(desk[DRAWN + 3 * k]), int(desk[DRAWN + 3 * k + 1])
        packed = (packed * PACKED + fours) * PACKED + fives
        if span < s.memory_shuffles:
            factor /= desk[OUTLOOK + CELLS * k + cell(fours, fives)]
    desk[PATHS + REPLAYS * span + i] = packed
    return factor


@njit
def _unpack(s, seat, desk, span, i, to):
    """The hands of a replay at the end of a span, by value."""
    packed = int(desk[PATHS + REPLAYS * span + i])
    for k in range(s.players - 2, -1, -1):
        fives, fours = packed % PACKED, packed // PACKED % PACKED
        packed //= PACKED * PACKED
        size = _size_at(s, around(seat, k + 1, int(s.players)), span)
        desk[to + 3 * k], desk[to + 3 * k + 1], desk[to + 3 * k + 2] = fours, fives, size - fours - fives


@njit
def _even_out(desk, span, goes_on, stream):
    """Bring the weights to the mean 1; where few replays have most of it, these go on more than once, the others not
    (in evenly spaced steps). False if all weights are 0."""
    total, squares = 0.0, 0.0
    for i in range(REPLAYS):
        total += desk[WEIGHT + i]
    if total == 0:
        return False
    for i in range(REPLAYS):
        desk[WEIGHT + i] *= REPLAYS / total
        squares += desk[WEIGHT + i] ** 2
        desk[PARENTS + REPLAYS * span + i] = i
    if goes_on and squares > 2 * REPLAYS:
        step, reached, parent = unit(stream), desk[WEIGHT], 0
        for i in range(REPLAYS):
            while reached <= i + step and parent < REPLAYS - 1:
                parent += 1
                reached += desk[WEIGHT + parent]
            desk[PARENTS + REPLAYS * span + i] = parent
        for i in range(REPLAYS):
            desk[WEIGHT + i] = 1.0
    return True


@njit
def _choose(s, seat, desk, stream):
    """Take one replay by its weight, back to its first hands, into CHOSEN."""
    at, i = unit(stream) * REPLAYS, 0
    while i < REPLAYS - 1 and (at >= desk[WEIGHT + i] or desk[WEIGHT + i] == 0):
        at -= desk[WEIGHT + i]
        i += 1
    while desk[WEIGHT + i] == 0:
        i -= 1
    for span in range(s.memory_shuffles, -1, -1):
        _unpack(s, seat, desk, span, i, CHOSEN + 9 * span)
        if span > 0:
            i = int(desk[PARENTS + REPLAYS * (span - 1) + i])


# ---------------------------------------------------------------- the tables of a span


@njit
def _fill_tables(s, seat, desk, span):
    """The tables of the hands at the end of a span, from the hands at its start; the weights of the first hand."""
    first, end = _bounds(s, span)
    for k in range(s.players - 1):
        p, table = around(seat, k + 1, int(s.players)), desk[CELLS * k : CELLS * (k + 1)]
        size = _fill_hand(s, desk, table, p, k, span, first, end)
        desk[SIZES + k] = size
        if span == s.memory_shuffles:
            finish_raise(s, seat, table, p, size)
        else:
            _weigh_by_outlook(table, desk[OUTLOOK + CELLS * k : OUTLOOK + CELLS * (k + 1)], size)
    _fill_pool(s, seat, desk, span)
    desk[SUM] = _weigh_first(s, desk)


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
        at = START + 3 * k
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
def _pick_hands(s, desk, stream):
    """Draw the hands at the end of a span from the pool, one after the other, into DRAWN."""
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
        at = DRAWN + 3 * k
        desk[at], desk[at + 1], desk[at + 2] = fours, fives, size - fours - fives
        a, b, c = a - fours, b - fives, c - (size - fours - fives)


# ---------------------------------------------------------------- what is shown later


@njit
def _look_out(s, seat, desk, span):
    """The outlook of each hand on the spans from `span` on."""
    for k in range(s.players - 1):
        outlook = desk[OUTLOOK + CELLS * k : OUTLOOK + CELLS * (k + 1)]
        _fill_outlook(s, seat, desk, outlook, around(seat, k + 1, int(s.players)), span)


@njit
def _weigh_by_outlook(table, outlook, size):
    """Multiply the ways of a hand by its outlook."""
    for a in range(size + 1):
        for b in range(size + 1 - a):
            table[cell(a, b)] *= outlook[cell(a, b)]


@njit
def _fill_outlook(s, seat, desk, outlook, p, span):
    """For each hand at the start of a span the chance to show all that is shown from there on, every draw being of a
    value with its share of the cards that the others draw in that span."""
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
