"""Loading a position, second part: what the open decision needs (loading.py says what is checked and why).

A payment or an auction that has begun, the cards still to be taken, tiles to build, a rebuilding that is planned, and
decisions that follow another one of the same turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palazzo_env import components as box
from palazzo_env import state
from palazzo_env.actions import BUY, INTO, REBUILD, TABLE, parse_move
from palazzo_env.keys import parse_palace
from palazzo_env.purses import count_hand, most_of
from palazzo_env.rules import legal
from skyline.core.jit import FromPython
from skyline.positions import by_seat
from skyline.reading import Fields, Unreadable, Value

_legal, _count_hand, _most_of = FromPython(legal), FromPython(count_hand), FromPython(most_of)

CURRENCY_TEXTS = tuple(box.CURRENCY_LETTERS)
LONGEST_PALACE = len("11b/21b/31b/41b/51b")
CHANGES = {"split": state.CHANGE_SPLIT, "insert": state.CHANGE_INSERT, "remove": state.CHANGE_REMOVE}


def palace_key(text: Value) -> int:
    """The key of a palace that is given as a text."""
    try:
        return parse_palace(text.text(LONGEST_PALACE))
    except Unreadable:
        raise
    except ValueError:
        return text.refuse("a palace: tiles such as 32m, floors rising, joined by /")


def load_twin(s: Any, given: Fields) -> None:
    """BUILD: the choice made for the twin of the first tile (PZ-D8)."""
    move = given.get("twin_move", None)
    if move.is_null:
        return
    if s.phase != state.PHASE_BUILD:
        move.fault("twin_move is given in BUILD and only there")
    tile = box.TILE_TEXTS[s.lot[0]]
    match move.text().split(" "):
        case ["build", name, "new"] if name == tile:
            s.twin = state.TWIN_NEW
        case ["build", name, "scrap"] if name == tile:
            s.twin = state.TWIN_SCRAP
        case ["build", name, "on", palace] if name == tile:
            s.twin = palace_key(Value(palace, move.place))
        case _:
            move.refuse(f"the build move made for the other {tile}")


def load_taking(s: Any, given: Fields, face_up: int) -> None:
    """MONEY: the active player takes two cards, then every other seat one."""
    first = given.get("first_take", None)
    wanted = 0
    if s.phase == state.PHASE_MONEY:
        after = (int(s.seat) - int(s.active)) % int(s.players)
        wanted = int(s.players) - after + (after == 0 and first.is_null)
    if face_up != wanted:
        name = state.PHASE_NAMES[s.phase]
        given.get("face_up", []).fault(f"{wanted} cards are still to be taken in this {name}, not {face_up}")
    if first.is_null:
        return
    s.first_take = first.one_of(box.CARD_TEXTS)
    if s.phase != state.PHASE_MONEY or s.seat != s.active:
        first.fault("it is given in MONEY before the active player takes the second card, and only there")
    if not s.hands[s.seat, s.first_take]:
        first.fault(f"the card taken first is in the hand of seat {s.seat}, which has no {first.raw}")


# ---------------------------------------------------------------- auctions and payments


def load_payment(s: Any, given: Fields) -> None:
    """Totals, currencies, cards laid: what BID and PAY need."""
    players, name = int(s.players), state.PHASE_NAMES[s.phase]
    s.totals[:players] = [total.whole(0, box.MOST_TOTAL) for total in by_seat(s, given, "totals", 0)]
    locks = by_seat(s, given, "locks", None)
    s.locks[:players] = [state.NO_LOCK if lock.is_null else lock.one_of(CURRENCY_TEXTS) for lock in locks]
    for out in given.get("out", []).list(most=players):
        s.passed[out.whole(0, players - 1)] = 1
    last, standing = given.get("last", None), given.get("standing", None)
    s.last = state.NO_COMPONENT if last.is_null else last.one_of(box.COMPONENT_TEXTS)
    s.singles = given.get("singles", 0).whole(0, box.MOST_SINGLE_CERTIFICATES)
    if (s.singles > 0) != (s.last == box.CERTIFICATE):
        given.get("singles", 0).fault("certificates are laid last: 1 or 2 with the last component 2, else 0")
    for seat in range(players):
        if s.table[seat].any() or s.totals[seat] or s.locks[seat] != state.NO_LOCK:
            _check_laid(s, given, seat)
    if s.phase == state.PHASE_BID:
        _load_auction(s, given, standing)
    elif not standing.is_null or s.passed.any():
        given.get("standing", None).fault(f"standing and out belong to BID, not to {name}")
    if s.phase not in (state.PHASE_BID, state.PHASE_PAY) and s.last != state.NO_COMPONENT:
        last.fault(f"a component is laid in BID and PAY, not in {name}")


def _check_laid(s: Any, given: Fields, seat: int) -> None:
    """Who has laid cards takes part, and no bid or payment can become higher than all cards together."""
    place = by_seat(s, given, "totals", 0)[seat]
    bids = s.phase == state.PHASE_BID and not s.passed[seat]
    if not bids and not (s.phase == state.PHASE_PAY and seat == s.seat):
        place.fault(f"seat {seat} neither bids nor pays: it has no total, no currency and no cards on the table")
    if s.table[seat].any() and not s.totals[seat]:
        place.fault(f"seat {seat} has cards on the table, so its total is above 0")
    _count_hand(s, seat)
    most = box.MOST_TOTAL - int(_most_of(s, seat))
    if s.totals[seat] > most:
        place.refuse(f"at most {most}: with the hand of seat {seat} all cards come to {box.MOST_TOTAL}")


def _load_auction(s: Any, given: Fields, standing: Value) -> None:
    """The standing bid and its holder, and the quarry that is auctioned."""
    holder, bid = standing.row(2)
    s.holder, s.standing = holder.whole(0, int(s.players) - 1), bid.whole(box.OPENING_BID, box.MOST_TOTAL)
    if s.seat == s.holder or s.passed[s.seat] or s.passed[s.holder]:
        standing.fault("the holder of the standing bid and those who are out do not bid")
    if s.totals[s.holder] != s.standing:
        bid.fault(
            f"the standing bid is the total of its holder, seat {s.holder}: {s.totals[s.holder]}, not {s.standing}"
        )
    size = int(s.quarry_size[s.builder])
    if not 0 < size < box.LEAST_SHARED:
        given.get("quarries", []).fault(
            f"the builder's quarry {s.builder} holds {size} tiles: 1 .. {box.LEAST_SHARED - 1} are auctioned"
        )


# ---------------------------------------------------------------- decisions that follow others


def _is_legal(s: Any, phase: int, action: int) -> bool:
    """Whether the action would be legal if the decision were of this kind."""
    mask, kept = np.zeros(TABLE.size, np.int8), int(s.phase)
    s.phase = phase
    _legal(s, mask)
    s.phase = kept
    return bool(mask[action])


def check_turn(s: Any, given: Fields) -> None:
    """What the turn has come to must have been possible, and what is begun must come to its end."""
    decision = given.get("decision", "MAIN")
    if s.phase == state.PHASE_BUY and not _is_legal(s, state.PHASE_CHOICE, BUY):
        decision.fault(f"seat {s.seat} cannot pay for a tile of the depot: no BUY follows")
    rebuilds = s.phase in (state.PHASE_REBUILD, state.PHASE_INTO, state.PHASE_FEE)
    if rebuilds and not _is_legal(s, state.PHASE_MAIN, REBUILD):
        decision.fault(f"seat {s.seat} has no palace or no card: no {decision.raw} follows")
    if s.phase == state.PHASE_PAY and s.totals[s.seat] >= s.lot_size * max(0, box.PRICE_BASE - int(s.depot_size)):
        decision.fault("the tiles are paid: no PAY follows")
    _load_sharing(s, given)


def _load_sharing(s: Any, given: Fields) -> None:
    """Whether a distribution is going on; tiles for all seats that have still to take one."""
    sharing = given.get("sharing", bool(s.phase == state.PHASE_SHARE))
    s.sharing = sharing.flag()
    if s.phase == state.PHASE_SHARE and not s.sharing:
        sharing.refuse("true in SHARE")
    if not s.sharing:
        return
    if s.phase not in (state.PHASE_SHARE, state.PHASE_BUILD):
        sharing.refuse(f"false in {state.PHASE_NAMES[s.phase]}")
    if s.phase == state.PHASE_BUILD and s.lot_size != 1:
        given["to_build"].fault(f"in a distribution one tile is built after the other, not {s.lot_size}")
    taken = (int(s.seat) - int(s.active)) % int(s.players) + (s.phase == state.PHASE_BUILD)
    size, wanted = int(s.quarry_size[s.builder]), int(s.players) - taken
    if size < wanted:
        given.get("quarries", []).fault(
            f"the builder's quarry {s.builder} holds {size} tiles, {wanted} are still to be given out"
        )


def load_rebuilding(s: Any, given: Fields) -> None:
    """INTO, FEE: what is rebuilt, and the palace that takes an inserted tile."""
    change, target = given.get("change", None), given.get("target", None)
    if change.is_null == (s.phase in (state.PHASE_INTO, state.PHASE_FEE)):
        change.fault("a change is given in INTO and FEE and only there")
    if change.is_null:
        if not target.is_null:
            target.fault("a target is given in FEE after insert and only there")
        return
    word, *rest = _own_rebuilding(s, change)
    keys = s.palaces[s.seat, : s.palace_count[s.seat]].tolist()
    s.change, s.change_slot = CHANGES[word], keys.index(parse_palace(rest[0]))
    s.change_tile = box.TILE_TEXTS.index(rest[-1])
    if s.phase == state.PHASE_INTO and s.change != state.CHANGE_INSERT:
        change.fault("INTO follows insert only")
    if target.is_null == (s.phase == state.PHASE_FEE and s.change == state.CHANGE_INSERT):
        target.fault("a target is given in FEE after insert and only there")
    if not target.is_null:
        key = palace_key(target)
        if key not in keys or not _is_legal(s, state.PHASE_INTO, INTO + keys.index(key)):
            target.fault(f"seat {s.seat} has no palace {target.raw!r} that takes {rest[-1]}")
        s.target_slot = keys.index(key)


def _own_rebuilding(s: Any, change: Value) -> list[str]:
    """The words of a move that is legal in REBUILD."""
    text = change.text()
    try:
        action = parse_move(s, text)
    except ValueError as error:
        change.fault(str(error))
    if not _is_legal(s, state.PHASE_REBUILD, action):
        change.fault(f"{text!r} is no change that seat {s.seat} may make")
    return text.split(" ")
