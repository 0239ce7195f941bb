"""A tiny card game for 2 to 4 players, which shows and tests the contract of games that others write."""
