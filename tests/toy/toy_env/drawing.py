"""Text and SVG pictures, from a seat's view."""

from skyline.draw.svg import Svg
from toy_env.position import position


def text(s, seat, last):
    data = position(s)
    lines = [f"turn {data['turn']}, deck {len(data['deck'])}, discards {data['discards']}"]
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
