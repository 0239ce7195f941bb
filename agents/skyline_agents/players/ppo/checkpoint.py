"""The checkpoint of a training: one file with all that the rest of the run depends on, written whole or not at all."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from skyline.files import whole
from skyline_agents.players.ppo.network import Network

FORMAT = 2
FIELDS: dict[str, tuple[type, ...]] = {
    "plan": (dict,), "policy": (dict,), "optimizer": (dict,), "steps": (int,), "gradient_updates": (int,),
    "updates": (int,), "seconds": (int, float), "sessions": (int,), "curve": (list,), "pool": (dict,),
    "cloned": (dict, type(None)), "watch": (dict,), "generators": (dict,), "copying": (dict, type(None)),
    "games": (dict, type(None)),
}  # fmt: skip


def save(path: Path, data: dict[str, Any]) -> None:
    """Write tensors, arrays, numbers and texts, and the state of the global random generators, from which torch and
    Stable-Baselines3 draw."""
    with whole(path) as part:
        torch.save(_plain({**data, "format": FORMAT, "generators": _generators()}), part)


def load(path: Path) -> dict[str, Any]:
    """Read a checkpoint; ValueError if the file is no checkpoint of this version."""
    if not path.is_file():
        raise ValueError(f"{path} is no checkpoint: no regular file")
    with in_words(path):
        data: dict[str, Any] = torch.load(path, weights_only=True)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{path} is no checkpoint of this version of skyline")
    for name, kinds in FIELDS.items():
        if not isinstance(data.get(name), kinds) or isinstance(data.get(name), bool):
            raise ValueError(f"{path} is no checkpoint, or is spoilt: {name} is missing or of a wrong kind")
    if data["steps"] < 0 or data["sessions"] < 1 or not 0 <= data["seconds"] < float("inf"):
        raise ValueError(f"{path} is no checkpoint, or is spoilt: steps, sessions or seconds are impossible")
    return data


@contextlib.contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Errors of torch and pickle over a spoilt file, which can be of nearly any type, as a ValueError."""
    try:
        yield
    except OSError:
        raise
    except Exception as reason:
        told = " ".join(str(reason).split())[:100] or type(reason).__name__
        raise ValueError(f"{path} is no checkpoint, or is spoilt: {told}") from reason


def _plain(value: Any) -> Any:
    """The value with tensors in place of arrays: torch reads tensors without running code of the file."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    if isinstance(value, Network):
        return _plain(value.layers)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(part) for part in value)
    return value


def with_arrays(value: Any) -> Any:
    """The value with NumPy arrays in place of tensors, whose memory they share."""
    if isinstance(value, torch.Tensor):
        return value.numpy()
    if isinstance(value, dict):
        return {key: with_arrays(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(with_arrays(part) for part in value)
    return value


def _generators() -> dict[str, Any]:
    legacy = np.random.get_state(legacy=False)  # noqa: NPY002 - Stable-Baselines3 shuffles with it
    return {"python": random.getstate(), "numpy": legacy, "torch": torch.get_rng_state()}


def restore_generators(data: dict[str, Any]) -> None:
    """Set the global random generators to their state in a checkpoint."""
    state = data["generators"]
    version, words, rest = state["python"]
    random.setstate((version, tuple(words), rest))
    legacy = state["numpy"]
    legacy["state"]["key"] = legacy["state"]["key"].numpy()
    np.random.set_state(legacy)  # noqa: NPY002 - as above
    torch.set_rng_state(state["torch"])
