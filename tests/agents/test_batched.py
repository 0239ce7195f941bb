"""A batched policy function as an agent: it is shown what `skyline.vector` and the AEC environment show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skyline
from skyline import registry
from skyline_agents.play import play
from skyline_agents.players.batched import Batched
from tests.support.playing import FEWEST, Array, aec

GAME = registry.names()[0]
P = registry.load(GAME).player_counts[0]


def weighing(observations: Array, masks: Array, seats: Array) -> Array:
    """A legal action that depends on every value of what is seen."""
    words = (observations * np.arange(1, observations.shape[1] + 1)).sum(axis=1, dtype=np.float64) * 60 + seats
    return np.array(
        [np.flatnonzero(mask)[int(abs(word)) % mask.sum()] for mask, word in zip(masks, words, strict=True)]
    )


def final_scores(game: str, players: int, seed: int, **settings: Any) -> list[int]:
    """Of the game that `weighing` plays from the environment's own observations."""
    env = aec(game, players, seed=seed, **settings)
    for agent in env.agent_iter():
        seen, _, terminated, _, _ = env.last()
        if terminated:
            break
        row = [seen["observation"][None], seen["action_mask"][None], np.array([env.possible_agents.index(agent)])]
        env.step(int(weighing(*row)[0]))
    return [int(score) for score in env.unwrapped._states["scores"][0, :players]]


@pytest.mark.parametrize("settings", [{}, {"features": "rich", "obs_dtype": "int16"}], ids=["default", "rich int16"])
@pytest.mark.parametrize(("game", "players"), FEWEST)
def test_a_policy_plays_in_a_match_what_it_plays_in_the_environment(
    game: str, players: int, settings: dict[str, str]
) -> None:
    results = play(game, [Batched(weighing, **settings) for _ in range(players)], 5, players=players, seed=3)
    env_settings = {"obs_dtype": "float32", **settings}
    expected = [final_scores(game, players, 3 + i, **env_settings) for i in range(5)]
    assert results.column("scores").tolist() == expected


def test_games_side_by_side_are_one_question() -> None:
    widths = []

    def policy(observations: Array, masks: Array, seats: Array) -> Array:
        widths.append(len(observations))
        return masks.argmax(axis=1)

    play(GAME, [Batched(policy), "random"], 7, players=P, seed=1, rotate=True)
    assert max(widths) > 1


def test_a_policy_for_masks_as_bits_plays_the_same() -> None:
    def from_bits(observations: Array, bits: Array, seats: Array) -> Array:
        return weighing(observations, skyline.unpack_mask(bits, registry.load(GAME).actions(P).size), seats)

    results = [
        play(GAME, [agent, "random"], 5, players=P, seed=3).column("scores").tolist()
        for agent in (Batched(weighing), Batched(from_bits, mask_dtype="bits"))
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize("settings", [{"features": "poor"}, {"obs_dtype": "float64"}, {"mask_dtype": "bools"}])
def test_wrong_settings_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Batched(weighing, **settings)


def test_too_few_answers_are_told() -> None:
    with pytest.raises(ValueError, match=r"Batched\.act_many gave 1 actions for 3 views"):
        play(GAME, [Batched(lambda observations, masks, seats: masks[:1].argmax(axis=1))] * P, 3, players=P)
