"""The tables of a report as files: CSV, Parquet (extra `parquet`), JSON."""

from __future__ import annotations

import csv
import importlib.util
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skyline.files import whole
from skyline_agents.report.tables import Report, Row


def write_csv(report: Report, folder: Path) -> list[Path]:
    """Write a file for every table. A missing number is an empty cell, the open end of an interval is inf."""
    return _each(report, folder, "csv", _csv)


def write_parquet(report: Report, folder: Path) -> list[Path]:
    """Write a file for every table. A missing number is null, the open end of an interval is inf."""
    if importlib.util.find_spec("pyarrow") is None:
        raise ImportError("Parquet files need pyarrow: pip install 'skyline-envs[parquet]'")
    return _each(report, folder, "parquet", _parquet)


def as_json(report: Report) -> str:
    """All tables as JSON. A missing number and the open end of an interval are null."""
    tables = {
        name: [{key: _finite(value) for key, value in row.items()} for row in rows]
        for name, rows in report.tables().items()
    }
    return json.dumps({"database": str(report.path), **tables}, indent=2)


def _each(report: Report, folder: Path, suffix: str, write: Callable[[Path, list[Row]], None]) -> list[Path]:
    """A file for every table that has rows."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, rows in report.tables().items():
        if rows:
            path = folder / f"{name}.{suffix}"
            with whole(path) as part:
                write(part, rows)
            paths.append(path)
    return paths


def _csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({key: _known(value) for key, value in row.items()} for row in rows)


def _parquet(path: Path, rows: list[Row]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {key: [_known(row[key]) for row in rows] for key in rows[0]}
    kinds = {key: pyarrow.float64() for key, value in rows[0].items() if isinstance(value, float)}
    arrays = {key: pyarrow.array(values, kinds.get(key)) for key, values in columns.items()}
    parquet.write_table(pyarrow.table(arrays), path)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
