"""What a perfect memory keeps and knows: the memory cases of RULES.md, the fields of the state, `knowledge`, positions.

The deals that are drawn from it are in test_belief.py.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from manhattan_env import knowledge
from skyline.game import BrokenState
from skyline.record import Recorder
from tests.games.manhattan.cases import DECISIONS, GAME, PLAYERS, at
from tests.games.manhattan.match import POLICIES
from tests.games.manhattan.memory_cases import MANHATTAN, Watched, beginning, memory_cases, moves_of, watched_game
from tests.games.manhattan.oracle import Oracle
from tests.games.manhattan.recollection import FIELDS, recollected
from tests.games.manhattan.views import played, without_memory
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import decoded

CASES = memory_cases()
LONG = {"MH-K10"}  # with 234,876 joint hands, too many to enumerate: test_belief.py draws deals
EXPECTED = {"hands", "memory", "seats", "deck", "chances"}


def faces(counts: list[int]) -> list[int]:
    return [card for card in range(9) for _ in range(counts[card])]


def reached(case: Json) -> Core:
    core = beginning(case)
    core.play_all(*_used(core, *moves_of(case)))
    return core


def _used(core: Core, moves: list[str], orders: list[list[int]]) -> tuple[list[str], list[list[int]]]:
    """The moves with the reshuffles that they bring: a game that is played in part has orders left."""
    copy, left = core.copy(), list(orders)
    for text in moves:
        if copy.copy().play(text):
            copy.play(text, [{"deck": "cards", "order": left.pop(0)}])
        else:
            copy.play(text)
    return moves, orders[: len(orders) - len(left)]


# ---------------------------------------------------------------- the cases of RULES.md


def test_no_memory_case_is_left_out() -> None:
    assert list(CASES) == [f"MH-K{number:02}" for number in range(1, 11)]
    assert all(set(case["expect"]) <= EXPECTED for case in CASES.values())


@pytest.mark.parametrize("name", CASES)
def test_memory_case(name: str) -> None:
    """Hands, memory, deck, and what each seat knows."""
    case = CASES[name]
    core, expect = reached(case), case["expect"]
    position = core.position()
    assert position["hands"] == expect["hands"]
    assert position["memory"] == expect.get("memory", position["memory"])
    if expect["deck"] is not None:
        assert sorted(position["deck"]) == faces(expect["deck"])
    for seat, knows in expect["seats"].items():
        found = MANHATTAN.knowledge(core.states[0], int(seat))
        assert found["unseen"] == faces(knows["unseen"])
        assert found["sure"] == {other: faces(counts) for other, counts in knows["sure"].items()}
        assert found["piles"] == {str(other): pile for other, pile in enumerate(position["played"])}
        if core.players == 2:
            assert found["possible"] == knows["possible"]


@pytest.mark.parametrize("name", [name for name in CASES if name not in LONG])
def test_memory_case_by_enumeration(name: str) -> None:
    """The brute force of beliefs.py says what RULES.md says: joint hands, sure cards, chances (MH-M01, MH-M03)."""
    case = CASES[name]
    asked = case["expect"].get("chances", [])
    seats = sorted({int(seat) for seat in case["expect"]["seats"]} | {ask["seat"] for ask in asked})
    watched = Watched(beginning(case), seats)
    moves, orders = moves_of(case)
    for text in moves:
        is_shuffled = bool(watched.core.copy().play(text))
        watched.play(text, orders.pop(0) if is_shuffled else None)
    for seat, knows in case["expect"]["seats"].items():
        belief = watched.beliefs[int(seat)]
        assert len(belief.weights) == knows["possible"]
        assert {str(other): counts for other, counts in belief.sure().items()} == knows["sure"]
    for ask in asked:
        beliefs = watched.before_draw if ask.get("before_draw") else watched.beliefs
        hands = {int(other): cards for other, cards in ask["hands"].items()}
        assert beliefs[ask["seat"]].chance(hands) == Fraction(ask["chance"])


# ---------------------------------------------------------------- the fields of the state


def games(players: int, seed: int, policy: str | None) -> Any:
    """The rows, actions and texts of a game, one move longer each time."""
    core = Core.deal(GAME, players, seed)
    chance, rows, actions, texts = np.random.default_rng(seed), [core.states[0].copy()], [], []
    rng = random.Random(seed)
    while core.seat is not None:
        if policy is None:
            text = str(chance.choice(core.texts()))
        else:
            text = POLICIES[policy](rng, core.legal(), Oracle.at(core.position()))
        actions.append(MANHATTAN.parse_move(core.states[0], text))
        texts.append(text)
        core.play(text)
        rows.append(core.states[0].copy())
        yield core, rows, actions, texts


@pytest.mark.parametrize("policy", [None, "wall"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_is_what_a_playing_says(players: int, policy: str | None) -> None:
    """After every move of some games: random ones, and ones that end with discards. MH-M06, MH-M07, MH-M08, MH-M10;
    sets, pieces and scores leave the memory as it is (MH-M11)."""
    for seed in range(sized(4, 1)):
        for core, rows, actions, texts in games(players, seed, policy):
            if core.seat is None or len(actions) % sized(1, 7) == 0:
                for name, value in recollected(rows, actions, texts).items():
                    assert np.array_equal(core.states[name][0], value), (name, texts[-1])
                core.check()


def test_every_memory_field_is_recollected() -> None:
    assert {name for name in MANHATTAN.state.names or () if name.startswith("memory_")} == set(FIELDS)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_is_kept_without_being_used(players: int) -> None:
    """With TABLE the fields are the same: a view may be switched."""
    core = played(players, 3, DECISIONS[players] - 5)
    other = without_memory(core)
    action = core.actions()[0]
    core.play_action(action)
    other.play_action(action)
    assert all(np.array_equal(core.states[name], other.states[name]) for name in FIELDS)
    assert MANHATTAN.knowledge(other.states[0], 0) == {}
    assert "memory" not in other.position()
    for name in ("shown", "unseen", "known", "reshuffles"):
        assert not decoded(other, 0)[name].any()


def test_a_made_up_game_that_reshuffles_all_the_time_begins_its_memory_anew() -> None:
    """MH-M16: three cards, no deck; every draw reshuffles the one card played."""
    core = at(3, hands=[[0], [1], [2]], chosen={"0": [1] * 4, "1": [1] * 4, "2": [1] * 4})
    found = []
    for _ in range(9):
        core.play(core.texts()[0])
        found.append(len(core.position()["memory"]))
        assert MANHATTAN.knowledge(core.states[0], 0)["sure"] is not None
    assert found == [2, 3, 4, 1, 2, 3, 4, 1, 2]


# ---------------------------------------------------------------- knowledge


@pytest.mark.parametrize("with_discards", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_knowledge_is_what_all_deals_have_in_common(players: int, with_discards: bool) -> None:
    """MH-M12, MH-M13, MH-M14 and MH-M15 in small games, where every joint hand is enumerated."""
    for seed in range(sized({2: 20, 3: 6, 4: 1}[players], 1)):
        for watched in watched_game(players, seed, with_discards):
            for seat, belief in watched.beliefs.items():
                found = MANHATTAN.knowledge(watched.core.states[0], seat)
                assert found["unseen"] == faces(belief.unseen)
                assert found["sure"] == {str(other): faces(counts) for other, counts in belief.sure().items()}
                decks = belief.decks()
                assert found["deck"] == (faces([*next(iter(decks))]) if len(decks) == 1 else None)
                if players == 2:
                    assert found["possible"] == len(belief.weights)


@pytest.mark.parametrize("players", PLAYERS)
def test_old_cards_are_those_of_the_other_hands_at_the_reshuffle(players: int) -> None:
    """MH-M09, MH-M17: known together, less what was shown since; the observation has them by own board squares."""
    for decisions in (45, 60, 85):
        core = played(players, decisions, decisions)
        *_, last = core.position()["memory"]
        for seat in range(players):
            knows = MANHATTAN.knowledge(core.states[0], seat)
            values = decoded(core, seat)
            assert values["unseen"].sum() == len(knows["unseen"])
            if "held" not in last or players == 2:
                assert knows["old"] is None
                continue
            old = [card for other, hand in enumerate(last["held"]) if other != seat for card in hand]
            for other, card, *_ in last["plays"]:
                if other != seat and card in old:
                    old.remove(card)
            assert knows["old"] == sorted(old)
            assert sorted(values["known"].tolist()) == sorted(
                Counter(dict.fromkeys(range(9), 0) | Counter(old)).values()
            )


def test_shown_cards_are_the_piles() -> None:
    """MH-M05, by the board squares of each seat."""
    core = at(4, marker=1, hands=[[0], [1], [2], [3]], played=[[1, 1, 5], [0], [8, 3], []], deck=[4])
    values = decoded(core, 2)
    board = {
        2: (8, 7, 6, 5, 4, 3, 2, 1, 0),
        3: (6, 3, 0, 7, 4, 1, 8, 5, 2),
        0: tuple(range(9)),
        1: (2, 5, 8, 1, 4, 7, 0, 3, 6),
    }
    for j, pile in enumerate(([8, 3], [], [1, 1, 5], [0])):
        squares = Counter(board[(2 + j) % 4][card] for card in pile)
        assert values["shown"][j].tolist() == [squares[square] for square in range(9)]
    unseen = Counter(board[2][card] for card in (0, 1, 3, 4))
    assert values["unseen"].tolist() == [unseen[square] for square in range(9)]


def test_texts_and_pictures_show_what_is_remembered() -> None:
    """MH-K03: seat 0 knows three of the four cards of seat 1, seat 1 the whole hand of seat 0; by board squares."""
    core = reached(CASES["MH-K03"])
    shown = {seat: MANHATTAN.text(core.states[0], seat, None) for seat in (None, 0, 1)}
    assert "hand of 4: remembered [4 8 8], 1 unknown card;" in shown[0]
    assert "hand of 4: remembered [1 2 6 7];" in shown[1]
    assert "[" not in shown[None].split("Seat A")[1]
    assert "hand of 4, 3 remembered" in MANHATTAN.svg(core.states[0], 0, None)
    table = without_memory(core).states[0]
    assert "hand of 4: 4 unknown cards;" in MANHATTAN.text(table, 0, None)
    assert "remembered" not in MANHATTAN.text(table, 0, None) + MANHATTAN.svg(table, 0, None)


# ---------------------------------------------------------------- positions


def late(players: int = 4) -> Json:
    return json.loads(json.dumps(played(players, 7, 80).position()))


def refusal(position: Json) -> str:
    with pytest.raises(ValueError, match=r"^position") as error:
        Core.at(GAME, position)
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m[1]["plays"].append([4, 0]), "position.memory[1].plays["),
        (lambda m: m[1].pop("held"), "position.memory[1]: the field 'held' is missing"),
        (lambda m: m[0].update(held=[]), "position.memory[0]: there is no field 'held'"),
        (lambda m: m[1]["plays"].clear(), "position.memory[2]: a reshuffle follows a card played"),
        (lambda m: m[2]["plays"].pop(), "position.memory[2].plays: the pile of seat "),
        (lambda m: m[2]["plays"].insert(0, m[2]["plays"][0]), "position.memory[2].plays: "),
        (lambda m: m[0]["plays"].extend(m[0]["plays"]), "position.memory[1].plays: a list of at most "),
        (lambda m: m[1]["held"].reverse(), "position.memory[1]"),
        (lambda m: m[1]["held"][0].pop(), "position.memory[1]"),
        (lambda m: m[1]["held"].pop(), "position.memory[1].held: a list of 4, not a list of 3"),
        (lambda m: m.extend([{"held": m[1]["held"], "plays": []}] * 3), "position.memory: a list of 1 .. 4, not"),
        (lambda m: m.clear(), "position.memory: a list of 1 .. 4, not a list of 0"),
        (lambda m: m[0]["plays"][0].append([m[0]["plays"][0][1]]), "position.memory[0].plays[0][2]: the card "),
        (lambda m: m[0]["plays"][0].append([9]), "position.memory[0].plays[0][2][0]: a whole number 0 .. 8, not 9"),
    ],
    ids=range(14),
)
def test_a_memory_that_cannot_be_is_refused_with_its_place(change: Any, says: str) -> None:
    position = late()
    assert len(position["memory"]) == 3
    change(position["memory"])
    text = refusal(position)
    assert text.startswith(says), text


def test_a_memory_of_more_turns_than_were_is_refused() -> None:
    position = {"players": 2, "turn": 1, "hands": [[0], [1]], "played": [[3], [4]]}
    for plays in ([[0, 3], [1, 4]], [[0, 3]]):
        assert "position.memory[0].plays: a list of 0, not" in refusal(
            {**position, "turn": 0, "memory": [{"plays": plays}]}
        )
    assert Core.at(GAME, {**position, "memory": [{"plays": [[1, 4]]}]}).seat == 1


def test_a_card_that_was_not_drawn_cannot_be_shown() -> None:
    """Right after a reshuffle a hand shows the cards that it held."""
    state = {"players": 3, "round": 2, "turn": 2, "hands": [[0, 1, 3], [5, 7, 8], [4, 6, 6]], "deck": [8, 0, 1],
             "played": [[], [4], []]}  # fmt: skip
    memory = [{"plays": [[0, 3]]}, {"held": [[0, 1], [4, 5, 7], [4, 6, 6]], "plays": [[1, 4]]}]
    assert Core.at(GAME, {**state, "memory": memory}).position()["memory"] == memory
    memory[1]["held"][1:] = [[5, 6, 7], [4, 4, 6]]
    assert refusal({**state, "memory": memory}).startswith("position.memory[1].plays: seat 1 shows the card 4 without")
    memory[1]["held"][1:] = [[4, 5, 6], [4, 6, 7]]
    assert refusal({**state, "memory": memory}).startswith("position.memory[1].plays: seat 1 neither shows nor keeps")


def test_a_position_without_memory_has_one_shuffle_and_known_piles() -> None:
    """MH-M16."""
    position = late()
    del position["memory"]
    core = Core.at(GAME, position)
    assert core.position() == {**position, "memory": [{"plays": []}]}
    core.check()
    knows = MANHATTAN.knowledge(core.states[0], 1)
    assert knows["piles"] == {str(seat): pile for seat, pile in enumerate(position["played"])}
    assert (knows["old"], knows["deck"]) == (None, None)


@pytest.mark.parametrize(
    ("field", "index", "says"),
    [
        ("memory_size", (), "cards remembered behind|cards remembered in|not what it has played"),
        ("memory_plays", (1,), "memory"), ("memory_ends", (0,), "memory"), ("memory_held", (0, 1), "memory"),
        ("memory_known", (2,), "the cache memory_known"), ("memory_loose", (), "the cache memory_loose"),
        ("memory_shown", (0, 3), "the cache memory_shown"), ("memory_shuffles", (), "reshuffles"),
    ],
)  # fmt: skip
def test_check_says_what_is_broken_in_the_memory(field: str, index: tuple[int, ...], says: str) -> None:
    core = played(4, 7, 80)
    core.check()
    states = core.states.copy()
    value = states[field][0][index] if index else states[field][0]
    states[field][(0, *index)] = int(value) + (-1 if field in ("memory_size", "memory_shuffles") else 1)
    with pytest.raises(BrokenState, match=says):
        MANHATTAN.check(states[0])


def test_an_empty_deck_needs_no_look_at_all_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """MH-M14: after a reshuffle with 4 players, where nothing is sure and no card is left to draw."""
    monkeypatch.setattr(knowledge, "surely_held", None)
    recorder, rng = Recorder("manhattan", 4, 1028), random.Random(1028)
    for _ in range(105):
        recorder.play(rng.choice(recorder.legal()))
    state = recorder.state[0]
    assert state.memory_shuffles
    assert state.deck_top == state.deck_size
    assert recorder.knowledge(1)["sure"] == {"0": [], "2": [], "3": []}
