"""One case for every clause of fiveavenue_env/RULES.md on commissions, shops, scoring, the end and the board with six
lots: FA-20 .. FA-43, FA-90 .. FA-95, FA-120, FA-121.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.games.fiveavenue.cases import (
    BOARDS,
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
    starting,
    turn_of,
)
from tests.support.rule_cases import Core, sized

SHUFFLED = sized(400, 60)  # deals of a statistical test
STACKS = {"brown": [5, 4], "grey": [6, 4], "violet": [4]}

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
    core = at(lots=FULL, commissions={"white": "TS", "beige": "34W"}, markers={"white": ["34E"]})
    before = core.position()
    core.play("D 34W")
    after = core.position()
    for field in ("lots", "closed", "commissions", "markers", "row", "park", "reserve", "supply", "cp"):
        assert after[field] == before[field]
    core.play("move white 52W")
    assert starting(core, "D") == ["D 34W", "D 52W"]


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
