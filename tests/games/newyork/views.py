"""States for the properties of observations and determinised copies, and what a decoded observation says.

The decoder knows RULES.md and the observation table; it uses none of the core's functions.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline import registry
from skyline.core import engine
from skyline.game import RECALL
from skyline.rng import streams
from tests.games.newyork.cases import GAME, PLAYERS
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import Values, Views, index

NEW_YORK = registry.load(GAME)
KERNELS = engine.kernels(NEW_YORK)
RANDOM, HEURISTIC = engine.RANDOM, engine.HEURISTIC


@lru_cache(2000)
def playing(players: int, seed: int, guided: bool) -> tuple[list[bytes], list[int]]:
    """The states of a whole game, one for every decision and the end, and its actions; `guided`: half the moves are
    the heuristic's."""
    core, rng, stream = Core.deal(GAME, players, seed), np.random.default_rng(seed), streams(1, seed)
    states, action = [core.states.tobytes()], np.zeros(1, np.int64)
    actions: list[int] = []
    while core.seat is not None:
        policy = HEURISTIC if guided and rng.integers(2) else RANDOM
        KERNELS.choose_rows(core.states, core.mask, np.full(1, policy), stream, action)
        actions.append(int(action[0]))
        core.play_action(actions[-1])
        states.append(core.states.tobytes())
    return states, actions


def core_of(state: bytes) -> Core:
    return Core(NEW_YORK, np.frombuffer(state, NEW_YORK.state).copy())


def whole_game(players: int, seed: int, guided: bool = True) -> list[Core]:
    """Every position of a game."""
    return [core_of(state) for state in playing(players, seed, guided)[0]]


GAMES = sized(12, 2)  # games a player count that positions are taken from


@st.composite
def positions(draw: st.DrawFn, over: bool = False, players: int | None = None, memory: int = RECALL) -> Core:
    """A position of some games, half of them guided by the heuristic, the end among them if `over`."""
    count = players or draw(st.sampled_from(PLAYERS))
    seed = draw(st.integers(0, GAMES - 1))
    states, _ = playing(count, 100 * count + seed, seed % 2 == 1)
    last = len(states) - 1
    at = st.integers(0, last - 1)
    core = core_of(states[draw(st.one_of(at, at, st.just(last)) if over else at)])
    core.states["memory"] = memory
    return core


def hidden_parts(position: Json, seat: int) -> Json:
    """Everything section 7.2 leaves unknown to a seat: the orders of deck and bag."""
    return {name: position[name] for name in HIDDEN}


def unseen_parts(position: Json, seat: int) -> Json:
    """Everything section 7.1 hides from the seat."""
    hands = [hand for other, hand in enumerate(position["hands"]) if other != seat]
    return {"hands": hands, **{name: position[name] for name in ("deck", "bag", "discard")}}


def surely_new(position: Json) -> bool:
    """Whether deck or bag are so long that no other deal has the same order."""
    return len(position["bag"]) > 10 or len(set(position["deck"])) > 10


HIDDEN = ("deck", "bag")
UNSEEN = ("hands", "deck", "bag", "discard")  # at the table, without memory
VIEWS = Views(positions, HIDDEN, hidden_parts, ("at 0 1", "take B1"), partial(Core.deal, GAME), surely_new=surely_new)


# ---------------------------------------------------------------- what an observation says

PHASES = ("main", "pay", "build", "place", "put")


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
    kind, streets = index(view[1:7]), "".join(name for name, on in zip("NESW", view[8:], strict=True) if on) or "-"
    found = [tile for tile, *rest in tiles if rest == [kind, int(view[7]), streets]]
    assert len(found) == 1
    return int(found[0])


def cards(counts: np.ndarray[Any, Any]) -> list[str]:
    """The cards of counts by bank and value."""
    return [f"{'BGYR'[bank]}{value + 1}" for bank in range(4) for value in range(9) for _ in range(counts[bank, value])]


def public_part(values: Values, players: int, viewer: int, tiles: list[list[Any]]) -> Json:
    """What Oracle.public(viewer) says, read from the observation alone. The viewer's absolute seat is not in it."""
    order = [(seat - viewer) % players for seat in range(players)]  # where the absolute seat stands
    seat = absolute(index(values["to_move"]), viewer, players)
    due = {p: [t for t in range(1, 55) if values["due_seat"][t - 1] == 1 + order[p]] for p in range(players)}
    assert due[viewer] == ids(values["due_own"])
    cities = []
    for p in range(players):
        where = ids(values["tile_city"][order[p]])
        cities.append(sorted([int(values["tile_x"][t - 1]), int(values["tile_y"][t - 1]), t] for t in where))
    ending = bool(values["endgame"][0])
    slot = index(values["pay_slot"])
    return {
        "players": players,
        "seat": seat,
        "phase": "over" if seat is None else PHASES[index(values["phase"]) or 0],
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
        "exact": index(values["exact_slot"]),
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
    bank = index(row[:4])
    assert (bank is None) == (row[4] == 0)
    return None if bank is None else f"{'BGYR'[bank]}{row[4]}"
