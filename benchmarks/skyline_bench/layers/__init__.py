"""The layers, in a module for each group: `makers(game, players, threads)` returns functions that make the layers.

core, vector, aec, sb3, search      the groups of `skyline bench --layers`
reference                           PettingZoo's connect four, in the same rounds
kernels/                            the compiled functions of the layers
"""
