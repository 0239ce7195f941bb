"""Tournament files: TOML, changed as data, lines and bytes. Settings that are read go into a database and come back."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from skyline import registry
from skyline_agents.database.store import Store
from skyline_agents.tournament import config as tournament_config
from skyline_agents.tournament.settings import prepare, saved
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import Tree, any_digits, edited_bytes, edited_lines, edited_text, moved_about, mutated
from tests.fuzz.targets.base import Target

BARE = re.compile(r"[A-Za-z0-9_-]+")


class Toml(Target):
    name = "toml"
    meaning = "tournament files through tournament_config.read; plans that are read go into a database and back"
    suffix = ".toml"
    place = r"cup\.toml: "

    def prepare(self) -> None:
        self.path, self.database = self.folder / "cup.toml", self.folder / "cup.db"

    def gather(self) -> None:
        self.seeds: list[Tree] = []
        for name in registry.names():
            game = registry.load(name)
            for options in played_games.option_values(game):
                self.seeds += _documents(game, options)

    def make(self, chance: random.Random) -> bytes:
        tree, donors = chance.choice(self.seeds), chance.sample(self.seeds, 2)
        way = chance.random()
        if way < 0.7:
            change = mutated if chance.random() < 0.7 else moved_about
            return as_toml(change(chance, tree, donors)).encode("utf-8", "surrogatepass")
        text, others = as_toml(tree), [as_toml(donors[0])]
        if way < 0.9:
            edit = edited_lines if way < 0.8 else edited_text
            return edit(chance, text, others).encode("utf-8", "surrogatepass")
        return edited_bytes(chance, text.encode(), [others[0].encode()])

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        return edited_lines(chance, data.decode(errors="replace"), [as_toml(chance.choice(self.seeds))]).encode()

    def run(self, data: bytes) -> bool:
        self.path.write_bytes(data)
        settings = tournament_config.read(self.path).settings
        self.database.unlink(missing_ok=True)
        with Store(self.database) as store:
            prepare(store, settings)
        again = saved(self.database)
        if again != settings:
            raise Finding(f"a plan comes back from the database as another one: {settings} is {again}"[:3000])
        return True


def _documents(game: Any, options: dict[str, Any]) -> list[Tree]:
    """A small file, a file with all settings, and one with a sequential test."""
    event = {"game": game.name, "players": list(game.player_counts), "games": 600, "options": options}
    small = {"agents": ["random", "heuristic"], "game": game.name, "deals": 20}
    whole = {
        "agents": ["random", "heuristic", "flat:10"], "seed": 7, "move_seconds": 5, "records": "records", "legal": True,
        "memory": "table",
        "events": [event, {"game": game.name, "deals": 3, "format": "mixed", "agents": ["random", "mc:5"], "seed": 1}],
    }  # fmt: skip
    test = {
        **small,
        "players": game.player_counts[0],
        "sprt": [0, 20.5],
        "alpha": 0.05,
        "beta": 0.1,
        "options": options,
    }
    return [small, whole, test]


def as_toml(tree: Tree) -> str:
    """The tree as TOML text; null, which TOML does not have, is written as in JSON."""
    if not isinstance(tree, dict):
        return f"value = {_value(tree)}\n"
    tables_ = {key: value for key, value in tree.items() if _is_tables(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in tree.items() if key not in tables_]
    for key, values in tables_.items():
        for table in values:
            lines += ["", f"[[{_key(key)}]]"]
            lines += [f"{_key(name)} = {_value(value)}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def _is_tables(value: Tree) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name)


def _value(value: Tree) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    with any_digits():
        return json.dumps(value)
