"""Palazzo for 2, 3 or 4 players: `from palazzo_env import palazzo_v0; env = palazzo_v0.env(players=4)`."""
