"""What one seat of Manhattan knows, kept by books of its own from what the seat was told (RULES.md 7.2).

watcher     the books of a seat, written from RULES.md without knowledge of the core
policies    players that bring DISCARDs
discards    the exact books after a DISCARD
"""
