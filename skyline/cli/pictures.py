"""A picture of every game for the README (`make pictures`).

    python -m skyline.cli.pictures docs/pictures        docs/pictures/<game>.png

A picture shows a game of the baseline players with the seed below, with as many players as are drawn well in a small
picture, after two thirds of its moves. Nothing is hidden. The same sources give the same bytes on every machine.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np

from skyline import registry
from skyline.chance import seat_streams
from skyline.core import engine
from skyline.draw.raster import rasterise
from skyline.game import Game
from skyline.record import Recorder

SEED, PLAYERS = 7, 4
WIDTH = 960  # pixels
COLOURS = 128  # of a picture's palette


def played(game: Game, moves: int | None = None) -> tuple[Recorder, int]:
    """The game of the baseline players after a number of moves (None: at its end), and how many were played."""
    recorder, count = Recorder(game, PLAYERS, SEED), 0
    stream = seat_streams(np.array([SEED], np.uint64), np.zeros(1, np.int64), PLAYERS)[0]
    choose, policy, action = engine.kernels(game).choose_rows, np.array([engine.HEURISTIC]), np.zeros(1, np.int64)
    while recorder.seat is not None and count != moves:
        choose(recorder.state, recorder.mask, policy, stream[recorder.seat : recorder.seat + 1], action)
        recorder.play(int(action[0]))
        count += 1
    return recorder, count


def picture(game: Game) -> bytes:
    """The picture of a game as a PNG file with few colours, which makes it small."""
    from PIL import Image

    _, moves = played(game)
    recorder, _ = played(game, moves * 2 // 3)
    pixels = rasterise(game.svg(recorder.state[0], None, recorder.last_move()), WIDTH)
    file = io.BytesIO()
    Image.fromarray(pixels).quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    for name in registry.names():
        path = folder / f"{name}.png"
        path.write_bytes(picture(registry.load(name)))
        print(f"{path}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
