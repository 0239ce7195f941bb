"""SVG pictures as pixels and as files (extra `viz`). The same picture gives the same bytes on every machine.

rasterise(str(svg))                    pixels (H, W, 3)
save(str(svg), "position.png")         or .svg
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from skyline.draw.fonts import FAMILY, font_files

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

BACKGROUND = "#FFFFFF"  # of the parts of a picture that nothing is drawn on


def _png(svg: str, width: int | None) -> bytes:
    """The picture as a PNG file. resvg silently leaves out a text whose font is missing, so the font must be there."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise missing("resvg-py", "pictures in pixels") from None
    files = font_files()
    if not files:
        raise missing("matplotlib, which carries the font DejaVu Sans", "pictures in pixels")
    return svg_to_bytes(
        svg_string=svg, width=width, background=BACKGROUND, skip_system_fonts=True, font_files=list(files),
        sans_serif_family=FAMILY,
    )  # fmt: skip


def missing(package: str, purpose: str) -> ImportError:
    """The error for a package of the extra `viz` that is not installed."""
    return ImportError(f"{purpose} need {package}: pip install 'skyline-envs[viz]'")


def rasterise(svg: str, width: int | None = None) -> Pixels:
    """The picture as pixels (H, W, 3), in its own size or scaled to `width`."""
    png = _png(svg, width)
    try:
        from PIL import Image
    except ImportError:
        raise missing("pillow", "pictures as arrays") from None
    with Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))


def save(svg: str, path: str | Path, width: int | None = None) -> None:
    """Write a picture as .svg or .png, whichever the path ends with; a PNG scaled to `width` if given."""
    path = Path(path)
    match path.suffix.lower():
        case ".svg":
            path.write_text(svg, encoding="utf-8", newline="\n")
        case ".png":
            path.write_bytes(_png(svg, width))
        case suffix:
            raise ValueError(f"a picture is saved as .svg or .png, not {suffix or 'without a suffix'}: {path}")
