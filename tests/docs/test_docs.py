"""Documents run: the README's Python, the notebooks, the tables of the environment pages (layer T12)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skyline import registry
from skyline.cli import environment_pages
from tests.support.commands import COMMANDS, understood

ROOT = Path(__file__).parents[2]


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_a_snippet_of_the_readme_runs_in_a_fresh_interpreter(number: int) -> None:
    blocks = python_blocks(ROOT / "README.md")
    assert len(blocks) == 3
    exec(compile(blocks[number], "README.md", "exec"), {})


def shell_lines(page: Path) -> list[str]:
    """The lines of all blocks without a language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [line for language, block in blocks if not language for line in block.splitlines() if line.strip()]


@pytest.mark.usefixtures("commands")
def test_the_shell_commands_of_the_readme_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    verbs = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    lines = shell_lines(ROOT / "README.md")
    programs = {line.split()[0] for line in lines}
    assert programs == {"make", "pip", "skyline"}
    for line in lines:
        if line.startswith("skyline "):
            said = understood(line, monkeypatch)
            assert said.code == 0, (line, said.err)
        elif line.startswith("make "):
            assert line.split()[1] in verbs, line


def test_every_command_and_every_document_is_in_the_readme() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) < 200
    for name in ("games", "play", "verify", "show", *set(COMMANDS) - {"demo"}):
        assert f"\nskyline {name} " in page or f"\nskyline {name}\n" in page, name
    for path in (*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")):
        if path.name != "README.md":
            assert f"]({path.relative_to(ROOT).as_posix()})" in page, path
    for target in re.findall(r"\]\(([^)#:]+)\)", page):
        assert (ROOT / target).exists(), target


@pytest.mark.parametrize("name", registry.names())
def test_the_picture_of_a_game_is_small(name: str) -> None:
    """`make pictures` draws them."""
    assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size <= 100_000


@pytest.mark.parametrize("page", [f"{found.package}/README.md" for found in registry.found().values()])
def test_the_python_of_a_page_runs(page: str) -> None:
    blocks = python_blocks(ROOT / page)
    assert blocks, f"{page} shows no Python"
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("name", registry.names())
def test_the_tables_of_the_environment_page_are_those_of_the_code(name: str) -> None:
    page = environment_pages.page_of(name).read_text(encoding="utf-8")
    assert environment_pages.with_tables(registry.load(name), page) == page, "run `make docs`"


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
