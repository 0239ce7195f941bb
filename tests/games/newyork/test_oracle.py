"""The oracle against every data block of `newyork_env/RULES.md`, and against itself in whole random games.

Blocks with an `id` are the worked positions of section 10: one test each, `CHECKS` holds one function per `ask`.
Random games start from `random_setup`; `random_moves` plays them and draws the reshuffles.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.games.newyork import oracle_city as city_rules
from tests.games.newyork.oracle import (
    BANKS,
    OVER,
    SCORING_CARDS,
    SLOTS,
    VALUES,
    MissingShuffleError,
    Oracle,
    check_setup,
    deal_hands,
    final_places,
    money_cards,
    pay_values,
    payments,
    pile_sizes,
    scoring_places,
    sort_cards,
    starting_seat,
    takes,
)
from tests.games.newyork.oracle_city import HOME, KIND, MAJORITY, PRICE, START, STREETS, TILES, TYPES, City

RULES = (Path(__file__).parents[3] / "newyork_env" / "RULES.md").read_text(encoding="utf-8")
FENCED = re.findall(r"^```json\n(.*?)^```", RULES, flags=re.DOTALL | re.MULTILINE)
BLOCKS = [json.loads(text) for text in FENCED]
WORKED = {block["id"]: block for block in BLOCKS if "id" in block}
DATA = [block for block in BLOCKS if "id" not in block]


def as_city(cells: list[list[int]]) -> City:
    return {HOME: START} | {(x, y): tile for x, y, tile in cells}


def pairs(cells: list[tuple[int, int]]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def texts(oracle: Oracle) -> list[str]:
    return [text for _, text in oracle.legal()]


def shuffle_event(order: list[str]) -> dict:
    return {"deck": "money", "order": order}


def play_recorded(oracle: Oracle, move: str, orders: list[list[str]]) -> None:
    """Play a move of a block; if it reshuffles, the next recorded order is used up."""
    try:
        oracle.play(move)
    except MissingShuffleError:
        oracle.play(move, [shuffle_event(orders.pop(0))])


# One function per `ask` of section 10


def check_deal(block: dict, expect: dict) -> None:
    deck = list(block["money_top"])
    hands = deal_hands(block["players"], deck)
    assert {"hands": hands, "start": starting_seat(hands), "market": deck} == expect


def check_piles(block: dict, expect: dict) -> None:
    places = {card: list(ends) for card, ends in scoring_places(block["r"]).items()}
    assert {"sizes": pile_sizes(block["r"]), **places} == expect


def check_payments(block: dict, expect: dict) -> None:
    hand, price = block["hand"], block["price"]
    assert {"first": pay_values(hand, price, []), "payments": payments(hand, price)} == expect


def check_city(block: dict, expect: dict) -> None:
    broken = city_rules.broken_clause(as_city(block["city"]))
    assert {"legal": broken is None, **({} if broken is None else {"broken": broken})} == expect


def check_cells(block: dict, expect: list) -> None:
    assert pairs(city_rules.free_cells(as_city(block["city"]), block["tile"])) == expect


def check_swaps(block: dict, expect: list) -> None:
    assert pairs(city_rules.swap_cells(as_city(block["city"]), block["tile"])) == expect


def check_removable(block: dict, expect: list) -> None:
    assert pairs(city_rules.removable_cells(as_city(block["city"]))) == expect


def check_street(block: dict, expect: int) -> None:
    assert city_rules.street_length(as_city(block["city"])) == expect


def check_majority(block: dict, expect: list) -> None:
    assert city_rules.majority_points(block["scoring"], block["type"], block["counts"]) == expect


def check_legal(block: dict, expect: dict) -> None:
    oracle = Oracle.at(block["state"])
    legal = oracle.legal()
    assert {"seat": oracle.seat, "legal": [t for _, t in legal], "index": [i for i, _ in legal]} == expect


def check_step(block: dict, expect: dict) -> None:
    oracle, orders, seats = Oracle.at(block["state"]), list(block.get("shuffles", [])), ""
    for move in block["moves"]:
        seats += str(oracle.seat)
        play_recorded(oracle, move, orders)
    assert orders == []
    got = {**oracle.position(), "over": oracle.seat is None, "seats": seats, "legal": texts(oracle)}
    for field, wanted in expect.items():
        assert in_any_order(field, got[field]) == in_any_order(field, wanted), field


def in_any_order(field: str, found: object) -> object:
    """Section 10: in some fields the order means nothing."""
    if field in ("hands", "reserves", "cities"):
        return [sorted(heap) for heap in found]
    return sorted(found) if field in ("bought", "dirk", "discard") else found


def check_places(block: dict, expect: list) -> None:
    assert final_places(block["scores"]) == expect


def check_replay(block: dict, expect: dict) -> None:
    oracle, orders = Oracle(block["players"], block["options"], block["setup"]), list(block["shuffles"])
    seats, counts, digest = "", [], hashlib.sha256()
    for move in block["moves"]:
        seats += str(oracle.seat)
        counts.append(len(oracle.legal()))
        digest.update((",".join(texts(oracle)) + "\n").encode())
        play_recorded(oracle, move, orders)
        oracle.check()
    assert orders == [] and oracle.seat is None and oracle.legal() == []
    got = {"seats": seats, "legal_counts": counts, "legal_sha256": digest.hexdigest()}
    assert {**got, "scores": oracle.scores, "places": oracle.places()} == expect


CHECKS: dict[str, Callable[[dict, object], None]] = {
    "deal": check_deal,
    "piles": check_piles,
    "payments": check_payments,
    "city": check_city,
    "cells": check_cells,
    "swaps": check_swaps,
    "removable": check_removable,
    "street": check_street,
    "majority": check_majority,
    "legal": check_legal,
    "step": check_step,
    "places": check_places,
    "replay": check_replay,
}


def check_block(block: dict) -> None:
    if block["ask"] not in CHECKS:
        raise ValueError(f"{block['id']}: unknown ask {block['ask']!r}")
    CHECKS[block["ask"]](block, block["expect"])


@pytest.mark.parametrize("block_id", sorted(WORKED))
def test_worked_position(block_id: str) -> None:
    check_block(WORKED[block_id])


def test_no_block_is_skipped() -> None:
    assert len(FENCED) == RULES.count("```json") == len(WORKED) + len(DATA)
    assert sorted(WORKED) == [f"NY-P{n:02d}" for n in range(1, len(WORKED) + 1)]
    assert {block["ask"] for block in WORKED.values()} == set(CHECKS)
    assert [block["data"] for block in DATA] == ["new_york"]


def test_an_unknown_ask_or_field_fails() -> None:
    with pytest.raises(ValueError, match="unknown ask"):
        check_block({"id": "NY-P00", "ask": "guess", "expect": 1})
    with pytest.raises(KeyError, match="colour"):
        check_block({**WORKED["NY-P08"], "expect": {"colour": "blue"}})
    with pytest.raises(ValueError, match="unknown fields"):
        Oracle.at({**WORKED["NY-P08"]["state"], "colour": "blue"})


# The tables of section 1


def test_components_1() -> None:
    (data,) = DATA
    assert data["tiles"] == [[tile, KIND[tile], PRICE[tile], STREETS[tile] or "-"] for tile in TILES]
    assert (data["types"], data["majority"], data["banks"]) == (TYPES, MAJORITY, BANKS)
    assert data["card_values"] == VALUES
    assert Counter(money_cards(3)) == {f"{b}{v}": data["copies"] for b in BANKS for v in VALUES}
    assert Counter(money_cards(2)) == {f"{b}{v}": data["copies_2_players"] for b in BANKS for v in VALUES}


def test_tile_table_1_2() -> None:
    printed = re.findall(rf"\| (\d+) \| ({'|'.join(TYPES)}) \| (\d+) \| ([NESW]+|-) ", RULES)
    rows = {int(tile): (TYPES.index(kind), int(price), streets) for tile, kind, price, streets in printed}
    assert rows == {tile: (KIND[tile], PRICE[tile], STREETS[tile] or "-") for tile in TILES}
    assert [sum(KIND[tile] == kind for tile in TILES) for kind in range(6)] == [7, 7, 9, 9, 11, 11]
    assert sum(PRICE.values()) == 421
    assert Counter("".join(STREETS.values())) == {"N": 20, "E": 20, "S": 20, "W": 20}
    assert Counter(len(STREETS[tile]) for tile in TILES) == {0: 10, 1: 16, 2: 20, 3: 8}
    assert {STREETS[tile] for tile in TILES if len(STREETS[tile]) == 2} == {"NE", "NW", "ES", "SW"}


# Rules in a second, blunter wording


def test_payments_are_all_sets_without_a_superfluous_card_ny_20_ny_21() -> None:
    rng = random.Random(20)
    for _ in range(300):
        hand, price = sorted(rng.choices(VALUES, k=rng.randint(0, 8)), reverse=True), rng.randint(2, 13)
        sets = {cards for size in range(1, 9) for cards in itertools.combinations(hand, size)}
        wanted = sorted(list(cards) for cards in sets if sum(cards) >= price > sum(cards) - min(cards))
        assert payments(hand, price) == wanted


def test_free_cells_are_all_cells_with_a_legal_city_ny_45() -> None:
    """Section 6 asks about every empty cell; `free_cells` looks at the neighbours of the city only."""
    setup = random_setup(2, random.Random(45))
    oracle = Oracle(2, {}, setup)
    for _ in random_moves(oracle, random.Random(45), by_word=True):
        pass
    everywhere = [(x, y) for y in range(-11, 12) for x in range(-11, 12)]
    for city, tile in itertools.product(oracle.cities, [5, 18, 44, 53]):
        wanted = [cell for cell in everywhere if cell not in city and city_rules.is_legal({**city, cell: tile})]
        assert city_rules.free_cells(city, tile) == wanted


# Setup, events, hidden information


def random_setup(players: int, rng: random.Random) -> dict:
    """Section 2, steps 2 to 7."""
    bag, deck = list(TILES), money_cards(players)
    rng.shuffle(bag)
    rng.shuffle(deck)
    rest = list(deck)
    deal_hands(players, rest)
    money, rest = deck[: len(deck) - len(rest) + len(SLOTS)], rest[len(SLOTS) :]
    for pile, size in enumerate(pile_sizes(len(rest)), start=1):
        cards, rest = rest[:size], rest[size:]
        if pile in (2, 4):
            cards.insert(rng.randint(0, size), "SA" if pile == 2 else "SB")
        money += cards
    return {"money": money, "bag": bag}


def test_a_wrong_setup_is_refused() -> None:
    setup = random_setup(3, random.Random(2))
    money = [card for card in setup["money"] if card != "SA"]
    wrong: list[tuple[int, dict, dict]] = [
        (2, {}, setup),
        (3, {}, {**setup, "bag": setup["bag"][:-1]}),
        (3, {}, {**setup, "money": [*money, "SA"]}),
        (3, {}, {**setup, "discard": []}),
        (3, {"max_turns": 0}, setup),
        (3, {"turns": 9}, setup),
        (7, {}, setup),
    ]
    for players, options, wrong_setup in wrong:
        with pytest.raises(ValueError):
            Oracle(players, options, wrong_setup)


def test_dirk_is_set_up_after_the_depot_ny_80() -> None:
    setup = random_setup(2, random.Random(3))
    oracle = Oracle(2, {}, setup)
    assert (oracle.depot, oracle.dirk, oracle.bag) == (setup["bag"][:4], setup["bag"][4:10], setup["bag"][10:])
    assert Oracle(3, {}, random_setup(3, random.Random(3))).dirk == []


@pytest.mark.parametrize(
    ("move", "events"),
    [
        ("take B1 G1 Y1 R1", []),
        ("take B1 G1 Y1 R1", [shuffle_event(["B3", "B3"])]),
        ("take B1 G1 Y1 R1", [shuffle_event(["B3"])]),
        ("take B1 G1 Y1 R1", [{"deck": "tiles", "order": ["B3", "B2"]}]),
        ("take B1 G1 Y1 R1", [shuffle_event(["B3", "B2"]), shuffle_event([])]),
        ("take B1", [shuffle_event(["B3", "B2"])]),
        ("take G1 B1", []),
        ("take  B1", []),
        ("take B2", []),
        ("pass", []),
        ("", []),
    ],
)
def test_a_refused_move_changes_nothing(move: str, events: list[dict]) -> None:
    oracle = Oracle.at(WORKED["NY-P70"]["state"])
    before = oracle.position(), oracle.legal()
    with pytest.raises(ValueError):
        oracle.play(move, events)
    assert (oracle.position(), oracle.legal()) == before


def test_public_hides_hands_deck_bag_and_discards_section_7() -> None:
    rng = random.Random(7)
    oracle = Oracle(4, {}, random_setup(4, rng))
    for number, _ in enumerate(random_moves(oracle, rng)):
        if number % 20 == 0:
            for viewer in range(4):
                assert other_secrets(oracle, viewer, rng).public(viewer) == oracle.public(viewer)
    assert json.loads(json.dumps(oracle.public(0)))["hand"] == sort_cards(oracle.hands[0])


def other_secrets(oracle: Oracle, viewer: int, rng: random.Random) -> Oracle:
    """The same position with everything that `viewer` cannot see drawn anew."""
    position = oracle.position()
    others = [hand for seat, hand in enumerate(position["hands"]) if seat != viewer]
    heaps = [*others, position["deck"], position["discard"]]
    cards = [card for heap in heaps for card in heap if card not in SCORING_CARDS]
    rng.shuffle(cards)
    for heap in heaps:
        heap[:] = [card if card in SCORING_CARDS else cards.pop() for card in heap]
    rng.shuffle(position["deck"])
    rng.shuffle(position["bag"])
    return Oracle.at(position)


# Whole random games


def random_moves(oracle: Oracle, rng: random.Random, by_word: bool = False) -> Iterator[str]:
    """Play random moves to the end, giving each after it was played. `by_word` draws the kind of move first."""
    while oracle.seat is not None:
        moves = texts(oracle)
        if by_word:
            word = rng.choice(sorted({move.split()[0] for move in moves}))
            moves = [move for move in moves if move.split()[0] == word]
        move = rng.choice(moves)
        try:
            oracle.play(move)
        except MissingShuffleError as missing:
            order = list(missing.cards)
            rng.shuffle(order)
            oracle.play(move, [shuffle_event(order)])
        yield move


def index_of(text: str, oracle: Oracle) -> int:
    """The table of section 6."""
    word, *rest = text.split()
    if word == "take":
        return takes(oracle.market)[text] - 1
    if word in ("remove", "at"):
        return 82 + 21 * (int(rest[1]) + 10) + (int(rest[0]) + 10)
    first = {"buy": 15, "pay": 18, "use": 27, "place": 27, "reserve": 523, "dirk": 524, "pass": 525}[word]
    return first + (int(rest[0]) if rest else 0)


def check_legal_list(oracle: Oracle) -> None:
    legal = oracle.legal()
    indexes = [index for index, _ in legal]
    assert indexes == sorted(set(indexes)) and len({text for _, text in legal}) == len(legal)
    assert all(index == index_of(text, oracle) for index, text in legal)
    most = {"main": 73, "pay": 9, "build": 440, "place": 4, "put": 442, OVER: 0}[oracle.phase]
    assert (1 if oracle.phase != OVER else 0) <= len(legal) <= most


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("number", range(8))
def test_random_game(players: int, number: int) -> None:
    rng = random.Random(1000 * players + number)
    setup = random_setup(players, rng)
    check_setup(players, setup)
    options = {"max_turns": rng.randint(1, 60)} if number % 4 == 3 else {}
    oracle = Oracle(players, options, setup)
    oracle.check()
    decisions, turn = 0, Counter()
    for move in random_moves(oracle, rng, by_word=number % 2 == 1):
        decisions += 1
        turn[(oracle.turns, move.split()[0])] += 1
        oracle.check()
        check_legal_list(oracle)
        if decisions % 10 == 0:
            again = Oracle.at(json.loads(json.dumps(oracle.position())))
            assert again.position() == oracle.position() and again.legal() == oracle.legal()
            assert all(city_rules.is_legal(city) for city in oracle.cities)
    assert oracle.phase == OVER and oracle.turns <= oracle.max_turns
    assert (oracle.turns == oracle.max_turns) or oracle.bag == []
    assert decisions <= 42 * oracle.max_turns + 8
    assert max((n for (_, word), n in turn.items() if word == "buy"), default=0) <= 4
    assert all(0 <= score <= 435 for score in oracle.scores)
    assert all(city_rules.is_legal(city) for city in oracle.cities)
    with pytest.raises(ValueError):
        oracle.play("pass")
