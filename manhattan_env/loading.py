"""Data as a state: the setup and shuffles of records (RULES.md section 9) and positions (section 10) are read.

position.py writes what is read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manhattan_env.components import (
    ALL_PIECES,
    CARDS,
    CARDS_PER_SQUARE,
    CITIES,
    COLOURS,
    COLOURS_IN_PLAY,
    HAND,
    HEIGHTS,
    OWN_COLOURS,
    PIECES,
    PIECES_PER_COLOUR,
    ROUNDS,
    SET_SIZE,
    SITES,
    SQUARES,
    TURNS,
)
from manhattan_env.position import COPIES
from manhattan_env.rules import deal
from manhattan_env.scoring import survey
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET, PHASE_TURN
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.reading import Fields, Value, check_counts

_deal, _survey = FromPython(deal), FromPython(survey)

FIELDS = (
    "players", "round", "marker", "phase", "picked", "turn", "hands", "deck", "played", "stock", "chosen", "towers",
    "scores",
)  # fmt: skip
CARD_NAMES = [f"the card {square}" for square in range(SQUARES)]
PIECE_NAMES = [f"height {height} of colour {colour}" for colour in range(COLOURS) for height in range(1, HEIGHTS + 1)]
MOST_POINTS = 468  # of a seat at the end   [section 11]


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank row as a setup object says."""
    given = Value(data, "setup").object("start", "deck", need=("start", "deck"))
    start, deck = given["start"].whole(0, int(s.players) - 1), _cards(given["deck"])
    if np.bincount(deck, minlength=SQUARES).tolist() != COPIES:
        given["deck"].fault(f"each of the squares 0 .. 8 stands {CARDS_PER_SQUARE} times in the deck")
    s.marker = start
    s.deck[:] = deck
    _deal(s)


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the next reshuffle of `s` give this order: the played cards and one of the deciding seat's hand. [MH-16]"""
    for event in Value(given, "shuffles").list(most=1):
        fields = event.object("deck", "order", need=("deck", "order"))
        fields["deck"].one_of(["cards"])
        order = _cards(fields["order"])
        if s.phase != PHASE_TURN or s.deck_top != s.deck_size:
            event.fault("nothing is shuffled here: the move draws no card, or the draw deck is not empty")
        played = np.bincount(s.played[: s.played_size] % SQUARES, minlength=SQUARES)
        more = np.bincount(order, minlength=SQUARES) - played
        if len(order) != s.played_size + 1 or (more < 0).any() or (more > s.hands[s.seat]).any():
            fields["order"].fault(
                f"the new deck is the {s.played_size} played cards and one of the hand of seat {s.seat}"
            )
        s.deck[: len(order)] = order
        s.order_given = 1


# ---------------------------------------------------------------- positions


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields are empty. A ValueError names the place of what does not fit.

    Why no index can leave its array afterwards, and no number its type:

    * no card is there more than 5 times (45 in all): a card that is played comes from a hand, so `played`, `deck` and
      the piles hold at most 45;
    * no height of a colour is there more often than printed: what is built comes from `chosen`, and that from `stock`,
      so `built` holds at most 96 pieces, `floors` at most 47 and `height` at most 188;
    * clock, marker, colours and sites have their ranges; a colour that has not chosen has no chosen pieces, so its set
      replaces none;
    * everything else is a cache and computed here.

    A position may leave out cards and pieces (section 10): the game is over when a seat lacks them for a move [MH-R18].
    """
    given = Value(data, "position").object(*FIELDS)
    s.owner[:] = NO_COLOUR
    s.pile_top[:] = NO_CARD
    _load_clock(s, given)
    _load_cards(s, given)
    _load_stock(s, given)
    _load_towers(s, given)
    _check_whole(s, given)
    _survey(s)


def _load_clock(s: Any, given: Fields) -> None:
    """`picked` counts in the phase pick, `turn` in the phase turn; when the game is over, all rounds are done."""
    players = int(s.players)
    rounds, turns, colours = int(ROUNDS[players]), players * int(TURNS[players]), int(COLOURS_IN_PLAY[players])
    s.phase = given.get("phase", "turn").one_of(("pick", "turn", "over"))
    s.rounds_done = given.get("round", rounds if s.phase == PHASE_OVER else 1).whole(1, rounds) - 1
    s.marker = given.get("marker", 0).whole(0, players - 1)
    picked = given.get("picked", 0).whole(0, colours - (s.phase == PHASE_SET))
    turn = given.get("turn", 0).whole(0, turns - (s.phase == PHASE_TURN))
    if s.phase == PHASE_SET:
        s.turn, s.seat = picked, (s.marker + picked // OWN_COLOURS[players]) % players
    elif s.phase == PHASE_TURN:
        s.turn, s.seat = turn, (s.marker + turn) % players
    else:
        s.rounds_done, s.turn, s.seat = rounds - 1, turns, NO_SEAT
    s.scores[:players] = [score.whole(0, MOST_POINTS) for score in given.get("scores", [0] * players).row(players)]


def _load_cards(s: Any, given: Fields) -> None:
    players = int(s.players)
    hands = [_cards(hand, HAND) for hand in given.get("hands", [[]] * players).row(players)]
    deck = _cards(given.get("deck", []))
    piles = [_cards(pile) for pile in given.get("played", [[]] * players).row(players)]
    found = np.bincount([card for part in (*hands, deck, *piles) for card in part], minlength=SQUARES)
    check_counts("position", found, COPIES, CARD_NAMES)
    for seat, hand in enumerate(hands):
        s.hands[seat] = np.bincount(hand, minlength=SQUARES)
        s.pile_size[seat] = len(piles[seat])
        s.pile_top[seat] = piles[seat][-1] if piles[seat] else NO_CARD
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
    s.played_size = sum(map(len, piles))
    s.played[: s.played_size] = [SQUARES * seat + card for seat, card in _in_playing_order(s, piles)]


def _in_playing_order(s: Any, piles: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """(seat, card) of all piles, oldest first, as the next reshuffle takes them.

    The turns are followed back from the present one. A position that no game reaches may have cards left then; they
    come first, by seats.
    """
    players, left = int(s.players), [list(pile) for pile in piles]
    order: list[tuple[int, int]] = []
    marker, turn = int(s.marker), 0 if s.phase == PHASE_SET else int(s.turn)
    while True:
        if turn == 0:
            marker, turn = marker - 1, players * int(TURNS[players])
        turn -= 1
        seat = (marker + turn) % players
        if not left[seat]:
            rest = [(other, card) for other, pile in enumerate(left) for card in pile]
            return rest + order[::-1]
        order.append((seat, left[seat].pop()))


def _load_stock(s: Any, given: Fields) -> None:
    colours, size = int(COLOURS_IN_PLAY[s.players]), int(SET_SIZE[s.players])
    names = [str(colour) for colour in range(colours)]
    for name, counts in given.get("stock", {}).object(*names):
        s.stock[int(name)] = [n.whole(0, int(most)) for n, most in zip(counts.row(HEIGHTS), PIECES, strict=True)]
    for name, heights in given.get("chosen", {}).object(*names):
        found = [height.whole(1, HEIGHTS) for height in heights.list(most=size)]
        if found and not _has_chosen(s, int(name)):
            heights.fault("this colour has no chosen pieces: its set is still to be chosen in this round")
        s.chosen[int(name)] = np.bincount(found, minlength=HEIGHTS + 1)[1:]


def _has_chosen(s: Any, colour: int) -> bool:
    """Whether the colour's set of this round is chosen. [MH-03]"""
    seat, own = divmod(colour, int(OWN_COLOURS[s.players]))
    before = (seat - int(s.marker)) % int(s.players) * int(OWN_COLOURS[s.players]) + own
    return bool(s.phase != PHASE_SET or before < s.turn)


def _load_towers(s: Any, given: Fields) -> None:
    towers = [_tower(s, tower) for tower in given.get("towers", []).list(most=SITES)]
    codes = np.array([code for tower in towers for code in tower], int)
    built = np.bincount(codes % 16, minlength=COLOURS * HEIGHTS).reshape(COLOURS, HEIGHTS)
    check_counts("position", (built + s.stock + s.chosen).reshape(-1), list(PIECES) * COLOURS, PIECE_NAMES)
    for tower in towers:
        if s.owner[tower[0] // 16] != NO_COLOUR:
            given["towers"].fault(
                f"the tower of city {tower[0] // 16 // SQUARES}, square {tower[0] // 16 % SQUARES} twice"
            )
        s.owner[tower[0] // 16] = tower[-1] // HEIGHTS % COLOURS
    s.built[: len(codes)] = codes
    s.built_size = len(codes)
    np.add.at(s.floors, (codes // HEIGHTS % COLOURS, codes // 16), codes % HEIGHTS + 1)
    s.height[:] = s.floors.sum(axis=0)[:SITES]


def _tower(s: Any, tower: Value) -> list[int]:
    """The pieces as they stand in `built`."""
    city, square, pieces = tower.row(3)
    site = SQUARES * city.whole(0, CITIES - 1) + square.whole(0, SQUARES - 1)
    found = []
    for piece in pieces.list(1, ALL_PIECES):
        colour, height = piece.row(2)
        level = height.whole(1, HEIGHTS) - 1
        found.append(16 * site + HEIGHTS * colour.whole(0, int(COLOURS_IN_PLAY[s.players]) - 1) + level)
    return found


def _check_whole(s: Any, given: Fields) -> None:
    """A position from which no card and no piece is missing can be played to its end."""
    size, colours = int(SET_SIZE[s.players]), int(COLOURS_IN_PLAY[s.players])
    pieces = int(s.built_size) + int(s.stock.sum()) + int(s.chosen.sum())
    cards = int(s.hands.sum()) + int(s.deck_size) + int(s.played_size)
    if s.phase == PHASE_OVER or cards < CARDS or pieces < colours * PIECES_PER_COLOUR:
        return
    for seat, hand in enumerate(s.hands[: s.players].sum(axis=1)):
        if hand < HAND:
            given.get("hands", []).fault(
                f"all {CARDS} cards are there, so seat {seat} holds {HAND} of them, not {hand}"
            )
    for colour in range(colours):
        need = size * (int(ROUNDS[s.players]) - int(s.rounds_done) - _has_chosen(s, colour))
        if (left := s.stock[colour].sum()) < need:
            given.get("stock", {}).fault(f"colour {colour} has {left} pieces, the sets still to be chosen take {need}")


def _cards(value: Value, most: int = CARDS) -> list[int]:
    """Printed squares."""
    return [card.whole(0, SQUARES - 1) for card in value.list(most=most)]
