"""Hidden information with memory="table": what determinize deals anew in this game, and how often it deals what.

What is hidden from a perfect memory is in test_belief.py. That nothing hidden shows is in
tests/games/test_properties.py, for all games.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given

from tests.games.manhattan.cases import PLAYERS
from tests.games.manhattan.oracle_board import ALL_CARDS
from tests.games.manhattan.views import MANHATTAN, played, positions, without_memory
from tests.support.rule_cases import Core, quick, sized
from tests.support.seeing import SEEDS, copy_of, determinized

COPIES = sized(3000, 250)
# Chi-square of 8 degrees of freedom is larger once in 10^6 draws; every test has a fixed seed.
CHI_SQUARE_8 = 42.7


def visible(core: Core, seat: int) -> Counter[int]:
    """The cards whose place the seat knows: its hand and the tops of the piles."""
    position = core.position()
    return Counter(position["hands"][seat]) + Counter(pile[-1] for pile in position["played"] if pile)


# ---------------------------------------------------------------- what determinize keeps and changes


@quick
@given(positions(over=True), SEEDS)
def test_determinize_keeps_counts_and_tops(core: Core, stream: int) -> None:
    core = without_memory(core)
    before = core.position()
    for viewer in range(core.players):
        after = copy_of(core, viewer, stream).position()
        assert len(after["deck"]) == len(before["deck"])
        assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
        assert [len(pile) for pile in after["played"]] == [len(pile) for pile in before["played"]]
        assert [pile[-1:] for pile in after["played"]] == [pile[-1:] for pile in before["played"]]


@quick
@given(positions(over=True), SEEDS)
def test_no_dead_card_is_left_in_the_arrays(core: Core, stream: int) -> None:
    """What the arrays held beyond their counts told who drew what: the drawn cards, the piles before the reshuffle.
    Nor is anything left of the past."""
    core = without_memory(core)
    for viewer in range(core.players):
        (row,) = determinized(core, viewer, stream)
        left = len(core.position()["deck"])
        assert (row["deck_top"], row["deck_size"]) == (0, left)
        assert not row["deck"][left:].any()
        assert not row["played"][row["played_size"] :].any()
        for field in ("memory_size", "memory_plays", "memory_shuffles", "memory_ends", "memory_held", "memory_known"):
            assert not row[field].any()


# ---------------------------------------------------------------- the distribution


def slots(core: Core, viewer: int, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Every hidden slot: how often each card lies there over the copies, (9,); hands count four cards a copy."""
    kinds = np.arange(9)
    found = {f"hand {p}": rows["hands"][:, p].sum(axis=0) for p in range(core.players) if p != viewer}
    for i in range(len(core.position()["deck"])):
        found[f"deck {i}"] = (rows["deck"][:, i, None] == kinds).sum(axis=0)
    at = np.flatnonzero(np.arange(45) < int(core.states["played_size"][0]))
    owners = core.states["played"][0][at] // 9
    for i, owner in zip(at, owners, strict=True):
        if (owners[i + 1 :] == owner).any():
            found[f"played {i} of seat {owner}"] = (rows["played"][:, i, None] % 9 == kinds).sum(axis=0)
    return found


# (players, viewer, decisions): round 2 with piles, one card in the deck, just after a reshuffle
SHAPES = [(2, 1, 36), (3, 2, 26), (4, 0, 60), (4, 3, 33), (3, 0, 40)]


@pytest.mark.parametrize(("players", "viewer", "decisions"), SHAPES)
def test_every_hidden_slot_gets_every_card_as_often_as_it_should(players: int, viewer: int, decisions: int) -> None:
    """Uniform over the physical cards of the pool: 45 less the own hand less the tops."""
    core = without_memory(played(players, seed=decisions, decisions=decisions))
    rows = determinized(core, viewer, stream=5, copies=COPIES)
    pool = np.array([ALL_CARDS[card] - visible(core, viewer)[card] for card in range(9)])
    total = pool.sum()
    found = slots(core, viewer, rows)
    assert len([name for name in found if "played" in name]) == sum(
        max(0, len(pile) - 1) for pile in core.position()["played"]
    )
    for name, counts in found.items():
        size = 4 if name.startswith("hand") else 1
        assert counts.sum() == size * COPIES
        expected = COPIES * size * pool / total
        spread = (total - size) / (total - 1)  # cards of one hand are drawn without putting back
        assert ((counts - expected) ** 2 / expected).sum() / spread < CHI_SQUARE_8, (name, counts, expected)


def test_cards_in_different_places_are_drawn_without_putting_back() -> None:
    """The first two cards of the deck are equal as often as two cards of the pool are."""
    core = without_memory(played(4, seed=1, decisions=20))
    rows = determinized(core, 2, stream=9, copies=COPIES)
    pool = [ALL_CARDS[card] - visible(core, 2)[card] for card in range(9)]
    total = sum(pool)
    chance = sum(n * (n - 1) for n in pool) / (total * (total - 1))
    equal = int((rows["deck"][:, 0] == rows["deck"][:, 1]).sum())
    assert abs(equal - COPIES * chance) < 4.5 * (COPIES * chance * (1 - chance)) ** 0.5


@quick
@given(positions(), SEEDS)
def test_the_own_lower_cards_are_dealt_anew_too(core: Core, stream: int) -> None:
    """Section 7: the lower cards of the played piles are seen by nobody, not by the seat that played them either."""
    core = without_memory(core)
    piles = core.position()["played"]
    viewer = max(range(core.players), key=lambda seat: len(piles[seat]))
    assume(len(piles[viewer]) > 3)
    lower = {tuple(Core(MANHATTAN, row).position()["played"][viewer][:-1])
             for row in determinized(core, viewer, stream, copies=12).reshape(-1, 1)}  # fmt: skip
    assert len(lower) > 3


@pytest.mark.parametrize("players", PLAYERS)
def test_determinize_at_the_start_deals_a_new_game_around_the_own_hand(players: int) -> None:
    """Nothing but the own hand is known: the other 41 cards are anywhere."""
    core = without_memory(played(players, seed=4, decisions=0))
    copy = copy_of(core, 0, 3).position()
    assert copy["deck"] != core.position()["deck"]
    rest = Counter(copy["deck"]) + Counter(card for hand in copy["hands"][1:] for card in hand)
    assert rest == ALL_CARDS - Counter(core.position()["hands"][0])
