"""Records: files of finished games, which are changed in their lines, their JSON or their bytes, and then verified."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from skyline import record
from skyline.record import Recorder
from skyline.typing import Memory
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import (
    as_json,
    edited_bytes,
    edited_lines,
    edited_text,
    from_json,
    moved_about,
    mutated,
    renamed_keys,
)
from tests.fuzz.targets.base import Target

GOLDEN = Path(__file__).resolve().parent.parent.parent / "golden"
TRIED = 6  # the shortest of that many random games is taken
LINES = 160  # the first lines of a golden record, so that an input does not take long


class Records(Target):
    name = "records"
    meaning = "record files through record.verify; what is accepted is what the recorder itself would write"
    suffix = ".jsonl"
    place = r"\.jsonl(, line \d+)?: "
    share = 4.0

    def prepare(self) -> None:
        self.path = self.folder / "game.jsonl"

    def gather(self) -> None:
        chance = random.Random(1)
        self.seeds = []
        compiled = set()
        for game, players, options in played_games.variants():
            self.seeds.append(_short_game(game, players, options, chance))
            if game.name not in compiled:
                compiled.add(game.name)
                self.run(self.seeds[-1].encode())  # verifying compiles what recording did not need
        golden = [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("*.jsonl"))]
        self.seeds += ["".join(text.splitlines(keepends=True)[:LINES]) for text in golden]

    def make(self, chance: random.Random) -> bytes:
        text, donors = chance.choice(self.seeds), [chance.choice(self.seeds)]
        for _ in range(4):  # some changes leave the text as it was
            if (data := self._changed(chance, text, donors)) != text.encode():
                break
        return data

    @staticmethod
    def _changed(chance: random.Random, text: str, donors: list[str]) -> bytes:
        way = chance.random()
        if way < 0.70:
            return _changed_line(chance, text, donors[0]).encode("utf-8", "surrogatepass")
        few = chance.choice((3, 6, 12, 40, 1000))  # the replay of a whole game takes long
        text = "".join(text.splitlines(keepends=True)[:few])
        if way < 0.85:
            return edited_lines(chance, text, donors).encode("utf-8", "surrogatepass")
        return edited_bytes(chance, text.encode(), [donors[0].encode()])

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        try:
            return _changed_line(chance, data.decode(), chance.choice(self.seeds)).encode("utf-8", "surrogatepass")
        except (ValueError, IndexError):  # the data are no lines of JSON
            return edited_bytes(chance, data)

    def run(self, data: bytes) -> bool:
        self.path.write_bytes(data)
        recorder = record.verify(self.path)
        given = [from_json(line) for line in data.decode().splitlines() if line.strip()]
        _compare(given, recorder)
        return True


def _short_game(game: Any, players: int, options: dict[str, Any], chance: random.Random) -> str:
    """The record of the shortest of some random games; every third record has the legal moves."""
    seeds = [chance.randrange(2**63) for _ in range(TRIED)]
    lengths = {
        seed: played_games.begun(game, players, options, seed).play_on(random.Random(seed), 2000, seen=False)
        for seed in seeds
    }
    seed = min(seeds, key=lambda one: lengths[one])
    memory: Memory = "table" if chance.random() < 0.3 else "recall"
    recorder = Recorder(game, players, seed, options, memory=memory, legal=chance.random() < 0.3)
    moves = random.Random(seed)
    while recorder.seat is not None:
        legal = recorder.legal()
        recorder.play(legal[moves.randrange(len(legal))])
    return recorder.text()


def _changed_line(chance: random.Random, text: str, donor: str) -> str:
    """One line of JSON changed, most often one of the first lines, which hold the setup."""
    lines = text.splitlines()
    few = chance.choice((1, 1, 1, 2, 2, 2, 4, 4, 8, 12, len(lines)))
    number = chance.randrange(min(few, len(lines)))
    if chance.random() < 0.05:
        number = len(lines) - 1  # the scores
    others = [json.loads(line) for line in chance.sample(donor.splitlines(), 2)]
    match chance.randrange(8):
        case 0:
            lines[number] = renamed_keys(chance, lines[number])
        case 1:
            lines[number] = edited_text(chance, lines[number], [donor])
        case 2 | 3 | 4:
            lines[number] = as_json(mutated(chance, json.loads(lines[number]), others))
        case 5 | 6:
            lines[number] = as_json(moved_about(chance, json.loads(lines[number]), others))
        case _:
            lines[number] = as_json(_other_move(chance, json.loads(lines[number]), lines))
    return "\n".join(lines) + "\n"


def _other_move(chance: random.Random, line: dict[str, Any], lines: list[str]) -> dict[str, Any]:
    """Another move of the record, or another one of the legal moves."""
    moves = line.get("legal") or [json.loads(other).get("move") for other in lines]
    return {**line, "move": chance.choice(moves)} if "move" in line else line


def _compare(given: list[Any], recorder: Recorder) -> None:
    """Check that an accepted record has the same fields, values and types as the record that the recorder writes."""
    if len(given) != len(recorder.lines):
        raise Finding(f"a record of {len(given)} lines is accepted as one of {len(recorder.lines)}")
    for number, (theirs, ours) in enumerate(zip(given, recorder.lines, strict=True), 1):
        theirs, ours = dict(theirs), dict(ours)
        for words in (theirs, ours):
            if number == 1:
                words.pop("options", None)  # options may be missing, or given as texts
            elif isinstance(words.get("legal", 0), list):
                del words["legal"]
        if as_json(theirs, sort_keys=True) != as_json(ours, sort_keys=True):
            names = sorted(set(theirs) ^ set(ours) or [k for k in ours if as_json(theirs[k]) != as_json(ours[k])])
            raise Finding(
                f"line {number} is accepted, but differs from what is played in {', '.join(names)}: "
                f"{as_json(theirs)[:300]} is played as {as_json(ours)[:300]}",
                f"accepted, but differs in {', '.join(names)[:60]}",
            )
