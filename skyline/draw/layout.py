"""Parts that the pictures of all games have: the page and its head, boxes, empty places, what is remembered, the foot.

What a viewer remembers looks the same in all games: pale cards in dashed frames, and a dashed box with everything
beside the hands. `REMEMBERED_LEGEND` explains these marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from skyline.draw.svg import GROUND, INK, LINE, MUTED, PAPER, SEATS, Svg, mix
from skyline.telling import Thing

WIDTH, MARGIN = 900, 20
INNER = WIDTH - 2 * MARGIN
TITLE_Y, BELOW_TITLE_Y = 42, 61  # base lines of the head's two lines
FOOT_STEP, LEGEND_STEP = 18, 15  # pixels from line to line
PALER = 0.6  # share of white in the colour of what is remembered
DASHES = "4 2"  # of the frames of what is remembered
THING_W, THING_STEP, THINGS_HEAD, THINGS_FOOT = 205, 16, 26, 14  # of the box of what is remembered
THING_LENGTH = 104  # characters of a line there
REMEMBERED_LEGEND = (
    "Pale in a dashed frame: remembered, what the viewer cannot see now, but knows for sure from what it has seen "
    "since the deal. Backs: unknown cards."
)


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


def remembered_card(picture: Svg, x: float, y: float, width: float, height: float, fill: str = PAPER) -> None:
    """A card face that the viewer remembers: pale, in a dashed frame."""
    radius = min(width, height) / 8
    picture.rect(
        x, y, width, height, radius, fill=mix(fill, PAPER, PALER), stroke=MUTED, stroke_dasharray=DASHES
    )  # fmt: skip


def remembered_ground(picture: Svg, x: float, y: float, width: float, height: float) -> None:
    """The pale ground, in a dashed frame, of a part of the table with things that the viewer remembers."""
    picture.rect(x, y, width, height, 8, fill=mix(GROUND, PAPER, PALER), stroke=MUTED, stroke_dasharray=DASHES)


def hand_label(size: int, known: int = 0) -> str:
    """What stands above a hand: `hand of 7`, or with remembered cards `hand of 7, 3 remembered`."""
    return f"hand of {size}" + (f", {known} remembered" if known else "")


def remembered_rows(things: Sequence[Thing]) -> list[tuple[str, str]]:
    """What a viewer remembers beside the hands in lines: a name, which further lines of a thing lack, and words."""
    return [
        (thing.name if not i else "", line)
        for thing in things
        for i, line in enumerate(wrap(thing.words, THING_LENGTH, break_long_words=False, break_on_hyphens=False))
    ]


def remembered_height(lines: Sequence[tuple[str, str]]) -> int:
    """How high the box of these lines is, the gap below the box included; 0 without a line."""
    return THINGS_HEAD + THING_STEP * len(lines) + THINGS_FOOT if lines else 0


def remembered_box(picture: Svg, lines: Sequence[tuple[str, str]], y: float) -> None:
    """The box of what the viewer remembers beside the hands; nothing without a line."""
    if not lines:
        return
    remembered_ground(picture, MARGIN, y, INNER, remembered_height(lines) - 10)
    picture.text(MARGIN + 10, y + 17, "Remembered", 12, bold=True)
    for i, (name, words) in enumerate(lines):
        below = y + THINGS_HEAD + 9 + THING_STEP * i
        picture.text(MARGIN + 10, below, name, 11, MUTED, width=THING_W - 12)
        picture.text(MARGIN + 10 + THING_W, below, words, 11, width=INNER - THING_W - 20)


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
