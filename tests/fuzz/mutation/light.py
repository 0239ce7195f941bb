"""Light changes of a tree: most positions have the right number of cards and pieces after such a change."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.fuzz.mutation.trees import Change, Tree, by_type, copied, lists_in


def moved_about(chance: random.Random, tree: Tree, donors: Sequence[Tree] = (), times: int | None = None) -> Tree:
    """The tree with one or a few light changes: entries change places, numbers move by one, a field takes the value
    that a field of the same name has elsewhere. Most changes keep the number of cards and pieces."""
    box = [copied(tree)]
    for _ in range(times or chance.choice((1, 1, 2, 4))):
        chance.choice(LIGHT)(chance, box, donors)
    for _ in range(5):  # two equal cards that change places leave the tree as it was
        if box[0] != tree:
            break
        chance.choice(LIGHT)(chance, box, donors)
    return box[0]


def _swap_scalars(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Two values of one type change places, in one list or anywhere in the tree."""
    found = by_type(box, chance.choice((int, str, bool)))
    if len(found) < 2:
        return
    one, i = chance.choice(found)
    near = [slot for slot in found if slot[0] is one] if chance.random() < 0.5 else found
    other, j = chance.choice(near)
    one[i], other[j] = other[j], one[i]


def _move_entry(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """An entry goes from one list to another one of the same kind: a card from a hand to a stack."""
    lists = lists_in(box)
    full = [items for items in lists if items]
    if not full:
        return
    source = chance.choice(full)
    kind = type(source[0])
    target = chance.choice([items for items in lists if not items or type(items[0]) is kind])
    target.insert(chance.randrange(len(target) + 1), source.pop(chance.randrange(len(source))))


def _swap_entries(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """Two entries of one list change places, for example all that two seats own."""
    lists = lists_in(box, 2)
    if lists:
        items = chance.choice(lists)
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[j], items[i]


def _shuffle(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    lists = lists_in(box, 2)
    if lists:
        chance.shuffle(chance.choice(lists))


def _by_one(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    found = by_type(box, int)
    if found:
        holder, key = chance.choice(found)
        holder[key] += chance.choice((-1, 1))


def _one_to_another(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A number of a list grows by one, another number of the same list shrinks by one: a piece changes its owner."""
    lists = [items for items in lists_in(box, 2) if all(type(item) is int for item in items)]
    if lists:
        items = chance.choice(lists)
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[i] + 1, items[j] - 1


def _flag(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    found = by_type(box, bool)
    if found:
        holder, key = chance.choice(found)
        holder[key] = not holder[key]


def _from_donor(chance: random.Random, box: Tree, donors: Sequence[Tree]) -> None:
    """A field of the root, such as the phase or the seat to move, takes the value of another document."""
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
    found = [(holder, key) for holder, key in by_type(box, int, str, bool) if type(holder) is dict]
    if not found:
        return
    holder, key = chance.choice(found)
    elsewhere = [
        there[at]
        for tree in (box[0], *donors[:3])
        for there, at in by_type([tree], int, str, bool, type(None))
        if at == key and type(there) is dict
    ]
    if elsewhere:
        holder[key] = chance.choice(elsewhere)


LIGHT: tuple[Change, ...] = (
    _swap_scalars, _swap_scalars, _move_entry, _move_entry, _swap_entries, _shuffle, _by_one, _one_to_another, _flag,
    _from_donor, _same_field,
)  # fmt: skip
