"""One line on a terminal that says what the user waits for: written over by the next one, and gone afterwards.

Stdout is never written to. Where stderr is no terminal, nothing is shown: whoever has to say something there says it
in lines that stay. A progress bar, which draws on the terminal itself, takes the texts by `shown_by`.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator

Place = Callable[[str], None]  # shows a text; "": nothing is waited for any more

_places: list[Place] = []  # the last one shows the texts
_length = 0  # of the text that stands on the terminal


def is_shown() -> bool:
    """Whether a text would be seen at once."""
    return bool(_places) or _is_terminal()


def show(text: str) -> None:
    """Write the text over the one before."""
    if _places:
        _places[-1](text)
    elif _is_terminal():
        _write(text)


def clear() -> None:
    """Nothing is waited for any more."""
    show("")


@contextlib.contextmanager
def shown(text: str) -> Iterator[None]:
    """Show the text until the block ends, or until another text is shown."""
    show(text)
    try:
        yield
    finally:
        clear()


@contextlib.contextmanager
def shown_by(place: Place) -> Iterator[None]:
    """Let this function show the texts."""
    _places.append(place)
    try:
        yield
    finally:
        _places.remove(place)


def _write(text: str) -> None:
    """Rewrite the line, which must not be longer than the terminal is wide: only its last part would be rewritten."""
    global _length
    text = f"skyline: {text}"[: max(20, shutil.get_terminal_size().columns - 1)] if text else ""
    if not text and not _length:
        return
    blank = " " * (_length - len(text))
    with contextlib.suppress(OSError, ValueError):  # a terminal that has gone, or has not these letters
        sys.stderr.write(f"\r{text}{blank}" if text else f"\r{blank}\r")
        sys.stderr.flush()
    _length = len(text)


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False
