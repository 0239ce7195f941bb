"""Targets that play under bounds checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fuzz.targets.base import Target
from tests.support.processes import cache_base


class BoundsChecked(Target):
    """A target whose kernels raise IndexError for an access outside an array. `envs` keeps one environment for each
    game and player count."""

    @classmethod
    def variables(cls) -> dict[str, str]:
        return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(Path(cache_base()) / "bounds")}

    def prepare(self) -> None:
        self.envs: dict[tuple[str, int], Any] = {}
