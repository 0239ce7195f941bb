# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The rules: setup, which decision is open, its legal moves and their effect. Clause numbers are those of RULES.md.

Each kind of decision has its `legal_..` and `apply_..` in the file of its chapter: money, market (drawing and buying),
auctions, building, rebuilding. Payments are in payment.py, the palaces of a seat in palaces.py, turns in turn.py.
"""

from __future__ import annotations

from palazzo_env.actions import (
    ADD,
    AUCTION,
    BID,
    BUILD_NEW,
    BUILD_SCRAP,
    BUY,
    DRAW,
    INSERT,
    INTO,
    MONEY,
    PASS,
    PAY,
    REBUILD,
    REMOVE,
    SPLIT,
    STOP,
    TAKE,
    TILE,
)
from palazzo_env.auctions import apply_auction, apply_bid, apply_pass, apply_raise, apply_share, legal_bid, legal_share
from palazzo_env.building import apply_build, legal_build
from palazzo_env.caches import recount
from palazzo_env.components import (
    BELOW_PILE_1,
    BELOW_PILE_2,
    CARD_DECK,
    CARDS,
    QUARRIES,
    SORTED_STACK,
    STACK,
    START_HAND,
)
from palazzo_env.market import (
    apply_buy,
    apply_choose,
    apply_draw,
    apply_pay,
    apply_stop,
    into_depot,
    legal_buy,
    legal_choice,
    legal_pay,
    to_quarry,
)
from palazzo_env.memory import clear_memory, dealt
from palazzo_env.money import apply_money, apply_take, is_money_left, legal_take
from palazzo_env.payment import clear_totals
from palazzo_env.purses import hand_size, most_of, move_cards
from palazzo_env.rebuilding import (
    apply_fee,
    apply_insert,
    apply_into,
    apply_rebuild,
    apply_remove,
    apply_split,
    clear_plan,
    legal_fee,
    legal_into,
    legal_rebuild,
)
from palazzo_env.state import (
    NO_CARD,
    NO_TWIN,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_MAIN,
    PHASE_MONEY,
    PHASE_PAY,
    PHASE_REBUILD,
    PHASE_SHARE,
)
from palazzo_env.supply import count_supply
from skyline.core.jit import njit
from skyline.rng import shuffle

KEY_BASE = 1024  # larger than any tie-break value

# ---------------------------------------------------------------- setup


@njit
def reset(s):
    """A new game: section 2."""
    first, second = STACK - BELOW_PILE_1, STACK - BELOW_PILE_2
    for i in range(STACK):
        s.stack[i] = SORTED_STACK[i]
    shuffle(s, s.stack[:first], first)  # PZ-S2
    shuffle(s, s.stack[first:second], second - first)
    shuffle(s, s.stack[second:], STACK - second)
    for i in range(CARDS):
        s.deck[i] = CARD_DECK[i]
    shuffle(s, s.deck, CARDS)  # PZ-S4
    deal(s)


@njit
def deal(s):
    """The rest of the setup, which follows from the orders of stack and deck. [section 2]"""
    clear(s)
    for quarry in range(QUARRIES):  # PZ-S3
        to_quarry(s, quarry, int(s.stack[quarry]))
    into_depot(s, int(s.stack[QUARRIES]))
    s.stack_top = QUARRIES + 1
    for seat in range(s.players):  # PZ-S4
        for i in range(START_HAND):
            move_cards(s, seat, int(s.deck[START_HAND * seat + i]), 1)
    s.deck_top = START_HAND * int(s.players)
    dealt(s)
    count_supply(s)


@njit
def clear(s):
    """An empty table, a full deck and stack, seat 0's turn.  # PZ-S1, PZ-S5"""
    s.quiet = 0
    s.seat = s.active = s.builder = s.knights = 0
    s.phase = PHASE_MAIN
    s.hands[:] = 0
    s.table[:] = 0
    s.discards[:] = 0
    s.face_up[:] = 0
    s.first_take = NO_CARD
    s.deck_size = CARDS
    s.deck_top = s.order_given = 0
    clear_totals(s)
    s.stack_top = 0
    s.depot[:] = 0
    s.depot_size = 0
    s.quarries[:] = 0
    s.quarry_size[:] = 0
    s.lot[:] = 0
    s.lot_size = s.sharing = 0
    s.twin = NO_TWIN
    s.palaces[:] = 0
    s.copies[:] = 0
    s.palace_count[:] = 0
    clear_plan(s)
    clear_memory(s)
    recount(s)


# ---------------------------------------------------------------- what is legal


@njit
def legal(s, mask):
    """Mark the legal actions of the deciding seat. [section 6, PZ-D1 .. PZ-D11]"""
    if s.phase == PHASE_MAIN:
        _legal_main(s, mask)
    elif s.phase == PHASE_MONEY:
        legal_take(s, mask)
    elif s.phase == PHASE_CHOICE:
        legal_choice(s, mask)
    elif s.phase == PHASE_BUY:
        legal_buy(s, mask)
    elif s.phase == PHASE_PAY:
        legal_pay(s, mask)
    elif s.phase == PHASE_BID:
        legal_bid(s, mask)
    elif s.phase == PHASE_SHARE:
        legal_share(s, mask)
    elif s.phase == PHASE_BUILD:
        legal_build(s, mask)
    elif s.phase == PHASE_REBUILD:
        legal_rebuild(s, mask)
    elif s.phase == PHASE_INTO:
        legal_into(s, mask)
    elif s.phase == PHASE_FEE:
        legal_fee(s, mask)


@njit
def _legal_main(s, mask):
    """Draw, always; money and rebuilding until too many turns went without a draw.  # PZ-01, PZ-D1, PZ-R20"""
    mask[DRAW] = 1
    if s.quiet < s.quiet_limit:
        mask[MONEY] = is_money_left(s)
        mask[REBUILD] = (s.palace_count[s.seat] > 0) & (hand_size(s, s.seat) > 0)  # PZ-70


# ---------------------------------------------------------------- what a move does


@njit
def step(s, action):
    """Play a legal action: the most frequent blocks of the action table first, then the others in their order."""
    if action < AUCTION:
        _apply_add(s, action - ADD)
    elif action >= TILE:
        _apply_tile(s, action - TILE)
    elif action >= TAKE:
        apply_take(s, action - TAKE)
    elif BUILD_NEW <= action <= BUILD_SCRAP:
        apply_build(s, action)
    elif action == AUCTION:
        apply_auction(s)
    elif action == BID:
        apply_bid(s)
    elif action == BUY:
        apply_buy(s)
    elif action == DRAW:
        apply_draw(s)
    elif action < INTO:
        apply_insert(s, action - INSERT)
    elif action < MONEY:
        apply_into(s, action - INTO)
    elif action == MONEY:
        apply_money(s)
    elif action == PASS:
        apply_pass(s)
    elif action < REBUILD:
        apply_fee(s, action - PAY)
    elif action == REBUILD:
        apply_rebuild(s)
    elif action < SPLIT:
        apply_remove(s, action - REMOVE)
    elif action < STOP:
        apply_split(s, action - SPLIT)
    else:
        apply_stop(s)


@njit
def _apply_add(s, component):
    """A component is laid: in a payment or in a raise."""
    if s.phase == PHASE_PAY:
        apply_pay(s, component)
    else:
        apply_raise(s, component)


@njit
def _apply_tile(s, tile):
    """A tile is chosen: of the depot to buy it, or of a quarry that is given out."""
    if s.phase == PHASE_BUY:
        apply_choose(s, tile)
    else:
        apply_share(s, tile)


# ---------------------------------------------------------------- the end


@njit
def rank_key(s, seat):
    """The score, then the largest payment of the hand; equal pairs share the place.  # PZ-82, PZ-R23, PZ-R24"""
    return int(s.scores[seat]) * KEY_BASE + most_of(s, seat)
