# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The recall slices of the observation: what a perfect memory holds beside the table. [RULES.md 7.2]

The memory lies in the state as it is written here; only what depends on the viewer's own hand is counted.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import CARD_COPIES, CARD_KINDS, CERTIFICATE, TILE_COPIES, TILE_KINDS
from skyline.core.jit import njit
from skyline.core.seats import around
from skyline.core.wide import widen, write_bits
from skyline.game import RECALL

NO_CARDS = np.uint64(0)


@njit
def observe_memory(s, seat, out, at):
    """sure .. box: zeros with TABLE."""
    players = int(s.players)
    if s.memory != RECALL:
        end = at + players * (3 * CARD_KINDS + 1) + CARD_KINDS + 1 + 2 * TILE_KINDS
        out[at:end] = 0
        return end
    hidden, starting = 0, at + 2 * players * CARD_KINDS
    for j in range(players):
        other = around(seat, j, players)
        widen(out, at, s.memory_sure[other], CARD_KINDS)
        widen(out, at + players * CARD_KINDS, s.memory_shown[other], CARD_KINDS)
        at += CARD_KINDS
        out[starting + j] = s.memory_starting[other]
        hidden += s.memory_starting[other] if j else 0
    at = starting + players
    out[at] = s.memory_shuffled
    widen(out, at + 1, s.memory_deck, CARD_KINDS)
    at = _observe_unseen(s, seat, out, at + 1 + CARD_KINDS)
    hidden += 0 if s.memory_shuffled else int(s.deck_size) - int(s.deck_top)
    at = _observe_counting(s, seat, hidden, out, at)
    return _observe_box(s, out, at)


@njit
def _observe_unseen(s, seat, out, at):
    """not_seen: `count_unseen` of every kind at once."""
    part, hand, discards, face_up, table = out[at : at + CARD_KINDS], s.hands[seat], s.discards, s.face_up, s.table
    own, sure, deck = s.memory_sure[seat], s.memory_sure, s.memory_deck
    for card in range(part.shape[0]):
        known = sure[0, card] + sure[1, card] + sure[2, card] + sure[3, card] - own[card] + deck[card]
        known += table[0, card] + table[1, card] + table[2, card] + table[3, card]
        part[card] = CARD_COPIES[card] - hand[card] - discards[card] - face_up[card] - known
    return at + CARD_KINDS


@njit
def _observe_counting(s, seat, hidden, out, at):
    """by_counting: the cards of a kind that find no place outside the hand.  # PZ-M11"""
    players = int(s.players)
    unseen = out[at - CARD_KINDS : at]
    for j in range(1, players):
        places = hidden - int(s.memory_starting[around(seat, j, players)])
        if places >= CARD_COPIES[CERTIFICATE]:
            write_bits(out, at, NO_CARDS, CARD_KINDS)
        else:
            part = out[at : at + CARD_KINDS]
            for card in range(part.shape[0]):
                part[card] = max(0, unseen[card] - places)
        at += CARD_KINDS
    return at


@njit
def _observe_box(s, out, at):
    """stack_tiles, box: what was drawn and is not on the table is out of the game.  # PZ-M13"""
    widen(out, at, s.memory_stack, TILE_KINDS)
    at += TILE_KINDS
    part, visible, stack = out[at : at + TILE_KINDS], s.visible, s.memory_stack
    for tile in range(part.shape[0]):
        part[tile] = TILE_COPIES[tile] - visible[tile] - stack[tile]
    return at + TILE_KINDS
