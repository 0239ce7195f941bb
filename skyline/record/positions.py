"""States as data and back: the position in the words of a game's rules file, with options, stream and seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from skyline.arguments import check_choice
from skyline.core import engine
from skyline.game import DEFAULT_MEMORY, MEMORIES, NO_SEAT, Game
from skyline.reading import Fields, Unreadable, Value
from skyline.rng import SEED_LIMIT
from skyline.typing import Memory

OUTSIDE = ("options", "stream", "seed")  # fields of a position that are read here, not by the game

T = TypeVar("T")


def position_of(game: Game, s: Any, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The row as data: the position in the rules file's words, the options and the random stream."""
    extra = {"options": dict(options or {}), "stream": int(s.rng), "seed": int(s.deal)}
    return {**game.position(s), **extra}


def state_of(
    game: Game, position: Mapping[str, Any], players: int | None = None, options: Mapping[str, Any] | None = None,
    memory: Memory = DEFAULT_MEMORY,
) -> np.ndarray[Any, Any]:  # fmt: skip
    """The length-1 state array that stands in a position. Without a `stream` in it the future is that of seed 0.

    `memory` is the setting of whoever plays on: what is remembered is a part of the position, whether seats see what
    is remembered is not.

    A ValueError names the place of what does not fit. A seat that has to decide and has no legal move does not fit:
    nobody could play on.
    """
    check_choice("memory", memory, MEMORIES)
    given = Value(position, "position").items()
    count = within(given["players"], game.check_players, given["players"].raw)
    if players is not None and count != players:
        raise ValueError(f"the position is for {count} players, the environment for {players}")
    states = _blank(game, given, count, options, memory)
    states["rng"], states["deal"] = (given.get(name, 0).whole(0, SEED_LIMIT - 1) for name in ("stream", "seed"))
    game.from_position(states[0], {name: value.raw for name, value in given if name not in OUTSIDE})
    if states["seat"][0] != NO_SEAT:
        mask = engine.mask_array(game, count)
        engine.kernels(game).fill_masks(states, mask)
        if not mask.any():
            raise Unreadable(f"seat {states['seat'][0]} has to decide and has no legal move", "position")
    return states


def _blank(
    game: Game, given: Fields, players: int, options: Mapping[str, Any] | None, memory: Memory
) -> np.ndarray[Any, Any]:
    """A blank row with the options of the position, which must be those of the environment, if both are given."""
    place = given.get("options", None)
    if place.is_null:
        return game.blank(players, options, memory=memory)
    own = {name: value.raw for name, value in place.items()}
    checked = within(place, game.check_options, own)
    if options is not None and checked != game.check_options(options):
        raise ValueError(f"the position has the options {own}, the environment {dict(options)}")
    return within(place, game.blank, players, checked, 1, memory)


def within(place: Value, check: Callable[..., T], *values: Any) -> T:
    """What the check gives for these values; its ValueError gets the place."""
    try:
        return check(*values)
    except ValueError as error:
        raise Unreadable(str(error), place.place) from None
