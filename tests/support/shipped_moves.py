"""What the shipped models play: hashes of the moves of whole games, and logits of their first decisions.

    python -m tests.support.shipped_moves       writes both files anew: only for models that were trained anew

The files were written before observations had slices of what is remembered. Games with a decision in which the two best
logits are nearly equal are left out: there the order of a sum decides, which differs between machines.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.game import NO_SEAT, Game
from skyline.rng import streams
from skyline.typing import Array
from skyline_agents.players.ppo import shelf
from skyline_agents.players.ppo.network import TrainedModel, best, load
from skyline_agents.protocol import action_masks, observations, views_of

AGENTS = Path(__file__).parents[1] / "agents"
MOVES, LOGITS = AGENTS / "shipped_moves.json", AGENTS / "shipped_logits.npz"
GAMES, MOST_MOVES, DECISIONS = 20, 200, 1000
LEAST_GAP = 1e-3  # between the two best logits of a decision
RULES: dict[str, dict[str, Any]] = {
    "new_york": {"overpay": False}
}  # options by game, where the present defaults are not those of the files


@dataclass
class Playing:
    """What a model played in all seats of n games, up to MOST_MOVES moves each."""

    texts: list[list[str]]  # of each game
    logits: Array  # (DECISIONS, 2): the largest and the mean logit of the legal actions of the first decisions
    gaps: Array  # (n,): the least gap of the two best logits in each game


def stems() -> list[str]:
    return sorted(path.stem for path in shelf.SHIPPED.glob("*.safetensors"))


def model(stem: str) -> TrainedModel:
    return load(shelf.SHIPPED / f"{stem}.safetensors")


def played(trained: TrainedModel, seeds: list[int]) -> Playing:
    """The model plays the games of some seeds."""
    game, n = registry.load(trained.game), len(seeds)
    states, mask = _dealt(game, trained.players, seeds)
    texts: list[list[str]] = [[] for _ in seeds]
    found, gaps = np.zeros((0, 2)), np.full(n, np.inf)
    for _ in range(MOST_MOVES):
        rows = np.flatnonzero(states["seat"] != NO_SEAT)
        if len(rows) == 0:
            break
        views = views_of(game, states[rows], mask[rows], streams(len(rows), 0), {})
        logits, masks = trained.network(observations(views, trained.features, "float32")), action_masks(views)
        actions = best(logits, masks)
        legal = np.sort(np.where(masks != 0, logits, -np.inf), axis=1)
        gaps[rows] = np.minimum(gaps[rows], legal[:, -1] - legal[:, -2])
        means = np.where(masks != 0, logits, 0).sum(axis=1) / masks.sum(axis=1)
        found = np.concatenate([found, np.stack([legal[:, -1], means], axis=1)])
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            texts[row].append(game.move_text(states[row], action))
        rewards = np.zeros((n, trained.players), np.float32)
        engine.kernels(game).step_some(states, rows, actions, mask, rewards, engine.SCORE)
    return Playing(texts, found[:DECISIONS].astype(np.float32), gaps)


def _dealt(game: Game, players: int, seeds: list[int]) -> tuple[Array, Array]:
    n, options = len(seeds), RULES.get(game.name, {})
    states, mask = game.blank(players, game.check_options(options), n), engine.mask_array(game, players, n)
    rewards, words = np.zeros((n, players), np.float32), np.array(seeds, np.uint64)
    engine.kernels(game).begin_rows(states, words, np.arange(n), mask, rewards, False)
    return states, mask


def digest(texts: list[str]) -> str:
    """The number of moves of a game, and a hash of their texts."""
    return f"{len(texts)} {hashlib.sha256(chr(10).join(texts).encode()).hexdigest()[:32]}"


def kept() -> dict[str, dict[str, str]]:
    """The hashes of the games of every model by their seeds."""
    found: dict[str, dict[str, str]] = json.loads(MOVES.read_text())
    return found


def main() -> None:
    moves: dict[str, dict[str, str]] = {}
    logits: dict[str, Array] = {}
    for stem in stems():
        trained = model(stem)
        gaps = played(trained, list(range(2 * GAMES))).gaps
        seeds = np.flatnonzero(gaps > LEAST_GAP)[:GAMES].tolist()
        found = played(trained, seeds)
        moves[stem] = {str(seed): digest(texts) for seed, texts in zip(seeds, found.texts, strict=True)}
        logits[stem] = found.logits
        print(stem, len(seeds), "games", found.gaps.min(), found.logits.shape)
    MOVES.write_text(json.dumps(moves, indent=1) + "\n")
    np.savez_compressed(LOGITS, **logits)


if __name__ == "__main__":
    main()
