"""States for the properties of observations and determinised copies, and what a decoded observation says.

The decoder knows RULES.md and the observation table; it uses none of the core's functions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline import engine, registry
from skyline.rng import streams
from tests.newyork.cases import GAME, PLAYERS
from tests.rule_cases import Core, Json, sized

Values = dict[str, Any]  # a decoded observation: arrays by slice name

NEW_YORK = registry.load(GAME)
KERNELS = engine.kernels(NEW_YORK)
RANDOM, HEURISTIC = engine.RANDOM, engine.HEURISTIC

SEEDS = st.integers(0, 2**64 - 1)


@lru_cache(2000)
def _decisions(players: int, seed: int, guided: bool) -> list[bytes]:
    """The states of a whole game, one for every decision and the end; `guided`: half the moves are the heuristic's."""
    core, rng, stream = Core.deal(GAME, players, seed), np.random.default_rng(seed), streams(1, seed)
    states, action = [core.states.tobytes()], np.zeros(1, np.int64)
    while core.seat is not None:
        policy = HEURISTIC if guided and rng.integers(2) else RANDOM
        KERNELS.choose_rows(core.states, core.mask, np.full(1, policy), stream, action)
        core.play_action(int(action[0]))
        states.append(core.states.tobytes())
    return states


def core_of(state: bytes) -> Core:
    return Core(NEW_YORK, np.frombuffer(state, NEW_YORK.state).copy())


def whole_game(players: int, seed: int, guided: bool = True) -> list[Core]:
    """Every position of a game."""
    return [core_of(state) for state in _decisions(players, seed, guided)]


GAMES = sized(12, 2)  # games a player count that positions are taken from


@st.composite
def positions(draw: st.DrawFn, over: bool = False, players: int | None = None) -> Core:
    """A position of some games, half of them guided by the heuristic, the end among them if `over`."""
    count = players or draw(st.sampled_from(PLAYERS))
    seed = draw(st.integers(0, GAMES - 1))
    states = _decisions(count, 100 * count + seed, seed % 2 == 1)
    last = len(states) - 1
    at = st.integers(0, last - 1)
    return core_of(states[draw(st.one_of(at, at, st.just(last)) if over else at)])


def observed(core: Core, seat: int, features: str = "rich") -> np.ndarray[Any, Any]:
    """The raw observation vector of a seat."""
    out = engine.observation_array(NEW_YORK, core.players, features=features)
    KERNELS.observe_some(core.states, np.zeros(1, np.int64), np.full(1, seat), out, engine.NO_SCALES)
    return np.asarray(out[0])


def decoded(core: Core, seat: int, features: str = "rich") -> Values:
    return NEW_YORK.observation(core.players).decode(observed(core, seat, features), features)


def determinized(core: Core, seat: int, stream: int, copies: int = 1) -> np.ndarray[Any, Any]:
    """Copies of the state with everything that `seat` does not see dealt anew, each from a stream of its own."""
    rows = np.repeat(core.states, copies)
    KERNELS.determinize_rows(rows, np.full(copies, seat), streams(copies, stream))
    return rows


def copies_of(core: Core, seat: int, stream: int, copies: int = 1) -> list[Core]:
    return [Core(NEW_YORK, row.copy()) for row in determinized(core, seat, stream, copies).reshape(-1, 1)]


def legal_actions_of(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The masks of many rows of one player count."""
    mask = engine.mask_array(NEW_YORK, int(rows["players"][0]), len(rows))
    KERNELS.fill_masks(rows, mask)
    return mask


# ---------------------------------------------------------------- what an observation says

PHASES = ("main", "pay", "build", "place", "put")


def index_of(one_hot: np.ndarray[Any, Any]) -> int | None:
    """Where the one is; None if there is none."""
    assert one_hot.sum() <= 1
    return int(np.argmax(one_hot)) if one_hot.any() else None


def ids(marks: np.ndarray[Any, Any]) -> list[int]:
    """The tiles that are marked."""
    return [int(i) + 1 for i in np.flatnonzero(marks)]


def absolute(index: int | None, viewer: int, players: int) -> int | None:
    return None if index is None else (viewer + index) % players


def tile_of(view: np.ndarray[Any, Any], tiles: list[list[Any]]) -> int | None:
    """The tile with this type, price and streets: no two are alike."""
    if not view[0]:
        assert not view.any()
        return None
    kind, streets = index_of(view[1:7]), "".join(name for name, on in zip("NESW", view[8:], strict=True) if on) or "-"
    found = [tile for tile, *rest in tiles if rest == [kind, int(view[7]), streets]]
    assert len(found) == 1
    return int(found[0])


def cards(counts: np.ndarray[Any, Any]) -> list[str]:
    """The cards of counts by bank and value."""
    return [f"{'BGYR'[bank]}{value + 1}" for bank in range(4) for value in range(9) for _ in range(counts[bank, value])]


def public_part(values: Values, players: int, viewer: int, tiles: list[list[Any]]) -> Json:
    """What Oracle.public(viewer) says, read from the observation alone. The viewer's absolute seat is not in it."""
    order = [(seat - viewer) % players for seat in range(players)]  # where the absolute seat stands
    seat = absolute(index_of(values["to_move"]), viewer, players)
    due = {p: [t for t in range(1, 55) if values["due_seat"][t - 1] == 1 + order[p]] for p in range(players)}
    assert due[viewer] == ids(values["due_own"])
    cities = []
    for p in range(players):
        where = ids(values["tile_city"][order[p]])
        cities.append(sorted([int(values["tile_x"][t - 1]), int(values["tile_y"][t - 1]), t] for t in where))
    ending = bool(values["endgame"][0])
    slot = index_of(values["pay_slot"])
    return {
        "players": players,
        "seat": seat,
        "phase": "over" if seat is None else PHASES[index_of(values["phase"]) or 0],
        "market": [_market_card(row) for row in values["market"]],
        "depot": [tile_of(view, tiles) for view in values["depot"]],
        "cities": cities,
        "reserves": [ids(values["tile_reserve"][order[p]]) for p in range(players)],
        "bought": due[seat] if seat is not None else [],
        "received": [due[p] if p != seat else [] for p in range(players)] if ending else None,
        "dirk": ids(values["tile_dirk"]) if players == 2 else [],
        "scores": [int(values["scores"][j]) for j in order],
        "slot": slot,
        "paid": [value for value in range(9, 0, -1) for _ in range(values["pay_laid"][value - 1])],
        "tile": tile_of(values["chosen"], tiles),
        "deck_size": int(values["piles"][0]),
        "discard_size": int(values["piles"][1]),
        "bag_size": int(values["piles"][2]),
        "hand_sizes": [int(values["hand_size"][j]) for j in order],
        "scoring_out": [name for name, out in zip(("SA", "SB"), values["scoring_out"], strict=True) if out],
        "viewer": viewer,
        "hand": cards(values["hand"]),
    }


def _market_card(row: np.ndarray[Any, Any]) -> str | None:
    bank = index_of(row[:4])
    assert (bank is None) == (row[4] == 0)
    return None if bank is None else f"{'BGYR'[bank]}{row[4]}"
