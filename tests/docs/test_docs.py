"""Documents run: the README's Python, the notebooks, the tables of the environment pages (layer T12)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skyline import registry
from skyline.cli import tables

ROOT = Path(__file__).parents[2]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", *(f"{found.package}/README.md" for found in registry.found().values())])
def test_the_python_of_a_page_runs(page: str) -> None:
    blocks = python_blocks(ROOT / page)
    assert blocks, f"{page} shows no Python"
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("name", registry.names())
def test_the_tables_of_the_environment_page_are_those_of_the_code(name: str) -> None:
    page = tables.page_of(name).read_text(encoding="utf-8")
    assert tables.with_tables(registry.load(name), page) == page, "run `make docs`"


def test_the_readme_lists_every_game_and_says_unofficial() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Unofficial" in readme
    for found in registry.found().values():
        assert f"`{found.id}`" in readme


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    if "train" in path.stem:
        pytest.importorskip("sb3_contrib", reason="needs the extra train")
    monkeypatch.setenv("SKYLINE_SHORT", "1")  # notebooks that measure or train do so for moments only
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
