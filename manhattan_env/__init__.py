"""Manhattan for 2, 3 or 4 players: `from manhattan_env import manhattan_v1; env = manhattan_v1.env(players=4)`."""
