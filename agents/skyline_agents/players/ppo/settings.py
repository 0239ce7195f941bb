"""All hyper-parameters of a training: the defaults, and one line for every game that differs from them.

`skyline train ppo GAME --set learning_rate=1e-4` changes one for a run; a run's card lists all of them.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained."""

    features: str = "rich"  # observation: base or rich
    trunk: tuple[int, ...] = (384,)  # layers that policy and value share
    policy: tuple[int, ...] = (256,)  # further layers of the policy
    value: tuple[int, ...] = (256,)  # further layers of the value
    activation: str = "relu"  # or tanh
    precision: str = "auto"  # of the matrix products: float32, bfloat16, or auto: bfloat16 if the processor has it
    clone_decisions: int = 1_500_000  # decisions of the heuristic that are copied first; 0: nothing is copied
    clone_rate: float = 1e-3  # learning rate of the copying, falling to a tenth
    clone_noise: float = 0.05  # share of random moves in the games whose heuristic moves are copied
    groups: int = 4  # batches of games, each with opponents of its own
    rows: int = 128  # games of one batch
    steps: int = 64  # decisions of every game between two updates
    batch: int = 2048  # decisions of a gradient step
    epochs: int = 3
    learning_rate: float = 1e-4  # falling to a tenth
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.002  # falling to a tenth
    value_weight: float = 0.5
    target_kl: float = 0.03
    shaping: bool = True  # potential shaping of the rewards
    heuristic: tuple[float, float] = (0.5, 0.5)  # share of heuristic opponents at the beginning and at the end
    random: tuple[float, float] = (0.05, 0.0)  # share of random ones, likewise; all others are past selves
    pool: int = 12  # the most past selves that are kept
    pool_every: int = 10  # rollouts from one new past self to the next


DEFAULT = TrainingSettings()
GAMES: dict[str, dict[str, Any]] = {  # what differs for a game; a game that is not listed has the defaults
    "fifth_avenue": {"clone_decisions": 3_000_000, "learning_rate": 3e-4, "heuristic": (0.6, 0.6)},
    "new_york": {"clone_decisions": 3_000_000, "learning_rate": 3e-4, "heuristic": (0.6, 0.6)},
}


def settings_for(game: str, given: Mapping[str, str]) -> TrainingSettings:
    """The settings of a game, some of them given as texts; ValueError for a wrong name or value."""
    own = replace(DEFAULT, **GAMES.get(game, {}))
    return checked(replace(own, **{name: _read(name, text) for name, text in given.items()}))


KINDS = typing.get_type_hints(TrainingSettings)


def _read(name: str, text: str) -> Any:
    """The value of a setting's text."""
    if name not in KINDS:
        raise ValueError(f"there is no setting {name!r}; settings are {', '.join(KINDS)}")
    kind = KINDS[name]
    try:
        if kind is bool:
            return {"yes": True, "no": False}[text]
        if typing.get_origin(kind) is tuple:
            return tuple(typing.get_args(kind)[0](part) for part in filter(None, text.split("+")))
        return kind(text)
    except (KeyError, ValueError):
        raise ValueError(f"setting {name} is {_meant(kind)}, not {text!r}") from None


def _meant(kind: Any) -> str:
    """What a setting of this type is, in words."""
    words = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}
    if typing.get_origin(kind) is tuple:
        return "numbers with + between them, such as " + ("512+256" if typing.get_args(kind)[0] is int else "0.5+0.3")
    return words[kind]


WORDS = {"features": ("base", "rich"), "activation": ("relu", "tanh"), "precision": ("auto", "float32", "bfloat16")}
LOW: dict[str, float] = {  # the least value; a setting that is not listed must be greater than 0
    "clone_decisions": 0, "clone_noise": 0, "groups": 1, "rows": 1, "steps": 2, "batch": 2, "epochs": 1,
    "entropy": 0, "value_weight": 0, "gae_lambda": 0, "pool": 2, "pool_every": 1,
}  # fmt: skip
HIGH: dict[str, float] = {  # the largest value
    "clone_decisions": 10**12, "clone_noise": 1, "groups": 1024, "rows": 10**6, "steps": 10**5, "batch": 10**7,
    "gae_lambda": 1, "pool": 10**4, "clip": 1,
}  # fmt: skip
MOST = 10**6  # the largest value of a setting that HIGH does not list
MOST_LAYERS, MOST_UNITS = 32, 2**15


def checked(settings: TrainingSettings) -> TrainingSettings:
    """The settings if their values are possible; else ValueError."""
    for part in fields(settings):
        value = getattr(settings, part.name)
        if KINDS[part.name] not in (int, float):
            continue
        if part.name in LOW and not value >= LOW[part.name]:  # nan is neither less nor more
            raise ValueError(f"setting {part.name} is at least {LOW[part.name]:g}, not {value}")
        if part.name not in LOW and not value > 0:
            raise ValueError(f"setting {part.name} is greater than 0, not {value}")
        if value > HIGH.get(part.name, MOST):
            raise ValueError(f"setting {part.name} is at most {HIGH.get(part.name, MOST):,}, not {value}")
    for name, words in WORDS.items():
        if getattr(settings, name) not in words:
            raise ValueError(f"setting {name} is {' or '.join(words)}, not {getattr(settings, name)}")
    widths = settings.trunk + settings.policy + settings.value
    if not all(1 <= width <= MOST_UNITS for width in widths) or len(widths) > MOST_LAYERS:
        raise ValueError(f"there are at most {MOST_LAYERS} layers of 1 .. {MOST_UNITS:,} units, not {widths}")
    _check_shares(settings)
    return settings


def _check_shares(settings: TrainingSettings) -> None:
    """ValueError unless the shares of the opponents are possible."""
    for name in ("heuristic", "random"):
        shares = getattr(settings, name)
        if len(shares) != 2 or not all(0 <= share <= 1 for share in shares):
            raise ValueError(f"setting {name} is two shares 0 .. 1, at the beginning and at the end, not {shares}")
    if any(a + b > 1 for a, b in zip(settings.heuristic, settings.random, strict=True)):
        raise ValueError("the shares of heuristic and random opponents are at most 1 together")
