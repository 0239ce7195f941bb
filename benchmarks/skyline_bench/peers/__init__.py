"""Peers: environments of other libraries, measured beside ours; the packages they need, and where they are installed.

Each peer has a small adaptor `peer_<name>.py`. An adaptor is a script for a virtual environment of its own, because the
dependencies of the peers conflict with each other and with ours; so adaptors share no code but loops.py, picks.py and
serve.py.
`make bench-peers` makes the environments. The adaptors run as processes that take turns with our layers
(harness/workers.py).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FAILED = "FAILED.txt"  # a file in the peer's folder: why the peer could not be installed


DECISION = "decision"
CHECKER = "micro-action: one checker"
MULLIGAN = "decision; mulligan card by card"


@dataclass(frozen=True)
class PeerGame:
    """A game that an adaptor plays; what one step of it is, and what the adaptor's loop leaves out."""

    name: str
    seats: int = 2
    step: str = DECISION
    left_out: str = ""


@dataclass(frozen=True)
class Peer:
    """A library to measure: the packages of its environment, and the games that its adaptor plays."""

    name: str
    title: str
    requirements: tuple[str, ...]
    games: tuple[PeerGame, ...]
    script: str = ""  # the adaptor, if it is the one of another peer
    python: tuple[int, int] = (3, 11)  # the lowest version that the packages need

    @property
    def adaptor(self) -> Path:
        return HERE / f"peer_{self.script or self.name}.py"

    @property
    def game_names(self) -> list[str]:
        return [game.name for game in self.games]


def _catan(*left_out: str) -> tuple[PeerGame, ...]:
    """fastcatan's games: an offer or a discard of several cards is several steps."""
    return (
        PeerGame("catan", 4, "micro-action: one card of an offer or discard", ", ".join(left_out)),
        PeerGame("no offers", 4, "decision; discards card by card", ", ".join((*left_out, "offers"))),
    )


PEERS = (
    Peer("pettingzoo", "PettingZoo", ("pettingzoo[classic]==1.27.0",),
         (PeerGame("connect_four"), PeerGame("tictactoe"), PeerGame("texas_holdem"), PeerGame("hanabi"),
          PeerGame("chess"))),
    Peer("openspiel", "OpenSpiel", ("open_spiel==2.0.2", "numpy"),
         (PeerGame("connect_four"), PeerGame("backgammon"), PeerGame("gin_rummy"), PeerGame("hanabi"))),
    Peer("pgx", "Pgx", ("pgx==2.6.0", "jax[cpu]"),
         (PeerGame("connect_four"), PeerGame("backgammon", step=CHECKER), PeerGame("sparrow_mahjong", 3))),
    Peer("rlcard", "RLCard", ("rlcard==1.2.0",),
         (PeerGame("uno"), PeerGame("gin-rummy"), PeerGame("mahjong", 4))),
    Peer("catanatron", "Catanatron", ("catanatron==3.2.1", "catanatron_gym==4.0.0"),
         (PeerGame("catan", 4, left_out="offers"),)),
    Peer("envpool", "EnvPool", ("envpool==1.2.5", "numpy", "numba"),
         (PeerGame("connect_four"), PeerGame("backgammon", step=CHECKER), PeerGame("leduc_holdem"),
          PeerGame("sparrow_mahjong", 3), PeerGame("go_9x9"), PeerGame("2048", 1), PeerGame("sliding tiles", 1),
          PeerGame("minesweeper", 1))),
    Peer("weiss_sim", "weiss-sim", ("weiss-sim==1.2.0", "numpy", "numba"),
         (PeerGame("README's deck", step=MULLIGAN), PeerGame("starter deck", step=MULLIGAN))),
    Peer("fastcatan", "fastcatan 1", ("fastcatan==1.0.2", "numpy", "numba"), _catan(), python=(3, 12)),
    Peer("fastcatan_2", "fastcatan 2", ("fastcatan==2.0.0", "numpy", "numba"), _catan("observation"), "fastcatan",
         (3, 12)),
)  # fmt: skip


def folder() -> Path:
    """The folder of the peers' environments: $SKYLINE_PEERS, else `.peers` in the current folder."""
    return Path(os.environ.get("SKYLINE_PEERS", ".peers")).absolute()


def interpreter(peer: Peer) -> Path:
    """The Python of the peer's environment, which may not exist."""
    parts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return folder().joinpath(peer.name, *parts)


def missing(peer: Peer) -> str | None:
    """Why the peer cannot be measured; None if the peer is installed."""
    failed = folder() / peer.name / FAILED
    if failed.is_file():
        return failed.read_text(encoding="utf-8").strip()
    if not interpreter(peer).is_file():
        return f"not installed in {folder()}: make bench-peers"
    return None
