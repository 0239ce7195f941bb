"""The compiled part of the search.

    layout.py      the data: records, and the named arrays of a tree and of its simulations
    playouts.py    from a leaf to a value for every seat
    descent.py     in the tree: choosing edges, widening, finding the node that chance led to
    simulate.py    the kernels: whole simulations, flat Monte Carlo, reuse of a subtree

Every file here is part of the stamp of the kernels' cache folder: an edit compiles the search of every game again.
"""
