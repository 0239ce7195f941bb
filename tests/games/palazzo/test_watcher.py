"""The memory cases of RULES 7.2 through the watcher alone, their chances counted, and games watched by every seat."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from fractions import Fraction

import pytest

from tests.games.palazzo.watching import counting, retelling
from tests.games.palazzo.watching.counts import Contradiction, counted
from tests.games.palazzo.watching.watcher import Watcher
from tests.games.replays import playings
from tests.support.rule_cases import Core, Json, rules_text

GAME = "palazzo"
NOTHING_SHOWN: Json = {"known": [{}] * 4, "shown": [{}] * 4, "shuffled": False}


def memory_cases() -> dict[str, Json]:
    """The blocks of the kind `memory`, by case."""
    blocks = re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL)
    return {case["case"]: case for case in map(json.loads, blocks)}


CASES = memory_cases()
COUNTED = [name for name, case in CASES.items() if case["expect"]["seats"]]


def begun(case: Json) -> Core:
    """The game as the case begins; the memory goes to the watchers only."""
    return Core.at(GAME, {name: part for name, part in case["start"].items() if name != "memory"})


def told(core: Core) -> Json:
    """The position without the memory that the core keeps."""
    return {name: part for name, part in core.position().items() if name != "memory"}


def entries_of(case: Json, viewer: int) -> list[Json]:
    """The history of a memory case as one seat sees it."""
    core, orders = begun(case), list(case.get("shuffles", []))
    entries = [retelling.position_entry(told(core), case["start"].get("memory", NOTHING_SHOWN), viewer)]
    for move in case["moves"]:
        events = [{**event, "order": orders.pop(0)} for event in core.copy().play(move)]
        before = told(core)
        core.play(move, events)
        entries.append(retelling.move_entry(before, move, told(core), events))
    assert not orders
    return entries


def end_of(case: Json) -> Json:
    """The position after the moves of a case."""
    core = begun(case)
    core.play_all(case["moves"], case.get("shuffles", []))
    return told(core)


def watched(entries: list[Json]) -> Watcher:
    watcher = Watcher(entries[0])
    for entry in entries[1:]:
        watcher.see(entry)
    return watcher


@pytest.mark.parametrize("name", CASES)
def test_a_memory_case_is_known_to_its_seats(name: str) -> None:
    case, wanted = CASES[name], CASES[name]["expect"]
    for viewer in range(case["start"]["players"]):
        watcher = watched(entries_of(case, viewer))
        found = watcher.knowledge()
        assert json.loads(json.dumps(found)) == found
        assert found["sure"][str(viewer)] == watcher.known[viewer]
        assert watcher.possible(end_of(case)) is None
        assert watcher.hand == wanted["hands"][viewer]
        memory = {"known": watcher.known, "shown": watcher.shown, "shuffled": watcher.deck is not None}
        assert memory == wanted["memory"]
        for field in ("deck", "piles", "box"):
            if field in wanted:
                assert found[field] == wanted[field]
        if str(viewer) in wanted["seats"]:
            seat = wanted["seats"][str(viewer)]
            assert found["unseen"] == seat["unseen"]
            assert {other: cards for other, cards in found["sure"].items() if other in seat["sure"]} == seat["sure"]


@pytest.mark.parametrize("name", COUNTED)
def test_the_chances_of_a_memory_case_are_those_of_all_its_deals(name: str) -> None:
    """Every set of starting cards is played; PZ-M05, PZ-M07, PZ-M11, PZ-M12 and PZ-M17 must give the same."""
    case = CASES[name]
    for viewer, seat in case["expect"]["seats"].items():
        entries = entries_of(case, int(viewer))
        believed = counting.joint_hands(entries)
        assert sum(believed.values()) == 1
        assert len(believed) == seat["possible"]
        surely = counting.surely_held(believed)
        for other, cards in seat["sure"].items():
            assert surely[int(other)] == cards
        for asked in case["expect"].get("chances", []):
            if str(asked["seat"]) == viewer:
                assert counting.chance_of(believed, asked["hands"]) == Fraction(asked["chance"]), asked


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("players", [2, 3, 4])
def test_books_kept_from_the_moves_agree_with_the_true_position(players: int) -> None:
    """PZ-M04 to PZ-M14: the true position is possible for every seat, and what is sure is true."""
    watchers: list[Watcher] = []
    for before, move, after, events in playings(GAME, players, 7 + players, told):
        watchers = watchers or [Watcher(retelling.setup_entry(before, seat)) for seat in range(players)]
        entry = retelling.move_entry(before, move, after, events)
        for watcher in watchers:
            watcher.see(entry)
            assert watcher.possible(after) is None
            for hand, sure in zip(after["hands"], watcher.sure(), strict=True):
                assert all(hand.get(kind, 0) >= number for kind, number in sure.items())


@pytest.mark.parametrize("seed", [1, 2])
def test_sure_cards_are_those_that_every_agreeing_deal_has(seed: int) -> None:
    """PZ-M11, PZ-M12: counting against all starting hands, at many decisions of a game of two."""
    entries: list[Json] = []
    watcher: Watcher | None = None
    rng = random.Random(seed)
    compared = begun_actions = 0
    for before, move, after, events in playings(GAME, 2, seed, told):
        if watcher is None:
            entries = [retelling.setup_entry(before, 0)]
            watcher = Watcher(entries[0])
        entry = retelling.move_entry(before, move, after, events)
        entries.append(entry)
        watcher.see(entry)
        debt = watcher.debts.open
        open_debt = debt is not None and debt.seat == 1 and not debt.can_pay(watcher.known[1])
        if rng.random() < (0.5 if open_debt else 0.02):
            compared, begun_actions = compared + 1, begun_actions + open_debt
            assert watcher.sure()[1] == counting.surely_held(counting.joint_hands(entries))[1]
    assert compared > 2


# ---------------------------------------------------------------- what the watcher refuses


def case_end(name: str, viewer: int = 0) -> tuple[Watcher, Json]:
    return watched(entries_of(CASES[name], viewer)), end_of(CASES[name])


def with_hands(position: Json, *hands: Mapping[str, int]) -> Json:
    return {**position, "hands": [dict(hand) for hand in hands]}


def test_hands_that_cannot_be_together_are_refused() -> None:
    """PZ-K06, PZ-M11: five unseen cards 2 2 2 B4 B4 for seat 0; each hand alone could hold what the other has."""
    watcher, position = case_end("PZ-K06")
    own = position["hands"][0]
    assert watcher.possible(with_hands(position, own, {"B4": 2, "C3": 1}, {"2": 3})) is None
    twice = with_hands(position, own, {"2": 2, "C3": 1}, {"2": 2, "B4": 1})
    assert "unseen cards" in str(watcher.possible(twice))
    assert "surely holds" in str(watcher.possible(with_hands(position, own, {"2": 2, "B4": 1}, {"2": 2, "B4": 1})))
    assert "own hand" in str(watcher.possible(with_hands(position, {"2": 1}, *position["hands"][1:])))


def test_a_hand_that_cannot_finish_its_action_is_refused() -> None:
    """PZ-K02, PZ-M12: one certificate lies against 3, so a second one must follow."""
    watcher, position = case_end("PZ-K02")
    hand = position["hands"][1]
    assert hand == {"2": 1, "B7": 1, "C3": 1}
    assert watcher.possible(position) is None
    deck = list(position["deck"])
    deck[deck.index("A7")] = "2"
    swapped = {**with_hands(position, position["hands"][0], {"A7": 1, "B7": 1, "C3": 1}), "deck": deck}
    assert "PZ-M12" in str(watcher.possible(swapped))


def test_piles_and_box_are_refused_when_an_entry_lies_in_the_wrong_pile() -> None:
    """PZ-K07, PZ-M13: the 31b that is left is of pile III; a tile of the box cannot be in the stack."""
    watcher, position = case_end("PZ-K07")
    assert watcher.possible(position) is None
    stack = list(position["stack"])
    stack[0] = "12s"
    assert "piles" in str(watcher.possible({**position, "stack": stack}))


def test_a_deck_of_other_cards_is_refused_after_a_shuffle() -> None:
    """PZ-K05, PZ-M10."""
    watcher, position = case_end("PZ-K05")
    deck = list(position["deck"])
    deck[deck.index("2")] = "A3"
    assert "deck" in str(watcher.possible({**position, "deck": deck}))


@pytest.mark.parametrize(
    "movement",
    [
        {"from": "hand 1", "to": "discards", "cards": ["C6", "C6", "C6"]},  # the viewer holds one of the three
        {"from": "deck", "to": "face up", "cards": 1},
        {"from": "discards", "to": "deck", "cards": 3, "shuffled": True},
        {"from": "stack", "to": "depot", "cards": ["11b"]},
        {"from": "hand 0", "to": "table 0", "cards": ["B7"]},
    ],
)
def test_an_entry_that_cannot_be_is_a_contradiction(movement: Json) -> None:
    watcher = watched(entries_of(CASES["PZ-K01"], 0)[:1])
    with pytest.raises(Contradiction):
        watcher.see({"seat": 1, "move": "money", "seen": [movement]})


def test_next_entries_of_the_stack_come_pile_by_pile() -> None:
    """PZ-M13: with 21 entries left the next one is of pile II, the one after it of pile III."""
    case = CASES["PZ-K07"]
    entries = entries_of(case, 0)[:1]
    tiles = counting.next_tiles(entries, 3)
    assert sum(tiles.values()) == 1
    assert {drawn[0] for drawn in tiles} == {"31b", "12s"}
    assert all(drawn[2] in counted(watched(entries).knowledge()["piles"]["III"]) for drawn in tiles)
    assert counting.next_tiles(entries, 1) == {("31b",): Fraction(1, 2), ("12s",): Fraction(1, 2)}


def test_next_cards_before_and_after_a_shuffle() -> None:
    """PZ-M02, PZ-M10: before a shuffle the deck is one of the places of the unseen cards."""
    entries = entries_of(CASES["PZ-K01"], 0)
    cards = counting.next_cards(entries, 1)
    assert sum(cards.values()) == 1
    believed = counting.joint_hands(entries)
    certificates = sum(chance * (9 - hands[1].count("2") + 1) for hands, chance in believed.items())
    assert cards[("2",)] == certificates / 47
    after = counting.next_cards(entries_of(CASES["PZ-K05"], 1), 2)
    assert sum(after.values()) == 1
    size = sum(CASES["PZ-K05"]["expect"]["deck"].values())
    assert after["A6", "A6"] == Fraction(2 * 1, size * (size - 1))
