# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The rules: setup, what is legal, what a move does. Clause numbers are those of RULES.md.

For each block of the action table one `_legal_<block>` and one `_apply_<block>`, in the same order.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.actions import BUILDS_PER_CITY, BUILDS_PER_COLOUR, FIRST_BUILD, FIRST_DISCARD
from manhattan_env.components import (
    CARD,
    CARDS,
    CARDS_PER_SQUARE,
    COLOURS_IN_PLAY,
    HAND,
    HEIGHTS,
    OWN_COLOURS,
    PIECE_WORDS,
    PIECES,
    PIECES_OF_SETS,
    ROUNDS,
    SET_SIZE,
    SET_WORDS,
    SETS_OF_4,
    SETS_OF_6,
    SIDE,
    SITES_A_WORD,
    SQUARES,
    SQUARES_OF_CARDS,
    TURNS,
)
from manhattan_env.memory import begin_memory, buildable, remember_discard, remember_play, remember_reshuffle
from manhattan_env.piles import clear_piles, cover
from manhattan_env.scoring import score_round, site_changed, survey
from manhattan_env.state import NO_COLOUR, PHASE_OVER, PHASE_SET, PHASE_TURN
from skyline.core.cards import cards_in
from skyline.core.jit import njit
from skyline.core.wide import LANES, bits_at_most, bits_of, write_bits
from skyline.game import NO_SEAT
from skyline.rng import below, shuffle

NO_PIECES = np.uint64(0)
EVERY_SITE = np.uint64(sum(1 << HEIGHTS * site for site in range(SITES_A_WORD)))
LAST_BUILDS = BUILDS_PER_COLOUR % LANES

# ---------------------------------------------------------------- setup


@njit
def reset(s):
    """A new game: section 2."""
    s.marker = below(s, s.players)  # step 3
    for card in range(CARDS):
        s.deck[card] = card // CARDS_PER_SQUARE
    shuffle(s, s.deck, CARDS)  # step 4
    deal(s)


@njit
def deal(s):
    """Everything that follows from start seat and deck order. [section 2, steps 5 and 6]"""
    s.hands[:] = 0
    for seat in range(s.players):
        for i in range(HAND):
            s.hands[seat, s.deck[HAND * seat + i]] += 1
    s.deck_size = CARDS
    s.deck_top = HAND * s.players
    s.order_given = 0
    s.made_up = 0
    clear_piles(s)
    s.played[:] = 0
    begin_memory(s)
    s.stock[:] = 0
    for colour in range(COLOURS_IN_PLAY[s.players]):
        for level in range(HEIGHTS):
            s.stock[colour, level] = PIECES[level]
    s.chosen[:] = 0
    s.built[:] = 0
    s.built_size = 0
    s.owner[:] = NO_COLOUR
    s.height[:] = 0
    s.floors[:] = 0
    s.scores[:] = 0
    s.rounds_done = 0
    survey(s)
    _begin_round(s)


# ---------------------------------------------------------------- who decides


@njit
def set_colour(s):
    """The colour the deciding seat chooses for; with two players c0, then c1.  # MH-03"""
    own = int(OWN_COLOURS[s.players])
    return s.seat * own + s.turn % own


@njit
def _next_chooser(s):
    """Sets are chosen from the marker's holder clockwise, two players two in a row.  # MH-03"""
    s.seat = (s.marker + s.turn // OWN_COLOURS[s.players]) % s.players
    if s.made_up and _pieces_in_stock(s, set_colour(s)) < SET_SIZE[s.players]:
        _break_off(s)


@njit
def _next_in_turn(s):
    """The seat of turn t is (marker + t) mod n.  # MH-05"""
    s.seat = (s.marker + s.turn) % s.players
    if s.made_up and cards_in(s.hands[s.seat]) == 0:
        _break_off(s)


@njit
def _pieces_in_stock(s, colour):
    stock = s.stock[colour]
    return stock[0] + stock[1] + stock[2] + stock[3]


@njit
def _break_off(s):
    """A made-up position lacks the pieces or cards for a move: the game is over, nothing more is scored.  # MH-R18"""
    s.phase, s.seat = PHASE_OVER, NO_SEAT
    s.rounds_done, s.turn = ROUNDS[s.players] - 1, s.players * TURNS[s.players]


# ---------------------------------------------------------------- what is legal


@njit
def legal(s, mask):
    """Mark the legal actions of the deciding seat. [section 6]"""
    if s.phase == PHASE_SET:
        _legal_set(s, mask)
    elif not _legal_build(s, mask):
        _legal_discard(s, mask)  # MH-17


@njit
def _legal_set(s, mask):
    """Every set that the stock of the colour can form.  # MH-04"""
    stock = s.stock[set_colour(s)]
    for word in range(SET_WORDS):
        needed = PIECES_OF_SETS[s.players, word]
        legal_sets = bits_at_most(needed[0], stock[0], LANES) & bits_at_most(needed[1], stock[1], LANES)
        legal_sets &= bits_at_most(needed[2], stock[2], LANES) & bits_at_most(needed[3], stock[3], LANES)
        write_bits(mask, LANES * word, legal_sets, LANES)


@njit
def _legal_build(s, mask):
    """Every chosen piece on every site of a card where it is high enough; True if there is any.  # MH-07, MH-10"""
    own = int(OWN_COLOURS[s.players])
    squares, found = _squares_of_hand(s), NO_PIECES
    for c in range(own):  # MH-13
        colour = s.seat * own + c
        pieces = bits_of(s.chosen[colour], 0, HEIGHTS) * EVERY_SITE  # MH-11
        at = FIRST_BUILD[s.players] + BUILDS_PER_COLOUR * c
        for word in range(PIECE_WORDS):
            legal_pieces = s.fits[colour, word] & pieces & _in_every_city(squares, word)
            found |= legal_pieces
            if word < PIECE_WORDS - 1:
                write_bits(mask, at + LANES * word, legal_pieces, LANES)
            else:
                write_bits(mask, at + LANES * word, legal_pieces, LAST_BUILDS)
    return found != NO_PIECES


@njit
def _squares_of_hand(s):
    """The board squares of the seat's cards, with every height.  # MH-07, MH-08"""
    return SQUARES_OF_CARDS[SIDE[s.players, s.seat], bits_of(s.hands[s.seat], 0, SQUARES)]


@njit
def _in_every_city(squares, word):
    """The bits of a city again and again, as they lie in the given word of a colour.

    A city has 36 bits. Word 1 begins with bit 64 of the colour, which is bit 28 of city 1: 8 bits before its end.
    Word 2 begins with bit 128, which is bit 20 of city 3: 16 bits before its end.
    """
    skipped = np.uint64(BUILDS_PER_CITY - 8 * word)
    city = np.uint64(BUILDS_PER_CITY)
    return squares >> skipped | squares << (city - skipped) | squares << (city + city - skipped)


@njit
def _legal_discard(s, mask):
    """Each printed square in the hand once.  # MH-R09"""
    first = FIRST_DISCARD[s.players]
    for card in range(SQUARES):
        if s.hands[s.seat, card]:
            mask[first + card] = 1


# ---------------------------------------------------------------- what a move does


@njit
def step(s, action):
    """Play a legal action."""
    if s.phase == PHASE_SET:
        _apply_set(s, action)
    elif action < FIRST_DISCARD[s.players]:
        _apply_build(s, action - FIRST_BUILD[s.players])
    else:
        _apply_discard(s, action - FIRST_DISCARD[s.players])


@njit
def _apply_set(s, number):
    """The set leaves the stock and lies open before its owner.  # MH-04"""
    sets = SETS_OF_4 if SET_SIZE[s.players] == 4 else SETS_OF_6
    colour = set_colour(s)
    for level in range(HEIGHTS):
        s.chosen[colour, level] = sets[number, level]
        s.stock[colour, level] -= sets[number, level]
    s.turn += 1
    if s.turn < COLOURS_IN_PLAY[s.players]:
        _next_chooser(s)
    else:
        s.phase, s.turn = PHASE_TURN, 0
        _next_in_turn(s)


@njit
def _apply_build(s, number):
    """Play the card, put the piece, draw a card.  # MH-06"""
    c, rest = divmod(number, BUILDS_PER_COLOUR)
    site, level = divmod(rest, HEIGHTS)
    colour = s.seat * int(OWN_COLOURS[s.players]) + c
    _play_card(s, CARD[SIDE[s.players, s.seat], site % SQUARES])  # MH-R16
    _put_piece(s, colour, site, level + 1)
    _end_turn(s)


@njit
def _apply_discard(s, card):
    """Nothing can be built: play a card, draw a card.  # MH-17, MH-R09"""
    squares = buildable(s)
    _play_card(s, card)
    remember_discard(s, card, squares)
    _end_turn(s)


@njit
def _play_card(s, card):
    """The card covers the seat's own played pile.  # MH-14"""
    s.hands[s.seat, card] -= 1
    s.played[s.played_size] = SQUARES * s.seat + card
    s.played_size += 1
    cover(s, int(s.seat), card)
    remember_play(s, card)


@njit
def _put_piece(s, colour, site, height):
    """A chosen piece becomes the top of the tower and makes it its colour's.  # MH-09, MH-12"""
    s.chosen[colour, height - 1] -= 1
    s.built[s.built_size] = 16 * site + 4 * colour + height - 1
    s.built_size += 1
    previous, height_before = int(s.owner[site]), int(s.height[site])
    s.owner[site] = colour
    s.floors[colour, site] += height
    s.height[site] += height
    site_changed(s, site, previous, height_before, colour)


@njit
def _end_turn(s):
    """Draw; then the next seat's turn, or the end of the round after n * L turns.  # MH-05, MH-15"""
    _draw(s)
    s.turn += 1
    if s.turn < s.players * TURNS[s.players]:
        _next_in_turn(s)
    else:
        _end_round(s)


@njit
def _draw(s):
    """Draw the top card; into an empty draw deck the played cards are shuffled first.  # MH-15, MH-16"""
    if s.deck_top == s.deck_size:
        _reshuffle(s)
    s.hands[s.seat, s.deck[s.deck_top]] += 1
    s.deck_top += 1


@njit
def _reshuffle(s):
    """All played cards become the draw deck, the one just played too.  # MH-16, MH-R07"""
    if not s.order_given:
        for i in range(s.played_size):
            s.deck[i] = s.played[i] % SQUARES
        shuffle(s, s.deck, s.played_size)
    s.order_given = 0
    s.deck_size, s.deck_top = s.played_size, 0
    clear_piles(s)
    remember_reshuffle(s)


@njit
def _end_round(s):
    """Score, take unbuilt pieces back, pass the marker on.  # MH-18, MH-19, MH-20"""
    score_round(s)
    for colour in range(COLOURS_IN_PLAY[s.players]):
        for level in range(HEIGHTS):
            s.stock[colour, level] += s.chosen[colour, level]
            s.chosen[colour, level] = 0
    if s.rounds_done + 1 == ROUNDS[s.players]:  # MH-01
        s.phase, s.seat = PHASE_OVER, NO_SEAT  # MH-26
        return
    s.rounds_done += 1
    s.marker = (s.marker + 1) % s.players
    _begin_round(s)


@njit
def _begin_round(s):
    """A round starts with the choice of sets.  # MH-02"""
    s.phase, s.turn = PHASE_SET, 0
    _next_chooser(s)


@njit
def rank_key(s, seat):
    """The highest score wins; there is no tie-break.  # MH-26, MH-R14"""
    return int(s.scores[seat])
