"""History entries of Palazzo, told from whole positions before and after a move: for tests of the watcher alone.

The teller knows where each move of section 6 puts cards and tiles; it sees the whole position and leaves out what the
viewer does not see, which is only the deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.palazzo.watching.counts import counted, drop, listed
from tests.games.palazzo.watching.paying import cards_of
from tests.games.palazzo.watching.piles import KNIGHT, LAST_OF_I, LAST_OF_II, all_tiles

Json = dict[str, Any]


def moved(source: str, target: str, *cards: Any, **more: Any) -> Json:
    return {"from": source, "to": target, "cards": list(cards), **more}


def setup_entry(position: Json, viewer: int) -> Json:
    """The first entry of a game that has just been dealt."""
    seen = [moved("stack", f"quarry {at}", *tiles) for at, tiles in enumerate(position["quarries"])]
    seen.append(moved("stack", "depot", *position["depot"]))
    for seat, hand in enumerate(position["hands"]):
        cards = listed(hand)
        seen.append({"from": "deck", "to": f"hand {seat}", "cards": cards if seat == viewer else len(cards)})
    return {"players": position["players"], "options": {}, "viewer": viewer, "seen": seen}


def position_entry(position: Json, memory: Json, viewer: int) -> Json:
    """The first entry of a game from a whole position and the words of its memory."""
    seen: list[Json] = []
    for seat, hand in enumerate(position["hands"]):
        known = memory["known"][seat]
        rest = dict(hand)
        for kind, number in known.items():
            for _ in range(number):
                drop(rest, kind)
        cards = listed(rest)
        seen.append(moved("box", f"hand {seat}", *listed(known), known=True))
        seen.append({"from": "box", "to": f"hand {seat}", "cards": cards if seat == viewer else len(cards)})
        seen.append(moved("box", f"shown {seat}", *listed(memory["shown"][seat])))
    deck = position["deck"]
    cards = sorted(deck)
    seen.append({"from": "box", "to": "deck", "cards": cards if memory["shuffled"] else len(cards)})
    if memory["shuffled"]:
        seen[-1]["shuffled"] = True
    seen.append(moved("box", "discards", *listed(position["discard"])))
    seen.append(moved("box", "face up", *position["face_up"]))
    seen += [moved("box", f"quarry {at}", *tiles) for at, tiles in enumerate(position["quarries"])]
    seen.append(moved("box", "depot", *position["depot"]))
    seen += [moved("box", f"palace {seat}", *palaces) for seat, palaces in enumerate(position["palaces"])]
    stack = position["stack"][::-1]
    for part in (stack[LAST_OF_I:], stack[LAST_OF_II:LAST_OF_I], stack[:LAST_OF_II]):
        seen.append(moved("box", "stack", *sorted(part), shuffled=True))
    seen.append(moved("box", "knights", *[KNIGHT] * position["knights"]))
    return {"players": position["players"], "options": {}, "viewer": viewer, "position": True, "seen": seen}


def move_entry(before: Json, move: str, after: Json, orders: Sequence[Mapping[str, Any]]) -> Json:
    """The entry of one move; `orders` are its shuffle events. Every seat sees the same."""
    seat = before["player"]
    word, _, rest = move.partition(" ")
    quarry = f"quarry {before['builder']}"
    seen: list[Json] = []
    if word == "money":
        seen = _turned_up(before, orders)
    elif word == "take":
        seen = [moved("face up", f"hand {seat}", rest)]
    elif word == "draw":
        seen = _drawn(before, after)
    elif word == "add":
        seen = [moved(f"hand {seat}", f"table {seat}", *cards_of(rest))]
        if before["decision"] == "PAY" and after["decision"] != "PAY":
            seen.append(moved(f"table {seat}", "discards", *listed(before["table"][seat]), *cards_of(rest)))
            seen.append(moved("depot", f"to build {seat}", *before["chosen"]))
    elif word == "pass":
        seen = [moved(f"table {seat}", f"hand {seat}", *listed(before["table"][seat]))]
        if after["decision"] != "BID":
            (winner,) = set(range(before["players"])) - {seat, *before["out"]}
            seen.append(moved(f"table {winner}", "discards", *listed(before["table"][winner])))
            seen.append(moved(quarry, f"to build {winner}", *before["quarries"][before["builder"]]))
    elif word in ("tile", "stop") and before["decision"] == "BUY" and after["decision"] == "BUILD":
        seen = [moved("depot", f"to build {seat}", *after["to_build"])]  # the price is 0 [PZ-R5]
    elif word == "tile" and before["decision"] == "SHARE":
        seen = [moved(quarry, f"to build {seat}", rest)]
    elif word == "pay":
        seen = [moved(f"hand {seat}", "discards", rest)]
    elif word == "build" and rest.endswith("scrap"):
        seen = [moved(f"to build {seat}", "box", rest.split()[0])]
    return {"seat": seat, "move": move, "seen": seen + _left_over(before, after, seen)}


def _turned_up(before: Json, orders: Sequence[Mapping[str, Any]]) -> list[Json]:
    """PZ-03, PZ-05: what is left of the old deck, then cards of the new one."""
    number, deck = before["players"] + 1, before["deck"]
    seen = [moved("deck", "face up", *deck[:number])]
    if len(deck) < number:
        (order,) = [list(event["order"]) for event in orders]
        seen.append({"from": "discards", "to": "deck", "cards": len(order), "shuffled": True})
        seen.append(moved("deck", "face up", *order[: number - len(deck)]))
    return seen


def _drawn(before: Json, after: Json) -> list[Json]:
    """PZ-10 to PZ-12."""
    seen = []
    for at in range(len(before["stack"]) - len(after["stack"])):
        entry = before["stack"][at]
        quarry = "depot" if at == 0 else f"quarry {(before['builder'] + int(entry[1])) % 4}" if entry != KNIGHT else ""
        seen.append(moved("stack", "knights" if entry == KNIGHT else quarry, entry))
    return seen


def _named(position: Json) -> dict[str, int]:
    """The tiles that a position names; all others are in the box."""
    palaces = [tile for row in position["palaces"] for palace in row for tile in palace.split("/")]
    quarries = [tile for quarry in position["quarries"] for tile in quarry]
    stack = [entry for entry in position["stack"] if entry != KNIGHT]
    return counted([*palaces, *quarries, *stack, *position["depot"], *position["to_build"]])


def _left_over(before: Json, after: Json, seen: Sequence[Json]) -> list[Json]:
    """Tiles that went to the box beside the one scrapped: removed (PZ-71), left over (PZ-42)."""
    was, now = _named(before), _named(after)
    gone = [tile for tile in sorted(all_tiles()) for _ in range(was.get(tile, 0) - now.get(tile, 0))]
    for movement in seen:
        for tile in movement["cards"] if movement["to"] == "box" else ():
            gone.remove(tile)
    quarries = counted(tile for quarry in before["quarries"] for tile in quarry)
    return [moved(f"quarry {before['builder']}" if tile in quarries else "palace", "box", tile) for tile in gone]
