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

from tests.fuzz.mutation.light import moved_about
from tests.fuzz.mutation.raw import edited_bytes
from tests.fuzz.mutation.texts import edited_lines, edited_text, renamed_keys
from tests.fuzz.mutation.trees import Tree, any_digits, as_json, copied, depth, from_json
from tests.fuzz.mutation.values import SCALARS
from tests.fuzz.mutation.wild import mutated

__all__ = [
    "SCALARS", "Tree", "any_digits", "as_json", "copied", "depth", "edited_bytes", "edited_lines", "edited_text",
    "from_json", "moved_about", "mutated", "renamed_keys",
]  # fmt: skip
