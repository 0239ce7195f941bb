"""What is wrong with a jitted function of a game, said in a few lines: the game, the file, the line and the reason.

numba's own message names every layer between the kernel and the mistake, with the whole record type in each.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skyline.core import overloads
from skyline.core.cache import python_sources
from skyline.game import Game

PLACE = re.compile(r'at (?P<at>/\S+\.py) \((?P<line>\d+)\)|File "(?P<file>[^"]+\.py)", line (?P<number>\d+)')
UNKNOWN_NAME = re.compile(r"(?:NameError: |Untyped global )name '(\w+)'")
NOISE = re.compile(r"Failed in|No match|raised from|Rejected|During|Overload|With arg|There are|- Of which|<source")
LONGEST_REASON = 240
ALLOCATES = "NRT required but not enabled"  # numba's words for memory of its own, which the core does without
NO_MEMORY = "this needs memory: the core makes no arrays, and what is assigned to a slice is one value, not an array"


class Place(NamedTuple):
    path: Path
    line: int


def explain(game: Game, kernel: str, error: Exception) -> str:
    """The message of a ContractError for what numba raised."""
    folder = overloads.source_folder(game)
    place, reason = _wrong_arguments(game) or _unknown_name(folder, error) or _innermost(folder, str(error))
    lines = [f"{game.title}: kernel {kernel} does not compile"]
    if place is not None:
        lines += [f"  {_short(place.path)}, line {place.line}", f"    {_source_line(place)}"]
    return "\n".join([*lines, f"  {_shortened(reason)}"])


def _wrong_arguments(game: Game) -> tuple[Place, str] | None:
    """A function of the game that takes other arguments than the contract says."""
    for stub in overloads.STUBS:
        function = overloads.plain(game, stub.__name__)
        if len(_arguments(function)) != len(_arguments(stub)):
            said = f"the contract of skyline.game has {stub.__name__}({', '.join(_arguments(stub))})"
            return _definition(function), said
    return None


def _arguments(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


def _definition(function: Callable[..., Any]) -> Place:
    """The line of `def`: inspect counts from the first decorator."""
    lines, first = inspect.getsourcelines(function)
    offset = next(i for i, line in enumerate(lines) if line.lstrip().startswith("def "))
    return Place(Path(inspect.getfile(function)), first + offset)


def _unknown_name(folder: Path, error: Exception) -> tuple[Place | None, str] | None:
    """A field that the state does not have (numba raises a bare KeyError), or a name that is not defined."""
    if isinstance(error, KeyError) and isinstance(error.args[0], str):
        field = error.args[0]
        return _use(folder, ast.Attribute, "attr", field), f"the record has no field {field!r}"
    unknown = UNKNOWN_NAME.search(str(error))
    if unknown is None:
        return None
    return _use(folder, ast.Name, "id", unknown[1]), f"name {unknown[1]!r} is not defined"


def _use(folder: Path, kind: type[ast.expr], attribute: str, name: str) -> Place | None:
    """The first place of the game's sources where an attribute or a name is used."""
    for path in python_sources(folder):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, kind) and getattr(node, attribute) == name:
                return Place(path, node.lineno)
    return None


def _innermost(folder: Path, text: str) -> tuple[Place | None, str]:
    """Numba says the innermost error first: the first place in the game's sources, and what stands before it."""
    for found in PLACE.finditer(text):
        path = Path(found["at"] or found["file"])
        if folder in path.parents:
            return Place(path, int(found["line"] or found["number"])), _reason(text[: found.start()])
    return None, _reason(text)


def _reason(text: str) -> str:
    """The first telling line after the last `Failed in`; for a call that no function fits, the call with its types."""
    lines = list(_telling(text[text.rfind("Failed in") :]))
    if not lines:
        return "numba gives no reason"
    call = next((line for line in lines if line.startswith(">>> ")), None)
    if ALLOCATES in text:
        return NO_MEMORY
    if lines[0].startswith("No implementation of function") and call is not None:
        return f"no function fits {call.removeprefix('>>> ')}"
    return lines[0]


def _telling(text: str) -> Iterator[str]:
    """The lines that say something."""
    for line in map(str.strip, text.splitlines()):
        if line and not NOISE.match(line):
            yield line


def _shortened(reason: str) -> str:
    """Without the fields of record types, and not longer than some lines."""
    short = re.sub(r"Record\(.*?;(?:True|False)\)", "record", reason)
    return short if len(short) <= LONGEST_REASON else f"{short[:LONGEST_REASON]} .."


def _short(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _source_line(place: Place) -> str:
    return place.path.read_text().splitlines()[place.line - 1].strip()
