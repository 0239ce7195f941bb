"""What one seat of Palazzo knows, kept by books of its own from what the seat was told (RULES.md 7.2).

watcher     the books of a seat, written from RULES.md without knowledge of the core
counts      cards by kind
paying      which cards pay what
debt        what a begun action still needs
sure        which cards every possible hand has
piles       the tiles, pile by pile
policies    players that reach shuffles, begun actions and hands that are wholly known
counting    exact chances, counted deal by deal
retelling   the entries of a history, made from positions before and after a move
"""
