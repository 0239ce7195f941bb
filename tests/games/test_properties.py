"""Properties that every game has, over random positions: moves and data come back, and nothing hidden shows.

Copies made by determinize are the states "that differ only in what the seat cannot see". What else holds of a game
is in tests/<game>/test_properties.py and test_hidden.py.
"""

from __future__ import annotations

import importlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skyline
from skyline import registry
from skyline.game import LastMove
from skyline.rng import streams
from tests.support.rule_cases import Core, folder_of, quick, sized
from tests.support.seeing import SEEDS, Views, copy_of, determinized, heuristic_actions, masks_of, observed

games = pytest.mark.parametrize("game", registry.names())


def views(game: str) -> Views:
    """What the game's own tests bring."""
    found: Views = importlib.import_module(f"tests.games.{folder_of(game)}.views").VIEWS
    return found


def position(game: str, data: st.DataObject, over: bool = False) -> Core:
    """A position of a random game."""
    return data.draw(views(game).positions(over=over))


# ---------------------------------------------------------------- moves and data


@games
@quick
@given(st.data())
def test_same_seed_and_moves_give_the_same_bytes(game: str, data: st.DataObject) -> None:
    """Two games side by side, byte for byte."""
    players, seed = data.draw(st.sampled_from(registry.load(game).player_counts)), data.draw(SEEDS)
    one, two = (views(game).deals(players, seed) for _ in range(2))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    for _ in range(sized(60, 30)):
        action = int(rng.choice(one.actions()))
        one.play_action(action)
        two.play_action(action)
    assert one.states.tobytes() == two.states.tobytes()
    assert one.mask.tobytes() == two.mask.tobytes()


@games
@quick
@given(st.data())
def test_a_position_comes_back_from_its_data(game: str, data: st.DataObject) -> None:
    """position -> JSON -> from_position -> position, with the same legal moves and observations of every seat."""
    core = position(game, data, over=True)
    again = Core.at(game, json.loads(json.dumps(core.position())), views(game).options(core))
    assert again.position() == core.position()
    assert again.legal() == core.legal()
    for seat in range(core.players):
        assert np.array_equal(observed(again, seat), observed(core, seat))


@games
@quick
@given(st.data())
def test_base_is_a_prefix_of_rich_and_the_float_view_is_scaled(game: str, data: st.DataObject) -> None:
    """float32 is raw / scale. (How long the vectors are is in the game's own tests.)"""
    core = position(game, data, over=True)
    scale = core.game.observation(core.players).per_value("scale", "rich").astype(np.float32)
    for seat in range(core.players):
        rich, base = observed(core, seat), observed(core, seat, "base")
        assert 0 < len(base) <= len(rich) == len(scale)
        assert np.array_equal(rich[: len(base)], base)
        assert np.allclose(observed(core, seat, scales=scale), rich / scale)


# ---------------------------------------------------------------- what a seat gets


@games
@quick
@given(st.data())
def test_hidden_things_do_not_change_the_observation(game: str, data: st.DataObject) -> None:
    """Base and rich, for every viewer."""
    core, stream, hidden = position(game, data, over=True), data.draw(SEEDS), views(game).hidden_parts
    for viewer in range(core.players):
        copy = copy_of(core, viewer, stream)
        if views(game).surely_new(core.position()):
            assert hidden(copy.position(), viewer) != hidden(core.position(), viewer)
        assert np.array_equal(observed(copy, viewer), observed(core, viewer))


@games
@quick
@given(st.data())
def test_hidden_things_do_not_change_the_deciders_moves(game: str, data: st.DataObject) -> None:
    """Equal observation of the decider, equal mask and equal texts."""
    core = position(game, data)
    assert core.seat is not None
    assert copy_of(core, core.seat, data.draw(SEEDS)).legal() == core.legal()


@games
@quick
@given(st.data())
def test_hidden_things_do_not_change_the_pictures(game: str, data: st.DataObject) -> None:
    """Text and SVG from a seat's view."""
    core, stream = position(game, data, over=True), data.draw(SEEDS)
    move = data.draw(st.sampled_from([None, *views(game).moves]))
    told = None if move is None else LastMove(0, 0, move, f"A plays {move}.")
    for viewer in range(core.players):
        copy = copy_of(core, viewer, stream)
        for picture in (core.game.text, core.game.svg):
            assert picture(copy.states[0], viewer, told) == picture(core.states[0], viewer, told)


@games
@quick
@given(st.data())
def test_the_heuristic_plays_the_same_on_determinised_copies(game: str, data: st.DataObject) -> None:
    """It reads what its seat sees and nothing else, and leaves the state as it is."""
    core, stream = position(game, data), data.draw(SEEDS)
    assert core.seat is not None
    rows = np.concatenate([core.states, determinized(core, core.seat, stream, copies=4)])
    before = rows.tobytes()
    moves = set(heuristic_actions(core.game, rows, np.repeat(streams(1, 7), len(rows))))
    assert len(moves) == 1
    assert moves <= set(core.actions())
    assert rows.tobytes() == before


# ---------------------------------------------------------------- what determinize keeps


@games
@quick
@given(st.data())
def test_determinize_moves_hidden_things_only(game: str, data: st.DataObject) -> None:
    """The own hand and everything open stay; the state itself is untouched."""
    core, stream = position(game, data, over=True), data.draw(SEEDS)
    before, bytes_before = core.position(), core.states.tobytes()
    for viewer in range(core.players):
        copy = copy_of(core, viewer, stream)
        copy.check()
        after = copy.position()
        for field in before:
            if field not in views(game).hidden:
                assert after[field] == before[field], field
        assert after["hands"][viewer] == before["hands"][viewer]
    assert core.states.tobytes() == bytes_before


@games
@quick
@given(st.data())
def test_a_determinised_game_can_be_played_on(game: str, data: st.DataObject) -> None:
    """The pending decision has a legal move whoever looks, and every count holds later."""
    core, stream = position(game, data), data.draw(SEEDS)
    for viewer in range(core.players):
        copy, rng = copy_of(core, viewer, stream), np.random.default_rng(stream)
        assert copy.seat == core.seat
        for _ in range(sized(40, 8)):
            if copy.seat is not None:
                copy.play_action(int(rng.choice(copy.actions())))
        copy.check()


@games
@quick
@given(st.data())
def test_determinize_follows_its_stream(game: str, data: st.DataObject) -> None:
    """Same stream, same copy; each copy takes a new random word, that of the state goes to none, nor does the seed
    that the whole game could be dealt from again."""
    core, stream = position(game, data), data.draw(SEEDS)
    rows = determinized(core, 0, stream, copies=3)
    assert not rows["deal"].any()
    assert rows.tobytes() == determinized(core, 0, stream, copies=3).tobytes()
    words = [int(word) for word in rows["rng"]]
    assert len({*words, int(core.states["rng"][0])}) == 4
    assert rows[:1].tobytes() == determinized(core, 0, stream).tobytes()


# ---------------------------------------------------------------- mistakes that mutants.py makes in every game


@games
@quick
@given(st.data())
def test_mistake_02_a_deal_that_leaves_no_legal_move(game: str, data: st.DataObject) -> None:
    """Whoever looks, the pending decision of every copy has a legal move."""
    core, stream = position(game, data), data.draw(SEEDS)
    for viewer in range(core.players):
        copies = determinized(core, viewer, stream, copies=sized(5, 2))
        assert masks_of(core.game, copies).any(axis=1).all()


@games
def test_mistake_03_the_mask_is_shown_to_others(game: str) -> None:
    """The mask of the AEC environment shows the hand: only the decider gets one, in observation and infos."""
    env, rng = skyline.env(game), np.random.default_rng(6)
    env.reset(seed=6)
    for _ in range(60):
        for agent in env.possible_agents:
            decides = agent == env.agent_selection
            assert env.observe(agent)["action_mask"].any() == decides
            assert env.infos[agent]["action_mask"].any() == decides
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
