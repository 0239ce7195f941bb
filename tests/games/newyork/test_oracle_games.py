"""The oracle of New York: setups, refused moves, hidden information and whole random games."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from tests.games.newyork import oracle_city as city_rules
from tests.games.newyork.oracle import OVER, Oracle
from tests.games.newyork.oracle_money import SCORING_CARDS, check_setup, sort_cards, takes
from tests.games.newyork.oracle_play import random_moves, random_setup, shuffle_event
from tests.support.rule_cases import worked_positions

# Setup, events, hidden information


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
        (3, {"overpay": 1}, setup),
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
    oracle = Oracle.at(worked_positions("new_york")["NY-P70"]["state"])
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


def index_of(text: str, oracle: Oracle) -> int:
    """The table of section 6."""
    word, *rest = text.split()
    if word == "take":
        return takes(oracle.market)[text] - 1
    if word in ("remove", "at"):
        return 82 + 21 * (int(rest[1]) + 10) + (int(rest[0]) + 10)
    first = {
        "buy": 15, "pay": 18, "use": 27, "place": 27, "reserve": 523, "dirk": 524, "pass": 525, "overpay": 525,
    }[word]  # fmt: skip
    return first + (int(rest[0]) if rest else 0)


def check_legal_list(oracle: Oracle) -> None:
    legal = oracle.legal()
    indexes = [index for index, _ in legal]
    assert indexes == sorted(set(indexes)) and len({text for _, text in legal}) == len(legal)
    assert all(index == index_of(text, oracle) for index, text in legal)
    most = {"main": 82, "pay": 9, "build": 440, "place": 4, "put": 442, OVER: 0}[oracle.phase]
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
