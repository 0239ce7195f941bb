"""A tiny card game for 2 to 4 players, as somebody else may write it: it only shows and tests the contract."""
