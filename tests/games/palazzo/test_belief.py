"""The belief of a remembering seat: brute force over all deals, the formula of PZ-M17, and what `determinize` draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from palazzo_env import belief
from skyline.core.jit import FromPython
from tests.games.palazzo.cases import CARDS, GAME, PLAYERS, at, bidding, hands
from tests.games.palazzo.deals import Belief, Witness, by_formula, from_events, hand_of
from tests.games.palazzo.views import PALAZZO, played
from tests.support.rule_cases import Core, Json, sized
from tests.support.seeing import determinized, masks_of

DEALS = sized(20_000, 250)
_share, _walk = FromPython(belief._share), FromPython(belief._walk)


def unseen(core: Core, seat: int) -> Json:
    found: Json = PALAZZO.knowledge(core.states[0], seat)["unseen"]
    return found


def drawn(core: Core, seat: int, stream: int, copies: int) -> Counter[Any]:
    """The other hands of many deals."""
    rows = determinized(core, seat, stream, copies)["hands"]
    others = [p for p in range(core.players) if p != seat]
    return Counter(tuple(hand_of(dict(zip(CARDS, row[p].tolist(), strict=True))) for p in others) for row in rows)


def chi_square(found: Counter[Any], wanted: Belief) -> tuple[float, int]:
    """The statistic and its degrees of freedom; hands that are expected less than five times are one class."""
    assert not set(found) - set(wanted), "a deal that contradicts what the seat has seen"
    n, value, rare_found, rare_wanted, classes = found.total(), 0.0, 0, 0.0, 0
    for key, chance in wanted.items():
        expected = float(n * chance)
        if expected < 5:
            rare_found, rare_wanted = rare_found + found[key], rare_wanted + expected
        else:
            value, classes = value + (found[key] - expected) ** 2 / expected, classes + 1
    if rare_wanted >= 5:
        value, classes = value + (rare_found - rare_wanted) ** 2 / rare_wanted, classes + 1
    return value, max(0, classes - 1)


def check_chances(core: Core, seat: int, wanted: Belief, stream: int, copies: int = DEALS) -> None:
    """The deals come with these chances: the statistic is below 1 : 10^6 of its distribution (Wilson, Hilferty)."""
    value, freedom = chi_square(drawn(core, seat, stream, copies), wanted)
    if freedom:
        third = 2 / (9 * freedom)
        assert value <= freedom * (1 - third + 4.75 * third**0.5) ** 3, (value, freedom)


# ---------------------------------------------------------------- games, witnessed by their seats


def witnessed(players: int, seed: int, most: int) -> Iterator[tuple[Core, list[Witness]]]:
    """A random game move by move, and what each seat saw of it."""
    core, rng = Core.deal(GAME, players, seed), np.random.default_rng(seed)
    witnesses = [Witness(players, seat, core.position()["hands"][seat]) for seat in range(players)]
    for _ in range(most):
        if core.seat is None:
            return
        action, before = int(rng.choice(core.actions())), core.states.copy()
        core.step(action)
        for witness in witnesses:
            witness.saw(PALAZZO.seen(before[0], action, core.states[0], witness.seat))
        yield core, witnesses


@pytest.mark.parametrize("players", PLAYERS)
def test_the_formula_is_what_all_deals_say(players: int) -> None:
    """PZ-M17 against PZ-M01 and PZ-M02, as fractions, wherever all sets of starting cards can be tried."""
    compared = [0, 0]  # without and with a begun action
    for seed in range(20):
        for number, (core, witnesses) in enumerate(witnessed(players, seed, 300)):
            position = core.position()
            for seat in range(players):
                begun = position["last"] is not None and seat != position["player"]
                usual = number % 40 == 39 or begun
                if not usual or compared[begun] >= sized(12, 2) or _too_many(core, seat, 150):
                    continue
                wanted = from_events(witnesses[seat], position, 2_000)
                if wanted is not None:
                    assert by_formula(position, seat, unseen(core, seat)) == wanted, (seed, number, seat)
                    compared[begun] += 1
            if min(compared) >= sized(12, 2):
                return
    raise AssertionError(f"{compared} beliefs compared")


def _too_many(core: Core, seat: int, most: int) -> bool:
    """Whether the other hands have more unseen cards than plain Python lists in a moment."""
    starting = core.states["memory_starting"][0]
    kinds, sets = len(unseen(core, seat)), 1
    for other in range(core.players):
        for i in range(int(starting[other]) if other != seat else 0):
            sets = sets * (kinds + i) // (i + 1)
    return sets > most


@pytest.mark.ci
@pytest.mark.parametrize("players", PLAYERS)
def test_deals_come_with_exactly_their_chances(players: int) -> None:
    """PZ-M17: `determinize` against brute force over all deals, on endings of random games (chi-square)."""
    compared = 0
    for seed in range(100, 100 + sized(8, 2)):
        for number, (core, witnesses) in enumerate(witnessed(players, seed, 400)):
            if number % 90 != 80:
                continue
            for seat in range(players):
                wanted = None if _too_many(core, seat, 150) else from_events(witnesses[seat], core.position())
                if wanted is not None and len(wanted) > 1:
                    check_chances(core, seat, wanted, 7 * number + seat)
                    compared += 1
    assert compared >= sized(8, 1)


# ---------------------------------------------------------------- begun actions


BEGUN = {
    "a raise with a certificate": bidding("A7 A7", "2 2 B5 C6").copy,
    "a purchase": lambda: at(2, decision="BUY", active=1, depot=["11b"], hands=hands("A7", "C5 C4 2 B3")),
    "a payment": lambda: at(2, decision="PAY", active=1, depot=["11b", "12b"], chosen=["11b", "12b"],
                            hands=hands("A7", "B7 B7 B5 2")),
    "three hands": lambda: at(3, decision="PAY", active=2, depot=["11b"], chosen=["11b"],
                              discard={"2": 9, "A4": 3, "A5": 3, "A6": 3, "B3": 3, "B4": 3, "B5": 3, "C4": 3,
                                       "C5": 3, "C6": 3, "A7": 2, "B6": 3, "C3": 2},
                              hands=hands("A7", "B7 C3", "C7 C7 2"),
                              memory={"shown": [{}, {"B7": 1}, {"C7": 1, "2": 2}]}),
}  # fmt: skip


@pytest.mark.parametrize("name", BEGUN)
def test_what_is_begun_can_be_finished_and_keeps_its_chances(name: str) -> None:
    """PZ-M12: exactly the deals with which the deciding seat can go on."""
    core = BEGUN[name]()
    if name == "a raise with a certificate":
        core.play("add 2")
    wanted = by_formula(core.position(), 0, unseen(core, 0))
    check_chances(core, 0, wanted, 3)
    assert masks_of(PALAZZO, determinized(core, 0, 8, 50)).any(axis=1).all()


def test_a_rare_hand_is_drawn_by_its_chances() -> None:
    """PZ-M12 with few hands that can finish: no even deal among 64, so the chances of all hands are listed."""
    table = {
        "discard": {"2": 7, **dict.fromkeys(CARDS[1:6], 3), **dict.fromkeys(CARDS[11:], 3)},
        "hands": hands("", "2 2 2 B3"), "memory": {"shown": [{}, {"B3": 1, "2": 1}]},
    }  # fmt: skip
    core = at(2, decision="BID", player=1, quarries=[["23m"], [], [], []], standing=[0, 30], totals=[30, 16],
              last="T3", locks=[None, "A"], **table)  # fmt: skip
    wanted = by_formula(core.position(), 0, unseen(core, 0))
    check_chances(core, 0, wanted, 5, sized(DEALS, 2))
    all_hands = by_formula(at(2, **table).position(), 0, unseen(core, 0))
    assert len(wanted) == 5 and sum(all_hands[key] for key in wanted) < Fraction(1, 100)
    # of three `2` one was shown, of three B3, too: 1/4 x (3/2 + 4 x 3), by the weights of PZ-M17
    assert abs(_walk(core.states[0], 0, 15, 0, 4, np.inf) - 27 / 8) < 1e-12


@pytest.mark.parametrize("dealt", ["2", "2 2", "B4 2 B4", "C7 C7", "A3 2 C7 B4", "A3 A4 A5 A6", "2 2 2 2"])
def test_a_hand_is_kept_with_the_chance_of_the_law(dealt: str) -> None:
    """PZ-M17: the product of 1 / C(s + r, r), whatever the order of the cards."""
    shown = {"2": 3, "B4": 1, "C7": 2}
    core = at(2, hands=hands("", "A3"), memory={"shown": [{}, shown]})
    row, cards = core.states[0], dealt.split()
    wanted = 1.0
    for card, r in Counter(cards).items():
        wanted /= comb(shown.get(card, 0) + r, r)
    for order in (cards, cards[::-1]):
        row.deck[: len(order)] = [CARDS.index(card) for card in order]
        assert abs(_share(row, 1, 0, len(order)) - wanted) < 1e-12


def test_a_hand_that_no_game_reaches_finishes_all_the_same() -> None:
    """Eleven unseen cards and a goal that hardly any hand reaches: the deal may be uneven there, but has a move."""
    core = at(2, decision="BID", player=1, quarries=[["23m"], [], [], []], standing=[0, 170], totals=[170, 100],
              hands=hands("", "A7 B7 C7 A6 B6 C6 A5 B5 C5 A4 B4 C4 A3 B3 C3 2"), last="T7")  # fmt: skip
    assert belief.DEALS > belief.TRIES
    assert masks_of(PALAZZO, determinized(core, 0, 1, sized(5, 1))).any(axis=1).all()


# ---------------------------------------------------------------- what a deal leaves, and what it follows from


def test_deals_depend_on_what_the_seat_knows_alone() -> None:
    """PZ-M16: two games that differ in what the seat cannot know have the same deals; a copy's copies are the same
    deals, too."""
    for players in PLAYERS:
        for seed in range(sized(8, 2)):
            core = played(players, seed, 80 * seed + 40)
            for seat in range(players):
                (hidden,) = determinized(core, seat, seed)
                twin = Core(PALAZZO, hidden.reshape(1).copy())
                twin.states["deal"] = 99
                one, two = (determinized(which, seat, 5, 3) for which in (core, twin))
                assert one.tobytes() == two.tobytes()


def test_deals_keep_the_sets_that_everybody_knows() -> None:
    """PZ-M10, PZ-M13: the deck after a shuffle, what is left of each pile, the memory itself."""
    core = played(4, 3, 330)
    assert core.position()["memory"]["shuffled"]
    before = core.position()
    for row in determinized(core, 2, 4, 30):
        after = PALAZZO.position(row)
        assert after["memory"] == before["memory"]
        assert sorted(after["deck"]) == sorted(before["deck"])
        for part in (slice(-20, None), slice(-38, -20), slice(None, -38)):
            assert sorted(after["stack"][part]) == sorted(before["stack"][part])
        assert PALAZZO.knowledge(row, 2) == PALAZZO.knowledge(core.states[0], 2)


def test_every_order_of_deck_and_piles_is_as_likely() -> None:
    """PZ-M16: each card on each place of a deck that was shuffled, each entry on each place of a pile."""
    core = at(2, ["31b", "31m", "K", "41b", "K", "K", "K", "K"], hands=hands("A3", "A4"),
              memory={"shuffled": True}, discard=dict.fromkeys(CARDS[3:14], 3) | {"2": 8})  # fmt: skip
    rows = determinized(core, 0, 6, DEALS)
    for array, cards in ((rows["deck"], [*"22", *["A3"] * 2, *["A4"] * 2, *["C6"] * 3, *["C7"] * 3]),):
        for place in range(len(cards)):
            for card, copies in Counter(cards).items():
                share = copies / len(cards)
                number = (array[:, place] == CARDS.index(card)).sum()
                assert abs(number - DEALS * share) <= 4.75 * (DEALS * share * (1 - share)) ** 0.5, (place, card)
    top = core.states["stack_top"][0]
    for place in range(8):
        for entry, share in ((45, 5 / 8), (18, 1 / 8), (27, 1 / 8)):
            number = (rows["stack"][:, top + place] == entry).sum()
            assert abs(number - DEALS * share) <= 4.75 * (DEALS * share * (1 - share)) ** 0.5, (place, entry)
