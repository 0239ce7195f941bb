"""The groups of layers. Each is a module with a function `makers(game, players, threads)`, imported when it is wanted.

A group whose libraries are not installed is listed with the reason.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from skyline.game import Game
from skyline_bench.harness.layer import Layer

MODULES = {
    "core": "skyline_bench.layers.core",
    "vector": "skyline_bench.layers.vector",
    "aec": "skyline_bench.layers.aec",
    "sb3": "skyline_bench.layers.sb3",
    "search": "skyline_bench.layers.search",
}
QUICK = ("core", "vector", "aec")


@dataclass
class Chosen:
    """The layers that were asked for, and the reasons why some of them could not be made."""

    layers: dict[str, Layer] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def choose(game: Game, players: int, words: Sequence[str], threads: int = 1) -> Chosen:
    """The layers of one game that the words name; ValueError for a word without a layer."""
    chosen, known = Chosen(), dict[str, tuple[str, Callable[[], Layer]]]()
    for group, module in MODULES.items():
        try:
            makers = importlib.import_module(module).makers(game, players, threads)
        except ImportError as reason:
            if any(word.split("-")[0] == group for word in words):
                chosen.missing[group] = str(reason)
            continue
        known |= {name: (group, make) for name, make in makers.items()}
    for word in words:
        names = _named(word, {name: group for name, (group, _) in known.items()})
        if not names and word.split("-")[0] not in chosen.missing:
            raise ValueError(f"there is no layer {word!r}; groups: {', '.join(MODULES)}; layers: {', '.join(known)}")
        for name in names:
            if name not in chosen.layers:
                chosen.layers[name] = known[name][1]()
    return chosen


def _named(word: str, groups: dict[str, str]) -> list[str]:
    """The layers of the group with this name, or all layers whose names are the word or begin with the word."""
    if word in MODULES:
        return [name for name, group in groups.items() if group == word]
    if word in groups:
        return [word]
    return [name for name in groups if name.startswith(f"{word}-")]
