"""The base observation of Palazzo written simply: the twin of `palazzo_env.observation`. [RULES.md section 7]

Every slice is counted anew from cards, lists of tiles and palaces; no cache of the state is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palazzo_env import components as box
from palazzo_env import state
from palazzo_env.keys import tiles_of
from palazzo_env.observation_table import RANKS_SHOWN, SLOTS, observation_table
from skyline.game import NO_SEAT, RECALL
from skyline.typing import Array

Values = dict[str, Any]


def plain_observation(s: Any, viewer: int) -> Array:
    """The base observation of a row for a viewer, in the order of the table."""
    values = (
        _turn(s, viewer) | _money(s, viewer) | _payment(s, viewer) | _tiles(s, viewer) | _slots(s, viewer)
        | _seats(s, viewer) | _supply(s) | _sharing(s, viewer) | _building(s) | _memory(s, viewer)
    )  # fmt: skip
    table = observation_table(int(s.players)).base
    assert set(values) == {part.name for part in table}
    for part in table:
        assert np.size(values[part.name]) == part.length, part.name
    return np.concatenate([np.ravel(values[part.name]) for part in table]).astype(np.int64)


def _order(s: Any, viewer: int) -> list[int]:
    """The seats from the viewer on."""
    return [(viewer + j) % int(s.players) for j in range(s.players)]


def _one_of(n: int, place: int | None) -> list[int]:
    """n zeros with a one at `place`."""
    return [int(i == place) for i in range(n)]


def _turn(s: Any, viewer: int) -> Values:
    over, order = s.seat == NO_SEAT, _order(s, viewer)
    return {
        "to_move": [int(seat == s.seat) for seat in order],
        "active": [int(seat == s.active) for seat in order],
        "phase": _one_of(state.DECISIONS, None if over else int(s.phase)),
    }


# ---------------------------------------------------------------- money


def _groups(hand: Array) -> list[int]:
    """Groups T2, T3 .. T7 in a hand.  # PZ-22"""
    rows = hand[1:].reshape(box.CURRENCIES, box.VALUES)
    return [int(hand[0]) // box.GROUP_CARDS, *rows.min(axis=0).tolist()]


def largest_payment(hand: Array) -> int:
    """All groups, then the best currency and what is left of the certificates.  # PZ-20 .. PZ-22"""
    hand = hand.astype(int)
    groups = _groups(hand)
    left = hand[1:].reshape(box.CURRENCIES, box.VALUES) - groups[1:]
    best = (left * np.arange(box.LOWEST_VALUE, box.LOWEST_VALUE + box.VALUES)).sum(axis=1).max()
    return box.GROUP_VALUE * sum(groups) + box.CERTIFICATE_VALUE * (int(hand[0]) % box.GROUP_CARDS) + int(best)


def _unseen(s: Any, viewer: int) -> Array:
    """The cards in the deck and in the other hands."""
    seen = s.hands[viewer].astype(int) + s.discards + s.face_up + s.table.astype(int).sum(axis=0)
    return box.CARD_COPIES - seen


def _money(s: Any, viewer: int) -> Values:
    hand, price = s.hands[viewer], max(0, box.PRICE_BASE - int(s.depot_size))
    most = largest_payment(hand)
    return {
        "hand": hand,
        "groups": _groups(hand),
        "maxpay": most,
        "hand_size": [s.hands[seat].sum() for seat in _order(s, viewer)],
        "deck": int(s.deck_size) - int(s.deck_top),
        "discards": s.discards,
        "face_up": s.face_up,
        "unseen": _unseen(s, viewer),
        "first_pick": _one_of(box.CARD_KINDS, int(s.first_take)),
        "price": price,
        "affordable": [int(s.depot_size >= n and most >= n * price) for n in (1, 2)],
    }


def _payment(s: Any, viewer: int) -> Values:
    """What is bid or paid; zeros in other decisions."""
    order, bids, pays = _order(s, viewer), s.phase == state.PHASE_BID, s.phase == state.PHASE_PAY
    goal = 0
    if bids:
        goal = int(s.standing) + 1
    elif pays:
        goal = int(s.lot_size) * max(0, box.PRICE_BASE - int(s.depot_size))
    laying = int(bids or pays)
    last = None if s.last == state.NO_COMPONENT else int(box.RANKS[s.last])
    return {
        "table": laying * s.table[order],
        "total": laying * s.totals[order],
        "lock": [_one_of(3, int(s.locks[seat])) if laying else [0] * 3 for seat in order],
        "out": laying * s.passed[order],
        "standing": int(s.standing) if bids else 0,
        "holder": [int(bids and seat == s.holder) for seat in order],
        "goal": goal,
        "missing": laying * (goal - int(s.totals[viewer])),
        "raise_last": _one_of(RANKS_SHOWN, last if laying else None),
        "raise_j": laying * int(s.singles),
    }


# ---------------------------------------------------------------- tiles


def _tiles(s: Any, viewer: int) -> Values:
    """Each tile has a row of its own; of two equal tiles the one met first has the first row."""
    order = _order(s, viewer)
    rows = np.zeros((6 + int(s.players), box.TILES), int)
    slots = np.zeros(box.TILES, int)
    met: list[int] = []

    def put(place: int, tile: int, slot: int = 0) -> int:
        """The row of the next tile that is met."""
        row = int(box.TILE_ROWS[tile]) + met.count(tile)
        met.append(tile)
        rows[place, row], slots[row] = 1, slot
        return row

    for tile in s.depot[: s.depot_size]:
        put(0, int(tile))
    for ahead in range(1, box.QUARRIES + 1):
        quarry = (int(s.builder) + ahead) % box.QUARRIES
        for tile in s.quarries[quarry, : s.quarry_size[quarry]]:
            put(ahead, int(tile))
    rebuilt = []
    for j, seat in enumerate(order):
        for slot in range(s.palace_count[seat]):
            for _ in range(s.copies[seat, slot]):
                for tile in tiles_of(s.palaces[seat, slot]):
                    row = put(5 + j, tile, slot)
                    if seat == s.active and slot == s.change_slot and tile == s.change_tile:
                        rebuilt.append(row)
    pending = len(rows) - 1
    lot = [int(tile) for tile in s.lot[: s.lot_size]]
    if s.phase == state.PHASE_BUILD:
        for tile in lot:
            put(pending, tile)
    elif s.phase in (state.PHASE_BUY, state.PHASE_PAY):
        for i, tile in enumerate(lot):
            rows[pending, int(box.TILE_ROWS[tile]) + lot[:i].count(tile)] = 1
    elif s.change != state.NO_CHANGE:
        rows[pending, rebuilt[0]] = 1
    return {"tiles": rows, "tile_slot": slots}


def _slots(s: Any, viewer: int) -> Values:
    """The own palaces by slot."""
    windows = np.zeros((SLOTS, box.FLOORS), int)
    materials = np.zeros((SLOTS, box.FLOORS, box.MATERIALS), int)
    copies, points, lengths = np.zeros((3, SLOTS), int)
    for slot in range(min(SLOTS, int(s.palace_count[viewer]))):
        tiles = tiles_of(s.palaces[viewer, slot])
        for i, tile in enumerate(tiles):
            windows[slot, i] = box.TILE_WINDOWS[tile]
            materials[slot, i, box.TILE_MATERIALS[tile]] = 1
        copies[slot], points[slot], lengths[slot] = s.copies[viewer, slot], _points(tiles), len(tiles)
    return {
        "slot_windows": windows, "slot_materials": materials, "slot_copies": copies, "slot_points": points,
        "slot_length": lengths,
    }  # fmt: skip


def _is_uniform(tiles: list[int]) -> bool:
    """All tiles are of one material."""
    return len({int(box.TILE_MATERIALS[tile]) for tile in tiles}) == 1


def _windows(tiles: list[int]) -> int:
    return int(sum(box.TILE_WINDOWS[tile] for tile in tiles))


def _points(tiles: list[int]) -> int:
    """The table of section 8.  # PZ-80, PZ-81"""
    points = int(box.LENGTH_POINTS[len(tiles)])
    if len(tiles) >= box.LEAST_COUNTED:
        points += _windows(tiles) + _is_uniform(tiles) * int(box.UNIFORM_POINTS[len(tiles)])
    return points


def _seats(s: Any, viewer: int) -> Values:
    lengths, windows, uniform, scores = [], [], [], []
    for seat in _order(s, viewer):
        palaces = [
            tiles_of(key) for key, copies in zip(s.palaces[seat], s.copies[seat], strict=True) for _ in range(copies)
        ]
        lengths.append([sum(len(tiles) == n for tiles in palaces) for n in range(1, box.FLOORS + 1)])
        windows.append(sum(map(_windows, palaces)))
        uniform.append(sum(len(tiles) >= box.LEAST_COUNTED and _is_uniform(tiles) for tiles in palaces))
        scores.append(sum(map(_points, palaces)))
    return {"lengths": lengths, "windows": windows, "uniform": uniform, "score": scores}


def _open_tiles(s: Any) -> Array:
    """Tiles by kind in the depot, the quarries, the palaces and those to build."""
    found = [*s.depot[: s.depot_size]]
    for quarry in range(box.QUARRIES):
        found += [*s.quarries[quarry, : s.quarry_size[quarry]]]
    for seat in range(s.players):
        for slot in range(s.palace_count[seat]):
            found += tiles_of(s.palaces[seat, slot]) * int(s.copies[seat, slot])
    if s.phase == state.PHASE_BUILD:
        found += [*s.lot[: s.lot_size]]
    return np.bincount(np.array(found, int), minlength=box.TILE_KINDS)


def _supply(s: Any) -> Values:
    """The stack: its piles, the draws expected, the tiles that may come."""
    left, below_1, below_2 = box.STACK - int(s.stack_top), box.BELOW_PILE_1, box.BELOW_PILE_2
    knights, entries = box.KNIGHTS - int(s.knights), min(left, below_2)
    tenths = (10 * knights * (entries + 1) + knights + 1) // (2 * (knights + 1)) + 5 * (left - entries)
    piles = [box.PILE_1, box.PILE_2, box.PILE_3][0 if left > below_1 else 1 if left > below_2 else 2 :]
    most = np.bincount(np.concatenate(piles), minlength=box.TILE_KINDS)
    return {
        "stack": left,
        "piles": [max(left - below_1, 0), min(max(left - below_2, 0), below_1 - below_2), entries],
        "knights": int(s.knights),
        "draws_left": tenths,
        "may_come": np.minimum(most, box.TILE_COPIES - _open_tiles(s)) * (left > knights),
    }


# ---------------------------------------------------------------- the decision that is open


def _sharing(s: Any, viewer: int) -> Values:
    share = [0] * int(s.players)
    if s.sharing:
        players = int(s.players)
        taken = (int(s.seat) - int(s.active)) % players + int(s.phase != state.PHASE_SHARE)
        share = [int((seat - int(s.active)) % players >= taken) for seat in _order(s, viewer)]
    return {"quiet": max(0, int(s.quiet_limit) - int(s.quiet)), "share": share}


def _marks(tile: int | None) -> list[int]:
    """Floor, windows and material of a tile as ones."""
    if tile is None:
        return [0] * 11
    floor, windows, material = (
        int(numbers[tile]) for numbers in (box.TILE_FLOORS, box.TILE_WINDOWS, box.TILE_MATERIALS)
    )
    return _one_of(5, floor - 1) + _one_of(3, windows - 1) + _one_of(3, material)


def _building(s: Any) -> Values:
    builds, changes = s.phase == state.PHASE_BUILD, s.change != state.NO_CHANGE
    twin = builds and s.twin != state.NO_TWIN
    least = 0
    if twin and s.twin != state.TWIN_NEW:
        keys = s.palaces[s.seat, : s.palace_count[s.seat]]
        least = 1 + int((keys < s.twin).sum())
    return {
        "build_tile": _marks(int(s.lot[0]) if builds else None),
        "build_after": int(s.lot_size) - 1 if builds else 0,
        "twin": int(twin),
        "twin_least": least,
        "plan": _one_of(3, int(s.change) - 1 if changes else None),
        "plan_slot": int(s.change_slot) if changes else 0,
        "plan_tile": _marks(int(s.change_tile) if changes else None),
        "plan_target": int(s.target_slot) if s.target_slot != state.NO_SLOT else 0,
    }


# ---------------------------------------------------------------- what is remembered


def _memory(s: Any, viewer: int) -> Values:
    """Zeros with memory="table". [7.2]"""
    players, order = int(s.players), _order(s, viewer)
    if s.memory != RECALL:
        parts = [part for part in observation_table(players).base if part.recall]
        return {part.name: np.zeros(part.shape, int) for part in parts}
    hands, sure = s.hands.astype(int), s.memory_sure.astype(int)
    starting = (hands - sure).sum(axis=1)
    left = s.deck[s.deck_top : s.deck_size]
    deck = np.bincount(left, minlength=box.CARD_KINDS) * int(s.memory_shuffled)
    not_seen = _unseen(s, viewer) - deck - sum(sure[seat] for seat in order[1:])
    hidden = sum(starting[seat] for seat in order[1:]) + (0 if s.memory_shuffled else len(left))
    entries = s.stack[s.stack_top :]
    stack = np.bincount(entries[entries != box.KNIGHT], minlength=box.TILE_KINDS)
    return {
        "sure": sure[order],
        "shown": s.memory_shown[order],
        "starting": starting[order],
        "shuffled": int(s.memory_shuffled),
        "deck_cards": deck,
        "not_seen": not_seen,
        "by_counting": [np.maximum(0, not_seen - (hidden - starting[seat])) for seat in order[1:]],  # PZ-M11
        "stack_tiles": stack,
        "box": box.TILE_COPIES - _open_tiles(s) - stack,  # PZ-M13
    }
