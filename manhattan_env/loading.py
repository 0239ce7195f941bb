"""Data as a state: the setup and shuffles of records (RULES.md section 9) and positions (section 10) are read.

position.py writes what is read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manhattan_env import components as box
from manhattan_env import state
from manhattan_env.memory import HELD_BITS, PLAY_BITS, begin_memory, survey_memory
from manhattan_env.piles import survey_piles
from manhattan_env.position import memory_fault, turns_taken
from manhattan_env.rules import deal
from manhattan_env.scoring import survey
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.positions import by_seat, check_player_count, counts_of, read_scores, shuffles
from skyline.reading import Fields, Unreadable, Value, check_counts

_deal, _survey, _survey_piles = FromPython(deal), FromPython(survey), FromPython(survey_piles)
_begin_memory, _survey_memory = FromPython(begin_memory), FromPython(survey_memory)

FIELDS = (
    "players", "round", "marker", "phase", "picked", "turn", "hands", "deck", "played", "stock", "chosen", "towers",
    "scores", "memory",
)  # fmt: skip
CARD_NAMES = [f"the card {square}" for square in range(box.SQUARES)]
PIECE_NAMES = [
    f"height {height} of colour {colour}" for colour in range(box.COLOURS) for height in range(1, box.HEIGHTS + 1)
]


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank row as a setup object says."""
    given = Value(data, "setup").object("start", "deck", need=("start", "deck"))
    start, deck = given["start"].whole(0, int(s.players) - 1), _cards(given["deck"])
    if counts_of(deck, box.SQUARES).tolist() != box.CARD_COPIES:
        given["deck"].fault(f"each of the squares 0 .. 8 stands {box.CARDS_PER_SQUARE} times in the deck")
    s.marker = start
    s.deck[:] = deck
    _deal(s)


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the next reshuffle of `s` give this order: the played cards and one of the deciding seat's hand. [MH-16]"""
    for event, fields in shuffles(given, 1):
        fields["deck"].one_of(["cards"])
        order = _cards(fields["order"])
        if s.phase != state.PHASE_TURN or s.deck_top != s.deck_size:
            event.fault("nothing is shuffled here: the move draws no card, or the draw deck is not empty")
        more = counts_of(order, box.SQUARES) - counts_of(s.played[: s.played_size] % box.SQUARES, box.SQUARES)
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
    * no more plays are remembered than turns were taken, so `memory_plays` holds at most 96; every hand at a reshuffle
      has as many cards as today, and what is drawn between two reshuffles follows from hands and plays (memory_fault);
    * everything else is a cache and computed here.

    A position may leave out cards and pieces (section 10): the game is over when a seat lacks them for a move [MH-R18].
    """
    given = Value(data, "position").object(*FIELDS)
    check_player_count(s, given)
    s.owner[:] = state.NO_COLOUR
    _load_clock(s, given)
    _load_cards(s, given)
    _load_stock(s, given)
    _load_towers(s, given)
    _check_whole(s, given)
    _survey(s)
    _load_memory(s, given)


def _load_clock(s: Any, given: Fields) -> None:
    """`picked` counts in the phase pick, `turn` in the phase turn; when the game is over, all rounds are done."""
    players = int(s.players)
    rounds, turns = int(box.ROUNDS[players]), players * int(box.TURNS[players])
    colours = int(box.COLOURS_IN_PLAY[players])
    s.phase = given.get("phase", "turn").one_of(state.PHASE_NAMES)
    s.rounds_done = given.get("round", rounds if s.phase == state.PHASE_OVER else 1).whole(1, rounds) - 1
    s.marker = given.get("marker", 0).whole(0, players - 1)
    picked = given.get("picked", 0).whole(0, colours - (s.phase == state.PHASE_SET))
    turn = given.get("turn", 0).whole(0, turns - (s.phase == state.PHASE_TURN))
    if s.phase == state.PHASE_SET:
        s.turn, s.seat = picked, (s.marker + picked // box.OWN_COLOURS[players]) % players
    elif s.phase == state.PHASE_TURN:
        s.turn, s.seat = turn, (s.marker + turn) % players
    else:
        s.rounds_done, s.turn, s.seat = rounds - 1, turns, NO_SEAT
    read_scores(s, given, box.MOST_SCORE)


def _load_cards(s: Any, given: Fields) -> None:
    hands = [_cards(hand, box.HAND) for hand in by_seat(s, given, "hands", [])]
    deck = _cards(given.get("deck", []))
    piles = [_cards(pile) for pile in by_seat(s, given, "played", [])]
    found = counts_of((card for part in (*hands, deck, *piles) for card in part), box.SQUARES)
    check_counts("position", found, box.CARD_COPIES, CARD_NAMES)
    for seat, hand in enumerate(hands):
        s.hands[seat] = counts_of(hand, box.SQUARES)
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
    s.played_size = sum(map(len, piles))
    s.played[: s.played_size] = [box.SQUARES * seat + card for seat, card in _in_playing_order(s, piles)]
    _survey_piles(s)


def _load_memory(s: Any, given: Fields) -> None:
    """The plays since each shuffle and the hands at each reshuffle; missing: nothing is shown yet. [MH-M16]"""
    _begin_memory(s)
    if "memory" not in given:
        return
    value, plays = given["memory"], list[int]()
    for number, shuffle in enumerate(value.list(1, box.MOST_RESHUFFLES + 1)):
        names = ("held", "plays") if number else ("plays",)
        fields = shuffle.object(*names, need=names)
        if number:
            if len(plays) == (s.memory_ends[number - 2] if number > 1 else 0):
                shuffle.fault("a reshuffle follows a card played")
            s.memory_ends[number - 1] = len(plays)
            for seat, hand in enumerate(fields["held"].row(int(s.players))):
                counts = counts_of(_cards(hand, box.HAND), box.SQUARES)
                s.memory_held[number - 1, seat] = sum(int(n) << HELD_BITS * card for card, n in enumerate(counts))
            s.memory_shuffles = number
        plays += [_play(s, play) for play in fields["plays"].list(most=turns_taken(s) - len(plays))]
    s.memory_plays[: len(plays)] = plays
    s.memory_size = len(plays)
    if fault := memory_fault(s):
        raise Unreadable(fault.partition(": ")[2], f"position.{fault.partition(': ')[0]}")
    _survey_memory(s)


def _play(s: Any, play: Value) -> int:
    """A play as `memory_plays` has it: [seat, card], for a DISCARD with the cards that could have been built with."""
    parts = play.list(2, 3)
    seat, card = parts[0].whole(0, int(s.players) - 1), parts[1].whole(0, box.SQUARES - 1)
    if len(parts) == 2:
        return box.SQUARES * seat + card
    squares = {1 << square for square in _cards(parts[2], box.SQUARES)}
    if 1 << card in squares:
        parts[2].fault(f"the card {card} was discarded, so nothing could be built with it")
    return box.SQUARES * seat + card + (sum(squares) | 1 << card) * (1 << PLAY_BITS)


def _in_playing_order(s: Any, piles: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """(seat, card) of all piles, oldest first, as the next reshuffle takes them.

    The turns are followed back from the present one. A position that no game reaches may have cards left then; they
    come first, by seats.
    """
    players, left = int(s.players), [list(pile) for pile in piles]
    order: list[tuple[int, int]] = []
    marker, turn = int(s.marker), 0 if s.phase == state.PHASE_SET else int(s.turn)
    while True:
        if turn == 0:
            marker, turn = marker - 1, players * int(box.TURNS[players])
        turn -= 1
        seat = (marker + turn) % players
        if not left[seat]:
            rest = [(other, card) for other, pile in enumerate(left) for card in pile]
            return rest + order[::-1]
        order.append((seat, left[seat].pop()))


def _load_stock(s: Any, given: Fields) -> None:
    colours, size = int(box.COLOURS_IN_PLAY[s.players]), int(box.SET_SIZE[s.players])
    names = [str(colour) for colour in range(colours)]
    for name, counts in given.get("stock", {}).object(*names):
        printed = zip(counts.row(box.HEIGHTS), box.PIECES, strict=True)
        s.stock[int(name)] = [number.whole(0, int(most)) for number, most in printed]
    for name, heights in given.get("chosen", {}).object(*names):
        found = [height.whole(1, box.HEIGHTS) for height in heights.list(most=size)]
        if found and not _has_chosen(s, int(name)):
            heights.fault("this colour has no chosen pieces: its set is still to be chosen in this round")
        s.chosen[int(name)] = counts_of(found, box.HEIGHTS + 1)[1:]


def _has_chosen(s: Any, colour: int) -> bool:
    """Whether the colour's set of this round is chosen. [MH-03]"""
    seat, own = divmod(colour, int(box.OWN_COLOURS[s.players]))
    before = (seat - int(s.marker)) % int(s.players) * int(box.OWN_COLOURS[s.players]) + own
    return bool(s.phase != state.PHASE_SET or before < s.turn)


def _load_towers(s: Any, given: Fields) -> None:
    towers = [_tower(s, tower) for tower in given.get("towers", []).list(most=box.SITES)]
    codes = np.array([code for tower in towers for code in tower], int)
    built = counts_of(codes % 16, box.COLOURS * box.HEIGHTS).reshape(box.COLOURS, box.HEIGHTS)
    check_counts("position", (built + s.stock + s.chosen).reshape(-1), list(box.PIECES) * box.COLOURS, PIECE_NAMES)
    for tower in towers:
        if s.owner[tower[0] // 16] != state.NO_COLOUR:
            given["towers"].fault(
                f"the tower of city {tower[0] // 16 // box.SQUARES}, square {tower[0] // 16 % box.SQUARES} twice"
            )
        s.owner[tower[0] // 16] = tower[-1] // box.HEIGHTS % box.COLOURS
    s.built[: len(codes)] = codes
    s.built_size = len(codes)
    np.add.at(s.floors, (codes // box.HEIGHTS % box.COLOURS, codes // 16), codes % box.HEIGHTS + 1)
    s.height[:] = s.floors.sum(axis=0)[: box.SITES]


def _tower(s: Any, tower: Value) -> list[int]:
    """The pieces as they stand in `built`."""
    city, square, pieces = tower.row(3)
    site = box.SQUARES * city.whole(0, box.CITIES - 1) + square.whole(0, box.SQUARES - 1)
    found = []
    for piece in pieces.list(1, box.ALL_PIECES):
        colour, height = piece.row(2)
        level = height.whole(1, box.HEIGHTS) - 1
        found.append(16 * site + box.HEIGHTS * colour.whole(0, int(box.COLOURS_IN_PLAY[s.players]) - 1) + level)
    return found


def _check_whole(s: Any, given: Fields) -> None:
    """A position from which no card and no piece is missing can be played to its end; others are made up. [MH-R18]"""
    size, colours = int(box.SET_SIZE[s.players]), int(box.COLOURS_IN_PLAY[s.players])
    pieces = int(s.built_size) + int(s.stock.sum()) + int(s.chosen.sum())
    cards = int(s.hands.sum()) + int(s.deck_size) + int(s.played_size)
    s.made_up = cards < box.CARDS or pieces < colours * box.PIECES_PER_COLOUR
    if s.phase == state.PHASE_OVER or s.made_up:
        return
    for seat, hand in enumerate(s.hands[: s.players].sum(axis=1)):
        if hand < box.HAND:
            given.get("hands", []).fault(
                f"all {box.CARDS} cards are there, so seat {seat} holds {box.HAND} of them, not {hand}"
            )
    for colour in range(colours):
        need = size * (int(box.ROUNDS[s.players]) - int(s.rounds_done) - _has_chosen(s, colour))
        if (left := s.stock[colour].sum()) < need:
            given.get("stock", {}).fault(f"colour {colour} has {left} pieces, the sets still to be chosen take {need}")


def _cards(value: Value, most: int = box.CARDS) -> list[int]:
    """Printed squares."""
    return [card.whole(0, box.SQUARES - 1) for card in value.list(most=most)]
