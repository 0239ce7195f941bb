"""Types of the public interface: arrays, and the texts that a setting may be.

from skyline.typing import Array, Policy

def first_legal(observations: Array, masks: Array, seats: Array) -> Array:  # a `Policy`
    return masks.argmax(axis=1)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

Reward: TypeAlias = Literal["outcome", "score", "margin"]
OnIllegal: TypeAlias = Literal["raise", "lose"]
Memory: TypeAlias = Literal["recall", "table"]
Features: TypeAlias = Literal["base", "rich"]
ObsDtype: TypeAlias = Literal["int16", "float32"] | type[np.int16] | type[np.float32] | np.dtype[Any]
MaskDtype: TypeAlias = Literal["int8", "bits"] | type[np.int8] | np.dtype[Any]
Autoreset: TypeAlias = Literal["same_step", "next_step", "disabled"]
Picture: TypeAlias = Literal["ansi", "rgb_array", "svg"]
RenderMode: TypeAlias = Literal["human", "ansi", "rgb_array", "svg"]

Policy: TypeAlias = Callable[[Array, Array, Array], Array]
"""Batched moves: f(observations (k, N), action_mask (k, A), seats (k,)) -> actions (k,), all legal.

In a batch with mask_dtype="bits" the masks are bits (k, bytes)."""

Opponent: TypeAlias = Literal["random", "heuristic"] | Policy
"""Who plays a seat beside the learning one: a player inside the kernel, or a function."""
