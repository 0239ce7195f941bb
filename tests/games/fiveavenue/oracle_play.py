"""Random games of the oracle: random setups, and events drawn when a move asks for them, all from a given rng."""

import random
from collections.abc import Callable

from .oracle import MissingEvent, Oracle
from .oracle_city import (
    BLACK,
    BLACK_COUNT,
    COLOURED_COUNT,
    COLOURS,
    DASHED,
    DISTRICTS,
    KINDS,
    SHOPS_A_KIND,
    rings_in_use,
)
from .oracle_state import full_options

ROW_TILES = 20

Chooser = Callable[[random.Random, list[str]], str]


def shuffled(rng: random.Random, cards: list) -> list:
    return rng.sample(cards, len(cards))


def cards_of(counts: dict[int, int]) -> list[int]:
    return [value for value, count in counts.items() for _ in range(count)]


def initial_lots(rng: random.Random, board: int) -> list[str]:
    """Lots of the seven initial shops: on board 5 no colour more than twice (FA-S3)."""
    if board == 6:
        return [DASHED] * len(DISTRICTS)
    while True:
        drawn = [rng.choice(COLOURS) for _ in DISTRICTS]
        if all(drawn.count(colour) <= 2 for colour in COLOURS):
            return drawn


def drawn_rings(rng: random.Random, chosen: dict) -> dict:
    """The rings in use; `random`: a permutation of the colours for each district, dashed last (FA-S1)."""
    if chosen["rings"] != "random":
        return rings_in_use(chosen["board"], chosen["rings"])
    dashed = [DASHED] if chosen["board"] == 6 else []
    return {district: [*shuffled(rng, COLOURS), *dashed] for district in DISTRICTS}


def random_setup(rng: random.Random, options: dict) -> dict:
    """The setup object of a record (FA-S2, FA-S3, FA-S5, section 9)."""
    chosen = full_options(options)
    tiles = shuffled(rng, [kind for kind in KINDS for _ in range(SHOPS_A_KIND)])
    first, rest = tiles[: len(DISTRICTS)], tiles[len(DISTRICTS) :]
    lots = initial_lots(rng, chosen["board"])
    cards = {colour: shuffled(rng, cards_of(COLOURED_COUNT)) for colour in COLOURS}
    cards[BLACK] = shuffled(rng, cards_of(BLACK_COUNT))
    return {
        "rings": drawn_rings(rng, chosen),
        "shops": {district: [kind, lot] for district, kind, lot in zip(DISTRICTS, first, lots, strict=True)},
        "row": rest[:ROW_TILES],
        "out": rest[ROW_TILES:],
        "cards": cards,
    }


def play_drawn(oracle: Oracle, text: str, draw: Callable[[str, list], list]) -> list[dict]:
    """Plays one move; each shuffle it causes is `draw(deck, cards)`. Returns the events used."""
    events: list[dict] = []
    while True:
        try:
            oracle.play(text, events)
            return events
        except MissingEvent as missing:
            events.append({"deck": missing.deck, "order": draw(missing.deck, missing.cards)})


def any_move(rng: random.Random, texts: list[str]) -> str:
    return rng.choice(texts)


def hoarding_move(rng: random.Random, texts: list[str]) -> str:
    """Seldom bids, likes black cards: long games, big hands, short stacks."""
    liked = [text for text in texts if text == "pass" or text[0] in "CD"]
    return rng.choice(liked if liked and rng.random() < 0.8 else texts)


def fighting_move(rng: random.Random, texts: list[str]) -> str:
    """Never passes when it can bid, closes when it can: long auctions, full districts, early ends."""
    liked = [text for text in texts if text in ("close", "build 3") or text.startswith(("add", "move"))]
    return rng.choice(liked if liked and rng.random() < 0.9 else texts)


def random_game(
    rng: random.Random,
    players: int,
    options: dict,
    choose: Chooser = any_move,
    watch: Callable[[Oracle, str, list[dict]], None] = lambda oracle, text, events: None,
) -> Oracle:
    """A whole game; `watch(oracle, text, events)` is called after every move."""
    oracle = Oracle(players, options, random_setup(rng, options))
    while oracle.seat is not None:
        text = choose(rng, [text for _, text in oracle.legal()])
        events = play_drawn(oracle, text, lambda _, cards: shuffled(rng, cards))
        watch(oracle, text, events)
    return oracle
