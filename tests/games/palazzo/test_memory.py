"""What is remembered (RULES.md 7.2): the memory cases of section 10, and the memory of whole games recomputed."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from skyline.game import RECALL, TABLE, BrokenState
from skyline.rng import streams
from tests.games.palazzo.cases import CARDS, GAME, PLAYERS, at, bidding, hands
from tests.games.palazzo.deals import by_formula, chance_of
from tests.games.palazzo.recollection import Recollection, kept
from tests.games.palazzo.views import PALAZZO, played, with_memory
from tests.support.rule_cases import Core, Json, rules_text, sized
from tests.support.seeing import decoded, determinized, heuristic_actions, observed

CASES = {
    block["case"]: block
    for block in map(json.loads, re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL))
    if block["kind"] == "memory"
}
Z = 4.75  # standard deviations: once in 10^6 draws; every test has a fixed seed


def reached(case: Json) -> Core:
    core = Core.at(GAME, case["start"])
    core.play_all(case["moves"], case.get("shuffles", ()))
    core.check()
    return core


def test_the_cases_are_there() -> None:
    assert len(CASES) == 9


@pytest.mark.parametrize("name", CASES)
def test_pz_k_memory_case(name: str) -> None:
    """Hands, kept memory, sets, what each seat knows."""
    core, expect = reached(CASES[name]), CASES[name]["expect"]
    position = core.position()
    for field in ("player", "decision", "hands", "memory"):
        assert position[field] == expect[field], field
    for seat in range(core.players):
        knowledge = PALAZZO.knowledge(core.states[0], seat)
        for field in ("deck", "piles", "box"):
            assert knowledge[field] == expect.get(field, knowledge[field]), field
    for name_of_seat, wanted in expect["seats"].items():
        seat = int(name_of_seat)
        knowledge = PALAZZO.knowledge(core.states[0], seat)
        assert knowledge["unseen"] == wanted["unseen"]
        assert {p: cards for p, cards in knowledge["sure"].items() if int(p) != seat} == wanted["sure"]
        assert knowledge["sure"][name_of_seat] == position["memory"]["known"][seat]
        assert len(by_formula(position, seat, knowledge["unseen"])) == wanted["possible"]


@pytest.mark.parametrize("name", [name for name in CASES if "chances" in CASES[name]["expect"]])
def test_pz_k_chances(name: str) -> None:
    """Exactly by PZ-M17, and as often in deals of `determinize`."""
    core = reached(CASES[name])
    for row in CASES[name]["expect"]["chances"]:
        seat, chance = row["seat"], Fraction(row["chance"])
        unseen = PALAZZO.knowledge(core.states[0], seat)["unseen"]
        assert chance_of(by_formula(core.position(), seat, unseen), seat, row["hands"]) == chance
        copies = sized(20_000, 300)
        found = determinized(core, seat, 5, copies)["hands"]
        holds = np.ones(copies, bool)
        for other, cards in row["hands"].items():
            for card, n in cards.items():
                holds &= found[:, int(other), CARDS.index(card)] >= n
        spread = float(copies * chance * (1 - chance)) ** 0.5
        assert abs(holds.sum() - float(copies * chance)) <= Z * spread + 1e-9, (row, holds.mean())


# ---------------------------------------------------------------- whole games


def check_memory_of_a_game(core: Core, seed: int, heuristic: bool) -> int:
    """The memory after every move of a game is what its recomputation says; the number of decisions."""
    rng, stream, memory, moves = np.random.default_rng(seed), streams(1, seed), Recollection(core.states[0]), 0
    while core.seat is not None:
        by_chance = not heuristic or rng.random() < 0.3
        action = int(rng.choice(core.actions())) if by_chance else heuristic_actions(PALAZZO, core.states, stream)[0]
        core.step(action)
        memory.after(core.states[0])
        found, wanted = kept(core.states[0]), memory.fields()
        assert found == wanted, (seed, moves, [name for name in wanted if found[name] != wanted[name]])
        moves += 1
    return moves


OPTIONS: tuple[Json, ...] = ({}, {"quiet_limit": 5}, {"knight_first": "depot"}, {"quiet_limit": 60})


@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_follows_from_the_playing(players: int) -> None:
    """PZ-M04 .. PZ-M14 after every move, all options, with RECALL and TABLE."""
    for seed in range(sized(12, 2)):
        core = Core.deal(GAME, players, seed, OPTIONS[seed % len(OPTIONS)])
        core.states["memory"] = RECALL if seed % 3 else TABLE
        check_memory_of_a_game(core, seed, heuristic=seed % 2 == 1)


def test_a_replay_with_given_shuffles_remembers_the_same() -> None:
    """PZ-M10: the order of a shuffle comes from a record instead of the random word."""
    core, rng, shuffles = Core.deal(GAME, 3, 24), np.random.default_rng(2), 0
    memory, twin = Recollection(core.states[0]), core.copy()
    while core.seat is not None and shuffles < sized(3, 1):
        action = int(rng.choice(core.actions()))
        events = core.play_action(action)
        twin.play_action(action, events)
        memory.after(twin.states[0])
        assert kept(twin.states[0]) == memory.fields() == kept(core.states[0])
        shuffles += len(events)
    assert shuffles


# ---------------------------------------------------------------- positions


def test_without_memory_every_card_is_a_starting_card() -> None:
    """PZ-M14; and a card just taken is sure all the same (PZ-M06)."""
    core = at(2, hands=hands("A3 A3", "2"))
    assert core.position()["memory"] == {"known": [{}, {}], "shown": [{}, {}], "shuffled": False}
    assert core.states["memory_starting"][0].tolist() == [2, 1, 0, 0]
    core = at(2, decision="MONEY", face_up=["B3", "C3"], first_take="A3", hands=hands("A3 A4", ""))
    assert core.position()["memory"]["known"] == [{"A3": 1}, {}]


@pytest.mark.parametrize(
    ("fields", "memory", "place", "reason"),
    [
        ({}, {"known": [{"A3": 2}, {}]}, "known", "seat 0 holds 1 of A3, not 2"),
        ({}, {"known": [{}]}, "known", "a list of 2"),
        ({}, {"known": [{"A3": 4}, {}]}, "known[0].A3", "a whole number 0 .. 3"),
        ({}, {"shown": [{"A3": 1}, {"A3": 2}]}, "shown", "3 of A3, but 2 are no unseen starting cards"),
        ({}, {"shown": [{"B4": 2}, {"B4": 2}], "shuffled": True}, "shown", "4 of B4, but 3 are"),
        ({}, {"shuffled": 1}, "shuffled", "true or false"),
        ({}, {"deck": []}, "", "there is no field 'deck'"),
        ({}, [], "", "an object"),
        ({"decision": "MONEY", "face_up": ["B3", "C3"], "first_take": "A3"}, {"known": [{}, {}]}, "known",
         "has just taken A3"),
    ],
)  # fmt: skip
def test_a_memory_that_contradicts_the_position_is_refused(
    fields: Json, memory: object, place: str, reason: str
) -> None:
    where = "position.memory" + (f".{place}" if place else "")
    with pytest.raises(ValueError, match=f"^{re.escape(where)}: .*{re.escape(reason)}"):
        at(2, hands=hands("A3", "2"), memory=memory, **fields)


def test_a_memory_that_may_be_so_is_taken() -> None:
    """Shown cards in the own hand, on the table, among the discards; anywhere after a shuffle."""
    memory = {"known": [{"A3": 1}, {}], "shown": [{"A3": 1, "B3": 1}, {"B3": 1}], "shuffled": False}
    core = at(2, hands=hands("A3", "2"), discard={"B3": 2}, memory=memory)
    assert core.position()["memory"] == memory
    core.check()
    memory = {"known": [{}, {}], "shown": [{"C7": 3}, {"B3": 1}], "shuffled": True}
    core = at(2, hands=hands("A3", "2"), memory=memory)
    assert core.position()["memory"] == memory
    assert core.states["memory_deck"].sum() == 53
    core.check()


def test_a_broken_memory_is_found() -> None:
    """`check` recomputes what follows from the position."""
    core = played(3, 24, 200)
    for field in ("memory_sure", "memory_shown", "memory_starting", "memory_deck", "memory_stack", "memory_box"):
        broken = core.copy()
        broken.states[field][0, ..., 0] += 20
        with pytest.raises(BrokenState):
            broken.check()


# ---------------------------------------------------------------- the setting


def as_table(core: Core) -> Core:
    return with_memory(core, TABLE)


@pytest.mark.parametrize("players", PLAYERS)
def test_table_shows_nothing_of_the_past(players: int) -> None:
    """The setting `table`: recall slices are zero, positions, texts and pictures are silent, copies forget."""
    table = PALAZZO.observation(players)
    recall = np.concatenate([np.full(part.length, part.recall) for part in table.slices("rich")])
    for seed in range(sized(6, 2)):
        core = played(players, seed, 60 * seed + 100)
        silent = as_table(core)
        assert "memory" not in silent.position()
        for seat in range(players):
            told, untold = observed(core, seat), observed(silent, seat)
            assert not untold[recall == 1].any() and told[recall == 1].any()
            assert np.array_equal(told[recall == 0], untold[recall == 0])
            assert PALAZZO.knowledge(silent.states[0], seat) == {}
            assert "remembered" not in PALAZZO.text(silent.states[0], seat)
            (row,) = determinized(silent, seat, seed)
            assert not row["memory_shown"].any() and not row["memory_shuffled"]
            assert row["memory_sure"].sum() <= 1
            Core(PALAZZO, row.reshape(1).copy()).check()


def test_a_table_copy_depends_on_what_lies_on_the_table_alone() -> None:
    """Two games with different pasts and the same table have the same copies."""
    core = played(3, 24, 260)
    other = as_table(core)
    other.states["memory_shown"] = 0
    other.states["memory_sure"] = 0
    assert determinized(as_table(core), 1, 9, 5).tobytes() == determinized(other, 1, 9, 5).tobytes()


# ---------------------------------------------------------------- observations


@pytest.mark.parametrize("players", PLAYERS)
def test_the_recall_slices_say_what_the_seat_knows(players: int) -> None:
    """`sure` + `by_counting` = the certain cards (without PZ-M12), `not_seen`, sets of deck and stack, the box."""
    for seed in range(sized(8, 2)):
        core = played(players, seed, 70 * seed + 30)
        position = core.position()
        for seat in range(players):
            values, knowledge = decoded(core, seat), PALAZZO.knowledge(core.states[0], seat)
            for j in range(players):
                other = (seat + j) % players
                assert cards_of(values["sure"][j]) == position["memory"]["known"][other]
                assert cards_of(values["shown"][j]) == knowledge["shown"][str(other)]
                assert values["starting"][j] == knowledge["starting"][str(other)]
                if j and position["decision"] not in ("BUY", "PAY", "BID"):
                    assert cards_of(values["sure"][j] + values["by_counting"][j - 1]) == knowledge["sure"][str(other)]
            assert cards_of(values["not_seen"]) == knowledge["unseen"]
            assert values["shuffled"][0] == position["memory"]["shuffled"]
            assert cards_of(values["deck_cards"]) == (knowledge["deck"] if values["shuffled"][0] else {})
            left = [tile for pile in knowledge["piles"].values() for tile in pile if tile != "K"]
            assert values["stack_tiles"].tolist() == tile_counts(left)
            assert values["box"].tolist() == tile_counts(knowledge["box"])


def cards_of(numbers: np.ndarray) -> Json:
    return {card: int(n) for card, n in zip(CARDS, numbers, strict=True) if n}


def tile_counts(tiles: list[str]) -> list[int]:
    kinds = sorted(f"{floor}{windows}{m}" for floor in range(1, 6) for windows in range(1, 4) for m in "bms")
    return [tiles.count(kind) for kind in kinds]


# ---------------------------------------------------------------- texts and pictures


def test_remembered_cards_are_marked() -> None:
    """Sure cards of another hand, marked; the own hand and the table setting as ever."""
    core = bidding("A7 A7", "B4 B5 2 2")
    core.play_all(["add B5", "add B4", "bid", "add A7", "bid", "pass"])
    said = PALAZZO.text(core.states[0], 0)
    assert "   hand of 4: remembered [B4 B5], 2 unknown cards" in said.splitlines()
    assert "   hand of 4: 4 unknown cards" in PALAZZO.text(as_table(core).states[0], 0).splitlines()
    assert "remembered" not in PALAZZO.text(core.states[0], None)
    assert "hand of 4, 2 remembered" in PALAZZO.svg(core.states[0], 0)
    assert "remembered" not in PALAZZO.svg(as_table(core).states[0], 0)


def test_a_whole_hand_is_remembered_after_a_shuffle() -> None:
    """PZ-M10 with two players."""
    case = CASES["PZ-K05"]
    said = PALAZZO.text(reached(case).states[0], 0)
    assert "   hand of 5: remembered [2x2 B5 B7 C3]" in said.splitlines()
