"""The names of agents: what they mean, and the errors over wrong ones."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skyline.core import engine
from skyline_agents import names
from skyline_agents.play import play
from tests.support.playing import GAME
from tests.support.processes import ROOT, declare, environment, run


def test_lists_of_agents_split_at_commas_but_not_before_settings() -> None:
    assert names.split("random") == ["random"]
    assert names.split("a:0.1s,playout=heuristic,random,b:x=1,y=2") == [
        "a:0.1s,playout=heuristic",
        "random",
        "b:x=1,y=2",
    ]
    with pytest.raises(ValueError, match="empty name"):
        names.split("random,,random")


def test_lists_fill_up_by_repetition() -> None:
    assert names.fill(["a", "b"], 4) == ["a", "b", "a", "b"]
    assert names.fill(["a", "b"], 3) == ["a", "b", "a"]
    for given in ([], ["a", "b", "c"]):
        with pytest.raises(ValueError, match="for 2 players"):
            names.fill(given, 2)


def test_settings_are_a_value_and_keys() -> None:
    assert names.settings("x", "0.1s,playout=heuristic") == {"value": "0.1s", "playout": "heuristic"}
    assert names.settings("x", "") == {}
    for wrong in ("1,2", "a=1,a=2"):
        with pytest.raises(ValueError, match="two settings"):
            names.settings("x", wrong)


def test_every_policy_of_the_kernel_has_a_python_form() -> None:
    for name, policy in engine.POLICIES.items():
        assert names.make(name).kernel_policy == policy  # type: ignore[attr-defined]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a module of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "own_agents.py").write_text(
        textwrap.dedent("""
            class Last:
                def __init__(self, value="1", depth="2"):
                    if not value.isdigit():
                        raise ValueError(f"value is a number, not {value!r}")
                    self.value, self.depth = value, depth
                def begin(self, game, players, options, seed): pass
                def act(self, view): return view.legal()[-1]
            class Deaf:
                def begin(self, game, players, options, seed): pass
            number = 5
        """)
    )
    (tmp_path / "own_broken.py").write_text("1 / 0\n")
    (tmp_path / "missing_part_bot.py").write_text("import missing_part\n")
    return tmp_path


@pytest.mark.usefixtures("here")
def test_own_classes_come_from_the_current_folder() -> None:
    agent: Any = names.make("own_agents:Last,7,depth=3")
    assert (agent.value, agent.depth) == ("7", "3")
    results = play(GAME, "own_agents:Last,random", 2, players=2, seed=1)
    assert results.agents == ["own_agents:Last", "random"]
    assert len(results) == 2


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("randon", "there is no agent 'randon'.*heuristic.*random.*did you mean 'random'"),
        ("randon:5", "no agent or module 'randon'.*did you mean 'random'"),
        ("random:5", "'random:5' has wrong settings.*it has none"),
        ("own_agents:Last,breadth=1", "wrong settings.*breadth.*its settings are value, depth"),
        ("own_agents:Last,x", "value is a number, not 'x'"),
        ("own_agents:Lost", "module own_agents has no class 'Lost'; did you mean 'Last'"),
        ("own_agents:number", "has no class 'number'"),
        ("own_agents:Deaf", "is no agent: it has no method act"),
        ("own_broken:X", "own_broken cannot be imported: ZeroDivisionError"),
        ("missing_part_bot:X", "missing_part_bot cannot be imported: No module named 'missing_part'"),
        ("no.such.module:X", "no agent or module 'no.such.module'"),
        (":X", "cannot be imported"),
        ("", "the name of an agent is empty"),
    ],
)
def test_wrong_names_are_told_in_one_line(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        names.make(text)
    assert "\n" not in str(error.value)


@pytest.fixture
def more_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two agents of another distribution, one of which cannot be imported."""
    (tmp_path / "shiny.py").write_text(
        "class Shiny:\n def begin(self, *a): pass\n def act(self, view): return 0\nraise_if_imported = 0\n"
    )
    (tmp_path / "heavy.py").write_text("import a_library_that_is_not_here\n")
    declare(tmp_path, "skyline.agents", {"shiny": "shiny:Shiny", "heavy": "heavy:Heavy"})
    monkeypatch.syspath_prepend(str(tmp_path))
    names._places.cache_clear()
    yield
    names._places.cache_clear()


@pytest.mark.usefixtures("more_agents")
def test_agents_of_other_distributions_are_found_and_a_broken_one_hides_nothing() -> None:
    assert {"shiny", "random", "heuristic"} <= set(names.names())
    assert type(names.make("shiny")).__name__ == "Shiny"
    with pytest.raises(ValueError, match=r"'heavy' cannot be loaded from heavy:Heavy: .*a_library_that_is_not_here"):
        names.make("heavy")


def test_finding_an_agent_imports_that_agent_alone() -> None:
    code = "import sys\nfrom skyline_agents import names\nnames.make('random')\n"
    code += "print([module for module in sys.modules if 'players.' in module])"
    loaded = run(code, environment(ROOT, cache=None), ROOT)
    assert "kernel" in loaded
    assert "search" not in loaded and "ppo" not in loaded
