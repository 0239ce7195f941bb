"""Palazzo for 2, 3 or 4 players: `from palazzo_env import palazzo_v1; env = palazzo_v1.env(players=4)`."""
