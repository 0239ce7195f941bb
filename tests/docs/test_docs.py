"""Documents: their Python runs, their links and paths lead to files, their tables and outputs are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skyline import registry
from skyline.cli import environment_pages
from tests.support import notebooks
from tests.support.commands import COMMANDS, understood

ROOT = Path(__file__).parents[2]
MOST_NOTEBOOK_BYTES = 600_000  # with all outputs


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(4))
def test_a_snippet_of_the_readme_runs_in_a_fresh_interpreter(number: int) -> None:
    blocks = python_blocks(ROOT / "README.md")
    assert len(blocks) == 4
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
    assert programs == {"make", "pip", "skyline", "."}
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


@pytest.mark.parametrize("name", registry.names())
def test_the_picture_of_a_game_is_small(name: str) -> None:
    """`make pictures` draws them."""
    assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size <= 100_000


PAGES_THAT_RUN = (
    "docs/agents.md",
    "docs/batches.md",
    "docs/memory.md",
    *(f"{found.package}/README.md" for found in registry.found().values()),
)


@pytest.mark.parametrize("page", PAGES_THAT_RUN)
def test_every_snippet_of_a_page_runs_alone(page: str) -> None:
    blocks = python_blocks(ROOT / page)
    assert blocks, f"{page} shows no Python"
    for block in blocks:
        exec(compile(block, page, "exec"), {})


@pytest.mark.parametrize("name", registry.names())
def test_the_tables_of_the_environment_page_are_those_of_the_code(name: str) -> None:
    page = environment_pages.page_of(name).read_text(encoding="utf-8")
    assert environment_pages.with_tables(registry.load(name), page) == page, "run `make docs`"


def test_the_readme_lists_every_game_and_says_unofficial() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Unofficial" in readme
    for found in registry.found().values():
        assert f"`{found.id}`" in readme


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "train" in path.stem:
        pytest.importorskip("sb3_contrib", reason="needs the extra train")
    monkeypatch.setenv("SKYLINE_SHORT", "1")  # notebooks that measure or train do so for moments only
    notebooks.execute(notebooks.read(path), seconds=300)


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_the_outputs_of_a_notebook_are_those_of_its_sources(path: Path) -> None:
    assert notebooks.stale(notebooks.read(path)) == [], "run `make notebooks`"
    assert path.stat().st_size <= MOST_NOTEBOOK_BYTES


def test_an_edited_cell_makes_the_outputs_of_all_later_cells_stale() -> None:
    notebook = notebooks.read(notebooks.paths()[0])
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cells[2].source += "\n"
    assert notebooks.stale(notebook) == list(range(3, len(cells) + 1))


PATHS_BEGIN_IN = (ROOT, ROOT / "agents" / "skyline_agents", ROOT / "benchmarks" / "skyline_bench")
NO_PATHS = ("runs/", "tables/", "tensorboard/")  # made by commands
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder, pattern in (
        (ROOT, "*.md"), (ROOT / "docs", "*.md"), (ROOT, "*_env/*.md"), (ROOT / "agents", "**/*.md"),
    )
    for path in folder.glob(pattern)
)  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_every_relative_link_leads_to_a_file_and_a_heading(name: str) -> None:
    page = ROOT / name
    for target in links(page.read_text(encoding="utf-8")):
        file, _, heading = target.partition("#")
        led_to = page.parent / file if file else page
        assert led_to.exists(), f"{name} links to {target}"
        assert led_to.resolve().is_relative_to(ROOT), f"{name} links to {target}, which is outside the repository"
        if heading:
            assert heading in headings(led_to), f"{name} links to {target}: there is no such heading"


def test_links_and_headings_are_found() -> None:
    text = "# A `b`: c\n[x](y.md#z) ![p](p.png)\n[w](https://w) `[no](code)`\n```\n[no](block)\n# no\n```\n"
    assert links(text) == ["y.md#z", "p.png"]
    assert anchors(text) == {"a-b-c"}


@pytest.mark.parametrize("name", PAGES)
def test_every_path_that_a_page_names_exists(name: str) -> None:
    """`skyline/game.py`, `tests/games/<game>/oracle.py`; or a path inside a package, `players/ppo/policy.py`."""
    for path in paths(without_blocks((ROOT / name).read_text(encoding="utf-8"))):
        pattern = re.sub(r"<\w+>", "*", path)
        assert any(list(folder.glob(pattern)) for folder in PATHS_BEGIN_IN), f"{name} names {path}"


def test_paths_are_found() -> None:
    assert paths("`a/b.py` `a/<b>/` `a/b.py::test` `a.b` `a/b c.py` a/b.py `~/a.py` `a/b`") == [
        "a/b.py",
        "a/<b>/",
        "a/b.py",
    ]


def paths(text: str) -> list[str]:
    """The paths in code marks: with a slash at their end, or the name of a file."""
    found = re.findall(r"`([\w<][\w.<>/*-]*/(?:[\w*-]+\.(?:py|md|toml|db|jsonl|txt))?)(?:::\w+)?`", text)
    return [path for path in found if not path.startswith(NO_PATHS)]


def links(text: str) -> list[str]:
    """The relative targets of all links and pictures."""
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_blocks(text)))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def headings(page: Path) -> set[str]:
    return anchors(page.read_text(encoding="utf-8"))


def anchors(text: str) -> set[str]:
    """The headings as GitHub writes them in links."""
    found = re.findall(r"^#+ (.+)$", without_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
