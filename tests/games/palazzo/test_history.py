"""History: the movements that a seat sees are enough to keep perfect books, and tell nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from skyline.game import TABLE
from tests.games.palazzo.cases import ALL_CARDS, GAME, PLAYERS, at, hands
from tests.games.palazzo.test_hidden import open_tiles
from tests.games.palazzo.views import PALAZZO, played, with_memory
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import copy_of


class Books:
    """What lies where by the movements alone; `?` for a card of which only the number was seen."""

    def __init__(self, movements: list[Json]) -> None:
        self.places: dict[str, Counter[str]] = {}
        self.add(movements)

    def place(self, name: str) -> Counter[str]:
        return self.places.setdefault(name, Counter())

    def add(self, movements: list[Json]) -> None:
        for move in movements:
            cards = Counter({"?": move["cards"]}) if isinstance(move["cards"], int) else Counter(move["cards"])
            start, end = self.place(move["from"]), self.place(move["to"])
            if move["from"] != "box":
                for card, n in cards.items():
                    hidden = max(0, n - start[card])  # a card that lay there unseen
                    start[card] -= n - hidden
                    start["?"] -= hidden
                    assert start["?"] >= 0, (move, start)
            end.update(cards)


def check_books(books: Books, core: Core, seat: int | None) -> None:
    """All open places, the sizes of the hidden ones, and what is sure of the other hands."""
    position, place = core.position(), books.place
    assert +place("depot") == Counter(position["depot"])
    for i, tiles in enumerate(position["quarries"]):
        assert +place(f"quarry {i}") == Counter(tiles)
    assert +place("discards") == Counter(position["discard"])
    assert +place("face up") == Counter(position["face_up"])
    assert place("deck").total() == len(position["deck"])
    assert place("stack").total() == len(position["stack"])
    assert +place("stack") == Counter(position["stack"])
    if seat is None or position["memory"]["shuffled"]:
        assert +place("deck") == Counter(position["deck"])
    assert place("knights")["K"] == position["knights"]
    for p in range(core.players):
        hand = +place(f"hand {p}")
        assert +place(f"table {p}") == Counter(position["table"][p])
        tiles = Counter(tile for palace in position["palaces"][p] for tile in palace.split("/"))
        assert +place(f"palace {p}") == tiles
        if seat in (None, p):
            assert hand == Counter(position["hands"][p])
        else:
            del hand["?"]
            assert hand == Counter(position["memory"]["known"][p])
            assert place(f"hand {p}")["?"] == core.states["memory_starting"][0, p]
    lot = Counter(position["to_build"])
    assert sum((+place(f"lot {p}") for p in range(core.players)), Counter()) == lot
    assert not open_tiles(position) - sum(books.places.values(), Counter())


def plain(value: Any) -> bool:
    """JSON types only."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    return all(map(plain, value)) if type(value) is list else type(value) in (str, int, bool)


@pytest.mark.ci
@pytest.mark.parametrize("players", PLAYERS)
def test_history_keeps_perfect_books(players: int) -> None:
    """From the beginning of a game, and from any position in it."""
    for seed in range(sized(6, 2)):
        core, rng = Core.deal(GAME, players, seed), np.random.default_rng(seed)
        seats = (None, *range(players))
        books = {seat: Books(PALAZZO.seen(None, -1, core.states[0], seat)) for seat in seats}
        for number in range(400):
            if core.seat is None:
                break
            before, action = core.states.copy(), int(rng.choice(core.actions()))
            core.step(action)
            for seat in seats:
                seen = PALAZZO.seen(before[0], action, core.states[0], seat)
                assert plain(seen)
                books[seat].add(seen)
                check_books(books[seat], core, seat)
                if number % 50 == 0:
                    check_books(Books(PALAZZO.seen(None, -1, core.states[0], seat)), core, seat)


@pytest.mark.parametrize("players", PLAYERS)
def test_history_tells_nothing_that_is_hidden(players: int) -> None:
    """Copies that a seat cannot tell from the state give it the same beginning; the setting makes no difference."""
    for seed in range(sized(10, 3)):
        core = played(players, seed, 45 * seed)
        for seat in range(players):
            told = PALAZZO.seen(None, -1, core.states[0], seat)
            assert told == PALAZZO.seen(None, -1, copy_of(core, seat, seed).states[0], seat)
            assert told == PALAZZO.seen(None, -1, with_memory(core, TABLE).states[0], seat)


def test_history_of_a_shuffle() -> None:
    """What is left of the old deck, the discards as a set, the first cards of the new deck."""
    held = Counter(ALL_CARDS) - Counter(["C7", "A3", "B4", "C5"])
    core = at(2, deck=["C7"], discard={"A3": 1, "B4": 1, "C5": 1}, hands=[dict(held), {}])
    before = core.states.copy()
    core.play("money", [{"deck": "money", "order": ["C5", "A3", "B4"]}])
    action = PALAZZO.parse_move(before[0], "money")
    for seat, order in ((None, {"cards": ["C5", "A3", "B4"]}), (1, {"cards": ["A3", "B4", "C5"], "shuffled": True})):
        assert PALAZZO.seen(before[0], action, core.states[0], seat) == [
            {"from": "deck", "to": "face up", "cards": ["C7"]},
            {"from": "discards", "to": "deck", **order},
            {"from": "deck", "to": "face up", "cards": ["C5", "A3"]},
        ]


def test_history_of_a_draw_and_of_an_auction() -> None:
    """Knights, tiles, cards laid, taken back and paid, in the order in which they moved."""
    core = at(2, ["K", "13m"], builder=2, hands=hands("A7", "B5 B4"))
    told = []
    for move in ("draw", "auction", "add B5", "bid", "add A7", "bid", "pass"):
        before, action = core.states.copy(), PALAZZO.parse_move(core.states[0], move)
        core.play(move)
        told += PALAZZO.seen(before[0], action, core.states[0], 0)
    assert told == [
        {"from": "stack", "to": "knights", "cards": ["K"]},
        {"from": "stack", "to": "quarry 1", "cards": ["13m"]},
        {"from": "hand 1", "to": "table 1", "cards": ["B5"]},
        {"from": "hand 0", "to": "table 0", "cards": ["A7"]},
        {"from": "table 1", "to": "hand 1", "cards": ["B5"]},
        {"from": "table 0", "to": "discards", "cards": ["A7"]},
        {"from": "quarry 1", "to": "lot 0", "cards": ["13m"]},
    ]
