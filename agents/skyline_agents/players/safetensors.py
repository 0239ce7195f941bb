"""Reading and writing safetensors files: a length (8 bytes), a JSON header of that length, the numbers.

    {"__metadata__": {"game": ..}, "0.weight": {"dtype": "F32", "shape": [512, 850], "data_offsets": [0, 1740800]}, ..}

The part of the format of https://github.com/huggingface/safetensors that networks need, so that an installation without
further packages can play with trained networks.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from skyline.reading import Fields, Unreadable, Value, parse_json, read_bytes
from skyline.typing import Array

TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
LENGTH = 8  # bytes that hold the length of the header
MOST_BYTES = 2**28  # of a file; the largest shipped model has 1 MB
MOST_HEADER = 2**20
MOST_TENSORS = 200
MOST_AXES = 8
MOST_TEXT = 10_000  # characters of a value of the metadata
METADATA = "__metadata__"  # the key of the header whose values are texts, not tensors
ALIGNMENT = 8  # the numbers begin at a multiple of this number of bytes


class BadFile(Unreadable):
    """A file that holds no readable tensors; the message names the file, the tensor and the reason."""


def write(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write float32 and float16 arrays."""
    header: dict[str, Any] = {METADATA: dict(metadata)}
    parts, at = [], 0
    for name, tensor in tensors.items():
        kind = next(kind for kind, dtype in TYPES.items() if dtype == tensor.dtype)
        parts.append(np.ascontiguousarray(tensor, TYPES[kind]).tobytes())
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [at, at + len(parts[-1])]}
        at += len(parts[-1])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    path.write_bytes(b"".join([len(text).to_bytes(LENGTH, "little"), text, *parts]))


def read(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The tensors as float32 arrays, all numbers finite, and the metadata."""
    try:
        data = read_bytes(path, "model", MOST_BYTES)
        header, body = _header(path, data)
        return _tensors(header, body), _metadata(header)
    except Unreadable as error:
        place = error.place if error.place.startswith(str(path)) else f"{path}: {error.place}"
        raise BadFile(error.reason, place.removesuffix(": ")) from None


def _header(path: Path, data: bytes) -> tuple[Fields, bytes]:
    size = int.from_bytes(data[:LENGTH], "little")
    if len(data) < LENGTH or size > len(data) - LENGTH:
        raise BadFile(f"is no safetensors file, or is cut off: {len(data):,} bytes", str(path))
    header = parse_json(data[LENGTH : LENGTH + size], "the header of the safetensors file", MOST_HEADER)
    return Value(header, "").items(), data[LENGTH + size :]


def _metadata(header: Fields) -> dict[str, str]:
    return {name: value.text(MOST_TEXT) for name, value in header.get(METADATA, {}).items()}


def _tensors(header: Fields, body: bytes) -> dict[str, Array]:
    entries = [entry for name, entry in header if name != METADATA]
    if len(entries) > MOST_TENSORS:
        raise BadFile(f"has {len(entries)} tensors; a model has at most {MOST_TENSORS}")
    found, ends = {}, [(0, 0, "")]
    for name, entry in header:
        if name != METADATA:
            found[name], first, end = _tensor(name, entry, body)
            ends.append((first, end, name))
    for (_, before, _), (first, _, name) in itertools.pairwise(sorted(ends)):
        if first < before:
            raise BadFile("lies over the numbers of another tensor", name)
        if first > before:
            raise BadFile(f"before it there are {first - before:,} bytes that belong to no tensor", name)
    if max(end for _, end, _ in ends) < len(body):
        raise BadFile("after the last tensor there are bytes that belong to no tensor")
    return found


def _tensor(name: str, entry: Value, body: bytes) -> tuple[Array, int, int]:
    """A tensor, and the places in the file's body at which its bytes begin and end."""
    entry = Value(entry.raw, name)
    given = entry.object("dtype", "shape", "data_offsets", need=("dtype", "shape", "data_offsets"))
    kind = list(TYPES.values())[given["dtype"].one_of(list(TYPES))]
    shape = [length.whole(0, MOST_BYTES) for length in given["shape"].list(0, MOST_AXES)]
    first, end = (offset.whole(0, len(body)) for offset in given["data_offsets"].row(2))
    if end - first != math.prod(shape) * kind.itemsize:
        entry.fault(f"the numbers do not fill the shape {shape}: {end - first:,} bytes; is the file cut off?")
    values: Array = np.frombuffer(body[first:end], kind).reshape(shape).astype(np.float32)
    strange = np.flatnonzero(~np.isfinite(values))
    if len(strange):
        entry.fault(f"number {strange[0]:,} is {values.ravel()[strange[0]]}; a network has finite numbers")
    return values, first, end
