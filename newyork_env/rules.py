"""The rules: setup, what is legal, what a move does. Clause numbers are those of RULES.md.

Money is in money.py, the city in city.py, points in scoring.py. For each block of the action table one `legal_<block>`
and one `apply_<block>`, in the same order.
"""

from __future__ import annotations

from newyork_env.actions import (
    FIRST_BUY,
    FIRST_CELL,
    FIRST_PAY,
    FIRST_TILE,
    PASS,
    RESERVE,
    TO_DIRK,
)
from newyork_env.city import (
    SPOT_CELLS,
    add_tile,
    city_changed,
    is_usable,
    lowest,
    row_fits,
    row_takes,
    survey_city,
    take_tile,
    tile_at,
)
from newyork_env.components import (
    CELL_STRIDE,
    CELLS_ACROSS,
    COPIES,
    DIRK,
    DIRK_AFTER_A,
    DIRK_START,
    FIRST,
    KINDS,
    NO_CARD,
    NO_TILE,
    NOWHERE,
    PILES,
    SCORING_A,
    SLOTS,
    STARTING_MONEY,
    STREETS,
    TILES,
    TYPE,
    VALUE_OF,
)
from newyork_env.money import (
    apply_take,
    begin_purchase,
    complete_purchase,
    draw_card,
    gain_card,
    lay_card,
    legal_buy,
    legal_pay,
    legal_take,
    survey_hand,
)
from newyork_env.scoring import A, B, C, score, scoring_changed, type_changed
from newyork_env.state import (
    AT_DIRK,
    IN_BAG,
    IN_CITY,
    IN_DEPOT,
    IN_RESERVE,
    NO_SLOT,
    PHASE_BUILD,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_PLACE,
    PHASE_PUT,
    TO_PLACE,
    seats,
)
from skyline.game import NO_SEAT
from skyline.jit import njit
from skyline.rng import below, shuffle

# ---------------------------------------------------------------- setup


@njit
def reset(s):
    """A new game: section 2."""
    for i in range(TILES):
        s.bag[i] = i + 1
    shuffle(s, s.bag, TILES)  # step 2
    n = 0
    for card in range(KINDS):
        for _ in range(COPIES[s.players]):
            s.deck[n] = card
            n += 1
    shuffle(s, s.deck, n)  # step 4
    dealt = _cards_dealt(s)
    for i in range(2):  # step 7; SA is in before the place of SB is counted
        low, high = pile_places(i, n, dealt)
        _insert(s, n + i, low + below(s, high - low + 1), SCORING_A + i)
    deal(s)


@njit
def _cards_dealt(s):
    """The cards of steps 5 and 6: every seat's starting money and the market."""
    n = 0
    for _ in seats(s):
        total = 0
        while total < STARTING_MONEY:
            total += VALUE_OF[s.deck[n]]
            n += 1
    return n + SLOTS


@njit
def pile_places(number, n, dealt):
    """First and last index in the list of n money cards (and SA, SB) of SA (0) or SB (1).  # section 2, step 7"""
    r = n - dealt
    size, more = r // PILES, r % PILES
    first = dealt
    for pile in range(1 + 2 * number):
        first += size + (pile < more)
    first += number
    return first, first + size + (1 + 2 * number < more)


@njit
def _insert(s, n, index, card):
    """Put a card into the first n cards of the deck."""
    for i in range(n, index, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[index] = card


@njit
def deal(s):
    """Everything that follows from the order of bag and money cards. [section 2]"""
    clear(s)
    for i in range(SLOTS):
        s.depot[i] = _draw_tile(s, IN_DEPOT)  # step 2
    if s.players == 2:
        _give_to_dirk(s, DIRK_START)  # step 3, NY-80
    n = int(COPIES[s.players]) * KINDS
    dealt = _cards_dealt(s)
    s.deck_size = n + 2
    s.deck[n + 2 :] = 0
    for seat in seats(s):  # step 5
        total = 0
        while total < STARTING_MONEY:
            card = draw_card(s)
            gain_card(s, seat, card)
            total += VALUE_OF[card]
    for i in range(SLOTS):  # step 6
        s.market[i] = draw_card(s)
    for i in range(2):
        s.earliest[i], s.latest[i] = pile_places(i, n, dealt)
    s.seat = _starting_seat(s)
    scoring_changed(s)


@njit
def clear(s):
    """An empty table: start tiles only."""
    s.phase, s.ending, s.turns, s.scored = PHASE_MAIN, 0, 0, 0
    s.scores[:] = 0
    s.market[:] = NO_CARD
    s.hands[:] = 0
    s.discards[:] = 0
    s.deck_size, s.deck_top, s.discards_size, s.order_given, s.reshuffles = 0, 0, 0, 0, 0
    s.earliest[:] = 0
    s.latest[:] = 0
    begin_purchase(s, NO_SLOT)
    s.bag_top = 0
    s.depot[:] = NO_TILE
    s.chosen = NO_TILE
    s.place[:] = -1
    s.place[1 : TILES + 1] = IN_BAG
    s.spot[:] = NOWHERE
    s.ways[:] = 0
    s.in_reserve[:] = 0
    s.to_place[:] = 0
    s.types[:] = 0
    s.reserve_types[:] = 0
    s.majority[:] = 0
    s.one_more[:] = 0
    for seat in seats(s):
        survey_city(s, seat)
        survey_hand(s, seat)


@njit
def _starting_seat(s):
    """The fewest cards, then the smallest sum, then the lowest seat.  # section 2, step 8"""
    best, best_key = 0, 1 << 30
    for seat in seats(s):
        key = 1024 * int(s.held[seat])
        for bank in range(SLOTS):
            key += int(s.money[seat, bank])
        if key < best_key:
            best, best_key = seat, key
    return best


# ---------------------------------------------------------------- what is legal


@njit
def legal(s, mask):
    """Mark the legal actions of the deciding seat. [section 6]"""
    if s.phase == PHASE_MAIN:
        _legal_main(s, mask)
    elif s.phase == PHASE_PAY:
        legal_pay(s, mask)
    elif s.phase == PHASE_BUILD:
        _legal_build(s, mask)
    elif s.phase == PHASE_PLACE:
        _legal_place(s, mask)
    else:
        _legal_put(s, mask)


@njit
def _legal_main(s, mask):
    """Take, buy, use, remove; pass if there is nothing else.  # NY-02, NY-05"""
    found = legal_take(s, mask)
    found |= legal_buy(s, mask)
    found |= _legal_use(s, mask)
    found |= _legal_remove(s, mask)
    if not found:
        mask[PASS] = 1


@njit
def _legal_use(s, mask):
    """Reserve tiles for which the city has a place. True if any.  # NY-30, NY-32"""
    rest, found = int(s.in_reserve[s.seat]), False
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        if is_usable(s, s.seat, STREETS[tile]):
            mask[FIRST_TILE + tile - 1] = 1
            found = True
    return found


@njit
def _legal_remove(s, mask):
    """Tiles that the city can do without. True if any.  # NY-31, NY-33"""
    rest = int(s.removable[s.seat])
    found = rest != 0
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        mask[cell_action(int(s.spot[tile]) & SPOT_CELLS)] = 1
    return found


@njit
def _legal_build(s, mask):
    """Empty cells and cells of city tiles for the tile in use.  # NY-30, NY-32, NY-33"""
    seat, streets = int(s.seat), STREETS[s.chosen]
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        _mark_row(mask, row, row_takes(s, seat, row, streets))


@njit
def _legal_place(s, mask):
    """Every bought tile.  # NY-50"""
    rest = int(s.to_place[s.seat])
    while rest:
        mask[FIRST_TILE + lowest(rest) - 1] = 1
        rest &= rest - 1


@njit
def _legal_put(s, mask):
    """Empty cells, the reserve, and Dirk except for leftover tiles.  # NY-50, NY-51, NY-84, NY-R18"""
    seat, streets = int(s.seat), STREETS[s.chosen]
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        _mark_row(mask, row, row_fits(s, seat, row, streets))
    mask[RESERVE] = 1
    if s.players == 2 and not s.ending:
        mask[TO_DIRK] = 1


@njit
def _mark_row(mask, row, columns):
    """Mark the cells of a row."""
    first = FIRST_CELL + CELLS_ACROSS * (row - FIRST) - FIRST
    while columns:
        mask[first + lowest(columns)] = 1
        columns &= columns - 1


@njit
def cell_action(cell):
    """The action of a cell."""
    return FIRST_CELL + CELLS_ACROSS * (cell // CELL_STRIDE - FIRST) + cell % CELL_STRIDE - FIRST


@njit
def action_cell(action):
    """The cell of an action."""
    row, column = divmod(action - FIRST_CELL, CELLS_ACROSS)
    return CELL_STRIDE * (row + FIRST) + column + FIRST


# ---------------------------------------------------------------- what a move does


@njit
def step(s, action):
    """Play a legal action."""
    if s.phase == PHASE_MAIN:
        _apply_main(s, action)
    elif s.phase == PHASE_PAY:
        _apply_pay(s, action - FIRST_PAY + 1)
    elif s.phase == PHASE_BUILD:
        _apply_build(s, action_cell(action))
    elif s.phase == PHASE_PLACE:
        s.chosen = action - FIRST_TILE + 1
        s.phase = PHASE_PUT
    else:
        _apply_put(s, action)


@njit
def _apply_main(s, action):
    if action < FIRST_BUY:
        apply_take(s, action + 1)
        _end_main(s)
    elif action < FIRST_PAY:
        begin_purchase(s, action - FIRST_BUY)
        s.phase = PHASE_PAY
    elif action < FIRST_CELL:
        s.chosen = action - FIRST_TILE + 1
        s.phase = PHASE_BUILD
    elif action < RESERVE:
        _apply_remove(s, action_cell(action))
        _end_main(s)
    else:
        _end_main(s)  # NY-05


@njit
def _apply_pay(s, value):
    """A card is laid; a purchase paid exactly is followed by another main action.  # NY-03, NY-22"""
    missing = lay_card(s, value)
    if missing > 0:
        return
    tile = complete_purchase(s)
    s.place[tile] = TO_PLACE + s.seat
    s.to_place[s.seat] |= 1 << tile
    if missing == 0:
        s.phase = PHASE_MAIN
    else:
        _end_main(s)


@njit
def _apply_remove(s, cell):
    """A city tile goes to the reserve.  # NY-31"""
    seat = int(s.seat)
    _tile_to_reserve(s, seat, tile_at(s, seat, cell))
    city_changed(s, seat, cell)


@njit
def _apply_build(s, cell):
    """The reserve tile goes to an empty cell, or replaces a tile that goes to the reserve.  # NY-30, NY-32"""
    seat, tile = int(s.seat), int(s.chosen)
    other = tile_at(s, seat, cell)
    if other:
        _tile_to_reserve(s, seat, other)
    s.in_reserve[seat] &= ~(1 << tile)
    s.reserve_types[seat, TYPE[tile]] -= 1
    _tile_to_city(s, seat, tile, cell)
    s.chosen = NO_TILE
    _end_main(s)


@njit
def _tile_to_city(s, seat, tile, cell):
    s.place[tile] = IN_CITY + seat
    s.in_city[seat] |= 1 << tile
    add_tile(s, seat, tile, cell)
    city_changed(s, seat, cell)
    s.types[seat, TYPE[tile]] += 1
    type_changed(s, TYPE[tile])


@njit
def _tile_to_reserve(s, seat, tile):
    """A city tile goes to the reserve; `city_changed` must follow."""
    take_tile(s, seat, tile)
    s.in_city[seat] &= ~(1 << tile)
    _into_reserve(s, seat, tile)
    s.types[seat, TYPE[tile]] -= 1
    type_changed(s, TYPE[tile])


@njit
def _into_reserve(s, seat, tile):
    s.place[tile] = IN_RESERVE + seat
    s.in_reserve[seat] |= 1 << tile
    s.reserve_types[seat, TYPE[tile]] += 1


@njit
def _end_main(s):
    """The placing part if there are bought tiles, otherwise the refill.  # NY-01"""
    if s.to_place[s.seat]:
        s.phase = PHASE_PLACE
    else:
        _end_turn(s)


@njit
def _apply_put(s, action):
    """The tile goes to a cell, to the reserve or to Dirk.  # NY-50, NY-51, NY-84"""
    seat, tile = int(s.seat), int(s.chosen)
    s.to_place[seat] &= ~(1 << tile)
    s.chosen = NO_TILE
    if action < RESERVE:
        _tile_to_city(s, seat, tile, action_cell(action))
    elif action == RESERVE:
        _into_reserve(s, seat, tile)
    else:
        _tile_to_dirk(s, tile)
    if s.to_place[seat]:
        s.phase = PHASE_PLACE
    elif s.ending:
        _next_receiver(s)
    else:
        _end_turn(s)


# ---------------------------------------------------------------- refill and end


@njit
def _end_turn(s):
    """Refill market and depot; the end of the game or the next seat's turn.  # NY-60 .. NY-64, NY-95"""
    _refill_market(s)
    full = _refill_depot(s)
    s.turns += 1
    if full and s.turns < s.max_turns:
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
        s.phase = PHASE_MAIN
    else:
        s.ending = 1
        scoring_changed(s)  # NY-94
        _give_leftovers(s)
        _next_receiver(s)


@njit
def _refill_market(s):
    """A card for each empty slot; a scoring card is carried out and replaced.  # NY-60, NY-62"""
    for i in range(SLOTS):
        if s.market[i] != NO_CARD:
            continue
        card = draw_card(s)
        while card >= SCORING_A:
            _scoring_card(s, card)
            card = draw_card(s)
        s.market[i] = card


@njit
def _scoring_card(s, card):
    """Scoring A or B at once, then Dirk's tiles.  # NY-62, NY-82, NY-83, NY-R10"""
    if card == SCORING_A:
        score(s, A)
        s.scored |= 1
    else:
        score(s, B)
        s.scored |= 2
    if s.players == 2:
        left = TILES - int(s.bag_top)
        _give_to_dirk(s, min(DIRK_AFTER_A, left) if card == SCORING_A else left // 3)
    scoring_changed(s)


@njit
def _draw_tile(s, place):
    """The first tile of the bag, which goes to a place."""
    tile = int(s.bag[s.bag_top])
    s.bag_top += 1
    s.place[tile] = place
    return tile


@njit
def _give_to_dirk(s, count):
    """Tiles from the bag for Dirk.  # NY-80, NY-82, NY-83"""
    for _ in range(count):
        _tile_to_dirk(s, _draw_tile(s, AT_DIRK))


@njit
def _tile_to_dirk(s, tile):
    s.place[tile] = AT_DIRK
    s.types[DIRK, TYPE[tile]] += 1
    type_changed(s, TYPE[tile])


@njit
def _refill_depot(s):
    """A tile for each empty slot as long as the bag holds any; whether the depot is full.  # NY-63"""
    full = True
    for i in range(SLOTS):
        if s.depot[i] == NO_TILE:
            if s.bag_top < TILES:
                s.depot[i] = _draw_tile(s, IN_DEPOT)
            else:
                full = False
    return full


@njit
def _give_leftovers(s):
    """Every tile left goes to the seat with the most money of its bank; a tie leaves it.  # NY-90, NY-91, NY-R19"""
    for i in range(SLOTS):
        if s.depot[i] == NO_TILE:
            continue
        best, winner = -1, NO_SEAT
        for seat in seats(s):
            money = int(s.money[seat, i])
            if money == best:
                winner = NO_SEAT
            elif money > best:
                best, winner = money, seat
        if winner != NO_SEAT:
            s.place[s.depot[i]] = TO_PLACE + winner
            s.to_place[winner] |= 1 << int(s.depot[i])
            s.depot[i] = NO_TILE


@njit
def _next_receiver(s):
    """Clockwise from the seat whose turn ended; when all is placed, scoring C ends the game.  # NY-92, NY-93"""
    for _ in seats(s):
        if s.to_place[s.seat]:
            s.phase = PHASE_PLACE
            return
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
    score(s, C)
    s.phase, s.seat = PHASE_OVER, NO_SEAT


@njit
def rank_key(s, seat):
    """The highest score wins, equal scores share.  # NY-93, section 8.3"""
    return int(s.scores[seat])
