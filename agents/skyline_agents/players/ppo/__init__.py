"""PPO baselines: training by self-play, and playing with what was trained.

    skyline train ppo manhattan --players 2 --minutes 30        (extra `train`)
    skyline play manhattan -p 2 -a ppo,heuristic --duplicate    the shipped model, without torch
    skyline play manhattan -p 2 -a ppo:runs/mine/model.safetensors,heuristic

    player.py        the agent
    network.py       a policy as NumPy arrays; safetensors.py: its file
    settings.py      all hyper-parameters, one line a game
    adaptor.py       SelfPlay: games with one learning seat each as a VecEnv; shaping.py: its rewards
    opponents.py     whom the learner meets
    algorithm.py     MaskablePPO over whole arrays, its policy; stopwatch.py: where the time goes
    clone.py         beginning as a copy of the heuristic
    evaluation.py    matches against the heuristic and random ones
    training.py      the run; checkpoint.py: what goes on after a stop; card.py: what is left of it

docs/ppo.md tells how it works. Training needs torch and Stable-Baselines3, which `skyline train`
(agents/skyline_agents/cli/train.py) imports when it begins.
"""
