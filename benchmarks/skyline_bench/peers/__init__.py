"""Peers: environments of other libraries, measured beside ours; the packages they need, and where they are installed.

Each peer has a small adaptor `peer_<name>.py`. An adaptor is a script for a virtual environment of its own, because the
dependencies of the peers conflict with each other and with ours; so adaptors share no code but loops.py and serve.py.
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


@dataclass(frozen=True)
class Peer:
    """A library to measure: the packages of its environment, and the games that its adaptor plays."""

    name: str
    title: str
    requirements: tuple[str, ...]
    games: tuple[str, ...]

    @property
    def adaptor(self) -> Path:
        return HERE / f"peer_{self.name}.py"


PEERS = (
    Peer("pettingzoo", "PettingZoo", ("pettingzoo[classic]==1.27.0",),
         ("connect_four", "tictactoe", "texas_holdem", "hanabi", "chess")),
    Peer("openspiel", "OpenSpiel", ("open_spiel==2.0.2", "numpy"),
         ("connect_four", "backgammon", "gin_rummy", "hanabi")),
    Peer("pgx", "Pgx", ("pgx==2.6.0", "jax[cpu]"), ("connect_four", "backgammon", "sparrow_mahjong")),
    Peer("rlcard", "RLCard", ("rlcard==1.2.0",), ("uno", "gin-rummy", "mahjong")),
    Peer("catanatron", "Catanatron", ("catanatron==3.2.1", "catanatron_gym==4.0.0"), ("catan",)),
    Peer("envpool", "EnvPool", ("envpool==1.2.5", "numpy"), ("2048", "sliding tiles", "minesweeper")),
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
