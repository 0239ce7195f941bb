"""Make the peers' virtual environments: `make bench-peers`, or python -m skyline_bench.peers.install [NAMES].

If a peer cannot be installed, its folder holds the reason, which `skyline bench --peers` lists.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from skyline_bench.peers import FAILED, PEERS, Peer, folder, interpreter, pythons

SECONDS = 1800  # the most seconds for one environment
LONGEST = 300  # the most characters of a reason


def install(peer: Peer) -> str | None:
    """Make the peer's environment; the reason if this fails. An environment with the same requirements is kept."""
    place = folder() / peer.name
    wanted = "\n".join(peer.requirements)
    done = place / "INSTALLED.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return None
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    reason = _make(peer)
    if reason is None:
        done.write_text(wanted, encoding="utf-8")
    else:
        (place / FAILED).write_text(reason, encoding="utf-8")
    return reason


def _make(peer: Peer) -> str | None:
    """Make the environment and install the packages; the reason if this fails."""
    python = pythons.find(peer.python)
    if python is None:
        version = ".".join(map(str, peer.python))
        return f"needs Python {version} or newer, which is neither this one nor {pythons.LOOKED}"
    pip: list[str | Path] = [
        interpreter(peer),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        *peer.requirements,
    ]
    return _run(peer, "venv", [python, "-m", "venv", folder() / peer.name]) or _run(peer, "pip", pip)


def _run(peer: Peer, what: str, command: Sequence[str | Path]) -> str | None:
    """Run a command and keep its output in the peer's folder; the reason if the command fails."""
    words = [str(word) for word in command]
    try:
        run = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"{what} took more than {SECONDS} s"
    (folder() / peer.name / f"{what}.log").write_text(run.stdout + run.stderr, encoding="utf-8")
    return None if run.returncode == 0 else why(run.stderr)


def why(errors: str) -> str:
    """pip's reason in one line: the last lines with ERROR."""
    said = [line.removeprefix("ERROR:").strip() for line in errors.splitlines() if line.startswith("ERROR:")]
    text = "; ".join(said or errors.strip().splitlines()[-1:]) or "pip failed without a word"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} .."


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0, also when some peers cannot be installed; their reasons are printed."""
    known = {peer.name: peer for peer in PEERS}
    parser = argparse.ArgumentParser(prog="python -m skyline_bench.peers.install", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAMES", help=f"default: all of {', '.join(known)}")
    names = parser.parse_args(arguments).names or list(known)
    if unknown := [name for name in names if name not in known]:
        parser.error(f"there is no peer {unknown[0]!r}; peers: {', '.join(known)}")
    Path(folder()).mkdir(parents=True, exist_ok=True)
    for name in names:
        print(f"{known[name].title}: installing {' '.join(known[name].requirements)} ..", flush=True)
        reason = install(known[name])
        print(f"{known[name].title}: {'installed' if reason is None else f'cannot be installed: {reason}'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
