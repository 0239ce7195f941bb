"""The one reader of data from outside: every refusal names the place, what was found and what is allowed."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from skyline.reading import MOST_DEPTH, Unreadable, Value, check_counts, parse_json, read_bytes, read_file, shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 2}', "an object has the key 'a' twice"),
        ("NaN", "NaN is no number of JSON"),
        ("[-Infinity]", "-Infinity is no number"),
        ("1" * 21, "a whole number has 21 digits"),
        ("9" * 5000, "a whole number has 5,000 digits"),
        ("1e999", "the number 1e999 is too large"),
        ("[" * 100_000, f"nested deeper than {MOST_DEPTH}"),
        ('{"a": ', "is no JSON: Expecting value (column 7)"),
        ('{\n"a": ', "is no JSON: Expecting value (line 2, column 6)"),
        (b"\xff\xfe", "no UTF-8 text (byte 0)"),
    ],
)
def test_parse_json_refuses(text: str | bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        parse_json(text, "the head")
    assert str(error.value).startswith("the head: ")
    assert reason in str(error.value)
    assert len(str(error.value)) < 200


def test_parse_json_reads_what_is_json() -> None:
    deep = "[" * MOST_DEPTH + "]" * MOST_DEPTH
    assert parse_json('{"seed": 18446744073709551615, "x": [1.5, "[[[[{{"], "deep": 0}', "x")["seed"] == 2**64 - 1
    assert parse_json(deep, "x") is not None
    assert parse_json('"' + "[" * 1000 + '\\"{"', "x") == "[" * 1000 + '"{'


def test_a_document_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="the most is 10"):
        parse_json("[1, 2, 3, 4]", "x", most=10)
    path = tmp_path / "large.json"
    path.write_text("1" * 100)
    with pytest.raises(Unreadable, match=r"large\.json: has 100 bytes; a record file has at most 10"):
        read_bytes(path, "record", most=10)


def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="pipe: is no regular file"):
        read_file(tmp_path / "pipe", "record")
    with pytest.raises(Unreadable, match="is a folder, not a record file"):
        read_file(tmp_path, "record")
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nothing", "record")
    (tmp_path / "latin").write_bytes("Größe".encode("latin-1"))
    with pytest.raises(Unreadable, match=r"is no UTF-8 text \(byte 2\)"):
        read_file(tmp_path / "latin", "record")


def test_values_name_their_place() -> None:
    data = {"players": 2, "hands": [[1, 2], [3, True]], "odd key": {"x": "red"}}
    given = Value(data, "position").object("players", "hands", "odd key", need=["players"])
    assert given["players"].whole(2, 4) == 2
    with pytest.raises(Unreadable, match=r"^position\.hands\[1\]\[1\]: a whole number 0 \.\. 8, not True$"):
        [card.whole(0, 8) for hand in given["hands"].row(2) for card in hand.list(most=5)]
    with pytest.raises(Unreadable, match=r"^position\['odd key'\]\.x: one of blue, green, not 'red'$"):
        given["odd key"].object("x")["x"].one_of(["blue", "green"])
    with pytest.raises(Unreadable, match=r"^position\.hands: a list of 3, not a list of 2$"):
        given["hands"].row(3)
    with pytest.raises(Unreadable, match=r"^position: there is no field 'hand'; the fields are hands; did you mean"):
        Value({"hand": 1}, "position").object("hands")
    with pytest.raises(Unreadable, match=r"^position: the field 'players' is missing$"):
        Value({}, "position").object("hands", need=["players"])
    with pytest.raises(Unreadable, match="an object"):
        Value({1: 2}, "position").items()


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1], 10**30])
def test_only_whole_numbers_are_whole(value: object) -> None:
    with pytest.raises(Unreadable, match=r"a whole number 0 \.\. 5, not "):
        Value(value, "x").whole(0, 5)


@pytest.mark.parametrize("value", ["x" * 10**6, list(range(10**6)), 10**5000, {"a": 1}, b"x" * 10**5], ids=type)
def test_a_message_never_holds_the_whole_value(value: object) -> None:
    assert len(shown(value)) < 80


def test_counts_over_the_whole_position() -> None:
    check_counts("position", [1, 2], [1, 2], ["red", "blue"])
    with pytest.raises(Unreadable, match=r"the whole position holds blue 3 times \(there are 2\)"):
        check_counts("position", [1, 3], [1, 2], ["red", "blue"])


def test_a_refusal_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(Unreadable("a number, not 'x'", "position.seat")))
    assert (str(error), error.place) == ("position.seat: a number, not 'x'", "position.seat")
