"""`python -m skyline_bench.pages.page` writes the figures of a run, and only these, into the documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skyline_bench.harness import bench_report as reports
from skyline_bench.pages import page


def a_report(**rates: dict[str, float]) -> dict[str, Any]:
    """A report of games with two players, whose layers have these steps/s."""
    sizes = {"state": 1000, "mask": 100, "observation": 2000}

    def part(layers: dict[str, float]) -> dict[str, Any]:
        speeds = {name.replace("_", "-"): {"median": rate, "games": rate / 100} for name, rate in layers.items()}
        speeds.get("vector-gymnasium", {}).pop("games", None)  # plays no whole games
        return {"sizes": sizes, "layers": speeds}

    chess = {"median": 1000.0, "seats": 2, "step": "decision", "left_out": "", "rows": 1}
    catan = {
        "median": 2e6,
        "games": 500.0,
        "seats": 4,
        "step": "micro-action: a card",
        "left_out": "observation",
        "rows": 64,
    }

    return {
        "schema": reports.SCHEMA,
        "fingerprint": {
            "cpu": "A processor",
            "cores": 2,
            "load": [0.5],
            "commit": "0123456789",
            "time": "2026-01-02T03",
            "calibration": 0.05,
        },
        "settings": {"layers": ["core", "aec"], "threads": 2, "seconds": 0.5},
        "games": {name: {"title": name.title(), "players": {"2": part(layers)}} for name, layers in rates.items()},
        "reference": {"c4-env": {"median": 20_000.0}},
        "peers": {
            "slow": {"title": "Slow", "games": {"chess": chess}, "missing": {"go": "too slow"}},
            "fast": {"title": "Fast", "games": {"catan": catan}, "missing": {}},
        },
    }


LAYERS = {
    "step": 50e6, "step_mask": 20e6, "step_mask_obs": 10e6, "rollout_random": 8e6, "vector_1024": 5e6,
    "vector_gymnasium": 1e6, "aec_checked": 5e5, "aec_numpy": 3e5, "copy_view": 25e6,
}  # fmt: skip
SLOWER = {"rollout_random": 4e6, "vector_1024": 3e6}


def test_a_page_shows_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {path: (page.ROOT / path).read_text(encoding="utf-8") for path in ("README.md", "docs/bench.md")}
    (tmp_path / "docs").mkdir()
    for path, text in pages.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    report = tmp_path / "report.json"
    report.write_text(json.dumps(a_report(quick=LAYERS, slow=LAYERS | SLOWER)), encoding="utf-8")
    monkeypatch.setattr(page, "ROOT", tmp_path)
    assert page.main([str(report)]) == 0
    readme, bench = ((tmp_path / path).read_text(encoding="utf-8") for path in pages)
    assert "| Quick, 2 | 8.0 M | 400 | 5.0 M | 0.50 M | 25.0 | 1,000 |" in readme
    assert "`skyline bench -l core,aec -t 2 -s 0.5 --peers --json report.json`: A processor" in readme
    assert "| `step` | 50,000,000 | 50,000,000 |" in bench
    assert "| Quick, 2 | 20 | 30 | 50 | 25 | 125 | 40 | 100 | 2,000 |" in bench
    assert "| Slow | chess | 2 | 1 | 1,000 |  | decision |  | 8,000.0 | 4,000.0 | 300.0 |" in bench
    assert "| Fast | catan | 4 | 64 | 2,000,000 | 500 | micro-action: a card | observation | 4.0 | 2.0 | 0.1 |" in bench
    assert "* Slow go: too slow\n" in bench
    assert "| peer | game | steps/s | a step is | left out | `vector-1024` |\n" in bench
    assert "| Fast | catan | 2,000,000 | micro-action | observation | 1.5 .. 2.5 |" in bench
    assert "| Slow | chess | 1,000 | decision" not in bench  # no batch
    assert readme.partition("<!-- speed -->")[0] == pages["README.md"].partition("<!-- speed -->")[0]


def test_a_page_needs_whole_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, data = tmp_path / "report.json", a_report(quick=LAYERS)
    before = (page.ROOT / "README.md").read_bytes()
    del data["peers"]["slow"]["games"]["chess"]["step"]
    report.write_text(json.dumps(data), encoding="utf-8")
    assert page.main([str(report)]) == 1
    assert "report.peers.slow.games.chess: the field 'step' is missing" in capsys.readouterr().err
    assert (page.ROOT / "README.md").read_bytes() == before


def test_a_page_needs_the_layers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    report.write_text(json.dumps(a_report(quick={"step": 1e6})), encoding="utf-8")
    before = (page.ROOT / "README.md").read_bytes()
    assert page.main([str(report)]) == 1
    assert "lacks the layer rollout-random" in capsys.readouterr().err
    assert (page.ROOT / "README.md").read_bytes() == before
