"""Whether a position agrees with the books of a watcher of Fifth Avenue, hands together included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tests.games.fiveavenue.watching.cards import (
    BLACK,
    COLOURED,
    COLOURS,
    LOWEST,
    Counts,
    by_colour,
    card_of,
    counted,
    hand_of,
    listed,
    nothing,
)
from tests.support.ways import Contradiction, replayed

if TYPE_CHECKING:
    from tests.games.fiveavenue.watching.watcher import Watcher


def reason_against(watcher: Watcher, position: Mapping[str, Any]) -> str | None:
    """Why a deal, given as a position, does not agree with what was seen; None if it does."""
    state = position.get("state", position)
    hands = [hand_of(cards) for cards in state["hands"]]
    if hands[watcher.viewer] != watcher.hand:
        return f"the own hand is {by_colour(hands[watcher.viewer])} instead of {by_colour(watcher.hand)}"
    unseen = [nothing() for _ in watcher.others]
    for hand, seat in enumerate(watcher.others):
        for colour, row in enumerate(hands[seat]):
            unseen[hand][colour] = [has - sure for has, sure in zip(row, watcher.known[seat][colour], strict=True)]
            if min(unseen[hand][colour]) < 0:
                return f"seat {seat} lacks sure cards: {by_colour(hands[seat])}, {by_colour(watcher.known[seat])}"
    return (
        _agree_stacks(watcher, state)
        or _agree_hands(watcher, state, unseen)
        or _agree_open(watcher, state)
        or (_remembered(watcher, state["memory"], unseen) if "memory" in state else None)
    )


def _agree_stacks(watcher: Watcher, state: Mapping[str, Any]) -> str | None:
    """The order of the known parts, and the top cards."""
    for colour in COLOURED:
        stack = [value - LOWEST for value in state["stacks"].get(COLOURS[colour], [])]
        first = watcher.first[colour]
        if stack[:1] != [watcher.open[colour]] * min(first, 1) + watcher.tails[colour][: 1 - min(first, 1)]:
            return f"the top of the {COLOURS[colour]} stack is {stack[:1]}"
        if stack[first:] != watcher.tails[colour]:
            return f"the known part of the {COLOURS[colour]} stack is {stack[first:]}"
    unknown = watcher.ways[BLACK].stack
    tail = [f"{LOWEST + value}{side}" for value, side in watcher.black_tail]
    if state["black"][unknown:] != tail or any(card[1] != "d" for card in state["black"][:unknown]):
        return f"the black stack is {state['black']}, known from {unknown} on is {tail}"
    return None


def _agree_hands(watcher: Watcher, state: Mapping[str, Any], unseen: list[Counts]) -> str | None:
    """The unseen cards of the other hands and of the stacks, together."""
    for colour, ways in enumerate(watcher.ways):
        if colour == BLACK:
            hidden = counted([int(card[0]) for card in state["black"][: ways.stack]])
        else:
            hidden = counted(state["stacks"].get(COLOURS[colour], [])[1 : watcher.first[colour]])
        joint = [hand[colour] for hand in unseen]
        whole = [sum(column) for column in zip(*joint, hidden, strict=True)]
        if whole != ways.pool:
            return f"the unseen {COLOURS[colour]} cards are {listed(whole)} instead of {listed(ways.pool)}"
        if not ways.allows(joint):
            return f"no way allows the unseen {COLOURS[colour]} cards {[listed(hand) for hand in joint]}"
    if watcher.begun is not None:
        weight = watcher.begun.weight(unseen[watcher.others.index(watcher.begun.seat)])
        if weight < watcher.needed():
            return f"seat {watcher.begun.seat} cannot finish the raise: {weight} instead of {watcher.needed()}"
    return None


def _agree_open(watcher: Watcher, state: Mapping[str, Any]) -> str | None:
    if "out" in state and sorted(state["out"]) != watcher.out:
        return f"the tiles out are {state['out']} instead of {watcher.out}"
    if state.get("auction"):
        table = [sorted(card_of(list(face), "") for face in cards) for cards in state["auction"]["table"]]
        if table != [sorted(cards) for cards in watcher.table]:
            return f"the cards on the table are {state['auction']['table']}"
    return None


def _remembered(watcher: Watcher, memory: Mapping[str, Any], unseen: list[Counts]) -> str | None:
    """The memory of the deal, and the black hands that others remember of each shuffle."""
    if [hand_of(cards) for cards in memory["known"]] != watcher.known:
        return f"the sure cards are {memory['known']}"
    if memory["first"] != dict(zip(COLOURS, watcher.first, strict=False)):
        return f"the first parts are {memory['first']}"
    if memory["unknown"] != watcher.ways[BLACK].stack:
        return f"the unknown part has {memory['unknown']} cards"
    blacks = memory["blacks"]
    if [part["events"] for part in blacks] != watcher.told:
        return f"the black events are {[part['events'] for part in blacks]} instead of {watcher.told}"
    if [sorted(part["held"][watcher.viewer]) for part in blacks[1:]] != watcher.held:
        return "the own black cards at the shuffles are others"
    held = [[counted(part["held"][seat]) for seat in watcher.others] for part in blacks[1:]]
    last = [hand[BLACK] for hand in unseen]
    for number, (start, events, after) in enumerate(zip(watcher.starts, watcher.events, [*held, last], strict=True)):
        ways = start.copy()
        if number:
            ways.fix(held[number - 1])
        try:
            replayed(ways, events)
        except Contradiction as reason:
            return f"after black shuffle {number}: {reason}"
        if not ways.allows(after):
            return f"the black cards {[listed(hand) for hand in after]} cannot follow shuffle {number}"
    return None
