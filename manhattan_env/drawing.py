"""A position as an SVG picture and as text, from a seat's view.

    +---------------------------------------------+      a square: its tower, pieces bottom first, the height,
    | title        clock                 decision |      the floors of each colour (the owner's first), the
    +--------------+--------------+---------------+      square's number
    | 0 Manhattan  | 1 Cairo      | 2 Sao Paulo   |
    | 3 Frankfurt  | 4 Sydney     | 5 Hong Kong   |      a panel: score, per colour the points if the round were
    +--------------+-+----------+-+---------------+      scored now, chosen pieces, stock; hand, played pile
    | panel, seat 0  | seat 1   | ..              |
    +----------------+----------+-----------------+      Colours are the letters A .. D, also told apart by badges
    | last move, legend                           |      and windows. Cards show the board square they allow.
    +---------------------------------------------+

Both read the row and never change it. With a seat, what section 7 of RULES.md hides from it is not read: the cards of
the other hands. Without one all hands are shown. The order of the deck and the lower cards of the piles never are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from manhattan_env import components as box
from manhattan_env.state import NO_CARD, NO_COLOUR, PHASE_OVER, PHASE_SET
from skyline.draw.svg import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Svg, number, text_grids
from skyline.game import NO_SEAT, LastMove

WIDTH, HEIGHT = 900, 950
MARGIN, GAP = 20, 10
CELL_W, CELL_H, CELL_GAP, CITY_HEAD, CITY_PAD = 86, 84, 3, 28, 8
CITY_W, CITY_H = 3 * CELL_W + 2 * CELL_GAP + 2 * CITY_PAD, CITY_HEAD + 3 * CELL_H + 2 * CELL_GAP + CITY_PAD
CITIES_Y = 78
PANELS_Y = CITIES_Y + 2 * (CITY_H + GAP)
PANEL_H = 186
FOOT_Y = PANELS_Y + PANEL_H + 22

FLOOR = 7.0  # pixels a floor, all towers in the same scale ..
LEAST_FLOOR = 3.0  # .. down to this; towers that are too high then are squeezed
TOWER_W, TOWER_MOST = 26, 52  # pixels: width, and height of the highest tower


class Tower(NamedTuple):
    """What stands on a site."""

    owner: int
    height: int
    pieces: list[tuple[int, int]]  # (colour, height), bottom first
    floors: list[tuple[int, int]]  # (colour, floors), the owner first, then by floors


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


def points_now(s: Any, colour: int) -> tuple[int, int, int]:
    """The parts of `scoring.round_points`: for towers, cities and the tallest tower. [MH-21 .. MH-23]"""
    towers, cities = int(s.towers[colour].sum()), int((s.majority == colour).sum())
    tallest = bool(s.top_owner == colour)
    return box.TOWER_POINTS * towers, box.CITY_POINTS * cities, box.TALLEST_POINTS * tallest


def is_tallest(s: Any, site: int) -> bool:
    """Whether the single tallest tower stands there. [MH-21]"""
    return bool(s.top_owner != NO_COLOUR and s.height[site] == s.top_height)


def mover(s: Any) -> int:
    """The seat that made the last move, or NO_SEAT in a new game. It follows from the clock. [MH-03, MH-05, MH-20]"""
    players = int(s.players)
    if s.phase != PHASE_SET:  # in the first turn of a round: the last chooser, who sits before the marker
        return int(s.marker + s.turn - 1) % players
    if s.turn:
        return int(s.marker + (s.turn - 1) // box.OWN_COLOURS[players]) % players
    return int(s.marker - 2) % players if s.rounds_done else NO_SEAT


def board_squares(s: Any, seat: int) -> list[int]:
    """The board squares the seat's cards allow, in rising order."""
    side = box.SIDE[s.players, seat]
    return sorted(int(box.BOARD[side, card]) for card in range(box.SQUARES) for _ in range(s.hands[seat, card]))


def top_square(s: Any, seat: int) -> int:
    """The board square of the top card of the seat's played pile, or NO_CARD."""
    top = s.pile_top[seat]
    return NO_CARD if top == NO_CARD else int(box.BOARD[box.SIDE[s.players, seat], top])


def _built(move: str | None) -> tuple[int, int, int] | None:
    """City, square and height of the text of a move that builds."""
    words = (move or "").split()
    return (int(words[1]), int(words[2]), int(words[3])) if words[:1] == ["build"] else None


def _site_of(move: str | None) -> int | None:
    built = _built(move)
    return box.SQUARES * built[0] + built[1] if built else None


def _last_move(s: Any, move: str) -> str:
    """Who made which move, and where that is."""
    by, built = mover(s), _built(move)
    who = f"seat {by}: " if by != NO_SEAT else ""
    where = f" (height {built[2]} on square {built[1]} of {box.CITY_NAMES[built[0]]})" if built else ""
    return f"Last move: {who}{move}{where}"


def _clock(s: Any) -> tuple[str, str]:
    """The round and the step in it, in words."""
    players, rounds = int(s.players), int(box.ROUNDS[s.players])
    this = f"round {s.rounds_done + 1} of {rounds}"
    if s.phase == PHASE_OVER:
        return f"after {rounds} rounds", "the game is over"
    if s.phase == PHASE_SET:
        return this, f"choosing pieces, {s.turn + 1} of {box.COLOURS_IN_PLAY[players]}"
    return this, f"turn {s.turn + 1} of {players * int(box.TURNS[players])}"


def _deciding(s: Any) -> range:
    """The colours the decision is about: those of the seat, or the one pieces are chosen for."""
    own = _own_colours(s, s.seat)
    if s.phase != PHASE_SET:
        return own
    at = int(s.turn) % len(own)
    return own[at : at + 1]


def _decision(s: Any) -> str:
    if s.phase == PHASE_OVER:
        best = [str(seat) for seat in range(s.players) if s.scores[seat] == max(s.scores[: s.players])]
        return f"Seat {best[0]} wins" if len(best) == 1 else f"Seats {', '.join(best)} share the win"
    if s.phase != PHASE_SET:
        return f"Seat {s.seat} plays a card"
    return f"Seat {s.seat} takes pieces" + (f" for {_letter(_deciding(s)[0])}" if s.players == 2 else "")


def _deck(s: Any) -> str:
    cards = int(s.deck_size - s.deck_top)
    return f"{cards} card{'s' * (cards != 1)} in the draw deck"


def _letter(colour: int) -> str:
    return SEATS[colour].letter


def _own_colours(s: Any, seat: int) -> range:
    own = int(box.OWN_COLOURS[s.players])
    return range(own * seat, own * (seat + 1))


def _view(seat: int | None) -> str:
    return "all hands shown" if seat is None else f"seen by seat {seat}"


# ---------------------------------------------------------------- the SVG picture


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    players = int(s.players)
    picture = Svg(WIDTH, HEIGHT, f"Manhattan, {players} players, {', '.join(_clock(s))}")
    picture.rect(0, 0, WIDTH, HEIGHT, fill=GROUND)
    _draw_head(picture, s, seat)
    towers, last = towers_of(s), _site_of(move)
    for city in range(box.CITIES):
        _draw_city(picture, s, city, towers, last)
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
    x = right - picture.text(right, 42, _decision(s), 17, anchor="end", bold=True, width=270) - 18
    if s.seat != NO_SEAT:
        for i, colour in enumerate(reversed(_deciding(s))):
            picture.badge(x - 24 * i, 36, 18, SEATS[colour])
    x = right - picture.text(right, 61, _deck(s), 12, MUTED, "end")
    picture.card_back(x - 17, 51, 9, 12)


def _draw_clock(picture: Svg, s: Any, x: float) -> None:
    """The round in words, and its choices of pieces or its turns as one block each in their seat's colour."""
    players, own = int(s.players), int(box.OWN_COLOURS[s.players])
    picture.text(x, 40, " - ".join(_clock(s)), 13, bold=True)
    if s.phase == PHASE_OVER:
        return
    if s.phase == PHASE_SET:
        seats = [(s.marker + i // own) % players for i in range(box.COLOURS_IN_PLAY[players])]
    else:
        seats = [(s.marker + i) % players for i in range(players * int(box.TURNS[players]))]
    for i, p in enumerate(seats):
        look = SEATS[own * p]
        picture.rect(x + 11 * i, 50, 8, 11, 2, fill=look.fill if i < s.turn else look.pale, stroke=look.dark)
    picture.rect(x + 11 * int(s.turn) - 1, 49, 10, 13, 3, fill="none", stroke=INK, stroke_width=2)


def _draw_city(picture: Svg, s: Any, city: int, towers: dict[int, Tower], last: int | None) -> None:
    x, y = MARGIN + city % 3 * (CITY_W + GAP), CITIES_Y + city // 3 * (CITY_H + GAP)
    floor = max(LEAST_FLOOR, min(FLOOR, TOWER_MOST / max(1, int(s.top_height))))
    picture.rect(x, y, CITY_W, CITY_H, 8, fill=PAPER, stroke=LINE)
    picture.text(x + 9, y + 19, str(city), 13, FAINT, bold=True)
    picture.text(x + 23, y + 19, box.CITY_NAMES[city], 13, bold=True)
    _draw_majority(picture, s, city, x + CITY_W - 9, y + 14.5)
    for square in range(box.SQUARES):
        row, column = divmod(square, 3)
        site = box.SQUARES * city + square
        left = x + CITY_PAD + column * (CELL_W + CELL_GAP)
        top = y + CITY_HEAD + row * (CELL_H + CELL_GAP)
        _draw_square(picture, towers.get(site), square, floor, left, top)
        if is_tallest(s, site):
            picture.rect(left + 7, top + 4, 30, 15, 7.5, fill=HIGHLIGHT)
            picture.text(left + 22, top + 15.5, f"+{box.TALLEST_POINTS}", 11, anchor="middle", bold=True)
        if site == last:
            picture.rect(left + 1, top + 1, CELL_W - 2, CELL_H - 2, 6, fill="none", stroke=INK, stroke_width=2.5)


def _draw_majority(picture: Svg, s: Any, city: int, right: float, y: float) -> None:
    """How many towers each colour owns, and who gets the points of the city."""
    for colour in reversed(range(box.COLOURS_IN_PLAY[s.players])):
        count = int(s.towers[colour, city])
        if not count:
            continue
        won = s.majority[city] == colour
        wide = 46 if won else 25
        if won:
            picture.rect(right - wide - 1, y - 9.5, wide + 4, 19, 9.5, fill=HIGHLIGHT)
            picture.text(right, y + 4, f"+{box.CITY_POINTS}", 11, anchor="end", bold=True)
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
            picture.badge(x + 51, y + 28 + 13 * i, 11, SEATS[colour])
            picture.text(x + 59, y + 32 + 13 * i, str(floors), 11)
        _draw_tower(picture, tower.pieces, x + 7, y + CELL_H - 6, TOWER_W, min(floor, TOWER_MOST / tower.height))


def _draw_tower(picture: Svg, pieces: list[tuple[int, int]], x: float, y: float, width: float, floor: float) -> None:
    """Pieces on each other, the lowest standing on y, in slanted view."""
    deep, rise = width / 4, width / 5
    for colour, height in pieces:
        look, high = SEATS[colour], height * floor
        y -= high
        near, far = x + width, x + width + deep
        side = [(near, y + high), (near, y), (far, y - rise), (far, y + high - rise)]
        picture.polygon(side, fill=look.dark)
        picture.rect(x, y, width, high, fill=look.fill)
        rows = min(height, int(high / LEAST_FLOOR))  # one row a floor, fewer in squeezed towers
        if rows:
            picture.path(_windows(colour, rows, x, y, width, high / rows), fill=look.ink, opacity=0.7)
        picture.path(f"M{number(x)} {number(y)}h{number(width)}l{number(deep)} {number(-rise)}", fill="none",
                     stroke=PAPER, stroke_width=0.8)  # fmt: skip
    roof = [(x, y), (x + width, y), (x + width + deep, y - rise), (x + deep, y - rise)]
    picture.polygon(roof, fill=SEATS[pieces[-1][0]].pale, stroke=SEATS[pieces[-1][0]].dark, stroke_width=0.8)


def _windows(colour: int, rows: int, x: float, y: float, width: float, floor: float) -> str:
    """Rows of `floor` pixels: three squares, a band, four slits or two diamonds by colour."""
    shares, wide, high = (
        ((0.2, 0.5, 0.8), 0.42 * floor, 0.42 * floor),
        ((0.5,), 0.74 * width, 0.32 * floor),
        ((0.17, 0.39, 0.61, 0.83), 0.05 * width, 0.66 * floor),
        ((0.3, 0.7), 0.7 * floor, 0.7 * floor),
    )[colour]
    parts = []
    for level in range(rows):
        middle = y + (level + 0.5) * floor
        for share in shares:
            left, top, w, h = x + share * width - wide / 2, middle - high / 2, number(wide), number(high)
            if colour == 3:
                half = number(wide / 2)
                parts.append(f"M{number(left)} {number(middle)}l{half} -{half} {half} {half} -{half} {half}z")
            else:
                parts.append(f"M{number(left)} {number(top)}h{w}v{h}h-{w}z")
    return "".join(parts)


# ---------------------------------------------------------------- the panels


def _draw_panel(picture: Svg, s: Any, p: int, viewer: int | None, x: float, width: float) -> None:
    y, own, decides = PANELS_Y, _own_colours(s, p), p == s.seat
    picture.rect(x, y, width, PANEL_H, 8, fill=PAPER, stroke=INK if decides else LINE, stroke_width=2 if decides else 1)
    left, right = x + 10, x + width - 10
    for i, colour in enumerate(own):
        picture.badge(left + 9 + 25 * i, y + 20, 19, SEATS[colour])
    at = left + 25 * len(own)
    at += picture.text(at, y + 25, f"Seat {p}", 14, bold=True) + 6
    if p == viewer:
        at += picture.text(at, y + 25, "you", 11, MUTED) + 6
    if p == s.marker and s.phase != PHASE_OVER:
        picture.circle(at + 8, y + 20, 7.5, fill=HIGHLIGHT, stroke=INK)
        picture.text(at + 8, y + 24, "M", 10, anchor="middle", bold=True)
    picture.text(right, y + 28, str(s.scores[p]), 22, anchor="end", bold=True)
    share = (width - 20 - 16 * (len(own) - 1)) / len(own)
    for i, colour in enumerate(own):
        _draw_colour(picture, s, colour, len(own) > 1, left + i * (share + 16), y + 38, share)
    _draw_cards(picture, s, p, viewer is None or viewer == p, left, right, y + 119)


def _draw_colour(picture: Svg, s: Any, colour: int, named: bool, x: float, y: float, width: float) -> None:
    """Points of a colour if the round were scored now, its chosen pieces, its stock."""
    look, points = SEATS[colour], points_now(s, colour)
    picture.line(x, y, x + width, y, stroke=LINE)
    name = f"{look.letter} (c{colour % 2}): " if named else ""
    at = x + picture.text(x, y + 15, f"{name}+{sum(points)} now", 11, bold=True) + 7
    picture.text(at, y + 15, " + ".join(map(str, points)), 11, MUTED)
    stock_x = x + width - 4 * 20
    picture.text(x, y + 31, "chosen", 9.5, MUTED)
    picture.text(stock_x, y + 31, "stock", 9.5, MUTED)
    base, at = y + 66, x
    if not s.chosen[colour].any():
        picture.text(x, base, "none", 10, FAINT)
    for height in range(1, box.HEIGHTS + 1):
        for _ in range(s.chosen[colour, height - 1]):
            _draw_tower(picture, [(colour, height)], at, base, 11, 6.5)
            at += 17
        _draw_stock(picture, colour, height, int(s.stock[colour, height - 1]), stock_x + 20 * (height - 1), base)


def _draw_stock(picture: Svg, colour: int, height: int, count: int, x: float, base: float) -> None:
    """A silhouette of the height with the number of such pieces in stock."""
    look = SEATS[colour]
    fill, ink = (look.pale, INK) if count else (PAPER, FAINT)
    high = 5 * height
    picture.rect(x + 2, base - 11 - high, 12, high, fill=fill, stroke=look.dark if count else LINE)
    picture.text(x + 8, base, str(count), 10, ink, "middle", bold=bool(count))


def _draw_cards(picture: Svg, s: Any, p: int, seen: bool, left: float, right: float, y: float) -> None:
    """The hand, face up or face down, and the top of the played pile with the number of its cards."""
    held = int(s.hands[p].sum())
    picture.text(left, y, "hand", 9.5, MUTED)
    picture.text(right, y, f"played {s.pile_size[p]}", 9.5, MUTED, "end")
    colour = _own_colours(s, p)[0]
    step = min(34.0, (right - left - 46) / max(1, held))
    squares = board_squares(s, p) if seen else [None] * held
    for i, square in enumerate(squares):
        _draw_card(picture, square, colour, left + step * i, y + 6)
    top = top_square(s, p)
    if top == NO_CARD:
        picture.rect(right - 30, y + 6, 30, 46, 4, fill="none", stroke=LINE, stroke_dasharray="3 3")
    else:
        _draw_card(picture, top, colour, right - 30, y + 6)


def _draw_card(picture: Svg, square: int | None, colour: int, x: float, y: float) -> None:
    """A card as the board square it allows, or its back."""
    if square is None:
        picture.card_back(x, y, 30, 46)
        return
    picture.card(x, y, 30, 46)
    places = [f"M{number(x + 4 + 8 * (i % 3))} {number(y + 5 + 8 * (i // 3))}h6v6h-6z" for i in range(box.SQUARES)]
    picture.path("".join(places), fill=LINE)
    picture.path(places[square], fill=SEATS[colour].dark)
    picture.text(x + 15, y + 41, str(square), 11, anchor="middle", bold=True)


def _draw_foot(picture: Svg, s: Any, move: str | None) -> None:
    if move is not None:
        picture.text(MARGIN, FOOT_Y, _last_move(s, move), 14)
    legend = (
        f"Squares: height of the tower, floors of each colour (the owner's first), number of the square; +"
        f"{box.TALLEST_POINTS} the single tallest. Cities: towers of each colour, +{box.CITY_POINTS} majority.",
        "Panels: points so far; now = points if the round were scored now (towers + cities + tallest); pieces by "
        "height; cards name the square they allow; M = round marker.",
    )
    for i, line in enumerate(legend):
        picture.text(MARGIN, FOOT_Y + 20 + 15 * i, line, 10.5, MUTED, width=WIDTH - 2 * MARGIN)


# ---------------------------------------------------------------- the text picture

CELL = 9  # characters inside a square; a city is 3 * 9 + 4 wide, three cities are 99


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, 99 columns wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    towers, last = towers_of(s), _site_of(move)
    lines = [f"Manhattan, {s.players} players, {_view(seat)}: {', '.join(_clock(s))}.", f"{_decision(s)}. {_deck(s)}."]
    if move is not None:
        lines.append(_last_move(s, move))
    for first in (0, 3):
        lines += ["", *_three_cities(s, range(first, first + 3), towers, last)]
    lines.append("")
    for p in range(s.players):
        lines += _seat_lines(s, p, seat)
    lines += [
        "",
        "Square: its number, owner and height; floors of each colour if mixed; > last move, * tallest (+3).",
        "City: towers of each colour, (+2) majority. Stock: pieces x height. Hand, top: board squares.",
        "now: points if the round were scored now = towers + cities + tallest.",
    ]
    return "\n".join(lines) + "\n"


def _three_cities(s: Any, cities: range, towers: dict[int, Tower], last: int | None) -> list[str]:
    """Three cities side by side."""
    squares = [[[9 * city + 3 * row + column for column in range(3)] for row in range(3)] for city in cities]
    grids = [[[_cell(s, site, towers, last) for site in row] for row in city] for city in squares]
    heads = [_city_head(s, city).ljust(3 * CELL + 4) for city in cities]
    return ["  ".join(heads).rstrip(), *text_grids(grids, CELL)]


def _city_head(s: Any, city: int) -> str:
    """Number, name, towers of each colour."""
    parts = [f"{city} {box.CITY_NAMES[city]} "]
    for colour in range(box.COLOURS_IN_PLAY[s.players]):
        if s.towers[colour, city]:
            won = f"(+{box.CITY_POINTS})" if s.majority[city] == colour else ""
            parts.append(f"{_letter(colour)}{s.towers[colour, city]}{won}")
    return " ".join(parts)


def _cell(s: Any, site: int, towers: dict[int, Tower], last: int | None) -> list[str]:
    """A square as lines of at most CELL characters."""
    square, tower = site % box.SQUARES, towers.get(site)
    mark = ">" if site == last else " "
    if tower is None:
        return [f"{square}{mark}"]
    tallest = "*" if is_tallest(s, site) else ""
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
    marks = [" (you)"] * (p == viewer) + [" (round marker)"] * bool(p == s.marker and s.phase != PHASE_OVER)
    hand = " ".join(map(str, board_squares(s, p)) if viewer in (None, p) else "?" * int(s.hands[p].sum()))
    top = top_square(s, p)
    pile = f"played {s.pile_size[p]}" + (f", top {top}" if top != NO_CARD else "")
    lines = [f"Seat {p}{''.join(marks)}: {s.scores[p]} points; hand {hand or '-'}; {pile}"]
    for i, colour in enumerate(_own_colours(s, p)):
        points = points_now(s, colour)
        own = f" (c{i})" if len(_own_colours(s, p)) > 1 else ""
        chosen = " ".join(str(h) for h in range(1, box.HEIGHTS + 1) for _ in range(s.chosen[colour, h - 1])) or "-"
        stock = " ".join(f"{n}x{h}" for h, n in enumerate(s.stock[colour].tolist(), 1))
        now = f"now +{sum(points)} = {' + '.join(map(str, points))}"
        lines.append(f"   {_letter(colour)}{own}  {now:<22}  chosen {chosen:<12} stock {stock}")
    return lines
