"""Golden records: one random playing of each game and player count, with the legal moves of every decision.

    python -m tests.support.golden_records            make every record again from seed and moves, compare all bytes
    python -m tests.support.golden_records --write    write the records that are missing or differ

If a record differs, play has changed. If the change is wanted, the environment gets a new version.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from skyline import registry
from skyline.files import write_text
from skyline.record import Recorder, read

FOLDER = Path(__file__).resolve().parents[1] / "golden"


def files() -> Iterator[tuple[str, int, Path]]:
    """(game, players, file) for every registered game and player count, and for every record with further options.

    A record with further options has a word for them in its name (new_york-2p-exact.jsonl); its head holds the options.
    """
    for name in registry.names():
        for players in registry.load(name).player_counts:
            yield name, players, FOLDER / f"{name}-{players}p.jsonl"
            for path in sorted(FOLDER.glob(f"{name}-{players}p-*.jsonl")):
                yield name, players, path


def options_of(path: Path) -> dict[str, Any] | None:
    """The options in the head of a golden file; None where there is no file yet."""
    return read(path).options if path.exists() else None


def made(name: str, players: int, options: Mapping[str, Any] | None = None) -> str:
    """The record of the golden game: dealt from seed `players`, every move drawn from the legal ones."""
    recorder, rng = Recorder(name, players, players, options, legal=True), random.Random(players)
    while recorder.seat is not None:
        recorder.play(rng.choice(recorder.legal()))
    return recorder.text()


def made_again(path: Path) -> str:
    """The record of a file, made again from head and moves alone: deal and shuffles come from the seed."""
    record = read(path)
    recorder = Recorder(record.game, record.players, record.seed, record.options, legal=True)
    for move in record.moves:
        texts = recorder.legal_texts()
        if recorder.seat != move.player or move.text not in texts:
            break  # the texts differ from here on
        recorder.play(recorder.legal()[texts.index(move.text)])
    return recorder.text()


def first_difference(path: Path) -> str | None:
    """The first difference between a golden file and its record made again, or None."""
    if not path.exists():
        return f"{path.name} is missing"
    was, now = path.read_text(encoding="utf-8").splitlines(True), made_again(path).splitlines(True)
    for number, (old, new) in enumerate(zip(was, now, strict=False), 1):
        if old != new:
            return f"{path.name}, line {number}: was {old[:200].rstrip()}, is {new[:200].rstrip()}"
    return None if len(was) == len(now) else f"{path.name}: had {len(was)} lines, has {len(now)}"


PLAY = "; if the play differs, not only the first line, the environment's version must go up"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.golden_records", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help="write the records that are missing or differ")
    given = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    wrong = 0
    for name, players, path in files():
        difference = first_difference(path)
        if difference and given.write:
            print(f"written: {difference}" + (PLAY if path.exists() else ""))
            has_word = path.stem != f"{name}-{players}p"
            write_text(path, made(name, players, options_of(path) if has_word else None))
        elif difference:
            wrong += 1
            print(difference)
        else:
            print(f"{path.name} is the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
