"""Tianshou: a masked DQN learns the seat of player_0 against random players, by PettingZooEnv and multi-agent classes.

    pip install torch==2.13.0 tianshou
    python examples/tianshou_dqn.py --game manhattan --players 2 --epochs 20

Tianshou keeps the moves of all seats in one row of its buffer, so that the next observation of a transition belongs to
the next seat. A seat must not bootstrap from this observation. So returns go to the end of the game
(`n_step_return_horizon`), and only whole games are collected; a return has the rewards of all moves, whoever moved.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import skyline
from skyline_agents.play import play
from skyline_agents.players.batched import Batched


def make(args: argparse.Namespace) -> PettingZooEnv:
    return PettingZooEnv(skyline.env(args.game, args.players, obs_dtype="float32", auto_forced=True))


def learner(env: PettingZooEnv, most_moves: int) -> DQN:
    """Deep Q-learning of the return to the end of the game."""
    observation, actions = env.observation_space["observation"], env.action_space
    net = Net(state_shape=observation.shape, action_shape=actions.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, observation_space=observation, eps_training=0.2)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=most_moves)


def greedy(policy: DiscreteQLearningPolicy) -> Callable[..., np.ndarray[Any, Any]]:
    """The policy in the form of skyline's matches."""

    @torch.no_grad()
    def choose(observations: Any, action_mask: Any, seats: Any) -> np.ndarray[Any, Any]:
        return policy(Batch(obs=Batch(obs=observations, mask=action_mask.astype(bool)), info=Batch())).act

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="manhattan", choices=skyline.games())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--epoch-moves", type=int, default=10_000, help="moves of all seats in an epoch")
    parser.add_argument("--envs", type=int, default=16, help="games side by side")
    parser.add_argument("--games", type=int, default=500, help="of the matches before and after")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    np.random.seed(args.seed)  # noqa: NPY002 - Tianshou explores with NumPy's global generator
    torch.manual_seed(args.seed)
    env, envs = make(args), DummyVectorEnv([lambda: make(args) for _ in range(args.envs)])
    envs.seed([args.seed + i for i in range(args.envs)])
    game = env.env.game
    dqn = learner(env, game.max_decisions(args.players, game.check_options({})))
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(args.players - 1)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, *others], env=env)
    line_up = [Batched(greedy(dqn.policy)), *["random"] * (args.players - 1)]

    def report(when: str) -> None:
        first = play(args.game, line_up, args.games, seed=10**6, auto_forced=True).standings()[0]
        print(
            f"player_0 against random, {when}: {first.first_share:.1%} first places in {args.games} games", flush=True
        )

    report("before")
    collector = Collector[CollectStats](
        algorithm, envs, VectorReplayBuffer(2 * args.epoch_moves, args.envs), exploration_noise=True
    )
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=args.epochs,
            epoch_num_steps=args.epoch_moves,
            collection_step_num_env_steps=None,
            collection_step_num_episodes=args.envs,
            update_step_num_gradient_steps_per_sample=0.05,
            batch_size=512,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
        )
    )
    report("after")


if __name__ == "__main__":
    main()
