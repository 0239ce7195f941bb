"""The report's plots: where dots, bars, colours, ticks and names are."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from skyline_agents.report import charts

MARKUP = "<b>my_file:MyAgent</b>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


def numbers(svg: str, element: str, attribute: str) -> list[float]:
    root = ElementTree.fromstring(svg)
    return [float(found.get(attribute, "nan")) for found in root.iter(element)]


def test_a_dot_lies_at_its_value_and_an_open_end_has_an_arrow() -> None:
    inf, nan = float("inf"), float("nan")
    rows = [
        charts.Span("a", 100, 50, 150), charts.Span("b", 50, 0, inf), charts.Span("c", 0, -inf, 0),
        charts.Span("d", nan, nan, nan),
    ]  # fmt: skip
    svg = charts.spans(rows, "x", "t")
    a, b, c = numbers(svg, "circle", "cx")
    assert a - b == pytest.approx(b - c, abs=0.2)
    assert a > b > c
    assert svg.count('class="arrow"') == 2
    assert "no games join it" in svg


def test_bars_are_as_high_as_the_counts_and_wide_ranges_are_binned() -> None:
    svg = charts.histograms([charts.Counts("a", [3, 4, 6], [10, 20, 5], 4.1)], "x", "t")
    heights = numbers(svg, "rect", "height")
    assert heights == pytest.approx([heights[1] / 2, heights[1], heights[1] / 4], abs=0.2)
    wide = charts.histograms([charts.Counts("a", range(-500, 500), [1] * 1000, 0)], "x", "t")
    assert 50 <= len(numbers(wide, "rect", "height")) <= 60
    assert "-500 to -484: 17 (1.7%)" in wide


def test_single_values_and_single_agents_are_plots_too() -> None:
    ElementTree.fromstring(charts.histograms([charts.Counts("a", [0], [1], 0)], "x", "t"))
    ElementTree.fromstring(charts.spans([charts.Span("a", 0, 0, 0)], "x", "t"))
    ElementTree.fromstring(charts.heat(["a"], [[float("nan")]], [[""]], "t"))


def test_the_heat_map_is_blue_above_one_half_and_deeper_further_off() -> None:
    nan = float("nan")
    svg = charts.heat(list("abc"), [[nan, 0.9, 0.6], [0.1, nan, 0.5], [0.4, 0.5, nan]], [[""] * 3] * 3, "t")
    boxes = re.findall(r'<rect class="(\w+)"(?: fill-opacity="([\d.]+)")?', svg)
    assert [kind for kind, _ in boxes] == ["none", "more", "more", "less", "none", "more", "less", "more", "none"]
    assert float(boxes[1][1]) > float(boxes[2][1]) > float(boxes[5][1])


@pytest.mark.parametrize(("low", "high"), [(-3.2, 4.1), (0, 1), (-1200, 1500), (39.5, 121.5), (0, 0.02)])
def test_ticks_are_few_round_numbers_within(low: float, high: float) -> None:
    found = charts.ticks(low, high)
    assert 3 <= len(found) <= 9
    assert low <= found[0]
    assert found[-1] <= high
    assert f"{found[1] - found[0]:.3e}"[:5] in ("1.000", "2.000", "5.000")
    np.testing.assert_allclose(np.diff(found), found[1] - found[0])


def test_a_long_name_is_shortened_and_whole_in_its_tip() -> None:
    name = "ismcts:100000,playout=heuristic,tree=1000000"
    svg = charts.spans([charts.Span(name, 0, -1, 1)], "x", "t")
    label = next(text for text in ElementTree.fromstring(svg).iter("text") if text.get("class") == "label")
    assert "…" in "".join(label.itertext())
    assert label.find("title") is not None
    assert f"<title>{name}</title>" in svg
