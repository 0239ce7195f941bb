"""Hidden information: what determinize deals anew in this game, and with the memory TABLE how often it deals what.

How often it deals what with the memory RECALL is in test_beliefs.py.

That nothing hidden shows is in tests/games/test_properties.py, for all games.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given

from skyline.rng import streams
from tests.games.fiveavenue.cases import ALL_CARDS, COLOURS, PLAYERS, at, bidding, forgetful, hands
from tests.games.fiveavenue.views import CARD_COLOURS, FIFTH_AVENUE, played, positions
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, copy_of, determinized, heuristic_actions, masks_of, observed

COPIES = sized(2000, 250)
Z = 4.75  # standard deviations: once in 10^6 draws; every test has a fixed seed


def pool_of(position: Json, seat: int) -> Counter[tuple[str, int]]:
    """The cards the seat does not see."""
    seen = Counter((c, v) for c, vs in position["hands"][seat].items() for v in vs)
    seen.update((c, cards[0]) for c, cards in position["stacks"].items() if cards)
    if position["auction"] is not None:
        seen.update(tuple(card) for cards in position["auction"]["table"] for card in cards)
        seen.update(("black", v) for v in position["auction"]["egon"] or [])
    return Counter(ALL_CARDS) - seen


def colours_held(position: Json, seat: int) -> list[int]:
    """Cards of each colour in all other hands together."""
    others = [hand for other, hand in enumerate(position["hands"]) if other != seat]
    return [sum(len(hand.get(colour, [])) for hand in others) for colour in CARD_COLOURS]


# ---------------------------------------------------------------- what the seat gets


def test_a_drawn_black_card_is_seen_by_the_drawer_only() -> None:
    """FA-5: the same observation for the others whatever was drawn."""
    drawn = []
    for card, other in (("4d", "6d"), ("6d", "4d")):
        core = at(black=[card, other, "5d", "5d"])
        core.play("C")
        drawn.append(core)
    assert not np.array_equal(observed(drawn[0], 0), observed(drawn[1], 0))
    for viewer in (1, 2):
        one, two = observed(drawn[0], viewer), observed(drawn[1], viewer)
        assert np.array_equal(one, two)


# ---------------------------------------------------------------- what determinize keeps and changes


@quick
@given(positions(over=True), SEEDS)
def test_determinize_keeps_sizes_and_colours(core: Core, stream: int) -> None:
    """All sizes, what lies on top, and how many cards of each colour the other hands hold."""
    before = core.position()
    for viewer in range(core.players):
        after = copy_of(core, viewer, stream).position()
        for seat in range(core.players):
            sizes = [sum(map(len, position["hands"][seat].values())) for position in (before, after)]
            assert sizes[0] == sizes[1]
        assert colours_held(after, viewer) == colours_held(before, viewer)
        for colour in COLOURS:
            assert after["stacks"][colour][:1] == before["stacks"][colour][:1]
            assert len(after["stacks"][colour]) == len(before["stacks"][colour])
        above = int(core.states["black_above"][0])
        assert [code[1] for code in after["black"][: above + 1]] == [code[1] for code in before["black"][: above + 1]]
        assert len(after["black"]) == len(before["black"])
        assert pool_of(after, viewer) == pool_of(before, viewer)
        assert Counter(after["out"]) == Counter(before["out"])


@quick
@given(positions(over=True), SEEDS)
def test_nothing_dead_is_left_in_the_arrays(core: Core, stream: int) -> None:
    """What the arrays held beyond their counts told who drew what; nor is a shuffle left that came or is to come."""
    for viewer in range(core.players):
        (row,) = determinized(core, viewer, stream)
        for colour in range(5):
            assert (row["stack_top"][colour], row["stack_end"][colour]) == (0, len(_stack(core, colour)))
            assert not row["stacks"][colour, row["stack_end"][colour] :].any()
        assert (row["black_top"], row["black_end"]) == (0, len(core.position()["black"]))
        assert not row["black"][row["black_end"] :].any()
        assert not row["orders"].any() and not row["order_n"].any() and not row["shuffles"]


def _stack(core: Core, colour: int) -> list[int]:
    return list(core.position()["stacks"][COLOURS[colour]])


def test_the_tiles_out_are_dealt_anew() -> None:
    """Nobody has seen them; the row stays."""
    core = played(3, seed=4, moves=40)
    outs = [tuple(copy_of(core, 1, stream).position()["out"]) for stream in range(20)]
    assert len(set(outs)) > 15
    assert {tuple(sorted(out)) for out in outs} == {tuple(sorted(core.position()["out"]))}


# ---------------------------------------------------------------- the distribution


def settled(players: int, seed: int, moves: int) -> Core:
    """A position in which no raise is begun: then every deal counts."""
    core = played(players, seed, moves)
    while core.position()["auction"] is not None and core.position()["auction"]["last"] != [0, 0]:
        core.play_action(core.actions()[0])
    return forgetful(core)


@pytest.mark.parametrize(("players", "viewer", "moves"), [(2, 1, 0), (3, 2, 90), (4, 0, 160), (4, 3, 300), (2, 0, 90)])
def test_every_hidden_slot_gets_every_card_as_often_as_it_should(players: int, viewer: int, moves: int) -> None:
    """Uniform over the physical cards of each colour: the other hands' share of them, then dealt over these hands."""
    core = settled(players, moves, moves)
    position = core.position()
    rows = determinized(core, viewer, stream=5, copies=COPIES)
    pool = pool_of(position, viewer)
    in_hands = colours_held(position, viewer)
    sizes = [sum(map(len, hand.values())) for hand in position["hands"]]
    total = sum(sizes) - sizes[viewer]
    for c, colour in enumerate(CARD_COLOURS):
        unseen = sum(pool[colour, v] for v in (4, 5, 6))
        for v in (4, 5, 6):
            n = pool[colour, v]
            stack = rows["black"] & 7 if colour == "black" else rows["stacks"][:, c]
            first = int(colour != "black")
            end = int(rows["black_end" if colour == "black" else "stack_end"].reshape(COPIES, -1)[0, c % 5])
            for i in range(first, end):
                _check(int((stack[:, i] == v).sum()), n / unseen, 0, COPIES, (colour, v, i))
            for p in range(players):
                if p != viewer and unseen:
                    held = int(rows["hands"][:, p, 3 * c + v - 4].sum())
                    _check_hand(held, n, unseen, in_hands[c], sizes[p], total, (colour, v, p))


def _check(found: int, mean: float, more: float, copies: int, what: object) -> None:
    spread = copies * (mean * (1 - mean) + more)
    assert abs(found - copies * mean) <= Z * max(spread, 0) ** 0.5 + 1e-9, (what, found, copies * mean)


def _check_hand(found: int, n: int, unseen: int, held: int, size: int, total: int, what: object) -> None:
    """n alike cards of `unseen`, of which `held` go to hands of `total` cards together, one of `size` cards."""
    one = held / unseen * size / total
    two = (held * (held - 1) / (unseen * (unseen - 1)) if unseen > 1 else 0) * (
        size * (size - 1) / (total * (total - 1)) if total > 1 else 0
    )
    spread = COPIES * max(0.0, n * one + n * (n - 1) * two - (n * one) ** 2)
    assert abs(found - COPIES * n * one) <= Z * spread**0.5 + 1e-9, (what, found, COPIES * n * one)


def test_a_small_deal_is_that_of_all_orders() -> None:
    """Three seats, five hidden cards: every way to lay them out has the share it has among all orders by hand.

    Brown 4, 5 and 6 and grey 4 and 5 are unseen; two brown and one grey lie in the hands of seats 1 (two) and 2 (one).
    """
    core = forgetful(at(hands=hands("", "brown 4 grey 4", "brown 6"), stacks={"brown": [6, 5], "grey": [6, 5]}))
    wanted: Counter[tuple[str, ...]] = Counter()
    for brown in permutations("456"):
        for grey in permutations("45"):
            for order in permutations([f"b{brown[0]}", f"b{brown[1]}", f"g{grey[0]}"]):
                wanted[("".join(sorted(order[:2])), order[2], brown[2], grey[1])] += 1
    copies = sized(4000, 600)
    found: Counter[tuple[str, ...]] = Counter()
    for row in determinized(core, 0, stream=8, copies=copies):
        texts = []
        for p in (1, 2):
            cards = [f"{'bg'[card // 3]}{4 + card % 3}" for card in range(6) for _ in range(row["hands"][p, card])]
            texts.append("".join(sorted(cards)))
        found[(*texts, str(row["stacks"][0, 1]), str(row["stacks"][1, 1]))] += 1
    assert set(found) <= set(wanted)
    orders = sum(wanted.values())
    for deal, count in wanted.items():
        _check(found[deal], count / orders, 0, copies, deal)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_begun_keeps_its_fair_chances(players: int) -> None:
    """Hands that can finish a raise are as likely as they are among all hands that can."""
    rows = ["grey 66"] * players
    rows[0], rows[1] = "violet 6", "brown 54 black 64"
    stacks = {"brown": [6, 6, 5, 4, 4], "grey": [4, 4, 4]}
    black = ["4d", "6d", "5d", "5d", "4d"]
    table = [[["grey", 6], ["grey", 5], ["grey", 4]], *[[]] * (players - 1)]
    rows[3:] = ["orange 66"] * (players - 3)
    running = {"table": table, "standing": 15, "leader": 0, "asked": int(players == 2)}
    core = forgetful(bidding(*rows, seat=1, auction=running, stacks=stacks, black=black))
    core.play("add brown 5")
    begun = determinized(core, 0, stream=3, copies=COPIES)
    assert masks_of(FIFTH_AVENUE, begun).any(axis=1).all()
    plain = at(players=players, hands=hands("violet 6", "brown 4 black 64", *rows[2:]), stacks=stacks, black=black)
    deals = determinized(forgetful(plain), 0, stream=4, copies=4 * COPIES)["hands"][:, 1].astype(int)
    worth = 5 + deals[:, 0:2] @ np.array([4, 5]) + deals[:, 15:18] @ np.array([4, 5, 6])
    fitting = deals[worth > 15]
    assert sized(100, 20) < len(fitting) < len(deals)
    for card in range(18):
        expected, found = fitting[:, card].mean(), begun["hands"][:, 1, card].mean()
        spread = fitting[:, card].std() * (1 / len(fitting) + 1 / COPIES) ** 0.5
        assert abs(found - expected) <= Z * spread + 1e-9, (card, found, expected)


def test_an_unlikely_raise_is_found_all_the_same() -> None:
    """Almost no deal fits: cards are exchanged until one does; the counts stay."""
    black = [f"{v}d" for v in (4, 4, 4, 4, 4, 4, 4, 4, 4, 4)]
    stacks = {"brown": [4, 4, 4, 4, 4, 5, 5, 5]}
    for row, standing in (("brown 6 black 666", 22), ("brown 666 black 6", 23), ("brown 66 black 66", 23)):
        open_cards = [["green", value] for value in ((6, 6, 5, 5) if standing == 22 else (6, 6, 6, 5))]
        running = {"standing": standing, "leader": 2, "table": [[], [], open_cards]}
        core = forgetful(bidding("grey 4", row, "green 4", seat=1, auction=running, stacks=stacks, black=black))
        core.play("add brown 6")
        before = core.position()
        rows = determinized(core, 0, stream=standing, copies=sized(40, 10))
        assert masks_of(FIFTH_AVENUE, rows).any(axis=1).all()
        for copy in rows:
            after = Core(FIFTH_AVENUE, copy.reshape(1)).position()
            assert colours_held(after, 0) == colours_held(before, 0)
            assert [sum(map(len, h.values())) for h in after["hands"]] == [1, 3, 1]


def test_the_heuristic_chooses_a_turn_by_what_it_sees() -> None:
    """At every turn of a game: the same choice on copies whose stacks and other hands are dealt anew."""
    core, luck, turns = played(2, 3, 20), streams(1, 3), 0
    for stream in range(sized(400, 150)):
        if core.seat is None:
            break
        if core.position()["decision"]["kind"] == "TURN":
            rows = np.concatenate([core.states, determinized(core, core.seat, stream, copies=3)])
            assert len(set(heuristic_actions(core.game, rows, np.repeat(luck, 4)))) == 1
            turns += 1
        core.step(heuristic_actions(core.game, core.states, luck)[0])
    assert turns > 10
