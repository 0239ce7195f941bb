"""What Fifth Avenue brings to tests/oracle_match.py: policies that reach rare positions, and rare events to count."""

from __future__ import annotations

from tests.rule_cases import Json

OPTIONS: list[Json] = [{"board": 5}, {"board": 6}, {"board": 5, "rings": "plain"}]
POLICIES = {}


def before_move(oracle, legal, text):
    return []


def at_end(oracle):
    return []


def comparable(position):
    """Core and oracle write a position in the same fields, but for what means nothing: orders, and what a rule never asks for."""
    state = dict(position.get("state", position))
    for name in ("players", "options", "decision", "action", "box"):
        state.pop(name, None)
    state["decision"] = position["decision"]
    state["row"] = [sorted(b) for b in state["row"]]
    state["closed"] = sorted(state["closed"])
    if state["over"]:
        state["park"] = sorted(state["park"])
    if state["auction"] is not None:
        a = dict(state["auction"])
        a["table"] = [sorted(map(list, t)) for t in a["table"]]
        for n in ("added", "last"):
            a.pop(n, None)
        a["asked"] = min(a["asked"], 2) if len(a["table"]) == 2 else 0
        a["egon"] = a["egon"] or None
        state["auction"] = a
    return state
