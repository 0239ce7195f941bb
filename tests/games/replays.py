"""Whole games on the core by move texts: those of the blocks with `ask` "replay" in a RULES.md, and random ones."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator

from tests.support.rule_cases import Core, Json


def check_replay(game: str, block: Json) -> None:
    """The deciding seats, the legal moves of every decision, the end and its places."""
    expect = block["expect"]
    core = Core.start(game, block["players"], block["setup"], block.get("options"))
    decisions = core.play_all(block["moves"], block["shuffles"])
    assert "".join(str(seat) for seat, _ in decisions) == expect["seats"]
    assert [len(texts) for _, texts in decisions] == expect["legal_counts"]
    lines = "".join(",".join(texts) + "\n" for _, texts in decisions)
    assert hashlib.sha256(lines.encode()).hexdigest() == expect["legal_sha256"]
    assert (core.seat, core.legal(), core.position()["phase"]) == (None, [], "over")
    assert (core.scores, core.places()) == (expect["scores"], expect["places"])
    core.check()


def playings(
    game: str, players: int, seed: int, told: Callable[[Core], Json] = Core.position
) -> Iterator[tuple[Json, str, Json, list[Json]]]:
    """A game of random moves: the position before a move, the move, the position after, the shuffles of the move."""
    core, rng = Core.deal(game, players, seed), random.Random(seed)
    while core.seat is not None:
        before, move = told(core), rng.choice(core.texts())
        events = core.play(move)
        yield before, move, told(core), events
