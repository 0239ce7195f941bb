"""Contract checks for people who add a game: random games in which every promise of `skyline.game` is looked at.

    from skyline.testing import check_game
    check_game("my_game")                                             # every player count, default options
    check_game("my_game", players=3, options={"board": 6}, games=20, seed=7)

No test framework is needed: a broken promise raises `ContractBroken`, whose message has what is wrong, the seed and
the record so far. Half of the games mix the heuristic's moves with random ones, to get further than chance does; half
of the games are played with memory="table".

declared    checks of what a game declares
walk        a random game from its beginning to its end
positions   the checks of a position of that game
remembering the checks of what seats remember and are told
probe       the game's jitted functions, called with something behind every array
promises    what is found is compared with what was promised
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline import registry
from skyline.game import Game
from skyline.testing.declared import check_declaration, check_tables, other_value
from skyline.testing.promises import ContractBroken
from skyline.testing.walk import check_random_game
from skyline.typing import Memory

__all__ = ["ContractBroken", "check_declaration", "check_game", "check_random_game", "check_tables", "other_value"]


def check_game(
    game: str | Game,
    players: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    games: int = 4,
    seed: int = 0,
) -> None:
    """Check a game's tables and `games` random games for one player count, or for all (None)."""
    loaded = registry.load(game)
    check_declaration(loaded)
    for count in loaded.player_counts if players is None else (loaded.check_players(players),):
        check_tables(loaded, count)
        for i in range(games):
            memory: Memory = "table" if i % 4 in (1, 2) else "recall"
            check_random_game(loaded, count, seed + i, options, guided=i % 2 == 1, memory=memory)
