"""What Palazzo brings to a match with its oracle: policies that reach rare positions, and rare events to count."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests.games.palazzo.oracle import Oracle
from tests.support.rule_cases import Json, Legal

OPTIONS: list[Json] = [{}, {}, {"quiet_limit": 5}, {"knight_first": "depot"}]
NOT_COMPARED = ("quiet_limit", "knight_first", "memory")  # options only the oracle writes, the memory only the core


def comparable(position: Json) -> Json:
    """Without the fields that one side alone has, and the order in which players passed."""
    compared = {key: value for key, value in position.items() if key not in NOT_COMPARED}
    return {**compared, "out": sorted(position["out"])}


# ---------------------------------------------------------------- policies


def _pick(rng: random.Random, legal: Legal, worth: Callable[[str], float]) -> str:
    """A text of the greatest worth, ties at random."""
    worths = [worth(text) for _, text in legal]
    best = max(worths)
    return rng.choice([text for (_, text), value in zip(legal, worths, strict=True) if value == best])


def _is_group(text: str) -> bool:
    return text.startswith("add T")


def hoard(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Money in nine turns of ten; passes, scraps, buys nothing: empty decks, full quarries, cheap depots."""
    order = {"money": 2.0, "auction": 1.0, "pass": 2.0, "build": 1.0}
    if rng.random() < 0.1:
        return rng.choice(legal)[1]
    return _pick(rng, legal, lambda text: order.get(text.split()[0], 0) + text.endswith("scrap"))


def bidder(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Auctions, and raises that never end early: every component is laid."""
    order = {"auction": 3, "add": 3, "bid": 2, "money": 1 if rng.random() < 0.6 else -1, "pass": -2}
    if rng.random() < 0.05:
        return rng.choice(legal)[1]
    return _pick(rng, legal, lambda text: order.get(text.split()[0], 0))


def grouper(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Collects groups of three and bids with them."""
    hand = oracle.position()["hands"][oracle.seat] if legal[0][1].startswith("take") else {}

    def worth(text: str) -> float:
        word, *rest = text.split()
        if word == "take":
            value = rest[0][-1]
            return 3.0 if value == "2" else sum(1.0 for c in "ABC" if hand.get(c + value) and c != rest[0][0])
        if word == "add":
            return 4.0 if _is_group(text) else 1.0
        return {"bid": 3.0, "pass": 2.0, "money": 2.0 if rng.random() < 0.7 else -1.0, "auction": 1.0}.get(word, 0.0)

    return _pick(rng, legal, worth)


def rebuilder(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Builds everything as palaces of their own and rebuilds as often as it can."""
    if rng.random() < 0.15:
        return rng.choice(legal)[1]
    order = {"rebuild": 3, "insert": 2, "split": 2 if rng.random() < 0.4 else 0, "remove": -1, "draw": 1, "bid": 1}

    def worth(text: str) -> float:
        return order.get(text.split()[0], 0) + text.endswith(" new") - text.endswith(" scrap")

    return _pick(rng, legal, worth)


def buyer(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Lets the depot fill up, to ten tiles or two of a kind, then buys two where it can, of one kind above all."""
    depot = Counter(oracle.position()["depot"])
    waits = depot.total() < 10 and max(depot.values(), default=0) < 2 and rng.random() < 0.9
    order = {"buy": -1 if waits else 2, "tile": 1, "money": 1 if rng.random() < 0.3 else -1, "draw": 0.5}

    def worth(text: str) -> float:
        word, *rest = text.split()
        return order.get(word, 0) + (word == "tile" and depot[rest[0]] == 2)

    return _pick(rng, legal, worth)


POLICIES = {"hoard": hoard, "bidder": bidder, "grouper": grouper, "rebuilder": rebuilder, "buyer": buyer}

# ---------------------------------------------------------------- rare events


def before_move(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if len(legal) == 1:
        yield "decisions with one legal move"
    count = COUNTERS.get(oracle.phase)
    if count is not None:
        yield from count(oracle, legal, text)


def _at_main(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    texts = [move for _, move in legal]
    if texts == ["draw"]:
        position = oracle.position()
        yield "turns at the quiet limit (PZ-R20)" if _is_quiet(position) else "turns with nothing but draw (PZ-R15)"
    if "money" not in texts and not _is_quiet(oracle.position()):
        yield "turns without enough money cards (PZ-02)"
    if text == "money":
        yield "money turns"
    if text == "draw":
        entries = oracle.position()["stack"][:2]
        if entries == ["K", "K"]:
            yield "draws of two knights (PZ-R4)"
        elif entries[0] == "K":
            yield "draws with a knight first (PZ-R4)"


def _is_quiet(position: Json) -> bool:
    return bool(position["quiet"] >= position["quiet_limit"])


def _at_choice(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    position = oracle.position()
    sizes = [len(tiles) for tiles in position["quarries"]]
    if text == "buy" and len(position["depot"]) >= 10:
        yield "purchases at price 0 (PZ-R5)"
    if text != "auction":
        return
    if not any(sizes):
        yield "auctions without a tile (PZ-41)"
        return
    ahead = next(i for i in range(1, 5) if sizes[(position["builder"] + i) % 4])
    if ahead == 4:
        yield "builder goes all the way round (PZ-R25)"
    if sizes[(position["builder"] + ahead) % 4] >= 4:
        yield "distributions (PZ-42)"
        yield from ["distributions with tiles left over"] * (sizes[(position["builder"] + ahead) % 4] > oracle.players)
    else:
        yield "auctions"


def _at_buy(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if text in (f"tile {tile}" for tile in oracle.position()["chosen"]):
        yield "purchases of two identical tiles (PZ-D4)"


def _at_pay(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if _is_group(text):
        yield "groups paid (PZ-22)"


def _at_bid(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if _is_group(text):
        yield "groups bid (PZ-22)"
    if text == "bid":
        yield "bids"
    if text.startswith("add"):
        position = oracle.position()
        if position["last"] is None and position["locks"][oracle.seat or 0] is not None:
            yield "raises with a locked currency (PZ-46)"
            if _is_group(text):
                yield "groups after the lock (PZ-23)"
    if [move for _, move in legal] == ["pass"]:
        yield "bidders who can only pass (PZ-R18)"


def _at_build(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if oracle.position()["twin_move"] is not None:
        yield "second tiles of a kind in a lot (PZ-D8)"
    if text.endswith(" new") and text.split()[1] in oracle.position()["palaces"][oracle.seat or 0]:
        yield "identical palaces (PZ-R9)"


def _at_rebuild(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    yield f"rebuildings: {text.split()[0]} (PZ-71)"


COUNTERS: dict[str, Callable[[Oracle, Legal, str], Iterator[str]]] = {
    "MAIN": _at_main, "CHOICE": _at_choice, "BUY": _at_buy, "PAY": _at_pay, "BID": _at_bid, "BUILD": _at_build,
    "REBUILD": _at_rebuild,
}  # fmt: skip


def at_end(oracle: Oracle) -> Iterator[str]:
    position: dict[str, Any] = oracle.position()
    assert position["knights"] == 5
    scores, places = list(oracle.scores), list(oracle.places())
    if len(set(scores)) < len(scores):
        yield "games with equal scores (PZ-82)"
    if len(set(places)) < len(places):
        yield "games with a shared place (PZ-R23)"
    if max(map(len, position["palaces"])) > 12:
        yield "games that end with more than twelve palaces"
    if any(palace.count("/") == 4 for palaces in position["palaces"] for palace in palaces):
        yield "games with a palace of five tiles"
