"""MaskablePPO of sb3-contrib, unmodified, on one seat; the masks come from the environment's `action_masks()`.

pip install torch==2.13.0 sb3-contrib; python examples/sb3_maskable_ppo.py --game manhattan --steps 200000
"""

import argparse

from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import skyline
from skyline_agents.play import play
from skyline_agents.players.batched import Batched

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--game", default="manhattan", choices=skyline.games())
parser.add_argument("--steps", type=int, default=200_000)
args = parser.parse_args()

envs = make_vec_env(
    lambda: skyline.single(args.game, 2, seat="rotate", opponents="random", auto_forced=True, obs_dtype="float32"), 16
)
model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=1024, gamma=1.0, gae_lambda=0.99, seed=1, verbose=1)
learner = Batched(lambda observations, masks, seats: model.predict(observations, action_masks=masks)[0])
for steps in (0, args.steps):
    model.learn(steps) if steps else None
    first = play(args.game, [learner, "random"], 1000, seed=10**6, duplicate=True, auto_forced=True).standings()[0]
    print(f"against random after {model.num_timesteps:,} steps: {first.first_share:.1%} first places in 1000 games")
