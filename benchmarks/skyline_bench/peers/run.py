"""The peers as processes that take turns with our layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from skyline.arguments import check_choice
from skyline_bench import peers
from skyline_bench.harness.layer import Sample
from skyline_bench.harness.measure import Rounds
from skyline_bench.harness.workers import Worker, WorkerError
from skyline_bench.peers import Peer


@dataclass
class Started:
    """A peer that was asked for: its process, or the reason why it has none."""

    peer: Peer
    worker: Worker | None = None
    missing: dict[str, str] = field(default_factory=dict)  # reasons, by the names of the games

    @property
    def name(self) -> str:
        return self.peer.name

    @property
    def games(self) -> list[str]:
        """The games that can be measured."""
        return list(self.worker.ready.get("games", ())) if self.worker else []

    def measure(self, game: str, seconds: float) -> Sample:
        """One run of a game."""
        assert self.worker is not None
        return self.worker.measure(game, seconds)

    def as_data(self, rounds: Rounds[Any]) -> dict[str, Any]:
        """The peer's part of a report."""
        ready = self.worker.ready if self.worker else {}
        games = {}
        for game in self.peer.games:
            key = ("peers", self.name, game.name)
            if key in rounds.failed:
                self.missing[game.name] = rounds.failed[key]
            elif speed := rounds.speeds.get(key):
                assert self.worker is not None
                games[game.name] = speed.as_data() | asdict(game) | {"rows": ready.get("rows", 1)}
                if ended := self.worker.games[game.name]:
                    games[game.name]["games"] = speed.median * ended / self.worker.steps[game.name]
        return {
            "title": self.peer.title,
            "versions": ready.get("versions", {}),
            "loop": ready.get("loop", ""),
            "games": games,
            "missing": self.missing,
        }


def known() -> list[str]:
    """The names of all peers."""
    return [peer.name for peer in peers.PEERS]


@contextmanager
def started(names: Sequence[str]) -> Iterator[list[Started]]:
    """The peers of these names, ready to be measured. If a peer is not, each of its games has the reason."""
    for name in names:
        check_choice("a peer", name, known())
    with ExitStack() as stack:
        there = [_start(peer, stack) for peer in peers.PEERS if peer.name in names]
        for peer in there:  # all peers load at the same time
            _wait(peer)
        yield there


def _start(peer: Peer, stack: ExitStack) -> Started:
    reason = peers.missing(peer)
    if reason is not None:
        return Started(peer, missing=dict.fromkeys(peer.game_names, reason))
    worker = Worker([peers.interpreter(peer), peer.adaptor], peer.title)
    stack.callback(worker.close)
    return Started(peer, worker)


def _wait(started: Started) -> None:
    """Wait until the peer is ready. If the peer fails, all its games get the reason."""
    if started.worker is None:
        return
    try:
        started.worker.wait()
    except WorkerError as error:
        started.missing = dict.fromkeys(started.peer.game_names, str(error))
        started.worker = None
    else:
        started.missing = dict(started.worker.ready["missing"])
