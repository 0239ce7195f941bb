"""The memory cases of RULES 7.2 through the watcher alone, their chances counted, and games watched by every seat."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from tests.games.newyork.watching import counting, retelling
from tests.games.newyork.watching.watcher import SCORING, Contradiction, Watcher, first_places, money
from tests.games.replays import playings
from tests.support.rule_cases import Core, Json, rules_text

GAME = "new_york"


def memory_cases() -> dict[str, Json]:
    """The blocks of the kind `memory`, by case."""
    blocks = re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL)
    return {case["case"]: case for case in map(json.loads, blocks)}


CASES = memory_cases()


def begun(case: Json) -> Core:
    return Core.at(GAME, case["state"]) if "state" in case else Core.start(GAME, case["players"], case["setup"])


def entries_of(case: Json, viewer: int) -> list[Json]:
    """The history of a memory case as one seat sees it."""
    core, orders = begun(case), list(case.get("shuffles", []))
    position = core.position()
    if "state" in case:
        position["scoring_places"] = case["state"].get("scoring_places", {})
        entries = [retelling.position_entry(position, viewer)]
    else:
        entries = [retelling.setup_entry(position, viewer)]
    for move in case["moves"]:
        events = [{**event, "order": orders.pop(0)} for event in core.copy().play(move)]
        before = core.position()
        core.play(move, events)
        entries.append(retelling.move_entry(before, move, core.position(), events))
    assert not orders
    return entries


def watched(entries: list[Json]) -> Watcher:
    watcher = Watcher(entries[0])
    for entry in entries[1:]:
        watcher.see(entry)
    return watcher


@pytest.mark.parametrize("name", CASES)
def test_a_memory_case_is_known_to_every_seat(name: str) -> None:
    case = CASES[name]
    players = begun(case).players
    for viewer in range(players):
        watcher = watched(entries_of(case, viewer))
        found = watcher.knowledge()
        found |= {"hands": list(found["hands"].values()), "depot": watcher.depot, "market": watcher.market}
        wanted = dict(case["expect"])
        wanted.pop("chances", None)
        wanted["market"] = sorted(wanted["market"])
        assert found == {**found, **wanted}
        assert json.loads(json.dumps(watcher.knowledge())) == watcher.knowledge()


def _top(asked: Json, entries: list[Json]) -> Fraction:
    """The chance of one entry of `chances`."""
    if "place" in asked:
        ((card, place),) = asked["place"].items()
        places = counting.scoring_places(entries)
        return sum((chance for pair, chance in places.items() if pair[SCORING.index(card)] == place), Fraction(0))
    if "bag" in asked:
        return counting.next_tiles(entries, len(asked["bag"]))[tuple(asked["bag"])]
    return counting.next_cards(entries, len(asked["deck"])).get(tuple(asked["deck"]), Fraction(0))


@pytest.mark.parametrize("name", CASES)
def test_the_chances_of_a_memory_case_are_those_of_all_its_deals(name: str) -> None:
    entries = entries_of(CASES[name], 0)
    for asked in CASES[name]["expect"]["chances"]:
        assert _top(asked, entries) == Fraction(asked["chance"]), asked


def test_counted_chances_are_whole() -> None:
    for case in CASES.values():
        entries = entries_of(case, 1)
        assert sum(counting.scoring_places(entries).values()) == 1
        assert sum(counting.next_cards(entries, 1).values()) == 1
        assert sum(counting.next_tiles(entries, 2).values()) == 1


def test_a_small_deck_order_by_order() -> None:
    """NY-M17: every order of the deck of NY-K04 with SA on top and SB at place 3 or 4 has the same chance."""
    decks = counting.next_cards(entries_of(CASES["NY-K04"], 0), 6)
    assert sum(decks.values()) == 1
    assert {deck.index("SB") for deck in decks} == {3, 4}
    assert set(decks.values()) == {Fraction(1, 24)}  # 2 places x 12 orders of B1 B1 G2 R5


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("players", [2, 3, 6])
def test_books_kept_from_the_moves_agree_with_the_true_position(players: int) -> None:
    """NY-M04 to NY-M14: what the watchers know is true, and hands and sets are known wholly."""
    watchers: list[Watcher] = []
    for before, move, after, events in playings(GAME, players, 7 + players):
        watchers = watchers or [Watcher(retelling.setup_entry(before, seat)) for seat in range(players)]
        entry = retelling.move_entry(before, move, after, events)
        for watcher in watchers:
            watcher.see(entry)
            assert watcher.possible(after) is None
        known = watchers[0].knowledge()
        assert known["hands"] == {str(seat): sorted(hand) for seat, hand in enumerate(after["hands"])}
        assert known["deck"] == sorted(card for card in after["deck"] if card not in SCORING)
        assert known["bag"] == sorted(after["bag"])
        assert all(watcher.knowledge() == known for watcher in watchers)


def dealt(players: int = 2, seed: int = 3) -> tuple[Json, Json]:
    position = Core.deal(GAME, players, seed).position()
    return position, retelling.setup_entry(position, 0)


def test_a_deal_that_cannot_be_is_told_with_its_reason() -> None:
    position, first = dealt()
    watcher = Watcher(first)
    assert watcher.possible(position) is None
    deck = [card for card in position["deck"] if card not in SCORING]
    early = {**position, "deck": ["SA", *deck, "SB"]}
    assert "SA at place 0" in str(watcher.possible(early))
    hands = [list(hand) for hand in position["hands"]]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    assert str(watcher.possible({**position, "hands": hands})).startswith("hands") or hands[0][0] == hands[1][0]
    fewer = {**position, "bag": position["bag"][1:]}
    assert str(watcher.possible(fewer)).startswith("bag")
    other = {**position, "deck": [*position["deck"][:-1], "B1" if position["deck"][-1] != "B1" else "B2"]}
    assert str(watcher.possible(other)).startswith("deck")


@pytest.mark.parametrize(
    "movement",
    [
        {"from": "deck", "to": "box", "cards": ["SA"]},
        {"from": "deck", "to": "market", "cards": ["S9"]},
        {"from": "deck", "to": "hand 0", "cards": 1},
        {"from": "discards", "to": "deck", "cards": 0, "shuffled": True},
        {"from": "bag", "to": "depot", "cards": [55]},
    ],
)
def test_an_entry_that_cannot_be_is_a_contradiction(movement: Json) -> None:
    _, first = dealt()
    with pytest.raises(Contradiction):
        Watcher(first).see({"seat": 0, "move": "take", "seen": [movement]})


def test_setup_ranges_of_every_deck_lie_within_it() -> None:
    """Section 2, step 7; NY-M08: SA and SB have a pile between them, and more places than the pile has cards."""
    for players in (2, 4):
        whole = len(money(players))
        for left in range(10, whole):
            (first_a, last_a), (first_b, last_b) = first_places(left).values()
            sizes = [left // 5 + (pile < left % 5) for pile in range(5)]
            assert (first_a, last_a - first_a) == (sizes[0], sizes[1])
            assert (first_b - last_a - 1, last_b - first_b) == (sizes[2], sizes[3])
            assert left + 1 - last_b == sizes[4]
