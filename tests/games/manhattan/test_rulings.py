"""One case for every ruling of manhattan_env/RULES.md section 4, MH-R01 .. MH-R18."""

from __future__ import annotations

import random

import pytest

from skyline import registry
from tests.games.manhattan.cases import (
    BOARD,
    COLOURS,
    DECISIONS,
    FULL,
    PLAYERS,
    SET_SIZE,
    at,
    changes,
    full_stock,
    last_turn,
    play_first_legal,
    round_points,
    walls,
)
from tests.support.rule_cases import Core, sized

DECK = [card for card in range(9) for _ in range(5)]


def random_game(players: int, seed: int) -> Core:
    return Core.deal("manhattan", players, seed)


def test_mh_r01_numbers_of_cities_squares_colours_and_seats() -> None:
    """MH-R01: the number in a move text is the number in the position."""
    core = at(4, turn=3, hands=[[], [], [], [0]], deck=[1], chosen={"3": [2]})
    core.play("build 5 6 2")  # seat 3, side 3: printed 0 is board square 6
    assert core.position()["towers"] == [[5, 6, [[3, 2]]]]


@pytest.mark.parametrize(("players", "squares"), [(2, [0, 8]), (3, [0, 2, 8]), (4, [0, 2, 8, 6])])
def test_mh_r02_sides_of_the_seats(players: int, squares: list[int]) -> None:
    """MH-R02: seat i at side i; two players opposite each other. Printed 0 tells the side."""
    for seat, square in enumerate(squares):
        hands = [[0] if other == seat else [] for other in range(players)]
        core = at(players, turn=seat, hands=hands, chosen={str(seat * COLOURS[players] // players): [1]})
        assert {int(text.split()[2]) for text in core.texts()} == {square}


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r03_the_start_is_random_and_recorded(players: int) -> None:
    """MH-R03: every seat starts about equally often; it holds the marker, decides first and is in the setup."""
    games = sized(600, 120)
    starts = [0] * players
    for seed in range(games):
        core = random_game(players, seed)
        starts[core.position()["marker"]] += 1
        assert core.seat == core.position()["marker"]
        assert core.game.setup(core.states[0])["start"] == core.seat
    fair = games / players
    assert all(abs(count - fair) < 4.5 * fair**0.5 for count in starts), starts


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r04_the_deal_is_one_block_of_four_per_seat(players: int) -> None:
    """MH-R04: seat i gets deck positions 4 i .. 4 i + 3, the rest is the draw deck."""
    deck = random.Random(players).sample(DECK, 45)
    start = Core.start("manhattan", players, {"start": 1, "deck": deck}).position()
    assert start["hands"] == [sorted(deck[4 * seat : 4 * seat + 4]) for seat in range(players)]
    assert start["deck"] == deck[4 * players :]
    assert (start["marker"], start["round"], start["phase"], start["picked"]) == (1, 1, "pick", 0)
    assert start["stock"] == {str(colour): FULL for colour in range(COLOURS[players])}
    assert (start["towers"], start["scores"], start["played"]) == ([], [0] * players, [[]] * players)


def test_mh_r05_sets_are_numbered_in_lexicographic_order() -> None:
    """MH-R05: as words, the move texts of all sets are sorted, and there are 84 and 35."""
    for players, count in ((4, 84), (3, 35)):
        s = at(players, phase="pick", stock=full_stock(players)).states[0]
        texts = [registry.load("manhattan").move_text(s, number) for number in range(count)]
        assert texts == sorted(set(texts))
        assert all(text.split()[1:] == sorted(text.split()[1:]) for text in texts)
        assert {len(text.split()) - 1 for text in texts} == {SET_SIZE[players]}


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r06_forced_decisions_are_decisions(players: int) -> None:
    """MH-R06: decisions with one legal move are asked too; a game always has 112, 90 or 120."""
    core, decisions, forced = random_game(players, 5), 0, 0
    while core.seat is not None:
        forced += len(core.actions()) == 1
        core.play_action(core.actions()[-1])
        decisions += 1
    assert decisions == {4: 112, 3: 90, 2: 120}[players]
    assert forced >= COLOURS[players]  # the last round's sets at least


def test_mh_r07_the_reshuffle_waits_for_a_draw_that_finds_no_card() -> None:
    """MH-R07: not at the draw that empties the deck; hands stay, no top card stays behind, the card played goes in."""
    core = at(3, hands=[[0, 1, 2, 3], [4, 5, 6, 7], [8, 0, 1, 2]], deck=[8], played=[[5], [4], [7]],
              chosen={"0": [2, 2], "1": [1, 1]})  # fmt: skip
    first = changes(core, "build 0 3 2")
    assert (first["deck"], first["played"]) == ([], [[5, 3], [4], [7]])
    second = changes(core, "build 1 0 1", orders=[[7, 3, 6, 5, 4]])  # side 1: board square 0 is printed 6
    assert second["hands"] == [[0, 1, 2, 8], [4, 5, 7, 7], [0, 1, 2, 8]]
    assert (second["deck"], second["played"]) == ([3, 6, 5, 4], [[], [], []])


@pytest.mark.parametrize(("players", "draws"), [(4, [30, 60, 90]), (3, [34, 68]), (2, [38, 76])])
def test_mh_r08_a_card_is_drawn_in_the_last_turn_too(players: int, draws: list[int]) -> None:
    """MH-R08: every turn draws one card, four are held at the end, and the last draw never reshuffles."""
    core, drawn, shuffles = random_game(players, 11), 0, []
    while core.seat is not None:
        draw = core.position()["phase"] == "turn"
        drawn += draw
        happened = core.play_action(core.actions()[0])
        shuffles += [drawn] * len(happened)
        assert [len(hand) for hand in core.position()["hands"]] == [4] * players
    assert shuffles == draws
    assert drawn == DECISIONS[players] - COLOURS[players] * {2: 6, 3: 6, 4: 4}[players]


def test_mh_r09_a_discard_costs_a_card_and_no_piece() -> None:
    """MH-R09: each printed square of the hand once; the whole difference."""
    towers = walls((0, 2, 4), (1, 2, 3))
    core = at(4, turn=8, hands=[[0, 2, 2, 4], [1, 1, 1, 1], [], []], deck=[7, 5], played=[[3], [], [], []],
              chosen={"0": [1, 4]}, towers=towers)  # fmt: skip
    assert core.legal() == [(300, "discard 0"), (302, "discard 2"), (304, "discard 4")]
    assert changes(core, "discard 2") == {
        "turn": 9,
        "hands": [[0, 2, 4, 7], [1, 1, 1, 1], [], []],
        "deck": [5],
        "played": [[3, 2], [], [], []],
    }


def test_mh_r10_set_size_and_rounds_stay_after_unbuilt_pieces() -> None:
    """MH-R10: five pieces left in the last round are still a set of four; one stays in stock at the end."""
    core = at(2, round=6, phase="pick", stock={"0": [1, 2, 0, 2]})
    assert all(len(text.split()) == 2 + 4 for text in core.texts())
    assert len(core.texts()) == 3
    over = last_turn(2, round=6, chosen={"3": [4]}, hands=[[], [0]], towers=walls((8,), (0,)))
    assert over.texts() == ["discard 0"]
    after = changes(over, "discard 0")
    assert (after["phase"], after["stock"]["3"]) == ("over", [0, 0, 0, 1])


def test_mh_r11_the_own_second_colour_is_foreign() -> None:
    """MH-R11: two players; three own floors of the other colour ask for three."""
    core = at(2, hands=[[0], []], chosen={"0": [1, 2], "1": [2, 3]}, towers=[[0, 0, [[0, 3]]]])
    here = [text for text in core.texts() if text.startswith("build 0 0 ")]
    assert here == ["build 0 0 1 c0", "build 0 0 2 c0", "build 0 0 3 c1"]


def test_mh_r12_equal_tallest_towers_of_one_seat_score_nothing() -> None:
    """MH-R12: of one colour, and of both colours of one seat."""
    assert round_points(4, [[0, 0, [[2, 4]]], [1, 0, [[2, 4]]]]) == [0, 0, 2 * (2 + 1), 0]
    assert round_points(2, [[0, 0, [[2, 4]]], [1, 0, [[3, 4]]]]) == [0, 2 * (2 + 1)]


def test_mh_r13_two_players_hold_four_cards_not_eight() -> None:
    """MH-R13: 37 cards are left in the draw deck."""
    start = random_game(2, 1).position()
    assert [len(hand) for hand in start["hands"]] == [4, 4]
    assert len(start["deck"]) == 37


def test_mh_r14_equal_scores_share_the_place() -> None:
    """MH-R14: there is no tie-break."""
    core = at(4, phase="over", scores=[30, 12, 30, 40])
    assert core.places() == [2, 4, 2, 1]


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r15_the_owner_always_has_the_most_floors(players: int) -> None:
    """MH-R15: so the owner alone need be compared; in whole random games."""
    for seed in range(sized(6, 1)):
        core, rng = random_game(players, seed), random.Random(seed)
        while core.seat is not None:
            core.play_action(rng.choice(core.actions()))
        assert core.position()["towers"]
        for _, _, pieces in core.position()["towers"]:
            floors = [sum(height for colour, height in pieces if colour == c) for c in range(4)]
            assert floors[pieces[-1][0]] == max(floors)


def test_mh_r16_copies_of_a_card_are_one_move() -> None:
    """MH-R16: five equal texts are one; one copy is used; the card is the one that means the square."""
    core = at(4, turn=1, hands=[[], [6, 6, 6, 1], [], []], deck=[0], chosen={"1": [1]})
    assert len(core.texts()) == len(set(core.texts())) == 2 * 6
    changed = changes(core, f"build 0 {BOARD[1][6]} 1")
    assert (changed["hands"][1], changed["played"][1]) == ([0, 1, 6, 6], [6])


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r17_colours_go_by_seat(players: int) -> None:
    """MH-R17: seat i has colour i, with two players 2 i and 2 i + 1."""
    core = random_game(players, 2)
    for _ in range(COLOURS[players]):
        seat, before = core.seat, core.position()["chosen"]
        play_first_legal(core, 1)
        changed = [int(colour) for colour, heights in core.position()["chosen"].items() if heights != before[colour]]
        assert changed[0] in ([2 * seat, 2 * seat + 1] if players == 2 else [seat])
    assert all(core.position()["chosen"].values())


def test_mh_r18_a_made_up_position_is_over_when_a_seat_lacks_cards_or_pieces() -> None:
    """MH-R18: no card in the next seat's hand, or a stock smaller than a set; scores stay, nothing more is scored."""
    build = {"hands": [[4], [], [0], [0]], "deck": [4], "chosen": {"0": [4]}, "towers": [[0, 0, [[1, 2]]]]}
    core = at(4, scores=[3, 2, 1, 0], **build)
    core.play("build 0 4 4")
    assert (core.seat, core.legal(), core.scores) == (None, [], [3, 2, 1, 0])
    assert core.position()["phase"] == "over"
    core = at(4, phase="pick", stock={"0": FULL, "1": [2, 2, 1, 0]})
    core.play("take 1 1 1 1 1 1")
    assert (core.seat, core.legal()) == (None, [])
    core = last_turn(3, round=2, towers=[[0, 0, [[1, 2]]]], stock={"0": FULL, "1": [1, 1, 1, 0], "2": FULL})
    core.play("discard 4")
    assert (core.seat, core.scores) == (None, [0, 3 + 2 + 1, 0])  # the round was scored before the choice of sets


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_r18_does_not_touch_a_whole_game(players: int) -> None:
    """MH-R18: from the setup, every game has all its decisions."""
    core = random_game(players, 5)
    play_first_legal(core, DECISIONS[players] - 1)
    assert core.seat is not None
    play_first_legal(core, 1)
    assert core.seat is None
