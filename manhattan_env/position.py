"""A state as data: the positions of RULES.md section 10 and the setup and shuffles of records (section 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from manhattan_env.components import (
    CARDS,
    CARDS_PER_SQUARE,
    CITIES,
    COLOURS_IN_PLAY,
    FLOORS_PER_COLOUR,
    HEIGHTS,
    OWN_COLOURS,
    PIECES,
    PLAYER_COUNTS,
    ROUNDS,
    ROW,
    SET_SIZE,
    SITES,
    SQUARES,
    TURNS,
)
from manhattan_env.rules import deal
from manhattan_env.scoring import survey
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET, PHASE_TURN
from skyline.game import NO_SEAT
from skyline.jit import FromPython

_deal, _survey = FromPython(deal), FromPython(survey)

PHASE_NAMES = {PHASE_SET: "pick", PHASE_TURN: "turn", PHASE_OVER: "over"}


# ---------------------------------------------------------------- records


def setup(s: Any) -> dict[str, Any]:
    """Start seat and whole deck of a fresh game. [section 9]"""
    return {"start": int(s.marker), "deck": [int(card) for card in s.deck]}


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank row as a setup object says."""
    if set(data) != {"start", "deck"}:
        raise ValueError(f"setup needs exactly start and deck, not {', '.join(sorted(data)) or 'nothing'}")
    start = _whole(data["start"], "start", 0, int(s.players) - 1)
    deck = _cards(data["deck"], "deck")
    if np.bincount(deck, minlength=SQUARES).tolist() != [CARDS_PER_SQUARE] * SQUARES:
        raise ValueError(f"deck must hold each of the squares 0 .. 8 {CARDS_PER_SQUARE} times")
    s.marker = start
    s.deck[:] = deck
    _deal(s)


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The reshuffle of the move between two states, if there was one."""
    if before.deck_top < before.deck_size or after.deck_top != 1:
        return []
    return [{"deck": "cards", "order": [int(card) for card in after.deck[: after.deck_size]]}]


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the next reshuffle of `s` give this order."""
    for event in given:
        if set(event) != {"deck", "order"} or event["deck"] != "cards" or len(given) > 1:
            raise ValueError('a move causes at most one shuffle, {"deck": "cards", "order": [...]}')
        order = _cards(event["order"], "order")
        if s.deck_top != s.deck_size:
            raise ValueError("nothing is shuffled here: the draw deck is not empty")
        if len(order) != s.played_size + 1:
            raise ValueError(f"the new deck has {s.played_size + 1} cards, the given order {len(order)}")
        s.deck[: len(order)] = order
        s.order_given = 1


# ---------------------------------------------------------------- positions


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10."""
    players, colours = int(s.players), int(COLOURS_IN_PLAY[s.players])
    return {
        "players": players,
        "round": int(s.rounds_done) + 1,
        "marker": int(s.marker),
        "phase": PHASE_NAMES[int(s.phase)],
        ("picked" if s.phase == PHASE_SET else "turn"): int(s.turn),
        "hands": [[int(card) for card in np.repeat(range(SQUARES), s.hands[seat])] for seat in range(players)],
        "deck": [int(card) for card in s.deck[s.deck_top : s.deck_size]],
        "played": [_pile(s, seat) for seat in range(players)],
        "stock": {str(c): [int(n) for n in s.stock[c]] for c in range(colours)},
        "chosen": {str(c): [int(h) for h in np.repeat(range(1, 5), s.chosen[c])] for c in range(colours)},
        "towers": _towers(s),
        "scores": [int(score) for score in s.scores[:players]],
    }


def _pile(s: Any, seat: int) -> list[int]:
    return [int(card) % SQUARES for card in s.played[: s.played_size] if card // SQUARES == seat]


def _towers(s: Any) -> list[list[Any]]:
    """[city, square, [[colour, height], .. bottom first]] for every tower, by site."""
    pieces: dict[int, list[list[int]]] = {}
    for code in s.built[: s.built_size].tolist():
        pieces.setdefault(code // 16, []).append([code // 4 % 4, code % 4 + 1])
    return [[*divmod(site, SQUARES), pieces[site]] for site in sorted(pieces)]


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields are empty. ValueError names what does not fit."""
    known = {"players", "round", "marker", "phase", "picked", "turn", "hands", "deck", "played", "stock", "chosen",
             "towers", "scores"}  # fmt: skip
    if unknown := set(data) - known:
        raise ValueError(
            f"a position has no field {', '.join(sorted(unknown))}; its fields are {', '.join(sorted(known))}"
        )
    s.owner[:] = NO_COLOUR
    s.pile_top[:] = NO_CARD
    _load_clock(s, data)
    _load_cards(s, data)
    _load_pieces(s, data)
    for tower in data.get("towers", []):
        _load_tower(s, tower)
    _survey(s)


def _load_clock(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.rounds_done = _whole(data.get("round", 1), "round", 1, int(ROUNDS[players])) - 1
    s.marker = _whole(data.get("marker", 0), "marker", 0, players - 1)
    scores = _row(data.get("scores", [0] * players), "scores", players)
    s.scores[:players] = [_whole(score, "scores", 0, 468) for score in scores]
    phase = data.get("phase", "turn")
    if phase == "pick":
        s.phase = PHASE_SET
        s.turn = _whole(data.get("picked", 0), "picked", 0, int(COLOURS_IN_PLAY[players]) - 1)
        s.seat = (s.marker + s.turn // OWN_COLOURS[players]) % players
    elif phase == "turn":
        s.phase = PHASE_TURN
        s.turn = _whole(data.get("turn", 0), "turn", 0, players * int(TURNS[players]) - 1)
        s.seat = (s.marker + s.turn) % players
    elif phase == "over":
        s.phase, s.seat = PHASE_OVER, NO_SEAT
        s.rounds_done, s.turn = ROUNDS[players] - 1, players * TURNS[players]
    else:
        raise ValueError(f"phase is pick, turn or over, not {phase!r}")


def _load_cards(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    for seat, hand in enumerate(_row(data.get("hands", [[]] * players), "hands", players)):
        s.hands[seat] = np.bincount(_cards(hand, "hands"), minlength=SQUARES)
    deck = _cards(data.get("deck", []), "deck")
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
    piles = [_cards(pile, "played") for pile in _row(data.get("played", [[]] * players), "played", players)]
    cards = int(s.hands.sum()) + len(deck) + sum(map(len, piles))
    if cards > CARDS:  # a position may hold more than five of a card (MH-P22), never more than the arrays do
        raise ValueError(f"hands, deck and played hold {cards} cards, there are {CARDS}")
    for seat, pile in enumerate(piles):
        s.pile_size[seat] = len(pile)
        s.pile_top[seat] = pile[-1] if len(pile) else NO_CARD
    for seat, card in _in_playing_order(s, piles):
        s.played[s.played_size] = SQUARES * seat + card
        s.played_size += 1


def _in_playing_order(s: Any, piles: Sequence[Any]) -> list[tuple[int, int]]:
    """(seat, card) of all piles, oldest first, as the next reshuffle takes them: the turns are followed back from
    now. What is left in a position that no game reaches comes first, by seats."""
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


def _load_pieces(s: Any, data: Mapping[str, Any]) -> None:
    for name, rows in (("stock", data.get("stock", {})), ("chosen", data.get("chosen", {}))):
        for key, given in rows.items():
            colour = _colour(s, key, name)
            if name == "stock":
                s.stock[colour] = [
                    _whole(n, name, 0, int(most)) for n, most in zip(_row(given, name, 4), PIECES, strict=True)
                ]
            else:
                heights = [_whole(h, name, 1, HEIGHTS) for h in given]
                if len(heights) > SET_SIZE[s.players]:
                    raise ValueError(
                        f"colour {colour} has {len(heights)} chosen pieces, a set has {SET_SIZE[s.players]}"
                    )
                s.chosen[colour] = np.bincount(heights, minlength=5)[1:]


def _load_tower(s: Any, tower: Any) -> None:
    city, square, pieces = _row(tower, "towers", 3)
    site = SQUARES * _whole(city, "city", 0, CITIES - 1) + _whole(square, "square", 0, SQUARES - 1)
    if s.owner[site] != NO_COLOUR or not pieces:
        raise ValueError(f"towers: {tower} is empty or its site is given twice")
    for colour, height in pieces:
        colour, height = _colour(s, colour, "towers"), _whole(height, "height", 1, HEIGHTS)
        if s.built_size == len(s.built):
            raise ValueError(f"towers hold more than the {len(s.built)} pieces there are")
        s.built[s.built_size] = 16 * site + 4 * colour + height - 1
        s.built_size += 1
        s.floors[colour, site] += height
        s.height[site] += height
        s.owner[site] = colour


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what}: a whole number {low} .. {high}, not {value!r}")
    return value


def _row(value: Any, what: str, length: int) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ValueError(f"{what}: a list of {length}, not {value!r}")
    return value


def _cards(value: Any, what: str) -> np.ndarray[Any, Any]:
    if not isinstance(value, (list, tuple)) or len(value) > CARDS:
        raise ValueError(f"{what}: a list of at most {CARDS} printed squares, not {value!r}")
    return np.array([_whole(card, what, 0, SQUARES - 1) for card in value], int)


def _colour(s: Any, value: Any, what: str) -> int:
    """A colour number, also as the text of a JSON key."""
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    return _whole(number, f"{what}: colour", 0, int(COLOURS_IN_PLAY[s.players]) - 1)


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """Every piece and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    players, colours = int(s.players), int(COLOURS_IN_PLAY[s.players])
    assert players in PLAYER_COUNTS
    assert (s.scores[players:] == 0).all() and (s.hands[players:] == 0).all() and (s.stock[colours:] == 0).all()
    _check_cards(s)
    _check_pieces(s, colours)
    fresh = np.array([s])[0]
    _survey(fresh)
    for name in ("need", "towers", "majority", "colour_best", "top_height", "top_owner"):
        assert np.array_equal(s[name], fresh[name]), f"cache {name}: {s[name]} instead of {fresh[name]}"


def _check_cards(s: Any) -> None:
    loose = np.concatenate([s.deck[s.deck_top : s.deck_size], s.played[: s.played_size] % SQUARES])
    copies = np.bincount(loose.astype(int), minlength=SQUARES) + s.hands.sum(axis=0)
    assert copies.tolist() == [CARDS_PER_SQUARE] * SQUARES, f"copies of the cards: {copies.tolist()}"
    for seat in range(s.players):
        pile = _pile(s, seat)
        assert s.hands[seat].sum() == 4 and s.pile_size[seat] == len(pile)
        assert s.pile_top[seat] == (pile[-1] if pile else NO_CARD)
    assert not s.order_given


def _check_pieces(s: Any, colours: int) -> None:
    built = np.zeros((4, 4), int)
    floors = np.zeros((4, ROW), int)
    owner = np.full(ROW, NO_COLOUR)
    for code in s.built[: s.built_size].tolist():
        site, colour, level = code // 16, code // 4 % 4, code % 4
        built[colour, level] += 1
        floors[colour, site] += level + 1
        owner[site] = colour
    for colour in range(colours):
        assert (built[colour] + s.stock[colour] + s.chosen[colour]).tolist() == PIECES.tolist()
        assert floors[colour].sum() <= FLOORS_PER_COLOUR
    assert np.array_equal(floors, s.floors) and np.array_equal(floors.sum(axis=0)[:SITES], s.height)
    assert np.array_equal(owner, s.owner)
