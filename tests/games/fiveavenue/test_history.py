"""What a seat is told of the cards that move, and what it sees of the memory in observations, texts and pictures."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from fiveavenue_env.actions import BID
from skyline.rng import streams
from tests.games.fiveavenue.cases import BOARDS, COLOURS, PLAYERS, at, bid, bidding, forgetful, hands
from tests.games.fiveavenue.test_memory import CASES, reached
from tests.games.fiveavenue.views import CARD_COLOURS, FIFTH_AVENUE, cards, deal, positions
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import decoded, determinized, heuristic_actions

RECALL = (
    "known",
    "covered",
    "hidden",
    "first_part",
    "under",
    "next",
    "unknown_part",
    "old",
    "own_old",
    "old_n",
    "shown",
    "out",
)


def totals(movements: list[Json]) -> dict[tuple[str, str], int]:
    """The number of cards by the places between which they move."""
    found: dict[tuple[str, str], int] = Counter()
    for movement in movements:
        number = movement["cards"]
        found[movement["from"], movement["to"]] += number if isinstance(number, int) else len(number)
    return found


def check_told(shown: list[Json], told: list[Json], seat: int) -> None:
    """A seat is told the same movements, and of hidden cards their number; its own draws it sees."""
    assert json.loads(json.dumps(told)) == told
    assert [(m["from"], m["to"], m.get("shuffled")) for m in told] == [
        (m["from"], m["to"], m.get("shuffled")) for m in shown
    ]
    assert totals(told) == totals(shown)
    for one, other in zip(told, shown, strict=True):
        if isinstance(one["cards"], int):
            assert one["from"].split()[0] in ("stack", "box", "park") and one["to"] != f"hand {seat}"
        else:
            assert one["cards"] == other["cards"]
            hidden = one["from"].startswith("stack") and one["to"].startswith("hand")
            assert not hidden or one["to"] == f"hand {seat}"


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_is_told_what_it_may_see(players: int, board: int) -> None:
    core, rng, luck = deal(players, 4, board), np.random.default_rng(4), streams(1, 4)
    rows, seen = [core.states.copy()], FIFTH_AVENUE.seen
    for seat in range(players):
        check_told(seen(None, -1, rows[0][0], None), seen(None, -1, rows[0][0], seat), seat)
    for move in range(sized(10**6, 120)):
        if core.seat is None:
            break
        before = core.states.copy()
        wise = move % 4 == 0
        action = heuristic_actions(core.game, core.states, luck)[0] if wise else int(rng.choice(core.actions()))
        core.step(action)
        shown = seen(before[0], action, core.states[0], None)
        for seat in range(players):
            check_told(shown, seen(before[0], action, core.states[0], seat), seat)
            after = forgetful(core.copy()).states[0]
            assert seen(before[0], action, after, seat) == seen(before[0], action, core.states[0], seat)


def test_a_round_of_auctions_told() -> None:
    """FA-57, FA-60, FA-63, FA-64, FA-105: cards laid, taken back, put under, and the shuffle."""
    core = bidding("grey 4 black 5", "brown 6 black 66", black=["5d", "5d", "4d"], stacks={"brown": [4], "grey": [5]})
    told = []
    for text in (*bid("grey 4"), *bid("brown 6 black 6"), "pass", "build 0"):
        before = core.states.copy()
        action = FIFTH_AVENUE.parse_move(before[0], text)
        core.step(action)
        told.append(FIFTH_AVENUE.seen(before[0], action, core.states[0], 0))
    assert told[0] == [{"from": "hand 0", "to": "table 0", "cards": ["grey 4"]}]
    assert told[1] == []
    assert told[4] == [{"from": "stack black", "to": "egon", "cards": ["black 5"]}] * 2
    assert told[5] == [
        {"from": "table 0", "to": "hand 0", "cards": ["grey 4"]},
        {"from": "table 1", "to": "stack brown", "cards": ["brown 6"]},
        {"from": "table 1", "to": "stack black", "cards": ["black 6"]},
        {"from": "egon", "to": "stack black", "cards": ["black 5", "black 5"]},
    ]
    before = core.states.copy()
    action = FIFTH_AVENUE.parse_move(before[0], "move white 34W")
    assert told[6] == []
    assert action >= 0


def test_draws_and_shuffles_told() -> None:
    """FA-9, FA-10, FA-R22: the draws of a D in their order, with the shuffle between them."""
    core = at(black=["4d", "5d", "6u", "6u"], commissions={"white": "TS"}, lots={"TS": {"brown": "0:1"}})
    before = core.states.copy()
    core.play("D TS")
    told = FIFTH_AVENUE.seen(before[0], FIFTH_AVENUE.parse_move(before[0], "D TS"), core.states[0], 1)
    assert told == [
        {"from": "stack black", "to": "hand 0", "cards": 1},
        {"from": "stack black", "to": "hand 0", "cards": 1},
        {"from": "stack black", "to": "stack black", "cards": 2, "shuffled": True},
        {"from": "stack black", "to": "hand 1", "cards": ["black 6"]},
        {"from": "stack black", "to": "hand 2", "cards": 1},
    ]


def test_a_shuffle_after_an_auction_is_told() -> None:
    """FA-64, FA-R10: the winner's black cards come under an empty stack and are shuffled at once."""
    core = bidding("brown 6 black 64", "", "", auction={"passed": [1, 2]})
    core.play_all(["add brown 6", "add black 6", "add black 4"])
    before = core.states.copy()
    core.play("bid")
    told = [FIFTH_AVENUE.seen(before[0], BID, core.states[0], seat) for seat in (1, None)]
    assert told[0] == [
        {"from": "table 0", "to": "stack brown", "cards": ["brown 6"]},
        {"from": "stack brown", "to": "open brown", "cards": ["brown 6"]},
        {"from": "table 0", "to": "stack black", "cards": ["black 6", "black 4"]},
        {"from": "stack black", "to": "stack black", "cards": 2, "shuffled": True},
    ]
    assert sorted(told[1][-1]["cards"]) == ["black 4", "black 6"]


def test_the_old_cards_of_the_others_are_observed() -> None:
    """FA-M16: the old cards of all hands together, and the own ones."""
    core = reached(CASES["FA-K05"])
    values = decoded(core, 0)
    assert (values["old"].tolist(), values["old_n"].tolist()) == ([3, 1, 2], [2, 2, 2])
    assert values["own_old"].tolist() == [1, 0, 1]
    assert values["shown"].tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert decoded(core, 1)["own_old"].tolist() == [1, 1, 0]


# ---------------------------------------------------------------- observations, texts, pictures


@quick
@given(positions(over=True))
def test_the_recall_slices_say_what_is_known(core: Core) -> None:
    """They are what `knowledge` says, and zeros with the memory TABLE."""
    position, players = core.position(), core.players
    for viewer in range(players):
        values, known = decoded(core, viewer), FIFTH_AVENUE.knowledge(core.states[0], viewer)
        assert cards(values["hidden"] - values["hand"] + values["known"][0]) == known["unseen"]
        for j in range(players):
            p = (viewer + j) % players
            assert cards(values["known"][j]) == known["known"][p]
            sizes = [len(position["hands"][p].get(c, [])) - len(known["known"][p].get(c, [])) for c in CARD_COLOURS]
            assert values["covered"][j].tolist() == sizes
        stacks = known["stacks"]
        assert values["first_part"].tolist() == list(known["first"].values())
        assert cards(values["under"])  == {
            **{c: sorted(s["then"], reverse=True) for c, s in stacks.items() if s["then"]},
            **({"black": sorted((int(c[0]) for c in known["black"]["then"]), reverse=True)}
               if known["black"]["then"] else {}),
        }  # fmt: skip
        nexts = {c: s["then"][:1] for c, s in stacks.items() if s["then"] and s["first"] < 2}
        if not known["black"]["unknown"] and known["black"]["then"]:
            nexts["black"] = [int(known["black"]["then"][0][0])]
        assert cards(values["next"]) == nexts
        assert values["unknown_part"][0] == known["black"]["unknown"]
        _check_old(values, position, viewer)
        assert [int(n) for n in values["out"]] == [known["shops_out"].count(k) for k in KINDS]
    forgetful(core)
    for viewer in range(players):
        values = decoded(core, viewer)
        assert not any(values[name].any() for name in RECALL)


KINDS = ("boutique", "jeweller", "gallery", "perfumery")


def _check_old(values: Json, position: Json, viewer: int) -> None:
    span, players = position["memory"]["blacks"][-1], position["players"]
    held = span.get("held", [[]] * players)
    together = [v for p in range(players) for v in held[p]]
    assert values["old"].tolist() == [together.count(v) for v in (4, 5, 6)]
    assert values["own_old"].tolist() == [held[viewer].count(v) for v in (4, 5, 6)]
    for j in range(players):
        p = (viewer + j) % players
        assert values["old_n"][j] == len(held[p])
        shown = [what for seat, what in span["events"] if seat == p]
        assert values["shown"][j].tolist() == [shown.count(v) for v in (4, 5, 6)]


def test_texts_and_pictures_show_what_is_remembered() -> None:
    core = reached(CASES["FA-K05"])
    text = " ".join(FIFTH_AVENUE.text(core.states[0], 0, None).split())
    assert "hand of 3: remembered [brown 4 black 4], 1 unknown card (1 black)" in text
    assert "Stacks below their tops: remembered [brown 5 under 3 unknown cards; black 4u under 3 unknown cards]" in text
    assert "hand of 3, 2 remembered" in FIFTH_AVENUE.svg(core.states[0], 0, None)
    forgetful(core)
    for picture in (FIFTH_AVENUE.text, FIFTH_AVENUE.svg):
        assert "emembered" not in picture(core.states[0], 0, None)


def test_the_hands_of_others_at_a_shuffle_are_dealt_anew() -> None:
    """FA-M23: nobody in a deal remembers a game that did not happen; with two players the hands were known."""
    core = reached(CASES["FA-K05"])
    found = set()
    for row in determinized(core, 0, stream=2, copies=40):
        held = row["memory_held"][0, :3]
        assert held[0].tolist() == core.states["memory_held"][0, 0, 0].tolist()
        assert held.sum(axis=0).tolist() == core.states["memory_held"][0, 0].sum(axis=0).tolist()
        assert row["memory_old"][:3, :3].tolist() == held.tolist()
        found.add(held.tobytes())
    assert len(found) > 1


def test_a_forgetful_copy_remembers_nothing() -> None:
    """The memory of a copy with TABLE is that of a position which names none: nothing hidden can be read from it."""
    core = forgetful(reached(CASES["FA-K08"]))
    (row,) = determinized(core, 0, stream=2)
    assert not row["memory_known"].any() and not row["memory_held"].any() and not row["memory_log_n"]
    assert row["memory_unknown"] == row["black_above"]
    assert row["memory_first"].tolist() == (row["stack_end"] - row["stack_top"]).tolist()


def test_a_begun_position_tells_what_lies_where() -> None:
    """Sure cards as faces, the others by colour."""
    memory = {"known": [{}, {"brown": [5]}, {}], "first": dict.fromkeys(COLOURS, 0), "unknown": 1}
    core = at(
        hands=hands("grey 4", "brown 54 black 6", ""), stacks={"brown": [6, 4]}, black=["4d", "5u"], memory=memory
    )
    told = FIFTH_AVENUE.seen(None, -1, core.states[0], 0)
    assert {"from": "box", "to": "hand 1", "cards": ["brown 5"]} in told
    assert {"from": "stack brown", "to": "hand 1", "cards": 1} in told
    assert {"from": "box", "to": "stack brown", "cards": ["brown 6", "brown 4"]} in told
    assert {"from": "stack brown", "to": "open brown", "cards": ["brown 6"]} in told
    assert {"from": "box", "to": "stack black", "cards": ["5u"]} in told
    assert {"from": "box", "to": "stack black", "cards": 2, "shuffled": True} in told
