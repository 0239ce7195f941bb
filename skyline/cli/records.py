"""`skyline verify` and `skyline show`: records of games, and random games.

A file *.jsonl.forfeit is the record of a game that an agent forfeited in a tournament. It ends where that agent
failed, so it has no end line; everything in it is checked all the same.
"""

from __future__ import annotations

import glob
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from skyline import registry
from skyline.cli.terminal import (
    EXPECTED,
    GAME_OPTIONS,
    MEMORY,
    UsageError,
    broken,
    complain,
    one_line,
    progress,
    read_options,
    say,
    within,
)
from skyline.game import DEFAULT_MEMORY, seat_name
from skyline.typing import Memory

if TYPE_CHECKING:
    from skyline.record import Recorder

MOST_SEED = 2**64 - 1
MOST_PLAYERS = 64  # that an option accepts; each game says its own counts
MOST_MOVES = 10**9
FORFEIT = ".forfeit"  # ends the name of the record of a forfeited game

Watch = Callable[["Recorder"], None] | None  # called after every move


# ---------------------------------------------------------------- verify


def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILES", help="Records, folders of them, or patterns.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print bad records only.")] = False,
) -> None:
    """Check that records follow the rules, line by line.

    Every game is played again: setup, moves, legal moves, shuffles, scores, places. A bad record gives one line with
    the file, the line and the reason, and exit code 1.

    A folder stands for every *.jsonl below it. The record of a forfeited game (*.jsonl.forfeit) is verified up to the
    forfeit when it is named.

    \b
    [bold]Examples[/bold]
      skyline verify out
      skyline verify 'out/*seed1*.jsonl'
    """
    paths, bad, moves, begun = _record_files(files), 0, 0, time.perf_counter()
    with progress(len(paths), "verifying") as tell:
        for done, path in enumerate(paths, 1):
            try:
                recorder = _replayed(path, None)
            except EXPECTED as error:  # whatever is wrong with one file, the others are read
                said = one_line(error)
                complain(said if str(path) in said else f"{path}: {said}")
                bad += 1
            else:
                moves += sum("move" in line for line in recorder.lines)
            tell(done)
    if not quiet:
        right, seconds = len(paths) - bad, time.perf_counter() - begun
        forfeits = sum(path.suffix == FORFEIT for path in paths)
        broken_off = f", {forfeits:,} of forfeited games" if forfeits else ""
        wrong = f", {bad:,} {'is' if bad == 1 else 'are'} bad" if bad else ""
        effort = f"({moves:,} moves, {seconds:.1f} s)"
        typer.echo(f"{right:,} of {len(paths):,} records are right {effort}{broken_off}{wrong}")
    if bad:
        raise typer.Exit(1)


def _record_files(given: Sequence[str]) -> list[Path]:
    """The files meant by names, folders and patterns, each once."""
    paths: list[Path] = []
    for text in given:
        path = Path(text)
        if path.is_dir():
            found = sorted(path.rglob("*.jsonl"))
            nothing = f"there is no *.jsonl file in the folder {text}"
        elif path.exists():
            found = [path]
        else:
            found = [Path(name) for name in sorted(glob.glob(text, recursive=True))]  # noqa: PTH207 - Path.glob takes no absolute pattern
            nothing = f"there is no file {text}"
        if not found:
            raise ValueError(nothing)
        paths += found
    return list(dict.fromkeys(paths))


def _replayed(path: Path, move: int | None, watch: Watch = None, memory: Memory | None = None) -> Recorder:
    """The record played up to a move, or to its end; that of a forfeited game to its last move. `memory` is the
    setting of the states, None: the record's own."""
    from skyline.record import RecordError, read, replay

    record = read(path)
    if move is not None and move > len(record.moves):
        raise ValueError(f"{path} has {len(record.moves)} moves, not {move}")
    if path.suffix == FORFEIT and move is None and record.end is None:
        move = len(record.moves)
    try:
        return replay(record, move, watch, memory=memory)
    except RecordError as error:
        raise error.at(path) from None


# ---------------------------------------------------------------- show


Record = Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.", show_default=False)]
Seed = Annotated[int | None, within(0, MOST_SEED, help="In place of a record: the seed of a random game.")]
Game = Annotated[str | None, typer.Option(metavar="GAME", help="The game of that seed.")]
Players = Annotated[int | None, within(1, MOST_PLAYERS, help="Its player count; default: the smallest.")]
Move = Annotated[int | None, within(0, MOST_MOVES, help="Play this number of moves; default: all.")]
Seat = Annotated[int | None, within(0, MOST_PLAYERS, help="Show only what this seat sees; default: everything.")]
Story = Annotated[
    bool, typer.Option("--story", help="Tell the moves as numbered sentences in place of the last position.")
]
Svg = Annotated[Path | None, typer.Option(metavar="OUT.svg", help="Write a picture in place of the text.")]
Png = Annotated[Path | None, typer.Option(metavar="OUT.png", help="The same in pixels (extra viz).")]


def show(
    record: Record = None,
    seed: Seed = None,
    game: Game = None,
    players: Players = None,
    option: GAME_OPTIONS = None,
    move: Move = None,
    seat: Seat = None,
    memory: MEMORY = None,
    story: Story = False,
    svg: Svg = None,
    png: Png = None,
) -> None:
    """Show a position of a record or of a random game, or tell the game as a story.

    The random game of a seed is the one that skyline play plays with random agents. The record of a forfeited game
    (*.jsonl.forfeit) is shown up to the forfeit.

    Without --seat all hands are open, whatever the memory is. --seat shows what a seat with a perfect memory knows of
    other hands and hidden piles, marked as remembered; --memory table leaves that out. A record says its
    own setting where that is table.

    \b
    [bold]Examples[/bold]
      skyline show out/manhattan-4p-seed1.jsonl
      skyline show out/manhattan-4p-seed1.jsonl --move 20 --svg a.svg
      skyline show out/manhattan-4p-seed1.jsonl --story --seat 0
      skyline show --seed 7 --game manhattan --players 3 --move 12
    """
    if story and (svg is not None or png is not None):
        raise UsageError("--story tells in words: it does not go together with --svg and --png")
    watch = _Teller(seat) if story else None
    chosen = cast("Memory | None", memory)
    if record is not None:
        if any(given is not None for given in (seed, game, players, option)):
            raise UsageError("--seed, --game, --players and --option are for random games; the record has its own")
        recorder = _replayed(record, move, watch, chosen)
    elif seed is None or game is None:
        raise UsageError(f"show takes a record, or --seed and --game (games: {', '.join(registry.names())})")
    else:
        recorder = _random_game(game, players, seed, read_options(option or []), move, watch, chosen or DEFAULT_MEMORY)
    _check_seat(seat, recorder)
    if memory is not None and seat is None:
        complain("--memory has no effect without --seat: everything is shown, not what a seat sees")
    if watch is not None:
        watch.end(recorder)
    else:
        _show_position(recorder, seat, svg, png)
    if record is not None and record.suffix == FORFEIT and recorder.seat is not None and move is None:
        say("The record ends here: the game was forfeited. The reason is in the database of the tournament.", "  ")


def _check_seat(seat: int | None, recorder: Recorder) -> None:
    count = int(recorder.state["players"][0])
    if seat is not None and not 0 <= seat < count:
        raise ValueError(f"the seats are 0 .. {count - 1}, not {seat}")


def _show_position(recorder: Recorder, seat: int | None, svg: Path | None, png: Path | None) -> None:
    """The position as text, or as pictures in files."""
    last = recorder.last_move(seat)
    if svg is None and png is None:
        text = recorder.game.text(recorder.state[0], seat, last)
        typer.echo(text)
        if recorder.game.story is not None and last is not None and not is_told(last.story, text):
            say(f"The last move: {last.story}", "  ")
        return
    from skyline.draw import raster

    picture = recorder.game.svg(recorder.state[0], seat, last)
    for path, suffix in ((svg, ".svg"), (png, ".png")):
        if path is not None:
            if path.suffix.lower() != suffix:
                raise UsageError(f"--{suffix[1:]} writes a file *{suffix}, not {path}")
            raster.save(picture, path)
            typer.echo(str(path))


def is_told(story: str, text: str) -> bool:
    """Whether a text, broken into lines wherever, contains a story."""
    return " ".join(story.split()) in " ".join(text.split())


class _Teller:
    """Keeps a sentence for every move, and prints the whole game when it is over."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._stories: list[str] = []

    def __call__(self, recorder: Recorder) -> None:
        _check_seat(self._seat, recorder)
        last = recorder.last_move(self._seat)
        if last is not None:
            self._stories.append(last.story)

    def end(self, recorder: Recorder) -> None:
        """Print who plays, what happened, and how the game ended."""
        head, seats = recorder.lines[0], range(int(recorder.state["players"][0]))
        whom = "" if self._seat is None else f", as seat {seat_name(self._seat)} sees it"
        typer.echo(f"{recorder.game.title}, {len(seats)} players, seed {head['seed']}{whom}")
        for seat, agent in zip(seats, head.get("agents", []), strict=False):
            typer.echo(f"  {seat_name(seat)} is {agent}")
        wide = len(str(len(self._stories)))
        for number, story in enumerate(self._stories, 1):
            typer.echo(broken(f"{number:{wide}}. {story}", " " * (wide + 2)))
        if recorder.seat is None:
            result = recorder.result()
            for seat, (score, place) in enumerate(zip(result["scores"], result["places"], strict=True)):
                typer.echo(f"{seat_name(seat)} ends with a score of {score} in place {place}.")


def _random_game(
    name: str,
    players: int | None,
    seed: int,
    options: dict[str, str],
    move: int | None,
    watch: Watch = None,
    memory: Memory = DEFAULT_MEMORY,
) -> Recorder:
    """The game of this seed with random moves; every seat draws from the stream of a random agent that sits there."""
    from skyline.cli.policy_games import policy_game
    from skyline.core import engine

    game = registry.load(name)
    count = game.check_players(game.player_counts[0] if players is None else players)
    recorder, played = policy_game(game, count, seed, engine.RANDOM, move, options=options, memory=memory, watch=watch)
    if move is not None and played < move:
        raise ValueError(f"this game has {played} moves, not {move}")
    return recorder
