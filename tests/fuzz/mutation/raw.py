"""Changes of bytes, whatever they mean."""

from __future__ import annotations

import random
from collections.abc import Sequence


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
