"""A watcher of Fifth Avenue: the books that a person with perfect memory keeps, from what one seat sees alone.

Written from RULES.md, sections 1 to 3, 6 and 7.2, without knowledge of the program's state. `see` takes the entries of
a seat's history one after the other; `knowledge` says what is known then, `possible` whether a deal agrees.

A card is (colour, value): the colour's number in 1.2, black 5, and value - 4, so 0 .. 2. `Ways` keeps the joint
knowledge of each colour and of black: its hands are the unseen cards of the other players, its stack the first part of
a coloured stack below the top card, or the unknown part of the black stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.games.fiveavenue.watching.agreeing import reason_against
from tests.games.fiveavenue.watching.cards import (
    BLACK,
    BLACK_DEALT,
    COLOURED,
    COLOURS,
    COPIES,
    LOWEST,
    MOST_POSSIBLE,
    SHOPS,
    VALUES,
    Card,
    Json,
    Raise,
    by_colour,
    card_of,
    counted,
    hand_of,
    listed,
    moves_cards,
    nothing,
    outgrown,
    total_of,
)
from tests.support.ways import Contradiction, Rows, Ways, fillings, hand_fillings, replayed


class Watcher:
    """What one seat knows of a game of Fifth Avenue.

    A game from a made-up position says in its first entry `books`: `hands` (own cards), `known` (by player), `unseen`
    (by colour: what the viewer does not know), `unseen_cards` (by player and colour: how many such cards it has),
    `stacks` and `black` as RULES.md section 10 has them in `expect`, `out`, `old` (black cards of the others at the
    last black shuffle together, nothing drawn since; or null) and `table`, `standing` of a running auction.
    """

    def __init__(self, first: Mapping[str, Any]) -> None:
        self.players, self.viewer = int(first["players"]), int(first["viewer"])
        self.others = [seat for seat in range(self.players) if seat != self.viewer]
        self.falls = first.get("options", {}).get("discards", "falling") == "falling"
        self.hand = nothing()
        self.known = [nothing() for _ in range(self.players)]
        self.table: list[list[Card]] = [[] for _ in range(self.players)]
        self.first = [0] * 5
        self.open: list[int | None] = [None] * 5  # top card of a first part
        self.tails: list[list[int]] = [[] for _ in COLOURED]  # values, the known part
        self.black_tail: list[tuple[int, str]] = []
        self.egon: list[int] = []
        self.standing = 0
        self.begun: Raise | None = None
        self.ways: list[Ways] = []
        if "books" in first:
            self._open_books(first["books"])
        else:
            self._setup(first["seen"])
        self.events: list[list[tuple[str, int, int]]] = [[]]  # of the black cards, by shuffle, for `replayed`
        self.told: list[list[list[Any]]] = [[]]  # the same as RULES.md section 10 writes `events`
        self.held: list[list[int]] = []  # own unseen black cards at each shuffle
        self.starts = [self.ways[BLACK].copy()]
        self._sure: list[Rows | None] = [None] * 6
        self._known: Json | None = None

    def _setup(self, seen: Sequence[Mapping[str, Any]]) -> None:
        """FA-S2 to FA-S7, as far as the viewer sees them."""
        shops = dict(SHOPS)
        for movement in seen:
            target, cards = movement["to"], movement["cards"]
            if target == f"hand {self.viewer}":
                for face in cards:
                    colour, value = card_of(face, movement["from"])
                    self.hand[colour][value] += 1
            elif target.startswith("open "):
                colour, value = card_of(cards[0], target)
                self.open[colour] = value
            elif isinstance(cards, list) and target != "out":
                for face in cards:
                    if face in shops:
                        shops[face] -= 1
        self.out = sorted(kind for kind, number in shops.items() for _ in range(number))
        self.first = [sum(COPIES[colour]) - self.players for colour in COLOURED]
        for colour, copies in enumerate(COPIES):
            pool = [number - own for number, own in zip(copies, self.hand[colour], strict=True)]
            top = None if colour == BLACK else self.open[colour]
            if top is not None:
                pool[top] -= 1
            self.ways.append(Ways(pool, [BLACK_DEALT if colour == BLACK else 1] * len(self.others)))

    def _open_books(self, books: Mapping[str, Any]) -> None:
        self.hand, self.out = hand_of(books["hands"]), sorted(books["out"])
        self.known = [hand_of(cards) for cards in books["known"]]
        self.table = [[card_of(list(face), "") for face in cards] for cards in books["table"]]
        self.standing = books["standing"]
        for colour in COLOURED:
            stack = books["stacks"].get(COLOURS[colour], {"first": 0, "then": []})
            values = [value - LOWEST for value in stack["then"]]
            top = stack.get("open")
            self.first[colour] = stack["first"]
            self.open[colour] = top - LOWEST if self.first[colour] else None
            self.tails[colour] = values if self.first[colour] or top is None else [top - LOWEST, *values]
        self.black_tail = [(int(card[0]) - LOWEST, card[1]) for card in books["black"]["then"]]
        unseen = hand_of(books["unseen"])
        for colour, name in enumerate(COLOURS):
            sizes = [books["unseen_cards"][seat].get(name, 0) for seat in self.others]
            self.ways.append(Ways(unseen[colour], sizes))
        if books["old"] is not None:
            black, old = self.ways[BLACK], counted(books["old"])
            ways = Ways(old, black.sizes)
            ways.shuffle([whole - part for whole, part in zip(black.pool, old, strict=True)])
            self.ways[BLACK] = ways

    # ------------------------------------------------------------ what happens

    def see(self, entry: Mapping[str, Any]) -> None:
        """Take the next entry of the history."""
        seat, words = int(entry["seat"]), entry["move"].split()
        if words[0] in ("add", "bid"):
            self.begun, self._known = None, None
        if words[0] == "bid":  # before Egon bids, and before the auction ends
            self.standing = total_of(self.table[seat])
        for movement in entry["seen"]:
            if moves_cards(movement):
                self._known = None
                self._movement(movement)
        if self.black_tail and not self.ways[BLACK].stack and self.black_tail[0][1] == "u":
            raise Contradiction("a face-up card is on top of the black stack and nothing was shuffled (FA-64)")
        if words[0] == "add":
            self._begun(seat, (COLOURS.index(words[1]), int(words[2]) - LOWEST))

    def _movement(self, movement: Mapping[str, Any]) -> None:
        source, target, cards = movement["from"], movement["to"], movement["cards"]
        kinds = source.split()[0], target.split()[0]
        if source == target == "stack black":
            if not movement.get("shuffled"):
                raise Contradiction(f"{movement}")
            self._shuffle()
        elif source == "stack black" and kinds[1] == "hand":
            self._draw(int(target.split()[1]), cards)
        elif source == "stack black" and kinds[1] == "egon":
            for face in cards:
                self._egon(card_of(face, source)[1])
        elif kinds == ("stack", "open"):
            self._turn_up(card_of(cards[0], target))
        elif kinds == ("open", "hand"):
            self._take(int(target.split()[1]), card_of(cards[0], source))
        elif kinds == ("hand", "table"):
            for face in cards:
                self._lay(int(source.split()[1]), card_of(face, ""))
        elif kinds == ("table", "hand"):
            self._take_back(int(source.split()[1]))
        elif kinds == ("table", "stack"):
            self._discard(int(source.split()[1]), COLOURS.index(target.split()[1]))
        elif kinds == ("egon", "stack"):
            self.black_tail += [(value, "d") for value in self.egon]  # FA-M11
            self.egon, self.standing = [], 0
        else:
            raise Contradiction(f"a movement that no rule knows: {movement}")

    def _event(self, name: str, hand: int, value: int) -> None:
        """An event of the unseen black cards."""
        self.events[-1].append((name, hand, value))
        replayed(self.ways[BLACK], [(name, hand, value)])
        self._sure[BLACK] = None

    def _shuffle(self) -> None:
        """FA-M15, FA-M16."""
        if self.ways[BLACK].stack or not self.black_tail or self.black_tail[0][1] != "u":
            raise Contradiction("a black shuffle without a face-up card on top (FA-64)")
        self.ways[BLACK].shuffle([sum(card == value for card, _ in self.black_tail) for value in VALUES])
        self._sure[BLACK] = None
        self.black_tail = []
        own = [had - sure for had, sure in zip(self.hand[BLACK], self.known[self.viewer][BLACK], strict=True)]
        self.held.append(listed(own))
        self.events.append([])
        self.told.append([])
        self.starts.append(self.ways[BLACK].copy())

    def _draw(self, seat: int, cards: Any) -> None:
        """FA-M10, FA-M14."""
        for face in cards if isinstance(cards, list) else [None] * cards:
            seen = None if face is None else card_of(face, "stack black")[1]
            if self.ways[BLACK].stack:
                self.told[-1].append([seat, "draw"])
                if (seen is None) != (seat != self.viewer):
                    raise Contradiction(f"seat {self.viewer} saw {cards} drawn by seat {seat}")
                if seen is None:
                    self._event("draw", self.others.index(seat), -1)
                else:
                    self._event("turn_up", -1, seen)
            else:
                seen = self._known_top(seen)
                self.known[seat][BLACK][seen] += 1
            if seat == self.viewer:
                assert seen is not None
                self.hand[BLACK][seen] += 1

    def _known_top(self, seen: int | None) -> int:
        """The top of the black stack, which lies at a known place."""
        if not self.black_tail:
            raise Contradiction("a card is drawn from an empty black stack")
        value, _ = self.black_tail.pop(0)
        if seen not in (None, value):
            raise Contradiction(f"a black {seen} at the place of a {value}")
        return value

    def _egon(self, value: int) -> None:
        if self.ways[BLACK].stack:
            self._event("turn_up", -1, value)
        else:
            self._known_top(value)
        self.egon.append(value)
        self.standing = max(self.standing, total_of([(BLACK, card) for card in self.egon]))

    def _turn_up(self, card: Card) -> None:
        """The next card of a first part lies open (FA-M06)."""
        colour, value = card
        if self.first[colour]:
            self.open[colour] = value
            self.ways[colour].turn_up(value)
            self._sure[colour] = None
        elif self.tails[colour][:1] != [value]:
            raise Contradiction(f"{card} at the place of {self.tails[colour][:1]}")

    def _take(self, seat: int, card: Card) -> None:
        """FA-M07."""
        colour, value = card
        if self.first[colour]:
            top = self.open[colour]
            self.first[colour] -= 1
            self.open[colour] = None
        else:
            top = self.tails[colour].pop(0)
        if top != value:
            raise Contradiction(f"{card} was taken, {top} was open")
        self.known[seat][colour][value] += 1
        if seat == self.viewer:
            self.hand[colour][value] += 1

    def _lay(self, seat: int, card: Card) -> None:
        """FA-M08."""
        colour, value = card
        self.table[seat].append(card)
        if seat == self.viewer:
            self.hand[colour][value] -= 1
        if self.known[seat][colour][value]:
            self.known[seat][colour][value] -= 1
            return
        if colour == BLACK:
            self.told[-1].append([seat, LOWEST + value])
        if seat != self.viewer:
            hand = self.others.index(seat)
            if colour == BLACK:
                self._event("show", hand, value)
            else:
                self.ways[colour].show(hand, value)
                self._sure[colour] = None

    def _take_back(self, seat: int) -> None:
        """FA-M08, FA-60: all cards on the table, in however many movements they are told."""
        for colour, value in self.table[seat]:
            self.known[seat][colour][value] += 1
            if seat == self.viewer:
                self.hand[colour][value] += 1
        self.table[seat] = []

    def _discard(self, seat: int, colour: int) -> None:
        """FA-M09, FA-M11: the winner's cards of one colour, highest first, or by an option lowest first (FA-R8)."""
        values = sorted((value for other, value in self.table[seat] if other == colour), reverse=self.falls)
        self.table[seat] = [card for card in self.table[seat] if card[0] != colour]
        self.standing = 0
        if colour == BLACK:
            self.black_tail += [(value, "u") for value in values]
        else:
            self.tails[colour] += values

    def _begun(self, seat: int, card: Card) -> None:
        """FA-M20: the raise can be finished."""
        total = total_of(self.table[seat])
        if seat != self.viewer and total <= self.standing:
            colour = next(colour for colour, _ in self.table[seat] if colour != BLACK)
            self.begun = Raise(seat, self.standing - total + 1, colour, card)

    # ------------------------------------------------------------ what is known

    @property
    def is_outgrown(self) -> bool:
        """Whether more black events or shuffles have happened than the rules keep; the books keep all.  # FA-M21"""
        return outgrown(self.told)

    def knowledge(self) -> Json:
        """Everything but `possible`, in the words of RULES.md section 10."""
        if self._known is None:
            sure = self._all_sure()
            stacks = self._stacks()
            self._known = {
                "known": [by_colour(cards) for cards in self.known],
                "unseen": by_colour([ways.pool for ways in self.ways]),
                "sure": {
                    str(seat): by_colour(
                        [
                            [known + int(more) for known, more in zip(row, sure[colour][hand], strict=True)]
                            for colour, row in enumerate(self.known[seat])
                        ]
                    )
                    for hand, seat in enumerate(self.others)
                },
                "first": dict(zip(COLOURS, self.first, strict=False)),
                "stacks": stacks,
                "black": {
                    "unknown": self.ways[BLACK].stack,
                    "then": [f"{LOWEST + value}{side}" for value, side in self.black_tail],
                },
                "shops_out": self.out,
            }
        return self._known

    def _stacks(self) -> dict[str, Json]:
        """What everybody knows of the coloured stacks (FA-M06, FA-M09)."""
        found = {}
        for colour in COLOURED:
            tops = [self.open[colour]] if self.first[colour] else []
            top, *then = [*tops, *self.tails[colour]] or [None]
            found[COLOURS[colour]] = {
                "first": self.first[colour],
                "open": None if top is None else LOWEST + top,
                "then": [LOWEST + value for value in then if value is not None],
            }
        return found

    def _all_sure(self) -> list[Rows]:
        """By colour: the unseen cards that the other hands surely hold (FA-M13, FA-M18, FA-M20)."""
        for colour, ways in enumerate(self.ways):
            if self._sure[colour] is None:
                self._sure[colour] = ways.sure()
        sure = [rows for rows in self._sure if rows is not None]
        if self.begun is not None and self.needed() > 0:
            begun, hand = self.begun, self.others.index(self.begun.seat)
            coloured, black = self.ways[begun.colour], self.ways[BLACK]
            heaviest = black.heaviest(hand, begun.black)
            sure[BLACK] = black.sure_if(hand, begun.black, self.needed() - coloured.heaviest(hand, begun.coloured))
            sure[begun.colour] = coloured.sure_if(hand, begun.coloured, self.needed() - heaviest)
        return sure

    def needed(self) -> int:
        """The weight that the unseen cards of the bidder have at least."""
        begun = self.begun
        return 0 if begun is None else begun.least - begun.weight(self.known[begun.seat])

    def number_possible(self) -> int | None:
        """How many joint other hands are possible; None if there are more than 10,000 (or too many to say)."""
        begun, product = self.begun if self.needed() > 0 else None, 1
        for colour in COLOURED:
            if begun is None or colour != begun.colour:
                product *= self.ways[colour].count(MOST_POSSIBLE) or MOST_POSSIBLE + 1
            if product > MOST_POSSIBLE:
                return None
        if begun is None:
            product *= self.ways[BLACK].count(MOST_POSSIBLE) or MOST_POSSIBLE + 1
        else:
            joint = self.ways[BLACK].joint(MOST_POSSIBLE)
            if joint is None:
                return None
            hand = self.others.index(begun.seat)
            weights = [sum(map(int.__mul__, begun.black, hands[hand])) for hands in joint]
            product *= sum(
                number * sum(weight + more >= self.needed() for more in weights)
                for weight, number in self._coloured_parts(begun, hand)
            )
        return product if product <= MOST_POSSIBLE else None

    def _coloured_parts(self, begun: Raise, hand: int) -> Iterator[tuple[int, int]]:
        """The weights of the bidder's starting cards, each with the number of joint starting cards of the colour."""
        ways = self.ways[begun.colour]
        others = tuple(size for other, size in enumerate(ways.sizes) if other != hand)
        for part in hand_fillings(tuple(ways.pool), ways.sizes[hand]):
            left = tuple(number - used for number, used in zip(ways.pool, part, strict=True))
            yield sum(map(int.__mul__, begun.coloured, part)), fillings(left, others, MOST_POSSIBLE) if others else 1

    # ------------------------------------------------------------ deals

    def possible(self, position: Mapping[str, Any]) -> str | None:
        """Why a deal, given as a position, does not agree with what was seen; None if it does."""
        return reason_against(self, position)
