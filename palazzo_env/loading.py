"""Loading a position (position.py says what it is). What is wrong with it is a ValueError that names the place.

The core checks nothing, so the loader promises what the core relies on, whatever the data are:

    cards          as many of each kind as are printed, in hands, deck, discards, on the table and face up together:
                   counts of cards fit int8, the deck array holds them
    tiles          at most as many of each kind as are printed, in all places together: counts fit int8, a seat has at
                   most 48 palaces, a palace at most 5 floors
    depot, quarry  at most 25 tiles, with all that the stack can still bring (PZ-10): every second of its entries
    stack          the knights not yet drawn: the game ends before the stack does (PZ-12)
    lot            1 .. 3 tiles in BUILD, one of them in a distribution; in BID the auctioned quarry holds 1 .. 3
    SHARE          a tile for each seat that is still to take one
    MONEY          as many cards face up as will be taken, the first one taken in the hand of who took it
    BID, PAY       a total and what the hand can add to it are at most 275, the standing bid is its holder's total, its
                   holder has not passed; who has passed, and in PAY who does not pay, has nothing on the table
    quiet          not above `quiet_limit` (PZ-R20)
    BUY .. FEE     decisions that follow another one of the same turn (`buy`, `rebuild`, `insert`, ..): that was legal

Seats, quarries, phases, currencies and components are numbers of the tables they index. That the decision itself has
a legal move is checked by whoever loads (skyline.record.state_of).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from palazzo_env.actions import BUY, INTO, REBUILD, TABLE, parse_move
from palazzo_env.components import (
    CARD_COUNTS,
    CARD_KINDS,
    CARD_TEXTS,
    CARDS,
    CERTIFICATE,
    COMPONENT_TEXTS,
    CURRENCY_LETTERS,
    KNIGHT,
    KNIGHT_TEXT,
    KNIGHTS,
    LEAST_SHARED,
    MOST_LOT,
    MOST_SINGLE_CERTIFICATES,
    MOST_STACK,
    MOST_TOTAL,
    OPENING_BID,
    PRICE_BASE,
    QUARRIES,
    QUARRY_ROOM,
    STACK,
    TILE_COPIES,
    TILE_KINDS,
    TILE_TEXTS,
    TILES,
)
from palazzo_env.palaces import parse_palace, survey, tiles_of
from palazzo_env.payment import maxpay
from palazzo_env.rules import clear, legal
from palazzo_env.state import (
    CHANGE_INSERT,
    CHANGE_REMOVE,
    CHANGE_SPLIT,
    NO_COMPONENT,
    NO_LOCK,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_MAIN,
    PHASE_MONEY,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_REBUILD,
    PHASE_SHARE,
    TWIN_NEW,
    TWIN_SCRAP,
)
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.reading import Fields, Unreadable, Value, check_counts

_clear, _legal, _maxpay, _survey = map(FromPython, (clear, legal, maxpay, survey))

STACK_TEXTS = (*TILE_TEXTS, KNIGHT_TEXT)
CURRENCY_TEXTS = tuple(CURRENCY_LETTERS)
LONGEST_PALACE = len("11b/21b/31b/41b/51b")
NOT_OF_ACTIVE = (PHASE_MONEY, PHASE_BID, PHASE_SHARE, PHASE_BUILD, PHASE_OVER)  # where another seat may decide
OF_MONEY = (PHASE_MONEY, PHASE_REBUILD, PHASE_INTO, PHASE_FEE)  # in turns that are allowed below `quiet_limit` only
CHANGES = {"split": CHANGE_SPLIT, "insert": CHANGE_INSERT, "remove": CHANGE_REMOVE}

FIELDS = (
    "players", "player", "decision", "active", "builder", "knights", "quiet", "depot", "quarries", "stack", "deck",
    "discard", "hands", "palaces", "face_up", "first_take", "chosen", "standing", "totals", "locks", "table", "out",
    "last", "singles", "to_build", "twin_move", "sharing", "change", "target",
)  # fmt: skip


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank prepared row; missing fields are empty, cards named nowhere lie at the bottom of the deck."""
    given = Value(data, "position").object(*FIELDS)
    _clear(s)
    _load_clock(s, given)
    _load_tiles(s, given)
    _load_cards(s, given)
    _load_payment(s, given)
    _survey(s)
    _check_turn(s, given)
    _load_rebuilding(s, given)


def numbers_of(value: Value, texts: Sequence[str], most: int) -> list[int]:
    """A list of at most `most` texts of a table as their numbers."""
    return [item.one_of(texts) for item in value.list(most=most)]


def _load_clock(s: Any, given: Fields) -> None:
    players = int(s.players)
    if given.get("players", players).whole(2, 4) != players:
        given["players"].fault(f"the row is one for {players} players")
    decision = given.get("decision", "MAIN")
    s.phase = decision.one_of(PHASE_NAMES)
    s.active = given.get("active", 0).whole(0, players - 1)
    if s.phase == PHASE_OVER:
        s.seat = NO_SEAT
        if not given.get("player", None).is_null:
            given["player"].refuse("null, for nobody decides at the end")
    else:
        s.seat = given.get("player", int(s.active)).whole(0, players - 1)
    if s.phase not in NOT_OF_ACTIVE and s.seat != s.active:
        given.get("player", 0).fault(f"{decision.raw} is a decision of the active player {s.active}, not of {s.seat}")
    s.builder = given.get("builder", 0).whole(0, QUARRIES - 1)
    s.quiet = given.get("quiet", 0).whole(0, int(s.quiet_limit))
    if s.phase in OF_MONEY and s.quiet == s.quiet_limit:
        given.get("quiet", 0).fault(f"after {s.quiet} turns without draw only draw is legal: no {decision.raw} follows")
    s.knights = given.get("knights", 0).whole(0, KNIGHTS - (s.phase != PHASE_OVER))


# ---------------------------------------------------------------- tiles


def _load_tiles(s: Any, given: Fields) -> None:
    players = int(s.players)
    stack = numbers_of(given.get("stack", []), STACK_TEXTS, MOST_STACK)
    depot = sorted(numbers_of(given.get("depot", []), TILE_TEXTS, QUARRY_ROOM))
    quarries = [
        sorted(numbers_of(tiles, TILE_TEXTS, QUARRY_ROOM))
        for tiles in given.get("quarries", [[]] * QUARRIES).row(QUARRIES)
    ]
    cities = [
        [_palace(text) for text in texts.list(most=TILES)]
        for texts in given.get("palaces", [[]] * players).row(players)
    ]
    lot = _lot(s, given, depot)
    if stack.count(KNIGHT) != KNIGHTS - s.knights:
        given.get("stack", []).fault(
            f"the stack must hold the {KNIGHTS - s.knights} knights not yet drawn, not {stack.count(KNIGHT)}"
        )
    places = [stack, depot, *quarries, *(tiles_of(key) for keys in cities for key in keys)]
    found = Counter(chain(*places, lot if s.phase == PHASE_BUILD else ()))
    check_counts(given.place, [found[tile] for tile in range(TILE_KINDS)], TILE_COPIES, TILE_TEXTS)
    if s.phase != PHASE_OVER:
        _check_room(s, given, len(stack), [depot, *quarries])
    s.stack_top = STACK - len(stack)
    s.stack[s.stack_top :] = stack
    s.depot_size, s.depot[: len(depot)] = len(depot), depot
    for quarry, tiles in enumerate(quarries):
        s.quarry_size[quarry], s.quarries[quarry, : len(tiles)] = len(tiles), tiles
    for seat, keys in enumerate(map(Counter, cities)):
        s.palace_count[seat] = len(keys)
        s.palaces[seat, : len(keys)] = sorted(keys)
        s.copies[seat, : len(keys)] = [keys[key] for key in sorted(keys)]
    s.lot_size, s.lot[: len(lot)] = len(lot), lot
    _load_twin(s, given)


def _palace(text: Value) -> int:
    """The key of a palace."""
    try:
        return parse_palace(text.text(LONGEST_PALACE))
    except Unreadable:
        raise
    except ValueError:
        return text.refuse("a palace: tiles such as 32m, floors rising, joined by /")


def _check_room(s: Any, given: Fields, left: int, places: Sequence[Sequence[int]]) -> None:
    """Of two entries drawn the first one may come to the depot, the second one to a quarry; knights do not.  # PZ-10"""
    tiles = left - (KNIGHTS - int(s.knights))
    depot, *quarries = given.get("depot", []), *given.get("quarries", [[]] * QUARRIES).row(QUARRIES)
    for place, held, draws in zip((depot, *quarries), places, ((left + 1) // 2, *[left // 2] * QUARRIES), strict=True):
        if (most := len(held) + min(tiles, draws)) > QUARRY_ROOM:
            place.fault(f"with what the stack can bring there are {most} tiles, there is room for {QUARRY_ROOM}")


def _lot(s: Any, given: Fields, depot: Sequence[int]) -> list[int]:
    """The tiles chosen or to build."""
    name, other = ("to_build", "chosen") if s.phase == PHASE_BUILD else ("chosen", "to_build")
    least = {PHASE_BUILD: 1, PHASE_PAY: 1}.get(int(s.phase), 0)
    most = {PHASE_BUILD: MOST_LOT, PHASE_PAY: 2, PHASE_BUY: 1}.get(int(s.phase), 0)
    if given.get(other, []).list():
        given[other].fault(f"there are no tiles {other.replace('_', ' ')} in {PHASE_NAMES[s.phase]}")
    value = given.get(name, [])
    lot = sorted(value.one_of(TILE_TEXTS) for value in value.list(least, most))
    if name == "chosen" and Counter(lot) - Counter(depot):
        value.fault(f"chosen tiles lie in the depot, {', '.join(tile_texts(lot))} do not")
    return lot


def _load_twin(s: Any, given: Fields) -> None:
    move = given.get("twin_move", None)
    if move.is_null:
        return
    if s.phase != PHASE_BUILD:
        move.fault("twin_move is given in BUILD and only there")
    tile = TILE_TEXTS[s.lot[0]]
    match move.text().split(" "):
        case ["build", name, "new"] if name == tile:
            s.twin = TWIN_NEW
        case ["build", name, "scrap"] if name == tile:
            s.twin = TWIN_SCRAP
        case ["build", name, "on", palace] if name == tile:
            s.twin = _palace(Value(palace, move.place))
        case _:
            move.refuse(f"the build move made for the other {tile}")


# ---------------------------------------------------------------- cards


def _load_cards(s: Any, given: Fields) -> None:
    players = int(s.players)
    s.discards[:] = _counts(given.get("discard", {}))
    for name, rows in (("hands", s.hands), ("table", s.table)):
        for seat, counts in enumerate(given.get(name, [{}] * players).row(players)):
            rows[seat] = _counts(counts)
    face_up = numbers_of(given.get("face_up", []), CARD_TEXTS, players + 1)
    s.face_up[:] = np.bincount(face_up, minlength=CARD_KINDS)
    deck = numbers_of(given.get("deck", []), CARD_TEXTS, CARDS)
    named = s.hands.sum(axis=0) + s.table.sum(axis=0) + s.discards + s.face_up
    named = named + np.bincount(deck, minlength=CARD_KINDS)
    check_counts(given.place, named, CARD_COUNTS, CARD_TEXTS)
    deck += np.repeat(range(CARD_KINDS), CARD_COUNTS - named).tolist()
    s.deck_top, s.deck_size, s.deck[: len(deck)], s.deck[len(deck) :] = 0, len(deck), deck, 0
    _load_taking(s, given, len(face_up))


def _counts(value: Value) -> np.ndarray[Any, Any]:
    """An object card -> number."""
    counts = np.zeros(CARD_KINDS, int)
    for name, number in value.object(*CARD_TEXTS):
        card = CARD_TEXTS.index(name)
        counts[card] = number.whole(0, int(CARD_COUNTS[card]))
    return counts


def _load_taking(s: Any, given: Fields, face_up: int) -> None:
    """MONEY: the active player takes two cards, then every other seat one."""
    first = given.get("first_take", None)
    wanted = 0
    if s.phase == PHASE_MONEY:
        after = (int(s.seat) - int(s.active)) % int(s.players)
        wanted = int(s.players) - after + (after == 0 and first.is_null)
    if face_up != wanted:
        name = PHASE_NAMES[s.phase]
        given.get("face_up", []).fault(f"{wanted} cards are still to be taken in this {name}, not {face_up}")
    if first.is_null:
        return
    s.first_take = first.one_of(CARD_TEXTS)
    if s.phase != PHASE_MONEY or s.seat != s.active:
        first.fault("it is given in MONEY before the active player takes the second card, and only there")
    if not s.hands[s.seat, s.first_take]:
        first.fault(f"the card taken first is in the hand of seat {s.seat}, which has no {first.raw}")


# ---------------------------------------------------------------- auctions and payments


def _load_payment(s: Any, given: Fields) -> None:
    players, name = int(s.players), PHASE_NAMES[s.phase]
    totals = given.get("totals", [0] * players).row(players)
    s.totals[:players] = [total.whole(0, MOST_TOTAL) for total in totals]
    locks = given.get("locks", [None] * players).row(players)
    s.locks[:players] = [NO_LOCK if lock.is_null else lock.one_of(CURRENCY_TEXTS) for lock in locks]
    for out in given.get("out", []).list(most=players):
        s.passed[out.whole(0, players - 1)] = 1
    last, standing = given.get("last", None), given.get("standing", None)
    s.last = NO_COMPONENT if last.is_null else last.one_of(COMPONENT_TEXTS)
    s.singles = given.get("singles", 0).whole(0, MOST_SINGLE_CERTIFICATES)
    if (s.singles > 0) != (s.last == CERTIFICATE):
        given.get("singles", 0).fault("certificates are laid last: 1 or 2 with the last component 2, else 0")
    for seat in range(players):
        if s.table[seat].any() or s.totals[seat] or s.locks[seat] != NO_LOCK:
            _check_laid(s, given, seat)
    if s.phase == PHASE_BID:
        _load_auction(s, given, standing)
    elif not standing.is_null or s.passed.any():
        given.get("standing", None).fault(f"standing and out belong to BID, not to {name}")
    if s.phase not in (PHASE_BID, PHASE_PAY) and s.last != NO_COMPONENT:
        last.fault(f"a component is laid in BID and PAY, not in {name}")


def _check_laid(s: Any, given: Fields, seat: int) -> None:
    """Who has laid cards takes part, and no bid or payment can become higher than all cards together."""
    place = given.get("totals", [0] * int(s.players)).row(int(s.players))[seat]
    bids = s.phase == PHASE_BID and not s.passed[seat]
    if not bids and not (s.phase == PHASE_PAY and seat == s.seat):
        place.fault(f"seat {seat} neither bids nor pays: it has no total, no currency and no cards on the table")
    most = MOST_TOTAL - int(_maxpay(s.hands[seat]))
    if s.totals[seat] > most:
        place.refuse(f"at most {most}: with the hand of seat {seat} all cards come to {MOST_TOTAL}")


def _load_auction(s: Any, given: Fields, standing: Value) -> None:
    holder, bid = standing.row(2)
    s.holder, s.standing = holder.whole(0, int(s.players) - 1), bid.whole(OPENING_BID, MOST_TOTAL)
    if s.seat == s.holder or s.passed[s.seat] or s.passed[s.holder]:
        standing.fault("the holder of the standing bid and those who are out do not bid")
    if s.totals[s.holder] != s.standing:
        bid.fault(
            f"the standing bid is the total of its holder, seat {s.holder}: {s.totals[s.holder]}, not {s.standing}"
        )
    size = int(s.quarry_size[s.builder])
    if not 0 < size < LEAST_SHARED:
        given.get("quarries", []).fault(
            f"the builder's quarry {s.builder} holds {size} tiles: 1 .. {LEAST_SHARED - 1} are auctioned"
        )


# ---------------------------------------------------------------- decisions that follow others


def _is_legal(s: Any, phase: int, action: int) -> bool:
    """Whether the action would be legal if the decision were of this kind."""
    mask, kept = np.zeros(TABLE.size, np.int8), int(s.phase)
    s.phase = phase
    _legal(s, mask)
    s.phase = kept
    return bool(mask[action])


def _check_turn(s: Any, given: Fields) -> None:
    """What the turn has come to must have been possible, and what is begun must come to its end."""
    decision = given.get("decision", "MAIN")
    if s.phase == PHASE_BUY and not _is_legal(s, PHASE_CHOICE, BUY):
        decision.fault(f"seat {s.seat} cannot pay for a tile of the depot: no BUY follows")
    if s.phase in (PHASE_REBUILD, PHASE_INTO, PHASE_FEE) and not _is_legal(s, PHASE_MAIN, REBUILD):
        decision.fault(f"seat {s.seat} has no palace or no card: no {decision.raw} follows")
    if s.phase == PHASE_PAY and s.totals[s.seat] >= s.lot_size * max(0, PRICE_BASE - int(s.depot_size)):
        decision.fault("the tiles are paid: no PAY follows")
    _load_sharing(s, given)


def _load_sharing(s: Any, given: Fields) -> None:
    sharing = given.get("sharing", bool(s.phase == PHASE_SHARE))
    s.sharing = sharing.flag()
    if s.phase == PHASE_SHARE and not s.sharing:
        sharing.refuse("true in SHARE")
    if not s.sharing:
        return
    if s.phase not in (PHASE_SHARE, PHASE_BUILD):
        sharing.refuse(f"false in {PHASE_NAMES[s.phase]}")
    if s.phase == PHASE_BUILD and s.lot_size != 1:
        given["to_build"].fault(f"in a distribution one tile is built after the other, not {s.lot_size}")
    taken = (int(s.seat) - int(s.active)) % int(s.players) + (s.phase == PHASE_BUILD)
    size, wanted = int(s.quarry_size[s.builder]), int(s.players) - taken
    if size < wanted:
        given.get("quarries", []).fault(
            f"the builder's quarry {s.builder} holds {size} tiles, {wanted} are still to be given out"
        )


def _load_rebuilding(s: Any, given: Fields) -> None:
    change, target = given.get("change", None), given.get("target", None)
    if change.is_null == (s.phase in (PHASE_INTO, PHASE_FEE)):
        change.fault("a change is given in INTO and FEE and only there")
    if change.is_null:
        if not target.is_null:
            target.fault("a target is given in FEE after insert and only there")
        return
    word, *rest = _own_rebuilding(s, change)
    keys = s.palaces[s.seat, : s.palace_count[s.seat]].tolist()
    s.change, s.change_slot = CHANGES[word], keys.index(parse_palace(rest[0]))
    s.change_tile = TILE_TEXTS.index(rest[-1])
    if s.phase == PHASE_INTO and s.change != CHANGE_INSERT:
        change.fault("INTO follows insert only")
    if target.is_null == (s.phase == PHASE_FEE and s.change == CHANGE_INSERT):
        target.fault("a target is given in FEE after insert and only there")
    if not target.is_null:
        key = _palace(target)
        if key not in keys or not _is_legal(s, PHASE_INTO, INTO + keys.index(key)):
            target.fault(f"seat {s.seat} has no palace {target.raw!r} that takes {rest[-1]}")
        s.target_slot = keys.index(key)


def _own_rebuilding(s: Any, change: Value) -> list[str]:
    """The words of a move that is legal in REBUILD."""
    text = change.text()
    try:
        action = parse_move(s, text)
    except ValueError as error:
        change.fault(str(error))
    if not _is_legal(s, PHASE_REBUILD, action):
        change.fault(f"{text!r} is no change that seat {s.seat} may make")
    return text.split(" ")


def tile_texts(tiles: Any) -> list[str]:
    return [TILE_TEXTS[tile] for tile in tiles]
