"""Changes of texts: characters, lines, and the keys of JSON."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tests.fuzz.mutation.values import TEXTS

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
