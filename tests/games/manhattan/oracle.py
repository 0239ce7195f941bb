"""Manhattan in plain, slow, obvious Python: the oracle of the fast core, written from RULES.md alone.

Pieces, towers and points are in oracle_board.py.

A site is (city 0-5, board square 0-8), squares seen from above (1.3). A tower is a list of (colour, height), bottom
first. Clause numbers (MH-..) stand beside the code that follows them. Colours are global numbers; the *own* colours 0
and 1 are those of a seat with two players (2.2).

              side 2
             0  1  2
    side 1   3  4  5   side 3
             6  7  8
              side 0
"""

from collections import Counter
from collections.abc import Sequence

from tests.games.manhattan.oracle_board import (
    ALL_CARDS,
    BUILDS_PER_COLOUR,
    CITIES,
    COLOURS,
    HAND,
    HEIGHTS,
    LAPS,
    PIECES_OF_HEIGHT,
    ROUNDS,
    SET_SIZE,
    SIDES,
    SQUARES,
    Site,
    Tower,
    board_square,
    final_places,
    may_put,
    round_points,
    seat_points,
    sets_of,
    towers_of,
)

DECK_NAME = "cards"  # section 9, in shuffle events

PICK, TURN, OVER = "pick", "turn", "over"  # phases

REQUIRED_FIELDS = {"players", "round", "marker", "phase"}  # of a position, section 10
OTHER_FIELDS = {"picked", "turn", "hands", "deck", "played", "stock", "chosen", "towers", "scores"}


class Oracle:
    """One game. It has no randomness of its own: the shuffles come in through `setup` and the events of `play`."""

    def __init__(self, players: int, options: dict, setup: dict) -> None:
        if players not in SIDES:
            raise ValueError(f"{players} players")
        if options:
            raise ValueError(f"unknown options {sorted(options)}")  # section 5: always {}
        if set(setup) != {"start", "deck"}:
            raise ValueError(f"setup has the fields {sorted(setup)}")
        if setup["start"] not in range(players):
            raise ValueError(f"start {setup['start']}")
        if Counter(setup["deck"]) != ALL_CARDS:
            raise ValueError("setup deck is not the 45 cards")
        deck = list(setup["deck"])
        self._empty_table(players)
        self.marker: int = setup["start"]  # 2.3, MH-R03
        self.hands = [sorted(deck[HAND * seat : HAND * (seat + 1)]) for seat in range(players)]  # 2.5, MH-R04, MH-R13
        self.deck = deck[HAND * players :]
        self.stock = {colour: dict(PIECES_OF_HEIGHT) for colour in self.stock}  # 2.6

    def _empty_table(self, players: int) -> None:
        """The defaults of section 10, in round 1."""
        colours = [colour for own in COLOURS[players] for colour in own]
        self.players = players
        self.round = 1
        self.marker = 0
        self.phase = PICK
        self.picked = 0  # SET decisions already taken in this round
        self.turn = 0  # turns already taken in this round
        self.hands: list[list[int]] = [[] for _ in range(players)]  # printed squares, sorted
        self.deck: list[int] = []  # top first
        self.played: list[list[int]] = [[] for _ in range(players)]  # oldest first
        self.stock: dict[int, dict[int, int]] = {colour: dict.fromkeys(HEIGHTS, 0) for colour in colours}
        self.chosen: dict[int, list[int]] = {colour: [] for colour in colours}  # heights, sorted
        self.towers: dict[Site, Tower] = {}
        self.scores: list[int] = [0] * players

    @classmethod
    def at(cls, position: dict) -> "Oracle":
        """The game at a position of section 10; fields left out have the defaults given there. What is remembered
        changes no move, so the oracle does not read it."""
        position = {field: value for field, value in position.items() if field != "memory"}
        if not REQUIRED_FIELDS <= set(position) <= REQUIRED_FIELDS | OTHER_FIELDS:
            raise ValueError(f"a position cannot have just the fields {sorted(position)}")
        game = cls.__new__(cls)
        game._empty_table(position["players"])
        game.round, game.marker, game.phase = position["round"], position["marker"], position["phase"]
        if game.phase not in (PICK, TURN, OVER):
            raise ValueError(f"phase {game.phase}")
        if game.phase == PICK:
            game.picked = position["picked"]
        else:
            game.picked = game._picks_per_round()
            game.turn = position["turn"]
        for seat, hand in enumerate(position.get("hands", [])):
            game.hands[seat] = sorted(hand)
        game.deck = list(position.get("deck", []))
        for seat, pile in enumerate(position.get("played", [])):
            game.played[seat] = list(pile)
        for colour, counts in position.get("stock", {}).items():
            game.stock[int(colour)] = dict(zip(HEIGHTS, counts, strict=True))
        for colour, heights in position.get("chosen", {}).items():
            game.chosen[int(colour)] = sorted(heights)
        game.towers = towers_of(position.get("towers", []))
        game.scores = list(position.get("scores", game.scores))
        return game

    def position(self) -> dict:
        """The whole state in the fields of section 10.

        When the game is over, `turn` is n * L; `round` and `marker` are those of the last round.
        """
        return {
            "players": self.players,
            "round": self.round,
            "marker": self.marker,
            "phase": self.phase,
            **self._progress(),
            "hands": [list(hand) for hand in self.hands],
            "deck": list(self.deck),
            "played": [list(pile) for pile in self.played],
            **self._pieces(),
            "scores": list(self.scores),
        }

    def public(self, viewer: int) -> dict:
        """What `viewer` sees now, and nothing else (section 7)."""
        if viewer not in range(self.players):
            raise ValueError(f"viewer {viewer}")
        return {
            "players": self.players,
            "round": self.round,
            "marker": self.marker,
            "phase": self.phase,
            **self._progress(),
            "seat": self.seat,
            "hand": list(self.hands[viewer]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "deck_size": len(self.deck),
            "played_sizes": [len(pile) for pile in self.played],
            "played_tops": [pile[-1] if pile else None for pile in self.played],
            **self._pieces(),
            "scores": list(self.scores),
        }

    def _progress(self) -> dict[str, int]:
        """`picked` or `turn`: decisions of the open kind already taken in this round."""
        return {"picked": self.picked} if self.phase == PICK else {"turn": self.turn}

    def _pieces(self) -> dict:
        """All pieces, open to everybody: stock, chosen pieces, towers."""
        return {
            "stock": {str(colour): [counts[height] for height in HEIGHTS] for colour, counts in self.stock.items()},
            "chosen": {str(colour): list(heights) for colour, heights in self.chosen.items()},
            "towers": [
                [city, square, [[colour, height] for colour, height in tower]]
                for (city, square), tower in sorted(self.towers.items())
            ],
        }

    @property
    def seat(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        if self.phase == OVER:
            return None
        if self.phase == PICK:
            return (self.marker + self.picked // self._colours_per_seat()) % self.players  # MH-03
        return (self.marker + self.turn) % self.players  # MH-05

    def _colours_per_seat(self) -> int:
        return len(COLOURS[self.players][0])

    def _picks_per_round(self) -> int:
        return self.players * self._colours_per_seat()

    def _turns_per_round(self) -> int:
        return self.players * LAPS[self.players]  # MH-05

    def _own_colours(self) -> tuple[int, ...]:
        return COLOURS[self.players][self.seat]

    def _picking_colour(self) -> int:
        """Own number of the colour whose set is to be chosen (MH-03)."""
        return self.picked % self._colours_per_seat()

    def _board(self, printed: int) -> int:
        """The board square of a card of the seat on turn (MH-07, MH-08)."""
        return board_square(SIDES[self.players][self.seat], printed)

    # Section 6: the legal moves

    def legal(self) -> list[tuple[int, str]]:
        """Every legal move as (action index, move text), ascending index; empty when the game is over."""
        if self.phase == OVER:
            return []
        if self.phase == PICK:
            return self._legal_sets()
        return self._legal_builds() or self._legal_discards()  # MH-17

    def _legal_sets(self) -> list[tuple[int, str]]:
        own = self._picking_colour()
        stock = self.stock[self._own_colours()[own]]
        label = f"c{own} " if self.players == 2 else ""
        return [
            (number, f"take {label}{' '.join(map(str, heights))}")
            for number, heights in enumerate(sets_of(SET_SIZE[self.players]))
            if all(heights.count(height) <= stock[height] for height in HEIGHTS)  # MH-04
        ]

    def _legal_builds(self) -> list[tuple[int, str]]:
        first = self._first_build()
        squares = {self._board(printed) for printed in self.hands[self.seat]}  # MH-07, MH-R16
        moves = []
        for own, colour in enumerate(self._own_colours()):  # MH-13
            label = f" c{own}" if self.players == 2 else ""
            for city in range(len(CITIES)):
                for square in sorted(squares):
                    tower = self.towers.get((city, square), [])
                    for height in sorted(set(self.chosen[colour])):
                        if may_put(tower, colour, height):
                            index = first + BUILDS_PER_COLOUR * own + 36 * city + 4 * square + (height - 1)
                            moves.append((index, f"build {city} {square} {height}{label}"))
        return moves

    def _legal_discards(self) -> list[tuple[int, str]]:
        first = self._first_build() + BUILDS_PER_COLOUR * self._colours_per_seat()
        return [(first + printed, f"discard {printed}") for printed in sorted(set(self.hands[self.seat]))]  # MH-R09

    def _first_build(self) -> int:
        """Number of sets: 84 for m = 6, 35 for m = 4."""
        return len(sets_of(SET_SIZE[self.players]))

    # Section 3: the effect of a move

    def cards_to_shuffle(self, text: str) -> list[int] | None:
        """The cards that the legal move `text` makes shuffled, sorted; None if it needs no shuffle (MH-16, MH-R07)."""
        if self.phase != TURN or self.deck:
            return None
        played_before = [card for pile in self.played for card in pile]
        return sorted([*played_before, self._card_of(text)])

    def _card_of(self, text: str) -> int:
        """The printed square of the card that a build or discard uses (MH-R16)."""
        kind, *rest = text.split()
        if kind == "discard":
            return int(rest[0])
        square = int(rest[1])
        return next(printed for printed in range(SQUARES) if self._board(printed) == square)

    def play(self, text: str, events: Sequence[dict] = ()) -> None:
        """Play a legal move; `events` are the shuffles it causes, each {"deck": "cards", "order": [top first]}.

        ValueError for an illegal text or wrong events; the game is then as it was.
        """
        if text not in [legal_text for _, legal_text in self.legal()]:
            raise ValueError(f"illegal move {text!r}")
        order = self._checked_order(text, events)
        if self.phase == PICK:
            self._choose_set(text)
        else:
            self._take_turn(text, order)

    def _checked_order(self, text: str, events: Sequence[dict]) -> list[int] | None:
        """The new draw deck that `events` give for this move; None if the move needs none."""
        to_shuffle = self.cards_to_shuffle(text)
        needed = 0 if to_shuffle is None else 1
        if len(events) != needed:
            raise ValueError(f"{text!r} needs {needed} shuffle events, got {len(events)}")
        if to_shuffle is None:
            return None
        (event,) = events
        if set(event) != {"deck", "order"} or event["deck"] != DECK_NAME:
            raise ValueError(f"not a shuffle of the cards: {event}")
        if sorted(event["order"]) != to_shuffle:
            raise ValueError(f"order is no permutation of the shuffled cards {to_shuffle}")
        return list(event["order"])

    def _choose_set(self, text: str) -> None:
        own = self._picking_colour()
        colour = self._own_colours()[own]
        heights = [int(word) for word in text.split() if word.isdigit()]
        for height in heights:  # MH-04
            self.stock[colour][height] -= 1
        self.chosen[colour] = sorted(heights)
        self.picked += 1
        if self.picked == self._picks_per_round():  # MH-05
            self.phase = TURN
            self.turn = 0

    def _take_turn(self, text: str, order: list[int] | None) -> None:
        """Play a card, build (or not: discard), draw (MH-06, MH-17)."""
        seat, card = self.seat, self._card_of(text)
        self.hands[seat].remove(card)
        self.played[seat].append(card)  # MH-14
        if text.startswith("build"):
            self._build(text)
        self._draw(seat, order)
        self.turn += 1
        if self.turn == self._turns_per_round():
            self._end_round()

    def _build(self, text: str) -> None:
        _, city, square, height, *label = text.split()
        own = int(label[0].removeprefix("c")) if label else 0
        colour = self._own_colours()[own]
        self.chosen[colour].remove(int(height))
        self.towers.setdefault((int(city), int(square)), []).append((colour, int(height)))  # MH-12

    def _draw(self, seat: int, order: list[int] | None) -> None:
        if order is not None:  # MH-16
            self.deck = order
            self.played = [[] for _ in range(self.players)]
        self.hands[seat] = sorted([*self.hands[seat], self.deck.pop(0)])  # MH-15

    def _end_round(self) -> None:
        gained = seat_points(round_points(self.towers, self.players), self.players)  # MH-18
        self.scores = [score + points for score, points in zip(self.scores, gained, strict=True)]
        for colour, heights in self.chosen.items():  # MH-19, MH-R10
            for height in heights:
                self.stock[colour][height] += 1
            self.chosen[colour] = []
        if self.round == ROUNDS[self.players]:  # MH-26
            self.phase = OVER
            return
        self.round += 1  # MH-20
        self.marker = (self.marker + 1) % self.players
        self.phase = PICK
        self.picked = self.turn = 0

    def places(self) -> list[int]:
        return final_places(self.scores)

    def check(self) -> None:
        """Assert that every card and piece type sums to its printed count (games from a setup only)."""
        cards = Counter(self.deck)
        for pile in self.hands + self.played:
            cards.update(pile)
        assert cards == ALL_CARDS, cards
        assert all(len(hand) == HAND for hand in self.hands), self.hands
        assert all(self.towers.values()), "a tower without pieces"
        pieces = Counter(piece for tower in self.towers.values() for piece in tower)
        for colour, heights in self.chosen.items():
            pieces.update((colour, height) for height in heights)
        for colour, counts in self.stock.items():
            pieces.update({(colour, height): count for height, count in counts.items()})
        printed = {(colour, height): count for colour in self.stock for height, count in PIECES_OF_HEIGHT.items()}
        assert pieces == Counter(printed), pieces
        assert all(count >= 0 for counts in self.stock.values() for count in counts.values()), self.stock
