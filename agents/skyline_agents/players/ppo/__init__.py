"""PPO baselines: training by self-play, and playing with what was trained.

    skyline train ppo manhattan --players 2 --minutes 30        (extra `train`)
    skyline play manhattan -p 2 -a ppo,heuristic --duplicate    the shipped model, without torch
    skyline play manhattan -p 2 -a ppo:runs/mine/model.safetensors,heuristic

    player.py        the agent `ppo`, which plays with NumPy alone
    network.py       a trained policy as NumPy arrays, and its file
    shelf.py         where trained models lie, and which of them plays a game
    tables.py        what a model was trained to observe and answer; carry.py: a model for the tables of now
    settings.py      all hyper-parameters, one line a game
    adaptor.py       SelfPlay: games with one learning seat each as a VecEnv; shaping.py: its rewards
    opponents.py     whom the learner meets
    algorithm.py     MaskablePPO over whole arrays; policy.py: its networks; stopwatch.py: where the time goes
    clone.py         beginning as a copy of the heuristic
    evaluation.py    matches against heuristic and random players
    training.py      a training run; checkpoint.py: the file from which a stopped run goes on
    card.py          what a run leaves beside its model; origin.py: the commit that a card names

docs/ppo.md says how the training works. Training needs torch and Stable-Baselines3, which `skyline train`
(agents/skyline_agents/cli/train.py) imports when it begins.
"""
