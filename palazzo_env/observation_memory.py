# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The recall slices of the observation: what a perfect memory holds beside the table. [RULES.md 7.2]

The memory lies in the state as it is written here; only what depends on the viewer's own hand is counted.
"""

from __future__ import annotations

from palazzo_env.components import CARD_KINDS, TILE_KINDS
from skyline.core.jit import njit
from skyline.core.seats import around
from skyline.core.wide import subtract, widen, write_excess
from skyline.game import RECALL

# The 45 tiles are written as two vectors of 32, of which the second repeats the end of the first.
HALF = 32
SECOND_HALF = TILE_KINDS - HALF


@njit
def observe_memory(s, seat, unseen, out, at):
    """sure .. box: zeros with TABLE. `unseen` is the place of the slice of that name."""
    players = int(s.players)
    if s.memory != RECALL:
        end = at + players * (3 * CARD_KINDS + 1) + CARD_KINDS + 1 + 2 * TILE_KINDS
        out[at:end] = 0
        return end
    hidden, starting = 0, at + 2 * players * CARD_KINDS
    not_seen = starting + players + 1 + CARD_KINDS
    write_excess(out, not_seen, unseen, 0, CARD_KINDS)
    for j in range(players):
        other = around(seat, j, players)
        sure = s.memory_sure[other]
        widen(out, at, sure, CARD_KINDS)
        widen(out, at + players * CARD_KINDS, s.memory_shown[other], CARD_KINDS)
        at += CARD_KINDS
        out[starting + j] = s.memory_starting[other]
        if j:
            subtract(out, not_seen, sure, CARD_KINDS)
            hidden += s.memory_starting[other]
    out[starting + players] = s.memory_shuffled
    widen(out, not_seen - CARD_KINDS, s.memory_deck, CARD_KINDS)
    subtract(out, not_seen, s.memory_deck, CARD_KINDS)
    hidden += 0 if s.memory_shuffled else int(s.deck_size) - int(s.deck_top)
    at = _observe_counting(s, seat, hidden, out, not_seen)
    return _observe_box(s, out, at)


@njit
def _observe_counting(s, seat, hidden, out, not_seen):
    """by_counting: the cards of a kind that find no place outside the hand.  # PZ-M11"""
    players, at = int(s.players), not_seen + CARD_KINDS
    for j in range(1, players):
        places = hidden - int(s.memory_starting[around(seat, j, players)])
        write_excess(out, at, not_seen, places, CARD_KINDS)
        at += CARD_KINDS
    return at


@njit
def _observe_box(s, out, at):
    """stack_tiles, box: what was drawn and is not on the table is out of the game.  # PZ-M13"""
    for row in (s.memory_stack, s.memory_box):
        widen(out, at, row, HALF)
        widen(out, at + SECOND_HALF, row[SECOND_HALF:], HALF)
        at += TILE_KINDS
    return at
