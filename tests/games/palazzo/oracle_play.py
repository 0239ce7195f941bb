"""Random games of the oracle: setups and shuffles drawn from a generator of the caller, a few ways to choose moves."""

import json
import zlib
from collections.abc import Callable, Iterator
from random import Random

from .oracle import Oracle
from .oracle_palace import KNIGHT, KNIGHTS, PILE_I, PILE_II, PILE_III, can_top
from .oracle_payment import CARD_COUNTS

Choice = Callable[[Random, list[str]], str]
Shuffled = Callable[[list[str]], list[str]]


def texts_of(oracle: Oracle) -> list[str]:
    return [text for _, text in oracle.legal()]


class WalkNumbers:
    """The random numbers of the `walk` games (section 10)."""

    def __init__(self, seed: int) -> None:
        self.x = seed

    def next(self, k: int) -> int:
        self.x = (6364136223846793005 * self.x + 1442695040888963407) % 2**64
        return self.x // 2**33 % k

    def shuffled(self, pieces: list[str]) -> list[str]:
        pieces = sorted(pieces)
        for i in range(len(pieces) - 1, 0, -1):
            j = self.next(i + 1)
            pieces[i], pieces[j] = pieces[j], pieces[i]
        return pieces


def drawn_setup(shuffled: Shuffled) -> dict:
    """PZ-S2 and PZ-S4."""
    stack = shuffled(PILE_I) + shuffled(PILE_II) + shuffled(PILE_III + [KNIGHT] * KNIGHTS)
    return {"stack": stack, "money": shuffled(list(CARD_COUNTS.elements()))}


def drawn_events(oracle: Oracle, text: str, shuffled: Shuffled) -> list[dict]:
    cards = oracle.reshuffle(text)
    return [{"deck": "money", "order": shuffled(cards)}] if cards else []


def crc(lines: list[str]) -> int:
    return zlib.crc32("\n".join(lines).encode("ascii"))


def walk(players: int, seed: int, policy: str) -> list:
    """One row of the `walk` block, computed."""
    numbers = WalkNumbers(seed)
    oracle = Oracle(players, {}, drawn_setup(numbers.shuffled))
    moves, legal_lists, reshuffles = [], [], 0
    while oracle.seat is not None:
        texts = texts_of(oracle)
        choice = {"first": lambda n: 0, "last": lambda n: n - 1, "random": numbers.next}[policy](len(texts))
        events = drawn_events(oracle, texts[choice], numbers.shuffled)
        oracle.play(texts[choice], events)
        moves.append(texts[choice])
        legal_lists.append("|".join(texts))
        reshuffles += len(events)
    counts = [len(moves), moves.count("draw"), reshuffles]
    results = [oracle.scores, oracle.tiebreaks(), oracle.places()]
    return [players, seed, policy, *counts, *results, crc(moves), crc(legal_lists)]


def uniform(rng: Random, texts: list[str]) -> str:
    return rng.choice(texts)


def idle(rng: Random, texts: list[str]) -> str:
    """Avoids `draw`, so that hands and `quiet` grow."""
    others = [text for text in texts if text != "draw"]
    return rng.choice(others if others and rng.random() < 0.97 else texts)


def stubborn(rng: Random, texts: list[str]) -> str:
    """Passes and scraps only when nothing else is legal."""
    return rng.choice([text for text in texts if text != "pass" and not text.endswith("scrap")] or texts)


def random_game(rng: Random, players: int, choose: Choice) -> Iterator[tuple[Oracle, str, list[dict]]]:
    """The oracle before each move, with the move and the events to play next; at last the end, without one."""

    def shuffled(pieces: list[str]) -> list[str]:
        return rng.sample(pieces, len(pieces))

    oracle = Oracle(players, {}, drawn_setup(shuffled))
    while oracle.seat is not None:
        text = choose(rng, texts_of(oracle))
        events = drawn_events(oracle, text, shuffled)
        yield oracle, text, events
        oracle.play(text, events)
    yield oracle, "", []


def random_position(rng: Random, phase: str) -> Oracle:
    """A position of this phase from random play."""
    while True:
        places = rng.randrange(250)
        for number, (oracle, _, _) in enumerate(random_game(rng, rng.choice((2, 3, 4)), uniform)):
            if number >= places and phase == oracle.phase:
                return oracle


def random_palaces(rng: Random, tiles: list[str]) -> list[list[str]]:
    """The tiles one after the other, on top of a palace or as a new one."""
    palaces: list[list[str]] = []
    for tile in tiles:
        tops = [palace for palace in palaces if can_top(palace, tile)]
        if tops and rng.random() < 0.6:
            rng.choice(tops).append(tile)
        else:
            palaces.append([tile])
    return palaces


def reloaded(oracle: Oracle) -> Oracle:
    return Oracle.at(json.loads(json.dumps(oracle.position())))
