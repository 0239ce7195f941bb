"""What is seen of a move: books kept from movements alone are the position, in every game and for every seat."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from skyline.game import TABLE
from tests.games.newyork.cases import PLAYERS, at, forgetful
from tests.games.newyork.views import NEW_YORK, core_of, playing
from tests.support.rule_cases import Core, Json, sized


class Books:
    """What lies in every place, from movements alone."""

    def __init__(self, movements: list[Json]) -> None:
        self.places: dict[str, Counter[Any]] = {}
        self.add(movements)

    def add(self, movements: list[Json]) -> None:
        for movement in movements:
            cards = Counter(movement["cards"])
            if movement["from"] != "box":
                assert cards <= self.places[movement["from"]], movement
                self.places[movement["from"]] -= cards
            self.places.setdefault(movement["to"], Counter()).update(cards)

    def at(self, place: str) -> list[Any]:
        return sorted(self.places.get(place, Counter()).elements())


def check_books(books: Books, position: Json) -> None:
    """The books and a position say the same."""
    for p in range(position["players"]):
        assert books.at(f"hand {p}") == sorted(position["hands"][p])
        assert books.at(f"reserve {p}") == sorted(position["reserves"][p])
        assert books.at(f"city {p}") == sorted(tile for *_, tile in position["cities"][p])
        waiting = position["bought"] if p == position["seat"] else (position["received"] or [[]] * 6)[p]
        assert books.at(f"bought {p}") == sorted(waiting)
    for i in range(4):
        assert books.at(f"market {i}") == [card for card in [position["market"][i]] if card]
        assert books.at(f"depot {i}") == [tile for tile in [position["depot"][i]] if tile]
    for place, field in (("deck", "deck"), ("discards", "discard"), ("bag", "bag"), ("dirk", "dirk")):
        assert books.at(place) == sorted(position[field]), place


@pytest.mark.parametrize("players", PLAYERS)
def test_books_kept_from_movements_are_the_position(players: int) -> None:
    """To the end of the game; other seats and the spectator see as many cards, the same ones, memory or not."""
    for seed in range(sized(3, 1)):
        states, actions = playing(players, 100 * players + seed, guided=seed % 2 == 1)
        game = [core_of(state) for state in states]
        books = Books(seen(None, -1, game[0], 0))
        check_books(books, game[0].position())
        for (before, after), action in zip(pairwise(game), actions, strict=True):
            movements = seen(before, action, after, players - 1)
            books.add(movements)
            check_books(books, after.position())
            assert seen(before, action, forgetful(after.copy()), players - 1) == movements
            _check_spectator(movements, seen(before, action, after, None))


def seen(before: Core | None, action: int, after: Core, seat: int | None) -> list[Json]:
    """The movements, which are JSON."""
    movements = NEW_YORK.seen(None if before is None else before.states[0], action, after.states[0], seat)
    assert json.loads(json.dumps(movements)) == movements
    return movements


def _check_spectator(movements: list[Json], shown: list[Json]) -> None:
    """The spectator sees the same cards, and of a reshuffle the order."""
    assert [(m["from"], m["to"], sorted(map(str, m["cards"]))) for m in movements] == [
        (m["from"], m["to"], sorted(map(str, m["cards"]))) for m in shown
    ]
    assert not any(m.get("shuffled") for m in shown)
    assert all(m.get("shuffled", False) == ((m["from"], m["to"]) == ("discards", "deck")) for m in movements)


def test_the_beginning_tells_sets_and_ranges() -> None:
    """The deck and the bag as sets, SA and SB by their first and last place, who begins."""
    core = Core.deal("new_york", 3, 4)
    position, movements = core.position(), seen(None, -1, core, 1)
    deck = [m for m in movements if m["to"] == "deck"]
    assert deck[0] == {"from": "box", "to": "deck", "cards": sorted(c for c in position["deck"] if c[0] != "S"),
                       "shuffled": True}  # fmt: skip
    assert deck[1:] == [
        {"from": "box", "to": "deck", "cards": [name], "places": position["scoring_places"][name]}
        for name in ("SA", "SB")
    ]
    assert movements[-1] == {"from": "box", "to": "marker", "cards": [str(core.seat)]}
    assert seen(None, -1, forgetful(core.copy()), 1) == movements
    everything = seen(None, -1, core, None)
    assert [m["cards"] for m in everything if m["to"] in ("deck", "bag")] == [position["bag"], position["deck"]]


def test_a_refill_in_its_order() -> None:
    """Scoring cards and Dirk's tiles before the depot; a reshuffle between the last card and the next one."""
    core = at(2, hands=[["B9"], []], market=["Y1", None, None, None], deck=["SA", "R1"], discard=["R3", "R2"],
              bag=[40, 41, 42, 43, 44, 45, 46, 47], depot=[7, 14, 22, 31])  # fmt: skip
    core.play_all(["buy 0", "pay 9", "place 7"])
    before = core.copy()
    core.play("dirk", [{"deck": "money", "order": ["R3", "B9", "R2"]}])
    assert seen(before, 524, core, 0) == [
        {"from": "bought 0", "to": "dirk", "cards": [7]},
        {"from": "deck", "to": "box", "cards": ["SA"]},
        {"from": "bag", "to": "dirk", "cards": [40, 41, 42, 43, 44, 45]},
        {"from": "deck", "to": "market 1", "cards": ["R1"]},
        {"from": "discards", "to": "deck", "cards": ["B9", "R2", "R3"], "shuffled": True},
        {"from": "deck", "to": "market 2", "cards": ["R3"]},
        {"from": "deck", "to": "market 3", "cards": ["B9"]},
        {"from": "bag", "to": "depot 0", "cards": [46]},
    ]


def test_the_moves_of_tiles_and_the_leftovers() -> None:
    """A swap, a removal, a payment, and the tiles that seats receive at the end."""
    core = at(cities=[[[1, 0, 20]], [], []], reserves=[[54], [], []], depot=[None] * 4)
    core.play("use 54")
    before = core.copy()
    core.play("at 1 0")
    assert seen(before, before.actions()[before.texts().index("at 1 0")], core, 2)[:2] == [
        {"from": "city 0", "to": "reserve 0", "cards": [20]},
        {"from": "reserve 0", "to": "city 0", "cards": [54]},
    ]
    core = at(3, max_turns=1, depot=[7, 14, None, None], bag=[40], hands=[["G1"], ["B1"], []])
    before = core.copy()
    core.play("take Y9")
    assert seen(before, before.actions()[before.texts().index("take Y9")], core, None) == [
        {"from": "market 2", "to": "hand 0", "cards": ["Y9"]},
        {"from": "deck", "to": "market 2", "cards": ["B8"]},
        {"from": "bag", "to": "depot 2", "cards": [40]},
        {"from": "depot 0", "to": "bought 1", "cards": [7]},
        {"from": "depot 1", "to": "bought 0", "cards": [14]},
        {"from": "depot 2", "to": "bought 0", "cards": [40]},
    ]
    assert int(before.states["memory"][0]) != TABLE
