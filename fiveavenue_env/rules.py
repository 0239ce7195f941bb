# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The rules: setup, what is legal, what a move does. Clause numbers are those of RULES.md.

For each kind of decision one `_legal_<kind>` and one `_apply_<kind>`, in the same order. Bids and buildings are in
auctions.py, the lots in city.py, points in scoring.py, the stacks in cards.py, the flow of a turn in turns.py.
"""

from __future__ import annotations

from fiveavenue_env.actions import (
    ACTION_A,
    ACTION_C,
    FIRST_B,
    FIRST_D,
    FIRST_MOVE,
    FIRST_PLACE,
    FIRST_SHOP,
    FIRST_SINGLE,
    FIRST_TAKE,
)
from fiveavenue_env.auctions import apply_bid, apply_build, begin_round, legal_bid, legal_build, survey_auction
from fiveavenue_env.cards import clear_tables, draw_to_hand, nonempty_stacks, take_top
from fiveavenue_env.city import clear_lots, draw_rings, put_buildings, put_shop, survey_markers, take_last_of_block
from fiveavenue_env.components import (
    BLACK_CARDS,
    BLACK_DEAL,
    BLACK_STACK,
    BLOCK_SIZE,
    BLOCKS,
    COLOURED_CARDS,
    COLOURS,
    COMMISSIONS,
    CP,
    DASHED,
    DISTRICTS,
    FIRST_BLACK,
    KINDS,
    LOTS,
    NODES,
    PAIR,
    PLACED_MOST,
    PLACEMENTS,
    RESERVE,
    SHOPS,
    SHOPS_A_KIND,
    SIDES,
    STACK,
    START,
    START_BUILDINGS,
    SUPPLY,
    SUPPLY_STEP,
    TAKES,
    TARGETS,
)
from fiveavenue_env.memory import begin_memory
from fiveavenue_env.piles import survey_cards
from fiveavenue_env.scoring import NO_LOTS, is_empty, lots_with_room, pay_bonus, score_district, survey
from fiveavenue_env.state import (
    NO_KIND,
    NO_LOT,
    NO_TURN,
    PHASE_BID,
    PHASE_MOVE,
    PHASE_PLACE,
    PHASE_SHOP,
    PHASE_TAKE,
    PHASE_TURN,
    TURN_A,
    TURN_B,
    TURN_C,
    TURN_D,
)
from fiveavenue_env.turns import after_move, begin_move, begin_take, begin_turn, clear_auction, end_game
from skyline.core.jit import njit
from skyline.core.wide import write_bits
from skyline.rng import below, shuffle

TAKE_ACTIONS = FIRST_MOVE - FIRST_TAKE

# ---------------------------------------------------------------- setup


@njit
def reset(s):
    """A new game: section 2."""
    if s.rings_drawn:
        draw_rings(s)  # FA-S1, FA-R2
    for tile in range(SHOPS):
        s.tiles[tile] = tile // SHOPS_A_KIND
    shuffle(s, s.tiles, SHOPS)  # FA-S2
    clear_lots(s)
    if s.board == SIDES:
        for d in range(DISTRICTS):
            s.shops[s.tiles[d], SIDES * d + DASHED] = 1  # FA-S3
    else:
        _draw_initial_lots(s)
    for colour in range(COLOURS):  # FA-S5
        _fill(s.stacks[colour], COLOURED_CARDS)
        shuffle(s, s.stacks[colour], STACK)
    _fill(s.black, BLACK_CARDS)
    shuffle(s, s.black, BLACK_STACK)
    deal(s)


@njit
def _fill(deck, copies):
    at = 0
    for i in range(3):
        for _ in range(copies[i]):
            deck[at] = 4 + i
            at += 1


@njit
def _draw_initial_lots(s):
    """Seven colours, drawn again until none occurs more than twice.  # FA-S3, FA-R21"""
    while True:
        counts, drawn, fine = 0, 0, True  # 4 bits a colour; 3 bits a district
        for d in range(DISTRICTS):
            colour = below(s, COLOURS)
            counts += 1 << (4 * colour)
            fine = fine and (counts >> (4 * colour) & 15) <= 2
            drawn |= colour << (3 * d)
        if fine:
            break
    for d in range(DISTRICTS):
        s.shops[s.tiles[d], SIDES * d + (drawn >> (3 * d) & 7)] = 1


@njit
def deal(s):
    """Everything that follows from tiles, initial shops on their lots, and decks. [section 2]"""
    _lay_row(s)
    _deal_cards(s)
    begin_memory(s)
    s.scores[:] = 0
    s.reserve[:] = 0
    s.supply[:] = 0
    s.cp[:] = 0
    for p in range(s.players):
        s.reserve[p], s.supply[p] = RESERVE, SUPPLY  # FA-S8
    s.node[:] = START
    s.markers[:] = 0
    s.marker_n[:] = 0
    s.commission = 0
    s.final_lots[:], s.final_park[:] = 0, 0
    forget_chance(s)
    clear_tables(s)
    clear_auction(s)
    survey_all(s)
    s.turn, s.active, s.placements = 1, 0, 0
    s.turn_kind, s.turn_phase, s.chosen_kind = NO_TURN, 0, NO_KIND
    _next_placement(s)


@njit
def _lay_row(s):
    """Tiles 8 to 27 are the row, cut into blocks.  # FA-S2, FA-S4"""
    s.row_kinds[:] = 0
    tile = DISTRICTS
    for block in range(BLOCKS):
        for _ in range(BLOCK_SIZE[block]):
            s.row_kinds[KINDS * block + s.tiles[tile]] += 1
            tile += 1
    s.blocks, s.placed, s.park_n = BLOCKS, 0, 0
    s.park[:] = 0
    s.park_kinds[:] = 0


@njit
def _deal_cards(s):
    """A card of each colour and four black ones for everybody.  # FA-S6, FA-S7"""
    s.hands[:] = 0
    s.hand_size[:] = 0
    for p in range(s.players):
        for colour in range(COLOURS):
            s.hands[p, 3 * colour + s.stacks[colour, p] - 4] += 1
        for i in range(BLACK_DEAL):
            s.hands[p, FIRST_BLACK + s.black[BLACK_DEAL * p + i] - 4] += 1
        s.hand_size[p] = COLOURS + BLACK_DEAL
    s.stack_top[:] = s.players
    s.stack_end[:] = STACK
    s.black_top, s.black_end = BLACK_DEAL * s.players, BLACK_STACK
    s.black_above = BLACK_STACK - BLACK_DEAL * s.players


@njit
def survey_all(s):
    """Recompute all caches but those of the memory."""
    survey(s)
    survey_markers(s)
    survey_auction(s)
    survey_cards(s)


@njit
def clear(s):
    """No building and no shop on the board, no card laid, no auction, no chance result given."""
    clear_lots(s)
    clear_tables(s)
    clear_auction(s)
    forget_chance(s)


@njit
def forget_chance(s):
    """No shuffle has happened, none is given."""
    s.orders[:] = 0
    s.order_n[:] = 0
    s.park_order[:] = 0
    s.shuffles, s.given, s.park_given = 0, 0, 0


# ---------------------------------------------------------------- what is legal


@njit
def legal(s, mask):
    """Mark the legal actions of the deciding seat. [section 6]"""
    if s.phase == PHASE_BID:
        legal_bid(s, mask)
    elif s.phase == PHASE_MOVE:
        _legal_move(s, mask)
    elif s.phase == PHASE_TURN:
        _legal_turn(s, mask)
    elif s.phase == PHASE_TAKE:
        _legal_take(s, mask)
    elif s.phase == PHASE_SHOP:
        _legal_shop(s, mask)
    elif s.phase == PHASE_PLACE:
        _legal_place(s, mask)
    else:
        legal_build(s, mask)


@njit
def _legal_place(s, mask):
    """Every empty lot of every district without an own building.  # FA-S9, FA-R1, FA-D1"""
    for d in range(DISTRICTS):
        if s.home[s.seat, d] == NO_LOT:
            for colour in range(COLOURS):
                mask[FIRST_PLACE + COLOURS * d + colour] = is_empty(s, d, colour)


@njit
def _legal_turn(s, mask):
    """A with a supply, B with a lot for a shop, C always, D where a commission stands.  # FA-7, FA-D2"""
    mask[ACTION_A] = s.supply[s.seat] >= SUPPLY_STEP or s.empty_supply  # FA-R3
    if s.blocks > 0 and lots_with_room(s) != NO_LOTS:  # FA-R4
        for k in range(KINDS):
            mask[FIRST_B + k] = s.row_kinds[k] > 0  # FA-R5
    mask[ACTION_C] = 1
    for c in range(COMMISSIONS):
        node = s.node[c]
        if node != START and node != CP and not s.closed[node - 1]:
            mask[FIRST_D + node - 1] = 1


@njit
def _legal_shop(s, mask):
    """Lots of open districts without building and with at most one shop.  # FA-32, FA-D3"""
    write_bits(mask, FIRST_SHOP, lots_with_room(s), LOTS)


@njit
def _legal_take(s, mask):
    """Two different stacks, or the only one.  # FA-8, FA-R7, FA-D4"""
    write_bits(mask, FIRST_TAKE, TAKES[nonempty_stacks(s)], TAKE_ACTIONS)


@njit
def _legal_move(s, mask):
    """Both commissions, every target; closed districts are skipped.  # FA-21, FA-24, FA-D7"""
    for c in range(COMMISSIONS):
        write_bits(mask, FIRST_MOVE + NODES * c, TARGETS[s.node[c], s.closed_bits], NODES)


# ---------------------------------------------------------------- what a move does


@njit
def step(s, action):
    """Play a legal action."""
    s.shuffles = 0
    if s.phase == PHASE_BID:
        apply_bid(s, action)
    elif s.phase == PHASE_MOVE:
        _apply_move(s, action - FIRST_MOVE)
    elif s.phase == PHASE_TURN:
        _apply_turn(s, action)
    elif s.phase == PHASE_TAKE:
        _apply_take(s, action)
    elif s.phase == PHASE_SHOP:
        _apply_shop(s, action - FIRST_SHOP)
    elif s.phase == PHASE_PLACE:
        _apply_place(s, action - FIRST_PLACE)
    else:
        apply_build(s, action)
    s.given = 0


@njit
def _apply_place(s, number):
    d, colour = divmod(number, COLOURS)
    put_buildings(s, s.seat, SIDES * d + colour, 1)
    s.placements += 1
    _next_placement(s)


@njit
def _next_placement(s):
    """The next of the order, or the first turn.  # FA-S9, FA-S10"""
    if s.placements < START_BUILDINGS * s.players:
        s.phase, s.seat = PHASE_PLACE, PLACEMENTS[s.players, s.placements]
    else:
        begin_turn(s, 0)


@njit
def _apply_turn(s, action):
    """Phase 1 of the turn.  # FA-2 .. FA-6"""
    p = s.seat
    s.turn_phase = 1
    if action == ACTION_A:
        s.turn_kind = TURN_A
        if s.supply[p] >= SUPPLY_STEP:
            s.supply[p] -= SUPPLY_STEP  # FA-3
            s.reserve[p] += SUPPLY_STEP
        begin_take(s)
    elif action < ACTION_C:
        s.turn_kind, s.chosen_kind, s.phase = TURN_B, action - FIRST_B, PHASE_SHOP
        s.row_kinds[s.chosen_kind] -= 1  # FA-30
    elif action == ACTION_C:
        s.turn_kind = TURN_C
        draw_to_hand(s, p)  # FA-5
        begin_move(s, 1)
    else:
        s.turn_kind = TURN_D
        score_district(s, action - FIRST_D)
        _draw_after_scoring(s, action - FIRST_D)
        begin_move(s, 3)


@njit
def _draw_after_scoring(s, d):
    """Two cards, then one for every seat without a building in the district.  # FA-9, FA-10"""
    p = int(s.active)
    draw_to_hand(s, p)
    draw_to_hand(s, p)
    for _ in range(s.players):
        if s.home[p, d] == NO_LOT:
            draw_to_hand(s, p)
        p = p + 1 if p + 1 < s.players else 0


@njit
def _apply_shop(s, lot):
    """The shop is placed; the block's last goes to the park; bonus; the twelfth is the end.  # FA-D3"""
    put_shop(s, s.chosen_kind, lot)
    s.chosen_kind = NO_KIND
    s.placed += 1
    take_last_of_block(s)
    pay_bonus(s)
    if s.placed == PLACED_MOST:
        end_game(s)  # FA-35, FA-90
    else:
        begin_take(s)


@njit
def _apply_take(s, action):
    """The top cards of the chosen stacks.  # FA-8"""
    if action >= FIRST_SINGLE:
        take_top(s, s.seat, action - FIRST_SINGLE)
    else:
        take_top(s, s.seat, PAIR[action - FIRST_TAKE, 0])
        take_top(s, s.seat, PAIR[action - FIRST_TAKE, 1])
    begin_move(s, 3)


@njit
def _apply_move(s, number):
    """The commission leaves a marker in an open district; from Central Park it starts a round.  # FA-22, FA-26"""
    c, target = divmod(number, NODES)
    left = int(s.node[c])
    s.node[c] = target
    if left == CP:
        begin_round(s, c)
        return
    if left != START and not s.closed[left - 1]:  # FA-25
        s.markers[c, s.marker_n[c]] = left - 1
        s.marker_n[c] += 1
        s.marks[c, left - 1] = s.marker_n[c]
    after_move(s)


@njit
def rank_key(s, seat):
    """Score, then cards in hand.  # FA-95, FA-R15"""
    return 128 * int(s.scores[seat]) + int(s.hand_size[seat])
