"""Parts that the pictures of all games have: the page and its head, boxes, empty places, the foot."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from skyline.draw.svg import GROUND, INK, LINE, MUTED, PAPER, SEATS, Svg

WIDTH, MARGIN = 900, 20
INNER = WIDTH - 2 * MARGIN
TITLE_Y, BELOW_TITLE_Y = 42, 61  # base lines of the head's two lines
FOOT_STEP, LEGEND_STEP = 18, 15  # pixels from line to line


def page(height: float, title: str, heading: str, view: str) -> Svg:
    """An empty picture with its heading and, below that, what is seen; `title` is for screen readers."""
    picture = Svg(WIDTH, height, title)
    picture.rect(0, 0, WIDTH, height, fill=GROUND)
    picture.text(MARGIN, TITLE_Y, heading, 24, bold=True)
    picture.text(MARGIN, BELOW_TITLE_Y, view, 12, MUTED)
    return picture


def decision(picture: Svg, words: str, seat: int | None, size: float, width: float) -> None:
    """At the right of the head what is to be decided, behind the badge of the seat that decides."""
    right = WIDTH - MARGIN
    x = right - picture.text(right, TITLE_Y, words, size, anchor="end", bold=True, width=width) - 16
    if seat is not None:
        picture.badge(x, 36, 18, SEATS[seat])


def box(picture: Svg, x: float, y: float, width: float, height: float, marked: bool = False) -> None:
    """The ground of a part of the table, with a thick dark edge if it is marked."""
    picture.rect(x, y, width, height, 8, fill=PAPER, stroke=INK if marked else LINE, stroke_width=2 if marked else 1)


def gap(picture: Svg, x: float, y: float, width: float, height: float, radius: float, stroke: str = LINE) -> None:
    """A place where a card or a tile is missing."""
    picture.rect(x, y, width, height, radius, fill="none", stroke=stroke, stroke_dasharray="3 3")


def told(story: str, columns: int, lines: int | None = None) -> list[str]:
    """The story of the last move in lines; with `lines`, in no more, longer lines that the picture draws smaller."""
    words = f"Last move: {story}" if story else ""
    while lines is not None and len(wrap(words, columns)) > lines:
        columns += 8
    return wrap(words, columns)


def foot(picture: Svg, story: Sequence[str], legend: Sequence[str], y: float, legend_y: float) -> None:
    """The lines of the last move from y on, and those of the legend."""
    for i, line in enumerate(story):
        picture.text(MARGIN, y + FOOT_STEP * i, line, 14, width=INNER)
    for i, line in enumerate(legend):
        picture.text(MARGIN, legend_y + LEGEND_STEP * i, line, 10.5, MUTED, width=INNER)
