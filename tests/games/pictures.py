"""What stands in the picture of any game: its texts with their places, and the titles of its groups."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

from skyline.draw.fonts import text_width
from tests.support.rule_cases import Core

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float, str]


def boxes(svg: str) -> list[Box]:
    """(left, top, right, bottom, text) of every text."""
    found = []
    for e in ET.fromstring(svg).iter(f"{SVG}text"):
        size, x, y = (float(e.attrib[name]) for name in ("font-size", "x", "y"))
        wide = text_width(e.text or "", size, "font-weight" in e.attrib)
        left = x - {"start": 0, "middle": 0.5, "end": 1}[e.attrib.get("text-anchor", "start")] * wide
        found.append((left, y - 0.73 * size, left + wide, y, e.text or ""))
    return found


def texts(svg: str) -> list[str]:
    """All texts in their order."""
    return [box[4] for box in boxes(svg)]


def titles(svg: str) -> list[str]:
    """The titles of the groups, without that of the picture."""
    return [e.text or "" for e in ET.fromstring(svg).iter(f"{SVG}title")][1:]


def check_only_reads(core: Core) -> None:
    """Picture and text are the same each time, and leave the state as it was."""
    game, before = core.game, core.states.tobytes()
    for seat in (None, 1):
        for show in (game.svg, game.text):
            assert show(core.states[0], seat, None) == show(core.copy().states[0], seat, None)
    assert core.states.tobytes() == before


def check_texts_lie_apart(svg: str) -> None:
    """No text lies on another one or outside of the picture."""
    _, _, width, height = map(float, ET.fromstring(svg).attrib["viewBox"].split())
    found = boxes(svg)
    for left, top, right, bottom, text in found:
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, text
    for one, other in itertools.combinations(found, 2):
        apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
        assert apart, (one, other)
