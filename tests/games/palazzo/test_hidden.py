"""Hidden information: what determinize deals anew in this game, with the setting `table` also how often it deals what.

That nothing hidden shows is in tests/games/test_properties.py, for all games; the chances of a remembering seat are in
test_belief.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from skyline.game import TABLE
from tests.games.palazzo.cases import ALL_CARDS, CARDS, PILE_1, PILE_2, PILE_3, at, hands
from tests.games.palazzo.views import PALAZZO, both, played, positions, with_memory
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, copy_of, determinized, masks_of

COPIES = sized(3000, 250)
Z = 4.75  # standard deviations: once in 10^6 draws; every test has a fixed seed


def open_cards(position: Json, seat: int) -> Counter[str]:
    """The cards whose place the seat knows."""
    known = Counter(position["hands"][seat]) + Counter(position["discard"]) + Counter(position["face_up"])
    for table in position["table"]:
        known += Counter(table)
    return known


def open_tiles(position: Json) -> Counter[str]:
    lists = [position["depot"], *position["quarries"], position["to_build"]]
    seen = Counter(text for entries in lists for text in entries)
    seen.update(text for palaces in position["palaces"] for palace in palaces for text in palace.split("/"))
    return seen


# ---------------------------------------------------------------- what determinize keeps and changes


@quick
@given(positions(over=True), SEEDS)
def test_determinize_keeps_counts_and_piles(core: Core, stream: int) -> None:
    before = core.position()
    for setting in both(core):
        for viewer in range(core.players):
            after = copy_of(setting, viewer, stream).position()
            for seat in range(core.players):
                assert sum(after["hands"][seat].values()) == sum(before["hands"][seat].values())
            assert len(after["deck"]) == len(before["deck"])
            _check_stack(after["stack"], before, open_tiles(before))


def _check_stack(stack: list[str], before: Json, seen: Counter[str]) -> None:
    """Every pile keeps its number of entries, tiles of that pile that are not open; the knights left are in III."""
    assert len(stack) == len(before["stack"])
    third, rest = stack[-20:], stack[:-20]
    second, first = rest[-18:], rest[:-18]
    assert third.count("K") == stack.count("K") == 5 - before["knights"]
    for part, pile in ((first, PILE_1), (second, PILE_2), (third, PILE_3)):
        tiles = Counter(part) - Counter({"K": 5})
        assert set(tiles) <= set(pile) and max(tiles.values(), default=1) == 1
        for text in tiles:
            twin = text in PILE_2 and text in PILE_3
            assert seen[text] == 0 or (twin and pile is PILE_3 and seen[text] == 1)


@quick
@given(positions(over=True), SEEDS)
def test_nothing_dead_is_left_in_the_arrays(core: Core, stream: int) -> None:
    """What the arrays held beyond their counts told who drew what."""
    for viewer, setting in product(range(core.players), both(core)):
        (row,) = determinized(setting, viewer, stream)
        left = len(core.position()["deck"])
        assert (row["deck_top"], row["deck_size"]) == (0, left)
        assert not row["deck"][left:].any()
        assert not row["stack"][: row["stack_top"]].any()


# ---------------------------------------------------------------- the distribution


@pytest.mark.parametrize(("players", "viewer", "moves"), [(2, 1, 0), (3, 2, 90), (4, 0, 160), (4, 3, 300)])
def test_every_hidden_slot_gets_every_card_as_often_as_it_should(players: int, viewer: int, moves: int) -> None:
    """Uniform over the physical cards of the pool: 55 less the own hand less all open cards (setting `table`)."""
    core = with_memory(played(players, seed=moves, moves=moves), TABLE)
    while core.position()["decision"] not in ("MAIN", "BUILD", "CHOICE"):  # nothing is begun that must be finished
        core.play_action(core.actions()[0])
    position = core.position()
    rows = determinized(core, viewer, stream=5, copies=COPIES)
    pool = Counter(ALL_CARDS) - open_cards(position, viewer)
    total = sum(pool.values())
    slots = {f"deck {i}": (rows["deck"][:, i, None] == np.arange(16)).astype(int) for i in range(len(position["deck"]))}
    slots |= {f"hand {p}": rows["hands"][:, p].astype(int) for p in range(players) if p != viewer}
    for name, found in slots.items():
        size = int(found[0].sum())
        for card, count in zip(CARDS, found.sum(axis=0), strict=True):
            share = pool[card] / total
            expected = COPIES * size * share
            spread = expected * (1 - share) * (total - size) / max(1, total - 1)
            assert abs(count - expected) <= Z * spread**0.5 + 1e-9, (name, card, count, expected)


@pytest.mark.parametrize("left", [48, 40, 38, 30, 20, 12, 6])
def test_every_place_of_the_stack_gets_every_tile_as_often_as_it_should(left: int) -> None:
    """Uniform in each pile; twins: one open copy does not exclude pile III's, two do (setting `table`)."""
    third = [*PILE_3, *["K"] * 5][-min(20, left) :]
    second, first = PILE_2[: max(0, min(38, left) - 20)], PILE_1[: max(0, left - 38)]
    depot = ["31b"] if left <= 20 else []
    core = with_memory(at(2, [*first, *second, *third], depot=depot), TABLE)
    rows = determinized(core, 0, stream=left, copies=COPIES)["stack"][:, 53 - left :]
    piles = [(0, len(first), PILE_1), (len(first), len(first) + len(second), PILE_2)]
    for begin, end, pile in piles:
        for i in range(begin, end):
            _check_even(rows[:, i], sorted(pile), 1 / 15 if pile is PILE_1 else 1 / 18)
    size = min(20, left)
    for i in range(left - size, left):
        _check_even(rows[:, i], PILE_3, (size - 5) / size / 15)
        assert (
            abs((rows[:, i] == 45).sum() - COPIES * 5 / size) <= Z * (COPIES * 5 / size * (1 - 5 / size)) ** 0.5 + 1e-9
        )


def _check_even(column: np.ndarray, texts: list[str], share: float) -> None:
    for text in texts:
        kind = 9 * (int(text[0]) - 1) + 3 * (int(text[1]) - 1) + "bms".index(text[2])
        expected = COPIES * share
        assert abs((column == kind).sum() - expected) <= Z * (expected * (1 - share)) ** 0.5 + 1e-9, text


def test_what_is_begun_keeps_its_fair_chances() -> None:
    """Hands that can finish a raise are as likely as they are among all hands that can (few deals are thrown away)."""
    core = at(
        2, decision="BID", player=1, quarries=[["23m"], [], [], []], standing=[0, 9], totals=[9, 5], last="A5",
        locks=[None, "A"], table=[{}, {"A5": 1}], hands=hands("A7 A7 A7 A6 A6", "A5 C3 C3"),
    )  # fmt: skip
    core = with_memory(core, TABLE)
    rows = determinized(core, 0, stream=3, copies=COPIES)
    assert masks_of(PALAZZO, rows).any(axis=1).all()
    # the opponent's three cards with at least one A5, or certificates and A3, A4 worth 5: compare with plain deals
    plain = at(2, quarries=[["23m"], [], [], []], discard={"A5": 1}, hands=hands("A7 A7 A7 A6 A6", "A5 C3 C3"))
    deals = determinized(with_memory(plain, TABLE), 0, stream=4, copies=4 * COPIES)["hands"][:, 1]
    worth = 2 * np.minimum(deals[:, 0], 2) + deals[:, 1:4] @ np.array([3, 4, 5])
    fitting = deals[worth >= 5]
    for card in (0, 1, 2, 3, 15):
        expected, found = fitting[:, card].mean(), rows["hands"][:, 1, card].mean()
        spread = fitting[:, card].std() * (1 / len(fitting) + 1 / COPIES) ** 0.5
        assert abs(found - expected) <= Z * spread, (CARDS[card], found, expected)


def test_an_unlikely_payment_is_found_all_the_same() -> None:
    """Nine cards left for a price of 27 and more: almost no deal fits; cards are exchanged until one does."""
    for hand, bid in (("A7 A7 A7", 25), ("A7 B7 C7 A6 B6 C6", 43), ("2 2 2", 16)):
        core = at(2, decision="BID", player=1, quarries=[["23m"], [], [], []], standing=[0, bid],
                  totals=[bid, bid + 1 - {25: 21, 43: 30, 16: 15}[bid]],
                  last="T7", table=[{}, {}], hands=hands("", hand), locks=[None, None])  # fmt: skip
        for setting in both(core):
            rows = determinized(setting, 0, stream=bid, copies=sized(20, 2))
            assert masks_of(PALAZZO, rows).any(axis=1).all()


def test_the_card_just_taken_stays_in_its_hand() -> None:
    """Between the two cards of the active player everybody has seen the first one (`first_pick`)."""
    core = at(3, active=1, deck=["A3", "B4", "B4", "C7"], hands=hands("2 2", "A5", "A6"))
    core.play_all(["money", "take B4"])
    for viewer, setting in product((0, 2), both(core)):
        found = determinized(setting, viewer, stream=1, copies=60)["hands"][:, 1]
        assert (found[:, CARDS.index("B4")] >= 1).all()
        assert len({tuple(hand) for hand in found}) > 5
