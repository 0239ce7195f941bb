"""The layers that are measured, a module for each group: `makers(game, players, threads)` gives the layers of a game.

core, vector, aec, sb3, search      the groups of `skyline bench --layers`
reference                           PettingZoo's connect four, in the same rounds
kernels/                            what the layers compile
"""
