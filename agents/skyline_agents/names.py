"""One way to name agents everywhere.

    random                              an agent of this package
    flat:200                            with its setting `value`
    ismcts:0.1s,playout=heuristic       with `value` and another setting; a budget is a number of simulations or a time
    ismcts:1000,memory=table            a player who forgets
    my_file:MyAgent                     a class of your own, from the current folder or any installed module
    my_file:MyAgent,depth=2             with keyword arguments, which are texts

The names of this package are in `skyline_agents.players.PLAYERS`; other distributions add names by the entry-point
group `skyline.agents`.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import inspect
import itertools
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from skyline_agents.players import ALIASES, PLAYERS
from skyline_agents.protocol import Agent

Factory = Callable[..., Agent]
T = TypeVar("T")


@lru_cache(None)
def _places() -> dict[str, str]:
    """The place of every name's factory as "module:factory"; no module of an agent is imported."""
    others = {entry.name: entry.value for entry in importlib.metadata.entry_points(group="skyline.agents")}
    return {**others, **{alias: PLAYERS[name] for alias, name in ALIASES.items()}, **PLAYERS}


def names() -> list[str]:
    """The names of all agents that are installed, without aliases."""
    return sorted(set(_places()) - set(ALIASES))


def _factory(text: str, name: str) -> Factory:
    """The factory of an installed agent; no other agent's module is imported."""
    module, _, member = _places()[name].partition(":")
    try:
        factory: Factory = getattr(importlib.import_module(module), member)
    except (ImportError, AttributeError) as reason:
        raise ValueError(f"agent {text!r} cannot be loaded from {module}:{member}: {reason}") from reason
    return factory


def split(text: str) -> list[str]:
    """The names in a list with commas: "flat:200,playout=heuristic,random" has two."""
    parts: list[str] = []
    for part in text.split(","):
        is_setting = part.partition("=")[0].strip().isidentifier() and "=" in part
        if is_setting and parts:
            parts[-1] += f",{part.strip()}"
        else:
            parts.append(part.strip())
    if not all(parts):
        raise ValueError(f"the list of agents {text!r} has an empty name in it")
    return parts


def fill(given: Sequence[T], players: int) -> list[T]:
    """One agent for every seat: the given agents in turn."""
    if not 1 <= len(given) <= players:
        raise ValueError(f"{len(given)} agents are too {'many' if given else 'few'} for {players} players")
    return list(itertools.islice(itertools.cycle(given), players))


def make(text: str) -> Agent:
    """A new agent of this name; ValueError if there is none or its settings are wrong."""
    _check_text(text)
    name, colon, rest = text.partition(":")
    if name in _places():
        return _made(text, _factory(text, name), settings(text, rest))
    if not colon:
        raise _unknown(text)
    member, _, rest = rest.partition(",")
    return _made(text, _own(text, name, member), settings(text, rest))


def _check_text(text: str) -> None:
    if not text.strip():
        raise ValueError("the name of an agent is empty")
    if not text.isprintable():
        raise ValueError(f"the agent's name {text!r} has control characters in it")


def settings(text: str, rest: str) -> dict[str, str]:
    """The settings after an agent's colon: "0.1s,playout=random" has the value 0.1s and the playout random."""
    found: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "value", part
        if key in found:
            raise ValueError(f"agent {text!r} has two settings {key!r}")
        found[key.strip()] = value.strip()
    return found


def _unknown(text: str) -> ValueError:
    known = names()
    close = difflib.get_close_matches(text, known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    there = f"agents: {', '.join(known)}, or module:Class for your own"
    return ValueError(f"there is no agent {text!r} ({there}){hint}")


def _made(text: str, factory: Factory, given: dict[str, str]) -> Agent:
    signature = inspect.signature(factory)
    try:
        signature.bind(**given)
    except TypeError as reason:
        known = f"its settings are {', '.join(signature.parameters)}" if signature.parameters else "it has none"
        raise ValueError(f"agent {text!r} has wrong settings: {reason} ({known})") from None
    try:
        agent = factory(**given)
    except ValueError as reason:
        raise ValueError(f"agent {text!r}: {reason}") from reason
    except (ImportError, OSError):  # their texts say what is missing
        raise
    except (Exception, SystemExit) as reason:  # a class of the user's may fail in any way
        raise ValueError(f"agent {text!r} cannot be made: {type(reason).__name__}: {reason}") from reason
    lacks = [method for method in ("begin", "act") if not callable(getattr(agent, method, None))]
    if lacks:
        raise ValueError(f"agent {text!r} is no agent: it has no method {' and no '.join(lacks)}")
    return agent


def _own(text: str, module: str, member: str) -> Factory:
    """A factory from a module of the user's."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as reason:
        if reason.name is not None and f"{module}.".startswith(f"{reason.name}."):  # the module, or its package
            raise _no_module(text, module) from None
        raise ValueError(f"agent {text!r}: module {module} cannot be imported: {reason}") from reason
    except (Exception, SystemExit) as reason:  # a module of the user's may fail in any way
        what = f"{type(reason).__name__}: {reason}"
        raise ValueError(f"agent {text!r}: module {module} cannot be imported: {what}") from reason
    factory: Any = getattr(loaded, member, None)
    if not callable(factory):
        classes = [name for name, value in vars(loaded).items() if inspect.isclass(value)]
        close = difflib.get_close_matches(member, classes, 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"agent {text!r}: module {module} has no class {member!r}{hint}")
    made: Factory = factory
    return made


def _no_module(text: str, module: str) -> ValueError:
    close = difflib.get_close_matches(module, names(), 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    known = ", ".join(names())
    return ValueError(f"agent {text!r}: there is no agent or module {module!r} (agents: {known}){hint}")
