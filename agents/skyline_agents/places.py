"""What the places of finished games say. Places are arrays (n, P): 1 = first, shared places are equal."""

from __future__ import annotations

from skyline.typing import Array


def first_shares(places: Array) -> Array:
    """The share of the first place of every column, (n, P): two that share the first place have a half each."""
    first = places == 1
    shares: Array = first / first.sum(axis=1, keepdims=True)
    return shares


def outcomes(places: Array) -> Array:
    """The outcome of every column, (n, P): +1 for the first place .. -1 for the last, ties averaged.

    The places of one game sum up its outcomes to 0, as the outcomes of `skyline.core.engine` do.
    """
    own, others = places[:, :, None], places[:, None, :]
    above, level = (others < own).sum(axis=2), (others == own).sum(axis=2)
    found: Array = 1 - (2 * above + level - 1) / (places.shape[1] - 1)
    return found
