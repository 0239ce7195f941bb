"""What one seat of Fifth Avenue knows, kept by books of its own from what the seat was told (RULES.md 7.2).

watcher     the books of a seat, written from RULES.md without knowledge of the core
cards       its cards, and a begun raise
agreeing    whether a position agrees with the books
policies    players that hoard, fight, leave, and bring black shuffles
"""
