"""A position in words as a seat sees it (`text`), and what a move was and did (`story`).

Both read the rows and never change them. With a seat, what section 7 of RULES.md hides from it is not read: the order
of deck and bag, with TABLE the other hands and the discards, too; what the seat remembers is marked as remembered.
Without a seat all hands are shown; deck, bag and discards are not.
"""

from __future__ import annotations

from typing import Any

from newyork_env import actions, state, words
from newyork_env import components as box
from newyork_env.position import tiles_at
from newyork_env.words import (
    BANK_NAMES,
    CARD_LEGEND,
    SCORING_WORDS,
    TYPE_LEGEND,
    TYPE_LETTERS,
    Map,
    letter_of,
    street_on,
    tile_name,
    tile_text,
)
from skyline.game import LastMove, seat_name
from skyline.telling import REMEMBERED, capital, hand, joined, paragraph, points_of_seats, remembered_lines, view

# ---------------------------------------------------------------- the board in words


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position in lines of at most 80 columns, as `seat` sees it; `last_move` led to the position.

    Only maps of cities that span more than 18 columns are wider: four characters a column.
    """
    lines = [f"New York, {s.players} players, {view(seat)}: {words.clock(s)}."]
    lines += [f"{words.decision(s)}. {capital(words.scorings(s))}."]
    if words.purchase(s):
        lines.append(f"{capital(words.purchase(s))}.")
    if last_move is not None:
        lines += paragraph(f"Last move: {last_move.story}")
    lines += ["", *_table_lines(s)]
    things = words.remembered_things(s, seat)
    lines += remembered_lines(things)
    for p in range(s.players):
        lines += ["", *_seat_lines(s, p, seat, last_move)]
    lines += [
        "",
        f"Types: {TYPE_LEGEND}.",
        f"Cards: {CARD_LEGEND}.",
        "Tiles: id, type and price, streets. Cities: = and # are streets, o around the",
        "last tile laid, numbers of columns below and of rows at the left.",
    ]
    if things:
        lines += [*paragraph(f"{words.LEFTOVER_LEGEND}."), *paragraph(REMEMBERED)]
    return "\n".join(lines) + "\n"


def _table_lines(s: Any) -> list[str]:
    """Depot, market, piles, Dirk."""
    depot = [tile_text(int(tile)) if tile != box.NO_TILE else "-" for tile in s.depot]
    slots = [f"{i} {BANK_NAMES[i]}: {tile}" for i, tile in enumerate(depot)]
    market = " ".join(actions.card_text(card) if card != box.NO_CARD else "-" for card in s.market)
    deck, bag = s.deck_size - s.deck_top, box.TILES - s.bag_top
    lines = [
        f"Depot   {'   '.join(slots[:2])}",
        f"        {'   '.join(slots[2:])}",
        f"Market  {market}",
        f"{deck} cards in the deck, {s.discards_size} discarded, {bag} tiles in the bag",
    ]
    if places := words.scoring_places(s):
        lines += paragraph(f"{capital('; '.join(places))} (place 1 is the top)")
    return lines + [f"Dirk    {_types_text(s.types[box.DIRK].tolist())}"] * bool(s.players == 2)


def _types_text(counts: list[int]) -> str:
    """The numbers of tiles by type: `M0 T2 ..`."""
    return " ".join(f"{letter}{count}" for letter, count in zip(TYPE_LETTERS, counts, strict=True))


def _seat_lines(s: Any, p: int, viewer: int | None, last_move: LastMove | None) -> list[str]:
    """Score, cards, reserve and city of a seat."""
    you = " (you)" if p == viewer else ""
    types = _types_text(s.types[p].tolist())
    lines = paragraph(f"Seat {seat_name(p)}{you}: {s.scores[p]} points; {words.points_now(s, p)}; {types}")
    lines += _hand_lines(s, p, viewer)
    for name, place in (("reserve", state.IN_RESERVE), ("to place", state.TO_PLACE)):
        if tiles := tiles_at(s, place + p):
            lines += paragraph(f"  {name}: {', '.join(tile_text(tile) for tile in tiles)}")
    return lines + _map_lines(words.map_of(s, p), words.last_cell(last_move, p))


def _hand_lines(s: Any, p: int, viewer: int | None) -> list[str]:
    """The cards of a seat: those that are seen, those that the viewer remembers, or their number."""
    held = int(s.held[p])
    if viewer is None or viewer == p:
        cards = [card for bank in range(box.BANKS) for card in words.cards_in_hand(s, p, bank)]
        return paragraph(hand(held, " ".join(cards)), "  ")
    banks = words.remembered_hand(s, viewer, p) or []
    cards = [card for bank in banks for card in bank]
    return paragraph(hand(held, " ".join(cards), len(cards)), "  ")


def _map_lines(city: Map, last: tuple[int, int] | None) -> list[str]:
    """The city, four characters a column and two lines a row, y to the left and x below."""
    canvas = [[" "] * (4 * len(city.x) + 1) for _ in range(2 * len(city.y) + 1)]
    for (x, y), tile in city.tiles.items():
        left, top = 4 * (x - city.x[0]), 2 * (city.y[-1] - y)
        for line, side in ((top, 0), (top + 2, 2)):
            for i in range(5):
                edge = "=" if street_on(tile, side) else "-"
                if canvas[line][left + i] != "=":
                    canvas[line][left + i] = "+" if i in (0, 4) else edge
        for column, side in ((left, 3), (left + 4, 1)):
            if canvas[top + 1][column] != "#":
                canvas[top + 1][column] = "#" if street_on(tile, side) else "|"
        canvas[top + 1][left + 1 : left + 4] = f"{tile:>2}{letter_of(tile)}" if tile else " * "
    if last in city.tiles:
        left, top = 4 * (last[0] - city.x[0]), 2 * (city.y[-1] - last[1])
        for line, column in ((0, 0), (0, 4), (2, 0), (2, 4)):
            canvas[top + line][left + column] = "o"
    labels = [f"{city.y[-1] - line // 2:>4}" if line % 2 else "    " for line in range(len(canvas))]
    lines = [f"{label} {''.join(row)}".rstrip() for label, row in zip(labels, canvas, strict=True)]
    return [*lines, "     " + "".join(f"{x:^4}" for x in ((f"{x:>3}") for x in city.x)).rstrip()]


# ---------------------------------------------------------------- what a move was and did


def story(before: Any, action: int, after: Any, seat: int | None) -> str:
    """The move between two rows: what it did and what came from deck and bag; then leftover tiles and scorings.

    Every move of New York is open, and what is drawn is laid open: `seat` makes no difference.
    """
    told = _TELLERS[int(before.phase)](before, action, after)
    if after.turns != before.turns:
        told += _refill_words(before, action, after)
    sentences = [f"{seat_name(int(before.seat))} {told}."]
    if after.ending and not before.ending:
        sentences.append(_tell_leftovers(after))
    return " ".join(sentences + _tell_scorings(before, action, after))


def _tell_main(before: Any, action: int, after: Any) -> str:
    """MAIN: take, buy, use, remove, pass, overpay."""
    if action < actions.FIRST_BUY:
        return f"takes {joined([actions.card_text(before.market[i]) for i in _slots_taken(before, action)])}"
    if action < actions.FIRST_PAY:
        slot = action - actions.FIRST_BUY
        tile = int(before.depot[slot])
        return f"begins to buy {tile_name(tile)} for {box.PRICE[tile]} with {BANK_NAMES[slot]} cards"
    if action < actions.FIRST_CELL:
        return f"takes {tile_name(action - actions.FIRST_TILE + 1)} out of the reserve to build it"
    if action == actions.PASS:
        return "can do nothing and passes"
    if action >= actions.FIRST_OVERPAY:
        card = box.VALUES * int(before.paid_slot) + action - actions.FIRST_OVERPAY
        return f"pays {actions.card_text(card)} on top, so that no further action follows"
    x, y = _cell(action)
    tile = words.map_of(before, int(before.seat)).tiles[x, y]
    return f"moves {tile_name(tile)} from {x} {y} into the reserve{_street_words(before, after)}"


def _slots_taken(before: Any, action: int) -> list[int]:
    """The market slots of a TAKE; none for other actions of MAIN."""
    takes = before.phase == state.PHASE_MAIN and action < actions.FIRST_BUY
    return [i for i in range(box.SLOTS) if takes and (action + 1) >> i & 1]


def _cell(action: int) -> tuple[int, int]:
    """The cell of an action: x, y."""
    row, column = divmod(action - actions.FIRST_CELL, box.CELLS_ACROSS)
    return column - box.BOUND, row - box.BOUND


def _street_words(before: Any, after: Any) -> str:
    """How the street of the seat changed."""
    old, new = int(before.street[before.seat]), int(after.street[before.seat])
    return f", and the street is {new} long instead of {old}" if old != new else ""


def _tell_payment(before: Any, action: int, after: Any) -> str:
    """PAY: a card; the purchase that it completes."""
    slot, value = int(before.slot), action - actions.FIRST_PAY + 1
    tile, paid = int(before.depot[slot]), int(before.laid_sum) + value
    values = [level for level in range(box.VALUES, 0, -1) for _ in range(before.laid[level] + (level == value))]
    cards = [actions.CARD_TEXTS[box.VALUES * slot + level - 1] for level in values]
    if paid < box.PRICE[tile]:
        card = actions.CARD_TEXTS[box.VALUES * slot + value - 1]
        return f"lays {card}: {paid} of {box.PRICE[tile]} are paid for {tile_name(tile)}"
    if paid == box.PRICE[tile]:
        return f"pays {tile_name(tile)} exactly with {joined(cards)} and has another action"
    return f"pays {paid} with {joined(cards)} for {tile_name(tile)}, price {box.PRICE[tile]}"


def _tell_building(before: Any, action: int, after: Any) -> str:
    """BUILD: the reserve tile comes into the city."""
    x, y = _cell(action)
    other = words.map_of(before, int(before.seat)).tiles.get((x, y), 0)
    replaced = f" in the place of {tile_name(other)}" if other else ""
    return f"builds {tile_name(int(before.chosen))} at {x} {y}{replaced}{_street_words(before, after)}"


def _tell_choice(before: Any, action: int, after: Any) -> str:
    """PLACE: which tile is placed next."""
    return f"places {tile_name(action - actions.FIRST_TILE + 1)} next"


def _tell_putting(before: Any, action: int, after: Any) -> str:
    """PUT: the tile goes into the city, into the reserve or to Dirk."""
    tile = tile_name(int(before.chosen))
    if action < actions.RESERVE:
        x, y = _cell(action)
        return f"puts {tile} at {x} {y}{_street_words(before, after)}"
    return f"keeps {tile} in the reserve" if action == actions.RESERVE else f"gives {tile} to Dirk"


_TELLERS = {
    state.PHASE_MAIN: _tell_main,
    state.PHASE_PAY: _tell_payment,
    state.PHASE_BUILD: _tell_building,
    state.PHASE_PLACE: _tell_choice,
    state.PHASE_PUT: _tell_putting,
}


def _refill_words(before: Any, action: int, after: Any) -> str:
    """The cards and tiles that the end of a turn brought."""
    taken = _slots_taken(before, action)
    empty = [i for i in range(box.SLOTS) if before.market[i] == box.NO_CARD or i in taken]
    cards = [actions.card_text(after.market[i]) for i in empty if after.market[i] != box.NO_CARD]
    new = [int(tile) for tile, old in zip(after.depot, before.depot, strict=True) if tile not in (box.NO_TILE, old)]
    shuffled = " from the shuffled discards" if after.reshuffles != before.reshuffles else ""
    words = [_come(cards, f"into the market{shuffled}")] * bool(cards)
    words += [_come([tile_name(tile) for tile in new], "into the depot")] * bool(new)
    return "; " * bool(words) + " and ".join(words)


def _come(things: list[str], where: str) -> str:
    """`B4 comes into the market`."""
    return f"{joined(things)} {'comes' if len(things) == 1 else 'come'} {where}"


def _tell_leftovers(after: Any) -> str:
    """Who gets the tiles of the depot at the end of the game."""
    given = [(p, tiles_at(after, state.TO_PLACE + p)) for p in range(after.players)]
    words = [f"{seat_name(p)} gets {joined([tile_name(tile) for tile in tiles])}" for p, tiles in given if tiles]
    return f"The last turn is over: {', '.join(words) or 'nobody gets a leftover tile'}."


def _tell_scorings(before: Any, action: int, after: Any) -> list[str]:
    """The scorings that the move brought, with the points of all seats, and Dirk's tiles after them."""
    done = [SCORING_WORDS[i] for i in range(2) if (after.scored & ~before.scored) >> i & 1]
    given = (
        len(tiles_at(after, state.AT_DIRK)) - len(tiles_at(before, state.AT_DIRK)) if done and after.players == 2 else 0
    )
    done += [SCORING_WORDS[-1]] * bool(after.phase == state.PHASE_OVER)
    if not done:
        return []
    gains = points_of_seats((after.scores - before.scores)[: after.players])
    brings = "scoring brings" if len(done) == 1 else "scorings bring"
    told = f"The {joined(done)} {brings} {gains}"
    return [f"{told}; Dirk gets {given} {'tile' if given == 1 else 'tiles'}." if given else f"{told}."]
