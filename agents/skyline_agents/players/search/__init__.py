"""Players that search: information-set Monte Carlo tree search and flat Monte Carlo, over any game of the registry.

    skyline play manhattan -p 2 -a ismcts:1000,heuristic -n 10 --rotate
    skyline play manhattan -p 2 -a ismcts:0.5s,threads=2,flat:500 --watch

    settings.py   budgets and settings, read from the texts of a command line
    horizon.py    cut=auto
    tree.py       one tree: its arrays, and what is kept for the next move
    forest.py     the trees of one search, the threads over them, the budget
    flat.py       flat Monte Carlo
    warm.py       compiling ahead
    players.py    the agents: Ismcts and FlatMonteCarlo
    kernels/      the compiled part

docs/search.md says how the search works and what it is good for.
"""
