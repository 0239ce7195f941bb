"""States for the properties of observations and determinised copies, and what a decoded observation says.

The decoder knows RULES.md, the observation table and the oracle's square tables; it uses none of the core's.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline import registry
from skyline.core import engine
from skyline.game import TABLE, LastMove
from skyline.rng import streams
from tests.games.manhattan.cases import COLOURS, DECISIONS, GAME, PLAYERS, ROUNDS, TURNS
from tests.games.manhattan.oracle_board import SIDES, board_square, floors, owner
from tests.support.rule_cases import Core, Json
from tests.support.seeing import SEEDS, Values, Views, index

MANHATTAN = registry.load(GAME)
KERNELS = engine.kernels(MANHATTAN)


def played(players: int, seed: int, decisions: int) -> Core:
    """A game dealt from a seed after some random moves; decisions = all of them gives a finished game."""
    core = Core.deal(GAME, players, seed)
    if decisions < DECISIONS[players]:
        KERNELS.step_only(core.states, core.mask, streams(1, seed), decisions)
        return Core(MANHATTAN, core.states)
    KERNELS.step_only(core.states, core.mask, streams(1, seed), DECISIONS[players] - 1)
    core = Core(MANHATTAN, core.states)
    core.play_action(core.actions()[0])
    return core


@st.composite
def positions(draw: st.DrawFn, over: bool = False) -> Core:
    """A position of a random game, the end among them if `over`."""
    players = draw(st.sampled_from(PLAYERS))
    last = DECISIONS[players] - 1
    decisions = st.integers(0, last)
    return played(players, draw(SEEDS), draw(st.one_of(decisions, decisions, st.just(last + 1)) if over else decisions))


def hidden_parts(position: Json, seat: int) -> Json:
    """Everything section 7 hides from a seat with perfect memory: also the others' hands at the reshuffles (MH-M17)."""
    held = [hands["held"] for hands in position["memory"][1:]]
    return {
        "hands": _of_others(position["hands"], seat),
        "deck": position["deck"],
        "held": [_of_others(hands, seat) for hands in held],
    }


def _of_others(hands: list[Json], seat: int) -> list[Json]:
    return [hand for other, hand in enumerate(hands) if other != seat]


def remembered_by_all(position: Json, seat: int) -> Json:
    """Everything in a position that the seat knows: what a drawn deal must leave as it is (MH-M18)."""
    memory = [{**shuffle, "held": shuffle.get("held", [None] * 4)[seat]} for shuffle in position["memory"]]
    rest = {field: value for field, value in position.items() if field not in ("hands", "deck", "memory")}
    return {**rest, "hand": position["hands"][seat], "in deck": len(position["deck"]), "memory": memory}


def without_memory(core: Core) -> Core:
    """The same game with memory="table": hidden is what does not lie open now."""
    states = core.states.copy()
    states["memory"] = TABLE
    return Core(MANHATTAN, states)


BUILT = LastMove(0, 100, "build", "A builds.")  # 100 is an action that builds, whatever the player count is
VIEWS = Views(
    positions,
    ("hands", "deck", "memory"),
    hidden_parts,
    (BUILT,),
    partial(Core.deal, GAME),
    surely_new=lambda position: len(position["deck"]) >= 12,
)


# ---------------------------------------------------------------- what an observation says


def own_colours(players: int) -> int:
    return 2 if players == 2 else 1


def colour_of(players: int, viewer: int, index: int) -> int:
    """The global number of an observed colour: the viewer's own first."""
    return (own_colours(players) * viewer + index) % COLOURS[players]


def public_part(values: Values, players: int) -> Json:
    """What Oracle.public(viewer) says, read from the observation alone; towers as owner and floors by colour."""
    viewer = index(values["seat"]) or 0
    seat = _absolute(index(values["to_move"]), viewer, players)
    marker = _absolute(index(values["marker"]), viewer, players)
    assert marker is not None
    seats = range(players)
    order = [(j - viewer) % players for j in seats]  # where the absolute seat stands in the observation
    colours = [(c - own_colours(players) * viewer) % COLOURS[players] for c in range(COLOURS[players])]
    phase = {0: "pick", 1: "turn", None: "over"}[index(values["phase"])]
    return {
        "players": players,
        "round": ROUNDS[players] - int(values["rounds_left"][0]),
        "marker": marker,
        "phase": phase,
        **_progress(values, players, phase, seat, marker),
        "seat": seat,
        "hand": sorted(_cards(values["hand"], SIDES[players][viewer])),
        "hand_sizes": [4] * players,
        "deck_size": int(values["deck"][0]),
        "played_sizes": [int(values["piles"][j]) for j in order],
        "played_tops": [next(iter(_cards(values["tops"][order[p]], SIDES[players][p])), None) for p in seats],
        "stock": {str(c): values["stock"][j].tolist() for c, j in enumerate(colours)},
        "chosen": {str(c): np.repeat([1, 2, 3, 4], values["chosen"][j]).tolist() for c, j in enumerate(colours)},
        "towers": _towers(values, colours),
        "scores": [int(values["scores"][j]) for j in order],
    }


def _absolute(index: int | None, viewer: int, players: int) -> int | None:
    return None if index is None else (viewer + index) % players


def _progress(values: Values, players: int, phase: str, seat: int | None, marker: int) -> Json:
    if phase == "pick":
        assert seat is not None
        return {"picked": (seat - marker) % players * own_colours(players) + (index(values["set_colour"]) or 0)}
    return {"turn": players * TURNS[players] - int(values["turns_left"][0])}


def _cards(squares: np.ndarray[Any, Any], side: int) -> list[int]:
    """Printed squares from counts by board square, read from a side."""
    printed = {board_square(side, card): card for card in range(9)}
    return [printed[square] for square in range(9) for _ in range(int(squares[square]))]


def _towers(values: Values, colours: list[int]) -> Json:
    """{(city, square): (owner, floors by colour)}"""
    towers = {}
    for city, square in np.argwhere(values["owner"].any(axis=0)).tolist():
        by_colour = [int(values["floors"][j, city, square]) for j in colours]
        owners = [c for c, j in enumerate(colours) if values["owner"][j, city, square]]
        assert len(owners) == 1
        towers[city, square] = (owners[0], by_colour)
    assert not values["floors"][:, ~values["owner"].any(axis=0)].any(), "floors without an owner"
    return towers


def reduced(public: Json) -> Json:
    """Oracle.public without what has no effect: the order of the pieces inside a tower."""
    colours = range(len(public["stock"]))
    towers = {
        (city, square): (owner(pieces), [floors(pieces, colour) for colour in colours])
        for city, square, pieces in public["towers"]
    }
    return {**public, "towers": towers}
