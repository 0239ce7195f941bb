"""What comes from outside as data: files, JSON documents and the values in them.

    text = read_file(Path("game.json"), "position")             # a regular file, not too large, UTF-8
    data = parse_json(text, "position")                         # size, depth, duplicate keys, number types
    given = Value(data, "position").object("players", "hands", need=["players"])
    players = given["players"].whole(2, 4)
    for hand in given["hands"].row(players):                    # place: position.hands[0]
        cards = [card.whole(0, 8) for card in hand.list(most=45)]

Whoever reads something from outside reads it with this module. A refusal is an `Unreadable`, a ValueError whose text
names the place, what was found there and what is allowed. Nothing here knows a game or a file format.
"""

from __future__ import annotations

import difflib
import json
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

MOST_BYTES = 64 * 2**20  # of one document; a file of all games of a day is a few MB
MOST_DEPTH = 32  # of lists and objects in each other; Python's own parser gives up near 1,000
MOST_DIGITS = 20  # of a whole number; 2^64 - 1, the largest seed, has 20
SHOWN = 60  # characters of a refused value in a message


class Unreadable(ValueError):  # noqa: N818 - the fault of what was read
    """Something from outside was refused: `place` says where, `reason` what was found and what is allowed."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.reason, self.place = reason, place

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.place)


def shown(value: Any) -> str:
    """The value as a message shows it: at most a line, never its whole length."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 4 * MOST_DIGITS:
        return "a number of more than 20 digits"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return f"an object with {len(value)} fields"
    text = repr(value[: SHOWN + 1]) if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}.."


# ---------------------------------------------------------------- files and JSON


def read_bytes(path: Path, what: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a regular file of at most `most` bytes; OSError as always if the file cannot be opened."""
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise Unreadable(f"is a folder, not a {what} file", str(path))
    if not stat.S_ISREG(found.st_mode):  # a pipe would wait for ever, a device never end
        raise Unreadable(f"is no regular file; a {what} is read from a regular file", str(path))
    if found.st_size > most:
        raise Unreadable(f"has {found.st_size:,} bytes; a {what} file has at most {most:,}", str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"has more than {most:,} bytes, the most that a {what} file has", str(path))
    return data


def read_file(path: Path, what: str, most: int = MOST_BYTES) -> str:
    """The text of a regular UTF-8 file of at most `most` bytes."""
    try:
        return read_bytes(path, what, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is no UTF-8 text (byte {error.start:,}): is this a {what} file?", str(path)) from None


def parse_json(text: str | bytes, what: str, most: int = MOST_BYTES) -> Any:
    """The JSON document: no key twice, no NaN, no number longer than a seed, not nested deeper than `MOST_DEPTH`."""
    if len(text) > most:
        raise Unreadable(f"has {len(text):,} characters; the most is {most:,}", what)
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Unreadable(f"is no UTF-8 text (byte {error.start:,})", what) from None
    _check_depth(text, what)
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_float=_fraction, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if "\n" in text else f"column {error.colno}"
        raise Unreadable(f"is no JSON: {error.msg} ({where}); is the text cut off?", what) from None
    except Unreadable as error:
        raise Unreadable(error.reason, what) from None


def _check_depth(text: str, what: str) -> None:
    """Refuse deep nesting before the parser meets it. Brackets in texts count as little as they do in JSON."""
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    depth, at, in_text = 0, 0, False
    while at < len(text):
        letter = text[at]
        if in_text:
            at += letter == "\\"
            in_text = letter != '"'
        elif letter == '"':
            in_text = True
        elif letter in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                raise Unreadable(f"is nested deeper than {MOST_DEPTH} lists and objects (character {at:,})", what)
        elif letter in "]}":
            depth -= 1
        at += 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"an object has the key {shown(twice)} twice")
    return found


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise Unreadable(f"a whole number has {len(text):,} digits; the most is {MOST_DIGITS}")
    return int(text)


def _fraction(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Unreadable(f"the number {text[:SHOWN]} is too large")
    return value


def _no_number(text: str) -> NoReturn:
    raise Unreadable(f"{text} is no number of JSON")


# ---------------------------------------------------------------- values


class Value:
    """A value from outside and the place where it stands, for example `position.hands[2][0]`.

    Each method gives the value as what it should be, or raises `Unreadable` with the place, the value and what is
    allowed. `raw` is the value as it came.
    """

    __slots__ = ("place", "raw")

    def __init__(self, raw: Any, place: str) -> None:
        self.raw, self.place = raw, place

    def __repr__(self) -> str:
        return f"Value({self.place}: {shown(self.raw)})"

    def refuse(self, allowed: str) -> NoReturn:
        """Refuse the value: `allowed` says what may stand here."""
        raise Unreadable(f"{allowed}, not {shown(self.raw)}", self.place)

    def fault(self, reason: str) -> NoReturn:
        """Refuse the value with a whole reason, where "allowed, not value" does not say what is wrong."""
        raise Unreadable(reason, self.place)

    @property
    def is_null(self) -> bool:
        return self.raw is None

    def whole(self, low: int, high: int) -> int:
        """A whole number low .. high; neither true nor 1.0 is one."""
        if type(self.raw) is not int or not low <= self.raw <= high:
            self.refuse(f"a whole number {low} .. {high}")
        return self.raw

    def number(self, low: float, high: float) -> float:
        """A finite number low .. high, whole or not."""
        if type(self.raw) not in (int, float) or not low <= self.raw <= high:
            self.refuse(f"a number {low:g} .. {high:g}")
        return float(self.raw)

    def flag(self) -> bool:
        """true or false."""
        if type(self.raw) is not bool:
            self.refuse("true or false")
        return self.raw

    def text(self, most: int = 1000) -> str:
        """Any text of at most `most` characters."""
        if not isinstance(self.raw, str) or len(self.raw) > most:
            self.refuse(f"a text of at most {most} characters")
        return self.raw

    def one_of(self, names: Sequence[str]) -> int:
        """The number of the text among `names`."""
        allowed = list(names)
        if not isinstance(self.raw, str) or self.raw not in allowed:
            self.refuse(f"one of {', '.join(allowed)}")
        return allowed.index(self.raw)

    def list(self, least: int = 0, most: int = 10_000) -> Sequence[Value]:
        """The values of a list of `least` .. `most`."""
        raw = self.raw
        if not isinstance(raw, (list, tuple)) or not least <= len(raw) <= most:
            size = f"{most}" if least == most else f"at most {most}" if least == 0 else f"{least} .. {most}"
            self.refuse(f"a list of {size}")
        return [Value(item, f"{self.place}[{i}]") for i, item in enumerate(raw)]

    def row(self, length: int) -> Sequence[Value]:
        """The values of a list of exactly `length`."""
        return self.list(length, length)

    def object(self, *fields: str, need: Iterable[str] = ()) -> Fields:
        """An object with no other field than `fields`, all of `need` among them."""
        known = list(dict.fromkeys((*fields, *need)))
        found = self.items()
        for name in found.names():
            if name not in known:
                close = difflib.get_close_matches(name[:SHOWN], known, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                self.fault(f"there is no field {shown(name)}; the fields are {', '.join(known)}{hint}")
        for name in need:
            if name not in found:
                self.fault(f"the field {name!r} is missing")
        return found

    def mapping(self) -> Mapping[str, Any]:
        """An object as it came, with any fields."""
        if not isinstance(self.raw, Mapping) or not all(isinstance(name, str) for name in self.raw):
            self.refuse("an object (in Python a dict with texts as keys)")
        return self.raw

    def items(self) -> Fields:
        """An object with any fields."""
        return Fields(self.mapping(), self.place)


class Fields:
    """The fields of an object as `Value`s: `fields["hands"]`; `fields.get("hands", [])` for one that may be missing."""

    __slots__ = ("_raw", "place")

    def __init__(self, raw: Mapping[str, Any], place: str) -> None:
        self._raw, self.place = raw, place

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def __getitem__(self, name: str) -> Value:
        if name not in self._raw:
            raise Unreadable(f"the field {name!r} is missing", self.place)
        return Value(self._raw[name], self._at(name))

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return ((name, Value(value, self._at(name))) for name, value in self._raw.items())

    def __len__(self) -> int:
        return len(self._raw)

    def get(self, name: str, default: Any) -> Value:
        """The field, or the default if it is missing."""
        return Value(self._raw.get(name, default), self._at(name))

    def names(self) -> list[str]:
        return list(self._raw)

    def _at(self, name: str) -> str:
        key = name if name.isidentifier() and len(name) <= SHOWN else f"[{shown(name)}]"
        return f"{self.place}.{key}".lstrip(".") if key == name else f"{self.place}{key}"


def check_counts(place: str, found: Iterable[int], printed: Iterable[int], names: Sequence[str]) -> None:
    """Refuse a position that holds more of a card, piece or tile than are printed: all its places taken together."""
    over = [
        f"{names[kind]} {int(have)} times (there are {int(most)})"
        for kind, (have, most) in enumerate(zip(found, printed, strict=True))
        if have > most
    ]
    if over:
        more = f" and {len(over) - 4} further kinds" if len(over) > 4 else ""
        raise Unreadable(f"the whole position holds {', '.join(over[:4])}{more}", place)
