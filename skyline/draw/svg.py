"""Pictures, knowing no game: an SVG builder, looks for seats, rasterising, saving, a window.

    svg = Svg(200, 100, "A position")                    units are pixels, y grows downwards
    svg.rect(10, 10, 80, 40, fill=SEATS[0].fill)
    svg.text(20, 35, "Seat 0", size=14, fill=SEATS[0].ink)
    save(str(svg), "position.png")                       or .svg; rasterise(str(svg)) gives the pixels

The same calls give the same bytes. Colour is never the only cue: every look has a letter and a shape (`Svg.badge`).

Texts. A browser takes a sans-serif font of its own. resvg draws a text only in a font it was given by file and
silently leaves it out otherwise (even with system fonts, if no family of the list is installed), so rasterising uses
DejaVu Sans and nothing else: matplotlib, of the same extra, carries it, and a picture is the same everywhere. Where
its files are missing, texts are drawn in the strokes of `_GLYPHS`. `text_width` knows DejaVu's widths, which are
larger than those of the usual fonts of browsers: what fits here fits there.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, unescape

import numpy as np

Pixels = np.ndarray[Any, np.dtype[np.uint8]]

INK, MUTED, FAINT, LINE = "#1F242C", "#59626E", "#8B94A0", "#D3D8DF"
PAPER, GROUND = "#FFFFFF", "#F1F3F5"
HIGHLIGHT = "#FFD84A"
FONT_STACK = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
FONT = ("DejaVu Sans", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FONT_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF")


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
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{FONT_STACK}">'
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


# ---------------------------------------------------------------- texts

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

# Our own letters: a character followed by its strokes, joined by "_". A stroke is xy pairs, x 0 .. 4, y 0 (top of
# capitals), 2 (top of small letters), 6 (base line), 8 (lowest).
_STROKES = r"""
    0103041453616050110 1112026_1636 201103041420646 30110304142334445361605_1333 4300444_3036 5400002324345361605
    6413010010516364544331304 7004016 8103041423313020110_1304051636454433 9051636454130100102133342
    A062046_1434 B00063645443303_3342413000 C4130100105163645 D00062644422000 E40000646_0333 F400006_0333
    G41301001051636454323 H0006_4046_0343 I2026 J20251606 K0006_4004_2246 L000646 M0600234046 N06004640
    O103041453616050110 P06003041423303 Q103041453616050110_2446 R06003041423303_2346 S413010010213334445361605
    T0040_2026 U000516364540 V002640 W0016233640 X0046_4006 Y002340_2326 Z00400646
    a12324346_441405163645 b0006_0312324345361605 c4332120305163645 d4046_4332120305163645 e044443321203051636
    f40302126_1232 g4247381807_4332120305163645 h0006_0312324346 i2226_2020 j222718_2020 k0006_4205_1446 l2026
    m0206_03122326_23324346 n0206_0312324346 o123243453616050312 p0208_0312324345361605 q4248_4332120305163645
    r0206_042242 s43321203143445361605 t20253646_0242 u0205163645_4246 v022642 w0216243642 x0246_4206 y0225_4208
    z02420646 .2626 ,2617 :2323_2626 ;2323_2617 !2024_2626 ?01103041422324_2626 '2021 "1011_3031 -0444 +2226_0444
    =0343_0545 *2024_0143_4103 /4006 \0046 (30212536 )10212516 [30202636 ]10202616 <420446 >024406 _0747 |2028
    %4006_0010110100_3545463635 #1016_3036_0242_0444 &4602011020310405162644
"""
_GLYPHS = {glyph[0]: tuple(glyph[1:].split("_")) for glyph in _STROKES.split()}
_NO_GLYPH = ("0040460600",)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line of text is, in pixels; characters outside ASCII count as wide ones."""
    return _units(text, bold) * size / 100


@lru_cache(4096)
def _units(text: str, bold: bool) -> int:
    widths = _BOLD_WIDTHS if bold else _WIDTHS
    return sum(widths[ord(c) - 32] if " " <= c <= "~" else 100 for c in text)


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


_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def _stroked(match: re.Match[str]) -> str:
    """A text element of `Svg.text` as a path in the strokes of `_GLYPHS`, as wide as DejaVu would be."""
    given = dict(_ATTRIBUTE.findall(match[1]))
    text, size, bold = unescape(match[2]), float(given["font-size"]), "font-weight" in given
    x, y = float(given["x"]), float(given["y"])
    x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[given.get("text-anchor", "start")] * text_width(text, size, bold)
    unit, parts = 0.73 * size / 6, []
    for character in text:
        advance = text_width(character, size, bold)
        if character != " ":
            left, step = x + 0.08 * size, (advance - 0.16 * size) / 4
            for stroke in _GLYPHS.get(character, _NO_GLYPH):
                points = [
                    f"{number(left + step * int(i))} {number(y + unit * (int(j) - 6))}"
                    for i, j in zip(stroke[::2], stroke[1::2], strict=True)
                ]
                parts.append("M" + "L".join(points))
        x += advance
    look = {
        "d": "".join(parts),
        "fill": "none",
        "stroke": given["fill"],
        "stroke-width": size * (0.13 if bold else 0.09),
    }
    return f'<path{_attributes(look)} stroke-linecap="round" stroke-linejoin="round"/>'


# ---------------------------------------------------------------- pixels


@lru_cache(None)
def font_files() -> tuple[str, ...]:
    """The files of DejaVu Sans, regular and bold, from matplotlib or the system; none if they are not here."""
    folders = [Path(folder) for folder in FONT_FOLDERS]
    spec = importlib.util.find_spec("matplotlib")
    if spec is not None and spec.origin is not None:
        folders.insert(0, Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf")
    for folder in folders:
        files = [folder / name for name in FONT[1:]]
        if all(file.is_file() for file in files):
            return tuple(map(str, files))
    return ()


def _png(svg: str, width: int | None) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise _missing("resvg-py", "pictures in pixels") from None
    files = font_files()
    if not files:
        svg = _TEXT.sub(_stroked, svg)
    return svg_to_bytes(
        svg_string=svg, width=width, background=PAPER, skip_system_fonts=True, font_files=list(files),
        sans_serif_family=FONT[0],
    )  # fmt: skip


def _missing(package: str, purpose: str) -> ImportError:
    return ImportError(f"{purpose} need {package}: pip install 'skyline-envs[viz]'")


def rasterise(svg: str, width: int | None = None) -> Pixels:
    """The picture as pixels (H, W, 3), in its own size or scaled to `width`."""
    png = _png(svg, width)
    try:
        from PIL import Image
    except ImportError:
        raise _missing("pillow", "pictures as arrays") from None
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


class Window:
    """A window for one picture after the other. Closed by its user, it stays closed and `show` does nothing."""

    def __init__(self) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            import pygame
        except ImportError:
            raise _missing("pygame-ce", "windows") from None
        self._pygame: Any = pygame
        self._open = False
        self.closed = False

    def show(self, picture: Pixels, caption: str = "") -> None:
        """Show a picture (H, W, 3), made smaller if the screen is, and answer the window's events."""
        if self.closed:
            return
        pygame = self._pygame
        pygame.display.init()
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        size = self._fitting(surface.get_size())
        if not self._open or pygame.display.get_surface().get_size() != size:
            pygame.display.set_mode(size)
            self._open = True
        pygame.display.set_caption(caption)
        pygame.display.get_surface().blit(pygame.transform.smoothscale(surface, size), (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()

    def _fitting(self, size: tuple[int, int]) -> tuple[int, int]:
        """The size, or the largest of its shape that leaves a margin on the screen."""
        screen = self._pygame.display.get_desktop_sizes()[0]
        scale = min(1.0, *(0.9 * most / side for most, side in zip(screen, size, strict=True)))
        return round(size[0] * scale), round(size[1] * scale)

    def close(self) -> None:
        """Close the window for good; a second call does nothing."""
        if self._open:
            self._pygame.display.quit()
        self._open, self.closed = False, True
