"""What a Fifth Avenue position, setup or shuffle may not say: it is refused, with the place."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from fiveavenue_env.game import GAME
from skyline.game import BrokenState
from skyline.record import position_of
from tests.games.fiveavenue.cases import BOARDS, COLOURS, DISTRICTS, FULL, at, bidding, hands, lots_of, setup_of
from tests.support.odd_positions import check_mutants
from tests.support.rule_cases import Core, Json, sized

KINDS = ("boutique", "jeweller", "gallery", "perfumery")


def real(kind: str, players: int = 3) -> Json:
    """The first position of a game of first legal moves in which this is decided, not before the twentieth move."""
    core = Core.deal("fifth_avenue", players, 2)
    for move in range(3000):
        found = position_of(GAME, core.states[0])
        if move >= 20 and found["decision"]["kind"] == kind:
            return json.loads(json.dumps(found))
        core.play_action(core.actions()[move % len(core.actions())])
    raise AssertionError(f"no {kind}")


def refused(position: Json) -> str:
    """The refusal of a position."""
    with pytest.raises(ValueError, match=r"^position") as error:
        Core.at("fifth_avenue", position)
    return str(error.value)


TURN = {"players": 3, "decision": {"kind": "TURN", "player": 0}}


REMEMBERING = hands("brown 4 black 55", "black 4", "")
MEMORY = {"hands": REMEMBERING, "stacks": {"brown": [4, 5]}, "black": ["4d", "5d", "6u"]}


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        ({"riddle": 1}, "position.memory: there is no field 'riddle'"),
        ({"known": [{}]}, "position.memory.known: a list of 3"),
        ({"known": [{"grey": [4]}, {}, {}]}, "position.memory.known[0].grey: sure cards are in the hand"),
        ({"known": [{"black": [5] * 99}, {}, {}]}, "position.memory.known[0].black: a list of at most 50"),
        ({"first": {"brown": 3}}, "position.memory.first.brown: a whole number 0 .. 2"),
        ({"first": {"black": 1}}, "position.memory.first: there is no field 'black'"),
        ({"unknown": 3}, "position.memory.unknown: a whole number 0 .. 2"),
        ({"blacks": []}, "position.memory.blacks: a list of 1 .. 65"),
        ({"blacks": [{"events": []}] * 66}, "position.memory.blacks: a list of 1 .. 65"),
        ({"blacks": [{"held": [[], [], []], "events": []}]}, "blacks[0].held: before the first shuffle"),
        ({"blacks": [{"events": []}, {"events": []}]}, "position.memory.blacks[1]: the field 'held' is missing"),
        ({"blacks": [{"events": [[3, "draw"]]}]}, "position.memory.blacks[0].events[0][0]: a whole number 0 .. 2"),
        ({"blacks": [{"events": [[0, 7]]}]}, "position.memory.blacks[0].events[0][1]: a whole number 4 .. 6"),
        ({"blacks": [{"events": [[0, "draw"]] * 101}]}, "position.memory.blacks[0].events: a list of at most 100"),
        ({"blacks": [{"events": [[2, "draw"]]}]}, "position.memory.blacks: events 0: seat 2 comes to"),
        ({"blacks": [{"events": [[2, 4], [2, "draw"]]}]}, "position.memory.blacks: events 0: seat 2 shows a black 4"),
        ({"blacks": [{"events": [[0, 4]] * 50}]}, "position.memory.blacks: events 0: they need 55 black cards"),
        ({"blacks": [{"events": []}, {"held": [[5, 4], [4], []], "events": []}]},
         "position.memory.blacks: events 1: seat 0 lacks an old black card"),
        ({"blacks": [{"events": []}, {"held": [[6] * 15, [], []], "events": []}]},
         "position.memory.blacks[1].held: there are 20, 16 and 14 black cards"),
        ({"blacks": [{"events": []}, {"held": [[5, 5], [6], []], "events": [[1, 4], [1, "draw"]]}]},
         "position.memory.blacks: events 1: seat 1 shows a black 4 that it cannot have"),
    ],
)  # fmt: skip
def test_a_memory_that_contradicts_the_position_is_refused(memory: Json, says: str) -> None:
    assert says in refused({**TURN, **MEMORY, "memory": memory})


def test_too_many_events_are_refused() -> None:
    """FA-M21: 512 events and shuffles are kept."""
    long = [[2, "draw"], [2, 4]] * 40
    held = {"held": [[5, 5], [4], []], "events": long}
    black = ["4d"] * 5
    blacks = [{"events": []}, *[held] * 7]
    assert "at most 512 events and shuffles are kept" in refused(
        {**TURN, **MEMORY, "black": black, "memory": {"blacks": blacks}}
    )
    Core.at("fifth_avenue", {**TURN, **MEMORY, "black": black, "memory": {"blacks": blacks[:3]}})


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"lots": {"34W": {"brown": "3:1"}}}, "position.lots['34W'].brown: one of 0, 1, 2, not '3'"),
        ({"lots": {"34W": {"brown": "E:1"}}}, "position.lots['34W'].brown: Egon plays with two players only"),
        ({"lots": {"34W": {"brown": "0:17"}}}, "position.lots['34W'].brown: one of 1, 2, 3"),
        ({"lots": {"34W": {"brown": "0:²"}}}, "position.lots['34W'].brown: one of 1, 2, 3"),
        ({"lots": {"34W": {"dashed": "gallery"}}}, "position.lots['34W']: there is no field 'dashed'"),
        ({"lots": {"34W": {"brown": ["gallery"]}}}, "position.lots['34W'].brown: a text"),
        ({"lots": {"34W": {"brown": "gallery+"}}}, "position.lots['34W'].brown: one of boutique"),
        ({"lots": []}, "position.lots: an object"),
        ({"lots": lots_of(brown="0:1", grey="0:1")}, "position.lots: a seat has buildings on one lot of a district"),
        ({"closed": ["TS", "TS"]}, "position.closed[1]: TS is named twice"),
        ({"closed": ["34W"], "lots": FULL}, "position.closed[0]: 34W is named twice, or something is on its lots"),
        ({"commissions": {"white": "Park"}}, "position.commissions.white: one of START, 34W"),
        ({"markers": {"white": ["34W"] * 4}}, "position.markers.white: a list of at most 3, not a list of 4"),
        ({"markers": {"white": ["34W"]}}, "position.markers: white has laid at most 0 of them on its way to START"),
        ({"row": [["gallery"]]}, "position.row: the current block has at least 2 shops here"),
        ({"row": [["gallery"] * 4]}, "position.row[0]: a list of 1 .. 3, not a list of 4"),
        ({"park": list(KINDS) * 2, "row": [["gallery"] * 2]}, "position.park: park tiles and blocks of the row are at"),
        ({"placed": 12}, "position.placed: a whole number 0 .. 11, not 12"),
        ({"scores": [2**31, 0, 0]}, "position.scores[0]: a whole number 0 .. 10000000, not 2147483648"),
        ({"supply": [4, 3, 3]}, "position.supply: a supply is a multiple of 3"),
        ({"reserve": [6, 3, 3], "supply": [12, 3, 3]}, "position: seat 0 has 18 buildings in reserve, supply"),
        ({"hands": [{"brown": [7]}, {}, {}]}, "position.hands[0].brown[0]: a whole number 4 .. 6, not 7"),
        ({"hands": [[["brown", 4]], {}, {}]}, "position.hands[0]: an object"),
        ({"stacks": {"black": [4]}}, "position.stacks: there is no field 'black'"),
        ({"black": ["4u", "4d"]}, "position.black: the top card is never face-up"),
        ({"black": [4]}, "position.black[0]: one of 4d, 4u, 5d, 5u, 6d, 6u, not 4"),
        ({"turn": 201}, "position.turn: a whole number 1 .. 200, not 201"),
        ({"action": ""}, "position.action: one of A, B, C, D, not ''"),
        ({"over": 1}, "position.over: true or false, not 1"),
        ({"over": True}, "position.over: a position has either a decision, {kind, player}, or over: true"),
        ({"final": {"districts": [1, 1, 1]}}, "position.final: the final scoring belongs to a game that is over"),
        ({"decision": {"kind": "MOVE", "player": 0}}, "position.phase: a whole number 1 .. 3, not None"),
        ({"decision": {"kind": "MOVE", "player": 0}, "phase": 2}, "position.phase: commissions move"),
        ({"decision": {"kind": "SHOP", "player": 0}}, "position.shop: there is a shop to be placed exactly at"),
        (
            {"decision": {"kind": "SHOP", "player": 0}, "shop": "gallery"},
            "position.row: the current block has at",
        ),
        ({"decision": {"kind": "TAKE", "player": 0}}, "position: seat 0 has to decide and has no legal move"),
        ({"decision": {"kind": "BID", "player": 0}, "phase": 1}, "position.auction: there is an auction exactly at"),
        (
            {"decision": {"kind": "PLACE", "player": 1}},
            "position.decision: the order of the start",
        ),
        ({"decision": {"kind": "PLACE", "player": 2}, "lots": lots_of(brown="1:1")}, "position.decision: the order of"),
        ({"decision": None}, "position.over: a position has either a decision"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(value),
)
def test_a_wrong_value_is_refused_with_its_place(fields: Json, says: str) -> None:
    assert refused({**TURN, **fields}).startswith(says)


BROWN = [["brown", 4], ["black", 5]]


@pytest.mark.parametrize(
    ("auction", "says"),
    [
        ({"left": ["34W"]}, "position.auction.left[0]: one of CP, not '34W'"),
        ({"left": []}, "position.auction.left: a list of 1 .. 4, not a list of 0"),
        ({"left": ["TS", "CP"]}, "position.markers.white: in its auctions a commission has the markers"),
        ({"where": "TS"}, "position.auction.where: the first place of the field left, 34W, is under auction"),
        ({"in": [0]}, "position.auction.in: the seats that have not passed are [0, 1, 2]"),
        ({"passed": [3]}, "position.auction.passed[0]: a whole number 0 .. 2, not 3"),
        ({"passed": [0]}, "position.auction: seat 0 decides: at BID it neither leads nor has passed"),
        ({"leader": "E"}, "position.auction.leader: a whole number 0 .. 2, not 'E'"),
        ({"leader": 1, "standing": 5}, "position.auction: the standing bid is the sum of its leader's cards, 0, not 5"),
        ({"leader": 1, "standing": 0}, "position.auction: the standing bid is the sum of its leader's cards, 0, not 0"),
        ({"standing": 303}, "position.auction.standing: a whole number 0 .. 302, not 303"),
        (
            {"table": [[["black", 4]], [], []]},
            "position.auction.table[0]: a bid has cards of one colour",
        ),
        (
            {"table": [[], BROWN, []], "passed": [1]},
            "position.auction: the cards of seat 1 are not in a colour",
        ),
        ({"table": [[], BROWN, []]}, "position.auction: seat 1 has laid more than the standing bid 0"),
        ({"cpcolour": "brown"}, "position.auction: cpcolour is the colour of the first bid for Central Park"),
        ({"last": [4, 0]}, "position.auction: last names the values of the cards that seat 0 has laid last"),
        ({"last": [3, 0]}, "position.auction: last names the values of the cards that seat 0 has laid last"),
        ({"egon": [4, 4]}, "position.auction.egon: Egon plays with two players"),
        ({"asked": 1}, "position.auction: asked counts decisions with two players only"),
        ({"commission": 0}, "position.auction.commission: one of white, beige, not 0"),
        ({"initiator": None}, "position.auction.initiator: a whole number 0 .. 2, not None"),
        ({"won": ["brown", 9], "more": 1}, "position.auction: there is no field 'more'"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(value),
)
def test_a_wrong_auction_is_refused_with_its_place(auction: Json, says: str) -> None:
    with pytest.raises(ValueError, match=r"^position") as error:
        bidding("brown 4", "grey 4", "", auction=auction)
    assert str(error.value).startswith(says)


def test_the_winner_has_won_in_a_colour_that_he_may_build_on() -> None:
    won = {"leader": 0, "won": ["brown", 3]}
    lots = lots_of(brown="1:1", grey="gallery")
    for colour in COLOURS:
        running = {"commission": "white", "initiator": 0, "left": ["34W", "CP"], **won, "won": [colour, 3]}
        fields = {"phase": 3, "lots": lots, "markers": {"white": ["34W"]}, "auction": running}
        if colour in ("brown", "grey"):
            with pytest.raises(ValueError, match=r"^position\.auction\.won\[0\]: seat 0 cannot have won"):
                at("BUILD", **fields)
        else:
            assert at("BUILD", **fields).texts() == [f"build {n}" for n in range(4)]


def test_cards_are_counted_over_hands_stacks_tables_and_egons() -> None:
    """Numbers of one byte wrap at 128: 200 cards were -56, 257 were 1."""
    for copies in (200, 256, 257):
        many = {**TURN, "hands": [{"black": [4] * copies}, {}, {}]}
        assert refused(many).startswith("position.hands[0].black: a list of at most 50")
    full = {"hands": [{"brown": [6, 6]}, {"brown": [6]}, {}]}
    assert at(**full).actions()
    more = "position: the whole position holds the brown 6 4 times (there are 3)"
    assert refused({**TURN, **full, "stacks": {"brown": [6]}}) == more
    assert refused({**TURN, "hands": [{"black": [4] * 20}, {}, {}], "black": ["4d"]}).endswith(
        "the black 4 21 times (there are 20)"
    )
    table = [[["brown", 6]] * 4, [], []]
    with pytest.raises(ValueError, match="the brown 6 4 times"):
        bidding("", "brown 4", "", seat=1, auction={"table": table, "standing": 24, "leader": 0})
    with pytest.raises(ValueError, match="the black 6 15 times"):
        bidding("black " + "6" * 13, "", black=["5d"], seat=0,
                auction={"egon": [6, 6], "asked": 2, "leader": "E", "standing": 12})  # fmt: skip


def test_shops_are_counted_over_lots_row_park_and_those_out() -> None:
    lots = {district: {"brown": "gallery"} for district in DISTRICTS}
    ten = {"lots": lots, "row": [["gallery", "boutique"], ["gallery", "boutique"]], "park": ["gallery"]}
    assert "the shop gallery 10 times (there are 9)" in refused({**TURN, **ten})
    many = {district: dict.fromkeys(COLOURS, "gallery") for district in DISTRICTS}
    assert "at most 27 are elsewhere" in refused({**TURN, "lots": many})
    kept = at(lots=lots, out=["boutique"] * 3).position()
    assert kept["out"][:3] == ["boutique"] * 3
    assert len(kept["out"]) == 9
    assert kept["out"].count("gallery") <= 2
    assert Core.at("fifth_avenue", kept).position() == {**kept, "hands": kept["hands"]}


@pytest.mark.parametrize("kind", ["TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE"])
def test_real_positions_of_every_kind_are_taken(kind: str) -> None:
    for players in (2, 3):
        position = real(kind, players)
        assert position_of(GAME, Core.at("fifth_avenue", position).states[0]) == position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_mutants_are_refused_or_played_to_their_end(players: int) -> None:
    refused_ones, loaded = check_mutants("fifth_avenue", players, players, sized(500, 30))
    assert refused_ones > 2 * loaded > 0


# ---------------------------------------------------------------- setups, shuffles and states


@pytest.mark.parametrize("board", BOARDS)
def test_a_wrong_setup_is_refused(board: int) -> None:
    setup = setup_of(1, board)
    for path, value, says in (
        (["rings", "TS"], ["brown"] * board, "setup.rings.TS: a ring has each of"),
        (["rings", "TS", 0], 1, "setup.rings.TS[0]: one of brown"),
        (["rings", "TS"], "brown", f"setup.rings.TS: a list of {board}, not 'brown'"),
        (["shops", "TS"], ["gallery"], "setup.shops.TS: a list of 2, not a list of 1"),
        (["shops", "TS", 1], "park", "setup.shops.TS[1]: one of"),
        (
            ["row", 0],
            "gallery" if setup["row"][0] != "gallery" else "boutique",
            "setup.row: shops, row and",
        ),
        (["out"], [], "setup.out: a list of 9, not a list of 0"),
        (["cards", "black", 0], 10, "setup.cards.black[0]: a whole number 4 .. 6, not 10"),
        (["cards", "brown"], [4] * 12, "setup.cards.brown: the deck has 5, 4, 3 cards of values 4, 5, 6"),
        (["cards"], None, "setup.cards: an object"),
    ):
        wrong = copy.deepcopy(setup)
        holder = wrong
        for name in path[:-1]:
            holder = holder[name]
        holder[path[-1]] = value
        with pytest.raises(ValueError, match=r"^setup") as error:
            GAME.from_setup(GAME.blank(3, {"board": board})[0], wrong)
        assert str(error.value).startswith(says)


def test_a_shuffle_of_other_cards_or_tiles_is_refused() -> None:
    """Black cards from the topmost face-up one on; park tiles with the block's last one; nothing is half taken."""
    drawing = at(black=["4d", "5u", "6u", "6u"], hands=hands("black 4", "", ""), park=["gallery", "boutique"])
    before = drawing.states.tobytes()
    for events, says in (
        ([("black", [5, 6])], "shuffles[0].order: these are not the cards that the next move shuffles"),
        ([("black", [5, 6, 4])], "shuffles[0].order: these are not the cards"),
        ([("black", [])], "shuffles[0].order: these are not the cards"),
        ([("black", [5, 6, 6]), ("black", [5, 6, 4])], "shuffles[1].order: these are not the cards"),
        ([("park", ["gallery"])], "shuffles[0].order: the park tiles are boutique, gallery"),
        ([("park", ["gallery", "boutique"]), ("black", [5, 6, 6])], "shuffles[1]: the park tiles are shuffled last"),
        ([("cards", [5, 6, 6])], "shuffles[0].deck: one of black, park, not 'cards'"),
        ([("black", [5, 6, 6])] * 3, "shuffles[2]: a move shuffles the black stack at most 2 times"),
        ([("black", [5, 6, 6])] * 4, "shuffles: a list of at most 3, not a list of 4"),
    ):
        with pytest.raises(ValueError, match=r"^shuffles") as error:
            GAME.preset(drawing.states[0], [{"deck": deck, "order": order} for deck, order in events])
        assert str(error.value).startswith(says)
        assert drawing.states.tobytes() == before
    drawing.play("C", [{"deck": "black", "order": [6, 5, 6]}])
    assert drawing.position()["black"] == ["6d", "5d", "6d"]


@pytest.mark.parametrize(
    ("field", "index", "more", "says"),
    [
        ("hands", (0, 17), 1, "copies of the cards"), ("hand_size", (0,), 1, "the cache hand_size"),
        ("piles", (0,), 1, "the cache piles"), ("hand_sums", (3, 0), 1, "the cache hand_sums"),
        ("allowed", (0,), 1, "the cache allowed"), ("marks", (1, 2), 1, "the cache marks"),
        ("reserve", (0,), 1, "buildings of the seats"),
        ("park_kinds", (0,), 1, "shops of the kinds"), ("points_now", (0,), 1, "the cache points_now"),
        ("black_above", (), 1, "the cache black_above"), ("given", (), 1, "a given order of a shuffle was not used"),
        ("table_total", (0,), 1, "the cache table_total"), ("players", (), 3, "6 players"),
    ],
)  # fmt: skip
def test_check_says_what_is_broken(field: str, index: tuple[int, ...], more: int, says: str) -> None:
    core = Core.at("fifth_avenue", real("TURN"))
    core.check()
    states = copy.deepcopy(core.states)
    np.add.at(states[field], (0, *index), np.array(more).astype(states[field].dtype))
    with pytest.raises(BrokenState, match=says):
        GAME.check(states[0])
