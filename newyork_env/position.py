"""A state as data: the positions of RULES.md section 10 and the setup and shuffles of records (section 9).

Two fields come on top of section 10: `received` (the tiles each seat has received by NY-91 and not
yet placed, the deciding seat's being in `bought`; null before the end) and `scoring_places` (where in the deck SA and
SB can lie as far as the seats know: first and last place, the top card being 0; without it, anywhere in their order).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from newyork_env.actions import card_text
from newyork_env.city_law import LEGAL, clause_broken_by, empty_board
from newyork_env.components import (
    BANK_LETTERS,
    BOUND,
    CARDS,
    COPIES,
    KINDS,
    MAX_PLAYERS,
    NO_CARD,
    NO_TILE,
    PLAYER_COUNTS,
    PRICE,
    SCORING_A,
    SCORING_B,
    SLOTS,
    START,
    TILES,
    VALUES,
)
from newyork_env.deal import clear, deal, pile_places, survey
from newyork_env.money import begin_purchase
from newyork_env.state import (
    AT_DIRK,
    IN_BAG,
    IN_CITY,
    IN_DEPOT,
    IN_RESERVE,
    NO_SLOT,
    PHASE_BUILD,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_PLACE,
    PHASE_PUT,
    TO_PLACE,
)
from skyline.game import NO_SEAT
from skyline.jit import FromPython

_clear, _deal, _survey, _pile_places = map(FromPython, (clear, deal, survey, pile_places))
_begin_purchase, _clause_broken_by = FromPython(begin_purchase), FromPython(clause_broken_by)

PHASE_NAMES = {
    PHASE_MAIN: "main",
    PHASE_PAY: "pay",
    PHASE_BUILD: "build",
    PHASE_PLACE: "place",
    PHASE_PUT: "put",
    PHASE_OVER: "over",
}
SCORING_NAMES = {SCORING_A: "SA", SCORING_B: "SB"}
HIGHEST_SCORE = 435
OUT = -1  # the place of a tile that a made-up position does not name
CARD_OF_TEXT = {card_text(card): card for card in range(KINDS)} | {text: card for card, text in SCORING_NAMES.items()}
FIELDS = (
    "players", "phase", "seat", "turns", "max_turns", "market", "deck", "discard", "depot", "bag", "hands", "cities",
    "reserves", "bought", "dirk", "scores", "slot", "paid", "tile", "received", "scoring_places",
)  # fmt: skip


# ---------------------------------------------------------------- records


def setup(s: Any) -> dict[str, Any]:
    """The money cards with SA and SB before the deal and the bag of a fresh game. [section 9]"""
    return {"money": [_text(card) for card in s.deck[: s.deck_size]], "bag": [int(tile) for tile in s.bag]}


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank prepared row as a setup object says."""
    if set(data) != {"money", "bag"}:
        raise ValueError(f"setup needs exactly money and bag, not {', '.join(sorted(data)) or 'nothing'}")
    copies = int(COPIES[s.players])
    money = [_card(text, "money", scoring=True) for text in _list(data["money"], "money", copies * KINDS + 2)]
    if Counter(money) != Counter(dict.fromkeys(range(KINDS), copies) | {SCORING_A: 1, SCORING_B: 1}):
        raise ValueError(f"money must hold every card B1 .. R9 {copies} times, SA and SB once")
    bag = _list(data["bag"], "bag", TILES)
    if sorted(_tile(tile, "bag") for tile in bag) != list(range(1, TILES + 1)):
        raise ValueError(f"bag must hold every tile 1 .. {TILES} once")
    s.deck[: len(money)] = money
    s.bag[:] = bag
    _check_scoring_places(s, money)
    _deal(s)


def _check_scoring_places(s: Any, money: list[int]) -> None:
    """SA lies in pile 2 and SB in pile 4. [section 2, step 7]"""
    n, total, seat = 0, 0, 0
    while seat < s.players:
        if money[n] >= KINDS:
            raise ValueError("money: a scoring card lies among the starting money")
        total += money[n] % VALUES + 1
        n += 1
        if total >= 20:
            seat, total = seat + 1, 0
    for number, card in enumerate((SCORING_A, SCORING_B)):
        low, high = _pile_places(number, len(money) - 2, n + SLOTS)
        if not low <= money.index(card) <= high:
            raise ValueError(f"money: {SCORING_NAMES[card]} stands at {money.index(card)}, it must be {low} .. {high}")


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The reshuffle of the move between two states, if there was one."""
    if before.reshuffles == after.reshuffles:
        return []
    return [{"deck": "money", "order": [_text(card) for card in after.deck[: after.deck_size]]}]


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the reshuffle of the next move give this order."""
    for event in given:
        if set(event) != {"deck", "order"} or event["deck"] != "money" or len(given) > 1:
            raise ValueError('a move causes at most one shuffle, {"deck": "money", "order": [...]}')
        left = [int(card) for card in s.deck[s.deck_top : s.deck_size]]
        if sum(card < KINDS for card in left) >= SLOTS:
            raise ValueError(f"nothing is shuffled here: the deck has {len(left)} cards")
        order = [_card(text, "order") for text in _list(event["order"], "order", int(s.discards_size))]
        if Counter(order) != Counter(np.repeat(range(KINDS), s.discards).tolist()):
            raise ValueError("order must hold the cards of the discards")
        low = int(s.deck_top)
        s.deck[:] = 0
        s.deck[: len(left) + len(order)] = left + order
        s.deck_top, s.deck_size, s.order_given = 0, len(left), 1
        s.earliest[:] = np.maximum(s.earliest - low, 0)
        s.latest[:] = np.maximum(s.latest - low, 0)


# ---------------------------------------------------------------- positions


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10."""
    seats = range(int(s.players))
    deck = [int(card) for card in s.deck[s.deck_top : s.deck_size]]
    decides = int(s.seat)
    return {
        "players": int(s.players),
        "phase": PHASE_NAMES[int(s.phase)],
        "seat": decides if decides != NO_SEAT else None,
        "turns": int(s.turns),
        "max_turns": int(s.max_turns),
        "market": [_text(card) if card != NO_CARD else None for card in s.market],
        "deck": [_text(card) for card in deck],
        "discard": _cards_of(s.discards),
        "depot": [int(tile) if tile != NO_TILE else None for tile in s.depot],
        "bag": [int(tile) for tile in s.bag[s.bag_top :]],
        "hands": [_cards_of(s.hands[seat]) for seat in seats],
        "cities": [city_of(s, seat) for seat in seats],
        "reserves": [tiles_at(s, IN_RESERVE + seat) for seat in seats],
        "bought": tiles_at(s, TO_PLACE + decides) if decides != NO_SEAT else [],
        "dirk": tiles_at(s, AT_DIRK),
        "scores": [int(score) for score in s.scores[: s.players]],
        "slot": int(s.slot) if s.slot != NO_SLOT else None,
        "paid": [value for value in range(VALUES, 0, -1) for _ in range(s.laid[value])],
        "tile": int(s.chosen) if s.chosen != NO_TILE else None,
        "received": [[] if p == decides else tiles_at(s, TO_PLACE + p) for p in seats] if s.ending else None,
        "scoring_places": {
            SCORING_NAMES[card]: [max(int(s.earliest[i] - s.deck_top), 0), int(s.latest[i] - s.deck_top)]
            for i, card in enumerate(SCORING_NAMES)
            if card in deck
        },
    }


def tiles_at(s: Any, place: int) -> list[int]:
    """The tiles in a place, in rising order."""
    return [int(tile) for tile in np.flatnonzero(s.place[:START] == place)]


def city_of(s: Any, seat: int) -> list[list[int]]:
    """[x, y, tile] for every tile of a city but the start tile, by y, then x."""
    return sorted(
        ([int(s.x[t]), int(s.y[t]), t] for t in tiles_at(s, IN_CITY + seat)), key=lambda row: (row[1], row[0])
    )


def _text(card: Any) -> str:
    return SCORING_NAMES.get(int(card)) or card_text(card)


def _cards_of(counts: np.ndarray[Any, Any]) -> list[str]:
    return [card_text(card) for card in np.repeat(range(KINDS), counts)]


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank prepared row; missing fields are empty. ValueError names what does not fit."""
    if unknown := set(data) - set(FIELDS):
        raise ValueError(f"a position has no field {', '.join(sorted(unknown))}; its fields are {', '.join(FIELDS)}")
    _clear(s)
    _load_clock(s, data)
    _load_money(s, data)
    _load_tiles(s, data)
    _load_purchase(s, data)
    _survey(s)
    _check_decision(s)


def _load_clock(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    phase = data.get("phase", "main")
    if phase not in PHASE_NAMES.values():
        raise ValueError(f"phase is {', '.join(PHASE_NAMES.values())}, not {phase!r}")
    s.phase = next(number for number, name in PHASE_NAMES.items() if name == phase)
    if s.phase == PHASE_OVER:
        s.seat, s.ending = NO_SEAT, 1
    else:
        s.seat = _whole(data.get("seat", 0), "seat", 0, players - 1)
        s.ending = data.get("received") is not None
    if "max_turns" in data:
        s.max_turns = _whole(data["max_turns"], "max_turns", 1, 2**31 - 1)
    s.turns = _whole(data.get("turns", 0), "turns", 0, int(s.max_turns))
    if s.turns == s.max_turns and not s.ending:
        raise ValueError(f"turns: {s.turns} turns are finished, max_turns is {s.max_turns}: the game is over")
    scores = _list(data.get("scores", [0] * players), "scores", players)
    s.scores[:players] = [_whole(score, "scores", 0, HIGHEST_SCORE) for score in scores]


def _load_money(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    for seat, hand in enumerate(_list(data.get("hands", [[]] * players), "hands", players)):
        s.hands[seat] = _counts(hand, "hands")
    s.discards[:] = _counts(data.get("discard", []), "discard")
    s.discards_size = s.discards.sum()
    market = _list(data.get("market", [None] * SLOTS), "market", SLOTS)
    s.market[:] = [NO_CARD if text is None else _card(text, "market") for text in market]
    deck = [_card(text, "deck", scoring=True) for text in _list(data.get("deck", []), "deck")]
    cards = int(s.hands.sum()) + int(s.discards_size) + int((s.market != NO_CARD).sum()) + len(deck)
    scoring = [card for card in deck if card >= SCORING_A]
    if cards - len(scoring) > CARDS:
        raise ValueError(f"hands, market, deck and discards hold {cards - len(scoring)} cards, there are {CARDS}")
    if scoring not in ([], [SCORING_A], [SCORING_B], [SCORING_A, SCORING_B]):
        raise ValueError("deck: SA and SB lie in it once at most, SA above SB")
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
    s.scored = sum(1 << i for i, card in enumerate(SCORING_NAMES) if card not in deck)
    _load_scoring_places(s, data.get("scoring_places") or {}, deck)


def _load_scoring_places(s: Any, given: Mapping[str, Any], deck: list[int]) -> None:
    """Where the scoring cards can lie; without anything said, anywhere in their order."""
    both = {SCORING_A, SCORING_B} <= set(deck)
    for i, card in enumerate(SCORING_NAMES):
        name = SCORING_NAMES[card]
        if card not in deck:
            if name in given:
                raise ValueError(f"scoring_places: {name} is not in the deck")
            continue
        low, high = _list(given.get(name, [i if both else 0, len(deck) - 1 - (both and i == 0)]), "scoring_places", 2)
        s.earliest[i] = _whole(low, "scoring_places", 0, deck.index(card))
        s.latest[i] = _whole(high, "scoring_places", deck.index(card), len(deck) - 1)
    if unknown := set(given) - set(SCORING_NAMES.values()):
        raise ValueError(f"scoring_places has SA and SB, not {', '.join(sorted(unknown))}")


def _load_tiles(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)

    def put(tile: Any, what: str, place: int) -> int:
        number = _tile(tile, what)
        shared = s.place[number] == IN_DEPOT and place >= IN_CITY  # a depot tile may lie in a city too (NY-P61)
        if s.place[number] != OUT and not shared:
            raise ValueError(f"{what}: tile {number} is given twice")
        s.place[number] = place
        return number

    s.place[1:START] = OUT
    depot = _list(data.get("depot", [None] * SLOTS), "depot", SLOTS)
    s.depot[:] = [NO_TILE if tile is None else put(tile, "depot", IN_DEPOT) for tile in depot]
    bag = [put(tile, "bag", IN_BAG) for tile in _list(data.get("bag", []), "bag")]
    for tile in _list(data.get("dirk", []), "dirk"):
        put(tile, "dirk", AT_DIRK)
        if players != 2:
            raise ValueError("dirk: he takes part with two players only")
    for seat, tiles in enumerate(_list(data.get("reserves", [[]] * players), "reserves", players)):
        for tile in tiles:
            put(tile, "reserves", IN_RESERVE + seat)
    for seat, city in enumerate(_list(data.get("cities", [[]] * players), "cities", players)):
        _load_city(s, seat, city, put)
    for tile in _list(data.get("bought", []), "bought"):
        put(tile, "bought", TO_PLACE + _decider(s, "bought"))
    for seat, tiles in enumerate(_list(data.get("received") or [[]] * players, "received", players)):
        for tile in tiles:
            put(tile, "received", TO_PLACE + seat)
    s.bag[TILES - len(bag) :] = bag
    s.bag[: TILES - len(bag)] = [tile for tile in range(1, TILES + 1) if tile not in bag]
    s.bag_top = TILES - len(bag)


def _decider(s: Any, what: str) -> int:
    if s.seat == NO_SEAT:
        raise ValueError(f"{what}: nobody decides")
    return int(s.seat)


def _load_city(s: Any, seat: int, city: Any, put: Any) -> None:
    cells = {(0, 0)}
    for row in _list(city, "cities"):
        x, y, tile = _list(row, "cities", 3)
        x, y = (_whole(number, "cities: a cell", -BOUND, BOUND) for number in (x, y))
        if (x, y) in cells:
            raise ValueError(f"cities: the cell {x} {y} of seat {seat} is given twice or the start tile's")
        cells.add((x, y))
        number = put(tile, "cities", IN_CITY + seat)
        s.x[number], s.y[number] = x, y
    clause = _clause_broken_by(s, seat, empty_board())
    if clause != LEGAL:
        raise ValueError(f"cities: the city of seat {seat} breaks NY-{clause}")


def _load_purchase(s: Any, data: Mapping[str, Any]) -> None:
    _begin_purchase(s, NO_SLOT)
    slot, tile, paid = data.get("slot"), data.get("tile"), data.get("paid") or []
    if (slot is not None) != (s.phase == PHASE_PAY):
        raise ValueError("slot belongs to the phase pay, and to that one only")
    if (tile is not None) != (s.phase in (PHASE_BUILD, PHASE_PUT)):
        raise ValueError("tile belongs to the phases build and put, and to those only")
    if paid and slot is None:
        raise ValueError("paid belongs to the phase pay")
    if tile is not None:
        s.chosen = _tile(tile, "tile")
    if slot is None:
        return
    _begin_purchase(s, _whole(slot, "slot", 0, SLOTS - 1))
    for value in _list(paid, "paid"):
        s.laid_last = _whole(value, "paid (from high to low)", 1, int(s.laid_last))
        s.laid[value] += 1
        if s.laid_sum + value > 100:
            raise ValueError("paid: more than any price")
        s.laid_sum += value


def _check_decision(s: Any) -> None:
    """The open decision must be one that can arise."""
    if s.phase in (PHASE_PLACE, PHASE_PUT) and not s.to_place[s.seat]:
        raise ValueError(f"bought: seat {s.seat} has nothing to place")
    if s.phase in (PHASE_MAIN, PHASE_PAY, PHASE_BUILD) and s.ending:
        raise ValueError("received belongs to the end of the game, where tiles are only placed")
    if s.phase == PHASE_PUT and s.place[s.chosen] != TO_PLACE + s.seat:
        raise ValueError(f"tile: {s.chosen} is not among the bought tiles")
    if s.phase == PHASE_BUILD:
        if s.place[s.chosen] != IN_RESERVE + s.seat:
            raise ValueError(f"tile: {s.chosen} is not in the reserve of seat {s.seat}")
        if not int(s.usable[s.seat]) >> int(s.chosen) & 1:
            raise ValueError(f"tile: {s.chosen} fits nowhere in the city of seat {s.seat}")
    if s.phase == PHASE_PAY:
        _check_purchase(s)


def _check_purchase(s: Any) -> None:
    if s.depot[s.slot] == NO_TILE:
        raise ValueError(f"slot: there is no tile in slot {s.slot}")
    missing = int(PRICE[s.depot[s.slot]]) - int(s.laid_sum)
    values = s.hands[s.seat, VALUES * s.slot : VALUES * (s.slot + 1)] * np.arange(1, VALUES + 1)
    if not 0 < missing <= int(values[: s.laid_last].sum()):
        raise ValueError(f"paid: seat {s.seat} cannot go on with this purchase, {missing} missing")


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what}: a whole number {low} .. {high}, not {value!r}")
    return value


def _list(value: Any, what: str, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or (length is not None and len(value) != length):
        raise ValueError(f"{what}: a list{f' of {length}' if length is not None else ''}, not {value!r}")
    return value


def _tile(value: Any, what: str) -> int:
    return _whole(value, f"{what}: tile", 1, TILES)


def _card(text: Any, what: str, scoring: bool = False) -> int:
    card = CARD_OF_TEXT.get(text) if isinstance(text, str) else None
    if card is None or (card >= KINDS and not scoring):
        allowed = f"{BANK_LETTERS[0]}1 .. {BANK_LETTERS[-1]}9{', SA, SB' * scoring}"
        raise ValueError(f"{what}: a card is {allowed}, not {text!r}")
    return card


def _counts(value: Any, what: str) -> np.ndarray[Any, Any]:
    cards = [_card(text, what) for text in _list(value, what)]
    if len(cards) > CARDS:
        raise ValueError(f"{what}: {len(cards)} cards, there are {CARDS}")
    return np.bincount(np.array(cards, int), minlength=KINDS)


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """Every tile and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    players = int(s.players)
    assert players in PLAYER_COUNTS
    assert (
        (s.scores[players:] == 0).all() and (s.hands[players:] == 0).all() and (s.types[players:MAX_PLAYERS] == 0).all()
    )
    assert ((s.scores >= 0) & (s.scores <= HIGHEST_SCORE)).all()
    _check_cards(s)
    _check_tiles(s)
    fresh = np.array([s])[0]
    for seat in range(players):
        assert _clause_broken_by(s, seat, empty_board()) == LEGAL
    _survey(fresh)
    for name in s.dtype.names:
        assert np.array_equal(s[name], fresh[name]), f"cache {name}: {s[name]} instead of {fresh[name]}"


def _check_cards(s: Any) -> None:
    deck = s.deck[s.deck_top : s.deck_size]
    loose = np.concatenate([deck[deck < KINDS], s.market[s.market != NO_CARD]]).astype(int)
    copies = np.bincount(loose, minlength=KINDS) + s.hands.sum(axis=0) + s.discards
    assert copies.tolist() == [COPIES[s.players]] * KINDS, f"copies of the cards: {copies.tolist()}"
    assert s.discards_size == s.discards.sum() and not s.order_given
    assert s.laid_sum == sum(value * int(s.laid[value]) for value in range(10))
    for i, card in enumerate(SCORING_NAMES):
        assert (card in deck) != bool(s.scored >> i & 1)
        if card in deck:
            assert s.earliest[i] <= s.deck_top + np.flatnonzero(deck == card)[0] <= s.latest[i]


def _check_tiles(s: Any) -> None:
    assert tiles_at(s, IN_BAG) == sorted(s.bag[s.bag_top :].tolist())
    assert tiles_at(s, IN_DEPOT) == sorted(tile for tile in s.depot.tolist() if tile != NO_TILE)
    places = {IN_BAG, IN_DEPOT, AT_DIRK} | {p + seat for p in (IN_CITY, IN_RESERVE, TO_PLACE) for seat in range(6)}
    assert set(s.place[1:START].tolist()) <= places
    for tile in range(1, START):
        assert IN_CITY <= s.place[tile] < IN_CITY + MAX_PLAYERS or s.x[tile] == s.y[tile] == 0
