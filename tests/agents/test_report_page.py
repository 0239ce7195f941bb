"""The report's page: whole without anything from outside, names as text, every plot and every remark."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from skyline_agents.report.page import page
from skyline_agents.report.tables import Report, read
from tests.support.made_up_tournaments import event, line_ups, played, write

MARKUP = "<b>my_file:MyAgent</b>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


@pytest.fixture(scope="module")
def html(found: Report) -> str:
    return page(found)


class Balanced(HTMLParser):
    """Fails where tags do not close as they opened; keeps texts and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(html: str) -> Balanced:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser


def test_the_page_needs_nothing_from_outside_and_no_script(html: str) -> None:
    for tag, name, value in parsed(html).attributes:
        assert tag not in ("script", "link", "img", "iframe")
        assert not name.startswith("on")
        if name in ("href", "src", "xlink:href"):
            assert value.startswith("#event-")
    assert not re.search(r"https?:|@import|url\(", html)


def test_names_are_text_and_never_markup(html: str) -> None:
    texts = parsed(html).texts
    assert sum(MARKUP in text for text in texts) >= 4
    assert "<b>" not in html
    assert "ValueError: no move & no idea" in texts


def test_links_lead_to_the_events(html: str) -> None:
    attributes = parsed(html).attributes
    targets = {value for _, name, value in attributes if name == "id"}
    assert {value[1:] for _, name, value in attributes if name == "href"} == {"event-0", "event-1"} <= targets


def test_every_event_has_all_its_plots(html: str) -> None:
    pictures = [ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]
    labels = [picture.get("aria-label") for picture in pictures]
    once = [
        "Ratings with intervals", "Head to head", "Distributions of scores", "Effects of the seats", "Length of games",
    ]  # fmt: skip
    assert labels == once + [label for label in once if label != "Effects of the seats"]


def test_the_page_has_colours_for_light_and_dark(html: str) -> None:
    style = html.partition("<style>")[2].partition("</style>")[0]
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    defined = [set(re.findall(r"(--\w+): #", part)) for part in (light, dark)]
    assert defined[0] == defined[1] >= set(re.findall(r"var\((--\w+)\)", html))


def test_open_intervals_and_unfinished_events_are_said(html: str) -> None:
    texts = parsed(html).texts
    assert any(re.fullmatch(r"\+\d+ to open", text) for text in texts)
    assert any("No effects of seats: no two agents came before each other" in text for text in texts)
    assert any("160 of 320 planned games, 40 deals, 4 agents" in text for text in texts)
    assert any("Manhattan, 3 players: no game is finished" in text for text in texts)


def test_confounded_seats_are_said_in_place_of_a_plot(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    agents, deals, rotations = line_ups(rng, 2, 2, 40)
    agents = np.sort(agents, axis=1)
    games = [
        (
            event(0, 2, ["random", "heuristic"], 80), agents, deals, rotations,
            played(rng, agents, np.array([0.0, 0.3])),
        )
    ]  # fmt: skip
    text = page(read(write(tmp_path / "fixed.db", games), replicates=40))
    assert "agents did not change seats" in text
    assert "Effects of the seats" not in text
