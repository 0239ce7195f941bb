"""When no try of `determinize` agrees with what was seen: the deal then remembers less, and shows nothing. [MH-M22]"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from manhattan_env.belief import deal_in_tries
from manhattan_env.replays import deal_in_replays
from skyline.core.jit import FromPython
from skyline.rng import streams
from tests.games.manhattan.cases import at
from tests.games.manhattan.memory_cases import MANHATTAN
from tests.games.manhattan.views import played
from tests.support.rule_cases import Core, sized
from tests.support.seeing import copies_of, determinized

_deal_in_tries, _deal_in_replays = FromPython(deal_in_tries), FromPython(deal_in_replays)
COPIES = sized(20, 4)


def hard_to_deal() -> Core:
    """Each of the three other hands had three further cards of two kinds when it discarded a 3, because it could have
    built with any other kind: of 35,000,000 even deals about one agrees."""
    hands = [[3, 3, 6, 7], [0, 0, 0, 8], [0, 0, 1, 8], [1, 1, 1, 2]]
    plays = [[seat, 3, [2, 4, 5, 6, 7, 8]] for seat in (1, 2, 3)]
    deck = [1, *[2] * 4, *[4] * 5, *[5] * 5, *[6] * 4, *[7] * 4, *[8] * 3]
    position = {"players": 4, "marker": 1, "turn": 3, "hands": hands, "played": [[], [3], [3], [3]], "deck": deck}
    return at(**position, memory=[{"plays": plays}])


def late(players: int) -> Core:
    return played(players, 7, 80)


def fewest_tries(core: Core, stream: int) -> Any:
    """The deal for seat 0 if there is no try at all."""
    row = core.states[0].copy()
    exact = core.players == 2 or not row.memory_shuffles
    (_deal_in_tries if exact else _deal_in_replays)(row, 0, streams(1, stream)[0], 0)
    row.rng, row.deck[row.deck_size :] = 0, 0  # what `determinize` does behind a deal
    return row


@pytest.mark.parametrize("core", [hard_to_deal(), *map(late, (2, 3, 4))], ids=["discards", 2, 3, 4])
def test_a_deal_without_a_try_depends_on_what_the_seat_knows_alone(core: Core) -> None:
    """States that differ in hidden cards alone give the same deal from the same stream."""
    copies = copies_of(core, 0, stream=1, copies=COPIES)
    hidden = {copy.states["hands"].tobytes() for copy in copies}
    for stream in range(3):
        deals = {fewest_tries(copy, stream).tobytes() for copy in copies}
        assert len(deals) == 1
    dealt = {fewest_tries(copies[0], stream)["hands"].tobytes() for stream in range(10)}
    assert len(hidden) > 1 and len(dealt) > 1


@pytest.mark.parametrize("core", [hard_to_deal(), *map(late, (2, 3, 4))], ids=["discards", 2, 3, 4])
def test_such_a_deal_is_a_state_that_can_be(core: Core) -> None:
    """Known cards and sizes of hands stay; the memory fits the hands, so that the deal can be dealt again."""
    for copy in copies_of(core, 0, stream=1, copies=2):
        before = copy.position()
        dealt = Core(MANHATTAN, fewest_tries(copy, 5).reshape(1))
        after = dealt.position()
        assert Core.at("manhattan", after).position() == after
        assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
        assert (after["hands"][0], after["played"]) == (before["hands"][0], before["played"])
        if copy.players == 2 or not copy.states["memory_shuffles"][0]:
            assert [[play[:2] for play in part["plays"]] for part in before["memory"]] == [
                part["plays"] for part in after["memory"]
            ]
        else:
            assert after["memory"] == [{"plays": []}]
        for seat in range(copy.players):
            determinized(dealt, seat, stream=2)
            MANHATTAN.knowledge(dealt.states[0], seat)


def test_discards_are_forgotten_where_hardly_a_deal_agrees() -> None:
    """`determinize` comes to its end, and two states with other hidden cards give the same deals."""
    core = hard_to_deal()
    other = core.copy()
    other.states["hands"][0, 1:4] = core.states["hands"][0, 3:0:-1]
    assert not np.array_equal(core.states["hands"], other.states["hands"])
    rows, others = (determinized(game, 0, stream=3, copies=2) for game in (core, other))
    assert rows.tobytes() == others.tobytes()
    for row in rows:
        assert [play & 63 for play in core.states["memory_plays"][0]] == row["memory_plays"].tolist()
        assert row["hands"].sum(axis=1).tolist() == [4] * 4
    assert rows[0]["hands"].tobytes() != rows[1]["hands"].tobytes()
