"""Every golden record is made again byte for byte, and replays; every file in tests/golden belongs to a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from skyline import record
from tests.support import golden_records as golden

FILES = {path.stem: (game, players, path) for game, players, path in golden.files()}


@pytest.mark.parametrize("stem", FILES)
def test_golden_record_is_made_again_byte_for_byte(stem: str) -> None:
    game, players, path = FILES[stem]
    assert path.exists(), f"make it: python -m tests.support.golden_records --write ({game}, {players} players)"
    assert golden.made_again(path) == path.read_text(encoding="utf-8")
    assert record.verify(path).seat is None


def test_every_file_belongs_to_a_game_and_player_count() -> None:
    assert {path.stem for path in golden.FOLDER.iterdir()} == set(FILES)


def test_a_changed_record_is_found(tmp_path: Path) -> None:
    """A changed move, shuffle or score and a missing line are found with the number of the line."""
    game, players, path = next(iter(FILES.values()))
    lines = path.read_text(encoding="utf-8").splitlines(True)
    shuffle = next(i for i, line in enumerate(lines) if line.startswith('{"shuffle"'))
    for number, old, new in ((0, '"seed": ', '"seed": 1'), (shuffle, "[", "[0, "), (len(lines) - 1, "[", "[1")):
        changed = [*lines]
        changed[number] = changed[number].replace(old, new, 1)
        (tmp_path / path.name).write_text("".join(changed), encoding="utf-8")
        assert golden.first_difference(tmp_path / path.name) is not None, (game, players, number)
    (tmp_path / path.name).write_text("".join(lines[:-1]), encoding="utf-8")
    assert golden.first_difference(tmp_path / path.name) == f"{path.name}: had {len(lines) - 1} lines, has {len(lines)}"
