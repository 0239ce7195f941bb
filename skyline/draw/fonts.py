"""The one font of our pictures in pixels: DejaVu Sans, how wide its letters are, and where its files are.

An SVG picture names a list of fonts, and every browser takes one of its own. A rasteriser has to be given a font by
file, and the pixels depend on that font. matplotlib carries DejaVu Sans and comes with the extra `viz`, so a picture
in pixels has the same bytes on every machine. `text_width` knows the widths of DejaVu, which are larger than those of
the usual fonts of browsers: a text that fits its place in DejaVu fits there in a browser, too.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path

FAMILY = "DejaVu Sans"
FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF")
STACK = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"  # for browsers

# Advance widths of DejaVu Sans and DejaVu Sans Bold, characters 32 .. 126, in hundredths of the font size.
_WIDTHS = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
    84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99,
    69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52,
    39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
_BOLD_WIDTHS = (
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40,
    84, 84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110,
    77, 72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60,
    48, 71, 65, 92, 65, 65, 58, 71, 37, 71, 84,
)  # fmt: skip


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, in pixels; characters outside ASCII count as wide ones."""
    return _units(text, bold) * size / 100


@lru_cache(4096)
def _units(text: str, bold: bool) -> int:
    widths = _BOLD_WIDTHS if bold else _WIDTHS
    return sum(widths[ord(c) - 32] if " " <= c <= "~" else 100 for c in text)


@lru_cache(None)
def font_files() -> tuple[str, ...]:
    """The files of DejaVu Sans, regular and bold, from matplotlib or the system; () where neither has them."""
    folders = [Path(folder) for folder in FOLDERS]
    spec = importlib.util.find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        folders.insert(0, Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf")
    for folder in folders:
        files = [folder / name for name in FILES]
        if all(file.is_file() for file in files):
            return tuple(map(str, files))
    return ()
