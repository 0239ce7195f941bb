"""Where the time goes: seconds of every part of a program. Time in a part inside another part counts once.

with watch("environment"):
    ...
    with watch("opponents"):        # these seconds count for opponents, not for environment
        ...
watch.shares()                      # {"environment": 0.1, "opponents": 0.05, ..}
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator


class Stopwatch:
    """`seconds` holds the time of every part; call the stopwatch to enter a part."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inside = [0.0]  # seconds of the parts inside each open part

    @contextlib.contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        begun = time.perf_counter()
        self._inside.append(0.0)
        try:
            yield
        finally:
            seconds = time.perf_counter() - begun
            self.seconds[part] += seconds - self._inside.pop()
            self._inside[-1] += seconds

    def shares(self) -> dict[str, float]:
        """The shares of all parts in the whole time, the largest first."""
        whole = sum(self.seconds.values()) or 1.0
        return {part: s / whole for part, s in sorted(self.seconds.items(), key=lambda item: -item[1])}
