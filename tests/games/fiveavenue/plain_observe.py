"""What a seat sees, written plainly from RULES.md section 7 and the observation table.

No cache of the state is read: lots, owners, shops, hands, stacks, tables, markers and events are, and nothing that
follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.observation_table import SCORE_SHOWN
from fiveavenue_env.state import fields_of
from skyline.game import RECALL

Slices = Iterator[tuple[str, Any]]
COLOURED, CARDS = range(box.COLOURS), range(box.COLOURS + 1)  # the last one is black


def observation(row: Any, seat: int) -> dict[str, list[int]]:
    """The base slices by name, each flat, in the order of the table; what is remembered is 0 with the memory TABLE."""
    s = fields_of(row)
    table = (_clock, _lots, _ways, _pieces, _points, _cards, _auction, _bids, _choice, _rings)
    found = {name: _flat(values) for part in table for name, values in part(s, seat)}
    for part in (_memory, _black_memory):
        found |= {name: _flat(values, s.memory == RECALL) for name, values in part(s, seat)}
    return found


def _flat(values: Any, is_seen: bool = True) -> list[int]:
    return [int(value) * is_seen for value in np.array(values).reshape(-1)]


def seats_from(s: Any, seat: int) -> list[int]:
    return [(seat + j) % int(s.players) for j in range(s.players)]


def one_of(place: int | None, n: int) -> list[int]:
    """A one at the place among zeros; None: zeros only."""
    return [int(i == place) for i in range(n)]


# ---------------------------------------------------------------- the table


def _clock(s: Any, seat: int) -> Slices:
    seats, goes_on = seats_from(s, seat), s.phase != state.PHASE_OVER
    yield "to_move", [goes_on and p == s.seat for p in seats]
    yield "active", [goes_on and s.phase != state.PHASE_PLACE and p == s.active for p in seats]
    yield "start", [p == 0 for p in seats]
    yield "phase", one_of(int(s.phase) if goes_on else None, len(state.PHASE_NAMES))
    yield "turn_kind", one_of(int(s.turn_kind) if goes_on else None, 4)
    yield "turn_phase", [goes_on and s.turn_phase == 1, goes_on and s.turn_phase == 3]
    yield "turns_left", [int(s.max_turns) - int(s.turn)]
    yield "placements_left", [box.START_BUILDINGS * int(s.players) - int(s.placements)]


def _lots(s: Any, seat: int) -> Slices:
    owners = [*seats_from(s, seat), *([box.EGON] if s.players == 2 else [])]
    lots = range(box.LOTS)
    yield "buildings", [s.buildings[owner][lot] for owner in owners for lot in lots]
    yield "shops", [s.shops[kind][lot] for kind in range(box.KINDS) for lot in lots]
    yield "empty", [is_empty(s, lot) for lot in lots]
    yield "lot_points", [lot_points(s, lot) for lot in lots]
    yield "beside", [kind in kinds_beside(s, lot) for kind in range(box.KINDS) for lot in lots]


def is_coloured(s: Any, lot: int) -> bool:
    """The sixth lot of a district is the dashed one."""
    return lot % box.SIDES < box.COLOURS


def is_free(s: Any, lot: int) -> bool:
    """A lot of the board without a building, in an open district."""
    return lot % box.SIDES < s.board and not s.closed[lot // box.SIDES] and s.lot_owner[lot] == state.NOBODY


def shops_on(s: Any, lot: int) -> list[int]:
    return [kind for kind in range(box.KINDS) for _ in range(s.shops[kind][lot])]


def is_empty(s: Any, lot: int) -> bool:
    return is_coloured(s, lot) and is_free(s, lot) and not shops_on(s, lot)


def kinds_beside(s: Any, lot: int) -> set[int]:
    """The kinds of the shops on the two lots beside it in the ring of its district."""
    d, i = divmod(lot, box.SIDES)
    ring = [int(lot) for lot in s.rings[d] if lot != state.NO_LOT]
    if s.closed[d] or i not in ring:
        return set()
    at = ring.index(i)
    return {kind for j in (at - 1, (at + 1) % len(ring)) for kind in shops_on(s, box.SIDES * d + ring[j])}


def lot_points(s: Any, lot: int) -> int:
    if s.closed[lot // box.SIDES] or not is_coloured(s, lot) or shops_on(s, lot):
        return 0
    return int(box.LOT_POINTS[len(kinds_beside(s, lot))])


def is_full(s: Any, d: int) -> bool:
    return not s.closed[d] and not any(is_empty(s, box.SIDES * d + colour) for colour in COLOURED)


def _ways(s: Any, seat: int) -> Slices:
    districts, commissions = range(box.DISTRICTS), range(box.COMMISSIONS)
    yield "closed", s.closed
    yield "full", [is_full(s, d) for d in districts]
    yield "commissions", [one_of(int(s.node[c]), box.NODES) for c in commissions]
    yield (
        "markers",
        [[1 + marks.index(d) if d in (marks := marked(s, c)) else 0 for d in districts] for c in commissions],
    )


def marked(s: Any, c: int) -> list[int]:
    return [int(d) for d in s.markers[c][: s.marker_n[c]]]


def _pieces(s: Any, seat: int) -> Slices:
    seats, placed = seats_from(s, seat), int(s.placed)
    scores = [int(s.scores[p]) for p in seats]
    yield "row", s.row_kinds
    yield "park", [list(s.park[: s.park_n]).count(kind) for kind in range(box.KINDS)]
    yield "placed", [placed]
    yield "bonus_in", [3 - placed % 3 if placed < 9 else 0]  # FA-34
    yield "scores", [min(score, SCORE_SHOWN) for score in scores]
    yield "margin", [max(-SCORE_SHOWN, min(SCORE_SHOWN, scores[0] - max(scores[1:])))]
    yield "reserve", [s.reserve[p] for p in seats]
    yield "supply", [s.supply[p] for p in seats]
    yield "cp", [s.cp[p] for p in seats]
    yield "hand_size", [s.hands[p].sum() for p in seats]


def _points(s: Any, seat: int) -> Slices:
    seats = seats_from(s, seat)
    points = [[district_points(s, p, d) for d in range(box.DISTRICTS)] for p in seats]
    yield "districts", [sum(home(s, p, d) is not None for d in range(box.DISTRICTS)) for p in seats]
    yield "district_points", points
    yield "final_now", [min(int(s.scores[p]) + sum(own), SCORE_SHOWN) for p, own in zip(seats, points, strict=True)]


def home(s: Any, p: int, d: int) -> int | None:
    """The colour of the lot with the seat's buildings in the district."""
    return next((colour for colour in COLOURED if s.lot_owner[box.SIDES * d + colour] == p), None)


def district_points(s: Any, p: int, d: int) -> int:
    colour = home(s, p, d)
    lot = box.SIDES * d + (colour or 0)
    return 0 if colour is None else int(s.buildings[p][lot]) * lot_points(s, lot)


# ---------------------------------------------------------------- cards


def by_colour(counts: Any) -> list[int]:
    """How many cards of each colour are among the counted ones."""
    return [int(counts[3 * colour : 3 * colour + 3].sum()) for colour in CARDS]


def stack(s: Any, colour: int) -> list[int]:
    """The values of the cards in a stack, the top first; the sixth stack is the black one."""
    if colour == box.BLACK:
        return [int(card) & ~state.FACE_UP for card in s.black[s.black_top : s.black_end]]
    return [int(value) for value in s.stacks[colour][s.stack_top[colour] : s.stack_end[colour]]]


def egon_cards(s: Any) -> list[int]:
    """How many 4, 5 and 6 he has turned up in this auction."""
    return [list(s.egon[: s.egon_n]).count(value) for value in box.VALUES]


def _cards(s: Any, seat: int) -> Slices:
    stacks = [stack(s, colour) for colour in CARDS]
    tops = [one_of(cards[0] - 4 if cards else None, 3) for cards in stacks[: box.COLOURS]]
    laid = s.table.sum(axis=0) + np.array([0] * box.FIRST_BLACK + egon_cards(s))
    open_tops = np.array([n for top in [*tops, [0, 0, 0]] for n in top])
    elsewhere = box.CARD_COPIES - s.hands[seat] - laid
    faces = [int(card) & state.FACE_UP for card in s.black[s.black_top : s.black_end]]
    yield "hand", s.hands[seat]
    yield "unseen", elsewhere - open_tops
    yield "others", [n - len(cards) for n, cards in zip(by_colour(elsewhere), stacks, strict=True)]
    yield "stack_top", tops
    yield "stack_n", [len(cards) for cards in stacks[: box.COLOURS]]
    yield "black", [len(faces)]
    yield "black_above", [next((i for i, face in enumerate(faces) if face), len(faces))]


# ---------------------------------------------------------------- the auction


def _auction(s: Any, seat: int) -> Slices:
    seats, place = seats_from(s, seat), int(s.auction_place)
    runs = place != state.NO_PLACE
    order = [*marked(s, int(s.commission)), box.PARK] if runs else []
    yield "place", one_of(place if runs else None, box.PLACES)
    yield "commission", one_of(int(s.commission) if runs else None, box.COMMISSIONS)
    yield "order", [1 + order.index(p) if p in order else 0 for p in range(box.PLACES)]
    yield "first", [runs and p == s.active for p in seats]
    yield "table", [s.table[p] for p in seats]
    yield "total", [(s.table[p] * box.CARD_VALUE).sum() for p in seats]
    yield "passed", [s.passed >> p & 1 for p in seats]
    yield "standing", [s.standing]


def allowed_colours(s: Any, p: int) -> list[int]:
    """FA-53, FA-54, FA-55, FA-57, FA-80; none unless cards are being laid and the seat has not passed."""
    if s.phase != state.PHASE_BID or s.passed >> p & 1:
        return []
    laid = by_colour(s.table[p])[: box.COLOURS]
    if any(laid):
        return [colour for colour in COLOURED if laid[colour]]
    d = int(s.auction_place)
    if d == box.PARK:
        return [colour for colour in COLOURED if s.bid_colour in (colour, state.NO_COLOUR)]
    own, lots = home(s, p, d), [box.SIDES * d + colour for colour in COLOURED]
    if own is not None:
        return [own]
    return [c for c, lot in enumerate(lots) if (shops_on(s, lot) if is_full(s, d) else is_empty(s, lot))]


def sum_of_cards(counts: Any, colour: int) -> int:
    return int(sum(value * int(counts[3 * colour + value - 4]) for value in box.VALUES))


def _bids(s: Any, seat: int) -> Slices:
    seats, egon = seats_from(s, seat), [box.EGON] if s.players == 2 else []
    allowed, hand = allowed_colours(s, seat), s.hands[seat]
    most = sum(sum_of_cards(s.table[seat], colour) for colour in CARDS) + sum_of_cards(hand, box.BLACK)
    yield "leader", [p == s.leader for p in [*seats, *egon]]
    yield "bid_colour", one_of(int(s.bid_colour), box.COLOURS)
    yield "allowed", [colour in allowed for colour in COLOURED]
    yield "reach", [most + sum_of_cards(hand, colour) if colour in allowed else 0 for colour in COLOURED]
    if egon:
        yield "egon", egon_cards(s)
        yield "egon_drawn", [s.egon_drawn]
        yield "decisions", [s.asked]


def _choice(s: Any, seat: int) -> Slices:
    black, coloured = int(s.last_black), int(s.last_colour)
    built = min(int(s.build_limit), int(s.reserve[s.seat])) if s.phase == state.PHASE_BUILD else 0
    yield "raise_last", [bool(coloured and not black), bool(black)]
    yield "raise_value", [black or coloured]
    yield "shop", one_of(int(s.chosen_kind), box.KINDS)
    yield "build_max", [built]


def _rings(s: Any, seat: int) -> Slices:
    pairs = []
    for d in range(box.DISTRICTS):
        ring = [int(lot) for lot in s.rings[d] if lot != state.NO_LOT]
        joined = [{a, b} for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
        pairs.append([{a, b} in joined for a in range(box.SIDES) for b in range(a + 1, box.SIDES)])
    yield "ring", pairs


# ---------------------------------------------------------------- what is remembered  [7.2]


def counted(colour: int, values: Sequence[int]) -> np.ndarray[Any, Any]:
    """The values of cards of one colour as counts of the kinds of cards."""
    found = np.zeros(box.CARD_KINDS, int)
    for value in values:
        found[3 * colour + value - 4] += 1
    return found


def _memory(s: Any, seat: int) -> Slices:
    seats, known = seats_from(s, seat), s.memory_known.astype(int)
    first = [*(int(n) for n in s.memory_first), int(s.memory_unknown)]
    covered = s.hands - known
    hidden, under, after = sum(covered), np.zeros(box.CARD_KINDS, int), np.zeros(box.CARD_KINDS, int)
    for colour in CARDS:
        cards, top = stack(s, colour), int(colour != box.BLACK)  # the top card of a coloured stack is open
        split = max(first[colour], top)
        hidden = hidden + counted(colour, cards[top:split])
        under += counted(colour, cards[split:])
        if first[colour] <= top:
            after += counted(colour, cards[top : top + 1])
    yield "known", known[seats]
    yield "covered", [by_colour(covered[p]) for p in seats]
    yield "hidden", hidden
    yield "first_part", first[: box.COLOURS]
    yield "under", under
    yield "next", after
    yield "unknown_part", [s.memory_unknown]


def _black_memory(s: Any, seat: int) -> Slices:
    seats, shuffles = seats_from(s, seat), int(s.memory_shuffles)
    old = s.memory_held[shuffles - 1].astype(int) if shuffles else np.zeros((box.MAX_PLAYERS, 3), int)
    shown = np.zeros((box.MAX_PLAYERS, 3), int)
    for event in map(int, s.memory_log[: s.memory_log_n]):
        if event == state.SHUFFLED:
            shown[:] = 0
        elif event % 4:
            shown[event // 4, event % 4 - 1] += 1
    yield "old", old.sum(axis=0)
    yield "own_old", old[seat]
    yield "old_n", old[seats].sum(axis=1)
    yield "shown", shown[seats]
    yield "out", [list(s.tiles[-box.TILES_OUT :]).count(kind) for kind in range(box.KINDS)]
