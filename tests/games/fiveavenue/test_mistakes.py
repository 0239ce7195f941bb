"""The ten most likely mistakes in observations, as far as they concern Fifth Avenue.

Each test fails when its mistake is made: `python -m tests.support.mutants fifth_avenue` makes them.
Mistake 6 (scoring cards in the deck) has nothing to be made with in this game.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
from hypothesis import given

from skyline.core import engine
from skyline.game import MEMORIES
from tests.games.fiveavenue.cases import (
    ALL_CARDS,
    BLACK,
    BOARDS,
    COLOURED,
    COLOURS,
    GAME,
    at,
    bid,
    bidding,
    forgetful,
    hands,
)
from tests.games.fiveavenue.views import FIFTH_AVENUE, KERNELS, finished, played, positions
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, check_rewards, copy_of, decoded, determinized, in_range, index, observed


def test_mistake_01_a_copy_keeps_the_random_word() -> None:
    """Hands and stacks are fixed here: copies differ in the coming shuffle alone, and none has the game's."""
    core = at(players=2, black=["4d", "4u", "4u", "4u", "5d", "5d", "5d", "6d", "6d", "6d"], stream=77)
    orders = []
    for rows in (core.states, *determinized(core, 0, stream=3, copies=20).reshape(-1, 1)):
        copy = Core(FIFTH_AVENUE, rows.copy())
        copy.states["black"][0, :10] = core.states["black"][0, :10]  # the same cards: only the shuffle may differ
        (event,) = copy.play("C")
        assert sorted(event["order"]) == [4, 4, 4, 5, 5, 5, 6, 6, 6]
        orders.append(tuple(event["order"]))
    assert len(set(orders)) >= len(orders) - 2


def test_mistake_02_a_begun_raise_cannot_be_finished() -> None:
    """Raises of seat 1 seen by seat 0, after a coloured and after a black card: every copy comes to `bid`."""
    running = {"table": [[["grey", 6], ["grey", 6], ["black", 4]], [], []], "standing": 16, "leader": 0}
    others = {"brown": [4] * 4, "grey": [4, 4, 4]}
    for row, laid in (("brown 66 black 64", ["add brown 6"]), ("brown 5 black 66", ["add brown 5"]),
                      ("brown 6 black 654", ["add brown 6", "add black 6"])):  # fmt: skip
        core = bidding("violet 4", row, "orange 44", seat=1, auction=running, stacks=others, black=["4d"] * 6)
        core.play_all(laid)
        for copied in determinized(core, 0, stream=9, copies=sized(200, 25)):
            copy = Core(FIFTH_AVENUE, copied.reshape(1).copy())
            assert copy.texts()
            while copy.texts() != ["bid"] and copy.texts()[-1] != "bid":
                copy.play(copy.texts()[-1])


def test_mistake_03_the_other_hand_is_shown_by_what_can_be_bid() -> None:
    """Seat 1 must pass with one hand and may bid with the other: the other seats observe the same (with the memory
    TABLE; by FA-M05 everybody remembers how many cards of each colour a hand has)."""
    rich, poor = (forgetful(bidding("brown 4", row, "grey 4", first=1)) for row in ("violet 5 black 5", "black 55"))
    assert (rich.texts(), poor.texts()) == (["add violet 5", "pass"], ["pass"])
    for viewer in (0, 2):
        assert np.array_equal(observed(rich, viewer), observed(poor, viewer))
    assert not np.array_equal(observed(rich, 1), observed(poor, 1))


def test_mistake_03_the_order_of_cards_is_shown() -> None:
    """Hands, tables and blocks are counts: however they came, the state is the same."""
    for one, two in (
        (at(hands=[{"brown": [4, 6], "black": [5]}, {}, {}]), at(hands=[{"black": [5], "brown": [6, 4]}, {}, {}])),
        (at(row=[["gallery", "boutique", "gallery"]]), at(row=[["gallery", "gallery", "boutique"]])),
        tuple(bidding("", "", "", seat=1, auction={"standing": 15, "leader": 0, "table": [cards, [], []]})
              for cards in itertools.permutations([["brown", 4], ["black", 6], ["brown", 5]], 3))[::3][:2],
    ):  # fmt: skip
        assert one.states.tobytes() == two.states.tobytes()


# ---------------------------------------------------------------- mistake 4


def turned(position: Json) -> Json:
    """The same position one seat further on; the picture of FA-S9 and seat 0 stay out of it."""
    players = position["players"]

    def seat(number: object) -> object:
        return (number + 1) % players if isinstance(number, int) else number

    def code(text: str) -> str:
        owner, colon, number = text.partition(":")
        return f"{seat(int(owner))}:{number}" if colon and owner != "E" else text

    after = {key: position[key][-1:] + position[key][:-1] for key in ("hands", "scores", "reserve", "supply", "cp")}
    after["lots"] = {d: {name: code(text) for name, text in lots.items()} for d, lots in position["lots"].items()}
    auction = position["auction"]
    if auction is not None:
        auction = {name: value for name, value in auction.items() if name not in ("where", "in")}
        after["auction"] = {
            **auction,
            "initiator": seat(auction["initiator"]),
            "leader": seat(auction["leader"]),
            "passed": [seat(number) for number in auction["passed"]],
            "table": auction["table"][-1:] + auction["table"][:-1],
        }
    final = position["final"]
    after["final"] = final and {name: values[-1:] + values[:-1] for name, values in final.items()}
    decision = position["decision"]
    after["decision"] = decision and {**decision, "player": seat(decision["player"])}
    if "memory" in position:
        after["memory"] = turned_memory(position["memory"], players)
    return {**position, **after}


def turned_memory(memory: Json, players: int) -> Json:
    blacks = []
    for span in memory["blacks"]:
        held = {"held": span["held"][-1:] + span["held"][:-1]} if "held" in span else {}
        blacks.append({**held, "events": [[(p + 1) % players, what] for p, what in span["events"]]})
    return {**memory, "known": memory["known"][-1:] + memory["known"][:-1], "blacks": blacks}


@quick
@given(positions(over=True))
def test_mistake_04_a_field_is_left_absolute(core: Core) -> None:
    """Turned with the table, the next seat observes exactly what the seat observed, but for who is seat 0."""
    position = core.position()
    if position["decision"] is not None and position["decision"]["kind"] == "PLACE":
        return  # its order is not the same from every seat
    next_core = Core.at(GAME, turned(position), {"board": int(core.states["board"][0])})
    for viewer in range(core.players):
        here, there = decoded(core, viewer), decoded(next_core, (viewer + 1) % core.players)
        for name in here:
            if name == "start":
                assert (np.argmax(here[name]) + viewer) % core.players == 0
            else:
                assert np.array_equal(here[name], there[name]), (name, here[name], there[name])


# ---------------------------------------------------------------- mistakes 5, 7, 8


BLACKS = ("4d", "4d", "4d", "6u", "6u")


def test_mistake_05_covered_cards_are_taken_for_public() -> None:
    """Discards under a coloured stack, face-up black cards below the top and Egon's old cards are dealt anew."""
    core = bidding("grey 4", "brown 6 black 66", "violet 44", black=["4d", "4d", "4d"], stacks={"brown": [4, 4, 4]})
    core.play_all(["pass", *bid("brown 6 black 66"), "pass", "build 1"])
    remembered = [copy_of(core, 0, stream).position() for stream in range(5)]
    assert {(*copy["stacks"]["brown"], *copy["black"]) for copy in remembered} == {(4, 4, 4, 6, *BLACKS)}
    forgetful(core)
    assert core.position()["stacks"]["brown"] == [4, 4, 4, 6]
    assert core.position()["black"] == ["4d", "4d", "4d", "6u", "6u"]
    places: dict[str, Counter[int]] = {"brown": Counter(), "black": Counter()}
    for stream in range(sized(200, 60)):
        copy = copy_of(core, 0, stream).position()
        assert copy["stacks"]["brown"][0] == 4
        places["brown"].update(i for i, v in enumerate(copy["stacks"]["brown"]) if v == 6)
        places["black"].update(i for i, code in enumerate(copy["black"]) if code[0] == "6")
        assert [code[1] for code in copy["black"]][:4] == ["d", "d", "d", "u"]
    assert set(places["brown"]) == {1, 2, 3}
    assert set(places["black"]) == {0, 1, 2, 3, 4}


def test_mistake_05_own_knowledge_and_tops_are_dealt_away() -> None:
    """Tops, tables, Egon's cards and the own hand stay in every copy."""
    core = bidding("grey 65", "brown 66 black 6", black=["5d", "5d", "6d", "4d"], stacks={"brown": [5, 4, 6]})
    core.play_all([*bid("grey 5"), *bid("brown 6 black 6")])
    for stream in range(20):
        copy = copy_of(core, 0, stream).position()
        assert copy["auction"] == core.position()["auction"]
        assert copy["auction"]["egon"] == [5, 5]
        assert (copy["hands"][0], copy["stacks"]["brown"][0]) == ({"grey": [6]}, 5)


@quick
@given(positions(over=True), SEEDS)
def test_mistake_07_colour_totals_are_not_kept(core: Core, stream: int) -> None:
    """Hands, tables and stack of a colour are its 12 cards, of black with Egon's its 50, in copies of both memories."""
    for viewer, memory in itertools.product(range(core.players), MEMORIES.values()):
        core.states["memory"] = memory
        position = copy_of(core, viewer, stream).position()
        auction = position["auction"]
        for colour, cards in (*((c, COLOURED) for c in COLOURS), ("black", BLACK)):
            found = [v for hand in position["hands"] for v in hand.get(colour, [])]
            found += [int(str(v)[0]) for v in (position["black"] if colour == "black" else position["stacks"][colour])]
            if auction is not None:
                found += [v for table in auction["table"] for c, v in table if c == colour]
                found += (auction["egon"] or []) if colour == "black" else []
            assert sorted(found) == sorted(cards)


@quick
@given(positions(over=True))
def test_mistake_08_cards_on_the_table_are_counted_twice(core: Core) -> None:
    """Own hand + unseen + tops + tables + Egon's are the 110; sizes are those of the hands alone."""
    for viewer in range(core.players):
        values = decoded(core, viewer)
        known = values["hand"] + values["unseen"] + values["table"].sum(axis=0)
        known[:5] += values["stack_top"]
        if core.players == 2:
            known[5] += values["egon"]
        assert known.tolist() == [[5, 4, 3]] * 5 + [[20, 16, 14]]
        held = values["hand_size"]
        assert values["hand"].sum() == held[0]
        assert values["others"].sum() == held[1:].sum()
        below = values["stack_n"].sum() - values["stack_top"].sum() + values["black"][0]
        assert values["unseen"].sum() == held[1:].sum() + below


def test_mistake_08_cards_laid_come_back_on_a_pass() -> None:
    """Hand, size, reach and total before the raise, after it, after the pass."""
    core = bidding("brown 54 black 6", "grey 66", "")
    before = decoded(core, 0)
    core.play_all(bid("brown 5 black 6"))
    values = decoded(core, 0)
    assert (values["total"].tolist(), values["hand_size"].tolist()) == ([11, 0, 0], [1, 2, 0])
    assert values["reach"][0] == before["reach"][0] == 15
    core.play_all([*bid("grey 66"), "pass", "pass"])
    values = decoded(core, 0)
    assert np.array_equal(values["hand"], before["hand"])
    assert (values["total"].tolist(), values["hand_size"].tolist()) == ([0, 0, 0], [3, 0, 0])


# ---------------------------------------------------------------- mistakes 9, 10


def rewards_of(core: Core, text: str, kind: int) -> list[float]:
    rewards = np.zeros((1, core.players), np.float32)
    action = FIFTH_AVENUE.parse_move(core.states[0], text)
    KERNELS.step_some(core.states, np.zeros(1, np.int64), np.array([action]), core.mask, rewards, kind)
    return [float(reward) for reward in rewards[0]]


def test_mistake_09_only_the_mover_is_paid() -> None:
    """A D, a bonus, a closing and the end pay every seat; the outcome's sum is zero; scores add up over a game."""
    lots = {
        "TS": {"brown": "0:1", "grey": "1:2"},
        "34W": {"grey": "2:1"},
        "34E": {"grey": "2:1"},
        "52W": {"grey": "2:1"},
    }
    core = at("TURN", 2, lots=lots, commissions={"white": "TS"})
    assert rewards_of(core, "D TS", engine.SCORE) == [1, 2, 0]
    core = at("SHOP", 0, lots=lots, shop="gallery", placed=2)
    assert rewards_of(core, "shop 52E brown", engine.SCORE) == [0, 0, 4]
    core = at("MOVE", 0, lots=lots, turn=200)
    assert rewards_of(core.copy(), "move white 34W", engine.SCORE) == [1, 2, 3]
    assert rewards_of(core, "move white 34W", engine.OUTCOME) == [-1, 0, 1]
    for players in (2, 4):
        check_rewards(Core.deal(GAME, players, 8))


def test_mistake_10_small_integers_wrap() -> None:
    """A D of 128 points, large scores, a bid of 302, a hand of all cards: all as they are."""
    lots = {"TS": {"brown": "0:16", "grey": "boutique+gallery", "green": "jeweller+perfumery"}}
    core = at(lots=lots, commissions={"white": "TS"}, scores=[30000, 0, 0])
    assert decoded(core, 0)["district_points"][0, 4] == 128
    core.play("D TS")
    assert core.scores == [30128, 0, 0]
    assert decoded(core, 1)["margin"][0] == -30128
    everything = {"brown": sorted(COLOURED, reverse=True), "black": sorted(BLACK, reverse=True)}
    core = bidding("", "", "", where="CP", hands=[everything, {}, {}])
    core.play_all(
        bid("brown " + "".join(map(str, everything["brown"])) + " black " + "".join(map(str, everything["black"])))
    )
    assert core.position()["auction"]["standing"] == sum(COLOURED) + sum(BLACK) == 302
    assert decoded(core, 1)["standing"][0] == 302
    full = dict.fromkeys(COLOURS, COLOURED)
    core = at(hands=[{**full, "black": BLACK}, {}, {}])
    assert decoded(core, 1)["hand_size"].tolist() == [0, 0, 110]
    assert decoded(core, 0)["hand"].sum() == len(ALL_CARDS)


def test_mistake_10_scores_beyond_sixteen_bits_wrap() -> None:
    """Section 11: with a high turn limit scores can grow past 32,767; they are observed as that and stay ordered."""
    core = at(players=2, scores=[70000, 40000], lots={"TS": {"brown": "1:1"}}, options={"max_turns": 32767})
    values = decoded(core, 0)
    assert (values["scores"].tolist(), values["margin"][0]) == ([32767, 32767], 30000)
    assert values["final_now"].tolist() == [32767, 32767]
    core = at(players=2, scores=[0, 32760], lots={"TS": {"brown": "1:16", "grey": "gallery"}})
    assert decoded(core, 0)["final_now"].tolist() == [0, 32767]
    assert decoded(core, 1)["margin"][0] == 32760
    assert decoded(at(players=2, scores=[70000, 0]), 1)["margin"][0] == -32767


@quick
@given(positions(over=True))
def test_mistake_10_values_leave_the_stated_range(core: Core) -> None:
    """Every value lies in the range of its slice; one-hot slices are categories, never numbers."""
    for viewer in range(core.players):
        values = in_range(core, viewer)
        for name in ("to_move", "active", "start", "phase", "turn_kind", "turn_phase", "place", "first", "leader",
                     "commission", "bid_colour", "raise_last", "shop"):  # fmt: skip
            assert values[name].sum() <= 1, name
        assert values["start"].sum() == 1
        action = core.position()["action"] if core.seat is not None else None
        assert index(values["turn_kind"]) == (None if action is None else "ABCD".index(action))
        assert values["commissions"].sum(axis=1).tolist() == [1, 1]
        assert (values["stack_top"].sum(axis=1) == (values["stack_n"] > 0)).all()


def test_the_extremes_are_reached_and_hold() -> None:
    """All cards in one hand, 16 buildings on a lot, the longest row of turns, ends: inside the ranges."""
    lots = {"TS": {"brown": "0:16", "grey": "boutique+gallery", "green": "jeweller+perfumery", "violet": "1:1"}}
    full = dict.fromkeys(COLOURS, COLOURED)
    for core in (
        at(hands=[{}, {**full, "black": BLACK}, {}], lots=lots, options={"max_turns": 32767}),
        at(reserve=[15, 0, 3], supply=[0, 12, 9], cp=[0, 3, 0], scores=[32000, 0, 0]),
        at(reserve=[0, 0, 3], supply=[0, 0, 9], cp=[0, 15, 0], scores=[32000, 0, 0]),
        at("BUILD", 1, phase=3, hands=hands("", "brown 6", ""),
           auction={"commission": "white", "initiator": 0, "left": ["CP"], "won": ["brown", 3], "leader": 1}),
        *(finished(3, 4, board) for board in BOARDS),
        *(played(4, 3, moves) for moves in (1, 60, 300)),
    ):  # fmt: skip
        table = FIFTH_AVENUE.observation(core.players)
        low, high = table.per_value("low", "rich"), table.per_value("high", "rich")
        for viewer in range(core.players):
            values = observed(core, viewer)
            assert (values >= low).all() and (values <= high).all()
