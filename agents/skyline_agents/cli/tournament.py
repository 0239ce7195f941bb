"""`skyline tournament`, found through the entry-point group `skyline.commands`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skyline.cli.terminal import (
    GAME_OPTIONS,
    INTERRUPTED,
    MEMORY,
    UsageError,
    complain,
    duration,
    print_table,
    progress,
    read_options,
    say,
    within,
)
from skyline.reading import Unreadable
from skyline_agents.limits import MOST_GAMES, MOST_JOBS, MOST_SEED, MOVE_SECONDS
from skyline_agents.memory_setting import memory_words

if TYPE_CHECKING:
    from rich.table import Table

    from skyline_agents.database.store import Event, Games, Store
    from skyline_agents.tournament.config import Config
    from skyline_agents.tournament.run import RunSummary
    from skyline_agents.tournament.settings import TournamentSettings
    from skyline_agents.tournament.sprt import Verdict
    from skyline_agents.tournament.work import Backend, Conditions

DATABASE = Path("results.db")


ConfigFile = Annotated[
    Path | None, typer.Argument(metavar="CONFIG.toml", help="The tournament as a file.", show_default=False)
]
Game = Annotated[
    str | None,
    typer.Option("--game", "-g", metavar="GAME,..", help="In place of a file: games, see skyline games."),
]
Agents = Annotated[
    str | None, typer.Option("--agents", "-a", metavar="A,B,..", help="Who plays; names as for skyline play.")
]
GamesOption = Annotated[
    int | None,
    within(
        1,
        MOST_GAMES,
        "--games",
        "-n",
        help="Games for every game and player count, rounded up to whole deals.",
    ),
]
Deals = Annotated[
    int | None,
    within(1, MOST_GAMES, "--deals", "-d", help="In place of --games: deals that every line-up plays."),
]
Players = Annotated[
    str | None, typer.Option("--players", "-p", metavar="P,..", help="Player counts; default: the smallest.")
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format", "-f", help="round-robin: every line-up plays every deal. mixed: each deal draws its line-up."
    ),
]
Seed = Annotated[int | None, within(0, MOST_SEED, "--seed", "-s", help="Seed of the first deal; default: 1.")]
MoveSeconds = Annotated[
    float | None,
    within(
        MOVE_SECONDS[0],
        MOVE_SECONDS[1],
        "--move-seconds",
        help="Agents that think longer forfeit the game. Default: 60; 0: any time.",
    ),
]
Sprt = Annotated[
    tuple[float, float] | None,
    typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop when the games tell by which of two leads A leads."),
]
Db = Annotated[
    Path | None,
    typer.Option("--db", help=f"The results; default: the config's name with .db, or {DATABASE}."),
]
Record = Annotated[
    Path | None, typer.Option("--record", metavar="DIR", help="Write a record of every game to this folder.")
]
Legal = Annotated[bool, typer.Option("--legal", help="Write all legal moves into the records, too.")]
Jobs = Annotated[
    int | None,
    within(1, MOST_JOBS, "--jobs", "-j", help="Processes; default: one for every core."),
]
EngineName = Annotated[str, typer.Option("--engine", help="local: processes here. ray: a cluster.")]
Address = Annotated[
    str | None,
    typer.Option("--address", help="The address of the Ray cluster, such as auto; default: a new local cluster."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results for machines.")]


def tournament(
    config: ConfigFile = None,
    game: Game = None,
    agents: Agents = None,
    games: GamesOption = None,
    deals: Deals = None,
    players: Players = None,
    format: Format = None,
    seed: Seed = None,
    option: GAME_OPTIONS = None,
    memory: MEMORY = None,
    move_seconds: MoveSeconds = None,
    sprt: Sprt = None,
    db: Db = None,
    record: Record = None,
    legal: Legal = False,
    jobs: Jobs = None,
    engine: EngineName = "local",
    address: Address = None,
    as_json: AsJson = False,
) -> None:
    """Play a tournament, or go on with one.

    Every deal is played in all seat rotations. Every finished game is a row of a SQLite file. In whatever way the
    tournament was stopped, the same command, or skyline tournament --db FILE, goes on with the games that are missing;
    with more --games the tournament becomes longer. Agents that crash, play illegal moves or think too long forfeit
    the game, and the reason is in its row. A tournament can be written as a file, too (docs/tournament.md).

    \b
    [bold]Examples[/bold]
      skyline tournament -g manhattan -a random,heuristic -n 300
      skyline tournament --db results.db
      skyline tournament -g manhattan -p 3,4 -a random,flat:20 -d 2 --db b.db
      skyline tournament -g manhattan -a flat:9,flat:5 -n 900 --sprt 0 9 --db c.db
    """
    from skyline_agents.database.store import Store
    from skyline_agents.tournament.run import run
    from skyline_agents.tournament.settings import prepare

    _check_engine(engine, address)
    given = {
        "game": game, "players": players, "agents": agents, "games": games, "deals": deals, "format": format,
        "seed": seed, "options": option and read_options(option), "memory": memory, "move_seconds": move_seconds,
        "sprt": sprt,
    }  # fmt: skip
    wanted = _wanted(config, {name: value for name, value in given.items() if value is not None}, db)
    path = db or (config.with_suffix(".db") if config is not None else DATABASE)
    conditions = _conditions(record or wanted.records, legal or wanted.legal)
    settings = wanted.settings
    with Store(path) as database:
        _check_versions(database, settings)
        prepare(database, settings)
        _announce_compiling(settings)
        with _backend(engine, jobs, address) as backend, progress(settings.planned, "playing") as tell:
            summary = run(database, settings, backend, conditions, engine, tell)
    typer.echo(json.dumps(_data(path, summary), indent=2)) if as_json else _print(path, summary)
    if summary.interrupted:
        raise typer.Exit(INTERRUPTED)


def _conditions(records: Path | None, legal: bool) -> Conditions:
    """Whether and where the games are recorded."""
    from skyline_agents.play import writable
    from skyline_agents.tournament.work import Conditions

    if legal and records is None:
        raise UsageError("--legal is for records: it needs --record DIR")
    return Conditions(records=None if records is None else writable(records).resolve(), legal=legal)


def _check_engine(engine: str, address: str | None) -> None:
    from skyline.arguments import check_choice

    check_choice("--engine", engine, ("local", "ray"))
    if address is not None and engine != "ray":
        raise UsageError("--address is for --engine ray")


def _wanted(config: Path | None, given: dict[str, Any], db: Path | None) -> Config:
    """The tournament of the file, of the options, or of the database."""
    from skyline_agents.names import split
    from skyline_agents.tournament import config as configs

    if config is not None:
        if given:
            raise UsageError(f"{_option(next(iter(given)))} does not go with a file: write it into {config}")
        return configs.read(config)
    if not given and db is not None:
        return configs.resumed(db)
    if "game" not in given and db is not None:
        option = _option(next(iter(given)))
        raise UsageError(f"{option} does not go with --db alone, which goes on with a tournament as it is; add --game")
    if "game" not in given:
        raise UsageError("a tournament is a CONFIG.toml, or --game with --agents, or --db of one to go on with")
    for need, what in (({"agents"}, "--agents A,B,.."), ({"games", "deals"}, "either --games or --deals")):
        if len(need & set(given)) != 1:
            raise UsageError(f"a tournament needs {what}")
    data = {key: value for key, value in given.items() if key != "game"}
    data["events"] = [{"game": name} for name in split(given["game"])]
    if "agents" in data:
        data["agents"] = split(data["agents"])
    if "players" in data:
        data["players"] = [_whole(text) for text in split(data["players"])]
    if "sprt" in data:
        data["sprt"] = list(data["sprt"])
    try:
        return configs.made(data)
    except Unreadable as error:
        raise Unreadable(error.reason, _option(error.place)) from None


def _option(place: str) -> str:
    """The option that stands for a place in a file: --game for `events[0].game`, --agents for `agents[1]`."""
    name = place.rpartition("].")[2].partition("[")[0].partition(".")[0]
    renamed = {"events": "game", "options": "option"}.get(name, name)
    return f"--{renamed.replace('_', '-')}" if renamed else ""


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"--players is numbers with commas between them, not {text!r}")
    return int(text)


@contextlib.contextmanager
def _backend(name: str, jobs: int | None, address: str | None) -> Iterator[Backend]:
    """The backend of this name. At the end of the block the backend gives up the work that it has not finished."""
    backend: Backend
    if name == "ray":
        from skyline_agents.tournament.ray_backend import Ray

        backend = Ray(address, jobs)
    else:
        from skyline_agents.tournament.processes import Processes, cores

        backend = Processes(jobs or cores())
    try:
        yield backend
    finally:
        backend.close()


def _check_versions(database: Store, settings: TournamentSettings) -> None:
    """Refuse to go on with other versions of the environments than those of the earlier games.

    Where only the sources have changed, a line on stderr says so.
    """
    from skyline_agents.database import store
    from skyline_agents.tournament.run import versions

    if database.new:
        return
    now = versions(settings, "")
    database.check_versions(now)
    for earlier in store.runs(database.path)[-1:]:
        before = earlier.get("kernels", {})
        changed = [name for name, stamp in now["kernels"].items() if before.get(name, stamp) != stamp]
        if changed:
            complain(f"{database.path}: the sources of {', '.join(changed)} have changed since the last run")


def _announce_compiling(settings: TournamentSettings) -> None:
    """Say that the worker processes will compile kernels; the workers themselves say nothing."""
    from skyline import registry
    from skyline.core import announce, engine

    for name in dict.fromkeys(event.game for event in settings.events):
        announce.before_workers(name, engine.kernels(registry.load(name)).folder)


def _standings(games: Games) -> list[dict[str, Any]]:
    """A row for every agent, the best mean place first. Scores and times leave out forfeited games (`scored`).

    The intervals are left to the ratings.
    """
    import numpy as np

    from skyline_agents.places import first_shares

    firsts = first_shares(games.places)
    rows = []
    for k in np.unique(games.agents):
        own = games.agents == k
        whole = own & games.whole[:, np.newaxis]
        thinking, asked = np.nansum(games.thinking[whole]), np.nansum(games.asked[whole])
        lost = games.forfeits[:, np.newaxis] == np.arange(games.agents.shape[1])
        rows.append(
            {
                "agent": games.names[k],
                "games": int(own.any(axis=1).sum()),
                "first_share": float(firsts[own].mean()),
                "mean_place": float(games.places[own].mean()),
                "scored": int(whole.any(axis=1).sum()),
                "mean_score": float(games.scores[whole].mean()) if whole.any() else None,
                "move_seconds": float(thinking / asked) if asked else None,
                "forfeits": int((own & lost).sum()),
            }
        )
    return sorted(rows, key=lambda row: row["mean_place"])


def _data(path: Path, summary: RunSummary) -> dict[str, Any]:
    from skyline_agents.database import store

    events = []
    for event in store.events(path):
        games = store.games(path, event)
        events.append({**asdict(event), "finished": len(games), "agents": _standings(games)})
    verdict = None if summary.verdict is None else asdict(summary.verdict)
    return {**asdict(summary), "verdict": verdict, "db": str(path), "events": events}


def _print(path: Path, summary: RunSummary) -> None:
    from skyline_agents.database import store

    for event in store.events(path):
        games = store.games(path, event)
        of = f" of {event.planned:,}" if len(games) < event.planned else ""
        said = f"{event.game}, {event.players} players, {event.format}{memory_words(event.memory)}"
        typer.echo(f"{said}: {len(games):,}{of} games")
        if len(games):
            print_table(_table(games))
            _tell_forfeits(games)
    if summary.verdict is not None:
        say(_verdict(summary.verdict, store.events(path)[0]), "  ")
    speed = summary.played / max(summary.seconds, 1e-9)
    a_second = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
    typer.echo(f"{summary.played:,} games played in {summary.seconds:,.1f} s: {a_second} games/s")
    typer.echo(f"{path}: {summary.finished:,} games")
    if summary.interrupted:
        say(f"go on with: skyline tournament --db {path}", "  ")


def _table(games: Games) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for heading in ("games", "first", "mean\nplace", "mean\nscore", "time a\nmove", "forfeits"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in _standings(games):
        table.add_row(
            row["agent"],
            f"{row['games']:,}",
            f"{row['first_share']:.1%}",
            f"{row['mean_place']:.3f}",
            "" if row["mean_score"] is None else f"{row['mean_score']:.2f}",
            "" if row["move_seconds"] is None else duration(row["move_seconds"]),
            f"{row['forfeits']:,}",
        )
    return table


def _tell_forfeits(games: Games) -> None:
    """Print one reason for every agent that forfeited, and what the table leaves out."""
    if left_out := int((~games.whole).sum()):
        what = "1 game was" if left_out == 1 else f"{left_out:,} games were"
        say(f"{what} forfeited: they count with their places; scores and times are those of the others", "  ")
    told: dict[str, str] = {}
    for row in range(len(games)):
        if games.forfeits[row] >= 0:
            name = games.names[games.agents[row, games.forfeits[row]]]
            told.setdefault(name, f"deal {games.deals[row]}, seed {games.seeds[row]}: {games.reasons[row]}")
    for reason in told.values():
        say(f"forfeit in {reason}", "  ")


def _verdict(verdict: Verdict, event: Event) -> str:
    first, second = event.roster
    elo = f"{verdict.elo:+.1f} [{verdict.elo_low:+.1f}, {verdict.elo_high:+.1f}]"
    ended = f"the test accepts {verdict.accepted}" if verdict.stopped else "the test has not ended"
    return (
        f"{first} against {second}: {ended} after {verdict.deals:,} deals, "
        f"log-likelihood ratio {verdict.llr:+.2f}, Elo difference {elo}"
    )
