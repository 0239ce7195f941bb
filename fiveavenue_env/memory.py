# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What every seat remembers: the fields `memory_..` of the state, kept by the rules. [RULES.md 7.2]

One function an event; cards.py and rules.py call it at the place where the cards move:

    begin_memory            the deal                                       FA-M05, FA-M06
    remember_taken          a coloured card comes to a hand                FA-M07
    remember_laid           a card is laid in a bid                        FA-M08
    remember_back           a pass: the cards come back                    FA-M08
    remember_put_under      cards go under a stack                         FA-M09, FA-M11
    look_below, look_at_black    what comes next in a stack that has changed
    remember_drawn          a black card comes to a hand                   FA-M10
    remember_turned_up      a black card comes to Egon                     FA-M10, FA-M11
    remember_shuffled       the black stack is shuffled                    FA-M15

The fields hold the memory of all seats. What one seat knows is in knowledge.py, what it believes in belief.py.
"""

from __future__ import annotations

from fiveavenue_env.components import (
    BLACK,
    BLACK_DEAL,
    CARD_COPIES,
    CARD_KINDS,
    COLOURS,
    FIRST_BLACK,
    SHOPS,
    TILES_OUT,
)
from fiveavenue_env.state import FACE_UP, MEMORY_EVENTS, MEMORY_SHUFFLES, SHUFFLED
from skyline.core.jit import njit

# ---------------------------------------------------------------- the deal


@njit
def begin_memory(s):
    """After the deal everybody knows the open cards, and how many cards of each colour every hand has.  # FA-M05"""
    blank_memory(s)
    for colour in range(COLOURS):
        s.memory_first[colour] = s.stack_end[colour] - s.stack_top[colour]
    s.memory_unknown = s.black_end - s.black_top
    s.memory_unseen[:] = 0
    for p in range(s.players):
        s.memory_unseen[p, :BLACK] = 1
        s.memory_unseen[p, BLACK] = BLACK_DEAL
    for card in range(CARD_KINDS):
        s.memory_hidden[card] = CARD_COPIES[card]
    for colour in range(COLOURS):
        s.memory_hidden[3 * colour + s.stacks[colour, s.stack_top[colour]] - 4] -= 1
    s.memory_under[:] = 0
    s.memory_next = 0
    s.memory_old[:] = 0
    s.memory_old_all[:] = 0
    s.memory_old_n[:] = 0
    s.memory_shown[:] = 0
    _survey_tiles(s)


@njit
def blank_memory(s):
    """Nothing is remembered of hands and of black cards."""
    s.memory_known[:] = 0
    forget_black_events(s)


@njit
def forget_black_events(s):
    """Of the black cards no draw, no card shown and no shuffle is remembered; sure cards stay.  # FA-M27"""
    s.memory_log[:] = 0
    s.memory_held[:] = 0
    s.memory_log_n, s.memory_shuffles = 0, 0
    _survey_events(s)


@njit
def forget(s):
    """The memory of a position that does not name one: no sure cards, first parts and an unknown part. # FA-M21"""
    blank_memory(s)
    for colour in range(COLOURS):
        s.memory_first[colour] = s.stack_end[colour] - s.stack_top[colour]
    s.memory_unknown = s.black_above
    survey_memory(s)


# ---------------------------------------------------------------- coloured cards


@njit
def remember_taken(s, p, card):
    """The card is sure in the hand; the next one of its stack is open.  # FA-M07"""
    s.memory_known[p, card] += 1
    colour = card // 3
    if s.memory_first[colour] > 0:
        s.memory_first[colour] -= 1
    if s.stack_end[colour] > s.stack_top[colour]:
        top = 3 * colour + s.stacks[colour, s.stack_top[colour]] - 4
        if s.memory_first[colour] > 0:
            s.memory_hidden[top] -= 1
        else:
            s.memory_under[top] -= 1  # FA-M09
    look_below(s, colour)


@njit
def look_below(s, colour):
    """The card below the open top, if it lies in the known part; the stack has changed.  # FA-M09"""
    first = 3 * colour
    bits, below = int(s.memory_next) & ~(7 << first), int(s.stack_top[colour]) + 1
    if s.memory_first[colour] < 2 and below < s.stack_end[colour]:
        bits |= 1 << (first + int(s.stacks[colour, below]) - 4)
    s.memory_next = bits


@njit
def remember_laid(s, p, card):
    """A sure card, or else an unseen one is shown.  # FA-M08"""
    if s.memory_known[p, card] > 0:
        s.memory_known[p, card] -= 1
        return
    s.memory_unseen[p, card // 3] -= 1
    s.memory_hidden[card] -= 1
    if card >= FIRST_BLACK:
        s.memory_shown[p, card - FIRST_BLACK] += 1
        _note(s, 4 * p + card - FIRST_BLACK + 1)


@njit
def remember_back(s, p, card, number):
    """Cards on the table come back and are sure.  # FA-M08"""
    s.memory_known[p, card] += number


@njit
def remember_put_under(s, card, was_empty):
    """A card under a stack lies at a known place; on an empty coloured stack it is the open top.  # FA-M09, FA-M11"""
    if card >= FIRST_BLACK or not was_empty:
        s.memory_under[card] += 1


# ---------------------------------------------------------------- black cards


@njit
def remember_drawn(s, p, card):
    """From the unknown part unseen by the others, from the known part sure.  # FA-M10"""
    if s.memory_unknown > 0:
        s.memory_unknown -= 1
        s.memory_unseen[p, BLACK] += 1
        _note(s, 4 * p)
    else:
        s.memory_known[p, card] += 1
        s.memory_under[card] -= 1
    look_at_black(s)


@njit
def look_at_black(s):
    """The next black card, if the unknown part is used up; the stack has changed.  # FA-M14"""
    bits = int(s.memory_next) & ~(7 << FIRST_BLACK)
    if s.memory_unknown == 0 and s.black_end > s.black_top:
        bits |= 1 << (FIRST_BLACK + int(s.black[s.black_top] & ~FACE_UP) - 4)
    s.memory_next = bits


@njit
def remember_turned_up(s, card):
    """Egon's card is seen by all.  # FA-M11"""
    if s.memory_unknown > 0:
        s.memory_unknown -= 1
        s.memory_hidden[card] -= 1
    else:
        s.memory_under[card] -= 1
    look_at_black(s)


@njit
def remember_shuffled(s):
    """The known part is the new stack, all of it unknown; the unseen cards of the hands are old.  # FA-M15"""
    if s.memory_shuffles == MEMORY_SHUFFLES:
        _forget_first_shuffle(s)
    for v in range(3):
        card = FIRST_BLACK + v
        s.memory_hidden[card] += s.memory_under[card]
        s.memory_under[card] = 0
        for p in range(s.players):
            s.memory_old[p, v] = s.hands[p, card] - s.memory_known[p, card]
            s.memory_shown[p, v] = 0
            s.memory_held[s.memory_shuffles, p, v] = s.memory_old[p, v]
    s.memory_unknown = s.black_end - s.black_top
    s.memory_shuffles += 1
    _add_old(s)
    look_at_black(s)
    _note(s, SHUFFLED)


@njit
def _add_old(s):
    """The old cards of all hands together, and of each hand all values.  # FA-M16"""
    s.memory_old_all[:] = 0
    for p in range(s.players):
        s.memory_old_n[p] = 0
        for v in range(3):
            s.memory_old_all[v] += s.memory_old[p, v]
            s.memory_old_n[p] += s.memory_old[p, v]


# ---------------------------------------------------------------- the list of black events


@njit
def _note(s, event):
    """Write an event behind the others; where no place is left, the oldest are forgotten.  # FA-M21"""
    if s.memory_log_n == MEMORY_EVENTS:
        if s.memory_shuffles == 0 or s.memory_log[0] != SHUFFLED:
            _drop_events(s, _first_shuffle(s))
        else:
            _forget_first_shuffle(s)
    s.memory_log[s.memory_log_n] = event
    s.memory_log_n += 1


@njit
def _first_shuffle(s):
    """The place of the first shuffle among the events; the number of events if there is none."""
    for i in range(s.memory_log_n):
        if s.memory_log[i] == SHUFFLED:
            return i
    return int(s.memory_log_n)


@njit
def _drop_events(s, number):
    """The first events are forgotten."""
    left = int(s.memory_log_n) - number
    for i in range(MEMORY_EVENTS):
        s.memory_log[i] = s.memory_log[i + number] if i < left else 0
    s.memory_log_n = left


@njit
def _forget_first_shuffle(s):
    """All before the second shuffle is forgotten: the old cards of that one may lie in any hands.  # FA-M21"""
    _drop_events(s, _first_shuffle(s) + 1)
    _drop_events(s, _first_shuffle(s))
    s.memory_shuffles -= 1
    for i in range(MEMORY_SHUFFLES):
        for p in range(s.players):
            for v in range(3):
                s.memory_held[i, p, v] = s.memory_held[i + 1, p, v] if i < s.memory_shuffles else 0


# ---------------------------------------------------------------- the caches


@njit
def survey_memory(s):
    """All caches of the memory, from known cards, parts of the stacks, events, and where the cards really are."""
    s.memory_hidden[:] = 0
    s.memory_under[:] = 0
    s.memory_unseen[:] = 0
    for p in range(s.players):
        for card in range(CARD_KINDS):
            unseen = int(s.hands[p, card]) - int(s.memory_known[p, card])
            s.memory_unseen[p, card // 3] += unseen
            s.memory_hidden[card] += unseen
    for colour in range(COLOURS):
        top = int(s.stack_top[colour])
        for i in range(top + 1, s.stack_end[colour]):
            card = 3 * colour + s.stacks[colour, i] - 4
            if i - top < s.memory_first[colour]:
                s.memory_hidden[card] += 1
            else:
                s.memory_under[card] += 1
    for i in range(s.black_top, s.black_end):
        card = FIRST_BLACK + (s.black[i] & ~FACE_UP) - 4
        if i - s.black_top < s.memory_unknown:
            s.memory_hidden[card] += 1
        else:
            s.memory_under[card] += 1
    s.memory_next = 0
    for colour in range(COLOURS):
        look_below(s, colour)
    look_at_black(s)
    _survey_events(s)
    _survey_tiles(s)


@njit
def _survey_events(s):
    """The old cards of the last shuffle, and what was shown since."""
    s.memory_old[:] = 0
    s.memory_shown[:] = 0
    if s.memory_shuffles > 0:
        for p in range(s.players):
            for v in range(3):
                s.memory_old[p, v] = s.memory_held[s.memory_shuffles - 1, p, v]
    s.memory_old_n[:] = 0
    _add_old(s)
    for i in range(s.memory_log_n):
        event = int(s.memory_log[i])
        if event == SHUFFLED:
            s.memory_shown[:] = 0
        elif event & 3:
            s.memory_shown[event >> 2, (event & 3) - 1] += 1


@njit
def _survey_tiles(s):
    """FA-M04"""
    s.memory_out[:] = 0
    for i in range(SHOPS - TILES_OUT, SHOPS):
        s.memory_out[s.tiles[i]] += 1
