"""The histories of a batch's games: a batch with history=True writes down every action, and tells when it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.envs.rows import Rows
from skyline.record import History
from skyline.typing import Memory


class BatchHistories:
    """Makes the history of a row's running game, and of the game that was over last there.

    A history is kept as long as its game goes on, so that the next question plays only the new moves again.
    `has_learner`: the kernels wrote down forced moves, too.
    """

    def __init__(self, rows: Rows, options: Mapping[str, Any], memory: Memory, has_learner: bool) -> None:
        self._rows, self._options, self._memory, self._has_learner = rows, options, memory, has_learner
        self._kept: dict[int, tuple[int, History]] = {}  # by row: the seed of the game, and its history

    def with_rows(self, rows: Rows) -> BatchHistories:
        """The same for other rows."""
        return BatchHistories(rows, self._options, self._memory, self._has_learner)

    @property
    def is_kept(self) -> bool:
        """Whether the batch writes its moves down."""
        return self._rows.keeps_moves

    def running(self, row: int) -> History:
        """The history of the game being played in a row."""
        rows = self._rows
        moves, seed = rows.moves[row, : rows.moved[row]].tolist(), int(rows.states["deal"][row])
        known, history = self._kept.get(row, (None, None))
        if history is None or known != seed or history.moves != moves[: len(history)]:
            history = self._dealt(seed)
            self._kept[row] = seed, history
        history.moves += moves[len(history) :]
        return history

    def final(self, row: int) -> History:
        """The history of the game that was over last in a row."""
        rows = self._rows
        history = self._dealt(int(rows.finals["deal"][row]))
        history.moves += rows.final_moves[row, : rows.final_moved[row]].tolist()
        return history

    def _dealt(self, seed: int) -> History:
        rows = self._rows
        return History.dealt(
            rows.game, seed, rows.players, self._options, memory=self._memory, forced=rows.forced,
            listed=self._has_learner,
        )  # fmt: skip
