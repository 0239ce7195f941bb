"""Players that search: information-set Monte Carlo tree search and flat Monte Carlo, over any game of the registry.

    skyline play manhattan -p 2 -a ismcts:1000,heuristic -n 10 --rotate
    skyline play manhattan -p 2 -a ismcts:0.5s,threads=2,flat:500 --watch

    settings.py   budgets and settings, from the texts of a command line
    horizon.py    cut=auto
    forest.py     trees of one search: their arrays, the threads, what is kept for the next move
    players.py    the agents: Ismcts and FlatMonteCarlo
    kernels/      the compiled part

docs/search.md says how it works and what it is good for.
"""
