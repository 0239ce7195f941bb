"""What Fifth Avenue brings to a match with its oracle: policies that reach rare positions, and rare events to count."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.games.fiveavenue.oracle import Oracle
from tests.support.rule_cases import Json, Legal

OPTIONS: list[Json] = [
    {"board": 5},
    {"board": 6},
    {"board": 5, "rings": "plain"},
    {"board": 6, "rings": {"TS": ["dashed", "brown", "violet", "grey", "orange", "green"]}},
    {"board": 5, "max_turns": 12},
    {"board": 5, "rings": "random"},
    {"board": 6, "rings": "random", "empty_supply": True},
    {"board": 5, "empty_supply": True, "discards": "rising"},
]


def comparable(position: Json) -> Json:
    """Core and oracle write a position in nearly the same fields; what neither needs for play is left out.

    The order of the closings, of shops in a block, of cards on a table and of the park tiles behind the last that is
    turned up means nothing; the oracle counts all decisions of an auction, the core those before Egon's draw.
    """
    state = dict(position.get("state", position))
    for name in ("players", "options", "action", "box", "memory", "rings"):
        state.pop(name, None)
    state["decision"] = position["decision"]
    state["closed"] = sorted(state["closed"])
    state["row"] = [sorted(block) for block in state["row"]]
    if state["over"]:
        state["park"] = sorted(state["park"])
    if state["auction"] is not None:
        auction = {name: value for name, value in state["auction"].items() if name not in ("added", "last")}
        auction["table"] = [sorted(map(list, cards)) for cards in auction["table"]]
        auction["asked"] = min(auction["asked"], 2) if len(auction["table"]) == 2 else 0
        auction["egon"] = auction["egon"] or None
        state["auction"] = auction
    return state


# ---------------------------------------------------------------- policies


def _liked(rng: random.Random, legal: Legal, likes: Any, chance: float = 0.9) -> str:
    """A text that is liked, mostly; else any."""
    texts = [text for _, text in legal]
    liked = [text for text in texts if likes(text)]
    return rng.choice(liked if liked and rng.random() < chance else texts)


def hoard(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Seldom bids, likes black cards: long games, big hands, short stacks."""
    return _liked(rng, legal, lambda text: text == "pass" or text[0] in "CD")


def fight(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Never passes when it can bid, closes when it can: long auctions, full districts, early ends."""
    return _liked(rng, legal, lambda text: text in ("close", "build 3", "build 1") or text.startswith(("add", "move")))


def auction(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Commissions go on to Central Park and START; C, to move twice; a bid as soon as it is enough."""
    return _liked(rng, legal, lambda text: text in ("C", "bid") or text.endswith(("START", " CP")))


def leave(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Everybody passes and moves on: Egon wins what there is, stacks run empty, the turn limit is reached."""
    return _liked(rng, legal, lambda text: text in ("pass", "A", "C") or text.endswith("START"), 0.97)


def close(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Buildings and shops on empty lots of 34W and TS, auctions there, closing: two closings are the end."""

    def likes(text: str) -> bool:
        words = text.split()
        if words[0] in ("place", "shop", "move"):
            return words[-2] in ("34W", "TS") or words[-1] in ("34W", "TS", "52W", "CP", "START")
        return words[0] in ("B", "add", "close", "build") and text != "build 0"

    return _liked(rng, legal, likes)


POLICIES = {"hoard": hoard, "fight": fight, "auction": auction, "leave": leave, "close": close}


# ---------------------------------------------------------------- rare events


class Watch:
    """What the last decision of a game was like, to see what its move brought."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.oracle: Oracle | None = None
        self.state: Json = {}
        self.text = ""
        self.round_in_phase_1 = -1  # turn in which a round began in phase 1


_WATCH = Watch()


def before_move(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    state = oracle.position()["state"]
    if oracle is not _WATCH.oracle:
        _WATCH.forget()
    else:
        yield from _brought(_WATCH.state, _WATCH.text, state)
    _WATCH.oracle, _WATCH.state, _WATCH.text = oracle, state, text
    if len(legal) == 1:
        yield "decisions with one legal move"
    if [move for _, move in legal] == ["pass"]:
        yield "forced passes"
        if _no_colour(state, oracle.seat):
            yield "forced passes without an allowed colour (FA-R12)"
    if text == "close":
        yield "closings by players"
    if text.startswith("move"):
        yield from _at_move(oracle, state, text)
    if text.startswith("take"):
        if len(legal) < 10:
            yield "TAKE with an empty stack"
        if len(text.split()) == 2:
            yield "TAKE from the only stack (FA-R7)"
    if text == "C" and not state["black"]:
        yield "C with an empty black stack (FA-R3)"
    if text.startswith("D") and len(state["black"]) < 6:
        yield "D with fewer than six black cards"


def _at_move(oracle: Oracle, state: Json, text: str) -> Iterator[str]:
    _, commission, target = text.split()
    start = state["commissions"][commission]
    if start in state["closed"]:
        yield "commissions leaving a closed district (FA-25)"
    if state["closed"] and (start, target) not in WAYS:
        yield "moves past a closed district (FA-24)"
    if target != "START":
        return
    yield "auction rounds"
    if len(state["markers"][commission]) < 3:
        yield "auction rounds with fewer than three markers (FA-R18)"
    if state["phase"] == 1:
        yield "auction rounds in phase 1 (FA-52)"
        _WATCH.round_in_phase_1 = state["turn"]
    elif _WATCH.round_in_phase_1 == state["turn"]:
        yield "second auction rounds of a turn (FA-52)"


WAYS = {
    ("START", "34W"), ("START", "34E"), ("34W", "42W"), ("34W", "TS"), ("34E", "42E"), ("34E", "TS"), ("42W", "52W"),
    ("42E", "52E"), ("TS", "52W"), ("TS", "52E"), ("52W", "CP"), ("52E", "CP"), ("CP", "START"),
}  # fmt: skip


def _no_colour(state: Json, seat: int | None) -> bool:
    """Every coloured lot of the place is built on by others."""
    lots = state["lots"].get(state["auction"]["where"], {})
    codes = [code for lot, code in lots.items() if lot != "dashed"]
    return bool(codes) and all(":" in code and not code.startswith(f"{seat}:") for code in codes)


def _brought(before: Json, text: str, after: Json) -> Iterator[str]:
    """What the last move brought."""
    was, now = _egon_lots(before), _egon_lots(after)
    closed = len(after["closed"]) > len(before["closed"])
    if len(now) > len(was):
        yield "districts Egon won"
        if len(now) > len(was) + 1:
            yield "districts Egon won with several best lots (FA-111)"
    if closed and text != "close":
        yield "closings by Egon (FA-112)"
    if text in ("A",) and after["phase"] == 3:
        yield "TAKE skipped (FA-R7)"
    auction = before["auction"]
    if auction and auction["where"] == "CP" and text == "pass" and len(auction["in"]) == 1 and len(before["cp"]) == 2:
        yield "Central Park auctions that Egon won, or nobody"
    if auction and text == "pass" and len(auction["in"]) == 1 and auction["leader"] is None and len(before["cp"]) > 2:
        yield "auctions that nobody won (FA-62)"


def _egon_lots(state: Json) -> list[str]:
    return [code for lots in state["lots"].values() for code in lots.values() if code.startswith("E")]


def at_end(oracle: Oracle) -> Iterator[str]:
    state = oracle.position()["state"]
    if _WATCH.oracle is oracle:
        yield from _brought(_WATCH.state, _WATCH.text, state)
    if state["placed"] == 12:
        yield "ends by the twelfth shop"
    elif len(state["closed"]) == 2:
        yield "ends by the second closing (FA-91)"
        if len(state["park"]) < 3:
            yield "ends with fewer than three park tiles (FA-R13)"
    else:
        yield "ends by the turn limit (FA-R14)"
    if len(set(oracle.places())) < len(oracle.places()):
        yield "games with a shared place (FA-R15)"
    if len(set(oracle.scores)) < len(set(oracle.places())):
        yield "ties on points decided by cards (FA-95)"
    if any(max(map(int, (code.partition(":")[2] for code in lots.values() if ":" in code)), default=0) >= 8
           for lots in state["lots"].values()):  # fmt: skip
        yield "games with eight buildings on a lot"
