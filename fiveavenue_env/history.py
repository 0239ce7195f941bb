"""What a seat sees of a move: the cards and tiles that move, in order. [RULES.md FA-M01 .. FA-M11]"""

from __future__ import annotations

from typing import Any

import numpy as np

from fiveavenue_env import actions, state
from fiveavenue_env import components as box
from fiveavenue_env.position import FIRST_OUT, black_code
from fiveavenue_env.state import fields_of

Movement = dict[str, Any]
Card = tuple[int, int]  # colour, value


def seen(before: Any, action: int, after: Any, seat: int | None) -> list[Movement]:
    """What the seat (None: everything) saw of the cards and tiles that an action moved between two rows.

    Places: `hand S` and `table S` (cards laid) of a seat, `stack COLOUR`, `open COLOUR` (the open top card of the
    stack), `stack black`, `egon` (cards that he has turned up); of shops `row`, `chosen`, `lot DISTRICT LOT`, `park`,
    `turned up`, `out`; `ring DISTRICT`, `marker` (the start seat), `box`. Cards are "brown 6", "black 4"; kinds of
    shops and names of lots are those of the rules. Cards under a stack are named from the top down; from `table S` they
    lie face-up under the black stack, from `egon` face-down. With `before` None (setup, or a position): the hands get
    their sure cards from `box`, the others from the stack of their colour, so that the number of each colour is told;
    known black cards are 6u (face-up), 5d (face-down). A shuffle of the black stack is a movement of all its cards from
    `stack black` to itself, "shuffled"; so is that of the park tiles.
    """
    after = fields_of(after)
    if before is None:
        return _beginning(after, seat)
    before, p = fields_of(before), int(before.seat)
    if action <= actions.ACTION_A:
        return []
    if action < actions.ACTION_C:
        return [_tiles("row", "chosen", [action - actions.FIRST_B])]
    if action < actions.FIRST_SHOP:
        return _draws(before, action, after, seat)
    if action < actions.FIRST_TAKE:
        moved = _shop(before, action - actions.FIRST_SHOP)
    elif action < actions.FIRST_MOVE:
        return _taken(before, action, after)
    elif action < actions.FIRST_ADD:
        moved = []
    elif action < actions.BID:
        colour, value = divmod(action - actions.FIRST_ADD, 3)
        return [_cards(f"hand {p}", f"table {p}", [(colour, value + 4)])]
    else:
        moved = _bid(before, action, after, seat) if action < actions.FIRST_BUILD else []
        moved += _closed(before, after)
    return moved + _end(before, after, seat)


def _cards(start: str, end: str, cards: list[Card], is_seen: bool = True) -> Movement:
    """Cards move: their faces, or their number where the seat sees the backs."""
    faces = [f"{box.COLOUR_NAMES[colour]} {value}" for colour, value in cards]
    return {"from": start, "to": end, "cards": faces if is_seen else len(faces)}


def _tiles(start: str, end: str, kinds: Any, is_seen: bool = True) -> Movement:
    names = [box.KIND_NAMES[int(kind)] for kind in kinds]
    return {"from": start, "to": end, "cards": names if is_seen else len(names)}


def _lot(lot: int) -> str:
    district, i = divmod(lot, box.SIDES)
    return f"lot {box.DISTRICT_NAMES[district]} {box.LOT_NAMES[i]}"


def _discards(s: Any, counts: Any, colour: int) -> list[Card]:
    """The cards of a colour in the order in which they go under their stack.  # FA-R8"""
    cards = _of_colour(counts, colour)
    return cards[::-1] if s.discards_rise else cards


def _of_kinds(counts: Any) -> list[int]:
    """The kinds of shops that are counted."""
    return [kind for kind in range(box.KINDS) for _ in range(int(counts[kind]))]


def _of_colour(counts: Any, colour: int) -> list[Card]:
    """The cards of a colour that are counted, falling."""
    return [(colour, v) for v in (6, 5, 4) for _ in range(int(counts[3 * colour + v - 4]))]


# ---------------------------------------------------------------- the beginning


def _beginning(s: Any, seat: int | None) -> list[Movement]:
    """Everything that the seat knows to lie somewhere."""
    moved: list[Movement] = [{"from": "box", "to": "marker", "cards": ["0"]}]
    for d, name in enumerate(box.DISTRICT_NAMES):
        ring = [box.LOT_NAMES[lot] for lot in s.rings[d].tolist() if lot != state.NO_LOT]
        moved.append({"from": "box", "to": f"ring {name}", "cards": ring})
    moved += [_tiles("box", _lot(lot), kinds) for lot in range(box.LOTS) if (kinds := _of_kinds(s.shops[:, lot]))]
    row = s.row_kinds.reshape(box.BLOCKS, box.KINDS)
    moved.append(_tiles("box", "row", [kind for block in row for kind in _of_kinds(block)]))
    if s.park_n:
        moved.append(_tiles("box", "park", _of_kinds(s.park_kinds)))
    if s.chosen_kind != state.NO_KIND:
        moved.append(_tiles("box", "chosen", [s.chosen_kind]))
    moved.append({**_tiles("box", "out", s.tiles[FIRST_OUT:], seat is None), "shuffled": True})
    for colour in range(box.COLOURS):
        moved += _stack(s, colour, seat)
    moved += _black_stack(s, seat)
    for p in range(int(s.players)):
        moved += _open_cards(s, p)
    if s.egon_n:
        moved.append(_cards("box", "egon", [(box.BLACK, v) for v in s.egon[: s.egon_n].tolist()]))
    return moved


def _unseen(s: Any, p: int, colour: int) -> list[Card]:
    return _of_colour(s.hands[p] - s.memory_known[p], colour)


def _dealt(s: Any, colour: int, name: str, rest: list[Card], seat: int | None) -> list[Movement]:
    """The cards of a shuffled stack, and those of them that were dealt to the hands."""
    hands = [_unseen(s, p, colour) for p in range(int(s.players))]
    cards = [card for hand in hands for card in hand] + rest
    moved = [{**_cards("box", name, cards, seat is None), "shuffled": True}] if cards else []
    moved += [_cards(name, f"hand {p}", hand, seat in (None, p)) for p, hand in enumerate(hands) if hand]
    return moved


def _stack(s: Any, colour: int, seat: int | None) -> list[Movement]:
    """The first part of a stack, the deal, the open card, the known part."""
    name, face = f"stack {box.COLOUR_NAMES[colour]}", f"open {box.COLOUR_NAMES[colour]}"
    values = s.stacks[colour, s.stack_top[colour] : s.stack_end[colour]].tolist()
    cards, first = [(colour, value) for value in values], int(s.memory_first[colour])
    moved = _dealt(s, colour, name, cards[:first], seat)
    if first:
        moved.append(_cards(name, face, cards[:1]))
    if cards[first:]:
        moved.append(_cards("box", name, cards[first:]))
    if cards and not first:
        moved.append(_cards(name, face, cards[:1]))
    return moved


def _black_stack(s: Any, seat: int | None) -> list[Movement]:
    """The unknown part, the deal, the known part."""
    stack, unknown = s.black[s.black_top : s.black_end].tolist(), int(s.memory_unknown)
    rest = [(box.BLACK, card & ~state.FACE_UP) for card in stack[:unknown]]
    moved = _dealt(s, box.BLACK, "stack black", rest, seat)
    if stack[unknown:]:
        moved.append({"from": "box", "to": "stack black", "cards": [black_code(card) for card in stack[unknown:]]})
    return moved


def _open_cards(s: Any, p: int) -> list[Movement]:
    """The sure cards of a hand, and the cards laid."""
    known = [card for colour in range(box.BLACK + 1) for card in _of_colour(s.memory_known[p], colour)]
    laid = [card for colour in range(box.BLACK + 1) for card in _of_colour(s.table[p], colour)]
    return [_cards("box", place, cards) for place, cards in ((f"hand {p}", known), (f"table {p}", laid)) if cards]


# ---------------------------------------------------------------- moves


def _shop(before: Any, lot: int) -> list[Movement]:
    """FA-4, FA-31"""
    moved = [_tiles("chosen", _lot(lot), [before.chosen_kind])]
    left = before.row_kinds[: box.KINDS]
    return [*moved, _tiles("row", "park", _of_kinds(left))] if left.sum() == 1 else moved


def _taken(before: Any, action: int, after: Any) -> list[Movement]:
    """FA-8, FA-M07"""
    single = action >= actions.FIRST_SINGLE
    moved = []
    for colour in [action - actions.FIRST_SINGLE] if single else box.PAIRS[action - actions.FIRST_TAKE]:
        name, top = box.COLOUR_NAMES[colour], int(before.stack_top[colour])
        card = (colour, int(before.stacks[colour, top]))
        moved.append(_cards(f"open {name}", f"hand {int(before.seat)}", [card]))
        moved += _turned_up(after, colour)
    return moved


def _turned_up(after: Any, colour: int) -> list[Movement]:
    """The next card of the stack lies open."""
    if after.stack_end[colour] == after.stack_top[colour]:
        return []
    name = box.COLOUR_NAMES[colour]
    return [_cards(f"stack {name}", f"open {name}", [(colour, int(after.stacks[colour, after.stack_top[colour]]))])]


class _Black:
    """The black stack during a move; its shuffles are those of the row after the move.  # FA-R9"""

    def __init__(self, before: Any, after: Any, seat: int | None) -> None:
        self.stack: list[int] = before.black[before.black_top : before.black_end].tolist()
        self.orders = [after.orders[i, : after.order_n[i]].tolist() for i in range(int(after.shuffles))]
        self.seat, self.moved = seat, list[Movement]()

    def draw(self, place: str, is_seen: bool) -> int:
        """The value of the top card, which goes to a place; 0 if there is none."""
        if not self.stack:
            return 0
        value = self.stack.pop(0) & ~state.FACE_UP
        self.moved.append(_cards("stack black", place, [(box.BLACK, value)], is_seen))
        self.check()
        return value

    def put(self, place: str, values: list[int], face: int) -> None:
        """Cards go under the stack."""
        if values:
            self.moved.append(_cards(place, "stack black", [(box.BLACK, value) for value in values]))
            self.stack += [value + face for value in values]

    def check(self) -> None:
        """A face-up card on top: the stack is shuffled.  # FA-64"""
        if self.stack and self.stack[0] & state.FACE_UP:
            self.stack = self.orders.pop(0)
            cards = [(box.BLACK, value) for value in self.stack]
            self.moved.append({**_cards("stack black", "stack black", cards, self.seat is None), "shuffled": True})


def _draws(before: Any, action: int, after: Any, seat: int | None) -> list[Movement]:
    """FA-5, FA-9, FA-10"""
    black, p, players = _Black(before, after, seat), int(before.seat), int(before.players)
    drawers = [p]
    if action >= actions.FIRST_D:
        d = action - actions.FIRST_D
        turned = [(p + i) % players for i in range(players)]
        drawers = [p, p, *(q for q in turned if before.home[q, d] == state.NO_LOT)]
    for drawer in drawers:
        black.draw(f"hand {drawer}", seat in (None, drawer))
    return black.moved


def _bid(before: Any, action: int, after: Any, seat: int | None) -> list[Movement]:
    """FA-60, FA-63, FA-101, FA-105"""
    black, p, moved = _Black(before, after, seat), int(before.seat), list[Movement]()
    laid = [card for colour in range(box.BLACK + 1) for card in _of_colour(before.table[p], colour)]
    if action == actions.PASS and laid:
        moved.append(_cards(f"table {p}", f"hand {p}", laid))
    egon = before.egon[: before.egon_n].tolist()
    if before.players == 2 and before.asked == 1:
        while len(egon) < box.EGON_MOST and len(set(egon)) == len(egon):
            value = black.draw("egon", True)
            if not value:
                break
            egon.append(value)
    won = after.phase == state.PHASE_BUILD
    if not won and after.auction_place == before.auction_place:
        return moved + black.moved
    if won:
        moved_by_winner, values = _put_under(before, after)
        black.moved += moved_by_winner
        black.put(f"table {int(after.seat)}", values, state.FACE_UP)
    black.put("egon", egon, 0)
    black.check()
    return moved + black.moved


def _put_under(before: Any, after: Any) -> tuple[list[Movement], list[int]]:
    """The winner's coloured cards; the values of the black ones.  # FA-63, FA-R8"""
    p = int(after.seat)
    colour, laid = int(before.table_colour[p]), before.table[p]
    moved = [_cards(f"table {p}", f"stack {box.COLOUR_NAMES[colour]}", _discards(before, laid, colour))]
    if before.stack_end[colour] == before.stack_top[colour]:
        moved += _turned_up(after, colour)
    return moved, [value for _, value in _discards(before, laid, box.BLACK)]


def _closed(before: Any, after: Any) -> list[Movement]:
    """FA-73"""
    moved = []
    for d in np.flatnonzero(after.closed > before.closed).tolist():
        for lot in range(box.SIDES * d, box.SIDES * (d + 1)):
            if kinds := _of_kinds(before.shops[:, lot]):
                moved.append(_tiles(_lot(lot), "box", kinds))
    return moved


def _end(before: Any, after: Any, seat: int | None) -> list[Movement]:
    """FA-93"""
    if after.phase != state.PHASE_OVER or before.phase == state.PHASE_OVER or not after.park_n:
        return []
    kinds = after.park[: after.park_n].tolist()
    shuffled = {**_tiles("park", "park", kinds, seat is None), "shuffled": True}
    return [shuffled, _tiles("park", "turned up", kinds[: box.PARK_SHOWN])]
