"""Wild changes of a tree: values of other types, missing fields, lists that are too long."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.fuzz.mutation.trees import Change, Slot, Tree, by_type, copied, depth, lists_in, slots
from tests.fuzz.mutation.values import NUMBERS, SCALARS

DEEPEST = 400  # Python's own reader and writer of JSON give up near 1,000
STUFFED = (1, 2, 8, 50, 130, 260)  # entries that are added to a list


def mutated(chance: random.Random, tree: Tree, donors: Sequence[Tree] = (), times: int | None = None) -> Tree:
    """The tree with one or a few wild changes."""
    box = [copied(tree)]
    for _ in range(times or chance.choice((1, 1, 1, 2, 3, 8))):
        before = copied(box[0])
        chance.choice(WILD)(chance, box, donors)
        if depth(box) > DEEPEST:
            box = [before]
    return box[0]


def _some_slot(chance: random.Random, box: Tree) -> Slot:
    """A place of the tree. Every depth is equally likely to be reached, however long the lists beside it are."""
    holder, key = box, 0
    while True:
        inner = holder[key]
        if type(inner) not in (dict, list) or not inner or chance.random() < 0.12:
            return holder, key
        holder, key = inner, chance.choice(list(inner) if type(inner) is dict else range(len(inner)))


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
    """An entry of a list is put into the same list once more."""
    lists = lists_in(box, 1)
    if lists:
        items = chance.choice(lists)
        items.insert(chance.randrange(len(items) + 1), copied(chance.choice(items)))


def _stuff(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Entries are added to a list, more than a game has places for."""
    lists = lists_in(box)
    if lists:
        items = chance.choice(lists)
        filler = chance.choice(items) if items else chance.choice((0, 1, "", []))
        items.extend(copied(filler) for _ in range(chance.choice(STUFFED)))


def _empty(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    lists = lists_in(box, 1)
    if lists:
        items = chance.choice(lists)
        del items[chance.choice((0, 0, len(items) // 2, len(items) - 1)) :]


def _subtree(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A value of this or of another document takes the place of a value."""
    source = chance.choice([box[0], *donors])
    places = slots([source])
    taken, at = chance.choice(places)
    holder, key = _some_slot(chance, box)
    holder[key] = copied(taken[at])


def _field(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A field is added under another name, or renamed."""
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


def _null(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A value becomes null, or a null becomes a value from elsewhere in the tree."""
    found = by_type(box, type(None))
    others = by_type(box, int, str)
    if found and others and chance.random() < 0.5:
        (holder, key), (there, at) = chance.choice(found), chance.choice(others)
        holder[key] = there[at]
    elif others:
        holder, key = chance.choice(others)
        holder[key] = None


WILD: tuple[Change, ...] = (
    _odd_scalar, _odd_scalar, _odd_number, _odd_number, _other_type, _remove, _double, _stuff, _empty, _subtree, _field,
    _nest, _swap_any, _null,
)  # fmt: skip
