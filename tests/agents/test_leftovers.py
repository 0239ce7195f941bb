"""What processes that were killed while they wrote a file leave behind is removed by who goes on."""

from __future__ import annotations

from pathlib import Path

from skyline.files import whole, write_text
from skyline_agents.tournament.settings import TournamentSettings, event
from skyline_agents.tournament.work import Conditions
from tests.support.played_tournaments import held
from tests.support.playing import FEW, GAME


def test_a_resumed_tournament_removes_half_written_records_of_its_own(tmp_path: Path) -> None:
    made = event(GAME, ["random", "heuristic"], FEW, deals=1)
    record = tmp_path / f"{GAME}-{FEW}p-event0-deal0-lineup0-rotation1.jsonl"
    with whole(record) as part:
        half = part.name
        part.write_text("half")
    record.unlink()
    own = [tmp_path / half, tmp_path / f".{record.name}.forfeit-0123abcd"]
    others = [tmp_path / f".{GAME}-{FEW}p-event1-deal0.jsonl-0123abcd", tmp_path / ".notes", tmp_path / f"{half}.txt"]
    for path in own + others:
        path.write_text("half")
    held(tmp_path / "results.db", TournamentSettings([made]), conditions=Conditions(records=tmp_path))
    assert record.exists()
    assert not any(path.exists() for path in own)
    assert all(path.exists() for path in others)


def test_a_whole_file_is_no_leftover(tmp_path: Path) -> None:
    path = write_text(tmp_path / "checkpoint.pt", "all of it")
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
