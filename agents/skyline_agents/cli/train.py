"""`skyline train`, found through the entry-point group `skyline.commands`."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skyline import status
from skyline.cli.terminal import INTERRUPTED, MEMORY, Command, Group, UsageError, within
from skyline.game import DEFAULT_MEMORY
from skyline_agents.limits import MOST_PLAYERS, MOST_THREADS

if TYPE_CHECKING:
    from skyline_agents.players.ppo.training import News, Training

MINUTES = 30.0
MOST_MINUTES = 1e6
MOST_DEALS = 10**6
THREADS = 4  # more hardly help networks of this size
NEEDED = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib")

train = typer.Typer(cls=Group, add_completion=False, rich_markup_mode="rich")


@train.callback()
def _group() -> None:
    """Train networks, and keep them for the agent ppo (needs the extra train)."""


Game = Annotated[str, typer.Argument(help="A game: see skyline games.")]
Players = Annotated[int | None, within(1, MOST_PLAYERS, "--players", "-p", help="Default: the game's smallest count.")]
Steps = Annotated[
    int | None,
    within(1, 10**15, "--steps", help="End when the learner has made this number of decisions in all."),
]
Minutes = Annotated[
    float | None,
    within(
        0.01,
        MOST_MINUTES,
        "--minutes",
        help=f"End after this number of minutes in all; default: {MINUTES:g}.",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run's folder; default: runs/ppo-GAME-Pp.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run of this folder.")]
Seed = Annotated[int, within(0, 2**31, "--seed", "-s", help="Of networks, games and opponents.")]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter; may be repeated. See --settings."),
]
ListSettings = Annotated[bool, typer.Option("--settings", help="List the hyper-parameters and end.")]
Every = Annotated[
    float | None,
    within(0.01, MOST_MINUTES, "--every", help="Minutes between two evaluations; default: 2, or --every-steps."),
]
EverySteps = Annotated[
    int | None,
    within(1, 10**15, "--every-steps", help="Decisions between two; default of a run by --steps: a 20th of them."),
]
Deals = Annotated[
    int | None,
    within(2, MOST_DEALS, "--deals", help="Deals of an evaluation, each in all rotations; default: 50."),
]
FinalDeals = Annotated[int | None, within(2, MOST_DEALS, "--final-deals", help="Deals of the last one; default: 500.")]
Threads = Annotated[
    int | None,
    within(1, MOST_THREADS, "--threads", help=f"Threads of torch; default: a core each, at most {THREADS}."),
]


@train.command(cls=Command)
def carry(
    models: Annotated[
        list[Path], typer.Argument(metavar="FILE..", help="Files model.safetensors, or of your own models.")
    ],
) -> None:
    """Rewrite models for what their games observe now, so that they play the same moves as before.

    A game that observes more than a model was trained on refuses the model. Here the model gets weights of zero for
    what is new to it, and a bias so low for new actions that it plays them only if nothing else is legal. Nothing is
    trained. File, card and figures are rewritten in place; what was played before is what will be played.

    \b
    [bold]Examples[/bold]
      skyline train carry runs/ppo-manhattan-2p/model.safetensors
      skyline train carry ~/.local/share/skyline/models/manhattan_2p.safetensors
    """
    from skyline_agents.players.ppo.carry import rewrite

    for path in models:
        typer.echo(f"{path}: {rewrite(path) or 'fits already'}")


@train.command(cls=Command)
def ppo(
    game: Game,
    players: Players = None,
    steps: Steps = None,
    minutes: Minutes = None,
    out: Out = None,
    resume: Resume = False,
    seed: Seed = 1,
    setting: Setting = None,
    settings: ListSettings = False,
    every: Every = None,
    every_steps: EverySteps = None,
    deals: Deals = None,
    final_deals: FinalDeals = None,
    threads: Threads = None,
    memory: MEMORY = None,
) -> None:
    """Train a network by PPO in self-play, after copying the heuristic.

    The learner meets the heuristic, random players and its own past selves. Now and then its strength is measured on
    fixed deals. DIR gets model.safetensors (play with the network: -a ppo:DIR/model.safetensors), CARD.md, curve.png,
    model.json, curve.jsonl, tensorboard/ and checkpoint.pt.

    Ctrl-C ends the run with all of these files. After any other end, kill -9 included, --resume goes on from the
    checkpoint of the last minute. A run that is bounded by --steps alone ends with the same network and curve, whether
    it was stopped in between or not.

    \b
    [bold]Examples[/bold]
      skyline train ppo manhattan --players 2 --minutes 30
      skyline train ppo manhattan --settings
      skyline train ppo palazzo -p 4 --steps 5000000 --out runs/palazzo4
      skyline train ppo palazzo -p 4 --out runs/palazzo4 --resume --steps 10000000
      skyline train ppo palazzo -p 3 --set learning_rate=1e-4 --set policy=256+256
    """
    from skyline import registry
    from skyline.cli.terminal import read_options
    from skyline_agents.players.ppo.settings import settings_for
    from skyline_agents.tournament.processes import cores

    loaded = registry.load(game)
    chosen = settings_for(loaded.name, read_options(setting or []))
    if settings:
        _print_settings(chosen)
        return
    _check_installed()
    count = loaded.check_players(loaded.player_counts[0] if players is None else players)
    folder = out or Path("runs") / f"ppo-{loaded.name}-{count}p"
    if resume:
        _check_kept(setting, memory)
    told = {"deals": deals, "every": every, "every_steps": every_steps, "final_deals": final_deals, "threads": threads}
    measured = {name: value for name, value in told.items() if value is not None}
    ends = {"steps": steps, "minutes": minutes}
    fresh: dict[str, Any] = {"threads": min(cores(), THREADS), "memory": memory or DEFAULT_MEMORY, **measured}
    run = (
        _resumed(folder, loaded.name, count, ends, measured)
        if resume
        else _begun(folder, loaded.name, count, seed, chosen, ends, fresh)
    )
    _carry_out(run)


def _check_kept(setting: list[str] | None, memory: str | None) -> None:
    """Refuse, with --resume, what a run keeps."""
    if setting:
        raise UsageError("--set does not go with --resume: a run keeps its settings")
    if memory is not None:
        raise UsageError("--memory does not go with --resume: a run keeps its memory")


def _print_settings(chosen: Any) -> None:
    for name, value in vars(chosen).items():
        typer.echo(f"{name:16} {'+'.join(map(str, value)) if isinstance(value, tuple) else value}")


@train.command(cls=Command)
def ship(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR..", help="Folders of finished runs.")],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Default: the folder of your own models, see above."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a model that is stronger, or has no card to compare with.")
    ] = False,
) -> None:
    """Copy models with their cards and curves to where the agent ppo finds them by game and player count.

    The agent ppo looks into the folder of your own models first, then at the models that come with skyline. Your folder
    is $SKYLINE_MODELS, by default ~/.local/share/skyline/models ($XDG_DATA_HOME), on macOS
    ~/Library/Application Support/skyline/models, on Windows %LOCALAPPDATA%/skyline/models. README.md there lists all.

    A model whose card shows fewer first places among heuristic players than that of the model it would replace, your
    own or the shipped one, is refused without --force. The package itself is changed with --to only: that is for its
    maintainers.

    \b
    [bold]Examples[/bold]
      skyline train ship runs/ppo-manhattan-2p
      skyline train ship runs/ppo-manhattan-2p --force
      skyline train ship runs/ppo-manhattan-2p --to models
    """
    from skyline_agents.players.ppo import shelf

    for folder in runs:
        for path in shelf.ship(folder, to, force):
            typer.echo(f"{path} ({path.stat().st_size:,} bytes)")


def _check_installed() -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ImportError(f"training needs {', '.join(missing)}: pip install 'skyline-envs[train]'")


def _begun(
    folder: Path, game: str, players: int, seed: int, settings: Any, ends: dict[str, Any], measured: dict[str, Any]
) -> Training:
    from skyline_agents.play import writable
    from skyline_agents.players.ppo.training import CHECKPOINT, Training, TrainingPlan

    if (folder / CHECKPOINT).exists():
        raise ValueError(f"there is a run in {folder} already: --resume goes on with it, --out names another folder")
    if ends["steps"] is None and ends["minutes"] is None:
        ends["minutes"] = MINUTES
    return Training(writable(folder), TrainingPlan(game, players, seed, settings, **ends, **measured))


def _resumed(folder: Path, game: str, players: int, ends: dict[str, Any], measured: dict[str, Any]) -> Training:
    from skyline_agents.players.ppo.training import Training

    changes = ends if any(value is not None for value in ends.values()) else {}
    if measured.keys() & {"every", "every_steps"}:
        measured = {"every": None, "every_steps": None, **measured}
    run = Training.resumed(folder, **changes, **measured)
    if (run.plan.game, run.plan.players) != (game, players):
        raise ValueError(f"the run in {folder} trains {run.plan.game} with {run.plan.players} players")
    if run.is_complete and run.progress() >= 1:
        raise ValueError(
            f"the run in {folder} is done: {run.model.num_timesteps:,} steps in {run.seconds / 60:.1f} minutes; "
            "give more --steps or --minutes"
        )
    return run


def _carry_out(run: Training) -> None:
    """Train, measure, write the card."""
    from skyline_agents.players.ppo import card

    typer.echo(f"{run.game.title}, {run.plan.players} players, seed {run.plan.seed}; all goes to {run.folder}")
    with _stopping(run), _display() as tell:
        run.go(tell)
    stopped = run.stop.asked
    typer.echo("measuring the model ..")
    found = run.finish(run.plan.deals if stopped else run.plan.final_deals)
    card.write(run, found, card.command_line(sys.argv[1:]))
    run.complete()
    _report(run, card.facts(run, found, ""))
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _report(run: Training, data: dict[str, Any]) -> None:
    for strength in run.curve[-1:]:
        for opponent in data["strength"]:
            found = strength[opponent]
            typer.echo(
                f"{found['first']:.1%} ± {found['first_margin']:.1%} first places against {opponent} "
                f"({found['games']:,} games)"
            )
    shares = ", ".join(f"{part} {share:.0%}" for part, share in data["shares"].items())
    typer.echo(f"{data['steps_done']:,} steps, {data['steps_per_second']:,.0f} steps/s; time: {shares}")
    typer.echo(f"{run.folder / 'CARD.md'} says it all")


@contextlib.contextmanager
def _stopping(run: Training) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) ends the run in an orderly way, the next one at once."""

    def asked(*_: Any) -> None:
        if run.stop.asked:
            raise KeyboardInterrupt
        run.stop.asked = True
        typer.echo("stopping after this update; once more: at once, the last checkpoint stays", err=True)

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _display() -> Iterator[Any]:
    """A bar with the time left, steps/s and the last score; a line on stderr for every evaluation."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("loading or compiling", total=None)
        last = {"score": "", "doing": "", "text": "loading or compiling"}

        def tell(news: News) -> None:
            if news.strengths is not None:
                last["score"] = f", {news.strengths['heuristic'].first:.0%} first against heuristic"
                console.print(_line(news), soft_wrap=True)
            if news.cloned is not None:
                last["score"] = f", {news.cloned.agreement:.0%} agreement"
            if news.doing != last["doing"]:
                bar.reset(task)
                last["doing"] = news.doing
            last["text"] = f"{news.doing}, {news.steps:,} steps, {news.speed:,.0f}/s{last['score']}"
            bar.update(task, description=last["text"], total=1.0, completed=news.progress)

        if bar.disable:
            yield tell
            return
        with status.shown_by(lambda text: bar.update(task, description=text or last["text"])):
            yield tell


def _line(news: News) -> str:
    assert news.strengths is not None
    scores = ", ".join(map(str, news.strengths.values()))
    return f"{news.seconds / 60:6.1f} min {news.steps:>12,} steps, {news.doing}: {scores}"
