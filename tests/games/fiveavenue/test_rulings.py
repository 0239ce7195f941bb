"""One case for every ruling of fiveavenue_env/RULES.md section 4, FA-R1 .. FA-R25."""

from __future__ import annotations

import numpy as np
import pytest

from skyline import registry
from tests.games.fiveavenue.cases import (
    BOARDS,
    COLOURS,
    DISTRICTS,
    FULL,
    GAME,
    PLAYERS,
    at,
    bid,
    bidding,
    changes,
    hands,
    kind_of,
    last_bidder,
    lot,
    lots_of,
    new_game,
    no_room,
    setup_of,
    starting,
    turn_of,
)
from tests.games.fiveavenue.views import finished, played
from tests.support.rule_cases import Core, sized
from tests.support.seeing import decoded

STACKS = {"brown": [5, 4], "grey": [6, 4], "violet": [4]}


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_r1_the_second_start_building_stands_in_another_district(players: int) -> None:
    """FA-R1: though others have buildings there."""
    core = new_game(players, 4)
    for _ in range(players):
        core.play(starting(core, "place", "TS")[0])
    assert starting(core, "place", "TS") == []
    assert len({text.split()[1] for text in core.texts()}) == 6


@pytest.mark.parametrize("board", BOARDS)
def test_fa_r2_the_rings_of_options_and_setup(board: int) -> None:
    """FA-R2: named districts, the others keep the default; the setup holds all; bad rings are refused."""
    dashed = ["dashed"] if board == 6 else []
    own = [*dashed, "grey", "brown", "green", "orange", "violet"]
    core = Core.deal(GAME, 2, 1, {"board": board, "rings": {"52W": own}})
    rings = core.game.setup(core.states[0])["rings"]
    assert rings["52W"] == own
    assert rings["TS"] == ["orange", "green", "grey", "brown", "violet", *dashed]
    assert list(rings) == list(DISTRICTS)
    lots = {"52W": {"brown": "0:1", "grey": "gallery", "green": "jeweller", "violet": "boutique"}}
    scored = at(board=board, options={"rings": {"52W": own}}, commissions={"white": "52W"}, lots=lots)
    scored.play("D 52W")
    assert scored.scores == [3, 0, 0]
    for wrong in ("odd", {"52W": ["brown"] * 5}, {"52X": own}, {"52W": COLOURS[:4]}, 7):
        with pytest.raises(ValueError, match="rings"):
            Core.deal(GAME, 2, 1, {"board": board, "rings": wrong})
    with pytest.raises(ValueError, match="rings"):
        Core.deal(GAME, 2, 1, {"board": 11 - board, "rings": {"52W": own}})


def test_fa_r3_a_needs_three_buildings_c_is_always_there() -> None:
    """FA-R3: C with an empty black stack, too: then no card is drawn."""
    core = at(supply=[0, 12, 12], row=[])
    assert core.texts() == ["C"]
    change = changes(core, "C")
    assert "hands" not in change and "black" not in change
    assert turn_of(core) == ("MOVE", 0)
    for supply in (3, 6, 9, 12):
        assert "A" in at(supply=[supply, 12, 12]).texts()


def test_fa_r4_b_needs_a_lot_and_cannot_be_taken_back() -> None:
    """FA-R4: only lots are offered once the kind is chosen."""
    full = dict.fromkeys(DISTRICTS, no_room())
    assert starting(at(players=2, lots=full), "B") == []
    core = at(players=2, lots={**full, "TS": {**no_room(), "grey": "gallery"}})
    core.play("B gallery")
    assert core.texts() == ["shop TS grey"]


def test_fa_r5_equal_shops_are_one_choice() -> None:
    """FA-R5: the kind comes before the lot."""
    core = at(row=[["gallery", "gallery", "jeweller"]])
    assert starting(core, "B") == ["B jeweller", "B gallery"]
    core.play("B gallery")
    assert core.position()["row"] == [["jeweller", "gallery"]]
    assert {text.split()[0] for text in core.texts()} == {"shop"}


def test_fa_r6_a_district_without_own_buildings_may_be_scored() -> None:
    """FA-R6: or without any; those who have some score."""
    core = at(commissions={"white": "TS", "beige": "34W"}, lots={"TS": {"brown": "1:2"}})
    for text, scores in (("D TS", [0, 2, 0]), ("D 34W", [0, 0, 0])):
        copy = core.copy()
        copy.play(text)
        assert copy.scores == scores


@pytest.mark.parametrize("stacks", [{}, {"green": [6, 5]}])
def test_fa_r7_with_one_stack_its_top_card_with_none_no_take(stacks: dict[str, list[int]]) -> None:
    """FA-R7: after A, B and C; taking is compulsory."""
    for first, more in (("A", []), ("B gallery", ["shop TS brown"]), ("C", ["move white 34W"])):
        core = at(stacks=stacks)
        core.play_all([first, *more])
        if stacks:
            assert core.texts() == ["take green"]
            core.play("take green")
            assert core.position()["hands"][0] == {"green": [6]}
        assert turn_of(core) == ("MOVE", 0)


def test_fa_r8_discards_go_under_the_highest_first() -> None:
    """FA-R8: whatever the order they were laid in; of the empty stack the highest is the top."""
    core = bidding("brown 64 black 54", "brown 66", "", black=["4d"], stacks={"brown": [5]})
    core.play_all([*bid("brown 4 black 4"), "pass", "pass"])
    assert core.position()["stacks"]["brown"] == [5, 4]
    core = bidding("brown 64 black 5", "brown 6", "", black=["4d"], stacks={"brown": [5]})
    core.play_all([*bid("brown 4"), *bid("brown 6"), "pass", *bid("brown 6 black 5"), "pass"])
    assert core.position()["stacks"]["brown"] == [5, 6, 4]
    empty = last_bidder("violet 654 black 654", stacks={})
    empty.play_all([*bid("violet 654 black 654")])
    assert empty.position()["stacks"]["violet"] == [6, 5, 4]
    assert empty.position()["black"] == ["4d", "6u", "5u", "4u"]


def test_fa_r9_the_black_stack_is_checked_after_every_card() -> None:
    """FA-R9: also in the middle of D's draws; the last card needs no shuffle, a single face-up one does."""
    lots = {"TS": {"brown": "0:1", "grey": "1:1"}}
    core = at(commissions={"white": "TS"}, black=["4d", "6u"], lots=lots)
    (event,) = core.play("D TS")
    assert event == {"deck": "black", "order": [6]}
    assert core.position()["hands"] == [{"black": [6, 4]}, {}, {}]
    core = at(black=["5d"], commissions={"white": "TS"})
    assert core.play("D TS") == []
    assert core.position()["black"] == []


def test_fa_r9_an_empty_stack_stays_empty_for_those_who_follow() -> None:
    """FA-R9: three draw, one card."""
    core = at("TURN", 2, black=["5d"], commissions={"white": "TS"})
    core.play("D TS")
    assert core.position()["hands"] == [{}, {}, {"black": [5]}]


def test_fa_r10_egon_and_the_black_stack() -> None:
    """FA-R10: a shuffle between his cards; an empty stack ends his draw; his cards lie below the winner's."""
    core = bidding("", "", black=["4d", "5u", "6u"], where="CP")
    core.play("pass")
    (event,) = core.play("pass")
    assert sorted(event["order"]) == [5, 6]
    assert sorted(core.position()["black"]) == ["4d", "5d", "6d"]
    core = bidding("grey 65 black 66", "", black=["4d", "4d", "6d"])
    core.play_all([*bid("grey 65 black 66"), "pass"])
    assert (kind_of(core), core.position()["black"]) == ("BUILD", ["6d", "6u", "6u", "4d", "4d"])
    core = bidding("", "", black=["5d"], where="34W", lots=lots_of(brown="boutique", grey="gallery", violet="gallery"))
    core.play_all(["pass", "pass"])
    assert (lot(core, "34W", "orange"), core.position()["black"]) == ("E:1", ["5d"])


def test_fa_r10_without_a_card_egon_is_out() -> None:
    """FA-R10: 0 is not higher than no bid: nobody wins."""
    core = bidding("", "", lots=FULL_FOR_TWO)
    core.play_all(["pass", "pass"])
    assert (core.position()["closed"], core.scores) == ([], [0, 0])
    assert core.position()["auction"]["where"] == "CP"


FULL_FOR_TWO = lots_of(orange="0:1", green="1:2", brown="E:1", violet="boutique", grey="gallery")


@pytest.mark.parametrize("seed", range(3))
def test_fa_r11_the_dashed_lot_always_holds_a_shop(seed: int) -> None:
    """FA-R11: in whole games, unless its district is closed."""
    core, rng = Core.deal(GAME, 2, seed, {"board": 6}), np.random.default_rng(seed)
    for _ in range(sized(300, 100)):
        position = core.position()
        for district in set(DISTRICTS) - set(position["closed"]):
            assert position["lots"][district]["dashed"].count("+") in (0, 1)
            assert position["lots"][district]["dashed"]
        if core.seat is None:
            break
        core.play_action(int(rng.choice(core.actions())))


def test_fa_r12_without_an_allowed_colour_only_pass() -> None:
    """FA-R12: Egon may win the district then."""
    lots = lots_of(**dict.fromkeys(COLOURS[1:], "E:1"), brown="1:1", dashed="boutique")
    core = bidding("brown 6 grey 6 violet 6 orange 6 green 6 black 6", "", lots=lots, board=6, black=["4d", "4d", "5d"])
    assert core.texts() == ["pass"]
    core.play_all(["pass", "pass"])
    assert core.position()["closed"] == ["34W"]


@pytest.mark.parametrize(("park", "worth"), [([], 1), (["gallery"], 2), (["gallery", "boutique"], 3)])
def test_fa_r13_fewer_than_three_park_tiles(park: list[str], worth: int) -> None:
    """FA-R13: all of them are turned up; with none a building scores 1."""
    core = last_bidder("orange 4", lots=FULL, closed=["TS"], cp=[0, 0, 4], park=park)
    core.play_all([*bid("orange 4"), "close"], [park])
    assert core.position()["final"]["park"] == [0, 0, 4 * worth]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_fa_r14_the_turn_limit(players: int, limit: int) -> None:
    """FA-R14: all seats' turns together; the last is carried out whole, with its auctions."""
    core = at(players=players, options={"max_turns": limit}, commissions={"beige": "CP"}, stacks=STACKS)
    for turn in range(1, limit + 1):
        assert (kind_of(core), core.seat, core.position()["turn"]) == ("TURN", (turn - 1) % players, turn)
        core.play("C")
        while kind_of(core) not in ("TURN", None):
            core.play("pass" if "pass" in core.texts() else core.texts()[-1])
    assert core.position()["over"] and core.position()["turn"] == limit
    for wrong in (0, -1, "x", True):
        with pytest.raises(ValueError, match="max_turns"):
            registry.load(GAME).check_options({"max_turns": wrong})


def test_fa_r15_cards_decide_ties_for_all_places() -> None:
    """FA-R15: equal pairs share; the places after them are not given."""
    for scores, rows, places in (
        ([7, 7, 9, 7], ["black 44", "black 5", "", "black 6"], [2, 3, 1, 3]),
        ([7, 7, 7, 7], ["", "", "", ""], [1, 1, 1, 1]),
        ([7, 8, 8, 8], ["black 4444", "", "", "grey 4"], [4, 2, 2, 1]),
    ):
        core = at("MOVE", 3, 4, scores=scores, hands=hands(*rows), turn=9, options={"max_turns": 9})
        core.play("move white 34W")
        assert core.places() == places


def test_fa_r16_egon_never_runs_out_of_buildings() -> None:
    """FA-R16: thirty-one of them stand, he wins and builds the rest."""
    lots = {district: dict.fromkeys(COLOURS, "E:1") for district in DISTRICTS}
    lots["34W"] = {"brown": "E:1", "dashed": "boutique"}
    core = bidding("", "", lots=lots, board=6, black=["4d", "4d", "4d"])
    core.play_all(["pass", "pass"])
    assert sum(code == "E:1" for row in core.position()["lots"].values() for code in row.values()) == 32


def test_fa_r17_every_auction_is_carried_through() -> None:
    """FA-R17: all are asked with empty hands; a winner may build nothing, his cards are gone."""
    core = at("MOVE", 1, 4, commissions={"white": "CP"}, markers={"white": ["34W", "TS"]})
    core.play("move white START")
    asked = []
    while kind_of(core) == "BID":
        asked.append(core.seat)
        assert core.texts() == ["pass"]
        core.play("pass")
    assert asked == [1, 2, 3, 0] * 3
    core = last_bidder("grey 4")
    core.play_all([*bid("grey 4"), "build 0"])
    assert (core.position()["hands"][0], core.position()["reserve"]) == ({}, [3, 3, 3])


@pytest.mark.parametrize("marked", [[], ["TS"], ["34W", "52W"]])
def test_fa_r18_a_round_with_fewer_markers(marked: list[str]) -> None:
    """FA-R18: nothing fills the gap."""
    core = at("MOVE", commissions={"beige": "CP"}, markers={"beige": marked})
    core.play("move beige START")
    assert core.position()["auction"]["left"] == [*marked, "CP"]
    assert core.position()["auction"]["where"] == [*marked, "CP"][0]


def test_a_position_in_which_a_fourth_marker_would_be_laid_is_refused() -> None:
    """Section 11: three markers a commission; on its way it has laid at most as many as it has left districts."""
    marks = ["34W", "TS", "52W"]
    for node, most in {"START": 0, "34E": 0, "42W": 1, "TS": 1, "52E": 2, "CP": 3}.items():
        for number in range(4):
            where = {"commissions": {"white": node}, "markers": {"white": marks[:number]}}
            if number <= most:
                assert at("MOVE", **where).texts()
                continue
            with pytest.raises(ValueError, match=rf"position\.markers: white has laid at most {most} of them"):
                at("MOVE", **where)


def test_fa_r19_buildings_of_a_closed_district_are_gone() -> None:
    """FA-R19: for the bonus after it too; a bonus paid before stays."""
    lots = {**FULL, "TS": {"orange": "0:1"}, "52W": {"orange": "0:1"}}
    core = at("SHOP", shop="gallery", placed=2, lots=lots)
    core.play("shop 52E brown")
    assert core.scores == [4, 0, 0]
    core = last_bidder("orange 4", where="34W", lots=lots, scores=[4, 0, 0], placed=5)
    core.play_all([*bid("orange 4"), "close"])
    assert core.states[0].districts[:3].tolist() == [2, 0, 0]
    assert (core.scores[0], core.position()["supply"][0], core.position()["reserve"][0]) == (8, 9, 3)


def test_fa_r20_cards_added_are_seen_at_once() -> None:
    """FA-R20: by every seat, before `bid`."""
    core = bidding("grey 6 black 4", "", "")
    core.play_all(["add grey 6", "add black 4"])
    for viewer in range(3):
        values = decoded(core, viewer)
        j = -viewer % 3
        assert (values["total"][j], values["table"][j].sum(), values["hand_size"][j]) == (10, 2, 0)
        assert (values["table"][j, 1, 2], values["table"][j, 5, 0], values["standing"][0]) == (1, 1, 0)


def test_fa_r21_initial_shops_lie_at_random() -> None:
    """FA-R21: colour by colour no district is preferred; the setup object may not break FA-S3."""
    found = set()
    for seed in range(sized(100, 40)):
        core = Core.deal(GAME, 2, seed)
        found |= {(d, name) for d, (_, name) in core.game.setup(core.states[0])["shops"].items()}
    assert found == {(district, colour) for district in DISTRICTS for colour in COLOURS}
    setup = setup_of(3)
    for district in DISTRICTS[:3]:
        setup["shops"][district][1] = "brown"
    with pytest.raises(ValueError, match="twice"):
        Core.start(GAME, 2, setup, {"rings": "plain"})


def test_fa_r22_the_draws_of_a_d_go_clockwise_from_the_active_seat() -> None:
    """FA-R22: it matters when the stack is short: three cards for three seats and the two."""
    core = at("TURN", 2, 4, black=["4d", "5d", "6d", "4d"], commissions={"white": "TS"}, lots={"TS": {"brown": "2:1"}})
    core.play("D TS")
    assert core.position()["hands"] == [{"black": [4]}, {}, {"black": [5, 4]}, {"black": [6]}]


@pytest.mark.parametrize("where", ["34W", "CP"])
def test_fa_r23_the_last_player_left_may_bid_and_wins_only_then(where: str) -> None:
    """FA-R23: he may also pass: nobody wins."""
    core = bidding("", "", "", "grey 4", where=where, black=["4d"])
    core.play_all(["pass"] * 3)
    assert (core.seat, core.texts()) == (3, ["add grey 4", "pass"])
    passed = core.copy()
    passed.play("pass")
    assert passed.position()["hands"][3] == {"grey": [4]}
    core.play_all(bid("grey 4"))
    assert turn_of(core) == ("BUILD", 3)


def test_fa_r24_who_does_not_open_in_central_park_is_out() -> None:
    """FA-R24: also when the colour he holds is fixed later."""
    core = bidding("grey 66", "grey 4", "grey 5", where="CP", black=["4d"])
    core.play_all(["pass", *bid("grey 4"), *bid("grey 5")])
    assert core.seat == 1
    core.play("pass")
    assert turn_of(core) == ("BUILD", 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_r25_the_number_of_cards_is_public(players: int) -> None:
    """FA-R25: of every hand, to every seat, coloured and black together, to the end of the game."""
    for core in (played(players, seed=5, moves=90), finished(players, seed=2)):
        sizes = [sum(map(len, cards.values())) for cards in core.position()["hands"]]
        for seat in range(players):
            assert decoded(core, seat)["hand_size"].tolist() == sizes[seat:] + sizes[:seat]


def test_fa_r2_random_rings_are_drawn_for_each_game() -> None:
    """Each of the orders of a district comes up; the setup names them, and a record's rings are taken."""
    found = [Core.deal(GAME, 2, seed, {"rings": "random", "board": board}) for board in BOARDS for seed in range(6)]
    setups = [core.game.setup(core.states[0]) for core in found]
    assert len({str(setup["rings"]) for setup in setups}) == len(found)
    for core, setup in zip(found, setups, strict=True):
        board = int(core.states["board"][0])
        for ring in setup["rings"].values():
            assert sorted(ring[:5]) == sorted(COLOURS) and ring[5:] == ["dashed"] * (board - 5)
        again = Core.start(GAME, 2, setup, {"rings": "random", "board": board})
        assert again.position() == core.position()
        assert again.states["beside"].tolist() == core.states["beside"].tolist()
        assert again.position()["rings"] == setup["rings"]
        pairs = decoded(core, 1)["ring"]
        for d, ring in enumerate(setup["rings"].values()):
            beside = {frozenset((ring[i - 1], ring[i])) for i in range(len(ring))}
            names = (*COLOURS, "dashed")
            all_pairs = [(one, two) for i, one in enumerate(names) for two in names[i + 1 :]]
            assert [int(bit) for bit in pairs[d]] == [frozenset(pair) in beside for pair in all_pairs]


def test_fa_r2_a_position_names_random_rings_alone() -> None:
    rings = {name: ["green", "brown", "grey", "violet", "orange"] for name in DISTRICTS}
    core = at(options={"rings": "random"}, rings=rings)
    assert core.position()["rings"] == rings
    with pytest.raises(ValueError, match="the rings are those of the options"):
        at(rings=rings)


def test_fa_r3_the_other_reading() -> None:
    """A with an empty supply only by the option."""
    for empty in (False, True):
        core = at(supply=[0, 12, 12], options={"empty_supply": empty})
        assert ("A" in core.texts()) == empty


def test_fa_r8_the_other_reading() -> None:
    """The lowest discard comes up first by the option."""
    for order, brown, black in (("falling", [6, 4], ["6u", "5u"]), ("rising", [4, 6], ["5u", "6u"])):
        core = last_bidder("brown 64 black 65", options={"discards": order})
        core.play_all(bid("brown 64 black 65"))
        assert (core.position()["stacks"]["brown"], core.position()["black"]) == (brown, ["4d", *black])
