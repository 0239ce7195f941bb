"""A game's action and observation tables as Markdown, and the environment pages that carry them.

    python -m skyline.cli.environment_pages           write the tables of all games into their README.md (`make docs`)
    python -m skyline.cli.environment_pages --check   only say whether they are up to date

A page marks the places: `<!-- actions -->` .. `<!-- end -->` and `<!-- observations -->` .. `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from skyline import registry
from skyline.game import Game, Slice

OWN_ONLY = r" \*"  # marks slices that tell what only the viewer knows
RECALL = r" \+"  # marks slices that tell what a perfect memory holds: zeros with memory="table"


def action_table(game: Game) -> str:
    """First id .. last id of every block for each player count that has a table of its own."""
    groups = _groups(game, lambda players: tuple(block.count for block in game.actions(players).blocks))
    head = ["block", *(_counts(group) for group in groups), "meaning"]
    rows = []
    for i, block in enumerate(game.actions(groups[0][0]).blocks):
        ranges = []
        for group in groups:
            first, own = game.actions(group[0]).rows()[i]
            ranges.append(f"{first} .. {first + own.count - 1}" if own.count > 1 else str(first))
        rows.append([block.name, *ranges, block.meaning])
    rows.append(["size", *(str(game.actions(group[0]).size) for group in groups), ""])
    return markdown(head, rows)


def observation_table(game: Game) -> str:
    """Every slice with its shape for each player count, range, float-view divisor and meaning."""
    counts = game.player_counts
    head = ["slice", *(f"{players} players" for players in counts), "range", "divisor", "content"]
    rows = []
    for kind in ("base", "rich"):
        tables = [{part.name: part for part in getattr(game.observation(players), kind)} for players in counts]
        for name in sorted({name for table in tables for name in table}, key=_place(tables)):
            part = next(table[name] for table in tables if name in table)
            shapes = [_shape(table[name]) if name in table else "-" for table in tables]
            shown = f"`{name}`" + (OWN_ONLY if part.own_only else "") + (RECALL if part.recall else "")
            rows.append([shown, *shapes, f"{part.low} .. {part.high}", f"{part.scale:g}", part.meaning])
        sizes = [str(game.observation(players).size(kind)) for players in counts]
        rows.append([f"**{kind} size**", *sizes, "", "", ""])
    return markdown(head, rows)


def _place(tables: list[dict[str, Slice]]) -> Callable[[str], int]:
    """A function that gives the place of a slice in the longest table: some player counts lack some slices."""
    longest = sorted((list(table) for table in tables), key=len)[-1]
    return lambda name: longest.index(name) if name in longest else len(longest)


def _shape(part: Slice) -> str:
    return " x ".join(map(str, part.shape))


def _groups(game: Game, key: Callable[[int], object]) -> list[list[int]]:
    """The player counts in groups that have the same table."""
    groups: dict[object, list[int]] = {}
    for players in game.player_counts:
        groups.setdefault(key(players), []).append(players)
    return list(groups.values())


def _counts(group: list[int]) -> str:
    return f"{group[0]} players" if len(group) == 1 else f"{group[0]}-{group[-1]} players"


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def replaced(page: str, mark: str, text: str) -> str:
    """The page with another text between `<!-- mark -->` and `<!-- end -->`."""
    found = re.search(rf"(<!-- {mark} -->\n)(?:(?!<!--).*\n)*(<!-- end -->)", page)
    if found is None:
        raise ValueError(f"the page has no place <!-- {mark} --> .. <!-- end -->")
    return f"{page[: found.end(1)]}{text}\n{page[found.start(2) :]}"


def with_tables(game: Game, page: str) -> str:
    """The page with its marked tables written anew."""
    return replaced(replaced(page, "actions", action_table(game)), "observations", observation_table(game))


def page_of(name: str) -> Path:
    """The environment page of a game."""
    return registry.find(name).folder / "README.md"


def main(arguments: list[str]) -> int:
    stale = 0
    for name in registry.names():
        path = page_of(name)
        page = path.read_text(encoding="utf-8")
        fresh = with_tables(registry.load(name), page)
        if fresh != page:
            stale += 1
            print(f"{path}: {'out of date' if '--check' in arguments else 'written'}")
            if "--check" not in arguments:
                path.write_text(fresh, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
