"""Hidden information at the table (memory="table", RULES.md 7.1): what determinize deals anew, and how often what.

With memory="recall" that is test_memory.py. That nothing hidden shows is in tests/games/test_properties.py, for all
games with memory; here for New York without.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from skyline.game import RECALL, TABLE
from skyline.rng import streams
from tests.games.newyork.cases import PLAYERS, at, forgetful
from tests.games.newyork.oracle_money import money_cards
from tests.games.newyork.views import NEW_YORK, UNSEEN, positions, unseen_parts, whole_game
from tests.support.rule_cases import Core, Json, quick, sized
from tests.support.seeing import SEEDS, copies_of, copy_of, determinized, heuristic_actions, masks_of, observed

COPIES = sized(3000, 300)


def known_cards(position: Json, seat: int) -> Counter[str]:
    """Cards whose place the seat knows: own hand, market, cards laid for the purchase."""
    known = Counter(position["hands"][seat]) + Counter(card for card in position["market"] if card)
    return known + Counter(f"{'BGYR'[position['slot'] or 0]}{value}" for value in position["paid"])


def pool_of(core: Core, seat: int) -> Counter[str]:
    """All money cards less the known ones."""
    return Counter(money_cards(core.players)) - known_cards(core.position(), seat)


# ---------------------------------------------------------------- what determinize keeps and changes


@quick
@given(positions(over=True, memory=TABLE), SEEDS)
def test_nothing_unseen_shows(core: Core, stream: int) -> None:
    """Observation, text and picture are the same for a seat in every deal; what lies open stays where it is."""
    before = core.position()
    for viewer in range(core.players):
        copy = copy_of(core, viewer, stream)
        copy.check()
        after = copy.position()
        assert unseen_parts(after, viewer) != unseen_parts(before, viewer)
        assert after["hands"][viewer] == before["hands"][viewer]
        assert [name for name in before if name not in UNSEEN and after[name] != before[name]] == []
        assert np.array_equal(observed(copy, viewer), observed(core, viewer))
        for picture in (NEW_YORK.text, NEW_YORK.svg):
            assert picture(copy.states[0], viewer, None) == picture(core.states[0], viewer, None)


@quick
@given(positions(memory=TABLE), SEEDS)
def test_a_deal_has_the_deciders_moves_and_the_heuristics(core: Core, stream: int) -> None:
    """The same for the seat that decides; whoever looks, there is a legal move, and the game can be played on."""
    seat = core.seat or 0
    assert copy_of(core, seat, stream).legal() == core.legal()
    rows = np.concatenate([core.states, determinized(core, seat, stream, copies=4)])
    assert len(set(heuristic_actions(NEW_YORK, rows, np.repeat(streams(1, 7), len(rows))))) == 1
    for viewer in range(core.players):
        assert masks_of(NEW_YORK, determinized(core, viewer, stream, copies=3)).any(axis=1).all()
        copy, rng = copy_of(core, viewer, stream), np.random.default_rng(stream)
        for _ in range(sized(40, 8)):
            if copy.seat is not None:
                copy.play_action(int(rng.choice(copy.actions())))
        copy.check()


@quick
@given(positions(over=True, memory=TABLE), SEEDS)
def test_determinize_keeps_numbers_tiles_and_scoring_cards(core: Core, stream: int) -> None:
    before = core.position()
    for viewer in range(core.players):
        (copy,) = copies_of(core, viewer, stream)
        after = copy.position()
        assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
        for field in ("deck", "discard"):
            assert len(after[field]) == len(before[field])
        assert sorted(after["bag"]) == sorted(before["bag"])
        assert [card for card in after["deck"] if card[0] == "S"] == [card for card in before["deck"] if card[0] == "S"]


@pytest.mark.parametrize("memory", [RECALL, TABLE])
@quick
@given(positions(over=True), SEEDS)
def test_nothing_drawn_is_left_in_the_arrays(memory: int, core: Core, stream: int) -> None:
    """What deck and bag held of drawn cards and tiles told who drew what."""
    core.states["memory"] = memory
    for viewer in range(core.players):
        (row,) = determinized(core, viewer, stream)
        assert not row["deck"][: row["deck_top"]].any()
        assert not row["deck"][row["deck_size"] :].any()
        assert not row["bag"][: row["bag_top"]].any()
        assert not row["order_given"]


# ---------------------------------------------------------------- the distribution


def chi_square(found: Counter[str], expected: dict[str, float]) -> float:
    return sum((found[kind] - mean) ** 2 / mean for kind, mean in expected.items())


@pytest.mark.parametrize(("players", "viewer", "share"), [(2, 1, 0.3), (3, 2, 0.6), (4, 0, 0.9), (6, 3, 0.4)])
def test_every_hidden_place_gets_every_card_as_often_as_it_should(players: int, viewer: int, share: float) -> None:
    """Uniform over the physical cards of the pool: hands, discards, and single cards of the deck; tiles of the bag."""
    game = whole_game(players, 100 * players + 1)
    core = forgetful(next(core for core in game[int(share * len(game)) :] if core.position()["phase"] == "main"))
    before, pool = core.position(), pool_of(core, viewer)
    total, found = pool.total(), {}
    for copy in copies_of(core, viewer, 5, COPIES):
        after = copy.position()
        money = [card for card in after["deck"] if card[0] != "S"]
        other = (viewer + 1) % players
        places = {"hand": after["hands"][other], "discard": after["discard"], "top": money[:1], "last": money[-1:]}
        for name, cards in places.items():
            found.setdefault(name, Counter()).update(cards)
        found.setdefault("bag", Counter()).update(after["bag"][:1])
    tiles = found.pop("bag")
    for name, counts in found.items():
        size = counts.total() / COPIES
        if size == 0:
            continue
        expected = {card: COPIES * size * n / total for card, n in pool.items()}
        spread = (total - size) / (total - 1)  # cards of one place are drawn without putting back
        # of 35 degrees of freedom, larger once in 10^6 draws: 85
        assert chi_square(counts, expected) / spread < 90, (name, counts)
    if before["bag"]:
        expected = {tile: COPIES / len(before["bag"]) for tile in before["bag"]}
        assert chi_square(tiles, expected) < 2.5 * len(expected) + 40


@pytest.mark.parametrize("players", PLAYERS)
def test_determinize_at_the_start_deals_a_new_game_around_the_own_hand(players: int) -> None:
    """Nothing but the own hand, market, depot and Dirk is known."""
    core = forgetful(whole_game(players, 100 * players)[0])
    (copy,) = copies_of(core, 0, 3)
    after, before = copy.position(), core.position()
    assert after["deck"] != before["deck"]
    assert after["bag"] != before["bag"]
    assert after["hands"][1] != before["hands"][1]


# ---------------------------------------------------------------- a begun purchase


def test_a_begun_purchase_can_be_paid_in_every_copy() -> None:
    """A hand that can hardly have what it needs: three of four B cards of the pool; most deals are made again."""
    hidden = ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "Y1", "Y2", "Y3", "Y4"]
    core = at(3, phase="pay", slot=0, depot=[43, None, None, None], hands=[["B4", "B5", "B3", "R1"], [], []],
              deck=[*hidden, "B1"], market=["R9", "R8", "R7", "R6"])  # fmt: skip
    forgetful(core)
    for copy in copies_of(core, 1, 2, sized(300, 40)):
        hand = copy.position()["hands"][0]
        assert sum(int(card[1]) for card in hand if card[0] == "B") >= 12
        assert copy.actions()
    own = copies_of(core, 0, 2)[0].position()
    assert own["hands"][0] == core.position()["hands"][0]


def test_cards_above_the_last_one_laid_do_not_help() -> None:
    """5 is laid, 7 missing: only cards up to 5 go on; the laid card stays where everybody saw it go."""
    core = at(2, phase="pay", slot=0, paid=[5], discard=["B5"], depot=[43, None, None, None],
              hands=[["B5", "B2"], []], deck=["B9", "B8", "B7", "B6", "B1", "G1"])  # fmt: skip
    forgetful(core)
    seen = set()
    for copy in copies_of(core, 1, 9, sized(200, 30)):
        position = copy.position()
        values = [int(card[1]) for card in position["hands"][0] if card[0] == "B"]
        assert sum(value for value in values if value <= 5) >= 7
        assert position["discard"] == ["B5"]
        seen.add(tuple(position["deck"]))
    assert len(seen) > 5


@quick
@given(positions(), SEEDS)
def test_after_a_scoring_card_is_out_it_stays_out(core: Core, stream: int) -> None:
    out = {"SA", "SB"} - set(core.position()["deck"])
    for copy in copies_of(core, 0, stream, 3):
        assert {"SA", "SB"} - set(copy.position()["deck"]) == out
