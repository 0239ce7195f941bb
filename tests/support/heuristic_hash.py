"""Hashes of what the heuristics choose: a change that shall not change moves is compared with the commit before it.

    python -m tests.support.heuristic_hash manhattan                       100,000 games, all player counts and options
    python -m tests.support.heuristic_hash manhattan --players 4 --games 1000
    python -m tests.support.heuristic_hash manhattan --games 1000 --rich   and the rich observations

The heuristic plays every seat. In every second game a random move takes the place of one move of four, so that other
positions are met, too. At one decision of four the heuristic is also asked with about half of the legal actions, as the
search asks it. A hash covers the moves, these answers, and where the heuristic's random stream ends.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
from __future__ import annotations

import argparse
import hashlib
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.core.engine.row import begin, fill_mask
from skyline.core.jit import njit
from skyline.core.masks import random_legal
from skyline.core.overloads import heuristic, observe, step
from skyline.game import NO_SEAT, Game
from skyline.rng import below, mixed, streams
from tests.fuzz.played_games import option_values

ROWS = 500  # games of one call
MOST = 3000  # decisions of a game that are looked at
OFTEN = 4  # one move of that many is random, at one decision of that many half of the actions are asked for
NOT_ASKED = -1


@njit
def _half(mask, thinned, luck):
    """About half of the legal actions; all of them where none would be left."""
    left = 0
    for action in range(mask.shape[0]):
        thinned[action] = mask[action] and below(luck, 2)
        left += thinned[action]
    if left == 0:
        for action in range(mask.shape[0]):
            thinned[action] = mask[action]


@njit
def _answer_to_half(s, mask, thinned, stream, luck):
    if below(luck, OFTEN):
        return NOT_ASKED
    _half(mask, thinned, luck)
    return heuristic(s, thinned, stream)


@njit
def _views(s, out, word):
    """The rich observations of all seats, mixed into a word."""
    for seat in range(np.int64(s.players)):
        out[:] = 0
        observe(s, seat, out)
        for i in range(out.shape[0]):
            word = mixed(word ^ np.uint64(np.int64(out[i])))
    return word


def play_games(S, mask, thinned, out, stream, luck, moves, words):
    """One game in each row: every move and every answer in `moves` (n, T, 2); streams and views in `words` (n, 2)."""
    for i in range(S.shape[0]):
        s, t = S[i], 0
        begin(s, mixed(luck[i].rng))
        while s.seat != NO_SEAT and t < moves.shape[1]:
            fill_mask(s, mask)
            moves[i, t, 1] = _answer_to_half(s, mask, thinned, stream[i], luck[i])
            moves[i, t, 0] = heuristic(s, mask, stream[i])
            if i % 2 and below(luck[i], OFTEN) == 0:
                moves[i, t, 0] = random_legal(mask, luck[i])
            if out.shape[0]:
                words[i, 1] = _views(s, out, words[i, 1])
            step(s, moves[i, t, 0])
            t += 1
        words[i, 0] = stream[i].rng


@lru_cache(None)
def _kernels(game: Game) -> Any:
    return engine.Kernels(game, {"play_games": play_games}, "-heuristic-hash", [Path(__file__)])


def _play(game: Game, players: int, options: dict[str, Any], games: int, features: str | None, found: Any) -> None:
    """Update the hash by that many games."""
    mask = engine.mask_array(game, players)[0]
    out = engine.observation_array(game, players, 1, features)[0] if features else np.zeros(0, np.int16)
    decisions = min(MOST, game.max_decisions(players, options))
    for first in range(0, games, ROWS):
        n = min(ROWS, games - first)
        moves, words = np.full((n, decisions, 2), NOT_ASKED, np.int16), np.zeros((n, 2), np.uint64)
        _kernels(game).play_games(
            game.blank(players, options, n=n), mask, mask.copy(), out, streams(n, first), streams(n, first + 1), moves,
            words,
        )  # fmt: skip
        found.update(moves.tobytes() + words.tobytes())


def heuristic_hash(game: Game, players: int, games: int, features: str | None = None) -> str:
    """The SHA-256 of that many games: half of them with the default options, the others with all other values."""
    default, *others = option_values(game)
    found = hashlib.sha256()
    _play(game, players, default, games // 2 if others else games, features, found)
    for options in others:
        _play(game, players, options, games // 2 // len(others), features, found)
    return found.hexdigest()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.heuristic_hash", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("--players", type=int, help="the player count (all)")
    parser.add_argument("--games", type=int, default=100_000, help="games of all player counts together (100,000)")
    parser.add_argument("--rich", action="store_true", help="the hash covers the rich observations, too")
    given = parser.parse_args(arguments)
    game = registry.load(given.game)
    counts = game.player_counts if given.players is None else (game.check_players(given.players),)
    for players in counts:
        found = heuristic_hash(game, players, given.games // len(counts), "rich" if given.rich else None)
        print(f"{game.name} {players}: {found}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
