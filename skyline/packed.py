"""Legal actions in few bytes, and back to masks: NumPy arrays, and tensors of PyTorch on any device.

    games = skyline.vector("manhattan", 1024, players=4, mask_dtype="bits")
    observations, infos = games.reset(seed=1)
    bits = torch.from_numpy(infos["action_mask"]).to(device)       # (n, 40) uint8 instead of (n, 309) int8
    mask = skyline.unpack_mask(bits, games.single_action_space.n)  # (n, 309) bool, made on the device

**Bits**: the action a is the bit a % 8 of the byte a // 8, where bit 0 is the lowest. This is the order of
`numpy.packbits(.., bitorder="little")`. A row is filled up with zero bits to a multiple of 64 actions, so that on
machines with the low byte first a row can be read as words, too: `bits.view(numpy.uint64)`.

**Numbers with offsets** (`games.legal_ids()`): the legal actions of row i are ids[offsets[i] : offsets[i + 1]], in
ascending order.

Nothing here imports PyTorch: a tensor comes from a process that has imported it.
"""

from __future__ import annotations

import sys
from typing import Any, TypeVar

import numpy as np

from skyline.arguments import brief, check_count
from skyline.typing import Array

WORD = 8  # the bytes of a word

Some = TypeVar("Some")  # a NumPy array or a tensor of PyTorch


def mask_words(actions: int) -> int:
    """How many words a row of bits has."""
    return -(-actions // (8 * WORD))


def pack_mask(mask: Array) -> Array:
    """A mask (.., A) of zeros and ones, or of truth values, as bits (.., bytes) uint8."""
    mask = np.asarray(mask)
    if mask.ndim == 0 or mask.dtype.kind not in "biu":
        raise ValueError(f"a mask is an array (.., A) of zeros and ones, not {mask.dtype} of shape {mask.shape}")
    bits = np.zeros((*mask.shape[:-1], WORD * mask_words(mask.shape[-1])), np.uint8)
    packed = np.packbits(mask.astype(bool), axis=-1, bitorder="little")
    bits[..., : packed.shape[-1]] = packed
    return bits


def unpack_mask(bits: Some, actions: int) -> Some:
    """The mask (.., actions) of truth values that was packed as `bits` (.., bytes) uint8; a tensor for a tensor, on its
    device."""
    count = check_count("actions", actions, 1)
    torch = _torch_of(bits)
    found: Any = bits if torch else np.asarray(bits)
    wanted, dtype = WORD * mask_words(count), (torch or np).uint8
    if not found.ndim or found.shape[-1] != wanted or found.dtype != dtype:
        given = f"{found.dtype} of shape {tuple(found.shape)}"
        raise ValueError(f"bits of {count} actions are uint8 of shape (.., {wanted}), not {given}")
    mask: Some = _bits_of_tensor(torch, found, count) if torch else _bits_of_array(found, count)
    return mask


def _bits_of_array(bits: Array, actions: int) -> Any:
    return np.unpackbits(bits, axis=-1, count=actions, bitorder="little").view(bool)


def _bits_of_tensor(torch: Any, bits: Any, actions: int) -> Any:
    powers = 1 << torch.arange(8, dtype=torch.uint8, device=bits.device)
    return ((bits.unsqueeze(-1) & powers) != 0).flatten(-2)[..., :actions]


def unpack_ids(ids: Some, offsets: Some, actions: int) -> Some:
    """The mask (n, actions) of truth values whose legal actions are `ids` with `offsets` (n + 1,); for tensors a tensor
    on their device.

    ValueError for arrays of wrong shapes. The numbers in tensors are not looked at, for that would wait for the device.
    """
    count = check_count("actions", actions, 1)
    torch = _torch_of(ids)
    if torch is not _torch_of(offsets):
        raise ValueError("ids and offsets are both NumPy arrays or both tensors")
    numbers: Any = ids if torch else np.asarray(ids)
    ends: Any = offsets if torch else np.asarray(offsets)
    if numbers.ndim != 1 or ends.ndim != 1 or not len(ends):
        raise ValueError(
            f"ids are of shape (k,) and offsets of shape (n + 1,), not {tuple(numbers.shape)} and {tuple(ends.shape)}"
        )
    if torch is None and (numbers.dtype.kind not in "iu" or ends.dtype.kind not in "iu"):
        raise ValueError(f"ids and offsets are whole numbers, not {numbers.dtype} and {ends.dtype}")
    mask: Some = _ids_of_tensors(torch, numbers, ends, count) if torch else _ids_of_arrays(numbers, ends, count)
    return mask


def _ids_of_arrays(ids: Array, offsets: Array, actions: int) -> Any:
    offsets = offsets.astype(np.int64)  # differences of unsigned numbers are never negative
    lengths = np.diff(offsets)
    if offsets[0] != 0 or offsets[-1] != len(ids) or (lengths < 0).any():
        raise ValueError(f"offsets rise from 0 to the number of ids, {len(ids)}, not {brief(offsets)}")
    if len(ids) and not 0 <= ids.min() <= ids.max() < actions:
        raise ValueError(f"ids are whole numbers 0 .. {actions - 1}, not {ids.min()} .. {ids.max()}")
    mask = np.zeros((len(lengths), actions), bool)
    mask[np.repeat(np.arange(len(lengths)), lengths), ids] = True
    return mask


def _ids_of_tensors(torch: Any, ids: Any, offsets: Any, actions: int) -> Any:
    rows = torch.arange(len(offsets) - 1, device=ids.device)
    rows = torch.repeat_interleave(rows, offsets.diff(), output_size=len(ids))
    mask = torch.zeros((len(offsets) - 1, actions), dtype=torch.bool, device=ids.device)
    mask[rows, ids.long()] = True
    return mask


def _torch_of(array: Any) -> Any:
    """PyTorch, if this is one of its tensors; else None."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(array, torch.Tensor) else None
