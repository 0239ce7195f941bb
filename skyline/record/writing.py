"""Playing a game move by move and writing its record."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.files import write_text
from skyline.game import DEFAULT_MEMORY, NO_SEAT, Game, LastMove, illegal_move
from skyline.reading import Value
from skyline.record.format import RECORD_VERSION, RecordError
from skyline.record.history import History
from skyline.rng import check_seed, fresh_seed
from skyline.typing import Memory


class Recorder:
    """Plays one game move by move on a state of its own and keeps its record.

    >>> recorder = Recorder("manhattan", players=2, seed=1)
    >>> while recorder.seat is not None:
    ...     recorder.play(recorder.legal()[0])
    >>> recorder.save("game.jsonl")

    `memory` is the setting of the state: "recall" or "table". `history`, `since_last` and `information_state` tell a
    seat what happened (`skyline.record.history`), and `knowledge` what the seat remembers of it. A seat is a number or
    the name of an agent: 0 and "player_0" are the same.
    """

    def __init__(
        self,
        game: str | Game,
        players: int,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        memory: Memory = DEFAULT_MEMORY,
        setup: Mapping[str, Any] | None = None,
        legal: bool = False,
        agents: Sequence[str] | None = None,
    ) -> None:
        self.game = registry.load(game)
        self.options = self.game.check_options(options)
        self.state = self.game.blank(players, self.options, memory=memory)
        word = check_seed(fresh_seed() if seed is None else seed)
        self._kernels = engine.kernels(self.game)
        self.mask = engine.mask_array(self.game, players)
        self._rewards = np.zeros((1, players), np.float32)
        if setup is None:
            rows = np.zeros(1, np.int64)
            self._kernels.begin_rows(self.state, np.array([word]), rows, self.mask, self._rewards, False)
        else:
            self.state["rng"] = self.state["deal"] = word
            self.game.from_setup(self.state[0], setup)
            self._kernels.fill_masks(self.state, self.mask)
        self._history = History(self.game, self.state, self.options)
        if agents is not None:
            agents = [name.text() for name in Value(list(agents), "agents").row(players)]
        self.with_legal = legal
        self._before: tuple[Any, int] | None = None  # the rows before the last move, and its action
        self.lines: list[dict[str, Any]] = [
            {
                "record": RECORD_VERSION,
                "game": self.game.name,
                "players": players,
                "options": self.options,
                **({} if memory == DEFAULT_MEMORY else {"memory": memory}),
                "seed": int(word),
                **({} if agents is None else {"agents": agents}),
                "setup": self.game.setup(self.state[0]),
            }
        ]

    @property
    def seat(self) -> int | None:
        """Who decides; None at the end."""
        seat = int(self.state["seat"][0])
        return None if seat == NO_SEAT else seat

    def legal(self) -> list[int]:
        """The legal action ids."""
        return [int(action) for action in np.flatnonzero(self.mask[0])]

    def legal_texts(self) -> list[str]:
        return [self.game.move_text(self.state[0], action) for action in self.legal()]

    def play(self, action: int, given: Sequence[Mapping[str, Any]] | None = None) -> None:
        """Play a legal action; `given` are the chance results it must bring (None: drawn from the stream).

        IllegalMove for every other action, another ValueError for chance results that the move does not bring; the
        game then stands as before.
        """
        number = self._legal_number(action)
        if given is not None:
            given = [shuffle.mapping() for shuffle in Value(given, "shuffles").list()]
        before = self.state.copy()
        self._before = (before, number)
        line: dict[str, Any] = {"player": self.seat, "move": self.game.move_text(before[0], number)}
        if self.with_legal:
            line["legal"] = self.legal_texts()
        if given:
            self.game.preset(self.state[0], given)
        self._kernels.step_some(
            self.state, np.zeros(1, np.int64), np.array([number]), self.mask, self._rewards, engine.SCORE
        )
        events = self.game.events(before[0], self.state[0])
        if given is not None and events != [dict(event) for event in given]:
            self.state[:] = before
            self._kernels.fill_masks(self.state, self.mask)
            raise RecordError(
                f"the move {line['move']!r} causes {_shuffles(events)}, the record has {_shuffles(given)}"
            )
        self._history.add(number, given)
        self.lines += [line, *({"shuffle": event} for event in events)]
        if self.seat is None:
            self.lines.append({"end": self.result()})

    def last_move(self, viewer: int | None = None) -> LastMove | None:
        """The move played last, told to a viewer (None: everything is shown); None before the first move."""
        if self._before is None:
            return None
        before, action = self._before
        return self.game.last_move(before[0], action, self.state[0], viewer)

    def history(self, seat: int | str | None = None) -> list[dict[str, Any]]:
        """What happened in the game so far, told to a seat (None: everything is shown)."""
        return self._history.entries(seat)

    def since_last(self, seat: int | str) -> list[dict[str, Any]]:
        """The entries of `history(seat)` from the seat's own last decision on; all of them before the first one."""
        return self._history.since_last(seat)

    def information_state(self, seat: int | str) -> str:
        """`history(seat)` as canonical JSON text: equal exactly if the seat has seen the same."""
        return self._history.text(seat)

    def knowledge(self, seat: int | str) -> dict[str, Any]:
        """What the seat knows of hidden things beyond the table, as data (docs/memory.md); {} with memory="table"."""
        return self.game.knowledge(self.state[0], seat)

    def _legal_number(self, action: Any) -> int:
        """The action as a number; the kernel trusts it."""
        if self.seat is None:
            raise ValueError(f"{self.game.title}: the game is over, no move can be played")
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.mask.shape[1] or not self.mask[0, number]:
            raise illegal_move(self.game, self.state[0], self.mask[0], action, f"seat {self.seat}")
        return number

    def result(self) -> dict[str, Any]:
        """Scores and places as they stand."""
        players = int(self.state["players"][0])
        scores = [int(score) for score in self.state["scores"][0][:players]]
        return {"scores": scores, "places": self.game.places(self.state[0])}

    def text(self) -> str:
        return "".join(json.dumps(line, separators=(", ", ": ")) + "\n" for line in self.lines)

    def save(self, path: str | Path) -> Path:
        """Write the record; the file is there whole or not at all."""
        return write_text(Path(path), self.text())


def _shuffles(events: Sequence[Mapping[str, Any]]) -> str:
    if not events:
        return "no shuffle"
    return " and ".join(f"the shuffle of {event.get('deck')} to {event.get('order')}" for event in events)
