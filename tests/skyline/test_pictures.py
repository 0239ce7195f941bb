"""The pictures of the README are drawn from games of fixed seeds, with the same bytes every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from skyline import registry
from skyline.cli import pictures
from skyline.cli.policy_games import policy_game
from skyline.core import engine
from tests.support.playing import GAME

pytest.importorskip("resvg_py")


def test_a_picture_is_drawn_in_mid_game_and_is_small_and_the_same_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "names", lambda: [GAME])
    assert pictures.main([str(tmp_path / "new")]) == 0
    path = tmp_path / "new" / f"{GAME}.png"
    drawn = path.read_bytes()
    assert drawn == pictures.picture(registry.load(GAME))
    assert drawn.startswith(b"\x89PNG")
    assert len(drawn) <= 100_000
    assert capsys.readouterr().out == f"{path}: {len(drawn):,} bytes\n"


def test_the_game_of_a_picture_is_that_of_the_baseline_players() -> None:
    game = registry.load(GAME)
    whole, moves = policy_game(game, pictures.PLAYERS, pictures.SEED, engine.HEURISTIC)
    assert whole.seat is None
    part, played = policy_game(game, pictures.PLAYERS, pictures.SEED, engine.HEURISTIC, moves // 2)
    assert part.seat is not None
    assert played == moves // 2
    assert [line for line in whole.lines if "move" in line][:played] == [line for line in part.lines if "move" in line]
