"""The clock of a position: its turn and decision, the start buildings, the final scoring."""

from __future__ import annotations

from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.position import TURN_NAMES
from skyline.game import NO_SEAT
from skyline.positions import by_seat, counts_of
from skyline.reading import Fields

TURN_PHASE = {state.PHASE_PLACE: 0, state.PHASE_TURN: 0, state.PHASE_SHOP: 1, state.PHASE_TAKE: 2}
MOST_FINAL = 136  # of the districts; Central Park brings at most 75


def load_clock(s: Any, given: Fields) -> None:
    """Turn, decision and number of placed shops; the lots, the tiles and the pieces are there already."""
    s.turn = given.get("turn", 1).whole(1, int(s.max_turns))
    action, decision = given.get("action", None), given.get("decision", None)
    s.turn_kind = state.NO_TURN if action.is_null else action.one_of(TURN_NAMES)
    s.placements = box.START_BUILDINGS * s.players
    over = given.get("over", False)
    if over.flag() != decision.is_null:
        over.fault("a position has either a decision, {kind, player}, or over: true")
    if decision.is_null:
        s.phase, s.seat, s.active = state.PHASE_OVER, NO_SEAT, 0
    else:
        chosen = decision.object("kind", "player", need=("kind", "player"))
        s.phase = chosen["kind"].one_of(state.PHASE_NAMES)
        s.seat = s.active = chosen["player"].whole(0, int(s.players) - 1)
    s.placed = given.get("placed", 0).whole(0, box.PLACED_MOST - (s.phase != state.PHASE_OVER))
    _load_final(s, given)
    _load_turn_phase(s, given)
    if s.phase == state.PHASE_PLACE:
        _check_placement(s, given)
    shop = given.get("shop", None)
    if (s.phase == state.PHASE_SHOP) == shop.is_null:
        shop.fault("there is a shop to be placed exactly at the decision SHOP")
    first, least = s.row_kinds[: box.KINDS].sum(), 1 if s.phase == state.PHASE_SHOP else 2
    if first < least and (s.blocks > 0 or s.phase == state.PHASE_SHOP):
        given.get("row", []).fault(
            f"the current block has at least {least} shops here, the last goes to the park (FA-31)"
        )


def _load_turn_phase(s: Any, given: Fields) -> None:
    phase = given.get("phase", None)
    if s.phase in TURN_PHASE or s.phase == state.PHASE_OVER:
        s.turn_phase = TURN_PHASE.get(int(s.phase), 0)
        if not phase.is_null:
            phase.whole(1, 3)
        return
    s.turn_phase = phase.whole(1, 3)
    if s.turn_phase == 2:
        phase.fault("commissions move, and auctions are held, in the phases 1 and 3 of a turn, not in 2")


def _check_placement(s: Any, given: Fields) -> None:
    """Only initial shops and start buildings are there, and it is the seat's turn to place.  # FA-S9"""
    built, shops = s.buildings, s.shops.sum(axis=0).reshape(box.DISTRICTS, box.SIDES)
    s.placements, s.active = int(built.sum()), 0
    if built.max() > 1 or built[box.EGON].any() or shops.sum(axis=1).max() > 1 or s.closed.any():
        given["lots"].fault("at the decision PLACE there are single start buildings, and a shop a district")
    order = box.PLACEMENTS[s.players, : 2 * s.players]
    placed = counts_of(order[: s.placements], box.MAX_PLAYERS)
    if s.placements >= len(order) or s.seat != order[s.placements] or (built[: box.EGON].sum(axis=1) != placed).any():
        given["decision"].fault(
            f"the order of the start buildings is {order.tolist()}: {s.placements} of them are there"
        )


def _load_final(s: Any, given: Fields) -> None:
    final, players = given.get("final", None), int(s.players)
    if final.is_null:
        return
    parts = final.object("before", "districts", "park")
    for field, name in ((s.final_lots, "districts"), (s.final_park, "park")):
        field[:players] = [value.whole(0, MOST_FINAL) for value in by_seat(s, parts, name, 0)]
    before = (s.scores - s.final_lots - s.final_park)[:players].tolist()
    if s.phase != state.PHASE_OVER or min(before) < 0:
        final.fault("the final scoring belongs to a game that is over, and its points are among the scores")
    if [value.whole(0, box.MOST_SCORE) for value in parts.get("before", before).row(players)] != before:
        final.fault(f"before the final scoring the scores are {before}, as districts and park say")
