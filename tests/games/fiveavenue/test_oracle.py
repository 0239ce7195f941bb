"""The oracle against every data block of RULES.md; events and refusals. Tables and random games: test_oracle_games.py.

Blocks (section 10): a *worked position* starts from `setup` or `state` and has a `decision`; a *whole game* has `who`.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from .oracle import MissingEvent, Oracle
from .oracle_play import (
    play_drawn,
)
from .oracle_state import OVER

RULES = Path(__file__).parents[3] / "fiveavenue_env" / "RULES.md"
TEXT = RULES.read_text(encoding="utf-8")
BLOCKS = {block["id"]: block for block in map(json.loads, re.findall(r"^```json\n(.*?)^```", TEXT, re.M | re.S))}
CONFIGURATIONS = [(players, board) for players in (2, 3, 4) for board in (5, 6)]

WORKED_KEYS = {"id", "clauses", "note", "players", "options", "decision", "expect"}
GAME_KEYS = {"id", "players", "options", "setup", "moves", "who", "legal_counts", "legal_crc32", "shuffles", "expect"}

# --- blocks


def kind_of(block: dict) -> str:
    """`worked` or `game`; ValueError for a block of any other shape."""
    keys = set(block)
    if keys == GAME_KEYS:
        return "game"
    start = {"setup", "state"} & keys
    if keys - {"moves", "shuffles"} - start == WORKED_KEYS and len(start) == 1:
        return "worked"
    raise ValueError(f"block of unknown kind: {sorted(keys)}")


def start_of(block: dict) -> Oracle:
    """The oracle before the first move, from a setup (or the setup of another block) or from a state."""
    if "state" in block:
        return Oracle.at({key: block[key] for key in ("players", "options", "state", "decision")})
    setup = block["setup"]
    return Oracle(block["players"], block["options"], BLOCKS[setup]["setup"] if isinstance(setup, str) else setup)


def legal_texts(oracle: Oracle) -> list[str]:
    return [text for _, text in oracle.legal()]


def play_worked(block: dict) -> Oracle:
    """Plays the moves of a worked position; its shuffles name no deck."""
    oracle = start_of(block)
    assert oracle.position()["decision"] == block["decision"]
    orders = list(block.get("shuffles", []))
    for text in block.get("moves", []):
        play_drawn(oracle, text, lambda deck, cards: orders.pop(0))
    assert orders == []
    return oracle


def play_game(block: dict) -> Oracle:
    """Replays a whole game and compares players, legal lists and the moments of the shuffles."""
    oracle = start_of(block)
    lists = []
    for number, text in enumerate(block["moves"], 1):
        assert oracle.seat == int(block["who"][number - 1]), number
        lists.append(legal_texts(oracle))
        assert len(lists[-1]) == block["legal_counts"][number - 1], (number, lists[-1])
        due = [{"deck": s["deck"], "order": s["order"]} for s in block["shuffles"] if s["after"] == number]
        oracle.play(text, due)
        oracle.check()
    assert len(lists) == len(block["who"]) == len(block["legal_counts"])
    assert all(1 <= shuffle["after"] <= len(lists) for shuffle in block["shuffles"])
    assert zlib.crc32("\n".join("|".join(texts) for texts in lists).encode("ascii")) == block["legal_crc32"]
    return oracle


PLAY: dict[str, Callable[[dict], Oracle]] = {"worked": play_worked, "game": play_game}


def of_state(field: str) -> Callable[[Oracle, dict], None]:
    """The whole field of the position."""

    def compare(oracle: Oracle, expected: object) -> None:
        assert oracle.position()["state"][field] == expected

    return compare


def named_of_state(field: str) -> Callable[[Oracle, dict], None]:
    """Only what is named (section 10: `stacks`, `auction`, `final`)."""

    def compare(oracle: Oracle, expected: dict) -> None:
        found = oracle.position()["state"][field]
        assert {key: found[key] for key in expected} == expected

    return compare


def compare_lots(oracle: Oracle, expected: dict) -> None:
    found = oracle.position()["state"]["lots"]
    for district, lots in expected.items():
        assert {name: found[district][name] for name in lots} == lots


def compare_prefixes(oracle: Oracle, expected: dict) -> None:
    for prefix, texts in expected.items():
        assert [text for text in legal_texts(oracle) if text.startswith(prefix)] == texts


def compare_legal(oracle: Oracle, expected: list) -> None:
    assert legal_texts(oracle) == expected


def compare_decision(oracle: Oracle, expected: dict) -> None:
    assert {"kind": oracle.phase, "player": oracle.seat} == expected


def compare_over(oracle: Oracle, expected: bool) -> None:
    assert (oracle.seat is None) == (oracle.phase == OVER) == (oracle.legal() == []) == expected


def compare_places(oracle: Oracle, expected: list) -> None:
    assert oracle.places() == expected


def compare_hand_sizes(oracle: Oracle, expected: list) -> None:
    assert oracle.public(0)["hand_sizes"] == expected


COMPARE = {
    **{field: of_state(field) for field in ("scores", "reserve", "supply", "cp", "closed", "commissions", "markers")},
    **{field: of_state(field) for field in ("row", "park", "placed", "turn", "hands", "black")},
    **{field: named_of_state(field) for field in ("stacks", "auction", "final")},
    "lots": compare_lots,
    "legal": compare_legal,
    "legal_with_prefix": compare_prefixes,
    "decision": compare_decision,
    "over": compare_over,
    "places": compare_places,
    "hand_sizes": compare_hand_sizes,
}


def check_block(block: dict) -> Oracle:
    oracle = PLAY[kind_of(block)](block)
    for key, expected in block["expect"].items():
        if key not in COMPARE:
            raise ValueError(f"unknown expectation {key!r}")
        COMPARE[key](oracle, expected)
    return oracle


@pytest.mark.parametrize("name", BLOCKS)
def test_block_of_the_rules(name: str) -> None:
    """What the block expects; and its end position, read back, is the same."""
    oracle = check_block(BLOCKS[name])
    again = Oracle.at(oracle.position())
    assert again.position() == oracle.position()
    assert again.legal() == oracle.legal()
    for viewer in range(BLOCKS[name]["players"]):
        assert again.public(viewer) == oracle.public(viewer)


def test_no_block_is_skipped() -> None:
    fences = [line for line in TEXT.splitlines() if line.startswith("```")]
    assert fences == ["```json", "```"] * len(BLOCKS)
    assert re.findall(r'"id": "([^"]+)"', TEXT) == list(BLOCKS)
    assert Counter(map(kind_of, BLOCKS.values())) == {"worked": 88, "game": 3}


@pytest.mark.parametrize(
    "change",
    [
        {"ask": "points"},
        {"kind": "walk"},
        {"expect": {"colour": "white"}},
        {"expect": {"auction": {"mood": "tense"}}},
        {"state": {"phase": 3, "weather": "rain"}},
        {"decision": {"kind": "DANCE", "player": 0}},
        {"options": {"board": 5, "dice": 2}},
    ],
)
def test_unknown_things_in_a_block_fail(change: dict) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        check_block(BLOCKS["FA-W07"] | change)


def test_a_wrong_expectation_fails() -> None:
    """Every kind of expectation is really compared."""
    for key in COMPARE:
        block = next(block for block in BLOCKS.values() if key in block["expect"])
        with pytest.raises(AssertionError):
            check_block(block | {"expect": {key: spoiled(block["expect"][key])}})


def spoiled(expected: object) -> object:
    """Another value of the same shape."""
    if isinstance(expected, bool):
        return not expected
    if isinstance(expected, int):
        return expected + 1
    if isinstance(expected, list):
        return [*expected, "more"]
    if isinstance(expected, dict):
        first = next(iter(expected))
        return {**expected, first: spoiled(expected[first])}
    return f"not {expected}"


# --- events and refusals


def refused(oracle: Oracle, text: str, events: list) -> None:
    """A ValueError, and the game stands as before."""
    before = oracle.position()
    with pytest.raises(ValueError):
        oracle.play(text, events)
    assert oracle.position() == before


def test_events_must_fit() -> None:
    """FA-W29: the D draws of this position shuffle 6, 5, 4 once."""
    block = BLOCKS["FA-W29"]
    good = {"deck": "black", "order": [4, 6, 5]}
    for events in (
        [],
        [good, good],
        [{"deck": "black", "order": [4, 6, 6]}],
        [{"deck": "black", "order": [4, 6]}],
        [{"deck": "park", "order": [4, 6, 5]}],
        [{"order": [4, 6, 5]}],
    ):
        refused(start_of(block), "D TS", events)
    with pytest.raises(MissingEvent) as missing:
        start_of(block).play("D TS")
    assert (missing.value.deck, sorted(missing.value.cards)) == ("black", [4, 5, 6])
    start_of(block).play("D TS", [good])


def test_two_shuffles_in_one_move() -> None:
    """FA-R10: Egon's draw turns the stack, and the discards into the then empty stack turn it again."""
    oracle = Oracle.at(
        {
            "players": 2,
            "options": {},
            "state": {
                "phase": 3,
                "hands": [{}, {"brown": [6], "black": [6, 6]}],
                "black": ["4d", "6u", "5u"],
                "auction": {"commission": "white", "initiator": 0, "left": ["CP"]},
            },
            "decision": {"kind": "BID", "player": 0},
        }
    )
    for text in ("pass", "add brown 6", "add black 6", "add black 6"):
        oracle.play(text)
    egon_draws, discards = {"deck": "black", "order": [6, 5]}, {"deck": "black", "order": [6, 4, 6, 5, 6]}
    refused(oracle, "bid", [egon_draws])
    refused(oracle, "bid", [discards, egon_draws])
    oracle.play("bid", [egon_draws, discards])
    assert oracle.position()["state"]["black"] == ["6d", "4d", "6d", "5d", "6d"]
    assert legal_texts(oracle) == ["build 0", "build 1"]


def test_illegal_texts_are_refused() -> None:
    oracle = start_of(BLOCKS["FA-W03"])
    for text in ("", "A", "pass", "place TS", "place TS orange", "place CP brown", "place TS brown "):
        refused(oracle, text, [])
    refused(oracle, "place TS brown", [{"deck": "black", "order": []}])
    over = check_block(BLOCKS["FA-W58"])
    refused(over, "pass", [])


def test_places_only_at_the_end() -> None:
    with pytest.raises(ValueError):
        start_of(BLOCKS["FA-W01"]).places()
