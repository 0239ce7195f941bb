"""One sequence while it is played: an environment, its twin, and the checks after every call."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import NO_SEAT, Game
from tests.machine.opponents import Fault
from tests.machine.worlds import World

Call = tuple[str, int]
Errors = type[BaseException] | tuple[type[BaseException], ...]
Random = random.Random

COPIES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
OTHER_SEEDS = (True, 1.5, "1", -1, 2**64, b"1", {}, np.float64(3))


class Difference(AssertionError):
    """A check failed."""


def data(value: Any) -> Any:
    """The value as plain data: arrays by type, shape and bytes, exceptions by class and text."""
    if isinstance(value, np.ndarray):
        return [value.dtype.str, list(value.shape), value.tobytes()]
    if isinstance(value, dict):
        return {key: data(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [data(part) for part in value]
    if isinstance(value, BaseException):
        return [type(value).__name__, str(value)]
    return [type(value).__name__, value.item()] if isinstance(value, np.generic) else value


def where(one: Any, two: Any, path: str = "") -> str:
    """The first place in which two pieces of data differ."""
    if type(one) is type(two) and isinstance(one, dict) and one.keys() == two.keys():
        return next((found for key in one if (found := where(one[key], two[key], f"{path}[{key!r}]"))), "")
    if type(one) is type(two) and isinstance(one, list) and len(one) == len(two):
        pairs = enumerate(zip(one, two, strict=True))
        return next((found for i, pair in pairs if (found := where(*pair, f"{path}[{i}]"))), "")
    return "" if one == two else f"{path or 'the value'}: {one!r:.300} and {two!r:.300}"


def same(what: str, one: Any, two: Any) -> None:
    """Raise Difference unless both are the same data."""
    one, two = data(one), data(two)
    if one != two:
        raise Difference(f"{what} differ at {where(one, two)}")


def exact_view(game: Game, states: Any, seat: int, like: Any, features: str, dtype: str) -> tuple[Any, Any]:
    """Observation and mask of a seat, computed from the state alone."""
    players = int(states["players"][0])
    out = np.zeros((1, like.shape[-1]), dtype)
    scales = engine.scales(game, players, features, dtype)
    own = states.copy()
    engine.kernels(game).observe_some(own, np.zeros(1, np.int64), np.array([seat]), out, scales)
    mask = engine.mask_array(game, players)
    engine.kernels(game).fill_masks(own, mask)
    return out[0], mask[0]


class Run:
    """A sequence of one kind. The kinds derive from this class; their methods `call_..` are the calls.

    `env` gets every call, `twin` the valid calls. `begun`: there was a reset. `kept`: arrays that were handed out, with
    their bytes at that time (with copy=True these must not change).
    """

    KIND = ""

    def __init__(self, world: World, settings: dict[str, Any]) -> None:
        self.world, self.settings = world, settings
        self.begun, self.calls, self.refusals = False, 0, 0
        self.kept: list[tuple[Any, bytes]] = []
        self.env, self.twin = self.make(settings), self.make(self.twins(settings))

    # ------------------------------------------------------------ what a kind brings

    @classmethod
    def some_settings(cls, rng: Random, world: World) -> dict[str, Any]:
        raise NotImplementedError

    def make(self, settings: dict[str, Any]) -> Any:
        raise NotImplementedError

    def twins(self, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings of the twin: settings that must not change the result have other values."""
        return settings

    def all_of(self, env: Any) -> Any:
        """All parts of the environment that must be equal in the twin."""
        raise NotImplementedError

    def own(self, env: Any) -> Any:
        """All that a refused call must not change."""
        return self.all_of(env)

    def check_views(self) -> None:
        """Check that the environment shows what the kernels compute from the state."""

    def wander(self, env: Any, rng: Random) -> None:
        """Some valid calls on an environment that is thrown away."""
        raise NotImplementedError

    # ------------------------------------------------------------ playing

    @classmethod
    def names(cls) -> list[str]:
        """The names of the calls, each as often as its weight says."""
        found = [(name, getattr(cls, name)) for name in sorted(dir(cls)) if name.startswith("call_")]
        return [name for name, method in found for _ in range(getattr(method, "weight", 1))]

    def play(self, call: Call) -> None:
        name, number = call
        self.calls += 1
        getattr(self, name)(Random(number))
        same("the environment and its twin", self.all_of(self.env), self.all_of(self.twin))
        self.check_views()
        for array, then in self.kept:
            if array.tobytes() != then:
                raise Difference("an array that was handed out has been written again")

    def valid(self, call: Callable[[Any], Any]) -> Any:
        """A call that both must accept with the same result, which is returned."""
        given = call(self.env)
        same("what the call gave", given, call(self.twin))
        self.keep(given)
        return given

    def refused(self, errors: Errors, call: Callable[[Any], Any], what: str = "the call") -> None:
        """A call that must raise and change nothing."""
        self.refusals += 1
        before = data(self.own(self.env))
        try:
            call(self.env)
        except errors:
            same("before and after the refusal", before, self.own(self.env))
            return
        raise Difference(f"{what:.900} was not refused by {errors}")

    def faulty(self, fault: Fault, call: Callable[[Any], Any]) -> Any:
        """A valid call in which an opponent may fail. A failure changes nothing, and the call can be made again."""
        before = data(self.own(self.env))
        try:
            with fault:
                given = call(self.env)
        except fault.error:
            if not fault.came:
                raise
            self.refusals += 1
            same("before and after the opponent's fault", before, self.own(self.env))
            same("the environment and its twin", self.all_of(self.env), self.all_of(self.twin))
            return self.valid(call)
        if fault.came:
            raise Difference("an opponent's fault was swallowed")
        same("what the call gave", given, call(self.twin))
        self.keep(given)
        return given

    def keep(self, given: Any) -> None:
        """Note all arrays in a result."""
        if not self.settings.get("copy", True):
            return
        if isinstance(given, np.ndarray):
            self.kept.append((given, given.tobytes()))
        elif isinstance(given, dict):
            for part in given.values():
                self.keep(part)
        elif isinstance(given, (list, tuple)):
            for part in given:
                self.keep(part)

    # ------------------------------------------------------------ calls of all kinds

    def call_copy(self, rng: Random) -> None:
        """Go on with a copy or with the original. The other one is played, too, which must change nothing."""
        way = rng.choice(sorted(COPIES))
        other = COPIES[way](self.env)
        same(f"the original and its {way}", self.own(self.env), self.own(other))
        if rng.random() < 0.6:
            self.env, other = other, self.env
        self.wander(other, rng)

    def call_close(self, rng: Random) -> None:
        self.env.close()

    def wrong_reset(self, rng: Random, more: list[Any]) -> None:
        wrong = [
            *[{"seed": seed} for seed in OTHER_SEEDS],
            *[{"options": value} for value in (5, "position", [1], *more)],
        ]
        arguments = rng.choice(wrong)
        self.refused((ValueError, TypeError), lambda env: env.reset(**arguments), f"reset(**{arguments})")


def weight(times: int) -> Callable[[Any], Any]:
    """A call that is made more often than others."""

    def mark(method: Any) -> Any:
        method.weight = times
        return method

    return mark


def illegal_number(mask: Any, rng: Random) -> int:
    """A number that is no legal action."""
    size = len(mask)
    outside = [-1, size, size + 7, 2**31, 2**62, -(2**63)]
    masked = np.flatnonzero(mask == 0).tolist()
    return int(rng.choice(outside if not masked or rng.random() < 0.3 else masked))


def legal_number(mask: Any, rng: Random) -> int:
    return int(rng.choice(np.flatnonzero(mask).tolist()))


def is_over(states: Any) -> bool:
    return bool(states["seat"][0] == NO_SEAT)
