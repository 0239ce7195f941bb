"""The memory cases of RULES.md section 10 (MH-K01 ..), and small games in which beliefs can be enumerated."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from skyline import registry
from tests.games.manhattan.beliefs import Belief, counted
from tests.games.manhattan.cases import COLOURS, GAME, SET_SIZE
from tests.support.rule_cases import Core, Json, rules_text, worked_positions

MANHATTAN = registry.load(GAME)
MOST_RESHUFFLES = 3  # that a state remembers (MH-M16)


def memory_cases() -> dict[str, Json]:
    """The blocks between lines of tildes, by their names."""
    found = re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL)
    assert len(found) == len(re.findall(r"^~~~json", rules_text(GAME), re.MULTILINE))
    cases = [json.loads(text) for text in found]
    assert all(case["kind"] == "memory" for case in cases)
    return {case["case"]: case for case in cases}


def beginning(case: Json) -> Core:
    """The game before the moves of a case."""
    if "setup" in case:
        return Core.start(GAME, case["players"], case["setup"])
    if "state" in case:
        return Core.at(GAME, case["state"])
    replay = worked_positions(GAME)[case["game"]]
    return Core.start(GAME, replay["players"], replay["setup"])


def moves_of(case: Json) -> tuple[list[str], list[list[int]]]:
    """The moves of a case, and the orders of its reshuffles."""
    if "game" not in case:
        return case["moves"], case.get("shuffles", [])
    replay = worked_positions(GAME)[case["game"]]
    return replay["moves"][: case["moves"]], list(replay["shuffles"])


class Watched:
    """A game with the exact beliefs of its seats, which follow it move by move."""

    def __init__(self, core: Core, seats: list[int]) -> None:
        self.core, self.before_draw = core, {seat: Belief(seat, []) for seat in seats}
        self.beliefs = {seat: _begun(core, seat) for seat in seats}

    def play(self, text: str, order: list[int] | None = None) -> None:
        """A move, and in `before_draw` what the seats believe between the card played and the card drawn."""
        before = self.core.copy()
        shuffles = [{"deck": "cards", "order": order}] if order else None
        self.core.play(text, shuffles)
        action = MANHATTAN.parse_move(before.states[0], text)
        for seat, belief in self.beliefs.items():
            movements = MANHATTAN.seen(before.states[0], action, self.core.states[0], seat)
            if movements:
                belief.see(movements[:-1], discarded(self.core, text))
                self.before_draw[seat] = belief.copy()
                belief.see(movements[-1:])

    def is_at_its_limit(self) -> bool:
        """Whether the next turn would be a reshuffle more than is remembered."""
        s = self.core.states[0]
        return bool(s.memory_shuffles == MOST_RESHUFFLES and s.deck_top == s.deck_size)


def _begun(core: Core, seat: int) -> Belief:
    """The belief in a position, by the memory that the position names; cards that the seat itself drew are taken out of
    each shuffle before (MH-M20)."""
    position = core.position()
    belief = Belief(seat, MANHATTAN.seen(None, -1, core.states[0], seat))
    pools = _pools(position, seat)
    belief.deal(counted(pools[0]))
    for number, shuffle in enumerate(position["memory"]):
        for at, (owner, card, *squares) in enumerate(shuffle["plays"], 1):
            belief.show(owner, card, set(squares[0]) if squares else set())
            if at == len(shuffle["plays"]) and number + 1 < len(pools):
                belief.add(pools[number + 1])
            if owner != seat:
                belief.draw(owner, None)
    return belief


def _pools(position: Json, seat: int) -> list[list[int]]:
    """By shuffle: the cards that other seats drew of it, those of the deck with the last one."""
    pools: list[list[int]] = []
    memory = position["memory"]
    for number, shuffle in enumerate(memory):
        after = memory[number + 1]["held"] if number + 1 < len(memory) else position["hands"]
        pool = [card for owner, card, *_ in shuffle["plays"] if owner != seat]
        pool += [card for other, hand in enumerate(after) if other != seat for card in hand]
        for other, hand in enumerate(shuffle.get("held", [])):
            for card in hand if other != seat else ():
                pool.remove(card)
        pools.append(pool)
    pools[-1] += position["deck"]
    return pools


def discarded(core: Core, text: str) -> list[int]:
    """The cards with which the seat that has just discarded could have built."""
    if not text.startswith("discard"):
        return []
    play = next(shuffle["plays"][-1] for shuffle in reversed(core.position()["memory"]) if shuffle["plays"])
    return list(play[2])


# ---------------------------------------------------------------- small games


def small_game(players: int, seed: int, with_discards: bool = False) -> Core:
    """Some kinds of cards, small hands and a small deck, so that it is reshuffled soon; with pieces of height 1 and
    some squares that others have taken, many turns are discards."""
    chance = random.Random(seed)
    bag = [card for card in range(chance.choice((3, 5, 7))) for _ in range(5)]
    chance.shuffle(bag)
    hand = 2 if players == 4 else chance.choice((2, 3))
    deck = chance.choice((2, 4, 6))
    cut = [bag[hand * seat : hand * (seat + 1)] for seat in range(players)]
    fields: dict[str, Any] = {
        "towers": [],
        "chosen": {str(c): [1] * SET_SIZE[players] for c in range(COLOURS[players])},
    }
    if with_discards:
        squares, colours = chance.sample(range(9), 4), chance.sample(range(COLOURS[players]), 3)
        taken = list(zip(squares, colours, strict=False))
        fields["towers"] = [[city, square, [[colour, 2]]] for square, colour in taken for city in range(6)]
    bag = bag[hand * players :]
    return Core.at(
        GAME, {"players": players, "marker": chance.randrange(players), "hands": cut, "deck": bag[:deck], **fields}
    )


def watched_game(players: int, seed: int, with_discards: bool = False) -> Iterator[Watched]:
    """Such a game after each of its first random moves."""
    chance = random.Random(seed)
    watched = Watched(small_game(players, seed, with_discards), list(range(players)))
    for _ in range(12):
        if watched.core.seat is None or watched.is_at_its_limit():
            return
        watched.play(chance.choice(watched.core.texts()))
        yield watched
