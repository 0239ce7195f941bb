"""The observation against its plain twin, and all caches of a state against their recomputation, move for move."""

from __future__ import annotations

import numpy as np
import pytest

from palazzo_env.caches import CACHES
from skyline.game import RECALL, TABLE, BrokenState
from skyline.record import state_of
from skyline.rng import streams
from tests.games.palazzo.cases import GAME, PLAYERS, at, hands
from tests.games.palazzo.plain_observe import plain_observation
from tests.games.palazzo.views import PALAZZO, played, with_memory
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import copy_of, heuristic_actions, observed

ONE_CARD, RICH = hands("2", "", ""), hands("2 2 2 2 2 2 2 2 2", "", "")
OPTIONS: tuple[Json, ...] = ({}, {"quiet_limit": 6, "knight_first": "depot"})


def check_views(core: Core) -> None:
    """The caches, and the observation of every seat."""
    core.check()
    for seat in range(core.players):
        wanted, found = plain_observation(core.states[0], seat), observed(core, seat, "base")
        for name, part in PALAZZO.observation(core.players).offsets().items():
            assert found[part].tolist() == wanted[part].tolist(), (name, seat, core.position())


def check_game(players: int, seed: int, heuristic: bool, moves: int, options: Json, memory: int = RECALL) -> None:
    """A game after every move; deals and loaded positions after some."""
    core = with_memory(Core.deal(GAME, players, seed, options), memory)
    stream, rng = streams(1, seed), np.random.default_rng(seed)
    for number in range(moves):
        if core.seat is None:
            break
        by_chance = not heuristic or number % 3 == 0
        core.step(int(rng.choice(core.actions())) if by_chance else heuristic_actions(PALAZZO, core.states, stream)[0])
        check_views(core)
        if number % 16 == 0 and core.seat is not None:
            check_views(copy_of(core, number // 16 % players, seed))
            check_loaded(core, options)


def check_loaded(core: Core, options: Json) -> None:
    """The position loaded from its data has the same caches and looks the same."""
    loaded = Core(PALAZZO, state_of(PALAZZO, core.position(), options=options))
    check_views(loaded)
    for name in CACHES:
        assert loaded.states[name].tolist() == core.states[name].tolist(), name


@pytest.mark.parametrize("heuristic", [False, True])
@pytest.mark.parametrize("players", PLAYERS)
def test_observations_are_those_of_the_plain_twin(players: int, heuristic: bool) -> None:
    check_game(players, 3, heuristic, sized(150, 20), OPTIONS[0])


def test_observations_of_the_table_are_those_of_the_plain_twin() -> None:
    check_game(3, 4, False, sized(100, 20), OPTIONS[1], TABLE)


@pytest.mark.ci
@pytest.mark.parametrize("memory", [RECALL, TABLE])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", PLAYERS)
def test_observations_of_whole_games(players: int, options: Json, memory: int) -> None:
    for heuristic in (False, True):
        check_game(players, 5 + heuristic, heuristic, sized(1000, 20), options, memory)


def test_scaled_observations_are_the_same_numbers() -> None:
    core = played(4, 7, 250)
    scales = PALAZZO.observation(4).per_value("scale").astype(np.float32)
    for seat in range(4):
        wanted = plain_observation(core.states[0], seat).astype(np.float32) / scales
        assert np.array_equal(observed(core, seat, "base", scales), wanted)


@pytest.mark.parametrize("viewer", [0, 1, 2])
@pytest.mark.parametrize(
    "places",
    [
        {"depot": ["31b"], "palaces": [[], ["11b/31b", "41m"], []]},
        {"quarries": [["31b", "31m"], [], ["31b"], []], "palaces": [["31m"], [], []]},
        {"palaces": [["31b", "41s"], ["11b", "12m/31b"], ["31m", "31s"]]},
        {"palaces": [["11m", "31m", "31s"], ["12b", "21b/31s"], ["11b", "22s", "31m"]]},
        {"palaces": [["31b", "31b", "31s"], ["11b/31m", "12s/31m/41b"], ["11s", "31s/43b"]]},
        {"decision": "BUILD", "to_build": ["31b", "31b"], "palaces": [["31m"], [], ["31m"]]},
        {"decision": "BUILD", "to_build": ["31b"], "palaces": [["31m"], ["31b"], ["31m"]]},
        {"decision": "BUY", "chosen": ["31b"], "depot": ["31b"], "palaces": [["31b"], [], []], "hands": RICH},
        {"decision": "BUY", "chosen": ["31b"], "depot": ["31b", "31b"], "hands": RICH},
        {
            "decision": "FEE",
            "change": "split 12b/31b 31b",
            "palaces": [["12b/31b", "31b"], [], []],
            "hands": [{"2": 1}, {}, {}],
        },
        {
            "decision": "FEE",
            "change": "remove 31b",
            "palaces": [["12b/31b", "31b"], [], []],
            "hands": [{"2": 1}, {}, {}],
        },
        {"decision": "FEE", "change": "remove 31b", "palaces": [["31b"], [], ["11b/31b"]], "hands": ONE_CARD},
    ],
)
def test_equal_tiles_have_rows_in_the_order_of_the_viewer(places: Json, viewer: int) -> None:
    """Both tiles of a kind in one place, in places of different seats, and pending."""
    turned: Json = dict(places)
    if "decision" not in places:
        turned["active"] = turned["player"] = viewer
    check_views(at(3, **turned))


@pytest.mark.parametrize("name", CACHES)
def test_a_broken_cache_is_found(name: str) -> None:
    core = played(3, 24, 200)
    core.states[name][0, ..., 0] += 1
    with pytest.raises(BrokenState):
        core.check()
