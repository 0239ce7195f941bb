"""A watcher of Palazzo: books kept by RULES 7.2 from the history of one seat alone.

The watcher gets the entries of `history(seat)`: the beginning, then one entry a move. It reads where cards and tiles
went and the texts of the moves, never a state, and says what a seat with perfect memory knows (`knowledge`) and whether
a drawn deal can be true (`possible`). An entry that cannot be is a `Contradiction`.

A place in a movement is a word with a number where there are several such places ("hand 1"). The watcher reads these:

    hand S    the cards of a player             stack     entries not yet drawn
    deck      the cards not yet turned up       depot     tiles for sale
    discards  the cards paid                    quarry I  tiles of a quarry
    face up   the cards turned up for MONEY     knights   the knights drawn
    table S   cards of a bid or payment         box       out of the game
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from tests.games.palazzo.watching.counts import Contradiction, Counts, counted, drop, listed, put
from tests.games.palazzo.watching.debt import Debts
from tests.games.palazzo.watching.paying import COPIES
from tests.games.palazzo.watching.piles import KNIGHT, PILES, all_tiles, pile_at, whole_piles
from tests.games.palazzo.watching.sure import Guess

Json = dict[str, Any]


@lru_cache(None)
def place_of(text: str) -> tuple[str, int]:
    """ "hand 1" -> ("hand", 1); "deck" -> ("deck", 0)."""
    word, _, number = text.rpartition(" ")
    return (word, int(number)) if number.isdigit() else (text, 0)


class Watcher:
    """The books of one seat: cards by kind, tiles by text."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        self.players, self.viewer = int(first["players"]), int(first["viewer"])
        seats = range(self.players)
        self.hand: Counts = {}  # the viewer's own
        self.known: list[Counts] = [{} for _ in seats]  # the sure cards of PZ-M05
        self.shown: list[Counts] = [{} for _ in seats]  # the starting cards shown [PZ-M07]
        self.starting = [0] * self.players  # the starting cards unseen
        self.table: list[Counts] = [{} for _ in seats]
        self.unseen: Counts = {}
        self.face_up: Counts = {}
        self.discards: Counts = {}
        self.deck_size = 0
        self.deck: Counts | None = None  # its cards, known since the first shuffle [PZ-M10]
        self.piles: dict[str, Counts] = {pile: {} for pile in PILES}
        self.left = 0  # entries of the stack
        self.knights = 0
        self.tiles: dict[str, Counts] = {"box": {}, "depot": {}, **{f"quarry {quarry}": {} for quarry in range(4)}}
        self.debts = Debts()
        if first.get("position"):
            self._begin_in_position(first["seen"])
        else:
            self._begin_with_setup(first["seen"])

    # ------------------------------------------------------------ the beginning

    def _begin_with_setup(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """55 unseen cards, 53 entries of known piles; then the deal [PZ-M04, PZ-M13]."""
        self.unseen, self.deck_size = dict(COPIES), sum(COPIES.values())
        self.piles = whole_piles()
        self.left = sum(sum(pile.values()) for pile in self.piles.values())
        for movement in seen:
            word, seat = place_of(movement["to"])
            if word == "hand":
                self._deal(seat, movement["cards"])
            elif word in ("quarry", "depot"):
                self._move("stack", movement["to"], movement["cards"])

    def _deal(self, seat: int, cards: Any) -> None:
        """Starting cards; only the viewer's own are seen."""
        faces = [] if isinstance(cards, int) else list(cards)
        if cards and bool(faces) != (seat == self.viewer):
            raise Contradiction(f"seat {self.viewer} sees {cards} dealt to hand {seat}")
        for kind in faces:
            drop(self.unseen, kind, "the unseen cards")
            put(self.hand, kind)
        number = cards if isinstance(cards, int) else len(faces)
        self.starting[seat] += number
        self.deck_size -= number

    def _begin_in_position(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """Everything comes out of the box; what nobody names is unseen, tiles that nobody names are out."""
        unseen, tiles = dict(COPIES), all_tiles()
        for movement in seen:
            word, seat = place_of(movement["to"])
            cards = movement["cards"]
            faces: list[str] = [] if isinstance(cards, int) else [str(card) for card in cards]
            number = cards if isinstance(cards, int) else len(cards)
            for face in faces if word not in ("shown", "builder") else ():
                if face in COPIES:
                    drop(unseen, face, "the box")
                for tile in face.split("/"):
                    if tile in tiles:
                        drop(tiles, tile, "the box")
            if word == "hand":
                self._hand_in_position(seat, faces, number, movement.get("known", False))
            elif word == "shown":
                self.shown[seat] = counted(faces)
            elif word == "deck":
                self.deck_size += number
                if faces or movement.get("shuffled"):
                    self.deck = counted(faces)
            elif word == "stack":
                self._stack_in_position(faces)
            elif word == "knights":
                self.knights += number
            else:
                for face in faces:
                    self._arrive(movement["to"], face)
        self.unseen = unseen
        for tile, number in tiles.items():
            put(self.tiles["box"], tile, number)

    def _hand_in_position(self, seat: int, faces: list[str], number: int, known: bool) -> None:
        if seat == self.viewer:
            for face in faces:
                put(self.hand, face)
                if known:
                    put(self.known[seat], face)
                else:
                    self.starting[seat] += 1
        elif faces:
            for face in faces:
                put(self.known[seat], face)
        else:
            self.starting[seat] += number

    def _stack_in_position(self, faces: list[str]) -> None:
        """One movement is told for each pile, first I, then II, then III."""
        self.left += len(faces)
        for pile in PILES:
            if not self.piles[pile] and all(face == KNIGHT or face[:2] in PILES[pile] for face in faces):
                self.piles[pile] = counted(faces)
                return
        raise Contradiction(f"no pile has the tiles {faces}")

    # ------------------------------------------------------------ one entry

    def see(self, entry: Mapping[str, Any]) -> None:
        """Book one move: what it asks of its mover, and what it moved, in order."""
        self.debts.see(entry["seat"], entry["move"], sum(self.tiles["depot"].values()))
        for movement in entry["seen"]:
            self._move(movement["from"], movement["to"], movement["cards"])

    def _move(self, source: str, target: str, cards: Any) -> None:
        if source == "discards" and target == "deck":
            self._shuffle(cards)
            return
        if isinstance(cards, int):
            raise Contradiction(f"{cards} cards or tiles go unseen from {source} to {target}")
        for card in cards:
            self._leave(source, card)
            self._arrive(target, card)

    def _shuffle(self, cards: Any) -> None:
        """The discards become the deck; every unseen card is in a hand [PZ-M10]."""
        if self.deck_size or (not isinstance(cards, int) and counted(cards) != self.discards):
            raise Contradiction(f"{cards} are shuffled: {self.deck_size} cards in the deck, discards {self.discards}")
        self.deck, self.discards = self.discards, {}
        self.deck_size = sum(self.deck.values())
        if isinstance(cards, int) and cards != self.deck_size:
            raise Contradiction(f"{cards} cards are shuffled, the discards were {self.deck}")

    def _leave(self, place: str, face: str) -> None:
        word, seat = place_of(place)
        if word == "hand":
            self._lay(seat, face)
        elif word == "table":
            drop(self.table[seat], face, place)
        elif word == "face up":
            drop(self.face_up, face, place)
        elif word == "deck":
            drop(self.unseen if self.deck is None else self.deck, face, "the unseen cards")
            self.deck_size -= 1
        elif word == "stack":
            drop(self.piles[pile_at(self.left)], face, f"pile {pile_at(self.left)}")
            self.left -= 1
        elif place in self.tiles:
            drop(self.tiles[place], face, place)

    def _lay(self, seat: int, kind: str) -> None:
        """A sure card is laid, else a starting card is shown [PZ-M07]."""
        if seat == self.viewer:
            drop(self.hand, kind, f"hand {seat}")
        if kind in self.known[seat]:
            drop(self.known[seat], kind)
            return
        if not self.starting[seat]:
            raise Contradiction(f"{kind} leaves hand {seat}, of which all is known: {self.known[seat]}")
        self.starting[seat] -= 1
        put(self.shown[seat], kind)
        if seat != self.viewer:
            drop(self.unseen, kind, "the unseen cards")

    def _arrive(self, place: str, face: str) -> None:
        word, seat = place_of(place)
        if word == "hand":
            put(self.known[seat], face)  # PZ-M06, PZ-M08
            if seat == self.viewer:
                put(self.hand, face)
        elif word == "table":
            put(self.table[seat], face)
        elif word == "face up":
            put(self.face_up, face)
        elif word == "discards":
            put(self.discards, face)
        elif word == "knights" or face == KNIGHT:
            self.knights += 1
        elif place in self.tiles:
            put(self.tiles[place], face)

    # ------------------------------------------------------------ what is known

    def knowledge(self) -> Json:
        """What the seat knows [7.2]."""
        seats = range(self.players)
        deck = self.deck
        if deck is None and not (self.deck_size and any(self.starting)):
            deck = self.unseen if self.deck_size else {}  # everybody knows it
        return {
            "sure": {str(seat): cards for seat, cards in enumerate(self.sure())},
            "shown": {str(seat): dict(self.shown[seat]) for seat in seats},
            "starting": {str(seat): self.starting[seat] for seat in seats},
            "unseen": dict(self.unseen),
            "deck": None if deck is None else dict(deck),
            "piles": {pile: listed(counts) for pile, counts in self.piles.items()},
            "box": listed(self.tiles["box"]),
        }

    def sure(self) -> list[Counts]:
        """The cards that each hand surely holds; of the own one those of PZ-M05."""
        deck = self.deck_size if self.deck is None else 0
        return Guess(self.viewer, self.known, self.starting, self.unseen, deck).sure(self.debts.open)

    # ------------------------------------------------------------ drawn deals

    def possible(self, position: Mapping[str, Any]) -> str | None:
        """Why a drawn deal cannot be true, or None [PZ-M16]."""
        hands = position["hands"]
        unseen: Counts = {}
        for seat, hand in enumerate(hands):
            if seat == self.viewer:
                if hand != self.hand:
                    return f"own hand {hand} drawn, {self.hand} held"
                continue
            rest = dict(hand)
            for kind, number in self.known[seat].items():
                if rest.get(kind, 0) < number:
                    return f"hand {seat} lacks {number} {kind} that it surely holds: {hand}"
                rest[kind] -= number
            if sum(rest.values()) != self.starting[seat]:
                return f"hand {seat} has {sum(hand.values())} cards: {hand}, of which {self.starting[seat]} are unseen"
            for kind, number in rest.items():
                put(unseen, kind, number)
        deck = counted(position["deck"])
        if self.deck is None:
            if sum(deck.values()) != self.deck_size:
                return f"{sum(deck.values())} cards in the deck instead of {self.deck_size}"
            for kind, number in deck.items():
                put(unseen, kind, number)
        elif deck != self.deck:
            return f"deck {deck} drawn, {self.deck} known"
        if unseen != self.unseen:
            return f"unseen cards {unseen} dealt, {self.unseen} are unseen"
        debt = self.debts.open
        if debt is not None and not debt.can_pay(hands[debt.seat]):
            return f"hand {debt.seat} {hands[debt.seat]} cannot finish the action: {debt} [PZ-M12]"
        return self._open_possible(position) or self._stack_possible(position)

    def _open_possible(self, position: Mapping[str, Any]) -> str | None:
        """What lies open, and the memory, must be as they are."""
        checks: list[tuple[str, Any, Any]] = [
            ("discard", position["discard"], self.discards),
            ("face_up", counted(position["face_up"]), self.face_up),
            ("table", position["table"], self.table),
            ("depot", counted(position["depot"]), self.tiles["depot"]),
            ("knights", position["knights"], self.knights),
            *(
                (f"quarry {at}", counted(tiles), self.tiles[f"quarry {at}"])
                for at, tiles in enumerate(position["quarries"])
            ),
        ]
        if "memory" in position:
            memory = {"known": self.known, "shown": self.shown, "shuffled": self.deck is not None}
            if not self.deck_size:  # a position with an empty deck does not say whether there was a shuffle
                memory["shuffled"] = position["memory"]["shuffled"]
            checks.append(("memory", position["memory"], memory))
        for name, found, known in checks:
            if found != known:
                return f"{name}: {found} drawn, {known} known"
        return None

    def _stack_possible(self, position: Mapping[str, Any]) -> str | None:
        """What is left of each pile, in its place [PZ-M13]."""
        found: dict[str, Counts] = {pile: {} for pile in PILES}
        stack = position["stack"]
        for above, entry in enumerate(stack):
            put(found[pile_at(len(stack) - above)], entry)
        return None if found == self.piles else f"piles {found} drawn, {self.piles} known"
