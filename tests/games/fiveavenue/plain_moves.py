"""What a seat may do, written plainly from RULES.md section 6, from what the twin of the observation reads."""

from __future__ import annotations

from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env.state import fields_of
from skyline.game import NO_SEAT
from tests.games.fiveavenue.plain_observe import (
    CARDS,
    COLOURED,
    allowed_colours,
    by_colour,
    home,
    is_empty,
    is_free,
    is_full,
    shops_on,
    stack,
    sum_of_cards,
)


def actions(row: Any) -> list[str]:
    """The texts of all legal moves, in any order."""
    s = fields_of(row)
    if s.seat == NO_SEAT:
        return []
    kinds = (_places, _turns, _shops, _takes, _bids_and_passes, _builds, _moves)
    return kinds[int(s.phase)](s, int(s.seat))


def lot_name(lot: int) -> str:
    return f"{box.DISTRICT_NAMES[lot // box.SIDES]} {box.LOT_NAMES[lot % box.SIDES]}"


def _places(s: Any, p: int) -> list[str]:
    """FA-D1"""
    return [
        f"place {lot_name(lot)}" for lot in range(box.LOTS) if is_empty(s, lot) and home(s, p, lot // box.SIDES) is None
    ]


def rooms(s: Any) -> list[int]:
    """The lots that can take a shop.  # FA-32"""
    return [lot for lot in range(box.LOTS) if is_free(s, lot) and len(shops_on(s, lot)) < 2]


def _turns(s: Any, p: int) -> list[str]:
    """FA-D2"""
    found = ["C"]
    if s.supply[p] or s.empty_supply:
        found.append("A")
    if s.blocks and rooms(s):
        found += [f"B {box.KIND_NAMES[kind]}" for kind in range(box.KINDS) if s.row_kinds[kind]]
    nodes = {int(node) for node in s.node} - {box.START, box.CP}
    return found + [f"D {box.NODE_NAMES[node]}" for node in nodes if not s.closed[node - 1]]


def _shops(s: Any, p: int) -> list[str]:
    """FA-D3"""
    return [f"shop {lot_name(lot)}" for lot in rooms(s)]


def _takes(s: Any, p: int) -> list[str]:
    """FA-D4"""
    names = [box.COLOUR_NAMES[colour] for colour in COLOURED if stack(s, colour)]
    if len(names) == 1:
        return [f"take {names[0]}"]
    return [f"take {a} {b}" for i, a in enumerate(names) for b in names[i + 1 :]]


def _bids_and_passes(s: Any, p: int) -> list[str]:
    """FA-D5"""
    hand, standing = s.hands[p], int(s.standing)
    total = sum(sum_of_cards(s.table[p], colour) for colour in CARDS)
    found = ["bid"] if total > standing else []
    if not s.last_colour and not s.last_black:
        found.append("pass")
    coloured = [] if s.last_black else allowed_colours(s, p)
    laid = any(by_colour(s.table[p])[: box.COLOURS])
    for colour in [*coloured, *([box.BLACK] if laid else [])]:
        last = int(s.last_black if colour == box.BLACK else s.last_colour)
        later = 0 if colour == box.BLACK else sum_of_cards(hand, box.BLACK)
        for value in box.VALUES:
            lower = sum(v * int(hand[3 * colour + v - 4]) for v in box.VALUES if v <= value)
            if hand[3 * colour + value - 4] and value <= (last or 6) and total + lower + later > standing:
                found.append(f"add {box.COLOUR_NAMES[colour]} {value}")
    return found


def _builds(s: Any, p: int) -> list[str]:
    """FA-D6"""
    d, most = int(s.auction_place), min(int(s.build_limit), int(s.reserve[p]))
    full = d != box.PARK and is_full(s, d)
    found = ["close"] if full else []
    return found + ([] if full and home(s, p, d) is None else [f"build {n}" for n in range(most + 1)])


def _moves(s: Any, p: int) -> list[str]:
    """FA-D7"""
    return [
        f"move {name} {box.NODE_NAMES[node]}" for c, name in enumerate(box.COMMISSION_NAMES) for node in _ahead(s, c)
    ]


def _ahead(s: Any, c: int) -> set[int]:
    """The next nodes on the way of a commission; closed districts are skipped.  # FA-24"""
    found, todo = set(), list(box.SUCCESSORS[s.node[c]])
    while todo:
        node = todo.pop()
        if box.START < node < box.CP and s.closed[node - 1]:
            todo += box.SUCCESSORS[node]
        else:
            found.add(node)
    return found
