# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: the observation table, `observe` that fills it, and `determinize` for all it does not see.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, colours begin with the viewer's own, the
hand is in board squares. Hidden: the other hands, the deck's order, the lower cards of all piles. [section 7]
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    BOARD,
    CARD,
    CARDS_PER_SQUARE,
    CITIES,
    CITY_POINTS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    MAX_PLAYERS,
    OWN_COLOURS,
    ROUNDS,
    ROW,
    SIDE,
    SITES,
    SQUARES,
    TALLEST_POINTS,
    TOWER_POINTS,
    TURNS,
)
from manhattan_env.scoring import gain, highest_chosen, least_chosen, seat_of
from manhattan_env.state import NO_CARD, NO_NEED, PHASE_SET
from skyline.core.jit import njit
from skyline.core.wide import bits_equal, ones_in, unpack, widen, write_bits
from skyline.game import NO_SEAT, ObservationTable, Slice
from skyline.rng import next_word, shuffle

CHOICES = 16  # places for the choices of the clock: 3 P + 2 + own colours, at most 15
ALL_TOPS = SQUARES * MAX_PLAYERS  # places for the top cards of four piles
PACK_BITS = 7  # nine counts of cards in one word
PACK_MASK = np.uint64((1 << PACK_BITS) - 1)
PACK_SHIFT = (PACK_BITS * CARD).astype(np.uint64)  # by side and board square
ALL_COPIES = np.uint64(sum(CARDS_PER_SQUARE << PACK_BITS * card for card in range(SQUARES)))


def observation_table(players: int) -> ObservationTable:
    """P seats, C colours; colours and seats count from the viewer."""
    P, C, own = players, int(COLOURS_IN_PLAY[players]), int(OWN_COLOURS[players])
    base = (
        Slice("to_move", (P,), 0, 1, 1, "who decides"),
        Slice("seat", (P,), 0, 1, 1, "the viewer's absolute seat"),
        Slice("marker", (P,), 0, 1, 1, "who holds the round marker"),
        Slice("phase", (2,), 0, 1, 1, "sets are chosen; turns are played"),
        Slice("set_colour", (own,), 0, 1, 1, "which colour of the decider is chosen for"),
        Slice("rounds_left", (1,), 0, 5, 5, "rounds after this one"),
        Slice("turns_left", (1,), 0, 24, 24, "turns left in this round, of all seats"),
        Slice("own_turns_left", (1,), 0, 8, 8, "turns left in this round, own"),
        Slice("scores", (P,), 0, 468, 100, "points so far"),
        Slice("margin", (1,), -468, 468, 50, "own points less the best other"),
        Slice("hand", (9,), 0, 4, 2, "own cards by board square", own_only=True),
        Slice(
            "reach", (P - 1, 9), 0, 5, 5, "per other seat and board square: copies of its card not seen", own_only=True
        ),
        Slice("tops", (P, 9), 0, 1, 1, "board square of the top card of the seat's played pile"),
        Slice("deck", (1,), 0, 45, 37, "cards in the draw deck"),
        Slice("piles", (P,), 0, 45, 15, "cards in the played pile"),
        Slice("chosen", (C, 4), 0, 6, 3, "chosen pieces by height"),
        Slice("stock", (C, 4), 0, 11, 6, "pieces in stock by height"),
        Slice("floors", (C, CITIES, 9), 0, 47, 8, "floors of the colour in the tower"),
        Slice("owner", (C, CITIES, 9), 0, 1, 1, "the colour owns the tower"),
        Slice("need", (own, CITIES, 9), 1, 5, 5, "least height the own colour may put there; 5 = none"),
        Slice("city_towers", (C, CITIES), 0, 9, 4, "towers owned in the city"),
        Slice("city_won", (C, CITIES), 0, 1, 1, "more towers than every other colour"),
        Slice("tallest", (C,), 0, 1, 1, "owner of the single tallest tower"),
        Slice("tallest_height", (1,), 0, 188, 20, "height of the tallest tower"),
        Slice("colour_tallest", (C,), 0, 188, 20, "height of the colour's tallest tower"),
        Slice("round_now", (C,), 0, 39, 15, "points if the round were scored now"),
    )
    rich = (
        Slice(
            "gain",
            (own, CITIES, 9),
            -48,
            48,
            4,
            "change of own round_now less the others' mean, times 4, by the lowest chosen piece that fits; 0 if none",
        ),
        Slice("held", (CITIES, 9), 0, 1, 1, "own tower that no other colour's chosen piece can take"),
    )
    return ObservationTable(base, rich, worth=("scores", "round_now"), worth_scale=30)


# ---------------------------------------------------------------- observe


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    colours = int(COLOURS_IN_PLAY[s.players])
    at = _observe_clock(s, seat, out, 0)
    at = _observe_cards(s, seat, out, at)
    at = _observe_pieces(s, seat, colours, out, at)
    at = _observe_towers(s, seat, colours, out, at)
    at = _observe_points(s, seat, colours, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, colours, out, at)
    return at


@njit
def first_colour(s, seat):
    return seat * int(OWN_COLOURS[s.players])


@njit
def _relative(s, seat, other):
    """Seat `other` counted from the viewer."""
    return other - seat if other >= seat else other - seat + int(s.players)


@njit
def _around(first, j, n):
    """The j-th of n after the first one, going round (a division costs more than the slice it is for)."""
    return first + j if first + j < n else first + j - n


@njit
def _observe_clock(s, seat, out, at):
    """The five choices among few are written as the bits of a word; the places too many are overwritten."""
    players, own, seat = int(s.players), int(OWN_COLOURS[s.players]), int(seat)
    marker = _relative(s, seat, int(s.marker))
    ones = (1 << players + seat) | (1 << 2 * players + marker)
    rounds_left, turns_left, own_turns_left = 0, 0, 0
    if s.seat != NO_SEAT:
        ones |= (1 << _relative(s, seat, int(s.seat))) | (1 << 3 * players + int(s.phase))
        taken = int(s.turn)
        if s.phase == PHASE_SET:
            ones |= 1 << 3 * players + 2 + taken % own
            taken = 0
        rounds_left = ROUNDS[players] - 1 - s.rounds_done
        turns_left = players * TURNS[players] - taken
        own_turns_left = TURNS[players] - _own_turns_taken(s, seat, taken)
    write_bits(out, at, np.uint64(ones), CHOICES)
    at += 3 * players + 2 + own
    out[at] = rounds_left
    out[at + 1] = turns_left
    out[at + 2] = own_turns_left
    at += 3
    best = -1
    for j in range(1, players):
        score = int(s.scores[_around(seat, j, players)])
        out[at + j] = score
        best = max(best, score)
    out[at] = s.scores[seat]
    out[at + players] = s.scores[seat] - best
    return at + 1 + players


@njit
def _own_turns_taken(s, seat, taken):
    """The viewer's turns are t = offset, offset + n, ...; how many of them are below `taken`."""
    offset = _relative(s, int(s.marker), seat)
    return np.uint32(taken - offset + int(s.players) - 1) // np.uint32(s.players)


@njit
def _observe_cards(s, seat, out, at):
    players = int(s.players)
    hand = _packed(s.hands[seat])
    unpack(out, at, hand, PACK_SHIFT[SIDE[players, seat]], PACK_MASK, SQUARES)
    at += SQUARES
    unseen = ALL_COPIES - hand
    for p in range(MAX_PLAYERS):
        top = int(s.pile_top[p])
        unseen -= np.uint64(top != NO_CARD) << np.uint64(PACK_BITS * max(top, 0))
    for j in range(1, players):
        side = SIDE[players, _around(seat, j, players)]
        unpack(out, at, unseen, PACK_SHIFT[side], PACK_MASK, SQUARES)
        at += SQUARES
    tops = np.uint64(0)
    for j in range(players):
        other = _around(seat, j, players)
        top = int(s.pile_top[other])
        if top != NO_CARD:
            tops |= np.uint64(1) << np.uint64(SQUARES * j + BOARD[SIDE[players, other], top])
    write_bits(out, at, tops, ALL_TOPS)
    at += SQUARES * players
    out[at] = s.deck_size - s.deck_top
    for j in range(players):
        out[at + 1 + j] = s.pile_size[_around(seat, j, players)]
    return at + 1 + players


@njit
def _packed(cards):
    """Counts by printed square in one word, PACK_BITS each."""
    word = np.uint64(0)
    for card in range(SQUARES):
        word |= np.uint64(cards[card]) << np.uint64(PACK_BITS * card)
    return word


@njit
def _observe_pieces(s, seat, colours, out, at):
    first, stock = first_colour(s, seat), at + HEIGHTS * colours
    for j in range(colours):
        colour = _around(first, j, colours)
        widen(out, at + HEIGHTS * j, s.chosen[colour], HEIGHTS)
        widen(out, stock + HEIGHTS * j, s.stock[colour], HEIGHTS)
    return stock + HEIGHTS * colours


@njit
def _observe_towers(s, seat, colours, out, at):
    """Whole rows of 64 are copied; the ten values too many are overwritten by what comes next.

    The loops run over slices: a loop of known length would be unrolled and then not vectorised.
    """
    first = first_colour(s, seat)
    for j in range(colours):
        widen(out, at, s.floors[_around(first, j, colours)], ROW)
        at += SITES
    for j in range(colours):
        write_bits(out, at, bits_equal(s.owner, _around(first, j, colours), ROW), ROW)
        at += SITES
    for c in range(OWN_COLOURS[s.players]):
        widen(out, at, s.need[first + c], SITES)
        at += SITES
    return at


@njit
def _observe_points(s, seat, colours, out, at):
    first, won = first_colour(s, seat), at + CITIES * colours
    tallest = won + CITIES * colours
    best, now = tallest + colours + 1, tallest + 2 * colours + 1
    out[tallest + colours] = s.top_height
    for j in range(colours):
        colour = _around(first, j, colours)
        cities = bits_equal(s.majority, colour, CITIES)
        towers = ones_in(bits_equal(s.owner, colour, ROW))
        is_tallest = s.top_owner == colour
        widen(out, at + CITIES * j, s.towers[colour], CITIES)
        write_bits(out, won + CITIES * j, cities, CITIES)
        out[tallest + j] = is_tallest
        out[best + j] = s.colour_best[colour]
        out[now + j] = TOWER_POINTS * towers + CITY_POINTS * ones_in(cities) + TALLEST_POINTS * is_tallest
    return now + colours


@njit
def _observe_rich(s, seat, colours, out, at):
    own = int(OWN_COLOURS[s.players])
    first = first_colour(s, seat)
    for c in range(own):
        for site in range(SITES):
            height = least_chosen(s, first + c, site)
            share = 1.0 / (s.players - 1.0)
            out[at + site] = round(4 * gain(s, first + c, site, height, share)) if height != NO_NEED else 0
        at += SITES
    for site in range(SITES):
        out[at + site] = seat_of(s.owner[site], own) == seat and not _can_be_taken(s, site, colours)
    return at + SITES


@njit
def _can_be_taken(s, site, colours):
    """Whether a chosen piece of a colour other than the owner's is high enough for the tower."""
    for colour in range(colours):
        if colour != s.owner[site] and s.need[colour, site] <= highest_chosen(s, colour):
            return True
    return False


# ---------------------------------------------------------------- determinize


@njit
def determinize(s, seat, stream):
    """Deal the cards the seat cannot see anew: the other hands, the deck, the lower cards of every pile.

    The cards taken from those places are dealt back to them, so all counts stay; they are sorted first, so that the
    deal depends on what the seat sees and on the stream alone. What the deck array still holds of drawn cards is
    wiped: it would tell who drew what.
    """
    left = int(s.deck_size) - int(s.deck_top)
    for i in range(left):
        s.deck[i] = s.deck[s.deck_top + i]
    hidden = _hand_in(s, seat, left)
    _sort(s.deck, hidden)
    shuffle(stream, s.deck, hidden)
    _deal_out(s, seat, hidden)
    s.deck[left:] = 0
    s.played[s.played_size :] = 0  # cards reshuffled since would tell who drew what
    s.deck_top, s.deck_size, s.order_given = 0, left, 0
    s.rng = next_word(stream)


@njit
def _hand_in(s, seat, n):
    """Put the hidden hands and lower pile cards behind the n cards of the deck; the number of cards then."""
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                for _ in range(s.hands[other, card]):
                    s.deck[n] = card
                    n += 1
    tops = 0
    for i in range(s.played_size - 1, -1, -1):
        owner = s.played[i] // SQUARES
        if tops >> owner & 1:
            s.deck[n] = s.played[i] % SQUARES
            n += 1
        tops |= 1 << owner
    return n


@njit
def _sort(cards, n):
    """The first n cards in rising order."""
    at = 0
    for card in range(SQUARES):
        for i in range(at, n):
            if cards[i] == card:
                cards[i], cards[at] = cards[at], cards[i]
                at += 1


@njit
def _deal_out(s, seat, n):
    """Deal the last of the n gathered cards back to hands and piles, as many as each had."""
    for other in range(s.players):
        if other != seat:
            held = 0
            for card in range(SQUARES):
                held += s.hands[other, card]
                s.hands[other, card] = 0
            for _ in range(held):
                n -= 1
                s.hands[other, s.deck[n]] += 1
    tops = 0
    for i in range(s.played_size - 1, -1, -1):
        owner = s.played[i] // SQUARES
        if tops >> owner & 1:
            n -= 1
            s.played[i] = SQUARES * owner + s.deck[n]
        tops |= 1 << owner
