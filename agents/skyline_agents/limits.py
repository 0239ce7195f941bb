"""The largest values that a command or a file may ask for. `skyline --help` shows them, so nothing is imported here."""

from __future__ import annotations

MOST_SEED = 2**64 - 1
MOST_PLAYERS = 64  # that an option accepts; every game has its own counts
MOST_GAMES = 10_000_000  # of an event of a tournament, whose schedule holds all line-ups in memory
MOST_PLAYED = 10**9  # games of one `skyline play`
MOST_JOBS = 1024
MOST_THREADS = 256
MOVE_SECONDS = (0.0, 86_400.0)  # the least and the largest limit of a move; 0: no limit
