"""Rule cases for any game: the JSON blocks of a RULES.md, and the fast core driven by move texts.

`Core` has the interface of the oracles (tests/games/<game>/oracle.py: seat, legal, play, position, scores, places), so
that one test serves both. The data come from the tests of a game; nothing here knows a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from hypothesis import HealthCheck, Phase, settings

from skyline import registry
from skyline.core import engine
from skyline.game import NO_SEAT, Game
from skyline.record import state_of

TESTS = Path(__file__).resolve().parents[1]

Json = dict[str, Any]
Legal = list[tuple[int, str]]  # (action, move text) in rising order of the actions


def sized(compiled: int, plain: int) -> int:
    """The number of games or examples of a test: `few` where the core runs as plain Python (NUMBA_DISABLE_JIT=1)."""
    return plain if numba.config.DISABLE_JIT else compiled


# ---------------------------------------------------------------- what the rules file says


def folder_of(game: str) -> str:
    """The name of a game's folder below tests/games/: its package without `_env`."""
    return registry.find(game).package.removesuffix("_env")


def rules_text(game: str) -> str:
    """The text of the game's RULES.md."""
    return (registry.find(game).folder / "RULES.md").read_text(encoding="utf-8")


def json_blocks(game: str) -> list[Json]:
    """Every JSON block of the RULES.md, in its order; a block that does not parse is an error."""
    found = re.findall(r"^```json\n(.*?)^```$", rules_text(game), re.MULTILINE | re.DOTALL)
    assert len(found) == len(re.findall(r"^```json", rules_text(game), re.MULTILINE))
    return [json.loads(text) for text in found]


def worked_positions(game: str) -> dict[str, Json]:
    """The worked positions by id."""
    blocks = [block for block in json_blocks(game) if "id" in block]
    worked = {block["id"]: block for block in blocks}
    assert len(worked) == len(blocks), "an id is given twice"
    return worked


def clauses(game: str) -> set[str]:
    """The number of every clause and ruling, such as MH-22 and MH-R09."""
    return set(re.findall(r"\*\*([A-Z]{2}-[A-Z]?\d+)\*\*", rules_text(game)))


def titled_clauses(game: str) -> set[str]:
    """The clauses, and those whose number and title are printed together, such as MH-M05 "Card played"."""
    return set(re.findall(r"\*\*([A-Z]{2}-[A-Z]?\d+)\b", rules_text(game)))


def clauses_without_test(game: str) -> set[str]:
    """The clauses that no test of the game's folder names, as MH-22 or MH_22."""
    sources = (TESTS / "games" / folder_of(game)).glob("test_*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources if not path.name.startswith("test_oracle"))
    named = {number.replace("_", "-") for number in re.findall(r"\b[A-Z]{2}[-_][A-Z]?\d+\b", text)}
    return clauses(game) - named


@dataclass(frozen=True)
class Ask:
    """The check of one kind of worked position, and the fields that it reads (`expect`: None = not an object)."""

    check: Callable[[Json], None]
    fields: frozenset[str]
    expect: frozenset[str] | None = None

    @classmethod
    def of(cls, check: Callable[[Json], None], fields: str, expect: str | None = None) -> Ask:
        """Field names in one text."""
        return cls(check, frozenset(fields.split()), None if expect is None else frozenset(expect.split()))


def check_block(block: Json, asks: Mapping[str, Ask]) -> None:
    """Check one worked position; an unknown `ask` and a field that its check does not read are failures."""
    assert block["ask"] in asks, f"no check for ask {block['ask']!r}"
    ask = asks[block["ask"]]
    assert set(block) <= {"id", "note", "clauses", "ask", "expect"} | ask.fields
    if ask.expect is not None:
        assert block["expect"]
        assert set(block["expect"]) <= ask.expect
    ask.check(block)


# ---------------------------------------------------------------- the core by move texts


class Core:
    """One game on the fast core: kernels compute mask and moves, all results are texts and positions."""

    def __init__(self, game: Game, states: np.ndarray[Any, Any]) -> None:
        self.game, self.states = game, states
        self.players = int(states["players"][0])
        self.mask = engine.mask_array(game, self.players)
        self._kernels = engine.kernels(game)
        self._row = np.zeros(1, np.int64)
        self._rewards = np.zeros((1, self.players), np.float32)
        self._kernels.fill_masks(self.states, self.mask)

    @classmethod
    def at(cls, game: str, position: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Core:
        """The game in a position of its RULES.md; `stream` in it is the random word."""
        loaded = registry.load(game)
        return cls(loaded, state_of(loaded, position, options=options))

    @classmethod
    def start(cls, game: str, players: int, setup: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> Core:
        """A new game from the setup object of a record."""
        loaded = registry.load(game)
        states = loaded.blank(players, options)
        loaded.from_setup(states[0], setup)
        return cls(loaded, states)

    @classmethod
    def deal(cls, game: str, players: int, seed: int, options: Mapping[str, Any] | None = None) -> Core:
        """A new game dealt from a seed."""
        loaded = registry.load(game)
        states = loaded.blank(players, options)
        mask, rewards = engine.mask_array(loaded, players), np.zeros((1, players), np.float32)
        seeds, rows = np.array([seed], np.uint64), np.zeros(1, np.int64)
        engine.kernels(loaded).begin_rows(states, seeds, rows, mask, rewards, False)
        return cls(loaded, states)

    def copy(self) -> Core:
        return Core(self.game, self.states.copy())

    @property
    def seat(self) -> int | None:
        """The seat to decide; None when the game is over."""
        seat = int(self.states["seat"][0])
        return None if seat == NO_SEAT else seat

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.states["scores"][0][: self.players]]

    def places(self) -> list[int]:
        return self.game.places(self.states[0])

    def position(self) -> Json:
        return self.game.position(self.states[0])

    def check(self) -> None:
        self.game.check(self.states[0])

    def actions(self) -> list[int]:
        """The legal actions."""
        return [int(action) for action in np.flatnonzero(self.mask[0])]

    def legal(self) -> Legal:
        """Every legal move as (action, move text)."""
        s = self.states[0]
        return [(action, self.game.move_text(s, action)) for action in self.actions()]

    def texts(self) -> list[str]:
        return [text for _, text in self.legal()]

    def play(self, text: str, events: Sequence[Mapping[str, Any]] | None = None) -> list[Json]:
        """Play a legal move text; the chance events of the move, which must be `events` if these are given."""
        for action, legal_text in self.legal():
            if legal_text == text:
                return self.play_action(action, events)
        raise ValueError(f"{text!r} is not legal; legal: {self.texts()}")

    def play_action(self, action: int, events: Sequence[Mapping[str, Any]] | None = None) -> list[Json]:
        """Play an action that is known to be legal; the chance events as in `play`."""
        before = self.states.copy()
        if events:
            self.game.preset(self.states[0], events)
        self.step(action)
        happened = self.game.events(before[0], self.states[0])
        if events is not None and happened != [dict(event) for event in events]:
            raise ValueError(f"the move brought {happened}, not {events}")
        return happened

    def step(self, action: int) -> None:
        """Play a legal action without reading its chance events."""
        self._kernels.step_some(self.states, self._row, np.array([action]), self.mask, self._rewards, engine.SCORE)

    def play_all(self, moves: Iterable[str], orders: Iterable[list[Any]] = ()) -> list[tuple[int | None, list[str]]]:
        """Play the moves. Every shuffle takes the next order of `orders`, all of which must be used.

        Returns (seat, legal texts) of each decision.
        """
        left, decisions = list(orders), []
        for text in moves:
            decisions.append((self.seat, self.texts()))
            shuffled = self.copy().play(text)
            assert len(left) >= len(shuffled), f"{text!r} shuffles, but no order is left"
            self.play(text, [{**event, "order": left.pop(0)} for event in shuffled])
        assert not left, "a shuffle too many"
        return decisions


GONE = "(no such field)"


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """The difference of two positions: the new value of every field that changed, GONE for a field that is missing."""
    fields = [*before, *(field for field in after if field not in before)]
    return {field: after.get(field, GONE) for field in fields if before.get(field, GONE) != after.get(field, GONE)}


# ---------------------------------------------------------------- properties


def quick(test: Callable[..., None]) -> Callable[..., None]:
    """A property test with few hypothesis examples, the same ones in every run, and no database on disk."""
    phases = [
        Phase.explicit,
        Phase.generate,
        *([Phase.shrink] * sized(1, 0)),
    ]  # shrinking takes minutes in plain Python
    slow = [HealthCheck.too_slow]  # the first example may compile the game on a busy machine
    return settings(
        max_examples=sized(40, 6), phases=phases, deadline=None, derandomize=True, database=None,
        suppress_health_check=slow,
    )(test)  # fmt: skip
