"""The ten most likely mistakes in observations and determinised copies, as far as they concern Palazzo.

Each test fails when its mistake is made: `python -m tests.support.mutants palazzo` makes them.
Mistake 6 (scoring cards in the deck) has nothing to be made with in this game.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given

from skyline.core import engine
from skyline.game import TABLE
from tests.games.palazzo.cases import ALL_CARDS, GAME, PILE_1, PILE_2, PILE_3, at, bidding, hands, paying
from tests.games.palazzo.views import KERNELS, PALAZZO, both, finished, played, positions, with_memory
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import check_rewards, copy_of, decoded, determinized, in_range, observed


def test_mistake_01_a_copy_keeps_the_random_word() -> None:
    """Hands and stack are fixed here: copies differ in the reshuffle alone."""
    discarded = dict.fromkeys(["A3", "B4", "C5", "2", "A7", "B7", "C7", "B6"], 1)
    held = Counter(ALL_CARDS) - Counter(discarded)
    core = at(2, hands=[dict(held), {}], discard=discarded, stream=77)
    orders = []
    for rows in (core.states, *determinized(core, 0, stream=3, copies=20).reshape(-1, 1)):
        (event,) = Core(PALAZZO, rows.copy()).play("money")
        assert sorted(event["order"]) == ["2", "A3", "A7", "B4", "B6", "B7", "C5", "C7"]
        orders.append(tuple(event["order"]))
    assert len(set(orders)) == len(orders)


def test_mistake_02_a_begun_payment_or_raise_cannot_be_finished() -> None:
    """Purchases and raises of seat 1 seen by seat 0: every copy is played to the end of the decision."""
    depot = ["11b", "12b"]
    starts = [
        at(2, decision="BUY", active=1, depot=depot, hands=hands("A7", "C5 C3 2")),
        at(2, decision="BUY", active=1, depot=depot, chosen=["11b"], hands=hands("A7", "C5 C3 2")),
        at(2, decision="PAY", active=1, depot=depot, chosen=depot, hands=hands("A7", "B7 B6 B5 2")),
        at(2, decision="PAY", active=1, depot=depot, chosen=depot[:1], totals=[0, 6], locks=[None, "B"], last="B6",
           table=[{}, {"B6": 1}], hands=hands("A7", "B3 C7")),
        at(2, decision="PAY", active=1, depot=depot, chosen=depot[:1], totals=[0, 6], last="2", singles=1,
           table=[{}, {"2": 1, "B4": 1}], locks=[None, "B"], hands=hands("A7", "2 C7")),
    ]  # fmt: skip
    raised = bidding("A7 A6", "B4 B3 2")
    raised.play("add B3")
    starts.append(raised)
    for core in [setting for start in starts for setting in both(start)]:
        for row in determinized(core, 0, stream=9, copies=sized(200, 25)):
            copy = Core(PALAZZO, row.reshape(1).copy())
            while copy.position()["decision"] in ("BUY", "PAY", "BID") and copy.seat == 1 and copy.texts() != []:
                texts = copy.texts()
                if texts[-1] == "bid":
                    break
                copy.play("stop" if "stop" in texts else texts[0])
            assert copy.texts() != [] and copy.position()["decision"] in ("BUILD", "BID")


def test_mistake_03_the_other_hand_is_shown_by_what_is_affordable() -> None:
    """Seat 1 may buy with one hand and not with the other: the other seat observes the same."""
    rich, poor = (
        at(3, decision="CHOICE", active=1, depot=["11b"], hands=hands("A3", hand, "B4")) for hand in ("C7 C6", "C3 B3")
    )
    assert (rich.texts(), poor.texts()) == (["auction", "buy"], ["auction"])
    for viewer in (0, 2):
        assert np.array_equal(observed(rich, viewer), observed(poor, viewer))
    assert not np.array_equal(observed(rich, 1), observed(poor, 1))


def test_mistake_03_the_order_of_cards_or_tiles_is_shown() -> None:
    """Hands, depots and quarries are counts or in tile order: however they came, the state is the same."""
    for one, two in (
        (at(2, hands=hands("A3 C7 2", "")), at(2, hands=hands("2 C7 A3", ""))),
        (at(2, depot=["11b", "42m"]), at(2, depot=["42m", "11b"])),
        (at(2, palaces=[["11b", "42m/53s"], []]), at(2, palaces=[["42m/53s", "11b"], []])),
    ):
        assert one.states.tobytes() == two.states.tobytes()


# ---------------------------------------------------------------- mistake 4


def turned(position: Json) -> Json:
    """The same position one seat further on, and the quarries one further on."""
    players = position["players"]

    def seat(number: int | None) -> int | None:
        return None if number is None else (number + 1) % players

    after = {key: position[key][-1:] + position[key][:-1] for key in ("hands", "palaces", "totals", "locks", "table")}
    after["quarries"] = position["quarries"][-1:] + position["quarries"][:-1]
    standing, memory = position["standing"], position["memory"]
    return {
        **position,
        **after,
        "memory": {**memory, **{key: memory[key][-1:] + memory[key][:-1] for key in ("known", "shown")}},
        "player": seat(position["player"]),
        "active": seat(position["active"]),
        "builder": (position["builder"] + 1) % 4,
        "standing": standing and [seat(standing[0]), standing[1]],
        "out": [seat(number) for number in position["out"]],
    }


@quick
@given(positions(over=True))
def test_mistake_04_a_field_is_left_absolute(core: Core) -> None:
    """Turned with the table, the next seat observes exactly what the seat observed."""
    next_core = Core.at(GAME, turned(core.position()))
    for viewer in range(core.players):
        here, there = decoded(core, viewer), decoded(next_core, (viewer + 1) % core.players)
        for name in here:
            assert np.array_equal(here[name], there[name]), (name, here[name], there[name])


# ---------------------------------------------------------------- mistakes 5, 7, 8


def test_mistake_05_public_discards_are_dealt_anew() -> None:
    """Discards, face-up cards and cards on the table stay; only deck and other hands change places."""
    core = bidding("A7 A7 A7", "C3 C4", "B3 B4 B5", discard={"2": 10}, deck=["A3"])
    core.play_all(["add C4", "bid"])
    for setting in both(core):
        seen: dict[str, set[str]] = {"hand": set(), "deck": set()}
        for stream in range(sized(60, 20)):
            copy = copy_of(setting, 0, stream).position()
            assert (copy["discard"], copy["table"]) == ({"2": 10}, [{}, {"C4": 1}, {}])
            seen["hand"] |= set(copy["hands"][1]) | set(copy["hands"][2])
            seen["deck"] |= set(copy["deck"])
        hidden = set(ALL_CARDS) - {"2", "A7"}
        assert seen == {"hand": hidden, "deck": hidden}


def test_mistake_07_a_visible_twin_is_taken_for_pile_3s() -> None:
    """In pile III one open 31b does not exclude the other; two do. In pile II the open one is pile II's."""
    third = [*PILE_3, *["K"] * 5]
    for depot, stack, share in (
        (["31b"], third[-10:], 5 / 15),
        (["31b", "31b"], [text for text in third if text != "31b"][-10:], 0),
        ([], third[-10:], 5 / 15),
        (["31b"], [*PILE_2[:3], *third], 1),
        ([], [*PILE_2[-3:], *third], 1 + 3 / 18),
    ):
        core = with_memory(at(2, stack, depot=depot), TABLE)
        copies = sized(1000, 150)
        rows = determinized(core, 0, stream=1, copies=copies)["stack"]
        found = (rows == KIND_31B).sum() / copies
        assert abs(found - share) <= 5 * (0.25 / copies) ** 0.5 * (0 < share != 1), (depot, found, share)


KIND_31B = 18


def test_mistake_07_the_box_is_dealt_back() -> None:
    """Pile I is used up: none of its tiles comes back, wherever they went; the stack keeps its size."""
    core = with_memory(at(2, [*PILE_2, *PILE_3]), TABLE)
    for row in determinized(core, 0, stream=2, copies=50):
        texts = Core(PALAZZO, row.reshape(1)).position()["stack"]
        assert not set(texts) & set(PILE_1)
        assert len(texts) == 38


def test_mistake_07_knights_leave_pile_3() -> None:
    """They are among the last twenty entries, anywhere there."""
    core = Core.deal(GAME, 2, seed=1)
    for setting in both(core):
        places = Counter()
        for row in determinized(setting, 0, stream=2, copies=sized(400, 60)):
            stack = Core(PALAZZO, row.reshape(1)).position()["stack"]
            places.update(i for i, text in enumerate(stack) if text == "K")
        assert set(places) == set(range(28, 48))


@quick
@given(positions(over=True))
def test_mistake_08_cards_on_the_table_are_counted_twice(core: Core) -> None:
    """Own hand + unseen + open cards are the 55, kind by kind; sizes and the largest payment are those of the hand."""
    for viewer in range(core.players):
        values = decoded(core, viewer)
        known = values["hand"] + values["discards"] + values["face_up"] + values["table"].sum(axis=0)
        assert (known + values["unseen"]).tolist() == [10] + [3] * 15
        assert values["unseen"].sum() == values["deck"][0] + values["hand_size"][1:].sum()
        assert values["hand"].sum() == values["hand_size"][0]


def test_mistake_08_group_cards_count_their_values_when_they_are_put_down() -> None:
    """A group is 15 on the table and stays 15; the hand is smaller by its cards; passing brings them back."""
    core = bidding("A7 A7 A7", "A3 B3 C3 2")
    core.play_all(["add T3", "bid"])
    values = decoded(core, 1)
    assert (values["total"].tolist(), values["table"][0].sum(), values["hand"].sum()) == ([15, 3], 3, 1)
    assert values["maxpay"][0] == 2
    core.play_all(["add A7", "add A7", "bid"])
    assert core.position()["totals"] == [17, 15]
    core.play("pass")
    assert (decoded(core, 1)["hand"].sum(), decoded(core, 1)["maxpay"][0]) == (4, 17)


# ---------------------------------------------------------------- mistakes 9, 10


def test_mistake_09_only_the_mover_is_paid() -> None:
    """The end pays every seat; the outcome's sum is zero; scores add up over a game."""
    core = at(3, ["K"], knights=4, palaces=[["11b"], ["13b/23b/33b"], []])
    rewards = np.zeros((1, 3), np.float32)
    KERNELS.step_some(
        core.states.copy(), np.zeros(1, np.int64), np.array([75]), core.mask.copy(), rewards, engine.OUTCOME
    )
    assert rewards.tolist() == [[-1, 1, 0]]
    for players in (2, 4):
        check_rewards(Core.deal(GAME, players, seed=8))


def test_mistake_10_small_integers_wrap() -> None:
    """Scores below -128, bids above 127, an action index from a byte: all as they are."""
    singles = sorted({*PILE_1, *PILE_2, *PILE_3})
    low = at(2, palaces=[singles, []])
    assert low.scores == [-225, 0]
    assert decoded(low, 0)["score"].tolist() == [-225, 0]
    cards = " ".join(ALL_CARDS)
    core = bidding("", cards, "")
    while core.texts() != ["bid"]:
        core.play(max((text for text in core.texts() if text[:3] == "add"), key=lambda text: (text[4:5] == "T", text)))
    core.play("bid")
    assert core.position()["standing"] == [1, 272]
    assert (decoded(core, 0)["standing"][0], decoded(core, 0)["missing"][0]) == (272, 273 - 3)
    assert "take C7" in at(2, decision="MONEY", face_up=["C7", "C7", "A3"]).texts()


@quick
@given(positions(over=True))
def test_mistake_10_values_leave_the_stated_range(core: Core) -> None:
    """Every value lies in the range of its slice; one-hot slices are categories, never numbers."""
    for viewer in range(core.players):
        values = in_range(core, viewer)
        for name in ("to_move", "active", "phase", "first_pick", "holder", "raise_last", "plan"):
            assert values[name].sum() <= 1
        assert values["active"].sum() == 1
        assert (values["lock"].sum(axis=1) <= 1).all()


def test_the_extremes_are_reached_and_hold() -> None:
    """All cards in one hand, all singles in one city, a full depot: inside the ranges."""
    singles = sorted({*PILE_1, *PILE_2, *PILE_3})
    for core in (
        at(2, palaces=[singles, []], hands=hands("", " ".join(ALL_CARDS))),
        at(4, depot=singles[:25], quarries=[singles[25:45], [], [], []]),
        paying(" ".join(ALL_CARDS), 9),
        finished(3, 4),
        played(4, 3, 200),
    ):
        table = PALAZZO.observation(core.players)
        low, high = table.per_value("low", "rich"), table.per_value("high", "rich")
        for viewer in range(core.players):
            values = observed(core, viewer)
            assert (values >= low).all() and (values <= high).all()
