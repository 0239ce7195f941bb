"""A watcher of Manhattan: the books that a person with perfect memory keeps, from what one seat sees alone.

Written from RULES.md, sections 1 to 3, 6 and 7.2, without knowledge of the program's state. `see` takes the entries of
a seat's history one after the other; `knowledge` says what is known then, `possible` whether a deal agrees.

Places read in the movements: "hand S", "pile S", "deck" and "marker"; all others hold nothing hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.manhattan.watching.discards import RestrictedWays
from tests.support.ways import Contradiction, Ways, replayed

Json = dict[str, Any]

KINDS, COPIES = 9, 5  # printed squares, cards of each (1.1)
HAND = 4
MOST_POSSIBLE = 10_000
SIDES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}  # by players: the side of each seat (MH-R02)
TURNED = (  # by side: the board square of each printed square (1.3)
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
)  # fmt: skip


def counted(cards: Sequence[int]) -> list[int]:
    """A list of cards as numbers by printed square."""
    counts = [0] * KINDS
    for card in cards:
        counts[card] += 1
    return counts


def listed(counts: Sequence[int]) -> list[int]:
    """Numbers by printed square as a sorted list of cards."""
    return [kind for kind in range(KINDS) for _ in range(int(counts[kind]))]


class Board:
    """Towers and chosen pieces, as far as they say which squares can be built (MH-10, MH-11)."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.floors: dict[tuple[int, int], list[int]] = {}  # by site: floors of each colour
        self.top: dict[tuple[int, int], int] = {}  # by site: the owner's colour (MH-09)
        self.chosen: dict[int, list[int]] = {colour: [] for colour in range(4)}

    def colours(self, seat: int) -> tuple[int, ...]:
        return (2 * seat, 2 * seat + 1) if self.players == 2 else (seat,)

    def take(self, seat: int, words: list[str]) -> None:
        """A set for the new round; what was not built of the last one is gone (MH-04, MH-19)."""
        own = int(words.pop(0)[1]) if self.players == 2 else 0
        self.chosen[self.colours(seat)[own]] = [int(word) for word in words]

    def put(self, city: int, square: int, colour: int, height: int) -> None:
        self.floors.setdefault((city, square), [0] * 4)[colour] += height
        self.top[city, square] = colour

    def build(self, seat: int, words: list[str]) -> int:
        """A piece is put on a site; the printed square of the card that was played (MH-R16)."""
        city, square, height = map(int, words[:3])
        colour = self.colours(seat)[int(words[3][1]) if self.players == 2 else 0]
        self.chosen[colour].remove(height)
        self.put(city, square, colour, height)
        return TURNED[SIDES[self.players][seat]].index(square)

    def _open(self, city: int, square: int, colour: int) -> bool:
        """Whether the colour's highest chosen piece may be put on the site (MH-10, MH-11)."""
        if not self.chosen[colour]:
            return False
        owner = self.top.get((city, square), colour)
        if owner == colour:
            return True
        floors = self.floors[city, square]
        return floors[colour] + max(self.chosen[colour]) >= floors[owner]

    def buildable(self, seat: int) -> list[int]:
        """The printed squares with a legal BUILD for a hand that holds the card."""
        turned = TURNED[SIDES[self.players][seat]]
        return [
            kind
            for kind in range(KINDS)
            if any(self._open(city, turned[kind], colour) for city in range(6) for colour in self.colours(seat))
        ]


class Watcher:
    """What one seat knows of a game of Manhattan.

    A game from a made-up position says in its first entry, beside `seen`: `unseen` (the cards in the other hands and
    the deck), `old` and `drawn` (those that are old, and by seat the number of cards drawn since the last reshuffle;
    or nothing), and `board` (`chosen` and `towers` as in RULES.md, section 10).
    """

    def __init__(self, first: Mapping[str, Any]) -> None:
        self.players, self.viewer = int(first["players"]), int(first["viewer"])
        self.others = [seat for seat in range(self.players) if seat != self.viewer]
        self.board = Board(self.players)
        self.hand = [0] * KINDS
        self.piles: list[list[int]] = [[] for _ in range(self.players)]
        self.plays: list[list[list[Any]]] = [[]]  # by shuffle, as RULES.md section 10 writes them
        self.held: list[list[int]] = []  # the own hand at each reshuffle
        self.old: list[int] | None = None
        sizes = [0] * self.players
        for movement in first["seen"]:
            if movement["to"].startswith("hand"):
                self._dealt(movement, sizes)
            elif movement["to"].startswith("pile"):
                self.piles[int(movement["to"].split()[1])] += movement["cards"]
        unseen = counted(first["unseen"]) if "unseen" in first else [COPIES - number for number in self.hand]
        self.ways: Ways | RestrictedWays = Ways(unseen, [sizes[seat] for seat in self.others])
        if first.get("old") is not None:
            self._begin_with_old(first["old"], first["drawn"])
        self._place(first.get("board", {}))
        self.starts = [self._plain().copy()]  # by shuffle: pool and sizes after it
        self.events: list[list[tuple[str, int, int]]] = [[]]  # by shuffle, for `replayed`
        self._known: Json | None = None

    def _dealt(self, movement: Mapping[str, Any], sizes: list[int]) -> None:
        seat, cards = int(movement["to"].split()[1]), movement["cards"]
        if seat == self.viewer:
            self.hand = [had + new for had, new in zip(self.hand, counted(cards), strict=True)]
        sizes[seat] += cards if isinstance(cards, int) else len(cards)

    def _begin_with_old(self, cards: list[int], drawn: list[int]) -> None:
        """A position after a reshuffle, with nothing shown since."""
        after, old = self.ways.pool, counted(cards)
        ways = Ways(old, [size - drawn[seat] for size, seat in zip(self.ways.sizes, self.others, strict=True)])
        ways.shuffle([whole - part for whole, part in zip(after, old, strict=True)])
        for hand, seat in enumerate(self.others):
            for _ in range(drawn[seat]):
                ways.draw(hand)
        self.ways, self.old = ways, sorted(cards) if self.players > 2 else None

    def _place(self, board: Mapping[str, Any]) -> None:
        for colour, pieces in board.get("chosen", {}).items():
            self.board.chosen[int(colour)] = list(pieces)
        for city, square, pieces in board.get("towers", []):
            for colour, height in pieces:
                self.board.put(city, square, colour, height)

    # ------------------------------------------------------------ what happens

    def see(self, entry: Mapping[str, Any]) -> None:
        """Take the next entry of the history."""
        seat, words = int(entry["seat"]), entry["move"].split()
        kind = words.pop(0)
        if kind == "take":
            self.board.take(seat, words)
            return
        self._known = None
        if kind == "build":
            card, closed = self.board.build(seat, words), None
        else:
            card, closed = int(words[0]), self.board.buildable(seat)
        self._movements(seat, entry["seen"], card, closed)

    def _movements(self, seat: int, seen: Sequence[Mapping[str, Any]], card: int, closed: list[int] | None) -> None:
        """One card onto the pile, a reshuffle perhaps, one card drawn: nothing else, in this order."""
        played = shuffled = drawn = False
        for movement in seen:
            source, target, cards = movement["from"], movement["to"], movement["cards"]
            if target == f"pile {seat}":
                if played or source != f"hand {seat}" or cards != [card]:
                    raise Contradiction(f"{movement} instead of the card {card}")
                self._play(seat, card, closed)
                played = True
            elif target == "deck":
                if not played or drawn or not movement.get("shuffled"):
                    raise Contradiction(f"{movement} in the wrong place")
                if not shuffled:
                    self._reshuffle()
                shuffled = True
            elif source == "deck":
                if not played or drawn or target != f"hand {seat}":
                    raise Contradiction(f"{movement} in the wrong place")
                self._draw(seat, cards)
                drawn = True
        if not drawn:
            raise Contradiction(f"seat {seat} drew no card")

    def _play(self, seat: int, card: int, closed: list[int] | None) -> None:
        """MH-M05, and MH-M10 if the squares that could be built are given."""
        self.plays[-1].append([seat, card] if closed is None else [seat, card, closed])
        self.piles[seat].append(card)
        if seat == self.viewer:
            if not self.hand[card]:
                raise Contradiction(f"the own card {card}")
            self.hand[card] -= 1
            return
        hand = self.others.index(seat)
        if closed is not None:
            if isinstance(self.ways, Ways):
                self.ways = RestrictedWays(self.ways)
            self._event("restrict", hand, sum(1 << kind for kind in closed))
        self._event("show", hand, card)
        if self.old is not None and card in self.old:
            self.old.remove(card)

    def _event(self, name: str, hand: int, kind: int) -> None:
        self.events[-1].append((name, hand, kind))
        replayed(self.ways, [(name, hand, kind)])

    def _reshuffle(self) -> None:
        """MH-M07 to MH-M09."""
        stack = counted([card for pile in self.piles for card in pile])
        self.old = listed(self.ways.pool) if self.players > 2 else None
        self.piles = [[] for _ in range(self.players)]
        if isinstance(self.ways, RestrictedWays):
            self.ways = self.ways.shuffled(stack)
        else:
            self.ways.shuffle(stack)
        self.held.append(listed(self.hand))
        self.plays.append([])
        self.events.append([])
        self.starts.append(self._plain().copy())

    def _plain(self) -> Ways:
        """The ways where there was no DISCARD since the last shuffle."""
        assert isinstance(self.ways, Ways)
        return self.ways

    def _draw(self, seat: int, cards: Any) -> None:
        """MH-M06."""
        if seat != self.viewer:
            if cards != 1:
                raise Contradiction(f"the card that seat {seat} drew was shown: {cards}")
            self._event("draw", self.others.index(seat), -1)
            return
        (card,) = cards
        self.hand[card] += 1
        self._event("turn_up", -1, card)

    # ------------------------------------------------------------ what is known

    def knowledge(self) -> Json:
        """Everything but `possible`, in the words of RULES.md section 10."""
        if self._known is None:
            stack = self.ways.stack_set()
            self._known = {
                "unseen": listed(self.ways.pool),
                "sure": {
                    str(seat): listed(row) for seat, row in zip(self.others, self.ways.sure().tolist(), strict=True)
                },
                "piles": {str(seat): list(pile) for seat, pile in enumerate(self.piles)},
                "deck": None if stack is None else listed(stack),
                "old": None if self.old is None else list(self.old),
            }
        return self._known

    def number_possible(self) -> int | None:
        """How many joint other hands are possible; None if there are more than 10,000."""
        return self.ways.count(MOST_POSSIBLE)

    def possible(self, position: Mapping[str, Any]) -> str | None:
        """Why a deal, given as a position, does not agree with what was seen; None if it does."""
        hands = [counted(cards) for cards in position["hands"]]
        if hands[self.viewer] != self.hand:
            return f"the own hand is {listed(hands[self.viewer])} instead of {listed(self.hand)}"
        if position["played"] != self.piles:
            return f"the piles are {position['played']} instead of {self.piles}"
        joint = [hands[seat] for seat in self.others]
        whole = [sum(column) for column in zip(*joint, counted(position["deck"]), strict=True)]
        if whole != self.ways.pool:
            return f"the unseen cards are {listed(whole)} instead of {listed(self.ways.pool)}"
        if not self.ways.allows(joint):
            return f"no way allows the other hands {[listed(hand) for hand in joint]}"
        return self._remembered(position["memory"], joint) if "memory" in position else None

    def _remembered(self, memory: Sequence[Mapping[str, Any]], joint: list[list[int]]) -> str | None:
        """Whether the hands that others remember of each reshuffle lead from one to the next, and to `joint`."""
        if [part["plays"] for part in memory] != self.plays:
            return f"the cards played are {[part['plays'] for part in memory]} instead of {self.plays}"
        if [sorted(part["held"][self.viewer]) for part in memory[1:]] != self.held:
            return "the own hands at the reshuffles are others"
        held = [[counted(part["held"][seat]) for seat in self.others] for part in memory[1:]]
        for number, (start, events, after) in enumerate(zip(self.starts, self.events, [*held, joint], strict=True)):
            plain = start.copy()
            if number:
                plain.fix(held[number - 1])
            ways = RestrictedWays(plain) if any(name == "restrict" for name, _, _ in events) else plain
            try:
                replayed(ways, events)
            except Contradiction as reason:
                return f"after shuffle {number}: {reason}"
            if not ways.allows(after):
                return f"the hands {[listed(hand) for hand in after]} cannot follow shuffle {number}"
        return None
