"""Everything that can be reached from an object by ordinary attributes and items: a crawler, and a vandal.

The crawler does not enter functions, classes, modules and compiled functions: agents are trusted not to search the
interpreter through them (docs/agents.md).
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

CLOSED = (
    type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, types.MethodWrapperType,
    functools._lru_cache_wrapper, Dispatcher,
)  # fmt: skip
PLAIN = (int, float, complex, str, bytes, bool, type(None))
DEEPEST = 12


def reachable(*roots: Any) -> list[Any]:
    """All objects that can be reached, each once."""
    seen: dict[int, Any] = {}
    waiting = [(root, 0) for root in roots]
    while waiting:
        thing, depth = waiting.pop()
        if id(thing) in seen or isinstance(thing, CLOSED):
            continue
        seen[id(thing)] = thing
        if depth < DEEPEST and not isinstance(thing, PLAIN):
            waiting += [(part, depth + 1) for part in parts(thing)]
    return list(seen.values())


def parts(thing: Any) -> Iterator[Any]:
    """The objects that an object leads to."""
    if isinstance(thing, np.ndarray):
        yield from (thing.base, thing.dtype, thing.data.obj if not thing.dtype.hasobject else None)
        yield from thing.ravel().tolist() if thing.dtype.names is None and thing.size < 10_000 else ()
    elif isinstance(thing, np.dtype):
        yield from (thing.metadata, thing.fields, thing.names, thing.base)
    elif isinstance(thing, Mapping):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from thing
    else:
        for name in dir(thing):
            if not name.startswith("__"):
                with contextlib.suppress(Exception):
                    yield getattr(thing, name)
        yield getattr(thing, "__dict__", None)


def memory(things: list[Any]) -> list[bytes]:
    """The bytes of all arrays, texts and numbers."""
    found = []
    for thing in things:
        if isinstance(thing, np.ndarray):
            found.append(thing.tobytes())
        elif isinstance(thing, (bytes, bytearray, memoryview)):
            found.append(bytes(thing))
        elif isinstance(thing, str):
            found.append(thing.encode(errors="replace"))
        elif isinstance(thing, (int, np.integer)) and 0 <= int(thing) < 2**64:
            found.append(int(thing).to_bytes(8, "little"))
    return found


def vandalise(things: list[Any]) -> int:
    """Write to all objects that can be written to; their number."""
    count = 0
    for thing in things:
        with contextlib.suppress(Exception):
            count += _spoilt(thing)
    return count


def _spoilt(thing: Any) -> int:
    if isinstance(thing, np.ndarray):
        thing.setflags(write=True)
        thing.view(np.uint8)[...] = 0xFF
        return 1
    if isinstance(thing, np.dtype):
        if thing.names is None:
            return 0
        thing.names = tuple(f"no_{name}" for name in thing.names)
        return 1
    if isinstance(thing, (dict, list, set)):
        thing.clear()
        return 1
    if isinstance(thing, (*PLAIN, tuple, Mapping)):
        return 0
    spoilt = 0
    for name in dir(thing):
        if not name.startswith("__"):
            with contextlib.suppress(Exception):
                setattr(thing, name, None)
                spoilt = 1
    return spoilt
