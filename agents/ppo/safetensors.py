"""Reading and writing safetensors files: a length (8 bytes), a JSON header of that length, the numbers.

    {"__metadata__": {"game": ..}, "0.weight": {"dtype": "F32", "shape": [512, 850], "data_offsets": [0, 1740800]}, ..}

The format of https://github.com/huggingface/safetensors, as far as networks need it, so that the core install can play
with them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
LENGTH = 8  # bytes of the header's length
MOST_HEADER = 10**8
ALIGNMENT = 8


class BadFile(ValueError):  # noqa: N818 - the file's fault
    """The file holds no tensors that could be read; the message names it and says why."""


def write(path: Path, tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write float32 and float16 arrays."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
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
    """The tensors as float32 arrays, and the metadata."""
    data = path.read_bytes()
    header, body = _header(path, data)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict):
        raise BadFile(f"{path}: its metadata is no object")
    return {name: _tensor(path, name, entry, body) for name, entry in header.items()}, metadata


def _header(path: Path, data: bytes) -> tuple[dict[str, Any], bytes]:
    size = int.from_bytes(data[:LENGTH], "little")
    if len(data) < LENGTH or size > min(MOST_HEADER, len(data) - LENGTH):
        raise BadFile(f"{path} is no safetensors file, or is cut off: {len(data):,} bytes")
    try:
        header = json.loads(data[LENGTH : LENGTH + size])
    except ValueError as reason:
        raise BadFile(f"{path} is no safetensors file: its header is no JSON ({reason})") from None
    if not isinstance(header, dict):
        raise BadFile(f"{path} is no safetensors file: its header is no object")
    return header, data[LENGTH + size :]


def _tensor(path: Path, name: str, entry: Any, body: bytes) -> Array:
    try:
        dtype, shape, (first, end) = entry["dtype"], [int(n) for n in entry["shape"]], entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise BadFile(f"{path}: the header's entry of {name} is malformed: {entry!r}") from None
    if dtype not in TYPES:
        raise BadFile(f"{path}: {name} has the type {dtype}; {' and '.join(TYPES)} can be read")
    if not 0 <= first <= end <= len(body) or end - first != math.prod(shape) * TYPES[dtype].itemsize:
        raise BadFile(f"{path}: the numbers of {name} lie outside the file or do not fill its shape: cut off?")
    values: Array = np.frombuffer(body[first:end], TYPES[dtype]).reshape(shape).astype(np.float32)
    return values
