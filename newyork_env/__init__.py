"""New York for 2 to 6 players: `from newyork_env import new_york_v1; env = new_york_v1.env(players=4)`."""
