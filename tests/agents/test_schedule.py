"""Who meets whom in a tournament: line-ups, seat rotations, deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from skyline_agents.database.store import Event
from skyline_agents.tournament.schedule import Schedule, orders
from skyline_agents.tournament.settings import event
from tests.support.playing import FEW, GAME, MANY


def plan(agents: int, players: int, deals: int, form: str = "round-robin", seed: int = 1) -> Schedule:
    roster = [f"agent {k}" for k in range(agents)]
    return Schedule(Event(0, "any", 0, players, {}, roster, form, seed, deals))


def all_seats(of: Schedule) -> Any:
    return of.seats(of.keys(np.arange(of.entries)))


@pytest.mark.parametrize(
    ("agents", "players"), [(1, 2), (2, 2), (5, 2), (3, 3), (5, 3), (2, 4), (3, 4), (6, 4), (2, 6), (7, 6)]
)
def test_a_round_robin_seats_everybody_everywhere_as_often(agents: int, players: int) -> None:
    of = plan(agents, players, deals=2)
    seats = all_seats(of)
    assert len(seats) == of.games
    counts = [np.bincount(seats[:, seat], minlength=agents).tolist() for seat in range(players)]
    assert all(count == counts[0] for count in counts)
    assert len(set(counts[0])) == 1
    line_ups = {tuple(sorted(row)) for row in seats.tolist()}
    seen = Counter(agent for line_up in line_ups for agent in line_up)
    assert len(set(seen.values())) == 1
    assert all(max(Counter(row).values()) - min(Counter(row).get(k, 0) for k in range(agents)) <= 1 for row in line_ups)


def test_all_line_ups_play_the_same_deals_and_each_seating_once() -> None:
    of = plan(4, 3, deals=5)
    keys = of.keys(np.arange(of.entries))
    assert of.line_ups_of_deal == 4
    seatings = list(zip(keys.deals.tolist(), map(tuple, of.seats(keys).tolist()), strict=True))
    assert len(set(seatings)) == len(seatings) == of.games == 5 * 4 * 3
    assert of.seeds(keys).tolist() == [1 + deal for deal in keys.deals]
    for deal in range(5):
        assert len({tuple(sorted(seats)) for number, seats in seatings if number == deal}) == 4


def test_the_order_round_the_table_changes_from_deal_to_deal() -> None:
    assert orders((0, 1, 2, 3)) == [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 3, 2, 1)]
    assert orders((0, 0, 1, 1)) == [(0, 0, 1, 1), (0, 1, 0, 1)]
    of = plan(4, 4, deals=6)
    assert {tuple(row) for row in of.line_ups.tolist()} == set(orders((0, 1, 2, 3)))
    assert plan(2, 4, deals=2).rotations.tolist() == [4, 2]
    assert plan(1, 4, deals=2).rotations.tolist() == [1, 1]


@pytest.mark.parametrize(("agents", "players"), [(3, 2), (7, 4), (12, 6), (4, 4), (2, 3)])
def test_mixed_tables_are_drawn_and_everybody_plays_as_often_up_to_one_deal(agents: int, players: int) -> None:
    of = plan(agents, players, deals=50, form="mixed")
    assert of.line_ups.shape == (50, players)
    for end in range(1, 51):
        counts = np.bincount(of.line_ups[:end].ravel(), minlength=agents)
        assert counts.max() - counts.min() <= 1
    if agents >= players:
        assert all(len(set(row)) == players for row in of.line_ups.tolist())
    assert len({tuple(row) for row in of.line_ups.tolist()}) > 2
    other = plan(agents, players, deals=50, form="mixed", seed=2)
    assert (other.line_ups != of.line_ups).any()


@pytest.mark.parametrize("form", ["round-robin", "mixed"])
def test_a_longer_plan_begins_like_a_shorter_one(form: str) -> None:
    short, long = plan(5, 3, 4, form), plan(5, 3, 9, form)
    np.testing.assert_array_equal(long.line_ups[: short.entries], short.line_ups)


@pytest.mark.parametrize("form", ["round-robin", "mixed"])
@pytest.mark.parametrize("games", [FEW * FEW, FEW * FEW + 1, 50])
def test_a_number_of_games_is_rounded_up_to_whole_deals(games: int, form: str) -> None:
    made = event(GAME, ["random", "heuristic"], MANY, games=max(games, 3 * MANY), form=form)
    shorter = Schedule(replace(made, deals=made.deals - 1))
    assert shorter.games < max(games, 3 * MANY) <= made.planned == Schedule(made).games


def test_fewer_games_than_one_deal_are_refused() -> None:
    with pytest.raises(ValueError, match=f"1 games are too few: one deal of {GAME} with {FEW} players and 2 agents "):
        event(GAME, ["random", "heuristic"], FEW, games=1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"players": 99}, "players, not 99"),
        ({"agents": ["random", "random"]}, "agents, each once"),
        ({"agents": []}, "agents, each once, not none"),
        ({"agents": ["randon"]}, "did you mean 'random'"),
        ({"deals": None}, "either a number of games or a number of deals"),
        ({"games": 5}, "either a number of games or a number of deals"),
        ({"deals": 0}, "deals is at least 1, not 0"),
        ({"form": "swiss"}, "the format is one of 'round-robin', 'mixed', not 'swiss'"),
        ({"seed": 2**64 - 1, "deals": 2}, "outside 0"),
        ({"options": {"no such": 1}}, "no option"),
    ],
)
def test_wrong_events_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        event(**{"game": GAME, "agents": ["random"], "players": FEW, "deals": 1, **settings})
