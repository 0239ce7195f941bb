"""The options: checked, and written into a state. [RULES.md 1.4, 1.6, FA-R2, FA-R3, FA-R8]"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fiveavenue_env.city import join_rings
from fiveavenue_env.components import (
    BOARDS,
    DEFAULT_RINGS,
    DISTRICT_NAMES,
    DISTRICTS,
    LOT_NAMES,
    PLAIN_RING,
    SIDES,
)
from fiveavenue_env.state import NO_LOT
from skyline.game import Option, one_of, whole_number

DISCARDS = ("falling", "rising")
MOST_TURNS = 32767  # the observation shows the turns left in 16 bits


_join_rings = getattr(join_rings, "py_func", join_rings)  # plain Python: it runs once for a blank row


def check_rings(value: Any) -> Any:
    """`default`, `plain`, `random`, or an object district -> its lots in ring order; its JSON text is read."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            raise ValueError(f"JSON ({error})") from None
    if value in ("default", "plain", "random"):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("'default', 'plain', 'random' or an object district -> list of its lots in ring order")
    for district, ring in value.items():
        if district not in DISTRICT_NAMES:
            raise ValueError(f"an object with districts of {', '.join(DISTRICT_NAMES)}")
        if not isinstance(ring, (list, tuple)) or sorted(map(str, ring)) not in (
            sorted(PLAIN_RING),
            sorted(LOT_NAMES),
        ):
            raise ValueError(f"for {district} a list of the five colours, on board 6 of the five colours and dashed")
    return {district: list(ring) for district, ring in value.items()}


OPTIONS = (
    Option("board", 5, "lots a district: 5, or 6 with a dashed lot", one_of(*BOARDS)),
    Option(
        "rings", "default", "order of the lots round the districts: default, plain, random, or an object", check_rings
    ),
    Option("max_turns", 200, "the game ends after this turn", whole_number(1, MOST_TURNS)),
    Option("empty_supply", False, "A may be chosen with an empty supply, too: disputed, FA-R3", one_of(False, True)),
    Option("discards", "falling", "order of the winner's cards under a stack: disputed, FA-R8", one_of(*DISCARDS)),
)


def ring_in_use(board: int, rings: Any, district: str) -> list[str]:
    """The lots of a district in ring order: on board 6 the dashed lot is appended to the named rings. [1.4]"""
    dashed = ["dashed"] if board == SIDES else []
    if rings == "plain":
        return [*PLAIN_RING, *dashed]
    if rings in ("default", "random") or district not in rings:
        return [*DEFAULT_RINGS[district], *dashed]
    ring = list(rings[district])
    if len(ring) != board:
        raise ValueError(f"rings: {district} has {len(ring)} lots, the board has {board} a district")
    return ring


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a blank row."""
    s.board, s.max_turns = options["board"], options["max_turns"]
    s.rings_drawn, s.empty_supply = options["rings"] == "random", options["empty_supply"]
    s.discards_rise = options["discards"] == "rising"
    write_rings(s, [ring_in_use(options["board"], options["rings"], district) for district in DISTRICT_NAMES])


def write_rings(s: Any, rings: Sequence[Sequence[str]]) -> None:
    """The rings, and what lies beside each lot."""
    s.rings[:] = NO_LOT
    for d in range(DISTRICTS):
        s.rings[d, : len(rings[d])] = [LOT_NAMES.index(name) for name in rings[d]]
    _join_rings(s)


def read_rings(s: Any) -> dict[str, list[str]]:
    """The rings of a state in the words of the rules."""
    return {name: [LOT_NAMES[lot] for lot in s.rings[d] if lot != NO_LOT] for d, name in enumerate(DISTRICT_NAMES)}
