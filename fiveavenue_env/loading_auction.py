"""The running auction of a position: its fields, and that cards, colours, leader and decisions belong together."""

from __future__ import annotations

from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env.auctions import colours_to_begin
from fiveavenue_env.position import PLACE_NAMES
from fiveavenue_env.state import NO_COLOUR, NOBODY, PHASE_BID, PHASE_BUILD
from skyline.core.jit import FromPython
from skyline.positions import kinds_of
from skyline.reading import Fields, Value

_colours_to_begin = FromPython(colours_to_begin)

AUCTION_FIELDS = (
    "commission", "initiator", "left", "where", "table", "standing", "leader", "passed", "in", "cpcolour", "asked",
    "egon", "last", "won",
)  # fmt: skip
MOST_BID = 302  # all cards of a colour, 58, and all black ones, 244   [section 11]


def load_auction(s: Any, auction: Value, given: Fields) -> None:
    """The field `auction`; `given` are all fields of the position."""
    fields = auction.object(*AUCTION_FIELDS, need=("commission", "initiator", "left"))
    players, c = int(s.players), fields["commission"].one_of(box.COMMISSION_NAMES)
    *marks, last = fields["left"].list(1, box.MARKERS + 1)
    last.one_of(("CP",))
    left = [mark.raw for mark in marks]
    laid = given.get("markers", {}).items().get(box.COMMISSION_NAMES[c], [])
    if laid.raw not in ([], left):
        laid.fault(f"in its auctions a commission has the markers of the field left, {left}")
    load_markers(s, c, Value(left, fields["left"].place))
    s.commission, s.auction_place = c, s.markers[c, 0] if left else box.PARK
    s.active = fields["initiator"].whole(0, players - 1)
    for p in fields.get("passed", []).list(most=players):
        s.passed |= 1 << p.whole(0, players - 1)
    _load_tables(s, fields)
    s.standing = fields.get("standing", 0).whole(0, MOST_BID)
    leader = fields.get("leader", None)
    if leader.is_null:
        s.leader = NOBODY
    else:
        s.leader = box.EGON if leader.raw == "E" and players == 2 else leader.whole(0, players - 1)
    colour = fields.get("cpcolour", None)
    s.bid_colour = NO_COLOUR if colour.is_null else colour.one_of(box.COLOUR_NAMES[:5])
    s.asked = fields.get("asked", 0).whole(0, 2)
    s.last_colour, s.last_black = (value.whole(0, 6) for value in fields.get("last", [0, 0]).row(2))
    _check_written(s, fields)
    _check_bids(s, auction)
    if s.phase == PHASE_BUILD:
        _load_won(s, fields["won"])


def _load_tables(s: Any, fields: Fields) -> None:
    for p, cards in enumerate(fields.get("table", []).list(most=int(s.players))):
        for card in cards.list(most=box.STACK + box.BLACK_STACK):
            colour, value = card.row(2)
            s.table[p, 3 * colour.one_of(box.COLOUR_NAMES) + value.whole(4, 6) - 4] += 1
        s.table_total[p] = (s.table[p] * box.CARD_VALUE).sum()
        colours = [colour for colour in range(box.COLOURS) if s.table[p, 3 * colour : 3 * colour + 3].any()]
        if len(colours) > 1 or (not colours and s.table[p].any()):
            cards.fault("a bid has cards of one colour and black ones (FA-57)")
        s.table_colour[p] = colours[0] if colours else NO_COLOUR
    egon = fields.get("egon", None)
    if not egon.is_null:
        drawn = values_of(egon, box.EGON_MOST)
        if s.players > 2 or len(set(drawn[:-1])) < len(drawn[:-1]):
            egon.fault("Egon plays with two players, and draws until a value comes again (FA-101)")
        s.egon[: len(drawn)], s.egon_n, s.egon_drawn = drawn, len(drawn), 1


def _check_written(s: Any, fields: Fields) -> None:
    """The fields `where` and `in` say again what the others say."""
    place, seats = PLACE_NAMES[s.auction_place], [p for p in range(s.players) if not s.passed >> p & 1]
    if fields.get("where", place).text() != place:
        fields["where"].fault(f"the first place of the field left, {place}, is under auction")
    if [p.whole(0, 3) for p in fields.get("in", seats).list(most=box.MAX_PLAYERS)] != seats:
        fields["in"].fault(f"the seats that have not passed are {seats}")


def _check_bids(s: Any, auction: Value) -> None:
    """Cards, colours, leader and standing bid belong together."""
    seat, laid = int(s.seat), s.table.any(axis=1)
    passed = [p for p in range(s.players) if s.passed >> p & 1]
    raising = bool(s.last_colour or s.last_black)
    for p in range(s.players):
        if laid[p] and (p in passed or not int(_colours_to_begin(s, p)) >> int(s.table_colour[p]) & 1):
            auction.fault(f"the cards of seat {p} are not in a colour allowed to it, or it has passed (FA-53 .. FA-60)")
        if s.table_total[p] > s.standing and not (raising and p == seat):
            auction.fault(f"seat {p} has laid more than the standing bid {s.standing}")
    if seat in passed or (s.leader == seat) == (s.phase == PHASE_BID) or s.leader in passed:
        auction.fault(f"seat {seat} decides: at BID it neither leads nor has passed, at BUILD it has won (FA-61)")
    if s.phase == PHASE_BUILD:
        if laid.any() or s.egon_drawn or raising:
            auction.fault("at the decision BUILD all cards of the auction are discarded (FA-63)")
        return
    bid = 0 if s.leader == NOBODY else s.egon[: s.egon_n].sum() if s.leader == box.EGON else s.table_total[s.leader]
    if s.standing != bid or (s.leader != NOBODY and bid == 0):
        auction.fault(f"the standing bid is the sum of its leader's cards, {bid}, not {s.standing}")
    _check_fixed_colour(s, auction)
    _check_raise(s, auction)
    _check_asked(s, auction, passed)


def _check_fixed_colour(s: Any, auction: Value) -> None:
    """The first bid for Central Park fixes the colour.  # FA-80"""
    wrong = s.bid_colour != NO_COLOUR and (s.auction_place != box.PARK or s.leader == NOBODY)
    if wrong or (
        s.auction_place == box.PARK and s.leader < box.EGON and s.leader != NOBODY and s.bid_colour == NO_COLOUR
    ):
        auction.fault("cpcolour is the colour of the first bid for Central Park (FA-80)")


def _check_raise(s: Any, auction: Value) -> None:
    """The last cards of a begun raise lie on the table."""
    seat, colour = int(s.seat), int(s.table_colour[s.seat])
    for first, last in ((3 * colour, int(s.last_colour)), (box.FIRST_BLACK, int(s.last_black))):
        if last and (last < 4 or colour == NO_COLOUR or not s.table[seat, first + last - 4]):
            auction.fault(f"last names the values of the cards that seat {seat} has laid last in its raise")


def _check_asked(s: Any, auction: Value, passed: list[int]) -> None:
    """With two players both decide once, the first player before the other, then Egon draws.  # FA-101"""
    if s.players > 2:
        if s.asked:
            auction.fault("asked counts decisions with two players only")
        return
    first, other = int(s.active), 1 - int(s.active)
    early = {0: (first, {first, other}), 1: (other, {other})}.get(int(s.asked))
    if (s.asked == 2) != bool(s.egon_drawn):
        auction.fault("Egon draws after the second decision (FA-101): asked is 2 and egon names his cards")
    if early and (s.seat != early[0] or early[1] & {*passed, int(s.leader)}):
        auction.fault(f"after {s.asked} decisions seat {early[0]} is asked, and has neither passed nor bid (FA-101)")


def _load_won(s: Any, won: Value) -> None:
    """Colour and number of buildings of the winner. [FA-65, FA-68]"""
    name, limit = won.row(2)
    colour = name.one_of(box.COLOUR_NAMES[:5])
    if s.bid_colour not in (NO_COLOUR, colour) or not int(_colours_to_begin(s, int(s.seat))) >> colour & 1:
        name.fault(f"seat {s.seat} cannot have won in this colour")
    s.bid_colour, s.build_limit = colour, limit.whole(1, box.BUILD_MOST)


def load_markers(s: Any, c: int, districts: Value) -> None:
    """The markers of a commission, in the order laid."""
    marks = kinds_of(districts, box.DISTRICT_NAMES, box.MARKERS)
    if len(set(marks)) < len(marks) or s.closed[marks].any():
        districts.fault("open districts, each once")
    s.markers[c] = 0
    s.markers[c, : len(marks)] = marks
    s.marker_n[c] = len(marks)


def values_of(value: Value, most: int) -> list[int]:
    """Card values 4, 5, 6."""
    return [card.whole(4, 6) for card in value.list(most=most)]
