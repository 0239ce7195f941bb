"""Damaged kernel caches: files cut, flipped, emptied, exchanged, or folders in their places; then a game is played."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import as_json, from_json
from tests.fuzz.targets.environment import PLAY, Environment, judged_process

DAMAGES = (
    "cut",
    "flip",
    "empty",
    "zeros",
    "remove",
    "folder",
    "loop",
    "swap",
    "unreadable",
    "read-only",
    "foreign",
    "append",
)


class Cache(Environment):
    name = "cache"
    meaning = "damaged kernel caches: a process plays a game of the toy and gives the right result"
    place = r"no refusal is right here"

    def make(self, chance: random.Random) -> bytes:
        damages = [
            {"file": chance.randrange(1000), "damage": chance.choice(DAMAGES), "at": chance.random()}
            for _ in range(chance.choice((1, 1, 2, 5)))
        ]
        return as_json({"damages": damages, "twice": chance.random() < 0.3}).encode()

    def run(self, data: bytes) -> bool:
        case = from_json(data)
        cache = self.folder / "damaged"
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(self.cache, cache, symlinks=True)
        files = sorted(path for path in cache.rglob("*") if path.is_file())
        for damage in case["damages"]:
            _damage(files[damage["file"] % len(files)], files, damage["damage"], damage["at"])
        for _ in range(2 if case["twice"] else 1):
            try:
                judged_process(self.call({}, PLAY, cache), self.place, self.right)
            except ValueError as error:
                raise Finding(f"a damaged cache is refused: {error}") from error
        return True


def _damage(path: Path, files: list[Path], damage: str, at: float) -> None:
    if not path.is_file():
        return
    data = path.read_bytes()
    middle = int(at * len(data))
    other = files[(files.index(path) + 1 + middle) % len(files)]
    changed = {
        "cut": data[:middle],
        "flip": data[:middle] + bytes(byte ^ 0x55 for byte in data[middle : middle + 1]) + data[middle + 1 :],
        "empty": b"", "zeros": bytes(len(data)), "append": data + b"\x00more", "foreign": b"not a kernel\n" * 10,
    }  # fmt: skip
    if damage in changed:
        path.write_bytes(changed[damage])
    elif damage == "swap" and other.is_file():
        path.write_bytes(other.read_bytes())
    elif damage == "unreadable":
        path.chmod(0)
    elif damage == "read-only":
        path.chmod(0o400)
    else:
        path.unlink()
        if damage == "folder":
            path.mkdir()
        elif damage == "loop":
            path.symlink_to(path.name)
