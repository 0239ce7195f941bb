"""Game records: write, replay, verify; and states as JSON positions. One file a game, JSON Lines:

    {"record": 1, "game": "manhattan", "players": 4, "options": {}, "seed": 7, "setup": {...}}
    {"player": 0, "move": "take 1 1 2 2 3 4"}            with legal moves: , "legal": [...]
    {"shuffle": {"deck": "cards", "order": [...]}}       what the move before it brought by chance
    {"end": {"scores": [...], "places": [...]}}

The head may also have "agents": [..], the names of the players by seat, and "memory": "table", the setting of the
playing's states where it is not the default; neither setup nor moves depend on them.
The setup and shuffle lines hold everything random, so a record replays without knowing the random generator.

positions   a state as data and back
history     what happened, told to a seat
writing     `Recorder`: plays a game and writes its record
parsing     the lines of a record, read and checked for their form
replaying   a record played again and checked against the rules
format      what the lines hold, and the error that names one of them
"""

from skyline.record.format import RecordError
from skyline.record.history import History, told
from skyline.record.parsing import Move, Record, read
from skyline.record.positions import position_of, state_of
from skyline.record.replaying import replay, verify
from skyline.record.writing import Recorder

__all__ = [
    "History",
    "Move",
    "Record",
    "RecordError",
    "Recorder",
    "position_of",
    "read",
    "replay",
    "state_of",
    "told",
    "verify",
]
