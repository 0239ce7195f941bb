"""SVG pictures: a builder, and the looks of seats. Nothing here knows a game.

    svg = Svg(200, 100, "A position")                    units are pixels, y grows downwards
    svg.rect(10, 10, 80, 40, fill=SEATS[0].fill)
    svg.text(20, 35, "Seat A", size=14, fill=SEATS[0].ink)
    str(svg)                                             the picture

The same calls give the same bytes. Colour is never the only cue: every look has a letter and a shape (`Svg.badge`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from skyline.draw.fonts import STACK, text_width

INK, MUTED, FAINT, LINE = "#1F242C", "#59626E", "#8B94A0", "#D3D8DF"
PAPER, GROUND = "#FFFFFF", "#F1F3F5"
HIGHLIGHT = "#FFD84A"


class Look(NamedTuple):
    """How something that belongs to a seat is drawn; `ink` is readable on `fill`, INK on `pale`."""

    name: str
    fill: str
    dark: str
    pale: str
    ink: str
    letter: str
    shape: str


@lru_cache(256)
def mix(colour: str, other: str, share: float) -> str:
    """`colour` with this share of `other` in it, as #RRGGBB."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _look(name: str, fill: str, ink: str, letter: str, shape: str) -> Look:
    return Look(name, fill, mix(fill, "#000000", 0.3), mix(fill, PAPER, 0.86), ink, letter, shape)


# Okabe and Ito's colours, moved a little apart: any two of them, grey included, differ by at least 18 in CIE L*a*b*,
# also as seen by protanopes, deuteranopes and tritanopes (tested with the matrices of Machado, Oliveira and Fernandes).
SEATS = (
    _look("blue", "#0B5EC5", PAPER, "A", "circle"),
    _look("amber", "#F0AB07", INK, "B", "square"),
    _look("green", "#01A461", INK, "C", "diamond"),
    _look("pink", "#D16CB6", INK, "D", "hexagon"),
    _look("vermilion", "#D55710", PAPER, "E", "pentagon"),
    _look("sky", "#4DC8FB", INK, "F", "octagon"),
)
NEUTRAL = _look("grey", "#737373", PAPER, "-", "circle")

# Corners of the shapes: (number, angle of the first in degrees, size so that the shapes look equally large).
_CORNERS = {"square": (4, 45, 1.3), "diamond": (4, 0, 1.2), "hexagon": (6, 0, 1.12), "pentagon": (5, -90, 1.18),
            "octagon": (8, 22.5, 1.08)}  # fmt: skip


def number(value: float) -> str:
    """A coordinate with at most two decimals and no needless characters."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Svg:
    """A picture being drawn. Attributes are given as keywords: `stroke_width=2` becomes `stroke-width="2"`."""

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []
        if title:
            self.title(title)

    def __str__(self) -> str:
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        box = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{STACK}">'
        return "\n".join([head, *self._parts, "</svg>\n"])

    def element(self, name: str, **attributes: str | float | None) -> None:
        """An element without content; attributes that are None are left out."""
        self._parts.append(f"<{name}{_attributes(attributes)}/>")

    def rect(
        self, x: float, y: float, width: float, height: float, radius: float = 0, **rest: str | float | None
    ) -> None:
        self.element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **rest)

    def circle(self, x: float, y: float, radius: float, **rest: str | float | None) -> None:
        self.element("circle", cx=x, cy=y, r=radius, **rest)

    def line(self, x1: float, y1: float, x2: float, y2: float, **rest: str | float | None) -> None:
        self.element("line", x1=x1, y1=y1, x2=x2, y2=y2, **rest)

    def polygon(self, points: Iterable[tuple[float, float]], **rest: str | float | None) -> None:
        self.element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **rest)

    def path(self, d: str, **rest: str | float | None) -> None:
        self.element("path", d=d, **rest)

    def title(self, text: str) -> None:
        """What a pointer resting on the group (or the whole picture) shows, and what a screen reader reads."""
        self._parts.append(f"<title>{_content(text)}</title>")

    @contextmanager
    def group(self, title: str = "", **attributes: str | float | None) -> Iterator[None]:
        """Everything drawn in the `with` block is one group."""
        self._parts.append(f"<g{_attributes(attributes)}>")
        if title:
            self.title(title)
        yield
        self._parts.append("</g>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
        width: float | None = None,
    ) -> float:
        """One line of text, y its base line; `anchor` is start, middle or end. Drawn smaller if wider than `width`.

        Returns how wide it is drawn.
        """
        wide = text_width(text, 1, bold)
        if width is not None and wide * size > width:
            size = width / wide
        attributes = {"x": x, "y": y, "font-size": size, "fill": fill}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if bold:
            attributes["font-weight"] = "bold"
        self._parts.append(f"<text{_attributes(attributes)}>{_content(text)}</text>")
        return wide * size

    def badge(self, x: float, y: float, size: float, look: Look, label: str | None = None) -> None:
        """The mark of a seat around (x, y): its colour, shape and letter (or another short label)."""
        radius = size / 2
        if look.shape in _CORNERS:
            corners, first, stretch = _CORNERS[look.shape]
            angles = np.radians(first + 360 / corners * np.arange(corners))
            outline = zip(x + stretch * radius * np.cos(angles), y + stretch * radius * np.sin(angles), strict=True)
            self.polygon(outline, fill=look.fill, stroke=look.dark)
        else:
            self.circle(x, y, radius, fill=look.fill, stroke=look.dark)
        self.text(
            x, y + 0.26 * size, look.letter if label is None else label, 0.72 * size, look.ink, "middle", bold=True
        )

    def card(self, x: float, y: float, width: float, height: float, fill: str = PAPER, stroke: str = FAINT) -> None:
        """An empty card face."""
        self.rect(x, y, width, height, radius=min(width, height) / 8, fill=fill, stroke=stroke)

    def card_back(self, x: float, y: float, width: float, height: float) -> None:
        """A card that the viewer cannot see."""
        self.card(x, y, width, height, mix(MUTED, PAPER, 0.25), MUTED)
        inset, step = width / 6, width / 3
        lines = [f"M{number(x + inset + i * step)} {number(y + inset)}v{number(height - 2 * inset)}" for i in range(3)]
        self.path("".join(lines), stroke=GROUND, stroke_width=width / 12, fill="none")


@lru_cache(4096)
def _content(text: str) -> str:
    """Escaped; characters that XML cannot hold are dropped."""
    return escape("".join(c for c in text if c >= " " or c in "\t\n"))


def _attributes(attributes: dict[str, Any]) -> str:
    return "".join([_attribute(name, value) for name, value in attributes.items() if value is not None])


@lru_cache(4096)
def _attribute(name: str, value: str | float) -> str:
    text = escape(value, {'"': "&quot;"}) if isinstance(value, str) else number(value)
    return f' {name.replace("_", "-")}="{text}"'


def text_grids(grids: Sequence[Sequence[Sequence[Sequence[str]]]], width: int, gap: int = 2) -> list[str]:
    """Grids of boxes drawn in characters, side by side, as lines.

    A grid is rows of cells of lines; a cell is `width` characters wide, a row as deep as its deepest cell in any grid.
    """
    between = " " * gap
    edges = between.join("+" + ("-" * width + "+") * len(grid[0]) for grid in grids)
    lines = [edges]
    for rows in zip(*grids, strict=True):
        for i in range(max(len(cell) for row in rows for cell in row)):
            shown = [[(cell[i] if i < len(cell) else "").ljust(width) for cell in row] for row in rows]
            lines.append(between.join("|" + "|".join(cells) + "|" for cells in shown))
        lines.append(edges)
    return lines
