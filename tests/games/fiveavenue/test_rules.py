"""One case for every clause of fiveavenue_env/RULES.md on setup and turns: FA-S1 .. FA-S10, FA-1 .. FA-12.

The decisions of a turn: test_rules_decisions.py; the city: test_rules_city.py; auctions: test_rules_auctions.py;
closing, Central Park and Egon: test_rules_closing.py; rulings: test_rulings.py; worked positions:
test_worked_positions.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.games.fiveavenue.cases import (
    BLACK,
    BOARDS,
    COLOURED,
    COLOURS,
    DISTRICTS,
    GAME,
    KINDS,
    LOTS,
    PLAYERS,
    STACKS,
    at,
    changes,
    hands,
    kind_of,
    lot,
    new_game,
    no_room,
    setup_of,
    starting,
    turn_of,
)
from tests.support.rule_cases import Core, clauses_without_test, sized

SHUFFLED = sized(400, 60)  # deals of a statistical test

# ---------------------------------------------------------------- setup


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_fa_s1_nothing_is_closed_scored_or_placed(players: int, board: int) -> None:
    """FA-S1: and the lots are those of the board."""
    position = Core.deal(GAME, players, 3, {"board": board}).position()
    assert (position["closed"], position["scores"], position["cp"]) == ([], [0] * players, [0] * players)
    assert (position["park"], position["placed"]) == ([], 0)
    assert [list(lots) for lots in position["lots"].values()] == [list(LOTS[:board])] * 7


def test_fa_s2_the_shops_are_shuffled_together() -> None:
    """FA-S2: seven initial ones, twenty of the row, nine out; every place gets every kind."""
    first: dict[str, Counter[str]] = {"shops": Counter(), "row": Counter(), "out": Counter()}
    for seed in range(SHUFFLED):
        core = Core.deal(GAME, 3, seed)
        setup = core.game.setup(core.states[0])
        tiles = [kind for kind, _ in setup["shops"].values()] + setup["row"] + setup["out"]
        assert Counter(tiles) == dict.fromkeys(KINDS, 9)
        assert (len(setup["row"]), len(setup["out"])) == (20, 9)
        first["shops"][setup["shops"]["TS"][0]] += 1
        first["row"][setup["row"][0]] += 1
        first["out"][setup["out"][-1]] += 1
    spread = 5 * (SHUFFLED * 3 / 16) ** 0.5
    for counts in first.values():
        assert all(abs(counts[kind] - SHUFFLED / 4) < spread for kind in KINDS), counts


@pytest.mark.parametrize("board", BOARDS)
def test_fa_s3_every_district_begins_with_one_shop(board: int) -> None:
    """FA-S3: its kind and lot are those of the setup object; on board 6 it lies on the dashed lot."""
    setup = setup_of(5, board)
    lots = new_game(2, 5, board).position()["lots"]
    for district, (kind, name) in setup["shops"].items():
        assert lots[district] == {lot: kind if lot == name else "" for lot in LOTS[:board]}
    for seed in range(SHUFFLED // 10):
        core = Core.deal(GAME, 2, seed, {"board": board})
        names = [name for _, name in core.game.setup(core.states[0])["shops"].values()]
        assert max(Counter(names).values()) <= 2 if board == 5 else names == ["dashed"] * 7


def test_fa_s3_all_25200_assignments_are_alike() -> None:
    """FA-S3: half of them miss a colour, each district has each colour in a fifth of them."""
    missing, brown_in_52e = 0, 0
    for seed in range(SHUFFLED):
        core = Core.deal(GAME, 4, seed)
        names = [name for _, name in core.game.setup(core.states[0])["shops"].values()]
        missing += len(set(names)) == 4
        brown_in_52e += names[6] == "brown"
    assert abs(missing - SHUFFLED / 2) < 5 * (SHUFFLED / 4) ** 0.5
    assert abs(brown_in_52e - SHUFFLED / 5) < 5 * (SHUFFLED * 4 / 25) ** 0.5


def test_fa_s4_the_row_is_cut_into_blocks() -> None:
    """FA-S4: from left to right; the kinds of a block have no order."""
    row = setup_of(7)["row"]
    cuts = [0, 3, 5, 8, 10, 13, 15, 18, 20]
    blocks = [sorted(row[a:b]) for a, b in pairwise(cuts)]
    assert [sorted(block) for block in new_game(3, 7).position()["row"]] == blocks


def test_fa_s5_six_decks_are_shuffled_each_by_itself() -> None:
    """FA-S5: with the printed counts; any card may lie anywhere."""
    tops: Counter[tuple[str, int]] = Counter()
    for seed in range(SHUFFLED):
        core = Core.deal(GAME, 2, seed)
        cards = core.game.setup(core.states[0])["cards"]
        assert {name: sorted(deck) for name, deck in cards.items()} == {
            **dict.fromkeys(COLOURS, COLOURED),
            "black": BLACK,
        }
        tops.update((name, deck[-1]) for name, deck in cards.items())
    for colour, copies, total in [(c, (5, 4, 3), 12) for c in COLOURS] + [("black", (20, 16, 14), 50)]:
        for value, n in zip((4, 5, 6), copies, strict=True):
            share = n / total
            spread = 5 * (SHUFFLED * share * (1 - share)) ** 0.5
            assert abs(tops[colour, value] - SHUFFLED * share) < spread, (colour, value)


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_s6_one_card_of_each_colour_and_four_black_ones(players: int) -> None:
    """FA-S6: the top card to seat 0, the next to seat 1; black cards four at a time."""
    cards = setup_of(players)["cards"]
    position = new_game(players, players).position()
    for seat in range(players):
        dealt = {colour: [cards[colour][seat]] for colour in COLOURS}
        dealt["black"] = sorted(cards["black"][4 * seat : 4 * seat + 4], reverse=True)
        assert position["hands"][seat] == dealt


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_s7_the_rest_are_the_stacks(players: int) -> None:
    """FA-S7: in the same order, the black ones face-down; the sizes of section 5."""
    cards = setup_of(2)["cards"]
    position = new_game(players, 2).position()
    assert position["stacks"] == {colour: cards[colour][players:] for colour in COLOURS}
    assert position["black"] == [f"{value}d" for value in cards["black"][4 * players :]]
    assert len(position["stacks"]["grey"]) == {2: 10, 3: 9, 4: 8}[players]
    assert len(position["black"]) == {2: 42, 3: 38, 4: 34}[players]


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_s8_pieces_at_the_start(players: int) -> None:
    """FA-S8: reserve 3, supply 12; commissions and markers on START."""
    core = new_game(players)
    position = core.position()
    assert (position["reserve"], position["supply"]) == ([3] * players, [12] * players)
    assert position["commissions"] == {"white": "START", "beige": "START"}
    assert position["markers"] == {"white": [], "beige": []}
    assert turn_of(core) == ("PLACE", 0)


@pytest.mark.parametrize(
    ("players", "order"), [(2, [0, 1, 1, 0]), (3, [0, 2, 1, 1, 2, 0]), (4, [0, 3, 2, 1, 1, 2, 3, 0])]
)
@pytest.mark.parametrize("board", BOARDS)
def test_fa_s9_placement_counter_clockwise_and_back(players: int, order: list[int], board: int) -> None:
    """FA-S9: on empty lots; each building comes from beside the board, not from reserve or supply."""
    core = new_game(players, 3, board)
    seats, homes = [], {}
    while kind_of(core) == "PLACE":
        seats.append(core.seat)
        before = core.position()["lots"]
        _, district, colour = core.texts()[0].split()
        assert before[district][colour] == ""
        assert homes.get(core.seat) != district
        homes[core.seat] = district
        core.play(core.texts()[0])
        assert lot(core, district, colour) == f"{seats[-1]}:1"
    assert seats == order
    assert (core.position()["reserve"], core.position()["supply"]) == ([3] * players, [12] * players)
    core.check()


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_s10_then_player_0_takes_the_first_turn(players: int) -> None:
    """FA-S10."""
    core = new_game(players)
    while kind_of(core) == "PLACE":
        core.play(core.texts()[-1])
    assert (turn_of(core), core.position()["turn"]) == (("TURN", 0), 1)


# ---------------------------------------------------------------- the turn


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_1_turns_pass_clockwise(players: int) -> None:
    """FA-1: and are counted."""
    core = at(players=players)
    seats = []
    for turn in range(1, players + 2):
        assert (kind_of(core), core.position()["turn"]) == ("TURN", turn)
        seats.append(core.seat)
        core.play("A")
        core.play(core.texts()[0])
    assert seats == [*range(players), 0]


@pytest.mark.parametrize(
    ("choice", "kinds"),
    [("A", "TAKE MOVE"), ("B gallery", "SHOP TAKE MOVE"), ("C", "MOVE TAKE MOVE"), ("D TS", "MOVE")],
)
def test_fa_2_a_turn_is_one_choice_carried_out_in_three_phases(choice: str, kinds: str) -> None:
    """FA-2: no other choice is offered until the next seat's turn."""
    core = at(commissions={"white": "TS"}, stacks=STACKS, black=["4d"] * 9)
    core.play(choice)
    seen = []
    while kind_of(core) != "TURN":
        seen.append(kind_of(core))
        assert core.seat == 0 and core.position()["action"] == choice[0]
        assert not {"A", "C", "pass"} & set(core.texts())
        core.play(core.texts()[0])
    assert (seen, core.seat) == (kinds.split(), 1)


def test_fa_3_a_brings_three_buildings() -> None:
    """FA-3: from supply to reserve, which has no limit; the whole difference."""
    core = at(reserve=[12, 3, 3], supply=[3, 12, 12], stacks=STACKS)
    assert changes(core, "A") == {
        "reserve": [15, 3, 3],
        "supply": [0, 12, 12],
        "action": "A",
        "decision": {"kind": "TAKE", "player": 0},
    }


def test_fa_4_b_places_a_shop_of_the_current_block() -> None:
    """FA-4: the whole difference of both halves."""
    core = at(row=[["boutique", "gallery", "gallery"], ["jeweller", "perfumery"]], stacks=STACKS)
    assert changes(core, "B gallery") == {
        "row": [["boutique", "gallery"], ["jeweller", "perfumery"]],
        "shop": "gallery",
        "action": "B",
        "decision": {"kind": "SHOP", "player": 0},
    }
    lots = core.position()["lots"]
    assert changes(core, "shop 42E violet") == {
        "lots": {**lots, "42E": {**lots["42E"], "violet": "gallery"}},
        "shop": None,
        "placed": 1,
        "decision": {"kind": "TAKE", "player": 0},
    }


def test_fa_5_c_draws_before_it_moves() -> None:
    """FA-5: the top black card; the whole difference."""
    core = at(black=["6d", "4d"], hands=hands("black 5", "", ""))
    assert changes(core, "C") == {
        "hands": [{"black": [6, 5]}, {}, {}],
        "black": ["4d"],
        "action": "C",
        "phase": 1,
        "decision": {"kind": "MOVE", "player": 0},
    }


def test_fa_6_d_scores_a_district_with_a_commission() -> None:
    """FA-6: a marker is not enough; START and Central Park are no districts; both in one district are one choice."""
    marked = {"52W": ["34W", "TS"], "42E": ["34E"], "TS": ["34W"], "CP": ["34W", "TS", "52E"]}
    for white, beige, choices in (
        ("52W", "42E", ["D 42E", "D 52W"]),
        ("TS", "TS", ["D TS"]),
        ("START", "CP", []),
        ("CP", "34W", ["D 34W"]),
    ):
        markers = {"white": marked.get(white, []), "beige": marked.get(beige, [])}
        core = at(commissions={"white": white, "beige": beige}, markers=markers)
        assert starting(core, "D") == choices


@pytest.mark.parametrize("supply", [0, 3, 12])
@pytest.mark.parametrize("board", BOARDS)
def test_fa_7_what_can_be_chosen(supply: int, board: int) -> None:
    """FA-7: A with three buildings in the supply, B with a lot for a shop, C always, D in an open district."""
    for full in (False, True):
        lots = {district: no_room(board) for district in DISTRICTS if full or district not in ("34W", "52E")}
        core = at(players=2, board=board, lots=lots, supply=[supply, 12], commissions={"white": "42W", "beige": "34W"},
                  closed=["34W"] if not full else [], black=["4d"])  # fmt: skip
        wanted = ["A"] if supply else []
        wanted += [] if full else ["B boutique", "B gallery"]
        wanted += ["C", "D 34W", "D 42W"] if full else ["C", "D 42W"]
        assert core.texts() == wanted


def test_fa_8_the_top_cards_of_two_different_stacks() -> None:
    """FA-8: both chosen at once; the whole difference."""
    core = at("TAKE", stacks=STACKS)
    assert core.texts() == ["take brown grey", "take brown violet", "take grey violet"]
    assert changes(core, "take grey violet") == {
        "hands": [{"grey": [6], "violet": [4]}, {}, {}],
        "stacks": {"brown": [5, 4], "grey": [4], "violet": [], "orange": [], "green": []},
        "phase": 3,
        "decision": {"kind": "MOVE", "player": 0},
    }


def test_fa_9_d_draws_two_black_cards() -> None:
    """FA-9: no coloured ones; the whole difference with a building of everybody in the district."""
    lots = {"TS": {"brown": "0:1", "grey": "1:1", "violet": "2:1"}}
    core = at("TURN", 1, lots=lots, commissions={"white": "TS"}, black=["6d", "5d", "4d", "4d"], stacks=STACKS)
    assert changes(core, "D TS") == {
        "scores": [1, 1, 1],
        "hands": [{}, {"black": [6, 5]}, {}],
        "black": ["4d", "4d"],
        "action": "D",
        "phase": 3,
        "decision": {"kind": "MOVE", "player": 1},
    }


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_10_everybody_without_a_building_there_draws_one(players: int) -> None:
    """FA-10: clockwise from the active seat, which draws a third card; buildings elsewhere do not count."""
    for own in range(players):
        lots = {"TS": {"brown": f"{own}:2"}, "34W": {name: f"{p}:1" for p, name in enumerate(LOTS[:players])}}
        black = [6, 5, 4, 5, 6, 4]
        core = at("TURN", 1, players, lots=lots, commissions={"beige": "TS"}, black=[f"{v}d" for v in black])
        core.play("D TS")
        drawn: dict[int, list[int]] = {p: [] for p in range(players)}
        order = [1, 1, *((1 + i) % players for i in range(players) if (1 + i) % players != own)]
        for seat, value in zip(order, black, strict=False):
            drawn[seat].append(value)
        held = [sorted(values, reverse=True) for values in drawn.values()]
        assert core.position()["hands"] == [{"black": values} if values else {} for values in held]


def test_fa_11_hands_have_no_limit() -> None:
    """FA-11: 108 cards and two more, taken from the last two stacks."""
    full = {colour: sorted(COLOURED, reverse=True) for colour in COLOURS}
    full["brown"], full["grey"] = full["brown"][1:], full["grey"][1:]
    core = at(
        "TAKE", hands=[{**full, "black": sorted(BLACK, reverse=True)}, {}, {}], stacks={"brown": [6], "grey": [6]}
    )
    core.play("take brown grey")
    assert sum(len(cards) for cards in core.position()["hands"][0].values()) == 110


def test_fa_12_a_turn_ends_with_a_compulsory_move() -> None:
    """FA-12: nothing but moves is offered; then it is the next seat's turn; the whole difference."""
    core = at("MOVE", 2, turn=7, phase=3)
    assert [text.split()[0] for text in core.texts()] == ["move"] * 4
    assert changes(core, "move beige 34E") == {
        "commissions": {"white": "START", "beige": "34E"},
        "turn": 8,
        "phase": None,
        "decision": {"kind": "TURN", "player": 0},
    }


def test_every_clause_has_a_case() -> None:
    assert clauses_without_test(GAME) == set()
