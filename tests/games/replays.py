"""Whole games that a RULES.md gives as a block with `ask` "replay"."""

from __future__ import annotations

import hashlib

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
