"""The contract checks catch broken games: copies of the toy game, each with one thing broken."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.processes import TOY, checkout, copy_package, environment, output, start


class Break(NamedTuple):
    """A text in a file of the toy game, the text that replaces it, and the message of the check."""

    file: str
    old: str
    new: str
    said: str


BREAKS = {
    "observe shows another hand": Break(
        "observation", "hand = s.hands[seat]", "hand = s.hands[(seat + 1) % s.players]", "sees does not change"
    ),
    "observe shows the order of the deck": Break(
        "observation", "out[at] = s.deck_size - s.deck_top", "out[at] = s.deck[s.deck_top]", "sees does not change"
    ),
    "observe leaves a value": Break("observation", "out[at + 1] = ROUNDS * players - s.turn", "pass", "turns_left[0]"),
    "observe returns too few": Break("observation", "    return at\n", "    return at - 1\n", "observe() returns"),
    "observe leaves the range": Break(
        "observation", 'Slice("deck", (1,), 0, CARDS', 'Slice("deck", (1,), 0, CARDS - 8', "sees deck[0] ="
    ),
    "observe changes the state": Break(
        "observation", "players = int(s.players)\n    hand", "s.shuffles += 1\n    players = int(s.players)\n    hand",
        "before and after observe()",
    ),
    "rich does not begin with base": Break(
        "observation", "if out.shape[0] > at:", "if out.shape[0] > at:\n        out[0] = 1 - out[0]",
        "beginning of the rich",
    ),
    "worth has no value for a seat": Break(
        "observation", '36, "sum of the own hand"),)', '36, "sum of the own hand"),), worth=("deck",)', "worth 'deck'"
    ),
    "determinize keeps the stream": Break("observation", "s.rng = next_word(stream)", "pass", "random words"),
    "determinize takes the state's stream": Break(
        "observation", "s.rng = next_word(stream)", "s.rng = next_word(s)", "look the same to seat"
    ),
    "determinize depends on what it hides": Break(
        "observation", "    sort_cards(s.deck, n, VALUES)\n", "", "look the same to seat"
    ),
    "determinize loses a card": Break(
        "observation", "s.deck, n, n + s.hand_size)", "s.deck, n, n + s.hand_size - 1)", ""
    ),
    "determinize deals the own hand": Break(
        "observation", "    s.deck[left:] = 0\n", "    s.hands[seat, :] = 0\n    s.hands[seat, 0] = 1\n", ""
    ),
    "no legal move": Break("rules", "mask[KEEP] = 1", "mask[KEEP] = 1 - s.toy_kept[s.seat]", "have a legal move"),
    "a mask of twos": Break("rules", "mask[KEEP] = 1", "mask[KEEP] = 2", "zeros and ones"),
    "reset leaves a field": Break("rules", "    s.toy_kept[:] = 0\n", "", "in a used row and in a fresh one"),
    "step is not a function of the state": Break(
        "rules", "s.turn += 1", "s.turn += 1\n    s.start = id(s) // 16 % s.players", ""
    ),
    "the game does not end": Break("game", "ROUNDS * players,", "ROUNDS * players - 1,", "within max_decisions"),
    "points of seats that are not there": Break("rules", "s.seat = NO_SEAT", "s.seat = NO_SEAT; s.scores[-1] = 1", ""),
    "the seat after the end": Break("rules", "s.seat = NO_SEAT", "s.seat = -2", ""),
    "two moves with one text": Break("actions", "f\"swap {action - FIRST_SWAP + 1}\"", '"swap 1"', "given twice"),
    "texts read wrongly": Break("actions", "int(value) - 1\n", "int(value) % VALUES\n", "texts parsed back"),
    "any text is a move": Break(
        "actions", "    raise ValueError(", "    return 0\n    raise ValueError(", "no such move"
    ),
    "an illegal heuristic": Break("heuristic", "    return KEEP", "    return KEEP - 1", "heuristic's action -1"),
    "a cheating heuristic": Break(
        "heuristic", "if mask[FIRST_SWAP + value]:", "if mask[FIRST_SWAP + value] and s.deck[s.deck_top] > value:",
        "different choices of the heuristic",
    ),
    "a position without the discards": Break("position", '"discards": [int(card) + 1 for', '"discards": [9 for', ""),
    "a position that is not JSON": Break(
        "position", "int(s.start),\n        \"turn\"", "s.start,\n        \"turn\"", "JSON"
    ),
    "a position that forgets who kept": Break("position", "s.toy_kept[:players] =", "_ =", "loaded position"),
    "a setup that is not taken": Break("position", "    s.deck[:] = deck\n", "", ""),
    "no events": Break("position", "if before.shuffles == after.shuffles:", "if True:", ""),
    "events that are not preset": Break("position", "        s.order_given = 1\n", "", "causes the shuffle"),
    "a text that shows hands": Break("drawing", "hand if seat in (None, p)", "hand if True", "the text for seat"),
    "an svg that is no XML": Break("drawing", "return str(picture)", 'return str(picture) + "<svg>"', "ParseError"),
    "observe remembers at the table": Break(
        "observation", "s.memory_discards[value] if s.memory == RECALL else 0", "s.memory_discards[value]",
        "recall slice discards is zero",
    ),
    "a deal that keeps a forgotten memory": Break(
        "observation", "    count_cards(s.memory_discards, s.discards, 0, s.discards_size)\n", "", ""
    ),
    "a position that forgets what is remembered": Break(
        "position", "    s.memory_discards[:] = _copies(discards)\n", "", "remembered discards"
    ),
    "a memory that outlives a shuffle": Break(
        "rules", "    forget_discards(s)\n", "", "remembered discards"
    ),
    "a step that turns the setting over": Break(
        "rules", "s.turn += 1", "s.turn += 1\n    s.memory = 1 - s.memory", "`memory` after a move"
    ),
    "a text that remembers at the table": Break(
        "drawing", "(seat is None or s.memory == RECALL)", "True", ""
    ),
    "knowledge at the table": Break("knowledge", "if s.memory != RECALL:", "if False:", ""),
    "knowledge of a hidden card": Break(
        "knowledge", '{"discards":', '{"next": int(s.deck[s.deck_top]), "discards":', "when the rest is dealt anew"
    ),
    "seen shows a card that was drawn unseen": Break(
        "history", "drawn if seat in (None, mover) else 1}]", "drawn}]", "is not told of"
    ),
    "seen hides the own card": Break(
        "history", "drawn if seat in (None, mover) else 1}]", "drawn if seat is None else 1}]",
        "sees and knows the same",
    ),
    "seen leaves a card out": Break(
        "history", "if after.shuffles != before.shuffles:", "if seat is None and after.shuffles != before.shuffles:",
        "by places",
    ),
    "seen depends on the setting": Break(
        "history", "    if action == KEEP:", "    if action == KEEP or after.memory == 0:", "other value of `memory`"
    ),
    "seen is no JSON": Break("history", "str(int(s.start))", "s.start", "JSON"),
    "a version of its own": Break("game", "version=0", "version=1", "the version of GAME"),
    "an option whose default is refused": Break("game", '"hand", USUAL_HAND', '"hand", 9', "option hand"),
}  # fmt: skip

CHECK = """
import json, sys
from skyline.testing import check_game
for name in sys.argv[1:]:
    try:
        check_game(name, games=4)
    except Exception as error:
        print(json.dumps([name, type(error).__name__, str(error)]), flush=True)
    else:
        print(json.dumps([name, "", ""]), flush=True)
"""


def broken_toy(folder: Path, number: int, change: Break | None) -> str:
    """A copy of the toy game under another name, with the change in it."""
    name = f"t{number:02d}"
    package = copy_package(TOY, folder).rename(folder / f"{name}_env")
    (package / "toy_v0.py").rename(package / f"{name}_v0.py")
    if change is not None:
        file = package / f"{change.file}.py"
        source = file.read_text()
        assert source.count(change.old) == 1, f"{change.old!r} is there {source.count(change.old)} times"
        file.write_text(source.replace(change.old, change.new))
    for file in package.glob("*.py"):
        file.write_text(file.read_text().replace("toy", name))
    return name


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """The messages of the checks for every broken game, by its name in BREAKS, and for the game as it is."""
    folder = checkout(tmp_path_factory.mktemp("broken"), packages=("skyline",))
    changes: Sequence[Break | None] = [None, *BREAKS.values()]
    names = [broken_toy(folder, number, change) for number, change in enumerate(changes)]
    process = start(["-c", CHECK, *names], environment(folder, cache=folder / "cache", jit=False), folder)
    lines = output(process).splitlines()
    results = {name: (kind, text) for name, kind, text in map(json.loads, lines)}
    return {label: results[name] for label, name in zip(["as it is", *BREAKS], names, strict=True)}


def test_the_toy_game_keeps_the_contract(said: dict[str, tuple[str, str]]) -> None:
    assert said["as it is"] == ("", "")


@pytest.mark.parametrize("label", BREAKS)
def test_a_broken_game_is_caught(said: dict[str, tuple[str, str]], label: str) -> None:
    kind, text = said[label]
    assert kind, "nothing was said"
    assert BREAKS[label].said in text, text


def test_the_message_has_seed_and_record(said: dict[str, tuple[str, str]]) -> None:
    """The record can be replayed until the fault."""
    kind, text = said["events that are not preset"]
    assert kind == "ContractBroken"
    assert re.match(r"The highest sum, \d players, seed \d, options {}, memory (recall|table): ", text)
    record = text.split("The record so far:\n")[1].splitlines()
    assert json.loads(record[0])["setup"]
    assert any("move" in json.loads(line) for line in record)
