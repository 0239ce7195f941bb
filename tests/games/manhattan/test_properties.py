"""Properties of moves and observations over random positions, as far as they are this game's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.games.manhattan.cases import TURNS
from tests.games.manhattan.oracle import Oracle
from tests.games.manhattan.oracle_board import COLOURS as COLOURS_OF_SEATS
from tests.games.manhattan.oracle_board import (
    HEIGHTS,
    majority_owner,
    may_put,
    round_points,
    tallest_owner,
    tower_height,
    towers_of,
)
from tests.games.manhattan.views import MANHATTAN, colour_of, own_colours, positions, public_part, reduced
from tests.support.rule_cases import Core, quick
from tests.support.seeing import decoded

# ---------------------------------------------------------------- moves


@quick
@given(positions(over=True))
def test_every_action_has_one_text_and_comes_back_from_it(core: Core) -> None:
    """Legal here or not: text and action are each other's inverse, in every position."""
    s, size = core.states[0], MANHATTAN.actions(core.players).size
    texts = [MANHATTAN.move_text(s, action) for action in range(size)]
    assert len(set(texts)) == size
    assert [MANHATTAN.parse_move(s, text) for text in texts] == list(range(size))


# ---------------------------------------------------------------- observations


@quick
@given(positions(over=True))
def test_the_observation_says_all_that_is_public(core: Core) -> None:
    """Decoded for every viewer it is the oracle's public view, and nothing of it is missing."""
    oracle = Oracle.at(core.position())
    for viewer in range(core.players):
        assert public_part(decoded(core, viewer), core.players) == reduced(oracle.public(viewer))


@quick
@given(positions())
def test_the_mask_follows_from_the_deciders_observation(core: Core) -> None:
    """Equal observations of the decider are equal masks: the mask is built here from the observation alone."""
    seat = core.seat
    assert seat is not None
    public = public_part(decoded(core, seat, "base"), core.players)
    assert sorted(_legal(public)) == core.legal()


def _legal(public: dict) -> list[tuple[int, str]]:
    """The legal moves of section 6 for what the decider sees: the oracle with one piece for all floors of a colour."""
    towers = []
    for (city, square), (owner, floors) in public["towers"].items():
        pieces = [[colour, height] for colour, height in enumerate(floors) if height and colour != owner]
        towers.append([city, square, [*pieces, [owner, floors[owner]]]])
    fields = ("players", "round", "marker", "phase", "picked", "turn", "stock", "chosen", "scores")
    hands = [public["hand"] if seat == public["seat"] else [] for seat in range(public["players"])]
    position = {field: public[field] for field in fields if field in public}
    return Oracle.at({**position, "hands": hands, "towers": towers}).legal()


@quick
@given(positions(over=True))
def test_derived_slices_are_what_the_oracle_computes(core: Core) -> None:
    """Clock, margin, need, towers and majorities by city, tallest towers, points of the round."""
    position, players = core.position(), core.players
    towers = towers_of(position["towers"])
    for viewer in range(players):
        values = decoded(core, viewer)
        for index in range(len(values["city_towers"])):
            colour = colour_of(players, viewer, index)
            own = {site: tower for site, tower in towers.items() if tower[-1][0] == colour}
            assert values["city_towers"][index].tolist() == [sum(s[0] == city for s in own) for city in range(6)]
            assert values["city_won"][index].tolist() == [majority_owner(towers, city) == colour for city in range(6)]
            assert values["tallest"][index] == (tallest_owner(towers) == colour)
            assert values["colour_tallest"][index] == max(map(tower_height, own.values()), default=0)
            assert values["round_now"][index] == round_points(towers, players)[colour]
        assert values["tallest_height"][0] == max(map(tower_height, towers.values()), default=0)
        for index in range(own_colours(players)):
            need = values["need"][index]
            colour = colour_of(players, viewer, index)
            for (city, square), least in np.ndenumerate(need):
                fitting = [h for h in HEIGHTS if may_put(towers.get((city, square), []), colour, h)]
                assert least == min(fitting, default=5)
        others = [score for seat, score in enumerate(position["scores"]) if seat != viewer]
        assert values["margin"][0] == position["scores"][viewer] - max(others)
        assert values["own_turns_left"][0] == _own_turns_left(position, viewer)


def _own_turns_left(position: dict, viewer: int) -> int:
    players, turns = position["players"], position["players"] * TURNS[position["players"]]
    if position["phase"] == "over":
        return 0
    first = position["turn"] if position["phase"] == "turn" else 0
    return sum((position["marker"] + turn) % players == viewer for turn in range(first, turns))


@quick
@given(positions())
def test_rich_slices_are_what_the_oracle_computes(core: Core) -> None:
    """`gain` of the lowest chosen piece that fits and `held` towers, tried out on the oracle's towers."""
    position, players = core.position(), core.players
    towers = towers_of(position["towers"])
    for viewer in range(players):
        values = decoded(core, viewer)
        for (index, city, square), gain in np.ndenumerate(values["gain"]):
            colour, tower = colour_of(players, viewer, index), towers.get((city, square), [])
            fitting = [h for h in position["chosen"][str(colour)] if may_put(tower, colour, h)]
            assert gain == (_gain(towers, players, (city, square), (colour, min(fitting))) if fitting else 0)
        for (city, square), held in np.ndenumerate(values["held"]):
            assert held == _is_held(position, towers.get((city, square)), viewer)


def _gain(towers: dict, players: int, site: tuple[int, int], piece: tuple[int, int]) -> int:
    """4 * change of (own points of the round - mean of the others')."""
    seat = next(p for p, own in enumerate(COLOURS_OF_SEATS[players]) if piece[0] in own)
    worth = []
    for board in (towers, {**towers, site: [*towers.get(site, []), piece]}):
        points = round_points(board, players)
        seats = [sum(points[colour] for colour in own) for own in COLOURS_OF_SEATS[players]]
        worth.append(seats[seat] - (sum(seats) - seats[seat]) / (players - 1))
    return round(4 * (worth[1] - worth[0]))


def _is_held(position: dict, tower: list | None, viewer: int) -> bool:
    """The viewer's tower, and no chosen piece of another colour may go onto it."""
    if not tower or tower[-1][0] not in COLOURS_OF_SEATS[position["players"]][viewer]:
        return False
    rivals = {int(colour): heights for colour, heights in position["chosen"].items() if int(colour) != tower[-1][0]}
    return not any(may_put(tower, colour, height) for colour, heights in rivals.items() for height in heights)


@pytest.mark.parametrize(("players", "base", "rich"), [(2, 725, 887), (3, 571, 679), (4, 734, 842)])
def test_how_long_the_observations_are(players: int, base: int, rich: int) -> None:
    """As the game's page says; that the slices fill them is in the contract."""
    table = MANHATTAN.observation(players)
    assert (table.size("base"), table.size("rich")) == (base, rich)
