"""One case for every ruling of newyork_env/RULES.md section 4, NY-R01 .. NY-R23."""

from __future__ import annotations

from collections import Counter

import pytest

from newyork_env import components as box
from skyline import registry
from tests.games.newyork.cases import (
    BLOCK,
    GAME,
    PLAYERS,
    RING,
    at,
    changes,
    city_moves,
    forgetful,
    owning,
    putting,
    scored,
)
from tests.support.rule_cases import Core, sized
from tests.support.seeing import decoded


def test_ny_r01_tiles_and_points_agree_with_the_printed_numbers() -> None:
    """NY-R01: skyscraper 13 and 6 at B, park 20, 12, 5 at C; 54 tiles, prices 2 .. 13."""
    assert box.place_points(1, 5) == [13, 6]
    assert box.place_points(2, 4) == [20, 12, 5]
    assert (int(box.PRICE[1:55].min()), int(box.PRICE.max())) == (2, 13)
    kinds = zip(*(table[1:55].tolist() for table in (box.TYPE, box.PRICE, box.STREETS)), strict=True)
    assert len(set(kinds)) == 54


@pytest.mark.parametrize("players", PLAYERS)
def test_ny_r02_order_of_the_setup(players: int) -> None:
    """NY-R02: depot before Dirk; starting money in seat order, each to 20 or more; then the market."""
    core = Core.deal(GAME, players, seed=11)
    start, given = core.position(), core.game.setup(core.states[0])
    money, bag = given["money"], given["bag"]
    assert start["depot"] == bag[:4]
    assert start["dirk"] == (sorted(bag[4:10]) if players == 2 else [])
    at_card, sums = 0, []
    for hand in start["hands"]:
        dealt = money[at_card : at_card + len(hand)]
        values = [int(card[1]) for card in dealt]
        assert sorted(dealt) == sorted(hand)
        assert sum(values) >= 20 > sum(values[:-1])
        sums.append((len(hand), sum(values)))
        at_card += len(hand)
    assert start["market"] == money[at_card : at_card + 4]
    assert start["deck"] == money[at_card + 4 :]
    assert core.seat == min(range(players), key=lambda seat: (*sums[seat], seat))


def test_ny_r03_the_first_piles_are_the_larger_ones() -> None:
    """NY-R03: over many deals SA and SB stand at every place of their ranges and nowhere else."""
    for players in (2, 4):
        seen: Counter[str] = Counter()
        for seed in range(sized(400, 60)):
            core = Core.deal(GAME, players, seed)
            deck = core.position()["deck"]
            r = len(deck) - 2
            sizes = [r // 5 + (i < r % 5) for i in range(5)]
            low_a, low_b = sizes[0], sum(sizes[:3]) + 1
            place_a, place_b = deck.index("SA"), deck.index("SB")
            assert low_a <= place_a <= low_a + sizes[1]
            assert low_b <= place_b <= low_b + sizes[3]
            assert core.position()["scoring_places"] == {
                "SA": [low_a, low_a + sizes[1]],
                "SB": [low_b, low_b + sizes[3]],
            }
            seen.update({f"A{place_a - low_a}", f"B{place_b - low_b}"})
        if sized(1, 0):
            assert len(seen) >= 2 * 9


def test_ny_r04_exact_payment_goes_on_and_must_go_on() -> None:
    """NY-R04: no stopping after an exact purchase but by a further card; too much ends the main part."""
    core = at(hands=[["B8", "B9"], [], []])
    exact, more = core.copy(), core.copy()
    exact.play_all(["buy 0", "pay 8"])
    more.play_all(["buy 0", "pay 9"])
    assert {text.split()[0] for text in exact.texts()} == {"take", "overpay"}
    assert more.position()["phase"] == "place"


def test_ny_r05_after_a_pass_the_placing_part_follows() -> None:
    """NY-R05: and with nothing to place the refill and the next seat."""
    core = at(market=[None] * 4, depot=[None] * 4, bag=[40, 41, 42, 43], deck=[])
    assert core.texts() == ["pass"]
    core.play("pass")
    assert (core.seat, core.position()["depot"], core.position()["market"]) == (1, [40, 41, 42, 43], [None] * 4)


def test_ny_r06_any_single_card_may_be_taken() -> None:
    """NY-R06: values 6 to 9 too, but not with another one."""
    assert at(market=["B9", "B1", None, None]).texts() == ["take B9", "take B1"]


def test_ny_r07_every_payment_without_a_superfluous_card_is_possible() -> None:
    """NY-R07: exact and higher totals; each in one way, from high to low."""
    core = at(depot=[36, None, None, None], hands=[["B6", "B5", "B3", "B2"], [], []])  # price 8
    paid = set()

    def follow(position: Core, laid: tuple[int, ...]) -> None:
        if position.position()["phase"] != "pay":
            paid.add(laid)
            return
        for text in position.texts():
            after = position.copy()
            after.play(text)
            follow(after, (*laid, int(text.split()[1])))

    core.play("buy 0")
    follow(core, ())
    assert paid == {(6, 5), (6, 3), (6, 2), (5, 3)}


def test_ny_r07_a_further_card_ends_the_actions() -> None:
    """NY-R07, NY-23: any card of the bank just paid exactly; the same end as paying the three cards at once."""
    core = at(hands=[["B5", "B3", "B1", "B1", "B9", "G1"], [], []])
    core.play_all(["buy 0", "pay 5", "pay 3"])
    assert core.position()["exact"] == 0
    assert [text for text in core.legal() if text[0] > 525] == [(526, "overpay 1"), (534, "overpay 9")]
    assert changes(core, "overpay 1") == {
        "phase": "place", "exact": None, "discard": ["B1", "B3", "B5"], "hands": [["B1", "B9", "G1"], [], []],
    }  # fmt: skip
    assert core.texts() == ["place 7"]


def test_ny_23_other_actions_take_the_offer_back() -> None:
    """NY-23: it is the next decision or none, never one for the other bank, and none with the option off."""
    hands = [["B8", "B1", "G9", "G2"], [], []]
    core = at(hands=hands)
    core.play_all(["buy 0", "pay 8", "buy 1", "pay 9"])
    assert [text for text in core.texts() if "pay" in text] == ["overpay 2"]
    core.play_all(["take B9", "place 7", "reserve", "place 14"])
    assert core.position()["exact"] is None
    off = at(hands=hands, options={"overpay": False})
    off.play_all(["buy 0", "pay 8"])
    assert (off.position()["exact"], [text for text in off.texts() if "pay" in text]) == (None, [])
    with pytest.raises(ValueError, match="option overpay is off"):
        at(hands=hands, options={"overpay": False}, exact=0, depot=[None, 14, 22, 31], bought=[7])


def test_ny_r08_the_bound_is_far_out() -> None:
    """NY-R08: a tile at (10, 0) can be built on upwards, not outwards; cells beyond count as empty, not as wall."""
    tiles = [7, 14, 22, 23, 31, 32, 39, 42, 50, 53]
    row = [[i + 1, 0, tile] for i, tile in enumerate(tiles)]
    core = putting(row, 6)  # street E at (10, 1): towards a cell beyond the bound
    assert (10, 1) in city_moves(core, "at")
    core.play("at 10 1")
    assert decoded(core, 0)["street"][0] == 1


def test_ny_r09_holes_are_gaps_closed_on_four_sides() -> None:
    """NY-R09: in NY-P29's city every cell but (0, 1) that touches it is free."""
    cells = set(city_moves(putting(BLOCK, 32), "at"))
    around = {(x + dx, y + dy) for x, y, _ in [*BLOCK, [0, 0, 0]] for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    assert around - {(x, y) for x, y, _ in BLOCK} - {(0, 0)} - cells == {(0, 1)}


def test_ny_r10_scoring_and_dirk_before_the_rest_of_the_refill() -> None:
    """NY-R10: Dirk gets the first of the bag, the depot what follows; the card is replaced after the scoring."""
    core = at(2, hands=[["B9"], []], market=["Y1", None, None, None], deck=["SA", "R1", "R2", "R3"],
              bag=[40, 41, 42, 43, 44, 45, 46, 47])  # fmt: skip
    core.play_all(["buy 0", "pay 9", "place 7", "dirk"])
    assert core.position()["dirk"] == [7, 40, 41, 42, 43, 44, 45]
    assert core.position()["depot"][0] == 46
    assert core.position()["market"] == ["Y1", "R1", "R2", "R3"]


def test_ny_r11_sides_count_not_corners() -> None:
    """NY-R11: a tile with three streets is a street of 3."""
    assert decoded(owning([[0, 1, 44]]), 0)["street"][0] == 3


def test_ny_r12_the_order_of_the_last_tiles() -> None:
    """NY-R12: from every seat whose turn ended, clockwise round the table."""
    for last in range(3):
        hands = [["B5"], ["G5"], ["Y5"]]
        core = at(seat=last, hands=hands, max_turns=1, market=["R1", None, None, None])
        core.play("take R1")
        seats = []
        while core.seat is not None:
            seats.append(core.seat)
            core.play(core.texts()[-1])
        order = [seat for j in range(3) for seat in [(last + j) % 3] * (4 if (last + j) % 3 == last else 2)]
        assert seats == order


def test_ny_r13_a_and_b_may_come_up_in_the_very_last_refill() -> None:
    """NY-R13: the market is refilled before the end is checked."""
    core = at(cities=[[[0, 1, 44]], [], []], max_turns=1, deck=["SA", "SB", "B8"], depot=[None] * 4, bag=[])
    core.play("take B9")
    assert core.scores == [(3 + 6) + (3 + 13) + (3 + 21), 0, 0]


def test_ny_r14_rebuilding_for_ever_ends() -> None:
    """NY-R14: the default is 1000 turns; a game of removing and rebuilding ends there."""
    assert registry.load(GAME).check_options(None) == {"max_turns": 1000, "overpay": True}
    core = at(max_turns=40, cities=[[[1, 0, 23]], [[1, 0, 39]], [[1, 0, 42]]])
    moves = 0
    while core.seat is not None:
        wanted = [text for text in core.texts() if text.split()[0] in ("remove", "use", "at", "reserve")]
        core.play((wanted or core.texts())[0])
        moves += 1
    assert core.position()["turns"] == 40
    assert moves <= 42 * 40 + 8


def test_ny_r15_a_ring_counts_in_full() -> None:
    """NY-R15: twelve sides, every one a street."""
    assert decoded(owning(RING), 0)["street"][0] == 12
    assert scored([RING, [], []], "A") == [12 + 6 + 4 + 5, 0, 0]


def test_ny_r16_separate_actions_have_no_order() -> None:
    """NY-R16: two purchases in either order, two tiles in either order: the same position in the end."""
    ends = []
    for first, second in ((0, 1), (1, 0)):
        core = at(hands=[["B8", "G9"], [], []])
        core.play_all([f"buy {first}", f"pay {8 + first}", f"buy {second}", f"pay {8 + second}", "take R9"])
        tiles = [7, 14] if first else [14, 7]
        for tile in tiles:
            core.play_all([f"place {tile}", "reserve"])
        ends.append(core.position())
    assert ends[0] == ends[1]


def test_ny_r17_forced_decisions_are_decisions() -> None:
    """NY-R17: one payable card, one bought tile, only the reserve: each is asked for."""
    core = at(cities=[[[0, 1, 44]], [], []], depot=[1, 14, 22, 31], hands=[["B9"], [], []])
    decisions = core.play_all(["buy 0", "pay 9", "place 1", "reserve"])
    assert [len(texts) for _, texts in decisions[1:]] == [1, 1, 1]


def test_ny_r18_dirk_has_no_place_and_gets_no_leftovers() -> None:
    """NY-R18: two places; a leftover tile lies at a seat or in the depot."""
    core = at(2, max_turns=1, hands=[["B9", "G9"], []], dirk=[50, 51, 52, 53, 54])
    core.play("take R9")
    while core.seat is not None:
        assert "dirk" not in core.texts()
        core.play(core.texts()[-1])
    assert core.position()["dirk"] == [50, 51, 52, 53, 54]
    assert len(core.places()) == 2


def test_ny_r19_most_money_is_the_value() -> None:
    """NY-R19: one 9 beats three cards of 8 together."""
    core = at(max_turns=1, hands=[["Y3", "Y3", "Y2"], ["Y9"], []], market=["R1", None, None, None])
    core.play("take R1")
    assert core.position()["received"][1] == [22]


def test_ny_r20_equal_cards_are_taken_from_the_lowest_slots() -> None:
    """NY-R20: of every set with the same cards only the smallest mask; the equal card that stays keeps its slot."""
    core = at(market=["R1", "B1", "R1", "B1"])
    assert core.legal() == [
        (0, "take R1"), (1, "take B1"), (2, "take B1 R1"), (4, "take R1 R1"), (6, "take B1 R1 R1"),
        (9, "take B1 B1"), (10, "take B1 B1 R1"), (14, "take B1 B1 R1 R1"),
    ]  # fmt: skip
    core.play("take B1 R1")
    assert core.position()["market"] == ["B8", "G8", "R1", "B1"]


def test_ny_r21_the_reshuffle_waits_for_a_draw_that_finds_no_card() -> None:
    """NY-R21: not when the last card is drawn; cards paid in between are shuffled in too."""
    core = at(deck=["B8"], discard=["R1"], hands=[[], ["G9"], []], depot=[7, 13, 22, 31])  # slot 1 costs 8
    core.play_all(["take B9"])
    assert (core.position()["deck"], core.position()["discard"]) == ([], ["R1"])
    core.play_all(["buy 1", "pay 9", "place 13", "reserve"])
    assert core.position()["discard"] == ["G9", "R1"]
    assert changes(core, "take G9", orders=[["G9", "R1"]])["deck"] == ["R1"]


def test_ny_r22_a_third_of_the_tiles_in_the_bag() -> None:
    """NY-R22: tiles, not cards: 11 tiles and a deck of 30 give 3."""
    deck = [f"{bank}{value}" for bank in "BGYR" for value in range(1, 9)]
    core = at(2, deck=["SB", *deck[:29]], bag=list(range(40, 51)))
    core.play("take B9")
    assert core.position()["dirk"] == [40, 41, 42]


def test_ny_r23_only_the_number_of_discards_is_open() -> None:
    """NY-R23: two games that differ in the discarded cards look the same at the table."""
    views = [decoded(forgetful(at(discard=cards)), 0) for cards in (["B1", "B2"], ["R8", "R9"])]
    assert all((views[0][name] == views[1][name]).all() for name in views[0])
    assert views[0]["piles"][1] == 2


def test_random_starts_follow_the_rule_of_the_start() -> None:
    """Section 2, step 8: every seat starts sometimes."""
    starts = {Core.deal(GAME, 3, seed).seat for seed in range(60)}
    assert starts == {0, 1, 2}
