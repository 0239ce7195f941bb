"""Random setups and random whole games of the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.games.newyork.oracle import Oracle
from tests.games.newyork.oracle_city import TILES
from tests.games.newyork.oracle_money import SLOTS, MissingShuffleError, deal_hands, money_cards, pile_sizes


def texts(oracle: Oracle) -> list[str]:
    return [text for _, text in oracle.legal()]


def shuffle_event(order: list[str]) -> dict:
    return {"deck": "money", "order": order}


def random_setup(players: int, rng: random.Random) -> dict:
    """Section 2, steps 2 to 7."""
    bag, deck = list(TILES), money_cards(players)
    rng.shuffle(bag)
    rng.shuffle(deck)
    rest = list(deck)
    deal_hands(players, rest)
    money, rest = deck[: len(deck) - len(rest) + len(SLOTS)], rest[len(SLOTS) :]
    for pile, size in enumerate(pile_sizes(len(rest)), start=1):
        cards, rest = rest[:size], rest[size:]
        if pile in (2, 4):
            cards.insert(rng.randint(0, size), "SA" if pile == 2 else "SB")
        money += cards
    return {"money": money, "bag": bag}


def random_moves(oracle: Oracle, rng: random.Random, by_word: bool = False) -> Iterator[str]:
    """Play random moves to the end, giving each after it was played. `by_word` draws the kind of move first."""
    while oracle.seat is not None:
        moves = texts(oracle)
        if by_word:
            word = rng.choice(sorted({move.split()[0] for move in moves}))
            moves = [move for move in moves if move.split()[0] == word]
        move = rng.choice(moves)
        try:
            oracle.play(move)
        except MissingShuffleError as missing:
            order = list(missing.cards)
            rng.shuffle(order)
            oracle.play(move, [shuffle_event(order)])
        yield move
