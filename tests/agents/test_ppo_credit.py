"""Training by PPO (extra `train`): whose rewards count for which decision, the network, copying the heuristic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
torch = pytest.importorskip("torch")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import CallbackList

from skyline import registry
from skyline.core import engine
from skyline.rng import streams
from skyline_agents.players.ppo import network
from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.algorithm import Algorithm, Buffer, algorithm
from skyline_agents.players.ppo.clone import GAMES as BLOCK
from skyline_agents.players.ppo.clone import Copying, Teacher, clone
from skyline_agents.players.ppo.policy import Policy, Products, Trunk, drawn, found_out, network_of
from skyline_agents.players.ppo.settings import TrainingSettings, settings_for
from skyline_agents.players.ppo.shaping import Potential
from skyline_agents.players.ppo.stopwatch import Stopwatch
from tests.support.playing import MOST, Array, aec, outcomes
from tests.support.ppo_training import FEW, GAME, SMALL, both, by_chance


def selves(game: str, players: int) -> list[Any]:
    """Opponents that are functions of all they are given."""

    def act(observations: Array, masks: Array, seats: Array) -> Array:
        words = np.abs(observations).sum(axis=1) * 100 + seats
        return np.array([np.flatnonzero(m)[int(w) % m.sum()] for m, w in zip(masks, words, strict=True)])

    return [[act, "random", "heuristic"][i % 3] for i in range(players - 1)]


# ---------------------------------------------------------------- credit


@both
@pytest.mark.parametrize("shaping", [False, True])
def test_a_games_rewards_add_up_to_the_learners_outcome(game: str, players: int, shaping: bool) -> None:
    """Less the potential of its first decision, if they are shaped; whoever moved last. The last moves of many games
    are others'."""
    env = SelfPlay(game, players, 2, 8, 5, shaping=shaping)
    env.set_opponents(1, selves(game, players))
    potential = Potential(registry.load(game), players)
    observations, rng = env.reset(), np.random.default_rng(0)
    starts, sums, games = potential(observations) if shaping else np.zeros(16), np.zeros(16), 0
    while games < 3 * players:
        learners = np.concatenate([part.learner.copy() for part in env.games])
        observations, rewards, dones, infos = env.step(by_chance(env, rng))
        sums += rewards
        for row in np.flatnonzero(dones):
            part = env.games[row // 8]
            places = part.game.places(part.finals[row % 8])
            wanted = outcomes(places)[learners[row]]
            assert sums[row] == pytest.approx(wanted - starts[row], abs=1e-4)
            assert infos[row]["episode"]["r"] == env.outcomes[row] == pytest.approx(wanted)
            sums[row], games = 0, games + 1
            starts[row] = potential(observations)[row] if shaping else 0
        assert not env.outcomes[~dones].any()


@both
def test_a_row_is_one_seats_own_trajectory(game: str, players: int) -> None:
    """Every observation is the learner's, at a decision of its own with a choice; it changes with the game only."""
    env = SelfPlay(game, players, 2, 6, 5)
    env.set_opponents(0, selves(game, players))
    observations, rng = env.reset(), np.random.default_rng(0)
    learners = np.concatenate([part.learner for part in env.games])
    for _ in range(150):
        table = env.games[0].game.observation(players)
        assert (table.decode(observations, "rich")["to_move"][:, 0] == 1).all(), "the viewer decides"
        assert (env.action_masks.sum(axis=1) > 1).all()
        for i, part in enumerate(env.games):
            assert np.array_equal(part.current_player, part.learner)
            assert np.array_equal(observations[i * 6 : i * 6 + 6], part.observations)
            assert np.array_equal(env.action_masks[i * 6 : i * 6 + 6], part.action_mask != 0)
        observations, _, dones, infos = env.step(by_chance(env, rng))
        now = np.concatenate([part.learner for part in env.games])
        assert np.array_equal(now, np.where(dones, (learners + 1) % players, learners))
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            assert infos[row]["TimeLimit.truncated"] is False
            assert last.shape == observations[row].shape
            own = env.games[row // 6].final_observation(int(learners[row]))[row % 6]
            assert np.array_equal(last, own)
        learners = now


def test_rewards_come_in_the_others_moves_too() -> None:
    """Whoever does not make the last move of a game is paid for the end of the game all the same."""
    env = aec(GAME, FEW, seed=1)
    movers = []
    while env.agents and not all(env.terminations.values()):
        movers.append(env.agent_selection)
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    batch = SelfPlay(GAME, FEW, 1, 8, 1, shaping=False)
    batch.reset()
    learners = np.concatenate([part.learner for part in batch.games])
    ended, earned = np.zeros(8, bool), np.zeros(8)
    while not ended.all():
        _, rewards, dones, _ = batch.step(batch.action_masks.argmax(axis=1))
        earned += np.where(ended, 0, rewards)
        ended |= dones
    last = env.possible_agents.index(movers[-1])
    others = learners != last
    assert others.any(), "every learner sits where the last move is made: the test shows nothing"
    assert (np.abs(earned[others]) > 0).all()


def filled(model: MaskablePPO, opponents: Any, rollouts: int = 2) -> Any:
    """The model's buffer after some rollouts."""
    model.env.set_opponents(0, opponents)
    _, callback = model._setup_learn(10**6, CallbackList([]))
    for _ in range(rollouts):
        model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps)
    return model.rollout_buffer


def test_nothing_is_bootstrapped_over_the_end_of_a_game() -> None:
    """With lambda 1 the return of a decision is what its game still brings, plus the value of the row's own last
    observation if the game goes on; the values in between do not matter."""
    settings = TrainingSettings(**{**vars(SMALL), "gae_lambda": 1.0, "steps": 96})
    env = SelfPlay(GAME, FEW, 2, 16, 3, features="base")
    model = algorithm(env, settings, 1, Stopwatch())
    model.watch = Stopwatch()
    buffer = filled(model, "random")
    assert buffer.episode_starts[1:].sum() > 20, "games end inside the rollout"
    last = model.policy.predict_values(torch.as_tensor(model._last_obs)).detach().numpy().ravel()
    going_on = ~np.asarray(model._last_episode_starts, bool)
    for row in range(32):
        total = float(last[row]) if going_on[row] else 0.0
        for t in reversed(range(96)):
            if t + 1 < 96 and buffer.episode_starts[t + 1, row]:
                total = 0.0
            total += float(buffer.rewards[t, row])
            assert buffer.returns[t, row] == pytest.approx(total, abs=1e-3)


def test_rollouts_are_those_of_maskable_ppo() -> None:
    """Stable-Baselines3's own loop over the adaptor fills the same buffer as ours over whole arrays."""
    settings, found = SMALL, []
    for kind in (Algorithm, MaskablePPO):
        env = SelfPlay(GAME, FEW, 2, 16, 3, features="base")
        assert is_masking_supported(env)
        model = algorithm(env, settings, 1, Stopwatch())
        if kind is MaskablePPO:
            plain = MaskablePPO(
                Policy, env, policy_kwargs=model.policy_kwargs, gamma=1.0, seed=1, device="cpu",
                n_steps=settings.steps, gae_lambda=settings.gae_lambda,
            )  # fmt: skip
            plain.policy.load_state_dict(model.policy.state_dict())
            model = plain
        torch.manual_seed(0)
        found.append(filled(model, "heuristic", rollouts=4))
        assert np.array_equal(get_action_masks(env), env.action_masks)
    for name in ("observations", "actions", "rewards", "episode_starts", "values", "log_probs", "returns"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name
    assert np.array_equal(found[0].action_masks, found[1].action_masks != 0)
    assert isinstance(found[0], Buffer)
    assert found[0].episode_starts[1:].any()


def test_only_the_masks_are_asked_of_the_rows() -> None:
    env = SelfPlay(GAME, FEW, 1, 4, 3)
    env.reset()
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2
    for ask in (lambda: env.env_method("render"), lambda: env.get_attr("board"), lambda: env.set_attr("a", 1)):
        with pytest.raises(AttributeError, match="the rows of a batch have no"):
            ask()


# ---------------------------------------------------------------- the network


@both
@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_numpy_plays_as_torch(game: str, players: int, activation: str) -> None:
    """The same logits, and the same likeliest legal actions, with and without shared layers."""
    for trunk in ("24", ""):
        chosen = settings_for(game, {"trunk": trunk, "policy": "32+16", "value": "8", "activation": activation})
        env = SelfPlay(game, players, 1, 32, 3)
        model = algorithm(env, chosen, 1, Stopwatch())
        exported, rng = network_of(model.policy, activation), np.random.default_rng(0)
        observations = env.reset()
        for _ in range(10):
            observations, *_ = env.step(by_chance(env, rng))
        with torch.no_grad():
            logits = model.policy.heads(torch.as_tensor(observations))[0].numpy()
        own = exported(observations)
        assert own == pytest.approx(logits, abs=1e-4)
        assert Products(exported, half=False)(observations) == pytest.approx(logits, abs=1e-4)
        assert Products(exported, half=True)(observations) == pytest.approx(
            logits, abs=0.02 * float(np.abs(logits).max())
        )
        wanted, _ = model.policy.predict(observations, deterministic=True, action_masks=env.action_masks)
        assert np.array_equal(network.best(own, env.action_masks), wanted)


def test_the_policy_is_sb3s() -> None:
    """The same values, likeliest actions, probabilities, entropies and gradients as sb3-contrib's own policy."""
    env = SelfPlay(GAME, FEW, 2, 16, 3, features="base")
    ours = algorithm(env, SMALL, 1, Stopwatch()).policy
    kwargs = {"net_arch": {"pi": [32], "vf": [32]}, "features_extractor_class": Trunk,
              "features_extractor_kwargs": {"widths": (32,), "activation": torch.nn.ReLU}}  # fmt: skip
    theirs = MaskableActorCriticPolicy(
        env.observation_space, env.action_space, lambda _: 1e-3, activation_fn=torch.nn.ReLU, **kwargs
    )
    theirs.load_state_dict(ours.state_dict())
    seen, masks = torch.as_tensor(env.reset()), env.action_masks
    actions, values, log_probs = ours(seen, action_masks=masks)
    assert masks[np.arange(32), actions].all()
    for one, other in (
        (ours.evaluate_actions(seen, actions, masks), theirs.evaluate_actions(seen, actions, masks)),
        (ours(seen, True, masks), theirs(seen, True, masks)),
        ((values, log_probs), theirs.evaluate_actions(seen, actions, masks)[:2]),
    ):
        assert all(torch.allclose(a.flatten(), b.flatten(), atol=1e-5) for a, b in zip(one, other, strict=True))
    for policy in (ours, theirs):
        sum(part.mean() for part in policy.evaluate_actions(seen, actions, masks)).backward()
    assert all(
        torch.allclose(a.grad, b.grad, atol=1e-6)
        for a, b in zip(ours.parameters(), theirs.parameters(), strict=True)
    )  # fmt: skip


def test_actions_are_drawn_by_their_probabilities() -> None:
    torch.manual_seed(0)
    probabilities = torch.tensor([0.5, 0.0, 0.2, 0.3, 0.0])
    found = drawn(probabilities.log().repeat(20_000, 1)).bincount(minlength=5) / 20_000
    assert found.tolist() == pytest.approx(probabilities.tolist(), abs=0.015)
    assert found[[1, 4]].tolist() == [0, 0]


def test_bfloat16_is_taken_where_there_is_a_unit_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for has, wanted in ((True, "bfloat16"), (False, "float32")):
        for unit in ("avx512_bf16", "amx_tile"):
            monkeypatch.setattr(torch.cpu, f"_is_{unit}_supported", lambda has=has: has)
        assert found_out(SMALL).precision == wanted
        assert found_out(settings_for(GAME, {"precision": "float32"})).precision == "float32"


def test_products_in_bfloat16_are_nearly_the_same() -> None:
    """Other numbers than in float32, but by the precision of a product only; gradients come in float32."""
    found = []
    for precision in ("float32", "bfloat16"):
        env = SelfPlay(GAME, FEW, 2, 16, 3, features="base")
        policy = algorithm(env, replace(SMALL, precision=precision), 1, Stopwatch()).policy
        values, log_probs, _ = policy.evaluate_actions(
            torch.as_tensor(env.reset()), torch.as_tensor(env.action_masks.argmax(axis=1)), env.action_masks
        )
        log_probs.sum().backward()
        assert all(p.grad is None or p.grad.dtype == torch.float32 for p in policy.parameters())
        found.append((values.detach(), log_probs.detach()))
    for exact, half in zip(*found, strict=True):
        assert not torch.equal(exact, half)
        assert torch.allclose(exact, half, atol=0.05)


# ---------------------------------------------------------------- copying the heuristic


@pytest.mark.parametrize(("game", "players"), [MOST[0], (GAME, FEW)])
def test_a_block_holds_the_heuristics_own_decisions(game: str, players: int) -> None:
    """Without chance moves: games between heuristics, decision by decision from the AEC environment; each value is the
    outcome of the seat that decides."""
    block = Teacher(registry.load(game), players, "base", 0.0, False, seed=7).block()
    found = {
        (o.tobytes(), m.tobytes(), int(a), round(float(v), 4))
        for o, m, a, v in zip(block.observations, block.masks, block.actions, block.values, strict=True)
    }
    scale = registry.load(game).observation(players).per_value("scale").astype(np.float32)
    for row in (0, BLOCK - 1):
        env, stream = aec(game, players, seed=7 + row), streams(BLOCK, 7)[row : row + 1]
        seen, action = [], np.zeros(1, np.int64)
        while not all(env.terminations.values()):
            told = env.last()[0]
            mask = np.ascontiguousarray(told["action_mask"], np.int8)[np.newaxis]
            action[0] = mask.argmax()
            if mask.sum() > 1:
                engine.kernels(env.game).choose_rows(env._states.copy(), mask, np.array([1]), stream, action)
                view = (told["observation"].astype(np.float32) / scale).tobytes()
                seen.append((view, (mask[0] != 0).tobytes(), int(action[0]), env._seat))
            env.step(int(action[0]))
        ends = outcomes(env.game.places(env._states[0]))
        assert {(*decision, round(float(ends[seat]), 4)) for *decision, seat in seen} <= found


def test_values_of_shaped_games_are_less_the_potential() -> None:
    plain, shaped = (Teacher(registry.load(GAME), FEW, "base", 0.1, s, seed=7).block() for s in (False, True))
    phi = Potential(registry.load(GAME), FEW)(plain.observations)
    assert np.array_equal(plain.observations, shaped.observations)
    assert shaped.values == pytest.approx(plain.values - phi, abs=1e-5)


def test_chance_moves_are_played_but_not_taught() -> None:
    quiet, noisy = (Teacher(registry.load(GAME), FEW, "base", noise, False, seed=7).block() for noise in (0.0, 0.3))
    same = min(len(quiet), len(noisy))
    assert not np.array_equal(quiet.observations[:same], noisy.observations[:same])
    first = BLOCK  # the first decisions are those of the same positions
    assert np.array_equal(quiet.actions[:first], noisy.actions[:first])


def test_copying_agrees_more_and_more() -> None:
    env = SelfPlay(GAME, FEW, 1, 4, 3)
    model, heard = algorithm(env, settings_for(GAME, {"trunk": "64", "policy": "64"}), 1, Stopwatch()), []
    teacher = Teacher(registry.load(GAME), FEW, "rich", 0.05, True, seed=7)
    clone(Copying(model.policy, teacher), 0, 120_000, 2e-3, Stopwatch(), lambda c: bool(heard.append(c)) or True)  # type: ignore[func-returns-value]
    assert heard[0].agreement < 0.1
    assert heard[-1].agreement > 0.15
    assert heard[-1].value_error < heard[0].value_error
