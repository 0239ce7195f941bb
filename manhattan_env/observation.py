# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: the observation table, `observe` that fills it, and `determinize` for all it does not see.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, colours begin with the viewer's own, the
hand is in board squares. Hidden: the other hands, the deck's order, the lower cards of all piles. [section 7]
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    BOARD,
    CARDS_PER_SQUARE,
    CITIES,
    CITY_POINTS,
    COLOURS,
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
from manhattan_env.scoring import gain, highest_chosen, least_chosen
from manhattan_env.state import NO_CARD, NO_NEED, PHASE_SET
from skyline.game import NO_SEAT, ObservationTable, Slice
from skyline.jit import njit
from skyline.rng import next_word, shuffle


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
    return ObservationTable(base, rich)


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
    players, own = int(s.players), int(OWN_COLOURS[s.players])
    length = 4 * players + own + 6
    out[at : at + length] = 0
    out[at + players + seat] = 1
    out[at + 2 * players + _relative(s, seat, int(s.marker))] = 1
    at += 3 * players
    if s.seat != NO_SEAT:
        out[at - 3 * players + _relative(s, seat, int(s.seat))] = 1
        out[at + s.phase] = 1
        taken = int(s.turn)
        if s.phase == PHASE_SET:
            out[at + 2 + taken % own] = 1
            taken = 0
        # the viewer's turns are t = offset, offset + n, ...; those below `taken` are over
        offset = _relative(s, int(s.marker), seat)
        out[at + 2 + own] = ROUNDS[players] - 1 - s.rounds_done
        out[at + 3 + own] = players * TURNS[players] - taken
        out[at + 4 + own] = TURNS[players] - (taken - offset + players - 1) // players
    at += 5 + own
    best = -1
    for j in range(1, players):
        score = int(s.scores[_around(seat, j, players)])
        out[at + j] = score
        best = max(best, score)
    out[at] = s.scores[seat]
    out[at + players] = s.scores[seat] - best
    return at + 1 + players


@njit
def _observe_cards(s, seat, out, at):
    players, hand = int(s.players), s.hands[seat]
    squares, board = out[at : at + SQUARES], BOARD[SIDE[players, seat]]
    for card in range(SQUARES):
        squares[board[card]] = hand[card]
    at += SQUARES
    for j in range(1, players):
        squares, board = out[at : at + SQUARES], BOARD[SIDE[players, _around(seat, j, players)]]
        for card in range(SQUARES):
            squares[board[card]] = CARDS_PER_SQUARE - hand[card]
        for p in range(MAX_PLAYERS):
            if s.pile_top[p] != NO_CARD:
                squares[board[s.pile_top[p]]] -= 1
        at += SQUARES
    tops = out[at : at + SQUARES * players]
    tops[:] = 0
    at += SQUARES * players
    out[at] = s.deck_size - s.deck_top
    piles = out[at + 1 : at + 1 + players]
    for j in range(MAX_PLAYERS):  # of known length: all places in the slices are constants then
        if j < players:
            other = _around(seat, j, players)
            piles[j] = s.pile_size[other]
            if s.pile_top[other] != NO_CARD:
                tops[SQUARES * j + BOARD[SIDE[players, other], s.pile_top[other]]] = 1
    return at + 1 + players


@njit
def _observe_pieces(s, seat, colours, out, at):
    first, end = first_colour(s, seat), at + HEIGHTS * colours
    chosen, stock = out[at:end], out[end : end + HEIGHTS * colours]
    for j in range(COLOURS):  # of known length, as above
        if j < colours:
            colour = _around(first, j, colours)
            for level in range(HEIGHTS):
                chosen[HEIGHTS * j + level] = s.chosen[colour, level]
                stock[HEIGHTS * j + level] = s.stock[colour, level]
    return end + HEIGHTS * colours


@njit
def _observe_towers(s, seat, colours, out, at):
    """Whole rows of 64 are copied; the ten values too many are overwritten by what comes next.

    The loops run over slices: a loop of known length would be unrolled and then not vectorised.
    """
    first = first_colour(s, seat)
    for j in range(colours):
        part, floors = out[at : at + ROW], s.floors[_around(first, j, colours)]
        for site in range(part.shape[0]):
            part[site] = floors[site]
        at += SITES
    owner = s.owner
    for j in range(colours):
        part, colour = out[at : at + ROW], np.int8(_around(first, j, colours))
        for site in range(part.shape[0]):
            part[site] = owner[site] == colour
        at += SITES
    for c in range(OWN_COLOURS[s.players]):
        part, need = out[at : at + SITES], s.need[first + c]
        for site in range(part.shape[0]):
            part[site] = need[site]
        at += SITES
    return at


@njit
def _observe_points(s, seat, colours, out, at):
    first, length = first_colour(s, seat), CITIES * colours
    in_city, won = out[at : at + length], out[at + length : at + 2 * length]
    at += 2 * length
    tallest, best = out[at : at + colours], out[at + colours + 1 : at + 2 * colours + 1]
    now = out[at + 2 * colours + 1 : at + 3 * colours + 1]
    out[at + colours] = s.top_height
    for j in range(COLOURS):  # of known length, as above
        if j < colours:
            colour = _around(first, j, colours)
            points = TALLEST_POINTS * (s.top_owner == colour)
            for city in range(CITIES):
                towers, majority = int(s.towers[colour, city]), s.majority[city] == colour
                in_city[CITIES * j + city] = towers
                won[CITIES * j + city] = majority
                points += TOWER_POINTS * towers + CITY_POINTS * majority
            tallest[j] = s.top_owner == colour
            best[j] = s.colour_best[colour]
            now[j] = points
    return at + 3 * colours + 1


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
        out[at + site] = s.owner[site] // own == seat and not _can_be_taken(s, site, colours)
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
