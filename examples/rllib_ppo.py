"""RLlib's PPO in self-play, with RLlib's PettingZooEnv, new API stack and ActionMaskingTorchRLModule for every seat.

    python -m venv rllib && rllib/bin/pip install . 'ray[rllib]' torch==2.13.0       # pins an older Gymnasium
    rllib/bin/python examples/rllib_ppo.py --game manhattan --players 2 --iterations 50

One module plays all seats. PettingZooEnv gives a seat the reward since its own previous move, and at the end of the
game every seat gets its last observation and reward, so that each seat has a complete episode of its own.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import skyline
from skyline_agents.play import play
from skyline_agents.players.batched import Batched

SHARED = "shared"  # the module of all seats


class Observations(BaseWrapper):
    """Renames the observation to the key that RLlib's masking module reads."""

    def observation_space(self, agent: str) -> spaces.Dict:
        parts = super().observation_space(agent)
        return spaces.Dict(observations=parts["observation"], action_mask=parts["action_mask"])

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"]}


def make(config: dict[str, Any]) -> PettingZooEnv:
    return PettingZooEnv(Observations(skyline.env(obs_dtype="float32", auto_forced=True, **config)))


def configuration(args: argparse.Namespace) -> PPOConfig:
    register_env("skyline", make)
    settings = {"game": args.game, "players": args.players}
    env = make(settings)
    agent = env.possible_agents[0]
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=env.observation_spaces[agent],
        action_space=env.action_spaces[agent],
        model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "tanh", "vf_share_layers": False},
    )
    return (
        PPOConfig()
        .environment(
            "skyline", env_config=settings, disable_env_checking=True
        )  # the check plays actions outside the mask
        .env_runners(num_env_runners=args.runners, batch_mode="complete_episodes")
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: module}))
        .training(gamma=1.0, lambda_=0.95, lr=5e-4, entropy_coeff=0.003, grad_clip=0.5)
        .training(train_batch_size_per_learner=args.batch, minibatch_size=min(512, args.batch), num_epochs=4)
        .debugging(seed=args.seed, log_level="ERROR")
    )


def sampled(module: Any) -> Callable[..., np.ndarray[Any, Any]]:
    """The module in the form of skyline's matches."""

    @torch.no_grad()
    def choose(observations: Any, action_mask: Any, seats: Any) -> np.ndarray[Any, Any]:
        seen = {"observations": torch.as_tensor(observations), "action_mask": torch.as_tensor(action_mask)}
        logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="manhattan", choices=skyline.games())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--batch", type=int, default=6000, help="moves of all seats in an iteration")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0 = this one")
    parser.add_argument("--games", type=int, default=500, help="of the matches before and after")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    algorithm = configuration(args).build_algo()
    line_up = [Batched(sampled(algorithm.get_module(SHARED))), *["random"] * (args.players - 1)]

    def report(when: str) -> None:
        first = play(args.game, line_up, args.games, seed=10**6, duplicate=True, auto_forced=True).standings()[0]
        print(f"against random, {when}: {first.first_share:.1%} first places in {args.games} games", flush=True)

    report("before")
    try:
        for iteration in range(1, args.iterations + 1):
            result = algorithm.train()
            moves, seconds = int(result["num_env_steps_sampled_lifetime"]), result["time_total_s"]
            left = seconds / iteration * (args.iterations - iteration)
            print(f"iteration {iteration} of {args.iterations}: {moves:,} moves | {left:.0f} s left", flush=True)
    except KeyboardInterrupt:
        print("stopped")
    report("after")
    algorithm.stop()


if __name__ == "__main__":
    main()
