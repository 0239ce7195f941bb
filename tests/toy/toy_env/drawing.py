"""Text and SVG pictures, from a seat's view; remembered discards are marked as in all games."""

from skyline.draw.svg import Svg
from skyline.game import RECALL
from skyline.telling import remembered
from toy_env.position import position


def text(s, seat, last):
    data = position(s)
    *below, top = data["discards"] or ["none"]
    known = (
        f", below it {remembered(' '.join(map(str, below)))}" if below and (seat is None or s.memory == RECALL) else ""
    )
    lines = [f"turn {data['turn']}, deck {len(data['deck'])}, discards {top}{known}"]
    for p, hand in enumerate(data["hands"]):
        shown = hand if seat in (None, p) else ["?"] * len(hand)
        lines.append(f"{'>' if p == s.seat else ' '} seat {p}: {shown}{' kept' * data['kept'][p]} {data['scores'][p]}")
    return "\n".join([*lines, f"last move: {last.story}"] if last else lines)


def svg(s, seat, last):
    lines = text(s, seat, last).splitlines()
    picture = Svg(420, 30 * len(lines) + 20, "toy")
    for i, line in enumerate(lines):
        picture.text(10, 30 * (i + 1), line, 14)
    return str(picture)
