"""States for the properties of observations and determinised copies, and what a decoded observation says.

The decoder knows RULES.md and the observation table; it uses none of the core's tables.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline import registry
from skyline.core import engine
from skyline.game import RECALL, TABLE
from skyline.rng import streams
from tests.games.palazzo.cases import CARDS, GAME, MATERIALS, PLAYERS
from tests.support.rule_cases import Core, Json
from tests.support.seeing import SEEDS, Values, Views, heuristic_actions, index

PALAZZO = registry.load(GAME)
KERNELS = engine.kernels(PALAZZO)
PHASES = ("MAIN", "MONEY", "CHOICE", "BUY", "PAY", "BID", "SHARE", "BUILD", "REBUILD", "INTO", "FEE")
RANKED = ("T7", "T6", "T5", "T4", "T3", "T2", "7", "6", "5", "4", "3", "2")
KINDS = sorted(f"{floor}{windows}{m}" for floor in range(1, 6) for windows in range(1, 4) for m in MATERIALS)
ROWS = sorted([*KINDS, "31b", "31m", "31s"])  # the 48 tiles

MOVES = 420


def played(players: int, seed: int, moves: int, heuristic: bool = False) -> Core:
    """A game dealt from a seed after some moves, random ones or every second one of the heuristic; never over."""
    core, stream, rng = Core.deal(GAME, players, seed), streams(1, seed), np.random.default_rng(seed)
    for number in range(moves):
        before = core.states.copy()
        by_chance = not heuristic or number % 2
        action = int(rng.choice(core.actions())) if by_chance else heuristic_actions(PALAZZO, core.states, stream)[0]
        core.step(action)
        if core.seat is None:
            return Core(PALAZZO, before)
    return core


def finished(players: int, seed: int) -> Core:
    """A random game at its end."""
    core, rng = Core.deal(GAME, players, seed), np.random.default_rng(seed)
    while core.seat is not None:
        core.step(int(rng.choice(core.actions())))
    return core


def with_memory(core: Core, memory: int) -> Core:
    """The same game seen with this setting."""
    copy = core.copy()
    copy.states["memory"] = memory
    return copy


def both(core: Core) -> list[Core]:
    """The game with each setting of `memory`."""
    return [with_memory(core, memory) for memory in (RECALL, TABLE)]


@st.composite
def positions(draw: st.DrawFn, over: bool = False) -> Core:
    """A position of a random game, the end among them if `over`."""
    players, seed = draw(st.sampled_from(PLAYERS)), draw(SEEDS)
    if over and draw(st.integers(0, 9)) == 0:
        return finished(players, seed)
    return played(players, seed, draw(st.integers(0, MOVES)), draw(st.booleans()))


def hidden_parts(position: Json, seat: int) -> Json:
    """Everything section 7 hides from the seat."""
    return {
        "hands": [hand for other, hand in enumerate(position["hands"]) if other != seat],
        "deck": position["deck"],
        "stack": position["stack"],
    }


VIEWS = Views(
    positions, ("hands", "deck", "stack"), hidden_parts, ("build 11b new",), partial(Core.deal, GAME),
    surely_new=lambda position: len(position["stack"]) > 12,
)  # fmt: skip


# ---------------------------------------------------------------- what an observation says


def cards(numbers: np.ndarray[Any, Any]) -> dict[str, int]:
    return {card: int(n) for card, n in zip(CARDS, numbers, strict=True) if n}


def tile(one_hots: np.ndarray[Any, Any]) -> str | None:
    """The tile of eleven flags: floor, windows, material."""
    floor, windows, material = index(one_hots[:5]), index(one_hots[5:8]), index(one_hots[8:])
    if floor is None or windows is None or material is None:
        assert not one_hots.any()
        return None
    return f"{floor + 1}{windows + 1}{MATERIALS[material]}"


def public_part(values: Values, players: int) -> Json:
    """What Oracle.public(viewer) says, in seats and quarries counted from the viewer and the builder; of the first
    choice for a twin what still matters."""
    seats = range(players)
    phase = index(values["phase"])
    name = "END" if phase is None else PHASES[phase]
    bidding, paying = name == "BID", name == "PAY"
    pending = [ROWS[row] for row in np.flatnonzero(values["tiles"][5 + players])]
    return {
        "player": index(values["to_move"]),
        "active": index(values["active"]),
        "decision": name,
        "knights": int(values["knights"][0]),
        "quiet_left": int(values["quiet"][0]),
        "depot": _column(values, 0),
        "quarries": [_column(values, ahead) for ahead in (1, 2, 3, 4)],
        "stack_size": int(values["stack"][0]),
        "stack_pile": next(name for name, n in zip(("I", "II", "III", None), [*values["piles"], 1], strict=True) if n),
        "deck_size": int(values["deck"][0]),
        "discard": cards(values["discards"]),
        "hand": cards(values["hand"]),
        "hand_sizes": values["hand_size"].tolist(),
        "palaces": [_palaces(values, 5 + j) for j in seats],
        "face_up": [card for card, n in cards(values["face_up"]).items() for _ in range(n)],
        "first_take": None if index(values["first_pick"]) is None else CARDS[index(values["first_pick"]) or 0],
        "chosen": pending if name in ("BUY", "PAY") else [],
        "standing": [index(values["holder"]), int(values["standing"][0])] if bidding else None,
        "totals": values["total"].tolist(),
        "locks": [None if index(values["lock"][j]) is None else "ABC"[index(values["lock"][j]) or 0] for j in seats],
        "table": [cards(values["table"][j]) for j in seats],
        "out": [j for j in seats if values["out"][j]],
        "last": None if index(values["raise_last"]) is None else RANKED[index(values["raise_last"]) or 0],
        "singles": int(values["raise_j"][0]),
        "to_build": pending if name == "BUILD" else [],
        "twin": int(values["twin_least"][0]) if values["twin"][0] else None,
        "sharing": bool(values["share"].any()) if name == "SHARE" else None,
        "change": _change(values),
        "goal": int(values["goal"][0]) if bidding or paying else None,
    }


def _column(values: Values, column: int) -> list[str]:
    return [ROWS[row] for row in np.flatnonzero(values["tiles"][column])]


def _palaces(values: Values, column: int) -> list[str]:
    """The palaces of a seat: tiles of the same slot; of a slot with two identical singles two palaces."""
    slots: dict[int, list[str]] = {}
    for row in np.flatnonzero(values["tiles"][column]):
        slots.setdefault(int(values["tile_slot"][row]), []).append(ROWS[row])
    texts = []
    for slot in sorted(slots):
        twins = len(slots[slot]) == 2 and slots[slot][0] == slots[slot][1]
        texts += slots[slot] if twins else ["/".join(slots[slot])]
    return texts


def _change(values: Values) -> list[Any] | None:
    kind = index(values["plan"])
    if kind is None:
        return None
    slot, target = int(values["plan_slot"][0]), int(values["plan_target"][0])
    return [("split", "insert", "remove")[kind], tile(values["plan_tile"]), slot, target]


def reduced(public: Json, position: Json) -> Json:
    """Oracle.public in the words of `public_part`: seats and quarries turned, slots instead of palace texts."""
    players, viewer = public["players"], public["viewer"]
    turned = [(viewer + j) % players for j in range(players)]

    def relative(seat: int | None) -> int | None:
        return None if seat is None else (seat - viewer) % players

    name = public["decision"]
    own = sorted(set(public["palaces"][public["player"]])) if public["player"] is not None else []
    last = public["last"]
    return {
        "player": relative(public["player"]),
        "active": relative(public["active"]),
        "decision": name,
        "knights": public["knights"],
        "quiet_left": max(0, public["quiet_limit"] - public["quiet"]),
        "depot": public["depot"],
        "quarries": [public["quarries"][(public["builder"] + ahead) % 4] for ahead in (1, 2, 3, 4)],
        "stack_size": public["stack_size"],
        "stack_pile": public["stack_pile"],
        "deck_size": public["deck_size"],
        "discard": public["discard"],
        "hand": public["hand"],
        "hand_sizes": [public["hand_sizes"][seat] for seat in turned],
        "palaces": [public["palaces"][seat] for seat in turned],
        "face_up": public["face_up"],
        "first_take": position["first_take"],  # all have just seen it; the oracle shows it to its owner only
        "chosen": sorted(public["chosen"]),
        "standing": [relative(public["standing"][0]), public["standing"][1]] if name == "BID" else None,
        "totals": [public["totals"][seat] for seat in turned],
        "locks": [public["locks"][seat] for seat in turned],
        "table": [public["table"][seat] for seat in turned],
        "out": sorted((seat - viewer) % players for seat in public["out"]),
        "last": None if last is None else last if last[0] == "T" else last[-1],
        "singles": public["singles"],
        "to_build": public["to_build"],
        "twin": _least_choice(public["twin_move"], own),
        "sharing": True if name == "SHARE" else None,
        "change": _planned(public, own),
        "goal": _goal(public, name),
    }


def _least_choice(move: str | None, own: list[str]) -> int | None:
    """The number of the first choice that is not before the one made for the twin: 0 new, 1 + slot .. scrap."""
    if move is None:
        return None
    _, _, how, *palace = move.split()
    if how == "new":
        return 0
    return 1 + (len(own) if how == "scrap" else sum(text < palace[0] for text in own))


def _planned(public: Json, own: list[str]) -> list[Any] | None:
    if public["change"] is None:
        return None
    word, *rest = public["change"].split()
    slot = own.index(rest[0])
    return [word, rest[-1], slot, own.index(public["target"]) if public["target"] is not None else 0]


def _goal(public: Json, name: str) -> int | None:
    if name == "BID":
        return int(public["standing"][1]) + 1
    if name == "PAY":
        return len(public["chosen"]) * max(0, 10 - len(public["depot"]))
    return None
