"""Mutants of real positions: each is refused with the place of the fault, or loaded and played to its end.

The fuzzer does the same for hours and with bounds checks; this is its short form for the tests of a game.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from skyline.game import BrokenState
from skyline.record import position_of, state_of
from tests.support.rule_cases import Core

BOUNDARIES = (
    -1, 0, 1, 3, 4, 9, 12, 17, 45, 46, 96, 97, 127, 128, 255, 256, 2**31, 2**63, 2**64, True, 1.0, "1", "", None, [],
    {}, float("nan"), 10**40,
)  # fmt: skip
MOST_MOVES = 3000


def places(data: Any) -> list[tuple[Any, Any]]:
    """The place of every value of a document: the list or object, and the index or name."""
    found: list[tuple[Any, Any]] = []
    for key in list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        found += [(data, key), *places(data[key])]
    return found


def mutant(chance: random.Random, position: Mapping[str, Any], donor: Mapping[str, Any]) -> dict[str, Any]:
    """The position with one to three changes."""
    odd = json.loads(json.dumps(position))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        name = chance.choice(list(odd))
        inside = [(odd, name), *places(odd[name])]
        holder, key = chance.choice(inside)
        lists = [h[k] for h, k in inside if isinstance(h[k], list) and h[k]]
        match chance.randrange(8):
            case 0:
                holder[key] = copy.deepcopy(chance.choice(BOUNDARIES))
            case 1 if type(holder[key]) is int:
                holder[key] += chance.choice((-1, 1))
            case 2 if lists:
                entries = chance.choice(lists)
                entries.insert(0, copy.deepcopy(chance.choice(entries)))
            case 3 if lists:
                entries = chance.choice(lists)
                entries.extend(copy.deepcopy(entries[-1:]) * chance.choice((1, 8, 50, 130)))
            case 4:
                (one, i), (other, j) = chance.choice(inside), chance.choice(places(odd))
                one[i], other[j] = copy.deepcopy(other[j]), copy.deepcopy(one[i])
            case 5:
                odd[name] = copy.deepcopy(donor.get(name))
            case 6:
                del holder[key]
            case _:
                odd[chance.choice(("turn", "phase", "round", "extra"))] = chance.choice((1, "pick", "over", 3))
        if not odd:
            break
    return odd


def moments(core: Core, chance: random.Random) -> Iterator[dict[str, Any]]:
    """All positions of a game of random moves, with the final one."""
    while True:
        yield position_of(core.game, core.states[0])
        if core.seat is None:
            return
        core.play_action(chance.choice(core.actions()))


def check_mutants(game: str, players: int, seed: int, count: int) -> tuple[int, int]:
    """The numbers of refused and of loaded mutants, among that many mutants of the positions of a game."""
    chance = random.Random(seed)
    core = Core.deal(game, players, seed)
    positions, refused, loaded = list(moments(core, chance)), 0, 0
    for _ in range(count):
        odd = mutant(chance, chance.choice(positions), chance.choice(positions))
        try:
            states = state_of(core.game, odd)
        except ValueError as error:
            assert re.match(r"position[.\[:]", str(error)), (str(error), odd)
            assert len(str(error)) < 500
            refused += 1
            continue
        _check_loaded(Core(core.game, states), odd, chance)
        loaded += 1
    return refused, loaded


def _check_loaded(core: Core, odd: Mapping[str, Any], chance: random.Random) -> None:
    """Check that a position is written as it was read, and can be played; a complete one stays complete to the end."""
    written = position_of(core.game, core.states[0])
    assert position_of(core.game, state_of(core.game, written)[0]) == written, odd
    try:
        core.check()
    except BrokenState:
        complete = False
    else:
        complete = True
    for _ in range(MOST_MOVES):
        if core.seat is None or (not core.actions() and not complete):
            break
        core.play_action(chance.choice(core.actions()))
    else:
        raise AssertionError(f"no end after {MOST_MOVES} moves: {odd}")
    if complete:
        core.check()
