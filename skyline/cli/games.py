"""`skyline games`: which games there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skyline import registry
from skyline.cli.terminal import broken, print_table

if TYPE_CHECKING:
    from rich.table import Table

    from skyline.game import Game


def games(as_json: Annotated[bool, typer.Option("--json", help="Print the list for machines.")] = False) -> None:
    """List the games with their sizes, options and ids.

    \b
    [bold]Examples[/bold]
      skyline games
      skyline games --json
    """
    loaded: dict[str, Game | str] = {}
    for name in registry.names():
        try:
            loaded[name] = registry.load(name)
        except Exception as reason:  # a game in the making must not hide the others
            loaded[name] = f"cannot be loaded: {type(reason).__name__}: {reason}"
    if as_json:
        typer.echo(json.dumps([_game_data(name, game) for name, game in loaded.items()], indent=2))
        return
    if not loaded:
        raise ValueError("there are no games: no folder *_env/ beside the package and no entry point skyline.games")
    print_table(_table(loaded))
    _print_options(loaded)
    typer.echo("Environments: skyline.env(GAME, players=..), skyline.vector(GAME, 1024),")
    typer.echo("skyline.single(GAME), pettingzoo.make('aec', ID), gymnasium.make(ID).")


def _table(loaded: dict[str, Game | str]) -> Table:
    """A row for every game and player count that can be loaded, and one for every other game."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("game", no_wrap=True)
    for heading in ("players", "actions", "observation", "rich"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("id", overflow="fold")
    for name, game in loaded.items():
        if isinstance(game, str):
            table.add_row(name, "", "", "", "", game)
            continue
        sizes = [(str(count), *map("{:,}".format, _sizes(game, count))) for count in game.player_counts]
        table.add_row(name, *("\n".join(column) for column in zip(*sizes, strict=True)), registry.find(name).id)
    return table


def _sizes(game: Game, players: int) -> tuple[int, int, int]:
    """How many actions there are, and how many values the base and the rich observation have."""
    table = game.observation(players)
    return game.actions(players).size, table.size(), table.size("rich")


def _print_options(loaded: dict[str, Game | str]) -> None:
    """Every option with its default and its meaning."""
    with_options = [game for game in loaded.values() if not isinstance(game, str) and game.options]
    if not with_options:
        return
    typer.echo("Options and their defaults (skyline play GAME --option NAME=VALUE):")
    for game in with_options:
        for option in game.options:
            typer.echo(broken(f"  {game.name}: {option.name}={option.default}  {option.meaning}", " " * 6))
    typer.echo()


def _game_data(name: str, game: Game | str) -> dict[str, Any]:
    found = registry.find(name)
    data: dict[str, Any] = {"name": name, "id": found.id, "module": found.module, "folder": str(found.folder)}
    if isinstance(game, str):
        return {**data, "error": game}
    columns = ("actions", "observation", "observation_rich")
    sizes = [
        {"players": players, **dict(zip(columns, _sizes(game, players), strict=True))} for players in game.player_counts
    ]
    options = [{"name": o.name, "default": o.default, "meaning": o.meaning} for o in game.options]
    return {**data, "title": game.title, "version": game.version, "players": sizes, "options": options}
