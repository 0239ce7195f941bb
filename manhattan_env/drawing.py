"""A position as an SVG picture and as text, from a seat's view.

    +---------------------------------------------+      a square: its tower, pieces bottom first, the height,
    | title        clock                 decision |      the floors of each colour (the owner's first), the
    +--------------+--------------+---------------+      square's number
    | 0 Manhattan  | 1 Cairo      | 2 Sao Paulo   |
    | 3 Frankfurt  | 4 Sydney     | 5 Hong Kong   |      a panel: score, per colour the points if the round were
    +--------------+-+----------+-+---------------+      scored now, chosen pieces, stock; hand, played pile
    | panel, seat 0  | seat 1   | ..              |
    +----------------+----------+-----------------+      Colours are the letters A .. D, also by windows and
    | last move                            legend |      badges. Cards show the board square they allow.
    +---------------------------------------------+

Both read the row and never change it. With a seat, what section 7 of RULES.md hides from it is not read: the cards of
the other hands. Without one all hands are shown. The order of the deck and the lower cards of the piles never are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from manhattan_env.components import (
    BOARD, CITIES, CITY_NAMES, CITY_POINTS, COLOURS_IN_PLAY, HEIGHTS, OWN_COLOURS, ROUNDS, SIDE, SITES, SQUARES,
    TALLEST_POINTS, TOWER_POINTS, TURNS,
)  # fmt: skip
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET
from skyline.drawing import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Look, Svg, number, text_width
from skyline.game import NO_SEAT

WIDTH, HEIGHT = 900, 936
MARGIN, GAP = 20, 12
CELL_W, CELL_H, CELL_GAP, CITY_HEAD = 86, 84, 3, 28
CITY_W, CITY_H = 3 * CELL_W + 4 * CELL_GAP + 10, CITY_HEAD + 3 * CELL_H + 2 * CELL_GAP + 8
CITIES_Y = 78
PANELS_Y = CITIES_Y + 2 * (CITY_H + GAP)
PANEL_H = 186
FOOT_Y = PANELS_Y + PANEL_H + 22

FLOOR = 7.0  # pixels a floor, all towers in the same scale ..
LEAST_FLOOR = 2.0  # .. down to this; towers that are too high then are squeezed
TOWER_W, TOWER_MOST = 26, 60  # pixels: width, and height of the highest tower


class Tower(NamedTuple):
    """What stands on a site: owner, height, pieces (colour, height) bottom first, floors by colour, the owner's first."""

    owner: int
    height: int
    pieces: list[tuple[int, int]]
    floors: list[tuple[int, int]]


class Points(NamedTuple):
    """What a colour would get if the round were scored now. [MH-21 .. MH-23]"""

    towers: int
    cities: int
    tallest: int


# ---------------------------------------------------------------- what both pictures say


def towers_of(s: Any) -> dict[int, Tower]:
    """The towers by site."""
    pieces: dict[int, list[tuple[int, int]]] = {}
    for code in s.built[: s.built_size].tolist():
        pieces.setdefault(code // 16, []).append((code // 4 % 4, code % 4 + 1))
    towers = {}
    for site, stack in sorted(pieces.items()):
        owner = stack[-1][0]
        floors = {colour: sum(h for c, h in stack if c == colour) for colour in {c for c, _ in stack}}
        ranked = sorted(floors.items(), key=lambda item: (item[0] != owner, -item[1], item[0]))
        towers[site] = Tower(owner, sum(h for _, h in stack), stack, ranked)
    return towers


def points_now(s: Any, colour: int) -> Points:
    """The three parts of `scoring.round_points`, from the caches."""
    tallest = s.top_count == 1 and s.owner[s.top_site] == colour
    return Points(
        TOWER_POINTS * int(s.towers[colour].sum()),
        CITY_POINTS * int((s.majority == colour).sum()),
        TALLEST_POINTS * bool(tallest),
    )


def mover(s: Any) -> int:
    """The seat that made the last move, or NO_SEAT in a new game. It follows from the clock. [MH-03, MH-05, MH-20]"""
    players = int(s.players)
    if s.phase == PHASE_OVER or (s.phase == PHASE_SET and s.turn == 0):
        return int(s.marker - 2) % players if s.round else NO_SEAT
    if s.phase == PHASE_SET:
        return int(s.marker + (s.turn - 1) // OWN_COLOURS[players]) % players
    return int(s.marker + s.turn - 1) % players


def board_squares(s: Any, seat: int) -> list[int]:
    """The board squares the seat's cards allow, in rising order."""
    side = SIDE[s.players, seat]
    return sorted(int(BOARD[side, card]) for card in range(SQUARES) for _ in range(s.hands[seat, card]))


def top_square(s: Any, seat: int) -> int:
    """The board square of the top card of the seat's played pile, or NO_CARD."""
    top = s.pile_top[seat]
    return NO_CARD if top == NO_CARD else int(BOARD[SIDE[s.players, seat], top])


def move_site(move: str | None) -> int | None:
    """The site a move text builds on."""
    match (move or "").split():
        case ["build", city, square, *_] if city.isdecimal() and square.isdecimal():
            return SQUARES * int(city) + int(square)
    return None


def _explained(move: str) -> str:
    match move.split():
        case ["build", city, square, height, *_] if city.isdecimal() and int(city) < CITIES:
            return f"height {height} on square {square} of {CITY_NAMES[int(city)]}"
        case ["take", *_]:
            return "its pieces for this round"
        case ["discard", _]:
            return "nothing could be built"
    return ""


def _clock(s: Any) -> tuple[str, str]:
    players, rounds = int(s.players), int(ROUNDS[s.players])
    if s.phase == PHASE_OVER:
        return f"after {rounds} rounds", "the game is over"
    if s.phase == PHASE_SET:
        return f"round {s.round + 1} of {rounds}", f"pieces are chosen: {s.turn + 1} of {COLOURS_IN_PLAY[players]}"
    return f"round {s.round + 1} of {rounds}", f"turn {s.turn + 1} of {players * int(TURNS[players])}"


def _decision(s: Any) -> str:
    if s.phase == PHASE_OVER:
        best = [str(seat) for seat in range(s.players) if s.scores[seat] == max(s.scores[: s.players])]
        return f"Seat {best[0]} wins" if len(best) == 1 else f"Seats {', '.join(best)} share the win"
    if s.phase != PHASE_SET:
        return f"Seat {s.seat} plays a card"
    own = int(OWN_COLOURS[s.players])
    return f"Seat {s.seat} takes pieces" + (f" for {_letter(s.seat * own + s.turn % own)}" if own > 1 else "")


def _letter(colour: int) -> str:
    return SEATS[colour].letter


def _own_colours(s: Any, seat: int) -> range:
    own = int(OWN_COLOURS[s.players])
    return range(own * seat, own * (seat + 1))


def _view(seat: int | None) -> str:
    return "all hands shown" if seat is None else f"seen by seat {seat}"


# ---------------------------------------------------------------- the SVG picture


def svg(s: Any, seat: int | None = None, move: str | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `move` is the text of the move just made."""
    players = int(s.players)
    picture = Svg(WIDTH, HEIGHT, f"Manhattan, {players} players, {', '.join(_clock(s))}")
    picture.rect(0, 0, WIDTH, HEIGHT, fill=GROUND)
    _draw_head(picture, s, seat)
    towers = towers_of(s)
    floor = max(LEAST_FLOOR, min(FLOOR, TOWER_MOST / max(1, int(s.top_height))))
    for city in range(CITIES):
        row, column = divmod(city, 3)
        x, y = MARGIN + column * (CITY_W + GAP), CITIES_Y + row * (CITY_H + GAP)
        _draw_city(picture, s, city, towers, floor, move_site(move), x, y)
    width = (WIDTH - 2 * MARGIN - GAP * (players - 1)) / players
    for p in range(players):
        _draw_panel(picture, s, p, seat, MARGIN + p * (width + GAP), width)
    _draw_foot(picture, s, move)
    return str(picture)


def _draw_head(picture: Svg, s: Any, seat: int | None) -> None:
    picture.text(MARGIN, 42, "Manhattan", 24, bold=True)
    picture.text(MARGIN, 61, f"{s.players} players, {_view(seat)}", 12, MUTED)
    _draw_clock(picture, s, 262)
    right = WIDTH - MARGIN
    decision = _decision(s)
    picture.text(right, 42, decision, 17, anchor="end", bold=True, width=270)
    if s.seat != NO_SEAT:
        x = right - min(270, text_width(decision, 17, True)) - 12
        for colour in reversed(_own_colours(s, s.seat)):
            picture.badge(x, 36, 18, SEATS[colour])
            x -= 24
    cards = f"{s.deck_size - s.deck_top} cards in the draw deck"
    picture.text(right, 61, cards, 12, MUTED, "end")
    picture.card_back(right - text_width(cards, 12) - 17, 51, 9, 12)


def _draw_clock(picture: Svg, s: Any, x: float) -> None:
    """The round in words, and its choices of pieces or its turns as one block each in the colour of their seat."""
    players, own = int(s.players), int(OWN_COLOURS[s.players])
    picture.text(x, 40, " - ".join(_clock(s)), 13, bold=True)
    if s.phase == PHASE_OVER:
        return
    if s.phase == PHASE_SET:
        seats = [(s.marker + i // own) % players for i in range(COLOURS_IN_PLAY[players])]
    else:
        seats = [(s.marker + i) % players for i in range(players * int(TURNS[players]))]
    for i, p in enumerate(seats):
        look = SEATS[own * p]
        fill = look.fill if i < s.turn else HIGHLIGHT if i == s.turn else look.pale
        picture.rect(x + 11 * i, 50, 8, 11, 2, fill=fill, stroke=INK if i == s.turn else look.dark)


def _draw_city(
    picture: Svg, s: Any, city: int, towers: dict[int, Tower], floor: float, last: int | None, x: float, y: float
) -> None:
    picture.rect(x, y, CITY_W, CITY_H, 8, fill=PAPER, stroke=LINE)
    picture.text(x + 9, y + 19, str(city), 13, FAINT, bold=True)
    picture.text(x + 23, y + 19, CITY_NAMES[city], 13, bold=True)
    _draw_majority(picture, s, city, x + CITY_W - 9, y + 14.5)
    for square in range(SQUARES):
        row, column = divmod(square, 3)
        site = SQUARES * city + square
        left = x + 5 + CELL_GAP + column * (CELL_W + CELL_GAP)
        top = y + CITY_HEAD + row * (CELL_H + CELL_GAP)
        _draw_square(picture, towers.get(site), square, floor, left, top)
        if site == s.top_site and s.top_count == 1:
            _draw_flag(picture, left + CELL_W - 9, top + 24)
        if site == last:
            picture.rect(left + 1, top + 1, CELL_W - 2, CELL_H - 2, 6, fill="none", stroke=INK, stroke_width=2.5)


def _draw_majority(picture: Svg, s: Any, city: int, right: float, y: float) -> None:
    """How many towers each colour owns, and who gets the points of the city."""
    for colour in reversed(range(COLOURS_IN_PLAY[s.players])):
        count = int(s.towers[colour, city])
        if not count:
            continue
        won = s.majority[city] == colour
        wide = 46 if won else 25
        if won:
            picture.rect(right - wide - 1, y - 9.5, wide + 4, 19, 9.5, fill=HIGHLIGHT)
            picture.text(right, y + 4, f"+{CITY_POINTS}", 11, anchor="end", bold=True)
        picture.badge(right - wide + 8, y, 12, SEATS[colour])
        picture.text(right - wide + 17, y + 4, str(count), 11, bold=won)
        right -= wide + 5


def _draw_square(picture: Svg, tower: Tower | None, square: int, floor: float, x: float, y: float) -> None:
    look = SEATS[tower.owner] if tower else None
    with picture.group(", ".join(f"{_letter(c)}{h}" for c, h in tower.pieces) if tower else ""):
        picture.rect(x, y, CELL_W, CELL_H, 5, fill=look.pale if look else GROUND)
        picture.text(x + CELL_W - 5, y + CELL_H - 4, str(square), 9, FAINT, "end")
        if tower is None:
            return
        picture.text(x + 45, y + 18, str(tower.height), 17, bold=True)
        for i, (colour, floors) in enumerate(tower.floors):
            picture.badge(x + 51, y + 29 + 14 * i, 11, SEATS[colour])
            picture.text(x + 59, y + 33 + 14 * i, str(floors), 11)
        _draw_tower(picture, tower.pieces, x + 7, y + CELL_H - 6, TOWER_W, min(floor, TOWER_MOST / tower.height))


def _draw_tower(picture: Svg, pieces: list[tuple[int, int]], x: float, y: float, width: float, floor: float) -> None:
    """Pieces on each other, the lowest standing on y, in slanted view."""
    deep, rise = width / 4, width / 5
    for colour, height in pieces:
        look, high = SEATS[colour], height * floor
        y -= high
        side = [(x + width, y + high), (x + width, y), (x + width + deep, y - rise), (x + width + deep, y + high - rise)]
        picture.polygon(side, fill=look.dark)
        picture.rect(x, y, width, high, fill=look.fill)
        if floor >= 3:
            picture.path(_windows(colour, height, x, y, width, floor), fill=look.ink, opacity=0.7)
        picture.path(f"M{number(x)} {number(y)}h{number(width)}l{number(deep)} {number(-rise)}", fill="none",
                     stroke=PAPER, stroke_width=0.8)  # fmt: skip
    roof = [(x, y), (x + width, y), (x + width + deep, y - rise), (x + deep, y - rise)]
    picture.polygon(roof, fill=SEATS[pieces[-1][0]].pale, stroke=SEATS[pieces[-1][0]].dark, stroke_width=0.8)


def _windows(colour: int, height: int, x: float, y: float, width: float, floor: float) -> str:
    """One row a floor: three squares, a band, four slits or two diamonds by colour."""
    shares, wide, high = (
        ((0.2, 0.5, 0.8), 0.42 * floor, 0.42 * floor),
        ((0.5,), 0.74 * width, 0.32 * floor),
        ((0.17, 0.39, 0.61, 0.83), 0.05 * width, 0.66 * floor),
        ((0.3, 0.7), 0.7 * floor, 0.7 * floor),
    )[colour]
    parts = []
    for level in range(height):
        middle = y + (level + 0.5) * floor
        for share in shares:
            left, top, w, h = x + share * width - wide / 2, middle - high / 2, number(wide), number(high)
            if colour == 3:
                half = number(wide / 2)
                parts.append(f"M{number(left)} {number(middle)}l{half} -{half} {half} {half} -{half} {half}z")
            else:
                parts.append(f"M{number(left)} {number(top)}h{w}v{h}h-{w}z")
    return "".join(parts)


def _draw_flag(picture: Svg, x: float, y: float) -> None:
    """The single tallest tower and its points."""
    picture.rect(x - 17, y - 1, 24, 15, 7.5, fill=HIGHLIGHT)
    picture.text(x - 5, y + 10.5, f"+{TALLEST_POINTS}", 11, anchor="middle", bold=True)


# ---------------------------------------------------------------- the panels


def _draw_panel(picture: Svg, s: Any, p: int, viewer: int | None, x: float, width: float) -> None:
    y = PANELS_Y
    decides = p == s.seat
    picture.rect(x, y, width, PANEL_H, 8, fill=PAPER, stroke=INK if decides else LINE, stroke_width=2 if decides else 1)
    left, right = x + 10, x + width - 10
    at = left + 9
    for colour in _own_colours(s, p):
        picture.badge(at, y + 20, 19, SEATS[colour])
        at += 25
    name = f"Seat {p}"
    picture.text(at - 9, y + 25, name, 14, bold=True)
    at += text_width(name, 14, True)
    if p == viewer:
        picture.text(at - 3, y + 25, "you", 11, MUTED)
        at += 27
    if p == s.marker and s.phase != PHASE_OVER:
        picture.circle(at + 6, y + 20, 7.5, fill=HIGHLIGHT, stroke=INK)
        picture.text(at + 6, y + 24, "M", 10, anchor="middle", bold=True)
    picture.text(right, y + 28, str(s.scores[p]), 22, anchor="end", bold=True)
    own = _own_colours(s, p)
    share = (width - 20 - 16 * (len(own) - 1)) / len(own)
    for i, colour in enumerate(own):
        _draw_colour(picture, s, colour, len(own) > 1, left + i * (share + 16), y + 38, share)
    _draw_cards(picture, s, p, viewer is None or viewer == p, left, right, y + 119)


def _draw_colour(picture: Svg, s: Any, colour: int, named: bool, x: float, y: float, width: float) -> None:
    """Points of a colour if the round were scored now, its chosen pieces, its stock."""
    look, points = SEATS[colour], points_now(s, colour)
    picture.line(x, y, x + width, y, stroke=LINE)
    name = f"{look.letter} (c{colour % 2}): " if named else ""
    total = f"{name}+{sum(points)} now"
    picture.text(x, y + 15, total, 11, bold=True)
    picture.text(x + text_width(total, 11, True) + 7, y + 15, " + ".join(map(str, points)), 11, MUTED)
    stock_x = x + width - 4 * 20
    picture.text(x, y + 31, "chosen", 9.5, MUTED)
    picture.text(stock_x, y + 31, "stock", 9.5, MUTED)
    base, at = y + 66, x
    for height in range(1, HEIGHTS + 1):
        for _ in range(s.chosen[colour, height - 1]):
            _draw_tower(picture, [(colour, height)], at, base, 11, 6.5)
            at += 17
        _draw_stock(picture, look, height, int(s.stock[colour, height - 1]), stock_x + 20 * (height - 1), base)


def _draw_stock(picture: Svg, look: Look, height: int, count: int, x: float, base: float) -> None:
    """A silhouette of the height with the number of such pieces in stock."""
    fill, ink = (look.pale, INK) if count else (PAPER, FAINT)
    high = 5 * height
    picture.rect(x + 2, base - 11 - high, 12, high, fill=fill, stroke=look.dark if count else LINE)
    picture.text(x + 8, base, str(count), 10, ink, "middle", bold=bool(count))


def _draw_cards(picture: Svg, s: Any, p: int, seen: bool, left: float, right: float, y: float) -> None:
    """The hand, face up or face down, and the top of the played pile with the number of its cards."""
    held = int(s.hands[p].sum())
    picture.text(left, y, "hand", 9.5, MUTED)
    picture.text(right, y, f"played {s.pile_size[p]}", 9.5, MUTED, "end")
    look = SEATS[_own_colours(s, p)[0]]
    step = min(34.0, (right - left - 46) / max(1, held))
    squares = board_squares(s, p) if seen else [None] * held
    for i, square in enumerate(squares):
        _draw_card(picture, square, look, left + step * i, y + 6)
    top = top_square(s, p)
    if top == NO_CARD:
        picture.rect(right - 30, y + 6, 30, 46, 4, fill="none", stroke=LINE, stroke_dasharray="3 3")
    else:
        _draw_card(picture, top, look, right - 30, y + 6)


def _draw_card(picture: Svg, square: int | None, look: Look, x: float, y: float) -> None:
    """A card as the board square it allows, or its back."""
    if square is None:
        picture.card_back(x, y, 30, 46)
        return
    picture.card(x, y, 30, 46)
    for other in range(SQUARES):
        row, column = divmod(other, 3)
        allowed = other == square
        picture.rect(x + 4 + 8 * column, y + 5 + 8 * row, 6, 6, 1, fill=look.dark if allowed else LINE)
    picture.text(x + 15, y + 41, str(square), 11, anchor="middle", bold=True)


def _draw_foot(picture: Svg, s: Any, move: str | None) -> None:
    if move is not None:
        by = mover(s)
        who = f"Seat {by}: " if by != NO_SEAT else ""
        picture.text(MARGIN, FOOT_Y, f"Last move: {who}{move}", 13, bold=True)
        at = MARGIN + text_width(f"Last move: {who}{move}", 13, True) + 10
        picture.text(at, FOOT_Y, _explained(move), 12, MUTED, width=WIDTH - MARGIN - at)
    legend = "now: points if the round were scored now = towers + cities + tallest tower;  M: round marker"
    picture.text(MARGIN, FOOT_Y + 19, legend, 10.5, MUTED)


# ---------------------------------------------------------------- the text picture

CELL = 9  # characters inside a square; a city is 3 * 9 + 4 wide, three cities are 99


def text(s: Any, seat: int | None = None, move: str | None = None) -> str:
    """The position as text, 99 columns wide, as `seat` sees it; `move` is the text of the move just made."""
    towers, last = towers_of(s), move_site(move)
    lines = [
        f"Manhattan, {s.players} players, {_view(seat)}: {', '.join(_clock(s))}.",
        f"{_decision(s)}. {s.deck_size - s.deck_top} cards in the draw deck.",
    ]
    if move is not None:
        by = f"seat {mover(s)}: " if mover(s) != NO_SEAT else ""
        lines.append(f"Last move: {by}{move}" + (f" ({_explained(move)})" if _explained(move) else ""))
    for first in (0, 3):
        lines += ["", *_three_cities(s, range(first, first + 3), towers, last)]
    lines.append("")
    for p in range(s.players):
        lines += _seat_lines(s, p, seat)
    lines += [
        "",
        "Square: its number, owner and height; floors of each colour if mixed; > last move, * single tallest (+3).",
        "City: towers of each colour, (+2) majority. now: points if the round were scored now = towers + cities +",
        "tallest. Cards name the board square they allow.",
    ]
    return "\n".join(lines) + "\n"


def _three_cities(s: Any, cities: range, towers: dict[int, Tower], last: int | None) -> list[str]:
    """Three cities side by side; a row of squares is as deep as its deepest square."""
    edge = "  ".join([("+" + "-" * CELL) * 3 + "+"] * 3)
    lines = ["  ".join(_city_head(s, city).ljust(3 * CELL + 4) for city in cities).rstrip(), edge]
    for row in range(3):
        cells = [[_cell(s, SQUARES * city + 3 * row + i, towers, last) for i in range(3)] for city in cities]
        for depth in range(max(len(cell) for city in cells for cell in city)):
            shown = [[(cell[depth] if depth < len(cell) else "").ljust(CELL) for cell in city] for city in cells]
            lines.append("  ".join("|" + "|".join(city) + "|" for city in shown))
        lines.append(edge)
    return lines


def _city_head(s: Any, city: int) -> str:
    """Number, name, towers of each colour."""
    parts = [f"{city} {CITY_NAMES[city]} "]
    for colour in range(COLOURS_IN_PLAY[s.players]):
        if s.towers[colour, city]:
            won = f"(+{CITY_POINTS})" if s.majority[city] == colour else ""
            parts.append(f"{_letter(colour)}{s.towers[colour, city]}{won}")
    return " ".join(parts)


def _cell(s: Any, site: int, towers: dict[int, Tower], last: int | None) -> list[str]:
    """A square as lines of at most CELL characters."""
    square, tower = site % SQUARES, towers.get(site)
    mark = ">" if site == last else " "
    if tower is None:
        return [f"{square}{mark}"]
    tallest = "*" if s.top_count == 1 and s.top_site == site else ""
    lines = [f"{square}{mark}{_letter(tower.owner)} {tower.height}{tallest}"]
    if len(tower.floors) > 1:
        line = ""
        for colour, floors in tower.floors:
            part = f" {_letter(colour)}{floors}"
            if len(line + part) > CELL:
                lines.append(line)
                line = ""
            line += part
        lines.append(line)
    return lines


def _seat_lines(s: Any, p: int, viewer: int | None) -> list[str]:
    """Score and cards of a seat, then a line for each of its colours."""
    marks = [" (you)"] * (p == viewer) + [" (round marker)"] * (p == s.marker and s.phase != PHASE_OVER)
    hand = " ".join(map(str, board_squares(s, p)) if viewer in (None, p) else "?" * int(s.hands[p].sum()))
    top = top_square(s, p)
    pile = f"played {s.pile_size[p]}" + (f", top {top}" if top != NO_CARD else "")
    lines = [f"Seat {p}{''.join(marks)}: {s.scores[p]} points; hand {hand or '-'}; {pile}"]
    for i, colour in enumerate(_own_colours(s, p)):
        points = points_now(s, colour)
        own = f" (c{i})" if len(_own_colours(s, p)) > 1 else ""
        chosen = " ".join(str(h) for h in range(1, HEIGHTS + 1) for _ in range(s.chosen[colour, h - 1])) or "-"
        stock = " ".join(f"{n}x{h}" for h, n in enumerate(s.stock[colour].tolist(), 1))
        now = f"now +{sum(points)} = {' + '.join(map(str, points))}"
        lines.append(f"   {_letter(colour)}{own}  {now:<22}  chosen {chosen:<12} stock {stock}")
    return lines
