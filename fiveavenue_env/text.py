"""A position in words, from a seat's view: the board as text, and the story of a move.

words.py has the words that the picture shares and says what is hidden. A story compares the rows before and after a
move. It names the black cards that its viewer draws, and the number of those that others draw; the cards that Egon
turns up are seen by all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fiveavenue_env import actions, state, words
from fiveavenue_env import components as box
from fiveavenue_env.state import fields_of
from fiveavenue_env.words import AUCTION_NAMES, cards_of, decision
from skyline.game import LastMove, seat_name
from skyline.telling import REMEMBERED, hand, joined, paragraph, points_of_seats, remembered_lines, sentences, view

NODES = (*box.NODE_NAMES[: box.CP], "Central Park")
CELL = 10  # characters for a lot
INDENT = "   "
LEGEND = """
Lots in ring order, the last is beside the first: br brown, gy grey, vi violet,
or orange, gn green, da dashed; owner and number of buildings (E Egon), or
shops; =points of a building there; > last move.
Shops: bo boutique, je jeweller, ga gallery, pe perfumery.
CP: buildings at Central Park. now: points if every district were scored.
"""


# ---------------------------------------------------------------- the board


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 80 columns wide, as `seat` sees it; `last_move` led to the position."""
    memory = words.Remembered(s, seat)
    s, last = fields_of(s), words.last_lot(last_move)
    lines = paragraph(f"Fifth Avenue, {s.players} players, {view(seat)}: {words.clock(s)}.")
    lines += paragraph(f"{decision(s)}.")
    if last_move is not None:
        lines += paragraph(f"Last move: {last_move.story}")
    lines += ["", *(_district(s, d, last) for d in range(box.DISTRICTS)), ""]
    for line in (_way(s), _shops(s), *_stacks(s)):
        lines += paragraph(line)
    things = memory.things()
    lines += remembered_lines(things)
    if auction := words.auction_lines(s):
        lines += paragraph("; ".join(auction) + ".")
    lines.append("")
    for p in range(s.players):
        lines += _seat_lines(s, p, seat, memory)
    legend = [*paragraph(f"{words.STACKS_LEGEND}."), *paragraph(REMEMBERED)] if things else []
    return "\n".join(lines) + "\n" + LEGEND + "".join(f"{line}\n" for line in legend)


def _district(s: Any, d: int, last: int | None) -> str:
    name = box.DISTRICT_NAMES[d]
    if s.closed[d]:
        return f"{name:<4} closed"
    ring = [int(lot) for lot in s.rings[d] if lot != state.NO_LOT]
    cells = [_cell(s, box.SIDES * d + lot, last).ljust(CELL) for lot in ring]
    return f"{name:<4} {' '.join(cells)}".rstrip()


def _cell(s: Any, lot: int, last: int | None) -> str:
    owner = int(s.lot_owner[lot])
    what = "".join(words.SHORT_KINDS[kind] * s.shops[kind, lot] for kind in range(box.KINDS))
    if owner != state.NOBODY:
        what = f"{words.owner_name(owner)}{s.buildings[owner, lot]}"
    points = f"={s.lot_points[lot]}" if s.lot_points[lot] else ""
    return f"{'>' if lot == last else ''}{words.SHORT_LOTS[lot % box.SIDES]} {what or '.'}{points}"


def _way(s: Any) -> str:
    parts = []
    for c, name in enumerate(box.COMMISSION_NAMES):
        marks = ", ".join(box.DISTRICT_NAMES[d] for d in s.markers[c, : s.marker_n[c]])
        parts.append(f"{name} at {box.NODE_NAMES[s.node[c]]} (markers {marks or '-'})")
    return "Commissions: " + "; ".join(parts)


def _shops(s: Any) -> str:
    blocks = [_kinds(block) for block in words.row_blocks(s)]
    park = _kinds(words.park_tiles(s)) or "-"
    return f"Shops: {s.placed} placed, row [{' | '.join(blocks)}], park tiles {park}"


def _kinds(kinds: list[int]) -> str:
    return " ".join(words.SHORT_KINDS[kind] for kind in kinds)


def _stacks(s: Any) -> list[str]:
    stacks = [
        f"{name} {top or '-'} ({size})"
        for name, (size, top) in zip(box.COLOUR_NAMES[:5], words.stack_sizes(s), strict=True)
    ]
    return [f"Stacks, top card (cards): {', '.join(stacks)}", f"Black stack: {words.black_text(s)}"]


def _hand(s: Any, p: int, viewer: int | None, memory: words.Remembered) -> str:
    """The cards of a hand; of another's those that the viewer remembers, and how many unknown ones of each colour."""
    cards, held = words.cards_in_hand(s, p, viewer), int(s.hand_size[p])
    if cards is not None:
        return hand(held, words.card_list(cards))
    sure = memory.hand(p)
    if sure is None:
        return hand(held, "", 0)
    colours = ", ".join(f"{number} {box.COLOUR_NAMES[colour]}" for colour, number in memory.unknown(p))
    return hand(held, words.card_list(sure), len(sure), colours)


def _seat_lines(s: Any, p: int, viewer: int | None, memory: words.Remembered) -> list[str]:
    notes = ", ".join(words.seat_notes(s, p, viewer))
    head = f"Seat {seat_name(p)}{f' ({notes})' if notes else ''}: {s.scores[p]} points"
    if s.phase == state.PHASE_OVER:
        head += f" (districts {s.final_lots[p]}, CP {s.final_park[p]})"
    else:
        head += f", +{s.points_now[p]} now"
    lines = paragraph(f"{head}; reserve {s.reserve[p]}, supply {s.supply[p]}, CP {s.cp[p]}")
    lines += paragraph(_hand(s, p, viewer, memory), INDENT)
    if s.table_total[p]:
        laid = words.card_list(words.cards_of(s.table[p].tolist()))
        lines += paragraph(f"laid {s.table_total[p]}: {laid}", INDENT)
    return lines


# ---------------------------------------------------------------- the story of a move


def story(before: Any, action: int, after: Any, seat: int | None = None) -> str:
    """What the action between two rows was and did, told to `seat` (None: to somebody who sees all hands)."""
    before, after = fields_of(before), fields_of(after)
    if action < actions.FIRST_SHOP:
        told = _tell_turn(before, action, after, seat)
    elif action < actions.FIRST_TAKE:
        told = _tell_shop(before, action - actions.FIRST_SHOP, after)
    elif action < actions.FIRST_MOVE:
        told = _tell_take(before, action)
    elif action < actions.FIRST_ADD:
        told = _tell_move(before, action - actions.FIRST_MOVE, after)
    elif action < actions.BID:
        told = _tell_add(before, action - actions.FIRST_ADD, after)
    elif action < actions.FIRST_BUILD:
        told = _tell_bid(before, action, after)
    else:
        told = _tell_build(before, action, after)
    if _is_shuffled(before, after):
        told.append("The black stack is shuffled")
    if after.phase == state.PHASE_OVER:
        told += _tell_final(after)
    return sentences(told)


def _lot(lot: int) -> str:
    district, i = divmod(lot, box.SIDES)
    return f"the {box.LOT_NAMES[i]} lot of {box.DISTRICT_NAMES[district]}"


def _gained(before: Any, after: Any) -> list[int]:
    """Points of every seat in the move, the final scoring apart."""
    final = after.final_lots + after.final_park if after.phase == state.PHASE_OVER else 0
    return [int(points) for points in (after.scores - before.scores - final)[: before.players]]


def _cards(cards: list[tuple[int, int]]) -> str:
    """Cards by colour: "brown 6, 4 and black 5"."""
    names = [(name, [str(v) for c, v in cards if c == i]) for i, name in enumerate(box.COLOUR_NAMES)]
    return joined([f"{name} {', '.join(values)}" for name, values in names if values])


def _draws(before: Any, after: Any, seat: int | None) -> list[str]:
    """The black cards that each seat draws in the move."""
    deeds = []
    for p in range(before.players):
        number = int(after.hand_size[p] - before.hand_size[p])
        if number <= 0:
            continue
        what = f"{number} black card{'s' * (number > 1)}"
        if seat in (None, p):
            what = _cards(cards_of((after.hands[p] - before.hands[p]).tolist()))
        deeds.append(f"{seat_name(p)} draws {what}")
    return deeds


def _is_shuffled(before: Any, after: Any) -> bool:
    """Whether the black stack was shuffled: its face-up cards, or those of the winner, are face-down.  # FA-64"""
    is_open = before.black_above < before.black_end - before.black_top
    if after.phase == state.PHASE_BUILD and before.phase != state.PHASE_BUILD:
        is_open = is_open or bool(before.table[after.seat, box.FIRST_BLACK :].any())
    return bool(is_open and after.black_above == after.black_end - after.black_top)


# ---------------------------------------------------------------- turns


def _tell_turn(before: Any, action: int, after: Any, seat: int | None) -> list[str]:
    """A start building, or the choice of a turn.  # FA-S9, FA-2 .. FA-6"""
    by = seat_name(before.seat)
    if action < actions.ACTION_A:
        district, colour = divmod(action - actions.FIRST_PLACE, box.COLOURS)
        return [f"{by} places a start building on {_lot(box.SIDES * district + colour)}"]
    if action == actions.ACTION_A:
        moved = int(before.supply[before.seat] - after.supply[before.seat])
        return [f"{by} moves {moved or 'no'} buildings from its supply to its reserve"]
    if action < actions.ACTION_C:
        return [f"{by} takes a {box.KIND_NAMES[action - actions.FIRST_B]} from the row to place it"]
    draws = _draws(before, after, seat)
    if action == actions.ACTION_C:
        return draws or [f"{by} would draw a card, but the black stack is empty"]
    d = action - actions.FIRST_D
    scored = f"{by} has {box.DISTRICT_NAMES[d]} scored: {points_of_seats(_gained(before, after))}"
    return [scored, joined(draws) if draws else "Nobody draws a card: the black stack is empty"]


def _tell_shop(before: Any, lot: int, after: Any) -> list[str]:
    """FA-4, FA-31, FA-34"""
    told = [f"{seat_name(before.seat)} places the {box.KIND_NAMES[before.chosen_kind]} on {_lot(lot)}"]
    left = before.row_kinds[: box.KINDS]
    if left.sum() == 1:
        told.append(f"The last shop of the block, a {box.KIND_NAMES[int(left.argmax())]}, becomes a park tile")
    step = int(after.placed) // box.BONUS_STEP
    if after.placed % box.BONUS_STEP == 0 and step < len(box.BONUS_POINTS):
        told.append(f"{after.placed} shops are placed, which brings a bonus: {points_of_seats(_gained(before, after))}")
    return told


def _tell_take(before: Any, action: int) -> list[str]:
    """FA-8"""
    colours = (
        [action - actions.FIRST_SINGLE] if action >= actions.FIRST_SINGLE else box.PAIRS[action - actions.FIRST_TAKE]
    )
    cards = [f"{box.COLOUR_NAMES[c]} {before.stacks[c, before.stack_top[c]]}" for c in colours]
    return [f"{seat_name(before.seat)} takes {joined(cards)}"]


def _tell_move(before: Any, number: int, after: Any) -> list[str]:
    """FA-22, FA-25, FA-26"""
    c, target = divmod(number, box.NODES)
    left, name = int(before.node[c]), box.COMMISSION_NAMES[c]
    moved = f"{seat_name(before.seat)} moves the {name} commission from {NODES[left]} to {NODES[target]}"
    if left == box.CP:
        places = [box.DISTRICT_NAMES[d] for d in before.markers[c, : before.marker_n[c]]]
        return [moved, f"Its auctions begin: {joined([*places, NODES[box.CP]])}"]
    if after.marker_n[c] > before.marker_n[c]:
        moved += f" and leaves a marker in {NODES[left]}"
    return [moved]


# ---------------------------------------------------------------- auctions


def _tell_add(before: Any, card: int, after: Any) -> list[str]:
    """FA-57"""
    colour, value = box.COLOUR_NAMES[card // 3], 4 + card % 3
    p = int(before.seat)
    return [f"{seat_name(p)} lays {colour} {value} and has laid {after.table_total[p]} in all"]


def _tell_bid(before: Any, action: int, after: Any) -> list[str]:
    """A bid or a pass, what Egon does, and how the auction ends.  # FA-58, FA-60, FA-61, FA-101"""
    p, place = int(before.seat), AUCTION_NAMES[before.auction_place]
    standing, leader = int(before.standing), int(before.leader)
    if action == actions.BID:
        standing, leader = int(before.table_total[p]), p
        cards = _cards(cards_of(before.table[p].tolist()))
        told = [f"{seat_name(p)} bids {standing} for {place} with {cards}"]
    else:
        back = " and takes back the cards it has laid" if before.table_total[p] else ""
        told = [f"{seat_name(p)} passes in the auction for {place}{back}"]
    if before.players == 2 and before.asked == 1:
        turned = egons_cards(before, after)
        leads = sum(turned) > standing
        leader = box.EGON if leads else leader
        cards = f"{joined(list(map(str, turned)))}, {sum(turned)} in all," if turned else "no card"
        told.append(f"Egon turns up {cards} and {'leads' if leads else 'does not lead'}")
    return told + _tell_end(before, after, leader)


def egons_cards(before: Any, after: Any) -> list[int]:
    """The cards that Egon turns up in the move: from the top of the black stack until a value comes again.

    The stack is shuffled when its face-up cards are reached.  # FA-64, FA-101
    """
    stack = (before.black[before.black_top : before.black_end] & ~state.FACE_UP).tolist()
    if before.black_above < len(stack):
        stack = stack[: before.black_above] + after.orders[0, : after.order_n[0]].tolist()
    turned: list[int] = []
    for value in stack[: box.EGON_MOST]:
        turned.append(value)
        if turned.count(value) > 1:
            break
    return turned


def _tell_end(before: Any, after: Any, leader: int) -> list[str]:
    """The end of the auction, if the move ends it, and what comes next."""
    place, d = AUCTION_NAMES[before.auction_place], int(before.auction_place)
    if after.auction_place == d:
        return [f"{seat_name(after.seat)} wins the auction"] if after.phase == state.PHASE_BUILD else []
    if leader == state.NOBODY:
        told = [f"Nobody has bid for {place}"]
    elif d == box.PARK:
        told = [f"Egon wins the auction, but builds nothing at {place}"]
    elif after.closed[d]:
        told = [f"Egon wins the auction and closes {place}: {points_of_seats(_gained(before, after))}"]
    else:
        new = np.flatnonzero(after.buildings[box.EGON] > before.buildings[box.EGON])
        lots = joined([box.LOT_NAMES[lot % box.SIDES] for lot in new.tolist()])
        told = [f"Egon wins the auction and builds on the {lots} lot{'s' * (len(new) > 1)} of {place}"]
    return told + _tell_next(after)


def _tell_next(after: Any) -> list[str]:
    """What comes after an auction.  # FA-51, FA-52"""
    if after.phase == state.PHASE_OVER:
        return []
    if after.auction_place == state.NO_PLACE:
        return ["The round of auctions is over"]
    return [f"The auction for {AUCTION_NAMES[after.auction_place]} begins"]


def _tell_build(before: Any, action: int, after: Any) -> list[str]:
    """FA-66 .. FA-72, FA-82"""
    by, d = seat_name(before.seat), int(before.auction_place)
    if action == actions.CLOSE:
        closed = f"{by} closes {AUCTION_NAMES[d]}: {points_of_seats(_gained(before, after))}"
        return [closed, *_tell_next(after)]
    number = action - actions.FIRST_BUILD
    where = "at Central Park" if d == box.PARK else f"on {_lot(box.SIDES * d + int(before.bid_colour))}"
    built = f"{by} builds {number} building{'s' * (number > 1)} {where}" if number else f"{by} builds nothing"
    return [built, *_tell_next(after)]


# ---------------------------------------------------------------- the end


def _tell_final(after: Any) -> list[str]:
    """FA-90 .. FA-95"""
    players = after.players
    if after.placed == box.PLACED_MOST:
        why = "the last shop is placed"
    else:
        why = "two districts are closed" if after.closed.sum() == box.CLOSINGS else "it was the last turn"
    tiles = [box.KIND_NAMES[kind] for kind in after.park[: min(box.PARK_SHOWN, after.park_n)]]
    return [
        f"The game ends, because {why}",
        f"Turned up park tiles: {', '.join(tiles) or 'none'}",
        f"The districts bring {points_of_seats(after.final_lots[:players])}",
        f"Central Park brings {points_of_seats(after.final_park[:players])}",
        f"{decision(after)} with {max(after.scores[:players])} points",
    ]
