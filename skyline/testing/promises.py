"""What a promise of the contract is compared with: assertions that also hold under `python -O`."""

from __future__ import annotations

from typing import Any

from skyline.typing import Array


class ContractBroken(AssertionError):  # noqa: N818 - it says what the game did
    """A game breaks a promise of `skyline.game`; the message ends with its record so far."""


def holds(condition: Any, promise: str) -> None:
    if not condition:
        raise AssertionError(f"this does not hold: {promise}")


def same(got: Any, wanted: Any, what: str) -> None:
    if got != wanted:
        raise AssertionError(f"{what}: {got!r} instead of {wanted!r}")


def unique(names: list[str], what: str) -> None:
    same([name for name in names if names.count(name) > 1], [], f"{what} that are given twice")


def same_bytes(one: Array, other: Array, what: str) -> None:
    if one.tobytes() != other.tobytes():
        fields = one.dtype.names or ()
        which = [name for name in fields if one[name].tobytes() != other[name].tobytes()]
        raise AssertionError(f"{what} differ{f' in {chr(44).join(which)}' if which else ''}")
