"""Whether all cards and tiles of the oracle's game are there (see oracle.py)."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from tests.games.newyork.oracle_city import HOME, START, TILES
from tests.games.newyork.oracle_money import SCORING_CARDS, money_cards


def check_pieces(game: Any) -> None:
    """Every card and tile is somewhere, exactly once (1.1, 1.2)."""
    market = [card for card in game.market if card is not None]
    out = [card for card in SCORING_CARDS if card not in game.deck]
    cards = chain(market, game.deck, game.discard, out, *game.hands)
    assert Counter(cards) == Counter([*money_cards(game.players), *SCORING_CARDS])
    depot = [tile for tile in game.depot if tile is not None]
    built = [tile for city in game.cities for tile in city.values() if tile != START]
    tiles = chain(depot, built, game.bag, game.bought, game.dirk, *game.reserves, *(game.received or []))
    assert sorted(tiles) == TILES
    assert all(city[HOME] == START for city in game.cities)
