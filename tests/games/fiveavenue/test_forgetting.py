"""When no replay of `determinize` agrees with what was seen: the black events are forgotten. [FA-M27]"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fiveavenue_env import dealing
from fiveavenue_env.belief import DESK, draw_in_rounds
from fiveavenue_env.components import FIRST_BLACK
from fiveavenue_env.memory import survey_memory
from fiveavenue_env.remembered import contradiction, unseen_black
from skyline.core.jit import FromPython
from skyline.rng import streams
from tests.games.fiveavenue.cases import COLOURS, at, hands
from tests.support.rule_cases import Core, sized
from tests.support.seeing import copies_of

_draw_in_rounds, _deal_black = FromPython(draw_in_rounds), FromPython(dealing._deal_black)
_survey_memory = FromPython(survey_memory)
COPIES = sized(20, 4)


def shuffled(players: int) -> Core:
    """A game with few black cards after black shuffles, in which seat 0 has several black cards not seen."""
    stacks = {colour: [4, 5, 6, 4, 5, 6] for colour in COLOURS}
    cards = ["brown 5 grey 4 black 4556", "grey 5 black 5646", "violet 5 black 4445", "orange 4 black 64"]
    core = at(players=players, hands=hands(*cards[:players]), stacks=stacks, black=["4d", "6d", "5d", "4d"])
    rng = np.random.default_rng(5)
    while not (core.states["memory_shuffles"][0] and core.states["memory_log_n"][0] > 4 and is_open(core)):
        texts = core.texts()
        liked = [text for text in texts if text.startswith(("add black", "C"))]
        core.play(str(rng.choice(liked if liked and rng.random() < 0.6 else texts)))
    return core


def is_open(core: Core) -> bool:
    """Whether the other hands have unseen black cards of more than one value, and there are others in the stack."""
    s = core.states[0]
    unseen = np.sum([unseen_black(s, p) for p in range(1, core.players)], axis=0)
    return bool((unseen > 0).sum() > 1 and s.memory_unknown > 0 and s.memory_old_all.any())


def dealt_without_a_round(core: Core, stream: int) -> Any:
    """The state with the black cards dealt anew for seat 0, if there is no round at all."""
    row, desk, words = core.states[0].copy(), np.zeros(DESK), streams(1, stream)[0]
    _draw_in_rounds(row, 0, desk, words, 0)
    _deal_black(row, 0, desk, words)
    return row


def black_cards(row: Any) -> tuple[bytes, bytes]:
    """Those of the hands, and the stack."""
    return row["hands"][:, FIRST_BLACK:].tobytes(), row["black"].tobytes()


@pytest.mark.parametrize("players", [3, 4])
def test_black_cards_dealt_without_a_round_depend_on_what_the_seat_knows_alone(players: int) -> None:
    """States that differ in hidden cards alone give the same deal from the same stream."""
    copies = copies_of(shuffled(players), 0, stream=1, copies=COPIES)
    assert len({black_cards(copy.states[0]) for copy in copies}) > 1
    for stream in range(3):
        assert len({black_cards(dealt_without_a_round(copy, stream)) for copy in copies}) == 1
    assert len({black_cards(dealt_without_a_round(copies[0], stream)) for stream in range(20)}) > 1


@pytest.mark.parametrize("players", [3, 4])
def test_black_events_are_forgotten_and_sure_cards_stay(players: int) -> None:
    """The number of unseen cards in each hand stays, and the memory that is left contradicts nothing."""
    (core,) = copies_of(shuffled(players), 0, stream=1)
    before, row = core.states[0], dealt_without_a_round(core, 3)
    assert before["memory_log_n"] > 0 and before["memory_old_all"].any()
    for p in range(players):
        assert sum(unseen_black(row, p)) == sum(unseen_black(before, p))
    assert unseen_black(row, 0) == unseen_black(before, 0)
    assert row["memory_known"].tobytes() == before["memory_known"].tobytes()
    assert (row["memory_log_n"], row["memory_shuffles"]) == (0, 0)
    for field in ("memory_log", "memory_held", "memory_old", "memory_old_all", "memory_old_n", "memory_shown"):
        assert not row[field].any(), field
    assert contradiction(row) is None
    again = row.copy()
    _survey_memory(again)
    assert again.tobytes() == row.tobytes()
    for p in range(players):
        core.game.knowledge(row, p)
