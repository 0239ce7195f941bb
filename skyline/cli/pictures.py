"""A picture of every game for the README (`make pictures`).

    python -m skyline.cli.pictures docs/pictures        docs/pictures/<game>.png

A picture shows a game of the baseline players with the seed below, with as many players as are drawn well in a small
picture, after two thirds of its moves. Nothing is hidden. The same sources give the same bytes on every machine.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from skyline import registry
from skyline.cli.policy_games import policy_game
from skyline.core import engine
from skyline.draw.raster import rasterise
from skyline.game import Game

SEED, PLAYERS = 7, 4
WIDTH = 960  # pixels
COLOURS = 128  # of a picture's palette


def picture(game: Game) -> bytes:
    """The picture of a game as a PNG file with few colours, which makes it small."""
    from PIL import Image

    _, moves = policy_game(game, PLAYERS, SEED, engine.HEURISTIC)
    recorder, _ = policy_game(game, PLAYERS, SEED, engine.HEURISTIC, moves * 2 // 3)
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
