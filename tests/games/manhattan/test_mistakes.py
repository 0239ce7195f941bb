"""The ten most likely mistakes in observations, as far as they concern Manhattan.

Each test fails when its mistake is made: `python -m tests.support.mutants manhattan` makes them.
Mistakes 6 (scoring cards) and 7 (tiles, colour totals of hands) have nothing to be made with in this game.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given

from skyline.core import engine
from tests.games.manhattan.cases import at, last_turn, walls
from tests.games.manhattan.oracle_board import board_square
from tests.games.manhattan.views import KERNELS, MANHATTAN, played, positions, without_memory
from tests.support.rule_cases import Core, Json, quick
from tests.support.seeing import SEEDS, Values, check_rewards, copy_of, decoded, determinized, in_range, observed

BLOCKED = walls((2, 4, 6), (0, 2, 3))  # for the cards 0, 4, 8 of seat 1


def test_mistake_01_a_copy_keeps_the_random_word() -> None:
    """Nothing hidden here can be told apart but the reshuffle: every copy has its own, none has that of the game."""
    core = at(4, turn=0, hands=[[0, 1, 2, 3], [], [], []], played=[[0, 0, 0, 0, 1], [2], [3], [4]], chosen={"0": [1]},
              stream=77)  # fmt: skip
    orders = []
    for rows in (core.states, *determinized(core, 0, stream=3, copies=20).reshape(-1, 1)):
        (event,) = Core(MANHATTAN, rows.copy()).play("build 0 0 1")
        assert sorted(event["order"]) == [0, 0, 0, 0, 0, 1, 2, 3, 4]
        orders.append(tuple(event["order"]))
    assert len(set(orders)) == len(orders)


@quick
@given(positions(), SEEDS)
def test_mistake_02_a_hand_lacks_a_card(core: Core, stream: int) -> None:
    """Whoever looks, every hand of every copy has its four cards."""
    for game in (core, without_memory(core)):
        for viewer in range(core.players):
            rows = determinized(game, viewer, stream, copies=5)
            assert (rows["hands"][:, : core.players].sum(axis=2) == 4).all()


def test_mistake_03_the_kind_of_anothers_move_is_shown() -> None:
    """Seat 1 must discard with one hand and may build with the other, which lies in the deck: the other seats observe
    the same."""
    common = {"marker": 1, "played": [[5], [], [], []], "chosen": {"1": [1, 4]}, "towers": BLOCKED}
    discards = at(4, hands=[[1, 2, 3, 7], [0, 4, 8, 8], [], []], deck=[6, 5, 3, 3], **common)
    builds = at(4, hands=[[1, 2, 3, 7], [6, 5, 3, 3], [], []], deck=[0, 4, 8, 8], **common)
    assert discards.texts()[0].startswith("discard")
    assert builds.texts()[0].startswith("build")
    for viewer in (0, 2, 3):
        assert np.array_equal(observed(discards, viewer), observed(builds, viewer))
    assert not np.array_equal(observed(discards, 1), observed(builds, 1))


def test_mistake_03_the_order_inside_a_hand_is_shown() -> None:
    """A hand is counts: whatever the order of the cards dealt, the state is the same, byte for byte."""
    one, two = (at(3, hands=[hand, [], []], chosen={"0": [1]}) for hand in ([0, 8, 8, 3], [8, 3, 0, 8]))
    assert one.states.tobytes() == two.states.tobytes()


# ---------------------------------------------------------------- mistake 4


def turned(position: Json) -> Json:
    """The same position one side further on: every seat, colour and board square turned by a quarter, four players."""
    after = {key: position[key][-1:] + position[key][:-1] for key in ("hands", "played", "scores")}
    for key in ("stock", "chosen"):
        after[key] = {str((int(colour) + 1) % 4): value for colour, value in position[key].items()}
    after["towers"] = [
        [city, board_square(1, square), [[(colour + 1) % 4, height] for colour, height in pieces]]
        for city, square, pieces in position["towers"]
    ]
    memory = [
        {"plays": [[(play[0] + 1) % 4, *play[1:]] for play in shuffle["plays"]]} for shuffle in position["memory"]
    ]
    for shuffle, before in zip(memory[1:], position["memory"][1:], strict=True):
        shuffle["held"] = before["held"][-1:] + before["held"][:-1]
    return {**position, **after, "marker": (position["marker"] + 1) % 4, "memory": memory}


def turned_back(values: Values) -> Values:
    """An observation with its board squares turned back; every slice whose last axis is the nine squares."""
    order = [board_square(1, square) for square in range(9)]
    turn = {name: value[..., order] for name, value in values.items() if value.shape[-1] == 9 and name != "seat"}
    return {**values, **turn}


@quick
@given(SEEDS)
def test_mistake_04_a_field_is_left_absolute(seed: int) -> None:
    """Turned with the table, the next seat observes what the seat observed, but for its number and its squares."""
    core = played(4, seed, int(seed % 112))
    next_core = Core.at("manhattan", turned(core.position()))
    for viewer in range(4):
        here, there = decoded(core, viewer), turned_back(decoded(next_core, (viewer + 1) % 4))
        for name in here:
            if name != "seat":
                assert np.array_equal(here[name], there[name]), (name, here[name], there[name])
        assert np.argmax(here["seat"]) == viewer
        assert np.argmax(there["seat"]) == (viewer + 1) % 4


def test_mistake_04_two_players_colours_are_not_own_first() -> None:
    """Seat 1 observes its colours 2 and 3 first, c0 before c1, then 0 and 1; `set_colour` is an own number."""
    core = at(
        2, marker=1, phase="pick", picked=1, stock={str(c): [1 + 2 * (c == h) for h in range(4)] for c in range(4)}
    )
    for viewer, order in ((0, [0, 1, 2, 3]), (1, [2, 3, 0, 1])):
        values = decoded(core, viewer)
        assert np.argmax(values["stock"], axis=1).tolist() == order
        assert values["set_colour"].tolist() == [0, 1]
        assert values["to_move"].tolist() == [1 - viewer == 0, viewer == 0]


def test_mistake_04_the_hand_is_in_printed_squares() -> None:
    """Own cards, other seats' needs and tops are board squares, each from its seat's side; three of four sides."""
    for players, sides in ((2, (0, 2)), (3, (0, 1, 2)), (4, (0, 1, 2, 3))):
        hands = [[1, 1, 1, 1]] + [[]] * (players - 1)
        for viewer in range(players):
            core = at(players, marker=viewer, hands=hands[-viewer:] + hands[:-viewer], played=[[0]] * players)
            values = decoded(core, viewer)
            assert values["hand"].tolist() == [4 * (q == board_square(sides[viewer], 1)) for q in range(9)]
            for j in range(players):
                side = sides[(viewer + j) % players]
                assert np.argmax(values["tops"][j]) == board_square(side, 0)
                if j:
                    unseen = {board_square(side, 1): 1, board_square(side, 0): 5 - players}
                    assert values["reach"][j - 1].tolist() == [unseen.get(q, 5) for q in range(9)]


# ---------------------------------------------------------------- mistakes 5, 8, 9, 10


PILES = [[4, 4, 4, 8], [5, 5, 5, 8], [6, 6, 6, 8]]


def cards_in_copies(core: Core) -> dict[str, set[int]]:
    """The cards that lie in each place of twenty copies for seat 0; its hand and the tops of the piles never change."""
    seen: dict[str, set[int]] = {name: set() for name in ("hand", "deck", "own pile", "other pile")}
    for stream in range(20):
        copy = copy_of(core, 0, stream).position()
        seen["hand"] |= set(copy["hands"][1])
        seen["deck"] |= set(copy["deck"])
        seen["own pile"] |= set(copy["played"][0][:-1])
        seen["other pile"] |= set(copy["played"][1][:-1])
        assert copy["hands"][0] == [0, 0, 0, 0]
        assert [pile[-1] for pile in copy["played"]] == [8, 8, 8]
    return seen


def test_mistake_05_unseen_cards_are_taken_for_public() -> None:
    """With memory="table" the lower cards of every pile, the viewer's too, change places with hands and deck."""
    core = at(3, hands=[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]], deck=[3] * 5, played=PILES, chosen={"0": [1]})
    assert all(cards == {1, 2, 3, 4, 5, 6} for cards in cards_in_copies(without_memory(core)).values())


def test_mistake_05_known_cards_are_taken_for_hidden() -> None:
    """A perfect memory knows every card of the piles (MH-M05): only hands and deck change places."""
    core = at(3, hands=[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]], deck=[3] * 5, played=PILES, chosen={"0": [1]})
    assert cards_in_copies(core) == {"hand": {1, 2, 3}, "deck": {1, 2, 3}, "own pile": {4}, "other pile": {5}}


@quick
@given(positions(over=True))
def test_mistake_08_cards_on_the_table_are_counted_twice(core: Core) -> None:
    """Copies not seen + own hand + tops are all 45 cards, whichever seat they are counted for."""
    for viewer in range(core.players):
        values = decoded(core, viewer)
        known = values["hand"].sum() + values["tops"].sum()
        assert (values["reach"].sum(axis=1) + known == 45).all()
        assert values["deck"][0] + values["piles"].sum() + 4 * core.players == 45


def test_mistake_09_only_the_mover_is_paid() -> None:
    """The end of a round pays every seat; over a game the rewards are the scores, the outcome's sum is zero."""
    core = last_turn(4, round=2, towers=[[0, 0, [[0, 1]]], [1, 0, [[1, 1]]], [2, 0, [[2, 4]]]])
    rewards = np.zeros((1, 4), np.float32)
    KERNELS.step_some(core.states, np.zeros(1, np.int64), np.array(core.actions()), core.mask, rewards, engine.SCORE)
    assert rewards.tolist() == [[3, 3, 6, 0]]
    for players in (2, 3, 4):
        game = played(players, seed=8, decisions=0)
        points = check_rewards(game)
        assert (points.any(axis=1).nonzero()[0] + 1).tolist() == round_ends(players)


def round_ends(players: int) -> list[int]:
    """The numbers of the decisions that end a round, from 1."""
    decisions, rounds = {2: (20, 6), 3: (15, 6), 4: (28, 4)}[players]
    return [decisions * number for number in range(1, rounds + 1)]


def test_mistake_10_small_integers_wrap() -> None:
    """A tower of 128 floors is the tallest and is observed as such; scores go past 255; 188 floors are the most."""
    pieces = [1] * 11 + [2] * 6 + [3] * 4 + [4] * 3
    high = [[colour, h] for colour in (1, 2) for h in pieces] + [[3, h] for h in (4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 2)]
    core = last_turn(4, towers=[[0, 0, high], [1, 1, [[0, 4]]]], scores=[0, 0, 0, 300])
    values = decoded(core, 0)
    assert (values["tallest_height"][0], values["colour_tallest"].tolist()) == (128, [4, 0, 0, 128])
    assert values["scores"].tolist() == [0, 0, 0, 300]
    assert values["margin"][0] == -300
    core.play("discard 4")
    assert core.scores == [3, 0, 0, 306]
    everything = [[colour, h] for colour in range(4) for h in pieces]
    assert decoded(at(4, hands=[[0], [], [], []], towers=[[5, 8, everything]]), 2)["tallest_height"][0] == 188


@quick
@given(positions(over=True))
def test_mistake_10_values_leave_the_stated_range(core: Core) -> None:
    """In random positions and at the sets of two players, the only ones with a second own colour."""
    for other in (core, *(played(2, seed=1, decisions=decisions) for decisions in range(4))):
        check_ranges(other)


def check_ranges(core: Core) -> None:
    """Every value lies in the range of its slice; one-hot slices are categories, never numbers."""
    for viewer in range(core.players):
        values = in_range(core, viewer)
        for name in ("to_move", "seat", "marker", "phase", "set_colour", "tallest"):
            assert values[name].sum() <= 1
        assert values["seat"].sum() == values["marker"].sum() == 1
