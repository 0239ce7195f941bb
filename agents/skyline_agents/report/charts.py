"""Plots as SVG text for a page: no script, no outside resource; colours are variables of the page's style.

The page (skyline_agents.report.page) sets --ink, --soft, --line, --mark, --more, --less for light and dark.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 900
LETTER = 6.9  # width of a letter of the labels
LONGEST = 30  # letters of a label; the rest is in its tip
ROW = 30


@dataclass(frozen=True)
class Span:
    """A value with its interval; an end is infinite where it is open, the value NaN where there is none."""

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Counts:
    """How often whole numbers came up, and their mean."""

    label: str
    values: Sequence[int]
    counts: Sequence[int]
    mean: float


def spans(rows: Sequence[Span], axis: str, title: str) -> str:
    """A dot with its interval in every row, and an upright line at 0."""
    left, right, top = _label_width([row.label for row in rows]), WIDTH - 24, 12
    ends = [end for row in rows for end in (row.value, row.low, row.high) if math.isfinite(end)]
    scale = _Scale(min([0.0, *ends]), max([0.0, *ends]), left, right)
    bottom = top + ROW * len(rows)
    parts = scale.grid(top, bottom, axis)
    parts.append(_line(scale(0), top, scale(0), bottom, "zero"))
    for i, row in enumerate(rows):
        y = top + ROW * (i + 0.5)
        parts.append(_label(row.label, left - 10, y))
        if math.isnan(row.value):
            parts.append(_text(left + 8, y + 4, "no rating: no games join it to the anchor", "start", "soft"))
            continue
        low, high = (scale(end) if math.isfinite(end) else None for end in (row.low, row.high))
        tip = f"{row.label}: {row.value:+.0f} [{_end(row.low)}, {_end(row.high)}]"
        shape = _line(left if low is None else low, y, right if high is None else high, y, "whisker")
        shape += "".join(_line(x, y - 5, x, y + 5, "whisker") for x in (low, high) if x is not None)
        shape += _arrow(left, y, -1) if low is None else ""
        shape += _arrow(right, y, 1) if high is None else ""
        parts.append(f'<g><title>{_safe(tip)}</title>{shape}<circle class="mark" cx="{scale(row.value):.1f}" '
                     f'cy="{y:.1f}" r="5"/></g>')  # fmt: skip
    return _svg(WIDTH, bottom + 42, parts, title)


def heat(names: Sequence[str], shares: Sequence[Sequence[float]], tips: Sequence[Sequence[str]], title: str) -> str:
    """A square for every row against every column: a share 0 .. 1 as a colour, one half neutral, and in per cent."""
    left, n = _label_width(names), len(names)
    cell = max(34.0, min(64.0, (WIDTH - left - 20) / n))
    height = 32
    top = 14 + 0.62 * (_label_width(names) - 16)
    parts = []
    for j, name in enumerate(names):
        x = left + cell * (j + 0.5)
        parts.append(f'<g transform="translate({x:.1f} {top - 8:.1f}) rotate(-38)">{_label(name, 0, 0, "start")}</g>')
    for i, name in enumerate(names):
        y = top + height * i
        parts.append(_label(name, left - 10, y + height / 2))
        for j, share in enumerate(shares[i]):
            x = left + cell * j
            box = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{cell - 2:.1f}" height="{height - 2}" rx="3"'
            if i == j or math.isnan(share):
                parts.append(f'<rect class="none" {box}/>')
                continue
            hue, depth = ("more" if share >= 0.5 else "less"), 1.5 * abs(share - 0.5) + 0.04
            number = _text(x + cell / 2, y + height / 2 + 4, f"{100 * share:.0f}", "middle", "")
            tip = f"<title>{_safe(tips[i][j])}</title>"
            parts.append(f'<g>{tip}<rect class="{hue}" fill-opacity="{depth:.2f}" {box}/>{number}</g>')
    overhang = 0.8 * _label_width(names[-1:]) if n else 0
    return _svg(max(WIDTH, left + cell * n + overhang), top + height * n + 8, parts, title)


def histograms(rows: Sequence[Counts], axis: str, title: str) -> str:
    """Distributions of whole numbers, one below the other on the same scale, each with a line at its mean."""
    left, right, top, tall = _label_width([row.label for row in rows]), WIDTH - 24, 10, 46
    lowest = min(min(row.values) for row in rows)
    highest = max(max(row.values) for row in rows)
    width = math.ceil((highest - lowest + 1) / 60)
    bins = (highest - lowest) // width + 1
    scale = _Scale(lowest - 0.5, lowest + bins * width - 0.5, left, right)
    bottom = top + tall * len(rows)
    parts = scale.grid(top, bottom, axis)
    for i, row in enumerate(rows):
        base = top + tall * (i + 1)
        heights = [0] * bins
        for value, count in zip(row.values, row.counts, strict=True):
            heights[(value - lowest) // width] += count
        whole, peak = sum(heights), max(heights)
        for b, height in enumerate(heights):
            if height:
                first = lowest + b * width
                x, end = scale(first - 0.5), scale(first + width - 0.5)
                size = (tall - 12) * height / peak
                span = f"{first}" if width == 1 else f"{first} to {first + width - 1}"
                parts.append(
                    f'<rect class="bar" x="{x + 0.5:.1f}" y="{base - size:.1f}" width="{max(end - x - 1, 0.6):.1f}" '
                    f'height="{size:.1f}"><title>{_safe(row.label)}: {span}: {height:,} ({height / whole:.1%})'
                    "</title></rect>"
                )
        parts.append(_line(left, base, right, base, "axis"))
        parts.append(_line(scale(row.mean), base - tall + 8, scale(row.mean), base, "mean"))
        parts.append(_label(row.label, left - 10, base - 14))
    return _svg(WIDTH, bottom + 42, parts, title)


class _Scale:
    """Turns numbers of an axis into pixels."""

    def __init__(self, low: float, high: float, left: float, right: float) -> None:
        room = 0.04 * (high - low) or 1.0
        self._low, self._high, self._left, self._right = low - room, high + room, left, right

    def __call__(self, value: float) -> float:
        return self._left + (value - self._low) / (self._high - self._low) * (self._right - self._left)

    def grid(self, top: float, bottom: float, axis: str) -> list[str]:
        """Lines at round numbers, their labels, and the name of the axis."""
        parts = []
        for tick in ticks(self._low, self._high):
            x = self(tick)
            parts.append(_line(x, top, x, bottom, "grid"))
            parts.append(_text(x, bottom + 16, f"{tick:,.10g}", "middle", "soft"))
        parts.append(_text((self._left + self._right) / 2, bottom + 35, axis, "middle", "soft"))
        return parts


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers from `low` to `high`, at most `most` of them."""
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    while (high - low) / step > most:
        step *= 2.5 if f"{step:e}"[0] == "2" else 2
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg role="img" aria-label="{_safe(title)}" {size}>{"".join(parts)}</svg>'


def _label_width(labels: Sequence[str]) -> float:
    return 22 + LETTER * max((min(len(label), LONGEST) for label in labels), default=0)


def _label(text: str, x: float, y: float, anchor: str = "end") -> str:
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 + 1 :]}"
    tip = "" if shown == text else f"<title>{_safe(text)}</title>"
    return f'<text class="label" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{tip}{_safe(shown)}</text>'


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_safe(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _arrow(x: float, y: float, way: int) -> str:
    return f'<path class="arrow" d="M{x:.1f} {y:.1f}l{-8 * way} -5v10z"/>'


def _end(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "open"


def _safe(text: str) -> str:
    return html.escape(text)
