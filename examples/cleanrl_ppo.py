"""PPO in one file, in the manner of CleanRL: one learning seat on `skyline.vector`, with action masks.

    pip install torch==2.13.0
    python examples/cleanrl_ppo.py                                 # Manhattan for two, some minutes
    python examples/cleanrl_ppo.py --game palazzo --players 3 --opponent self --minutes 20 --save palazzo.pt

The opponents move inside the environment, so every row is a plain trajectory of the learning seat: a reward holds all
points since the seat's previous move, also from moves of others, and the next observation is the seat's own.
Where a game ends, the next game begins in the same step, and its learner is the next seat. Rewards are points
minus the mean of the other seats; `--reward outcome` rewards the place alone, which tells less about a single move.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import skyline
from skyline_agents.play import play
from skyline_agents.players.batched import Batched

POINTS = 20.0  # that many points are a reward of 1


class Agent(nn.Module):
    """A policy with masked logits, and a value; both read the seat's own observation."""

    def __init__(self, observation_size: int, actions: int, width: int) -> None:
        super().__init__()

        def network(outputs: int, gain: float) -> nn.Sequential:
            first, second = nn.Linear(observation_size, width), nn.Linear(width, width)
            hidden = [initialised(first, 2**0.5), nn.Tanh(), initialised(second, 2**0.5), nn.Tanh()]
            return nn.Sequential(*hidden, initialised(nn.Linear(width, outputs), gain))

        self.actor, self.critic = network(actions, 0.01), network(1, 1.0)

    def policy(self, observations: torch.Tensor, masks: torch.Tensor) -> Categorical:
        return Categorical(logits=self.actor(observations).masked_fill(~masks, -1e8), validate_args=False)

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        return self.critic(observations).squeeze(-1)

    def act(self, greedy: bool) -> Callable[..., np.ndarray[Any, Any]]:
        """The policy in the form of skyline's opponents and matches."""

        @torch.no_grad()
        def choose(observations: Any, action_mask: Any, seats: Any) -> np.ndarray[Any, Any]:
            policy = self.policy(torch.as_tensor(observations), torch.as_tensor(action_mask, dtype=torch.bool))
            return (policy.probs.argmax(1) if greedy else policy.sample()).numpy()

        return choose


def initialised(layer: nn.Linear, gain: float) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Rollout:
    """`steps` moves of the learning seat in each of n games."""

    def __init__(self, games: skyline.VectorGames, steps: int, reward: str) -> None:
        shape = (steps, games.num_envs)
        self.games, self.reward = games, reward
        self.observations = torch.zeros(*shape, *games.single_observation_space.shape)
        self.masks = torch.zeros(*shape, games.single_action_space.n, dtype=torch.bool)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.log_probs, self.values, self.rewards, self.ended = (torch.zeros(shape) for _ in range(4))

    @torch.no_grad()
    def collect(self, agent: Agent, observation: Any) -> tuple[Any, list[int]]:
        """Play on; the next observation, and the places in all games that have ended."""
        places: list[int] = []
        for t in range(len(self.actions)):
            # The environment writes into the same arrays again, so that kept data must be copied.
            self.observations[t] = torch.as_tensor(observation)
            self.masks[t] = torch.as_tensor(self.games.action_mask)
            policy = agent.policy(self.observations[t], self.masks[t])
            self.actions[t] = policy.sample()
            self.log_probs[t], self.values[t] = policy.log_prob(self.actions[t]), agent.value(self.observations[t])
            learner = self.games.learner.copy()
            observation, reward, ended, _, infos = self.games.step(self.actions[t].numpy())
            if self.reward == "points":
                reward = self.points_ahead(learner)
            self.rewards[t], self.ended[t] = torch.as_tensor(reward), torch.as_tensor(ended)
            if ended.any():
                places += infos["final_info"]["places"][ended, learner[ended]].tolist()
        return observation, places

    def points_ahead(self, learner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The learner's points in the last step minus the mean of the other seats, in units of POINTS."""
        points = self.games.rewards_all
        own, players = points[np.arange(len(learner)), learner], points.shape[1]
        return (own - (points.sum(axis=1) - own) / (players - 1)) / POINTS

    @torch.no_grad()
    def advantages(self, agent: Agent, observation: Any, gamma: float, lamda: float) -> torch.Tensor:
        """Generalised advantages. Where a game has ended, the next observation is another game's and does not count."""
        out, running = torch.zeros_like(self.rewards), torch.zeros(self.games.num_envs)
        next_value = agent.value(torch.as_tensor(observation))
        for t in reversed(range(len(out))):
            goes_on = 1.0 - self.ended[t]
            delta = self.rewards[t] + gamma * goes_on * next_value - self.values[t]
            running = out[t] = delta + gamma * lamda * goes_on * running
            next_value = self.values[t]
        return out


def update(
    agent: Agent, optimiser: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor, args: Any
) -> None:
    """Some epochs of clipped policy updates on the rollout."""
    returns = (advantages + rollout.values).flatten()
    batch = [part.flatten(0, 1) for part in (rollout.observations, rollout.masks, rollout.actions, rollout.log_probs)]
    for _ in range(args.epochs):
        for rows in torch.randperm(len(returns)).split(args.minibatch):
            observations, masks, actions, log_probs = (part[rows] for part in batch)
            policy, advantage = agent.policy(observations, masks), advantages.flatten()[rows]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            ratio = (policy.log_prob(actions) - log_probs).exp()
            policy_loss = -torch.min(advantage * ratio, advantage * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            value_loss = 0.5 * (agent.value(observations) - returns[rows]).square().mean()
            loss = policy_loss + args.value_weight * value_loss - args.entropy_weight * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def train(agent: Agent, games: skyline.VectorGames, args: argparse.Namespace) -> None:
    """Train until the steps or the minutes are over, or until Ctrl-C."""
    optimiser = torch.optim.Adam(agent.parameters(), args.learning_rate, eps=1e-5)
    rollout, begun, done = Rollout(games, args.rollout, args.reward), time.monotonic(), 0.0
    observation, _ = games.reset(seed=args.seed)
    steps, recent = 0, list[int]()
    try:
        while done < 1:
            optimiser.param_groups[0]["lr"] = (1 - done) * args.learning_rate
            observation, places = rollout.collect(agent, observation)
            update(agent, optimiser, rollout, rollout.advantages(agent, observation, args.gamma, args.lamda), args)
            steps += rollout.actions.numel()
            seconds = time.monotonic() - begun
            done = steps / args.steps if args.minutes is None else seconds / (60 * args.minutes)
            recent = (recent + places)[-500:]
            firsts = f"{np.mean(np.array(recent) == 1):.1%}" if recent else "-"
            left = seconds / done - seconds
            print(f"steps {steps:,}  first places {firsts} of the last {len(recent)} games", end="  ")
            print(f"| {steps / seconds:,.0f} steps/s, {max(left, 0):.0f} s left", flush=True)
    except KeyboardInterrupt:
        print(f"stopped after {steps:,} steps")


def first_share(agent: Agent, args: argparse.Namespace) -> float:
    """The share of first places of the policy against random players; every deal is played from every seat."""
    line_up = [Batched(agent.act(greedy=False), args.features), *["random"] * (args.players - 1)]
    results = play(args.game, line_up, args.games, seed=10**6, duplicate=True, auto_forced=True)
    return results.standings()[0].first_share


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    learner = {"seat": "rotate", "features": args.features, "obs_dtype": "float32", "auto_forced": True, "copy": False}
    learner["reward"] = "score" if args.reward == "points" else "outcome"
    games = skyline.vector(args.game, args.envs, args.players, **learner)
    agent = Agent(games.single_observation_space.shape[0], int(games.single_action_space.n), args.width)
    opponent = agent.act(greedy=False) if args.opponent == "self" else args.opponent
    games = skyline.vector(args.game, args.envs, args.players, opponents=opponent, **learner)
    print(f"against random, before: {first_share(agent, args):.1%} first places in {args.games} games", flush=True)
    train(agent, games, args)
    print(f"against random, after: {first_share(agent, args):.1%} first places in {args.games} games")
    if args.save:
        torch.save(agent.state_dict(), args.save)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="manhattan", choices=skyline.games())
    add("--players", type=int, default=2)
    add("--opponent", default="random", choices=["random", "heuristic", "self"], help="self: the policy as it is")
    add("--reward", default="points", choices=["points", "outcome"])
    add("--features", default="base", choices=["base", "rich"])
    add("--steps", type=int, default=300_000, help="moves of the learning seats in all")
    add("--minutes", type=float, help="train so long instead")
    add("--envs", type=int, default=64, help="games side by side")
    add("--rollout", type=int, default=32, help="moves in each game before an update")
    add("--minibatch", type=int, default=512)
    add("--epochs", type=int, default=4)
    add("--width", type=int, default=128, help="units of the two hidden layers")
    add("--learning-rate", type=float, default=1e-3, help="falls linearly to 0")
    add("--gamma", type=float, default=1.0)
    add("--lamda", type=float, default=0.9)
    add("--clip", type=float, default=0.2)
    add("--value-weight", type=float, default=0.5)
    add("--entropy-weight", type=float, default=0.003)
    add("--games", type=int, default=1000, help="of the matches before and after")
    add("--threads", type=int, default=1, help="of torch")
    add("--seed", type=int, default=1)
    add("--save", help="write the weights to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
