"""The words that text and picture share: names, the clock, the decision, the auction, the stacks.

A to D are seats and nothing else; E is Egon. Lots, kinds of shops and commissions have short names of two letters.

With a seat, what section 7 of RULES.md hides from the seat is not read: the cards of the other hands that it does not
remember (`Remembered` says what it does). Without a seat all hands are shown. Never shown are the cards of the black
stack, coloured cards below the tops, as far as nobody remembers them, and the tiles out of the game.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.actions import ACTION_A, FIRST_PLACE, FIRST_SHOP, FIRST_TAKE
from fiveavenue_env.knowledge import knowledge
from skyline.game import LastMove, seat_name
from skyline.telling import Thing, unknown_cards, winners

AUCTION_NAMES = (*box.DISTRICT_NAMES, "Central Park")
TURN_TEXTS = ("new buildings", "a shop", "a card", "a scoring")  # by TURN_...
STACKS_LEGEND = (
    "Stacks below their tops: upper card first; u is a face-up black card, d a face-down one; x3: three copies"
)
SHORT_LOTS = ("br", "gy", "vi", "or", "gn", "da")
SHORT_CARDS = (*SHORT_LOTS[:5], "bk")
SHORT_KINDS = ("bo", "je", "ga", "pe")
SHORT_COMMISSIONS = ("wh", "be")


def owner_name(owner: int) -> str:
    """The name of a seat, or E for Egon."""
    return "E" if owner == box.EGON else seat_name(owner)


def clock(s: Any) -> str:
    """How far the game is."""
    if s.phase == state.PHASE_OVER:
        return f"over after turn {s.turn}"
    if s.phase == state.PHASE_PLACE:
        return f"start building {s.placements + 1} of {box.START_BUILDINGS * s.players}"
    what = "" if s.turn_kind == state.NO_TURN else f" ({TURN_TEXTS[s.turn_kind]})"
    return f"turn {s.turn} of at most {s.max_turns}, {seat_name(s.active)} on turn{what}"


def decision(s: Any) -> str:
    """Who decides what, or who has won."""
    if s.phase == state.PHASE_OVER:
        return winners([(int(s.scores[p]), int(s.hand_size[p])) for p in range(s.players)])  # FA-95
    return f"{seat_name(s.seat)} {_what(s)}"


def _what(s: Any) -> str:
    if s.phase == state.PHASE_SHOP:
        return f"places a {box.KIND_NAMES[s.chosen_kind]}"
    if s.phase == state.PHASE_TAKE:
        return "takes two colours"
    if s.phase == state.PHASE_BID:
        begun = " (raise begun)" if s.last_colour or s.last_black else ""
        return f"bids for {AUCTION_NAMES[s.auction_place]}{begun}"
    if s.phase == state.PHASE_BUILD:
        return f"has won {AUCTION_NAMES[s.auction_place]}: {_winners_choice(s)}"
    if s.phase == state.PHASE_MOVE:
        return "moves a commission"
    return "places a building" if s.phase == state.PHASE_PLACE else "begins a turn"


def _winners_choice(s: Any) -> str:
    """FA-D6"""
    d = s.auction_place
    builds = f"builds up to {min(s.build_limit, s.reserve[s.seat])}"
    if d == box.PARK or s.empty_bits[d]:
        return builds
    return f"{builds} or closes" if s.home[s.seat, d] != state.NO_LOT else "closes it"


def lead(s: Any) -> str:
    """The standing bid and who holds it."""
    if s.leader == state.NOBODY:
        return "no bid"
    return f"{s.standing} by {'Egon' if s.leader == box.EGON else seat_name(s.leader)}"


def auction_lines(s: Any) -> list[str]:
    """The running auction; [] if there is none."""
    if s.auction_place == state.NO_PLACE:
        return []
    coming = [*(box.DISTRICT_NAMES[d] for d in s.markers[s.commission, : s.marker_n[s.commission]]), "CP"][1:]
    lines = [
        f"Auction of {box.COMMISSION_NAMES[s.commission]}: {AUCTION_NAMES[s.auction_place]}",
        f"then {', '.join(coming)}" if coming else "the last of its round",
        lead(s),
    ]
    if s.bid_colour >= 0:
        lines.append(f"colour {box.COLOUR_NAMES[s.bid_colour]}")
    if s.egon_drawn:
        lines.append(f"Egon turned up {' '.join(map(str, s.egon[: s.egon_n].tolist())) or 'nothing'}")
    return lines


def stack_sizes(s: Any) -> list[tuple[int, int]]:
    """(cards, value of the top card or 0) of the coloured stacks."""
    sizes = []
    for colour in range(box.COLOURS):
        top, end = int(s.stack_top[colour]), int(s.stack_end[colour])
        sizes.append((end - top, int(s.stacks[colour, top]) if end > top else 0))
    return sizes


def black_text(s: Any) -> str:
    """Size of the black stack, and what lies above its first face-up card."""
    size = int(s.black_end - s.black_top)
    above = "" if s.black_above == size else f", {s.black_above} above face-up ones"
    return f"{size} black{above}"


def row_blocks(s: Any) -> list[list[int]]:
    """Kinds of the shops in the blocks that are left, the current one first."""
    blocks = s.row_kinds.reshape(box.BLOCKS, box.KINDS)[: s.blocks].tolist()
    return [[kind for kind in range(box.KINDS) for _ in range(counts[kind])] for counts in blocks]


def commissions_at(s: Any, node: int) -> list[int]:
    """The commissions that stand at a node."""
    return [c for c in range(box.COMMISSIONS) if s.node[c] == node]


def markers_in(s: Any, d: int) -> list[tuple[int, int]]:
    """(commission, place in the order laid) of the markers in a district."""
    return [(c, i + 1) for c in range(box.COMMISSIONS) for i in range(s.marker_n[c]) if s.markers[c, i] == d]


def cards_in_hand(s: Any, p: int, viewer: int | None) -> list[tuple[int, int]] | None:
    """(colour, value) of a hand, or None if the viewer does not see it."""
    if viewer not in (None, p):
        return None
    return cards_of(s.hands[p].tolist())


class Remembered:
    """What a viewer knows of the other hands and of the stacks by its memory; nothing without one.  # 7.2"""

    def __init__(self, row: Any, viewer: int | None) -> None:
        self._row = row
        self._known = {} if viewer is None else knowledge(row, viewer)

    def hand(self, p: int) -> list[tuple[int, int]] | None:
        """(colour, value) of the cards that the hand surely holds; None if nothing is remembered."""
        cards = self._known.get("sure", {}).get(str(p))
        if cards is None:
            return None
        return [(c, value) for c, name in enumerate(box.COLOUR_NAMES) for value in cards.get(name, [])]

    def unknown(self, p: int) -> list[tuple[int, int]]:
        """(colour, number) of the other cards of this hand."""
        sure = [c for c, _ in self.hand(p) or []]
        numbers = self._row.memory_unseen[p][:6] + self._row.memory_known[p].reshape(-1, 3).sum(axis=1)
        return [(c, int(n) - sure.count(c)) for c, n in enumerate(numbers) if n > sure.count(c)]

    def things(self) -> list[Thing]:
        """What is remembered beside the hands: stacks, cards not shown so far, tiles; nothing without memory."""
        if not self._known:
            return []
        things = [Thing("Stacks below their tops", "; ".join(below))] if (below := self._stacks()) else []
        unseen = [
            (c, value) for c, name in enumerate(box.COLOUR_NAMES) for value in self._known["unseen"].get(name, [])
        ]
        things += [Thing("Cards not shown so far", _copies_list(unseen))] * bool(unseen)
        out = [f"{kind} {n}" for kind, n in sorted(Counter(self._known["shops_out"]).items())]
        return things + [Thing("Shops out of the game", ", ".join(out))] * bool(out)

    def _stacks(self) -> list[str]:
        """The stacks of which cards below the top are known: `brown 6 4 under 2 unknown cards`."""
        found = [(name, max(0, stack["first"] - 1), stack["then"]) for name, stack in self._known["stacks"].items()]
        found.append(("black", self._known["black"]["unknown"], self._known["black"]["then"]))
        return [
            f"{name} {' '.join(map(str, cards))}{f' under {unknown_cards(unknown)}' if unknown else ''}"
            for name, unknown, cards in found
            if cards
        ]


def card_list(cards: list[tuple[int, int]]) -> str:
    """Values by colour: "brown 64 black 5"."""
    by_colour = [(name, "".join(str(v) for c, v in cards if c == i)) for i, name in enumerate(box.COLOUR_NAMES)]
    return " ".join(f"{name} {values}" for name, values in by_colour if values) or "-"


def _copies_list(cards: list[tuple[int, int]]) -> str:
    """Values by colour with their copies: "brown 6x3 4, black 5x12"."""
    found: dict[int, list[str]] = {}
    for (colour, value), number in Counter(cards).items():
        found.setdefault(colour, []).append(f"{value}x{number}" if number > 1 else str(value))
    return ", ".join(f"{box.COLOUR_NAMES[colour]} {' '.join(values)}" for colour, values in found.items())


def cards_of(counts: list[int]) -> list[tuple[int, int]]:
    """(colour, value) by colour, falling values."""
    return [(c, v) for c in range(6) for v in (6, 5, 4) for _ in range(counts[3 * c + v - 4])]


def seat_notes(s: Any, p: int, viewer: int | None) -> list[str]:
    """Short remarks beside a seat's name."""
    notes = ["you"] if p == viewer else []
    if s.auction_place != state.NO_PLACE:
        if s.passed >> p & 1:
            notes.append("passed")
        elif s.leader == p:
            notes.append("leads")
    if s.phase not in (state.PHASE_OVER, state.PHASE_PLACE) and s.active == p:
        notes.append("on turn")
    return notes


def last_lot(last: LastMove | None) -> int | None:
    """The lot on which the last move put a start building or a shop, or None."""
    if last is None:
        return None
    if FIRST_PLACE <= last.action < ACTION_A:
        district, colour = divmod(last.action - FIRST_PLACE, box.COLOURS)
        return box.SIDES * district + colour
    return last.action - FIRST_SHOP if FIRST_SHOP <= last.action < FIRST_TAKE else None


def park_tiles(s: Any) -> list[int]:
    """The kinds of the park tiles; after the end the three tiles turned up come first."""
    kinds = [int(kind) for kind in s.park[: s.park_n]]
    return kinds if s.phase == state.PHASE_OVER else sorted(kinds)
