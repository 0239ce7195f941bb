"""The notebooks with their outputs, as readers on GitHub see them: `make notebooks` runs them and writes the outputs.

    python -m tests.support.notebooks                          every notebook (04 needs the extra train)
    python -m tests.support.notebooks notebooks/01_first_steps.ipynb

Every code cell notes a digest of the sources up to and including its own. `stale` compares the digests with the
sources, so that a test fails after an edit without a run.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
SECONDS = 3600  # the most seconds for one cell


def paths() -> list[Path]:
    """The files of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def execute(notebook: Any, seconds: int) -> None:
    """Run all cells in the folder of the repository; the outputs are then in the notebook."""
    NotebookClient(notebook, timeout=seconds, resources={"metadata": {"path": str(ROOT)}}).execute()


def digests(notebook: Any) -> list[str]:
    """For every code cell a digest of the code cells up to and including this one."""
    found, seen = [], hashlib.sha256()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            seen.update(f"{cell.source}\0".encode())
            found.append(seen.hexdigest()[:16])
    return found


def stale(notebook: Any) -> list[int]:
    """The code cells, counted from 1, whose outputs were not made by the sources as they stand."""
    noted = [
        cell.metadata.get("sources") if cell.execution_count == number else None
        for number, cell in enumerate(_code(notebook), 1)
    ]
    return [number for number, pair in enumerate(zip(noted, digests(notebook), strict=True), 1) if pair[0] != pair[1]]


def write(path: Path) -> None:
    """Run a notebook and store the outputs, without the times of the run."""
    notebook = read(path)
    execute(notebook, SECONDS)
    for cell, digest in zip(_code(notebook), digests(notebook), strict=True):
        cell.metadata = {"sources": digest}
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def main(arguments: Sequence[str]) -> None:
    for path in [Path(text) for text in arguments] or paths():
        print(path, file=sys.stderr, flush=True)
        write(path)


if __name__ == "__main__":
    main(sys.argv[1:])
