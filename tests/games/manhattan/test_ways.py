"""The parts of `knowledge` that look at all ways, against plain enumeration: one hand in a span, and full places."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

from manhattan_env.surely import lines
from manhattan_env.ways import Play, Ways, fitting, follow, hands_in
from tests.support.rule_cases import sized

KINDS = 4  # printed squares that occur here
Hand = tuple[int, ...]  # the cards, in rising order


def some_plays(rng: random.Random, draws_last: bool) -> tuple[Play, ...]:
    plays = []
    for _ in range(rng.randrange(1, 5)):
        card = rng.randrange(KINDS)
        squares = rng.randrange(1 << KINDS) & ~(1 << card) if rng.random() < 0.5 else 0
        plays.append(Play(card, squares, 1))
    return (*plays[:-1], plays[-1]._replace(draws=int(draws_last)))


def hands_at_the_end(hand: Hand, drawn: int, plays: tuple[Play, ...]) -> set[Hand]:
    """All hands that can have become of a hand: every card is drawn in every possible way."""
    found = {tuple(sorted((*hand, *cards))) for cards in product(range(KINDS), repeat=drawn)}
    for play in plays:
        after = set()
        for held in found:
            left = list(held)
            if play.card in left:
                left.remove(play.card)
                if not any(play.squares >> card & 1 for card in left):
                    after |= {tuple(sorted((*left, *cards))) for cards in product(range(KINDS), repeat=play.draws)}
        found = after
    return found


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("drawn", [0, 1])
def test_a_hand_in_a_span(size: int, drawn: int) -> None:
    """MH-M03, MH-M10, MH-M13: which hands can become of which, with DISCARDs among the plays."""
    rng, possible = random.Random(10 * size + drawn), 0
    for _ in range(sized(60, 20)):
        plays = some_plays(rng, rng.random() < 0.5)
        before = hands_in((5,) * KINDS + (0,) * 5, size - drawn)
        after = hands_in((5,) * KINDS + (0,) * 5, size - 1 + plays[-1].draws)
        rest = follow(Ways([before], np.zeros((1, 1), int)), 0, drawn, plays)
        fits = fitting(rest, after)
        ends = [faces(hand) for hand in after.T]
        for number, hand in zip(rest.of_hand, before.T, strict=True):
            found = {end for end, fit in zip(ends, fits[number], strict=True) if fit} if number >= 0 else set()
            assert found == hands_at_the_end(faces(hand), drawn, plays)
            possible += len(found)
    assert possible


def faces(counts: np.ndarray) -> Hand:
    return tuple(card for card, number in enumerate(counts) for _ in range(number))


def test_cards_that_must_lie_in_a_hand() -> None:
    """MH-M14, MH-M15: the fewest cards k that a holder has in any filling of its places."""
    rng, fillable = random.Random(5), 0
    for _ in range(sized(120, 40)):
        squares = tuple(tuple(rng.randrange(1 << KINDS) for _ in range(rng.randrange(3))) for _ in range(2))
        kinds = [(owner, bits) for owner, of_owner in enumerate(squares) for bits in of_owner] + [(2, 0)]
        numbers = [rng.randrange(3 if len(kinds) < 4 else 2) for _ in kinds]
        places = [kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)]
        cards = [rng.randrange(KINDS) for _ in places]
        left = [cards.count(card) for card in range(9)]
        fillings = [
            Counter((owner, card) for (owner, _), card in zip(places, order, strict=True))
            for order in set(permutations(cards))
            if not any(bits >> card & 1 for (_, bits), card in zip(places, order, strict=True))
        ]
        most = [int((part @ np.array([*numbers, *left])).max()) for part in lines(squares)]
        assert (most[0] <= 0) == bool(fillings)
        if fillings:
            least = [min(filling[owner, card] for filling in fillings) for owner in range(3) for card in range(9)]
            assert most[1:] == least
            fillable += any(least)
    assert fillable
