"""Checks of what a game declares: names, player counts, options, action and observation tables."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from skyline import registry
from skyline.game import MOST_SEATS, Game, Option
from skyline.testing.promises import holds, same, unique


def check_declaration(game: Game) -> None:
    """Names, player counts and options are what the library can work with."""
    same(game.name, game.name.lower(), "the name is in lower case")
    holds(game.name.isidentifier(), f"the name {game.name!r} is an identifier")
    same(list(game.player_counts), sorted(set(game.player_counts)), "player counts rise")
    holds(2 <= min(game.player_counts) <= max(game.player_counts) <= MOST_SEATS, f"2 .. {MOST_SEATS} players")
    found = registry.found().get(game.name)
    if found is not None:
        same(found.version, game.version, f"the version of GAME is that of the module {found.module}")
    values = game.check_options({})
    same(game.check_options(values), values, "checked options pass the check again")
    same(json.loads(json.dumps(values)), values, "option values are JSON")
    for option in game.options:
        holds(option.meaning != "", f"option {option.name} says what it means")


def check_tables(game: Game, players: int) -> None:
    """Action and observation tables of a player count are well made."""
    actions, table = game.actions(players), game.observation(players)
    unique([block.name for block in actions.blocks], "action blocks")
    holds(all(block.count > 0 and block.meaning for block in actions.blocks), "action blocks have a size and a meaning")
    parts = table.slices("rich")
    unique([part.name for part in parts], "observation slices")
    for part in parts:
        holds(part.low <= part.high and part.scale > 0 and part.meaning != "", f"slice {part.name} is well made")
        bounds = np.iinfo(np.int16)
        holds(bounds.min <= part.low and part.high <= bounds.max, f"slice {part.name} fits int16")
    holds(table.size("rich") >= table.size() > 0, "the rich table begins with the base table")
    lengths = {part.name: part.length for part in table.base}
    for name in table.worth:
        holds(lengths.get(name, 1) % players == 0, f"worth {name!r} is a base slice with as many values for every seat")
    holds(table.worth_scale > 0, "worth_scale is positive")


def other_value(option: Option) -> Any:
    """Another value than the default that the option allows: from numbers near it or the texts its error names.

    None if none is found; then give `check_game` one yourself.
    """
    default, tries = option.default, list[Any]()
    if isinstance(default, bool):
        tries = [not default]
    elif isinstance(default, int):
        tries = [default // 10, default - 1, default + 1, 2 * default]
    try:
        option.check(object())
    except ValueError as reason:
        tries += re.findall(r"'([^']*)'", str(reason))
    for value in tries:
        try:
            checked = option.check(value)
        except ValueError:
            continue
        if checked != option.check(default):
            return checked
    return None
