"""The stamp of kernels covers every module that they are made of, so that no edit leaves an old kernel in use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import skyline
from skyline.core.cache import COMPILED

SKYLINE = Path(skyline.__file__).parent


def imported_modules(module: str) -> set[str]:
    """The modules of skyline that a module imports at its top."""
    names: set[str] = set()
    for node in ast.parse((SKYLINE / f"{module}.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "skyline":
            parent = "/".join(str(node.module).split(".")[1:])
            named = [f"{parent}/{alias.name}".lstrip("/") for alias in node.names]
            names |= {parent} if (SKYLINE / f"{parent}.py").is_file() else set(named)
    return names


def test_every_module_with_jitted_functions_is_stamped() -> None:
    jitted = {
        path.relative_to(SKYLINE).with_suffix("").as_posix()
        for path in SKYLINE.rglob("*.py")
        if "\n@njit" in path.read_text()
    }
    assert jitted
    assert jitted <= set(COMPILED)


@pytest.mark.parametrize("module", COMPILED)
def test_what_a_stamped_module_imports_is_stamped(module: str) -> None:
    assert imported_modules(module) <= set(COMPILED)
