"""Mutators: how a right document becomes an odd one. Everything random comes from the `random.Random` that is given.

    tree = mutated(chance, position, donors)         # JSON-like data: wild changes, one or a few
    tree = moved_about(chance, position, donors)     # light changes that keep counts and types: many still load
    text = as_json(tree)                             # with NaN, lone surrogates and numbers of 5,000 digits
    text = edited_lines(chance, text, donors)        # lines deleted, doubled, swapped, cut
    data = edited_bytes(chance, data, donors)        # bits flipped, cut off, pieces put in
    text = renamed_keys(chance, text)                # keys doubled or renamed in the text of a JSON document

`donors` are further documents of the same kind: subtrees, lines and pieces are taken from them. No function
changes what it is given.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

Tree = Any  # what JSON can hold: dict, list, str, int, float, bool, None
Slot = tuple[Any, Any]  # a list or dict, and the index or key of one value in it

HUGE = 10**5000  # more digits than Python's own limit for texts of numbers
NUMBERS = (
    -1, 0, 1, 2, 3, 7, 8, 100, 127, 128, 129, 255, 256, 257, 32767, 32768, 65535, 65536,
    2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**30,
    HUGE,
)  # fmt: skip
TEXTS = (
    "", " ", "1", "0", "-1", "null", "true", "\x00", "\x1b[31m", "\n", "\u2028", "\ud800", "\udfff", "é", "٣", "²",
    "\U0001f3d9",
    "a" * 70, "x" * 5000, "[bold]", "%s", "{}", "../..", "__proto__", "nan",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (
    *NUMBERS, *TEXTS, True, False, None, 0.0, 1.0, -0.0, 0.5, 1e308, 1e-320,
    float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
DEEPEST = 400  # Python's own reader and writer of JSON give up near 1,000
STUFFED = (1, 2, 8, 50, 130, 260)  # entries that are added to a list


# ---------------------------------------------------------------- trees


@contextmanager
def any_digits() -> Iterator[None]:
    """Python's limit for the digits of a whole number is lifted, for what the mutators themselves read and write."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def as_json(tree: Tree, **layout: Any) -> str:
    """The tree as JSON text, odd values included."""
    with any_digits():
        return json.dumps(tree, **layout)


def from_json(text: str | bytes) -> Tree:
    """The tree of a JSON text, with Python's own parser: what `as_json` wrote comes back."""
    with any_digits():
        return json.loads(text)


def copied(tree: Tree) -> Tree:
    """A copy that shares no list and no object with the tree, however deep it is."""
    box = [tree]
    waiting: list[Any] = [box]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if type(holder) is dict else range(len(holder)):
            if type(holder[key]) in (dict, list):
                holder[key] = holder[key].copy()
                waiting.append(holder[key])
    return box[0]


def depth(tree: Tree) -> int:
    """How many lists and objects lie in each other at the deepest place."""
    level, found = [tree], 0
    while level := [value for value in level if type(value) in (dict, list)]:
        found += 1
        level = [value for holder in level for value in (holder.values() if type(holder) is dict else holder)]
    return found


def slots(tree: Tree) -> list[Slot]:
    """The place of every value below the root."""
    found: list[Slot] = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        if type(holder) is dict:
            keys: Any = list(holder)
        elif type(holder) is list:
            keys = range(len(holder))
        else:
            continue
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def mutated(chance: random.Random, tree: Tree, donors: Sequence[Tree] = (), times: int | None = None) -> Tree:
    """The tree with one or a few wild changes."""
    box = [copied(tree)]
    for _ in range(times or chance.choice((1, 1, 1, 2, 3, 8))):
        before = copied(box[0])
        chance.choice(WILD)(chance, box, donors)
        if depth(box) > DEEPEST:
            box = [before]
    return box[0]


def moved_about(chance: random.Random, tree: Tree, donors: Sequence[Tree] = (), times: int | None = None) -> Tree:
    """The tree with one or a few light changes: entries change places, numbers move by one, values of equal fields
    are exchanged. Most keep how many of everything there are."""
    box = [copied(tree)]
    for _ in range(times or chance.choice((1, 1, 2, 4))):
        chance.choice(LIGHT)(chance, box, donors)
    for _ in range(5):  # equal cards that change places change nothing
        if box[0] != tree:
            break
        chance.choice(LIGHT)(chance, box, donors)
    return box[0]


def _some_slot(chance: random.Random, box: Tree) -> Slot:
    """A place, and every depth has its chance: small objects are not hidden by long lists."""
    holder, key = box, 0
    while True:
        inner = holder[key]
        if type(inner) not in (dict, list) or not inner or chance.random() < 0.12:
            return holder, key
        holder, key = inner, chance.choice(list(inner) if type(inner) is dict else range(len(inner)))


def _lists(tree: Tree, least: int = 0) -> list[list[Tree]]:
    return [holder[key] for holder, key in slots(tree) if type(holder[key]) is list and len(holder[key]) >= least]


def _objects(tree: Tree) -> list[dict[str, Tree]]:
    return [holder[key] for holder, key in slots(tree) if type(holder[key]) is dict and holder[key]]


def _odd_scalar(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    holder, key = _some_slot(chance, box)
    holder[key] = chance.choice(SCALARS)


def _odd_number(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A number takes the place of a number: the type is right, the range need not be."""
    numbers = [(holder, key) for holder, key in slots(box) if type(holder[key]) is int]
    if numbers:
        holder, key = chance.choice(numbers)
        holder[key] = chance.choice((*NUMBERS, holder[key] + chance.choice((-2, -1, 1, 2, 10, 256)), -holder[key]))


def _other_type(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """The same value as another type: 1 as "1", 1.0, true or [1]."""
    holder, key = _some_slot(chance, box)
    value = holder[key]
    shapes: list[Tree] = [[value], {"0": value}, [], {}, None]
    if type(value) is int and value.bit_length() < 60:
        shapes += [str(value), float(value), bool(value), f" {value}"]
    elif type(value) is str:
        shapes += [value.upper(), f"{value} ", list(value), value.encode("utf-16", "surrogatepass").decode("latin-1")]
    elif type(value) is list:
        shapes += [{str(i): item for i, item in enumerate(value)}, value[0] if value else 0, f"{len(value)} entries"]
    holder[key] = chance.choice(shapes)


def _remove(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    holder, key = _some_slot(chance, box)
    if holder is not box:
        del holder[key]


def _double(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """An entry of a list stands there twice, or at another place too."""
    lists = _lists(box, 1)
    if lists:
        items = chance.choice(lists)
        items.insert(chance.randrange(len(items) + 1), copied(chance.choice(items)))


def _stuff(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A list is filled to and past what it can hold."""
    lists = _lists(box)
    if lists:
        items = chance.choice(lists)
        filler = chance.choice(items) if items else chance.choice((0, 1, "", []))
        items.extend(copied(filler) for _ in range(chance.choice(STUFFED)))


def _empty(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    lists = _lists(box, 1)
    if lists:
        items = chance.choice(lists)
        del items[chance.choice((0, 0, len(items) // 2, len(items) - 1)) :]


def _subtree(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Something from this or another document stands at a place."""
    source = chance.choice([box[0], *donors])
    places = slots([source])
    taken, at = chance.choice(places)
    holder, key = _some_slot(chance, box)
    holder[key] = copied(taken[at])


def _field(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A field is added, or has another name."""
    objects = _objects(box)
    if not objects:
        return
    found = chance.choice(objects)
    name = chance.choice(list(found))
    other = chance.choice(
        (name + "s", name.upper(), name[:-1], "", "extra", "seed", "players", "options", "\ud800", "x" * 300)
    )
    found[other] = found.pop(name) if chance.random() < 0.5 else copied(found[name])


def _nest(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    holder, key = _some_slot(chance, box)
    inner = holder[key]
    for _ in range(chance.choice((1, 2, 40, 300))):
        inner = [inner]
    holder[key] = inner


def _swap_any(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    (one, i), (other, j) = _some_slot(chance, box), _some_slot(chance, box)
    one[i], other[j] = copied(other[j]), copied(one[i])


# ---------------------------------------------------------------- light changes


def _by_type(tree: Tree, *types: type) -> list[Slot]:
    return [(holder, key) for holder, key in slots(tree) if type(holder[key]) in types]


def _swap_scalars(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Two values of one type change places: in one list, or anywhere."""
    found = _by_type(box, chance.choice((int, str, bool)))
    if len(found) < 2:
        return
    one, i = chance.choice(found)
    near = [slot for slot in found if slot[0] is one] if chance.random() < 0.5 else found
    other, j = chance.choice(near)
    one[i], other[j] = other[j], one[i]


def _move_entry(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """An entry goes from one list to another one of the same kind: a card from a hand to a stack."""
    lists = _lists(box)
    full = [items for items in lists if items]
    if not full:
        return
    source = chance.choice(full)
    kind = type(source[0])
    target = chance.choice([items for items in lists if not items or type(items[0]) is kind])
    target.insert(chance.randrange(len(target) + 1), source.pop(chance.randrange(len(source))))


def _swap_entries(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Two entries of any kind in one list change places: two players' whole belongings, for example."""
    lists = _lists(box, 2)
    if lists:
        items = chance.choice(lists)
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[j], items[i]


def _shuffle(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    lists = _lists(box, 2)
    if lists:
        chance.shuffle(chance.choice(lists))


def _by_one(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    found = _by_type(box, int)
    if found:
        holder, key = chance.choice(found)
        holder[key] += chance.choice((-1, 1))


def _one_to_another(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """One number of a list grows by one, another one of it becomes smaller: a piece between two counts."""
    lists = [items for items in _lists(box, 2) if all(type(item) is int for item in items)]
    if lists:
        items = chance.choice(lists)
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[i] + 1, items[j] - 1


def _flag(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    found = _by_type(box, bool)
    if found:
        holder, key = chance.choice(found)
        holder[key] = not holder[key]


def _from_donor(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A field of the root, such as the phase or who moves, is as in another document."""
    if not donors or type(box[0]) is not dict:
        return
    donor = chance.choice(donors)
    names = [name for name in box[0] if type(donor) is dict and name in donor and donor[name] != box[0][name]]
    small = [name for name in names if type(box[0][name]) not in (list, dict)]
    if names:
        name = chance.choice(small if small and chance.random() < 0.7 else names)
        box[0][name] = copied(donor[name])


def _same_field(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A scalar takes the value that a field of the same name has elsewhere."""
    found = [(holder, key) for holder, key in _by_type(box, int, str, bool) if type(holder) is dict]
    if not found:
        return
    holder, key = chance.choice(found)
    elsewhere = [
        there[at]
        for tree in (box[0], *donors[:3])
        for there, at in _by_type([tree], int, str, bool, type(None))
        if at == key and type(there) is dict
    ]
    if elsewhere:
        holder[key] = chance.choice(elsewhere)


def _null(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """An optional value is missing, or the other way round."""
    found = _by_type(box, type(None))
    others = _by_type(box, int, str)
    if found and others and chance.random() < 0.5:
        (holder, key), (there, at) = chance.choice(found), chance.choice(others)
        holder[key] = there[at]
    elif others:
        holder, key = chance.choice(others)
        holder[key] = None


Change = Callable[[random.Random, Any, Sequence[Any]], None]
WILD: tuple[Change, ...] = (
    _odd_scalar, _odd_scalar, _odd_number, _odd_number, _other_type, _remove, _double, _stuff, _empty, _subtree, _field,
    _nest, _swap_any, _null,
)  # fmt: skip
LIGHT: tuple[Change, ...] = (
    _swap_scalars, _swap_scalars, _move_entry, _move_entry, _swap_entries, _shuffle, _by_one, _one_to_another, _flag,
    _from_donor, _same_field,
)  # fmt: skip


# ---------------------------------------------------------------- texts and bytes

KEY = re.compile(r'"(\w+)"\s*:')


def renamed_keys(chance: random.Random, text: str) -> str:
    """A key of a JSON text doubled (its field stands there twice), renamed, or its field written with another value."""
    keys = list(KEY.finditer(text))
    if not keys:
        return text
    found = chance.choice(keys)
    other = chance.choice(keys)[1]
    instead = chance.choice(
        (f'"{found[1]}": 0, {found[0]}', f'"{other}":', f'"{found[1]}x":', f'"{found[1]}": "{other}", {found[0]}')
    )
    return text[: found.start()] + instead + text[found.end() :]


def edited_text(chance: random.Random, text: str, donors: Sequence[str] = ()) -> str:
    """A few characters changed, cut, doubled or put in."""
    at, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    piece = chance.choice(
        (*TEXTS, "NaN", "Infinity", "1e999", "9" * 25, "9" * 5000, "[" * 1100, "{", "}", "]", '"', ",", "\\")
    )
    donor = chance.choice(donors) if donors else text
    first, last = sorted((chance.randrange(len(donor) + 1), chance.randrange(len(donor) + 1)))
    return chance.choice(
        (
            text[:at] + piece + text[at:],
            text[:at] + piece + text[min(at + 5, len(text)) :],
            text[:at],
            text[:at] + text[end:],
            text[:at] + text[at:end] + text[at:],
            text[:at] + donor[first:last] + text[end:],
        )
    )


def edited_lines(chance: random.Random, text: str, donors: Sequence[str] = (), times: int | None = None) -> str:
    """Lines deleted, doubled, swapped, cut, or taken from a donor."""
    lines = text.splitlines(keepends=True)
    for _ in range(times or chance.choice((1, 1, 2, 4))):
        if not lines:
            break
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(8):
            case 0:
                del lines[i]
            case 1:
                lines.insert(j, lines[i])
            case 2:
                lines[i], lines[j] = lines[j], lines[i]
            case 3:
                lines[i] = lines[i][: chance.randrange(len(lines[i]) + 1)]
            case 4:
                del lines[i:]
            case 5:
                lines.insert(i, chance.choice(("\n", "{}\n", "[]\n", "null\n", "\ufeff", "#\n", "\x00\n", '"\n')))
            case 6:
                lines[i] = edited_text(chance, lines[i], donors)
            case _:
                other = (chance.choice(donors) if donors else text).splitlines(keepends=True) or ["\n"]
                lines[i] = chance.choice(other)
    return "".join(lines)


def edited_bytes(chance: random.Random, data: bytes, donors: Sequence[bytes] = (), times: int | None = None) -> bytes:
    """Bits flipped, bytes overwritten with extreme values, a piece cut, doubled, moved or put in, the end cut off."""
    found = bytearray(data)
    for _ in range(times or chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(found) + 1)
        size = chance.choice((1, 2, 4, 8, 100, 4096))
        match chance.randrange(8):
            case 0 | 1 if at < len(found):
                found[at] ^= 1 << chance.randrange(8)
            case 2:
                found[at : at + size] = chance.choice((b"\x00", b"\xff", b"\x7f", b"\x80")) * size
            case 3:
                del found[at:]
            case 4:
                del found[at : at + size]
            case 5:
                found[at:at] = found[at : at + size]
            case 6:
                source = chance.choice(donors) if donors else data
                first = chance.randrange(len(source) + 1)
                found[at : at + size] = source[first : first + size]
            case _:
                found[at:at] = chance.randbytes(size)
    return bytes(found)
