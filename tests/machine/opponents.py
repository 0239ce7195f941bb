"""Opponents that are functions, and a fault that makes all of them fail during one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skyline.game import IllegalMove
from skyline.typing import Array


class OpponentError(Exception):
    """An error that an opponent raises itself."""


def _raise(masks: Array) -> Any:
    raise OpponentError("no answer")


def _interrupt(masks: Array) -> Any:
    raise KeyboardInterrupt


def _illegal(masks: Array) -> Array:
    answers = masks.argmax(axis=1)
    answers[-1] = masks[-1].argmin() if not masks[-1].all() else -1
    return answers


WRONG: dict[str, tuple[Callable[[Array], Any], type[BaseException]]] = {
    "raises": (_raise, OpponentError),
    "is interrupted": (_interrupt, KeyboardInterrupt),
    "illegal": (_illegal, IllegalMove),
    "outside": (lambda masks: np.full(len(masks), 10**9), IllegalMove),
    "negative": (lambda masks: np.full(len(masks), -1), IllegalMove),
    "one too many": (lambda masks: np.zeros(len(masks) + 1, int), ValueError),
    "numbers with a point": (lambda masks: masks.argmax(axis=1) + 0.0, ValueError),
    "truth values": (lambda masks: masks.any(axis=1), ValueError),
    "texts": (lambda masks: masks.argmax(axis=1).astype(str), ValueError),
    "nothing": (lambda masks: None, ValueError),
    "ragged": (lambda masks: [[1], [1, 2]], ValueError),
}


class Fault:
    """A context in which question number `at` gets a wrong answer."""

    planted: Fault | None = None

    def __init__(self, name: str, at: int) -> None:
        self.answer, self.error = WRONG[name]
        self.left, self.came = at, False

    def __enter__(self) -> Fault:
        Fault.planted = self
        return self

    def __exit__(self, *error: object) -> None:
        Fault.planted = None


def _asked(healthy: Array, masks: Array) -> Any:
    fault = Fault.planted
    if fault is None:
        return healthy
    fault.left -= 1
    if fault.left != -1:
        return healthy
    fault.came = True
    return fault.answer(masks)


def as_values(masks: Array) -> Array:
    """Masks with a value for each action; masks as bits get some zeros behind the last action."""
    return np.unpackbits(masks, axis=1, bitorder="little").view(np.int8) if masks.dtype == np.uint8 else masks


def weighing(observations: Array, masks: Array, seats: Array) -> Any:
    """A legal action that depends on all arguments."""
    masks = as_values(masks)
    words = (observations.astype(np.float64).sum(axis=1) * 60).astype(np.int64) + seats
    answers = [np.flatnonzero(mask)[word % mask.sum()] for mask, word in zip(masks, words, strict=True)]
    return _asked(np.array(answers), masks)


class Last:
    """The last legal action. This object writes into its arguments, which belong to it."""

    def __call__(self, observations: Array, masks: Array, seats: Array) -> Any:
        values = as_values(masks)
        answers = values.shape[1] - 1 - values[:, ::-1].argmax(axis=1)
        given = _asked(answers, values.copy())
        observations[:], masks[:], seats[:] = 77, 1, 99
        return given


HEALTHY: dict[str, Any] = {"random": "random", "heuristic": "heuristic", "weighing": weighing, "last": Last()}
WRONG_LINE_UPS: tuple[Any, ...] = ("strong", None, 3, [], ["random"] * 9, {"random": 1}, b"random", [None] * 1)
