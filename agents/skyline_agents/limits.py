"""The most that a command or a file may ask for. Nothing is imported here: `skyline --help` reads these numbers."""

from __future__ import annotations

MOST_SEED = 2**64 - 1
MOST_PLAYERS = 64  # that an option accepts; each game says its own counts
MOST_GAMES = 10_000_000  # of an event of a tournament: the plan holds all its line-ups in memory
MOST_PLAYED = 10**9  # games of skyline play
MOST_JOBS = 1024
MOST_THREADS = 256
MOVE_SECONDS = (0.0, 86_400.0)  # the least and the most that the limit of a move may be; 0: any time
