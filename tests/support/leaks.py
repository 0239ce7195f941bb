"""Does anything leak? Two states that differ only in what a seat cannot know look the same to that seat.

    python -m tests.support.leaks palazzo --states 100000

Random and heuristic games of every player count and option are played with each value of `memory`. At every decision
one seat after the other looks at the state and at a deal of everything that the seat does not know (`determinize`):
the rich observation, the mask if the seat decides, what the seat knows, and what the seat is told of one move must be
the same (skyline.testing.remembering says when two tellings may differ); text and picture, too, at every
`--pictures`-th state. A text or picture of the last move is not drawn here.

The first difference ends the run with exit code 1 and names the game, its seed and the number of the move.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from skyline import registry
from skyline.game import MEMORIES, NO_SEAT, Game
from skyline.record import Recorder
from skyline.rng import streams
from skyline.testing.probe import Probe
from skyline.testing.promises import same, same_bytes
from skyline.testing.remembering import MemoryChecks
from skyline.typing import Array
from tests.support.oracle_match import data_of


class Looker:
    """The comparisons in one game."""

    def __init__(self, game: Game, recorder: Recorder, rng: np.random.Generator) -> None:
        self.game, self.recorder, self.rng = game, recorder, rng
        self.probe = Probe(game, int(recorder.state["players"][0]), 0)
        self.checks = MemoryChecks(self.probe, recorder.state, rng)

    def compare(self, seat: int, with_pictures: bool) -> None:
        """The state and one deal, as the seat sees them."""
        states = self.recorder.state
        deal: Array = states.copy()
        self.probe.kernels.determinize_rows(deal, np.array([seat]), streams(1, int(self.rng.integers(2**62))))
        views = self.probe.views(np.concatenate([states, deal]))[:, seat]
        same_bytes(views[0], views[1], f"the observations of seat {seat}")
        if states["seat"][0] == seat:
            masks = self.probe.masks(np.concatenate([states, deal]))
            same_bytes(masks[0], masks[1], f"the masks of seat {seat}")
        self.checks.check_knowledge(states, deal, seat)
        if states["seat"][0] != NO_SEAT:
            self.checks.check_unseen(states, deal, seat)
        if with_pictures:
            for draw in (self.game.text, self.game.svg):
                same(draw(deal[0], seat, None), draw(states[0], seat, None), f"a picture for seat {seat}")


def choice(recorder: Recorder, looker: Looker, rng: np.random.Generator, guided: bool) -> int:
    """A random action; `guided`: every second one is the heuristic's."""
    if guided and rng.integers(2):
        return looker.probe.ask(recorder.state, len(recorder.lines))
    return int(rng.choice(recorder.legal()))


def run(game: Game, wanted: int, seed: int, every: int) -> int:
    """Compare until there are enough states; the number of pictures compared."""
    options = getattr(data_of(game.name), "OPTIONS", [{}])
    kinds = itertools.cycle(itertools.product(options, MEMORIES, (False, True), game.player_counts))
    states = pictures = 0
    began = shown = time.monotonic()
    for number, (settings, memory, guided, players) in enumerate(kinds):
        rng = np.random.default_rng([seed, number])
        recorder: Any = Recorder(game, players, seed + number, settings, memory=memory)
        looker = Looker(game, recorder, rng)
        move = 0
        try:
            while recorder.seat is not None and states < wanted:
                looker.compare(move % players, states % every == 0)
                pictures += states % every == 0
                states += 1
                recorder.play(choice(recorder, looker, rng, guided))
                move += 1
        except AssertionError as error:
            raise SystemExit(
                f"{game.title}, {players} players, options {settings}, memory {memory!r}, seed {seed + number}, "
                f"move {move}: {error}"
            ) from None
        if time.monotonic() - shown > 20:
            shown = time.monotonic()
            print(f"{states:,} of {wanted:,} states, {states / (shown - began):,.0f} a second", file=sys.stderr)
        if states >= wanted:
            return pictures
    return pictures


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.leaks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("--states", type=int, default=10_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--pictures", type=int, default=20, help="text and picture of each such state (%(default)s)")
    given = parser.parse_args(arguments)
    if given.states < 1 or given.pictures < 1:
        parser.error("--states and --pictures are at least 1")
    pictures = run(registry.load(given.game), given.states, given.seed, given.pictures)
    print(
        f"{given.game}: {given.states:,} states with both settings of memory, {pictures:,} of them drawn: 0 differences"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
