"""What one seat of New York knows, kept by books of its own from what the seat was told (RULES.md 7.2).

watcher     the books of a seat, written from RULES.md without knowledge of the core
policies    players that reach reshuffles, empty decks and the end of the bag
counting    exact chances, counted order by order
retelling   the entries of a history, made from positions before and after a move
"""
