"""Fifth Avenue for 2 to 4 players: `from fiveavenue_env import fifth_avenue_v1; fifth_avenue_v1.env(players=4)`."""
