"""One case for every clause of fiveavenue_env/RULES.md on setup, turns, moves, shops, scoring and the end.

FA-S1 .. FA-S10, FA-1 .. FA-43, FA-90 .. FA-95, FA-120, FA-121, FA-D1 .. FA-D4, FA-D7. Auctions, closing, Central Park
and Egon: test_rules_auctions.py; rulings: test_rulings.py; worked positions: test_worked_positions.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from tests.fiveavenue.cases import (
    BLACK,
    BOARDS,
    COLOURED,
    COLOURS,
    DISTRICTS,
    FULL,
    GAME,
    KINDS,
    LOTS,
    PLAYERS,
    SUCCESSORS,
    at,
    bidding,
    changes,
    hands,
    kind_of,
    lot,
    lots_of,
    new_game,
    setup_of,
    starting,
    turn_of,
)
from tests.rule_cases import Core, clauses_without_test, sized

SHUFFLED = sized(400, 60)  # deals of a statistical test
STACKS = {"brown": [5, 4], "grey": [6, 4], "violet": [4]}

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
    marked = {"white": ["34W", "TS"], "beige": ["34E"]}
    for white, beige, choices in (
        ("52W", "42E", ["D 42E", "D 52W"]),
        ("TS", "TS", ["D TS"]),
        ("START", "CP", []),
        ("CP", "34W", ["D 34W"]),
    ):
        core = at(commissions={"white": white, "beige": beige}, markers=marked)
        assert starting(core, "D") == choices


@pytest.mark.parametrize("supply", [0, 3, 12])
@pytest.mark.parametrize("board", BOARDS)
def test_fa_7_what_can_be_chosen(supply: int, board: int) -> None:
    """FA-7: A with three buildings in the supply, B with a lot for a shop, C always, D in an open district."""
    two = dict.fromkeys(LOTS[:board], "boutique+gallery")
    for full in (False, True):
        lots = {district: two if full or district != "52E" else {} for district in DISTRICTS}
        core = at(board=board, lots=lots, supply=[supply, 12, 12], commissions={"white": "42W", "beige": "34W"},
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


# ---------------------------------------------------------------- moving a commission


@pytest.mark.parametrize("node", SUCCESSORS)
def test_fa_20_one_step_along_the_ways(node: str) -> None:
    """FA-20: the graph of section 1.3."""
    core = at("MOVE", commissions={"white": node})
    assert {text.split()[2] for text in starting(core, "move", "white")} == SUCCESSORS[node]


def test_fa_21_the_mover_chooses_commission_and_target() -> None:
    """FA-21: in C the same commission may be moved twice, or the other one."""
    core = at(black=["4d"])
    core.play("C")
    assert core.texts() == ["move white 34W", "move white 34E", "move beige 34W", "move beige 34E"]
    core.play("move white 34E")
    assert core.texts() == ["move white 42E", "move white TS", "move beige 34W", "move beige 34E"]
    core.play("move white TS")
    assert turn_of(core) == ("TURN", 1)


@pytest.mark.parametrize("node", SUCCESSORS)
def test_fa_22_a_marker_is_laid_where_a_commission_leaves(node: str) -> None:
    """FA-22: in districts, not on START and in Central Park."""
    core = at("MOVE", commissions={"beige": node})
    core.play(starting(core, "move", "beige")[0])
    left = [node] if node in DISTRICTS else []
    assert core.position()["markers"] == {"white": [], "beige": left}


def test_fa_23_both_commissions_and_both_markers_in_one_district() -> None:
    """FA-23."""
    core = at("MOVE", commissions={"white": "34E", "beige": "TS"}, markers={"white": [], "beige": ["34E"]})
    core.play("move white TS")
    position = core.position()
    assert position["commissions"] == {"white": "TS", "beige": "TS"}
    assert position["markers"] == {"white": ["34E"], "beige": ["34E"]}


def skipping(node: str, closed: tuple[str, ...]) -> set[str]:
    """The targets of FA-24, step by step."""
    return {
        end
        for target in SUCCESSORS[node]
        for end in (skipping(target, closed) if target in closed else {target})
    }  # fmt: skip


@pytest.mark.parametrize("count", [1, 2])
def test_fa_24_closed_districts_are_skipped(count: int) -> None:
    """FA-24: from every node past every set of closed districts, each target once; a skipped one gets no marker."""
    for closed in combinations(DISTRICTS, count):
        for node in SUCCESSORS:
            core = at("MOVE", commissions={"white": node}, closed=list(closed))
            targets = [text.split()[2] for text in starting(core, "move", "white")]
            assert set(targets) == skipping(node, closed), (node, closed)
            assert len(targets) == len(set(targets))
    core = at("MOVE", commissions={"white": "34W"}, closed=["TS"])
    core.play("move white 52E")
    assert core.position()["markers"]["white"] == ["34W"]


def test_fa_25_a_commission_in_a_closed_district_moves_on_without_a_marker() -> None:
    """FA-25: by the same graph."""
    core = at("MOVE", commissions={"white": "TS"}, closed=["TS"], markers={"white": ["34W"]})
    assert starting(core, "move", "white") == ["move white 52W", "move white 52E"]
    core.play("move white 52E")
    assert core.position()["markers"]["white"] == ["34W"]
    core.play("C")
    core.play("move white CP")
    assert core.position()["markers"]["white"] == ["34W", "52E"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commission", ["white", "beige"])
def test_fa_26_from_central_park_to_start_begins_a_round(players: int, commission: str) -> None:
    """FA-26: the mover is its first player."""
    core = at("MOVE", 1, players, commissions={commission: "CP"}, markers={commission: ["34E", "TS"]})
    assert starting(core, "move", commission) == [f"move {commission} START"]
    core.play(f"move {commission} START")
    auction = core.position()["auction"]
    assert (turn_of(core), auction["initiator"], auction["commission"]) == (("BID", 1), 1, commission)
    assert core.position()["commissions"] == {"white": "START", "beige": "START"}


# ---------------------------------------------------------------- shops


def test_fa_30_any_shop_of_the_leftmost_block() -> None:
    """FA-30: those of later blocks are not for choice."""
    core = at(row=[["perfumery", "boutique", "boutique"], ["jeweller", "gallery"]])
    assert starting(core, "B") == ["B boutique", "B perfumery"]


def test_fa_31_the_last_of_a_block_goes_to_the_park_tiles() -> None:
    """FA-31: of three two are placed, of two one: twelve in all, eight park tiles; blocks become current in order."""
    core = new_game(3, 6)
    blocks = core.position()["row"]
    while kind_of(core) != "TURN":
        core.play(core.texts()[0])
    park: list[str] = []
    for block in blocks:
        left = list(block)
        while len(left) > 1:
            assert starting(core, "B") == [f"B {kind}" for kind in KINDS if kind in left]
            kind = left.pop(0)
            core.play(f"B {kind}")
            core.play(starting(core, "shop")[0])
            if len(left) == 1:
                park.append(left[0])
            assert core.seat is None or core.position()["park"] == park
            while kind_of(core) not in ("TURN", None):
                core.play("pass" if "pass" in core.texts() else core.texts()[0])
    assert (core.seat, core.position()["placed"], len(park)) == (None, 12, 8)
    assert sorted(core.position()["park"]) == sorted(park)


@pytest.mark.parametrize("board", BOARDS)
def test_fa_32_lots_that_take_a_shop(board: int) -> None:
    """FA-32: open, without building, at most one shop; the same kind twice; the dashed lot too."""
    lots = {"34W": {"brown": "gallery", "grey": "gallery+boutique", "violet": "0:1"}, "TS": {"green": "jeweller"}}
    core = at("SHOP", shop="gallery", lots=lots, closed=["52W"], board=board)
    wanted = [
        f"shop {district} {name}"
        for district in DISTRICTS
        for name in LOTS[:board]
        if district != "52W" and (district != "34W" or name not in ("grey", "violet"))
    ]
    assert core.texts() == wanted
    core.play("shop 34W brown")
    assert lot(core, "34W", "brown") == "gallery+gallery"


def test_fa_33_shops_stay_until_their_district_is_closed() -> None:
    """FA-33: scoring, winning and building leave them; closing does not."""
    core = bidding("orange 4", "", "", lots=FULL, auction={"passed": [1, 2]}, black=["4d"])
    core.play_all(["add orange 4", "bid"])
    closed = core.copy()
    core.play("build 3")
    assert (lot(core, "34W", "violet"), lot(core, "34W", "grey")) == ("boutique", "gallery")
    closed.play("close")
    assert set(closed.position()["lots"]["34W"].values()) == {""}


@pytest.mark.parametrize(("placed", "points"), [(3, [4, 4, 4, 0]), (6, [6, 6, 0, 0]), (9, [8, 0, 0, 0])])
def test_fa_34_bonus_after_the_3rd_6th_and_9th_shop(placed: int, points: list[int]) -> None:
    """FA-34: for 3, 4, 5 open districts; seats 0 .. 3 have buildings in 5, 4, 3, 2, seat 3 many at Central Park."""
    lots = {d: {} for d in DISTRICTS}
    for seat, name in enumerate(COLOURS[:4]):
        for district in DISTRICTS[: 5 - seat]:
            lots[district][name] = f"{seat}:2"
    core = at("SHOP", 3, 4, shop="gallery", placed=placed - 1, lots=lots, cp=[0, 0, 0, 9], scores=[1, 0, 0, 0])
    core.play("shop 52E green")
    assert core.scores == [1 + points[0], *points[1:]]


@pytest.mark.parametrize("placed", [1, 2, 4, 5, 7, 8, 10, 11])
def test_fa_34_no_bonus_after_other_shops(placed: int) -> None:
    """FA-34."""
    lots = {district: {"brown": "0:1"} for district in DISTRICTS}
    core = at("SHOP", shop="gallery", placed=placed - 1, lots=lots)
    core.play("shop TS grey")
    assert core.scores == [0, 0, 0]


def test_fa_34_the_bonus_counts_the_moment() -> None:
    """FA-34: a closed district has no buildings; initial shops are not counted as placed."""
    core = at("SHOP", shop="gallery", placed=2, closed=["34W"],
              lots={"34E": {"brown": "0:1"}, "TS": {"brown": "0:1", "grey": "gallery"}})  # fmt: skip
    core.play("shop TS green")
    assert core.scores == [0, 0, 0]


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_35_the_twelfth_shop_ends_the_game_at_once(players: int) -> None:
    """FA-35: its block's last goes to the park tiles; neither TAKE nor MOVE."""
    core = at("SHOP", 1, players, shop="gallery", placed=11, row=[["jeweller"]], park=["boutique"], stacks=STACKS)
    core.play("shop TS green", [{"deck": "park", "order": ["jeweller", "boutique"]}])
    position = core.position()
    assert (core.seat, core.legal(), position["over"], position["decision"]) == (None, [], True, None)
    assert (position["placed"], position["row"], position["stacks"]["grey"]) == (12, [], STACKS["grey"])


# ---------------------------------------------------------------- scoring a district


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_40_all_players_score_all_their_buildings(players: int) -> None:
    """FA-40: whoever chose D; the whole difference is scores and black cards."""
    lots = {"TS": {name: f"{p}:{p + 1}" for p, name in enumerate(COLOURS[:players])}}
    core = at("TURN", players - 1, players, lots=lots, commissions={"beige": "TS"})
    assert changes(core, "D TS") == {
        "scores": [p + 1 for p in range(players)],
        "action": "D",
        "phase": 3,
        "decision": {"kind": "MOVE", "player": players - 1},
    }


@pytest.mark.parametrize("board", BOARDS)
def test_fa_41_the_two_lots_beside_it_in_the_ring(board: int) -> None:
    """FA-41: one lot with shops, every other lot with a building: only its two neighbours gain."""
    ring = LOTS[:board]
    for i, shop in enumerate(ring):
        for name in set(ring) - {shop, "dashed"}:
            core = at(board=board, lots={"TS": {shop: "boutique+gallery", name: "0:1"}}, commissions={"white": "TS"})
            core.play("D TS")
            beside = name in (ring[i - 1], ring[(i + 1) % board])
            assert core.scores == [3 if beside else 1, 0, 0], (shop, name)


@pytest.mark.parametrize(
    ("grey", "green", "points"),
    [("", "", 1), ("boutique", "", 2), ("boutique+boutique", "boutique", 2), ("boutique+gallery", "", 3),
     ("boutique", "perfumery", 3), ("boutique+gallery", "gallery+boutique", 3), ("boutique+gallery", "jeweller", 5),
     ("boutique+gallery", "jeweller+boutique", 5), ("boutique+gallery", "jeweller+perfumery", 8)],
)  # fmt: skip
@pytest.mark.parametrize("buildings", [1, 5])
def test_fa_42_points_by_different_kinds(grey: str, green: str, points: int, buildings: int) -> None:
    """FA-42: both sides together; times the buildings."""
    core = at(lots={"TS": {"brown": f"0:{buildings}", "grey": grey, "green": green}}, commissions={"white": "TS"})
    core.play("D TS")
    assert core.scores == [points * buildings, 0, 0]


def test_fa_43_scoring_removes_nothing() -> None:
    """FA-43: lots, commissions, markers and pieces are as before, and it may be scored again."""
    core = at(lots=FULL, commissions={"white": "34W", "beige": "34W"}, markers={"beige": ["34E"]})
    before = core.position()
    core.play("D 34W")
    after = core.position()
    for field in ("lots", "closed", "commissions", "markers", "row", "park", "reserve", "supply", "cp"):
        assert after[field] == before[field]
    core.play("move white 42W")
    assert starting(core, "D") == ["D 34W", "D 42W"]


# ---------------------------------------------------------------- the end


def test_fa_90_the_last_shop_ends_the_game() -> None:
    """FA-90: not the eleventh."""
    for placed, over in ((10, False), (11, True)):
        core = at("SHOP", shop="gallery", placed=placed)
        core.play("shop TS green")
        assert core.position()["over"] is over


@pytest.mark.parametrize("first", ["34E", "52W"])
def test_fa_91_the_second_closing_ends_the_game(first: str) -> None:
    """FA-91: it is carried out, then neither the auctions left nor the rest of the turn."""
    lots = {**FULL, "TS": {"brown": "1:2"}}
    core = bidding("orange 4", "", "", then=["TS"], lots=lots, closed=[first], auction={"passed": [1, 2]},
                   black=["4d"], cp=[0, 1, 0])  # fmt: skip
    core.play_all(["add orange 4", "bid", "close"], [[]])
    position = core.position()
    assert (core.seat, position["closed"]) == (None, sorted([first, "34W"], key=DISTRICTS.index))
    assert position["final"] == {"before": [4, 1, 1], "districts": [0, 2, 0], "park": [0, 1, 0]}
    assert core.scores == [4, 4, 1]


@pytest.mark.parametrize("board", BOARDS)
def test_fa_92_every_open_district_is_scored_at_the_end(board: int) -> None:
    """FA-92: as a D would."""
    lots = {
        "34W": {"brown": "0:2", "grey": "boutique"},
        "TS": {"grey": "0:1", "violet": "1:4"},
        "52E": {"green": "2:3"},
    }
    core = at("MOVE", 2, lots=lots, turn=9, options={"max_turns": 9}, board=board, scores=[5, 0, 0])
    core.play("move white 34W")
    assert core.position()["final"] == {"before": [5, 0, 0], "districts": [5, 4, 3], "park": [0, 0, 0]}
    assert core.scores == [10, 4, 3]


def test_fa_93_all_park_tiles_are_shuffled_and_three_turned_up() -> None:
    """FA-93: every tile is among the three as often as another."""
    park = ["boutique", "gallery", "gallery", "gallery", "gallery", "gallery", "gallery"]
    found = 0
    for stream in range(SHUFFLED):
        core = at("MOVE", 2, park=park, cp=[1, 0, 0], turn=9, options={"max_turns": 9}, stream=stream)
        (event,) = core.play("move white 34W")
        assert (event["deck"], sorted(event["order"])) == ("park", sorted(park))
        shown = event["order"][:3]
        found += "boutique" in shown
        assert core.scores == [1 + len(set(shown)), 0, 0]
    assert abs(found - SHUFFLED * 3 / 7) < 5 * (SHUFFLED * 12 / 49) ** 0.5


@pytest.mark.parametrize(
    ("order", "points"),
    [("BBBG", 2), ("BGBJ", 3), ("GBJP", 5), ("PPP", 2)],
)
def test_fa_94_central_park_by_the_kinds_turned_up(order: str, points: int) -> None:
    """FA-94: 2, 3, 5 a building; a fourth tile does not count."""
    kinds = {kind[0].upper(): kind for kind in KINDS}
    park = [kinds[letter] for letter in order]
    core = at("MOVE", 2, park=sorted(park), cp=[3, 0, 1], turn=9, options={"max_turns": 9})
    core.play("move white 34W", [{"deck": "park", "order": park}])
    assert core.position()["final"]["park"] == [3 * points, 0, points]


def test_fa_95_most_points_then_most_cards() -> None:
    """FA-95: cards of every colour count."""
    for scores, rows, places in (
        ([5, 9, 7], ["black 6666", "", ""], [3, 1, 2]),
        ([9, 9, 7], ["black 4", "brown 6 black 6", ""], [2, 1, 3]),
        ([9, 9, 9], ["black 4", "brown 6", "grey 44"], [2, 2, 1]),
    ):
        core = at("MOVE", 2, scores=scores, hands=hands(*rows), turn=9, options={"max_turns": 9})
        core.play("move white 34W")
        assert core.places() == places


# ---------------------------------------------------------------- the board with six lots


def test_fa_120_six_lots_and_otherwise_the_same_rules() -> None:
    """FA-120: the initial shops lie on the dashed lots; all else of a deal is that of board 5."""
    five, six = (Core.deal(GAME, 3, 8, {"board": board}) for board in BOARDS)
    assert {name for _, name in six.game.setup(six.states[0])["shops"].values()} == {"dashed"}
    assert [text.split()[0] for text in six.texts()] == ["place"] * 35
    assert len(five.texts()) == 28
    assert len(six.position()["black"]) == len(five.position()["black"])


def test_fa_121_the_dashed_lot_has_no_colour() -> None:
    """FA-121: no building and no bid; it takes a second shop, never counts as empty, and counts for its neighbours."""
    core = new_game(3, 2, 6)
    assert not [text for text in core.texts() if text.endswith("dashed")]
    coloured = {"brown": "0:1", "grey": "1:1", "violet": "2:1", "orange": "gallery", "green": "jeweller"}
    full = bidding("brown 4 green 4", "", "", lots=lots_of(**coloured, dashed="boutique"), board=6)
    assert full.texts() == ["add brown 4", "pass"]
    full.play_all(["add brown 4", "bid", "pass", "pass"])
    assert "close" in full.texts()
    core = at("SHOP", shop="gallery", lots=lots_of(brown="0:1", dashed="boutique"), board=6)
    core.play("shop 34W dashed")
    assert lot(core, "34W", "dashed") == "boutique+gallery"
    assert core.states[0].points_now[0] == 3


# ---------------------------------------------------------------- decisions of section 6


@pytest.mark.parametrize("board", BOARDS)
def test_fa_d1_place(board: int) -> None:
    """FA-D1: every empty lot of every district without an own building, in the order of the actions."""
    core = new_game(2, 4, board)
    core.play_all([core.texts()[0], core.texts()[-1]])
    lots = core.position()["lots"]
    free = [d for d in DISTRICTS if not any(code.startswith("1:") for code in lots[d].values())]
    assert core.texts() == [f"place {d} {c}" for d in free for c in COLOURS if lots[d][c] == ""]
    assert len(free) == 6


def test_fa_d2_turn_and_what_comes_next() -> None:
    """FA-D2: in action order; A leads to TAKE, B to SHOP, C to MOVE in phase 1, D to MOVE in phase 3."""
    core = at("TURN", 1, stacks=STACKS, commissions={"white": "34E", "beige": "52W"}, black=["4d"] * 5)
    assert core.texts() == ["A", "B boutique", "B gallery", "C", "D 34E", "D 52W"]
    for text, kind, phase in (
        ("A", "TAKE", None),
        ("B boutique", "SHOP", None),
        ("C", "MOVE", 1),
        ("D 52W", "MOVE", 3),
    ):
        copy = core.copy()
        copy.play(text)
        assert (turn_of(copy), copy.position()["phase"]) == ((kind, 1), phase)


@pytest.mark.parametrize(("stacks", "kind"), [(STACKS, "TAKE"), ({}, "MOVE")])
def test_fa_d3_after_the_shop_comes_take_or_move(stacks: dict[str, list[int]], kind: str) -> None:
    """FA-D3: place, last of the block, bonus, and on."""
    lots = {district: {"brown": "2:1"} for district in DISTRICTS[:3]}
    core = at(
        "SHOP", 2, shop="boutique", row=[["gallery"], ["jeweller", "perfumery"]], placed=2, lots=lots, stacks=stacks
    )
    core.play("shop 34W grey")
    position = core.position()
    assert (position["park"], position["row"], core.scores) == (["gallery"], [["jeweller", "perfumery"]], [0, 0, 4])
    assert turn_of(core) == (kind, 2)


def test_fa_d4_take() -> None:
    """FA-D4: all pairs of the stacks that have cards, the only one, or nothing is asked."""
    for count in range(6):
        for colours in combinations(COLOURS, count):
            core = at(stacks={colour: [4] for colour in colours})
            core.play("A")
            if count == 0:
                assert kind_of(core) == "MOVE"
            elif count == 1:
                assert core.texts() == [f"take {colours[0]}"]
            else:
                assert core.texts() == [f"take {a} {b}" for a, b in combinations(colours, 2)]


def test_fa_d7_move_and_what_comes_next() -> None:
    """FA-D7: in phase 1 TAKE, or its skip; in phase 3 the next turn; a round comes between."""
    for phase, stacks, after in ((1, STACKS, "TAKE"), (1, {}, "MOVE"), (3, STACKS, "TURN")):
        core = at("MOVE", 1, phase=phase, stacks=stacks, commissions={"white": "CP"})
        plain = core.copy()
        plain.play("move beige 34W")
        assert turn_of(plain) == (after, 2 if after == "TURN" else 1)
        core.play("move white START")
        core.play_all(["pass"] * 3)
        assert turn_of(core) == turn_of(plain)
        assert core.position()["phase"] == (3 if after == "MOVE" else None)


def test_every_clause_has_a_case() -> None:
    assert clauses_without_test(GAME) == set()
