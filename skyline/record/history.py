"""What happened in a game, told to a seat: the setup and every move with what the seat saw of it, as JSON-able data.

    [{"players": 2, "options": {}, "viewer": 0, "seen": [{"from": "box", "to": "hand 0", "cards": ["3", "7"]}, ..]},
     {"seat": 1, "move": "swap 4", "seen": [{"from": "hand 1", "to": "discards", "cards": ["4"]},
                                            {"from": "deck", "to": "hand 1", "cards": 1}]}, ..]

The first entry is the beginning; each other one is a move, forced moves included. `seen` are the movements of which the
game's `seen` tells the viewer: faces where the viewer saw them, else their number. With the viewer null everything is
shown. A game that began from a position has "position": true in its first entry, whose `seen` then says what lay
where. An illegal action that ends a game is no move of the game. The history does not depend on the setting `memory`.

A history keeps the beginning and the numbers of the actions only. Entries are made when somebody asks for them, by
playing again, and each viewer's game is played on from where that viewer asked last.
"""

from __future__ import annotations

import copy as copying
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from skyline.arguments import check_seat
from skyline.core import engine
from skyline.game import DEFAULT_MEMORY, NO_SEAT, Game, State
from skyline.typing import Array, Memory

Entry = dict[str, Any]


def beginning(
    game: Game, row: State, viewer: int | None, options: Mapping[str, Any] | None = None, *, is_position: bool = False
) -> Entry:
    """The first entry of a history: the game as it was dealt, or the position from which it was played on."""
    entry: Entry = {"players": int(row.players), "options": dict(options or {}), "viewer": viewer}
    if is_position:
        entry["position"] = True
    return {**entry, "seen": game.seen(None, -1, row, viewer)}


def moved(game: Game, before: State, action: int, after: State, viewer: int | None) -> Entry:
    """The entry of a move between two rows."""
    told = {"seat": int(before.seat), "move": game.move_text(before, action)}
    return {**told, "seen": game.seen(before, action, after, viewer)}


def told(
    game: Game, first: Array, actions: Iterable[int], seat: int | None, options: Mapping[str, Any] | None = None, *,
    is_position: bool = False,
) -> list[Entry]:  # fmt: skip
    """The history of the actions played from the row `first` (length-1 array), told to a seat (None: everything)."""
    history = History(game, first, options, is_position=is_position)
    history.moves += actions
    return history.entries(seat)


class _Telling:
    """The game played again for one viewer: how far, and the entries as JSON texts, which nobody can change."""

    __slots__ = ("asked", "mask", "played", "rewards", "row", "texts")

    def __init__(self, game: Game, row: Array) -> None:
        players = int(row["players"][0])
        self.row, self.mask = row, engine.mask_array(game, players)
        self.rewards = np.zeros((1, players), np.float32)
        self.texts: list[str] = []
        self.asked = 0  # the entry of the viewer's last decision; 0: there was none
        self.played = 0  # of the moves


class History:
    """The moves of one game, of which any seat can be told its part.

    first : length-1 state array, the game before its first move; it is copied.
    is_position : the game began there from a position.
    forced : decisions with a single legal move were played for the seats. Such moves are found by playing again, unless
        `listed`: then they stand among `moves`.
    """

    _first: Array | None = None
    _deal: tuple[int, Memory]  # seed and setting, of which the first row is made if there is none

    def __init__(
        self, game: Game, first: Array, options: Mapping[str, Any] | None = None, *,
        is_position: bool = False, forced: bool = False,
    ) -> None:  # fmt: skip
        self._begin(game, int(first["players"][0]), options, is_position, forced, False)
        self._first = first.copy()

    @classmethod
    def dealt(
        cls, game: Game, seed: int, players: int, options: Mapping[str, Any] | None = None, *,
        memory: Memory = DEFAULT_MEMORY, forced: bool = False, listed: bool = False,
    ) -> History:  # fmt: skip
        """The history of the game of a seed, which is dealt when somebody asks."""
        history = cls.__new__(cls)
        history._begin(game, players, options, False, forced, listed)
        history._deal = seed, memory
        return history

    def _begin(
        self, game: Game, players: int, options: Mapping[str, Any] | None, is_position: bool, forced: bool, listed: bool
    ) -> None:
        self.game, self.players, self.options = game, players, options
        self._deal = 0, DEFAULT_MEMORY
        self._is_position, self._forced, self._listed = is_position, forced, listed
        self.moves: list[int] = []  # whoever plays the game writes them down
        self.chance: dict[int, Sequence[Mapping[str, Any]]] = {}  # by number of the move: results that were preset
        self._tellings: dict[int | None, _Telling] = {}

    def __len__(self) -> int:
        return len(self.moves)

    def add(self, action: int, chance: Sequence[Mapping[str, Any]] | None = None) -> None:
        """Write down a move that was played; `chance`: the results that were preset for it (`Game.preset`)."""
        if chance:
            self.chance[len(self.moves)] = copying.deepcopy(chance)
        self.moves.append(action)

    def copy(self) -> History:
        """The same history in an object of its own."""
        other = History.__new__(History)
        other.__setstate__(self.__getstate__())
        other.moves, other.chance = self.moves[:], dict(self.chance)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_tellings"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._tellings = {}
        if self._first is not None:
            self._first = self._first.view(self.game.state)  # a pickled array comes with a dtype of its own

    # ------------------------------------------------------------ what is told

    def entries(self, seat: int | str | None) -> list[Entry]:
        """What happened, told to a seat (None: everything is shown), as data of the caller's own."""
        telling = self._up_to_date(None if seat is None else self._checked(seat))
        return [json.loads(text) for text in telling.texts]

    def since_last(self, seat: int | str) -> list[Entry]:
        """The entries that the seat had not been told when it was asked for its last decision.

        The first of them is that decision, because what the move brought was not known before; then every move of
        others, and forced moves of the seat itself that were played for it. Before the seat's first decision all
        entries are new, the beginning included. So the pieces of all decisions, one after the other, are the history.
        """
        telling = self._up_to_date(self._checked(seat))
        return [json.loads(text) for text in telling.texts[telling.asked :]]

    def text(self, seat: int | str) -> str:
        """The history as canonical JSON text: two texts are equal exactly if the seat has seen the same."""
        return json.dumps(self.entries(self._checked(seat)), sort_keys=True, separators=(",", ":"))

    def _checked(self, seat: Any) -> int:
        return check_seat("seat", seat, self.players)

    def _up_to_date(self, seat: int | None) -> _Telling:
        """The telling of a seat with all moves played so far."""
        telling = self._tellings.pop(seat, None)  # put back when all is well
        if telling is None:
            telling = self._begun(seat)
        for number in range(telling.played, len(self.moves)):
            if number in self.chance:
                self.game.preset(telling.row[0], self.chance[number])
            is_asked = not (self._forced and self._listed and np.count_nonzero(telling.mask) == 1)
            self._play(telling, seat, self.moves[number], is_asked)
            self._play_forced(telling, seat)
        telling.played = len(self.moves)
        self._tellings[seat] = telling
        return telling

    def _begun(self, seat: int | None) -> _Telling:
        """The game before its first decision, told to a seat."""
        if self._first is not None:
            telling = _Telling(self.game, self._first.copy())
            engine.kernels(self.game).fill_masks(telling.row, telling.mask)
        else:
            seed, memory = self._deal
            telling = _Telling(self.game, self.game.blank(self.players, self.options, memory=memory))
            words, rows = np.array([seed], np.uint64), np.zeros(1, np.int64)
            engine.kernels(self.game).begin_rows(telling.row, words, rows, telling.mask, telling.rewards, False)
        first = beginning(self.game, telling.row[0], seat, self.options, is_position=self._is_position)
        telling.texts.append(json.dumps(first))
        if self._first is None:  # an environment asks for the first decision of a position in any case
            self._play_forced(telling, seat)
        return telling

    def _play_forced(self, telling: _Telling, seat: int | None) -> None:
        """Decisions that were played for the seats and stand nowhere."""
        if self._forced and not self._listed:
            while np.count_nonzero(telling.mask) == 1 and telling.row["seat"][0] != NO_SEAT:
                self._play(telling, seat, int(telling.mask[0].argmax()), is_asked=False)

    def _play(self, telling: _Telling, seat: int | None, action: int, is_asked: bool) -> None:
        """Play a move and write its entry."""
        before = telling.row.copy()
        engine.kernels(self.game).step_some(
            telling.row, np.zeros(1, np.int64), np.array([action]), telling.mask, telling.rewards, engine.SCORE
        )
        if is_asked and int(before["seat"][0]) == seat:
            telling.asked = len(telling.texts)
        telling.texts.append(json.dumps(moved(self.game, before[0], action, telling.row[0], seat)))
