"""Manhattan for 2, 3 or 4 players: `from manhattan_env import manhattan_v0; env = manhattan_v0.env(players=4)`."""
