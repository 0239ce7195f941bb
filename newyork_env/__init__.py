"""New York for 2 to 6 players: `from newyork_env import new_york_v0; env = new_york_v0.env(players=4)`."""
