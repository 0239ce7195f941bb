"""docs/memory.md: its tables name every place of a history and every key of what a seat knows; its outputs are real."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyline import registry
from skyline.cli.policy_games import policy_game
from skyline.core import engine

PAGE = (Path(__file__).parents[2] / "docs" / "memory.md").read_text(encoding="utf-8")
WORDS = {"S": r"\d+", "I": r"\d+", "COLOUR": "[a-z]+", "DISTRICT": r"\w+"}  # what stands for what in names of places


def rows(heading: str, title: str) -> Iterator[list[str]]:
    """The cells of the table rows of a game below a heading, without the game's name."""
    part = re.split(r"^#+ ", PAGE.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]
    game = ""
    for line in part.splitlines():
        if line.startswith("|"):
            first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            game = first or game
            if game == title:
                yield cells


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("name", registry.names())
def test_every_place_of_a_history_is_in_the_table(name: str) -> None:
    game = registry.load(name)
    places = [place for cells in rows("Places and faces", game.title) for place in in_code(cells[0])]
    patterns = [" ".join(WORDS.get(word, re.escape(word)) for word in place.split()) for place in places]
    found: set[str] = set()
    for players in game.player_counts[0], game.player_counts[-1]:
        recorder, _ = policy_game(game, players, 1, engine.RANDOM)
        for viewer in (0, None):
            movements = [movement for entry in recorder.history(viewer) for movement in entry["seen"]]
            found |= {movement[end] for movement in movements for end in ("from", "to")}
            further = {field for movement in movements for field in movement} - {"from", "to", "cards"}
            assert all(f'| `"{field}": ' in PAGE for field in further), further
    unknown = {place for place in found if not any(re.fullmatch(pattern, place) for pattern in patterns)}
    assert not unknown
    assert len(found) > 5


@pytest.mark.parametrize("name", registry.names())
def test_the_keys_of_what_a_seat_knows_are_those_of_the_table(name: str) -> None:
    game = registry.load(name)
    keys = {key for cells in rows("What a seat knows, as data", game.title) for key in in_code(cells[0])}
    for players in game.player_counts:
        recorder, _ = policy_game(game, players, 1, engine.RANDOM, 40)
        assert set(recorder.knowledge(0)) == keys


def test_the_output_of_a_snippet_is_what_the_snippet_prints() -> None:
    shown = re.findall(r"```python\n([^`]*)```\n\n```text\n([^`]*)```", PAGE)
    assert len(shown) == 1
    for code, output in shown:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(code, "docs/memory.md", "exec"), {})
        assert said.getvalue() == output
