"""The memory of a position: it is one that a game can have come to. [RULES.md FA-M21, section 10]

Why no index of the jitted functions can leave its array afterwards: sure cards are in the hands; first and unknown
parts are parts of their stacks; there are at most as many events and shuffles as the state keeps; in no hand are there
ever more unseen cards than it can have had, and between two shuffles no black card counts twice, so that all tables of
chances keep their size and further events find room (a span has at most 100 events).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.loading_auction import values_of
from fiveavenue_env.memory import forget, survey_memory
from fiveavenue_env.position import values_counted
from fiveavenue_env.remembered import contradiction
from skyline.core.jit import FromPython
from skyline.positions import by_seat
from skyline.reading import Fields, Value

_forget, _survey = FromPython(forget), FromPython(survey_memory)

MEMORY_FIELDS = ("known", "first", "unknown", "blacks")


def load_memory(s: Any, given: Fields) -> None:
    """The field `memory`; hands, stacks and the auction are there already."""
    _forget(s)
    memory = given.get("memory", None)
    if memory.is_null:
        return
    fields = memory.object(*MEMORY_FIELDS)
    _load_known(s, fields)
    for name, number in fields.get("first", {}).object(*box.COLOUR_NAMES[: box.COLOURS]):
        colour = box.COLOUR_NAMES.index(name)
        s.memory_first[colour] = number.whole(0, int(s.stack_end[colour] - s.stack_top[colour]))
    s.memory_unknown = fields.get("unknown", int(s.black_above)).whole(0, int(s.black_above))
    _load_blacks(s, fields.get("blacks", [{"events": []}]))
    if fault := contradiction(s):
        fields.get("blacks", []).fault(fault)
    _survey(s)


def _load_known(s: Any, fields: Fields) -> None:
    for p, cards in enumerate(by_seat(s, fields, "known", {})):
        for name, values in cards.object(*box.COLOUR_NAMES):
            colour = box.COLOUR_NAMES.index(name)
            known = np.array(values_counted(values_of(values, int(box.CARDS_OF_COLOUR[colour]))))
            if (known > s.hands[p, 3 * colour : 3 * colour + 3]).any():
                values.fault(f"sure cards are in the hand, and seat {p} does not hold these {name} ones")
            s.memory_known[p, 3 * colour : 3 * colour + 3] = known


def _load_blacks(s: Any, blacks: Value) -> None:
    log: list[int] = []
    for number, span in enumerate(blacks.list(1, state.MEMORY_SHUFFLES + 1)):
        fields = span.object("held", "events", need=("held", "events") if number else ("events",))
        if number:
            log.append(state.SHUFFLED)
            _load_held(s, number - 1, fields["held"])
        elif "held" in fields:
            fields["held"].fault("before the first shuffle there is none at which cards are held")
        for event in fields["events"].list(most=2 * box.BLACK_STACK):
            seat, what = event.row(2)
            log.append(4 * seat.whole(0, int(s.players) - 1) + (0 if what.raw == "draw" else what.whole(4, 6) - 3))
        s.memory_shuffles = number
    if len(log) > state.MEMORY_EVENTS:
        blacks.fault(f"at most {state.MEMORY_EVENTS} events and shuffles are kept")
    s.memory_log[: len(log)], s.memory_log_n = log, len(log)


def _load_held(s: Any, shuffle: int, held: Value) -> None:
    for p, values in enumerate(held.row(int(s.players))):
        s.memory_held[shuffle, p] = values_counted(values_of(values, box.BLACK_STACK))
    found = s.memory_held[shuffle].sum(axis=0)
    if (found > box.BLACK_CARDS).any():
        held.fault("there are 20, 16 and 14 black cards of the values 4, 5 and 6")
