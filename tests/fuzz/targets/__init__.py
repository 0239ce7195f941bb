"""The targets by name. A module is imported when its target is used: the parent process needs no numba."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.fuzz.targets.base import Target

MODULES = (
    "records",
    "positions",
    "setups",
    "options",
    "toml",
    "databases",
    "models",
    "commands",
    "environment",
    "cache",
)


def names() -> list[str]:
    """The names of all targets; each is a module here with a class of the same name."""
    return list(MODULES)


def target(name: str) -> type[Target]:
    """The target's class; ValueError if there is none of this name."""
    if name not in MODULES:
        raise ValueError(f"there is no target {name!r} (targets: {', '.join(MODULES)})")
    found: type[Target] = getattr(importlib.import_module(f"tests.fuzz.targets.{name}"), name.title())
    return found


def name_of(path: Path) -> str:
    """The target of a kept input, by its folder in the corpus or by the beginning of its name."""
    names = (path.resolve().parent.name, path.name.partition("-")[0])
    found = next((name for name in names if name in MODULES), None)
    if found is None:
        raise ValueError(f"{path}: neither its folder nor the beginning of its name is a target ({', '.join(MODULES)})")
    return found
