"""States for the properties of observations and determinised copies, and what a decoded observation says.

The decoder knows RULES.md and the observation table; it uses none of the core's tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline import registry
from skyline.core import engine
from skyline.game import LastMove
from skyline.rng import streams
from tests.games.fiveavenue.cases import BOARDS, COLOURS, DISTRICTS, GAME, KINDS, LOTS, PLAYERS
from tests.support.rule_cases import Core, Json
from tests.support.seeing import SEEDS, Values, Views, heuristic_actions, index

FIFTH_AVENUE = registry.load(GAME)
KERNELS = engine.kernels(FIFTH_AVENUE)
PHASES = ("PLACE", "TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE")
NODES = ("START", *DISTRICTS, "CP")
PLACES = (*DISTRICTS, "CP")
CARD_COLOURS = (*COLOURS, "black")
COMMISSIONS = ("white", "beige")

MOVES = {2: 220, 3: 300, 4: 360}  # most random games are longer; with the heuristic's help half as long


def deal(players: int, seed: int, board: int = 5) -> Core:
    return Core.deal(GAME, players, seed, {"board": board})


def played(players: int, seed: int, moves: int, board: int = 5, heuristic: bool = False) -> Core:
    """A game dealt from a seed after some moves, random ones or every second one of the heuristic; never over (if the
    random moves reach the end, they go on in a further game)."""
    core, stream, rng = deal(players, seed, board), streams(1, seed), np.random.default_rng(seed)
    if not heuristic:
        KERNELS.step_only(core.states, core.mask, stream, moves)
        return Core(FIFTH_AVENUE, core.states)
    for number in range(moves):
        before = core.states.copy()
        by_chance = number % 2
        action = int(rng.choice(core.actions())) if by_chance else heuristic_actions(core.game, core.states, stream)[0]
        core.step(action)
        if core.seat is None:
            return Core(FIFTH_AVENUE, before)
    return core


def finished(players: int, seed: int, board: int = 5) -> Core:
    """A random game at its end."""
    core, rng = deal(players, seed, board), np.random.default_rng(seed)
    while core.seat is not None:
        core.step(int(rng.choice(core.actions())))
    return core


@st.composite
def positions(draw: st.DrawFn, over: bool = False) -> Core:
    """A position of a random game, the end among them if `over`."""
    players, board, seed = draw(st.sampled_from(PLAYERS)), draw(st.sampled_from(BOARDS)), draw(SEEDS)
    if over and draw(st.integers(0, 9)) == 0:
        return finished(players, seed, board)
    heuristic = draw(st.booleans())
    return played(players, seed, draw(st.integers(0, MOVES[players] // (1 + heuristic))), board, heuristic)


def hidden_parts(position: Json, seat: int) -> Json:
    """Everything section 7 hides from the seat."""
    return {
        "hands": [hand for other, hand in enumerate(position["hands"]) if other != seat],
        "stacks": {colour: cards[1:] for colour, cards in position["stacks"].items()},
        "black": [code[0] for code in position["black"]],
        "out": position["out"],
        **({"held": held_by_others(position, seat)} if "memory" in position and position["players"] > 2 else {}),
    }


def held_by_others(position: Json, seat: int) -> list[list[list[int]]]:
    """The unseen black cards of the other hands at each black shuffle; with two players they are known (FA-M16)."""
    held = [span["held"] for span in position["memory"]["blacks"][1:]]
    return [[cards for p, cards in enumerate(hands) if p != seat] for hands in held]


MAX_TURNS = 200


def options_of(core: Core) -> Json:
    return {"board": int(core.states["board"][0]), "rings": "default", "max_turns": MAX_TURNS}


HIDDEN = ("hands", "stacks", "black", "out", "memory")
MOVES_TOLD = tuple(
    LastMove(0, FIFTH_AVENUE.parse_move(None, move), move, "A moves.") for move in ("shop TS green", "add black 6")
)
VIEWS = Views(positions, HIDDEN, hidden_parts, MOVES_TOLD, deal, options_of)


# ---------------------------------------------------------------- what an observation says


def named(one_hot: np.ndarray[Any, Any], names: tuple[str, ...]) -> str | None:
    number = index(one_hot)
    return None if number is None else names[number]


def cards(counts: np.ndarray[Any, Any]) -> dict[str, list[int]]:
    """Cards by colour, falling values, from the 6 x 3 counts."""
    rows = {c: [v for v in (6, 5, 4) for _ in range(counts[i, v - 4])] for i, c in enumerate(CARD_COLOURS)}
    return {colour: values for colour, values in rows.items() if values}


def public_part(values: Values, players: int) -> Json:
    """What Oracle.public(viewer) says, in seats counted from the viewer (Egon: "E"); shops of a row or the park have
    no order, nor have the cards of a table."""
    seats = range(players)
    over = index(values["phase"]) is None
    auction = None if index(values["place"]) is None else _auction(values, players)
    return {
        "decision": None if over else [PHASES[index(values["phase"]) or 0], index(values["to_move"])],
        "active": index(values["active"]),
        "start": index(values["start"]),
        "action": named(values["turn_kind"], ("A", "B", "C", "D")),
        "phase": None if index(values["turn_phase"]) is None else (1, 3)[index(values["turn_phase"]) or 0],
        "turns_left": int(values["turns_left"][0]),
        "placements_left": int(values["placements_left"][0]),
        "lots": {d: {lot: _code(values, i, k, players) for k, lot in enumerate(LOTS)} for i, d in enumerate(DISTRICTS)},
        "closed": [d for i, d in enumerate(DISTRICTS) if values["closed"][i]],
        "commissions": {c: named(values["commissions"][i], NODES) for i, c in enumerate(COMMISSIONS)},
        "markers": {c: _marked(values["markers"][i]) for i, c in enumerate(COMMISSIONS)},
        "row": [_kinds(block) for block in values["row"] if block.any()],
        "park": _kinds(values["park"]),
        "shop": named(values["shop"], KINDS),
        "placed": int(values["placed"][0]),
        **{name: values[name].tolist() for name in ("scores", "reserve", "supply", "cp")},
        "hand": cards(values["hand"]),
        "hand_sizes": [int(values["hand_size"][j]) for j in seats],
        "stacks": {c: [_top(values["stack_top"][i]), int(values["stack_n"][i])] for i, c in enumerate(COLOURS)},
        "black": [int(values["black"][0]), int(values["black_above"][0])],
        "auction": auction,
    }


def _code(values: Values, district: int, name: int, players: int) -> str:
    """A lot as in section 10, owners counted from the viewer."""
    owners = [j for j in range(len(values["buildings"])) if values["buildings"][j, district, name]]
    kinds = [kind for k, kind in enumerate(KINDS) for _ in range(values["shops"][k, district, name])]
    assert len(owners) <= 1 and not (owners and kinds)
    for j in owners:
        return f"{'E' if j == players else j}:{values['buildings'][j, district, name]}"
    return "+".join(kinds)


def _kinds(counts: np.ndarray[Any, Any]) -> list[str]:
    return [kind for k, kind in enumerate(KINDS) for _ in range(counts[k])]


def _marked(numbers: np.ndarray[Any, Any]) -> list[str]:
    """Districts in the order their markers were laid: 1, 2, 3."""
    found = sorted((int(n), d) for n, d in zip(numbers, DISTRICTS, strict=True) if n)
    assert [n for n, _ in found] == list(range(1, len(found) + 1))
    return [d for _, d in found]


def _top(one_hot: np.ndarray[Any, Any]) -> int | None:
    number = index(one_hot)
    return None if number is None else 4 + number


def _auction(values: Values, players: int) -> Json:
    leader = index(values["leader"])
    order = sorted((int(n), place) for n, place in zip(values["order"], PLACES, strict=True) if n)
    assert order[0] == (1, named(values["place"], PLACES))
    building = PHASES[index(values["phase"]) or 0] == "BUILD"
    colour = named(values["bid_colour"], COLOURS)
    last = index(values["raise_last"])
    two = players == 2
    return {
        "commission": named(values["commission"], COMMISSIONS),
        "first": index(values["first"]),
        "left": [place for _, place in order],
        "table": [cards(values["table"][j]) for j in range(players)],
        "totals": values["total"].tolist(),
        "standing": int(values["standing"][0]),
        "leader": "E" if leader == players else leader,
        "passed": [j for j in range(players) if values["passed"][j]],
        "colour": colour,
        "build_max": int(values["build_max"][0]) if building else None,
        "egon": [v for v in (4, 5, 6) for _ in range(values["egon"][v - 4])] if two else None,
        "egon_drawn": bool(values["egon_drawn"][0]) if two else None,
        "asked": int(values["decisions"][0]) if two else None,
        "last": None if last is None else [("coloured", "black")[last], int(values["raise_value"][0])],
    }


# ---------------------------------------------------------------- the oracle's view in the same words


def reduced(public: Json, viewer: int, core_position: Json, max_turns: int) -> Json:
    """Oracle.public(viewer) in the words of `public_part`."""
    players = len(public["scores"])
    turned = [(viewer + j) % players for j in range(players)]

    def relative(seat: Any) -> Any:
        return (seat - viewer) % players if isinstance(seat, int) else seat

    def code(text: str) -> str:
        owner, colon, number = text.partition(":")
        return text if not colon or owner == "E" else f"{relative(int(owner))}:{number}"

    decision, auction = public["decision"], public["auction"]
    kind = decision and decision["kind"]
    placed_yet = sum(int(c.partition(":")[2]) for lots in public["lots"].values() for c in lots.values() if ":" in c)
    deciding = decision["player"] if decision else None
    active = auction["initiator"] if auction else deciding
    return {
        "decision": [kind, relative(deciding)] if decision else None,
        "active": None if kind in ("PLACE", None) else relative(active),
        "start": relative(0),
        "action": core_position["action"] if decision else None,  # public, but not a field of section 10
        "phase": 1 if kind == "SHOP" else public["phase"] if kind in ("MOVE", "BID", "BUILD") else None,
        "turns_left": max_turns - public["turn"],
        "placements_left": 2 * players - placed_yet if kind == "PLACE" else 0,
        "lots": {d: {name: code(lots.get(name, "")) for name in LOTS} for d, lots in public["lots"].items()},
        "closed": sorted(public["closed"], key=DISTRICTS.index),
        "commissions": public["commissions"],
        "markers": public["markers"],
        "row": [sorted(block, key=KINDS.index) for block in public["row"]],
        "park": sorted(public["park"], key=KINDS.index),
        "shop": public["shop"],
        "placed": public["placed"],
        **{name: [public[name][seat] for seat in turned] for name in ("scores", "reserve", "supply", "cp")},
        "hand": public["hand"],
        "hand_sizes": [public["hand_sizes"][seat] for seat in turned],
        "stacks": {colour: [stack["top"], stack["cards"]] for colour, stack in public["stacks"].items()},
        "black": [public["black"]["cards"], public["black"]["above_face_up"]],
        "auction": auction and _reduced_auction(public, turned, relative, kind),
    }


def _reduced_auction(public: Json, turned: list[int], relative: Any, kind: str) -> Json:
    auction, two = public["auction"], len(turned) == 2
    tables = [[tuple(card) for card in auction["table"][seat]] for seat in turned]
    winner_most = min(auction["won"][1], public["reserve"][auction["leader"]]) if kind == "BUILD" else None
    last = auction["added"][-1] if auction["added"] else None
    return {
        "commission": auction["commission"],
        "first": relative(auction["initiator"]),
        "left": auction["left"],
        "table": [
            {c: vs for c in CARD_COLOURS if (vs := sorted((v for k, v in table if k == c), reverse=True))}
            for table in tables
        ],
        "totals": [sum(value for _, value in table) for table in tables],
        "standing": auction["standing"],
        "leader": relative(auction["leader"]),
        "passed": sorted(relative(seat) for seat in auction["passed"]),
        "colour": auction["won"][0] if kind == "BUILD" else auction["cpcolour"],
        "build_max": winner_most,
        "egon": sorted(auction["egon"] or []) if two else None,
        "egon_drawn": (auction["egon"] is not None and kind == "BID") if two else None,
        "asked": min(2, auction["asked"]) if two else None,
        "last": None if last is None else ["black" if last[0] == "black" else "coloured", last[1]],
    }
