"""TorchRL's PettingZooWrapper over the AEC environment: one masked policy for all seats, whole games collected.

    pip install torch==2.13.0 torchrl
    python examples/torchrl_collect.py --game manhattan --players 3 --frames 2000

A frame has all seats side by side: `("agents", "mask")` is true for the seat that moved, `("agents", "action_mask")`
holds the legal moves of this seat, and `("next", "agents", "reward")` the reward of each seat, whoever moved.
"""

import argparse
import time

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor

import skyline


def policy(env: PettingZooWrapper) -> ProbabilisticActor:
    """Logits from every seat's observation, and a legal move chosen by them."""
    actions = env.observation_spec["agents", "action_mask"].shape[-1]
    network = MLP(out_features=actions, num_cells=[128, 128])
    logits = TensorDictModule(network, [("agents", "observation", "observation")], [("agents", "logits")])
    return ProbabilisticActor(
        logits,
        in_keys={"logits": ("agents", "logits"), "mask": ("agents", "action_mask")},
        out_keys=[("agents", "action")],
        distribution_class=MaskedCategorical,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="manhattan", choices=skyline.games())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--frames", type=int, default=5000, help="moves to collect in all")
    parser.add_argument("--batch", type=int, default=500, help="moves in each batch")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    game = skyline.env(args.game, args.players, obs_dtype="float32")
    env = PettingZooWrapper(game, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=args.seed)
    actor = policy(env)
    sizes = {"frames_per_batch": args.batch, "total_frames": args.frames}
    collector = Collector(env, actor, **sizes, auto_register_policy_transforms=True)
    begun, frames, games, earned = time.perf_counter(), 0, 0, torch.zeros(args.players)
    for batch in collector:
        seats = batch["agents"]
        moved, moves = seats["mask"], seats["action"].unsqueeze(-1)
        assert (moved.sum(-1) == 1).all(), "one seat moves in a frame"
        assert seats["action_mask"].gather(-1, moves).squeeze(-1)[moved].all(), "every move is legal"
        frames += batch.numel()
        games += int(batch["next", "done"].sum())
        earned += batch["next", "agents", "reward"].squeeze(-1).sum(0)
        outcomes = " ".join(f"{sum_ / max(games, 1):+.2f}" for sum_ in earned.tolist())
        speed, left = frames / (time.perf_counter() - begun), args.frames - frames
        print(f"{frames:,} legal moves, {games} games, mean outcome by seat {outcomes}", end=" | ")
        print(f"{speed:,.0f} moves/s, {max(left, 0) / speed:.0f} s left", flush=True)


if __name__ == "__main__":
    main()
