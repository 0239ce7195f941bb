"""A position as an SVG picture, from a seat's view; text.py has the words of the picture and says what is hidden.

+---------------------------------------------+      a square: its tower, pieces bottom first, the height,
| title        clock                 decision |      the floors of each colour (the owner's first), the
+--------------+--------------+---------------+      square's number
| 0 Manhattan  | 1 Cairo      | 2 Sao Paulo   |
| 3 Frankfurt  | 4 Sydney     | 5 Hong Kong   |      a panel: score, per colour the points if the round were
+--------------+-+----------+-+---------------+      scored now, chosen pieces, stock; hand, played pile
| panel, seat A  | seat B   | ..              |
+----------------+----------+-----------------+      Colours have the names of their seats, and are also told
| last move, legend                           |      apart by badges and windows. Cards show the board square
+---------------------------------------------+      they allow.
"""

from __future__ import annotations

from typing import Any

from manhattan_env import components as box
from manhattan_env import words
from manhattan_env.state import NO_CARD, PHASE_OVER, PHASE_SET
from manhattan_env.words import Tower
from skyline.draw import layout
from skyline.draw.layout import MARGIN, WIDTH
from skyline.draw.svg import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Look, Svg, mix, number
from skyline.game import NO_SEAT, LastMove, seat_name
from skyline.telling import view

GAP = 10
CELL_W, CELL_H, CELL_GAP, CITY_HEAD, CITY_PAD = 86, 84, 3, 28, 8
CITY_W, CITY_H = 3 * CELL_W + 2 * CELL_GAP + 2 * CITY_PAD, CITY_HEAD + 3 * CELL_H + 2 * CELL_GAP + CITY_PAD
CITIES_Y = 78
PANELS_Y = CITIES_Y + 2 * (CITY_H + GAP)
PANEL_H = 186
FOOT_LINES = 2  # of the story of the last move
FOOT_H = 82  # of the last move and the legend
HEIGHT = PANELS_Y + PANEL_H + FOOT_H  # of a picture without anything remembered
LINE_LENGTH = 112  # characters of the last move in a line

FLOOR = 7.0  # pixels of a floor; all towers have the same scale
LEAST_FLOOR = 3.0  # the smallest scale; a tower that is too high in this scale is squeezed
TOWER_W, TOWER_MOST = 26, 52  # pixels: width, and height of the highest tower


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    players = int(s.players)
    title = f"Manhattan, {players} players, {', '.join(words.clock(s))}"
    remembered = words.remembered(s, seat)
    things = layout.remembered_rows(words.remembered_things(s, seat))
    foot = HEIGHT - FOOT_H + layout.remembered_height(things) + GAP * bool(things)
    height = foot + FOOT_H + 2 * layout.LEGEND_STEP * bool(things)
    picture = layout.page(height, title, "Manhattan", f"{players} players, {view(seat)}")
    _draw_head(picture, s)
    towers, last = words.towers_of(s), words.last_site(s, last_move)
    for city in range(box.CITIES):
        _draw_city(picture, s, city, towers, last)
    width = (WIDTH - 2 * MARGIN - GAP * (players - 1)) / players
    for p in range(players):
        _draw_panel(picture, s, p, seat, remembered.get(p, []), MARGIN + p * (width + GAP), width)
    layout.remembered_box(picture, things, PANELS_Y + PANEL_H + GAP)
    _draw_foot(picture, last_move, bool(things), foot)
    return str(picture)


def _look(s: Any, colour: int) -> Look:
    """The look of a colour: that of its seat; a second colour has a look that no other seat of the game has."""
    seat, second = divmod(colour, int(box.OWN_COLOURS[s.players]))
    return SEATS[seat + int(s.players) * second]


def _draw_badge(picture: Svg, s: Any, colour: int, x: float, y: float, size: float) -> None:
    picture.badge(x, y, size, _look(s, colour), words.colour_name(s, colour))


def _draw_head(picture: Svg, s: Any) -> None:
    _draw_clock(picture, s, 262)
    right = WIDTH - MARGIN
    x = right - picture.text(right, 42, words.decision(s), 17, anchor="end", bold=True, width=270) - 18
    if s.seat != NO_SEAT:
        for i, colour in enumerate(reversed(words.deciding(s))):
            _draw_badge(picture, s, colour, x - 24 * i, 36, 18)
    x = right - picture.text(right, 61, words.deck(s), 12, MUTED, "end")
    picture.card_back(x - 17, 51, 9, 12)


def _draw_clock(picture: Svg, s: Any, x: float) -> None:
    """The round in words, and its choices of pieces or its turns as one block each in their seat's colour."""
    players, own = int(s.players), int(box.OWN_COLOURS[s.players])
    picture.text(x, 40, " - ".join(words.clock(s)), 13, bold=True)
    if s.phase == PHASE_OVER:
        return
    if s.phase == PHASE_SET:
        seats = [(s.marker + i // own) % players for i in range(box.COLOURS_IN_PLAY[players])]
    else:
        seats = [(s.marker + i) % players for i in range(players * int(box.TURNS[players]))]
    for i, p in enumerate(seats):
        look = SEATS[p]
        picture.rect(x + 11 * i, 50, 8, 11, 2, fill=look.fill if i < s.turn else look.pale, stroke=look.dark)
    picture.rect(x + 11 * int(s.turn) - 1, 49, 10, 13, 3, fill="none", stroke=INK, stroke_width=2)


def _draw_city(picture: Svg, s: Any, city: int, towers: dict[int, Tower], last: int | None) -> None:
    x, y = MARGIN + city % 3 * (CITY_W + GAP), CITIES_Y + city // 3 * (CITY_H + GAP)
    floor = max(LEAST_FLOOR, min(FLOOR, TOWER_MOST / max(1, int(s.top_height))))
    layout.box(picture, x, y, CITY_W, CITY_H)
    picture.text(x + 9, y + 19, str(city), 13, FAINT, bold=True)
    picture.text(x + 23, y + 19, box.CITY_NAMES[city], 13, bold=True)
    _draw_majority(picture, s, city, x + CITY_W - 9, y + 14.5)
    for square in range(box.SQUARES):
        row, column = divmod(square, 3)
        site = box.SQUARES * city + square
        left = x + CITY_PAD + column * (CELL_W + CELL_GAP)
        top = y + CITY_HEAD + row * (CELL_H + CELL_GAP)
        _draw_square(picture, s, towers.get(site), square, floor, left, top)
        if words.is_tallest(s, site):
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
        _draw_badge(picture, s, colour, right - wide + 8, y, 12)
        picture.text(right - wide + 17, y + 4, str(count), 11, bold=won)
        right -= wide + 5


def _draw_square(picture: Svg, s: Any, tower: Tower | None, square: int, floor: float, x: float, y: float) -> None:
    look = _look(s, tower.owner) if tower else None
    with picture.group(", ".join(f"{words.colour_name(s, c)}{h}" for c, h in tower.pieces) if tower else ""):
        picture.rect(x, y, CELL_W, CELL_H, 5, fill=look.pale if look else GROUND)
        picture.text(x + CELL_W - 5, y + CELL_H - 4, str(square), 9, FAINT, "end")
        if tower is None:
            return
        picture.text(x + 45, y + 18, str(tower.height), 17, bold=True)
        for i, (colour, floors) in enumerate(tower.floors):
            _draw_badge(picture, s, colour, x + 51, y + 28 + 13 * i, 11)
            picture.text(x + 59, y + 32 + 13 * i, str(floors), 11)
        _draw_tower(picture, s, tower.pieces, x + 7, y + CELL_H - 6, TOWER_W, min(floor, TOWER_MOST / tower.height))


def _draw_tower(
    picture: Svg, s: Any, pieces: list[tuple[int, int]], x: float, y: float, width: float, floor: float
) -> None:
    """Pieces on each other, the lowest standing on y, in slanted view."""
    deep, rise = width / 4, width / 5
    for colour, height in pieces:
        look, high = _look(s, colour), height * floor
        y -= high
        near, far = x + width, x + width + deep
        side = [(near, y + high), (near, y), (far, y - rise), (far, y + high - rise)]
        picture.polygon(side, fill=look.dark)
        picture.rect(x, y, width, high, fill=look.fill)
        rows = min(height, int(high / LEAST_FLOOR))  # one row a floor, fewer in squeezed towers
        if rows:
            picture.path(_windows(SEATS.index(look), rows, x, y, width, high / rows), fill=look.ink, opacity=0.7)
        picture.path(f"M{number(x)} {number(y)}h{number(width)}l{number(deep)} {number(-rise)}", fill="none",
                     stroke=PAPER, stroke_width=0.8)  # fmt: skip
    roof = [(x, y), (x + width, y), (x + width + deep, y - rise), (x + deep, y - rise)]
    top = _look(s, pieces[-1][0])
    picture.polygon(roof, fill=top.pale, stroke=top.dark, stroke_width=0.8)


def _windows(kind: int, rows: int, x: float, y: float, width: float, floor: float) -> str:
    """The windows of a piece in rows of `floor` pixels: three squares, a band, four slits or two diamonds."""
    shares, wide, high = (
        ((0.2, 0.5, 0.8), 0.42 * floor, 0.42 * floor),
        ((0.5,), 0.74 * width, 0.32 * floor),
        ((0.17, 0.39, 0.61, 0.83), 0.05 * width, 0.66 * floor),
        ((0.3, 0.7), 0.7 * floor, 0.7 * floor),
    )[kind]
    parts = []
    for level in range(rows):
        middle = y + (level + 0.5) * floor
        for share in shares:
            left, top, w, h = x + share * width - wide / 2, middle - high / 2, number(wide), number(high)
            if kind == 3:
                half = number(wide / 2)
                parts.append(f"M{number(left)} {number(middle)}l{half} -{half} {half} {half} -{half} {half}z")
            else:
                parts.append(f"M{number(left)} {number(top)}h{w}v{h}h-{w}z")
    return "".join(parts)


# ---------------------------------------------------------------- the panels


def _draw_panel(
    picture: Svg, s: Any, p: int, viewer: int | None, remembered: list[int], x: float, width: float
) -> None:
    y, own = PANELS_Y, words.own_colours(s, p)
    layout.box(picture, x, y, width, PANEL_H, p == s.seat)
    left, right = x + 10, x + width - 10
    for i, colour in enumerate(own):
        _draw_badge(picture, s, colour, left + 9 + 25 * i, y + 20, 19)
    at = left + 25 * len(own)
    at += picture.text(at, y + 25, f"Seat {seat_name(p)}", 14, bold=True) + 6
    if p == viewer:
        at += picture.text(at, y + 25, "you", 11, MUTED) + 6
    if p == s.marker and s.phase != PHASE_OVER:
        picture.circle(at + 8, y + 20, 7.5, fill=HIGHLIGHT, stroke=INK)
        picture.text(at + 8, y + 24, "M", 10, anchor="middle", bold=True)
    picture.text(right, y + 28, str(s.scores[p]), 22, anchor="end", bold=True)
    share = (width - 20 - 16 * (len(own) - 1)) / len(own)
    for i, colour in enumerate(own):
        _draw_colour(picture, s, colour, len(own) > 1, left + i * (share + 16), y + 38, share)
    _draw_cards(picture, s, p, None if viewer in (None, p) else remembered, left, right, y + 119)


def _draw_colour(picture: Svg, s: Any, colour: int, named: bool, x: float, y: float, width: float) -> None:
    """Points of a colour if the round were scored now, its chosen pieces, its stock."""
    points = words.points_now(s, colour)
    picture.line(x, y, x + width, y, stroke=LINE)
    name = f"{words.colour_name(s, colour)} (c{colour % 2}): " if named else ""
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
            _draw_tower(picture, s, [(colour, height)], at, base, 11, 6.5)
            at += 17
        _draw_stock(
            picture, _look(s, colour), height, int(s.stock[colour, height - 1]), stock_x + 20 * (height - 1), base
        )


def _draw_stock(picture: Svg, look: Look, height: int, count: int, x: float, base: float) -> None:
    """A silhouette of the height with the number of such pieces in stock."""
    fill, ink = (look.pale, INK) if count else (PAPER, FAINT)
    high = 5 * height
    picture.rect(x + 2, base - 11 - high, 12, high, fill=fill, stroke=look.dark if count else LINE)
    picture.text(x + 8, base, str(count), 10, ink, "middle", bold=bool(count))


def _draw_cards(
    picture: Svg, s: Any, p: int, remembered: list[int] | None, left: float, right: float, y: float
) -> None:
    """The hand, face up or face down, and the top of the played pile with the number of its cards.

    `remembered`: of a hand that the viewer does not see, the squares of the cards that it surely holds.
    """
    held = int(s.hands[p].sum())
    picture.text(left, y, layout.hand_label(held, len(remembered or [])), 9.5, MUTED)
    picture.text(right, y, f"played {s.pile_size[p]}", 9.5, MUTED, "end")
    step = min(34.0, (right - left - 46) / max(1, held))
    if remembered is None:
        squares: list[int | None] = [*words.board_squares(s, p)]
    else:
        squares = [*remembered, *[None] * (held - len(remembered))]
    for i, square in enumerate(squares):
        _draw_card(picture, square, p, left + step * i, y + 6, bool(remembered))
    top = words.top_square(s, p)
    if top == NO_CARD:
        layout.gap(picture, right - 30, y + 6, 30, 46, 4)
    else:
        _draw_card(picture, top, p, right - 30, y + 6)


def _draw_card(picture: Svg, square: int | None, p: int, x: float, y: float, is_remembered: bool = False) -> None:
    """A card of a seat as the board square that it allows, marked if it is only remembered, or its back."""
    if square is None:
        picture.card_back(x, y, 30, 46)
        return
    if is_remembered:
        layout.remembered_card(picture, x, y, 30, 46)
    else:
        picture.card(x, y, 30, 46)
    places = [f"M{number(x + 4 + 8 * (i % 3))} {number(y + 5 + 8 * (i // 3))}h6v6h-6z" for i in range(box.SQUARES)]
    picture.path("".join(places), fill=LINE)
    picture.path(places[square], fill=mix(SEATS[p].fill, PAPER, 0.4) if is_remembered else SEATS[p].dark)
    picture.text(x + 15, y + 41, str(square), 11, MUTED if is_remembered else INK, "middle", bold=not is_remembered)


def _draw_foot(picture: Svg, last: LastMove | None, has_remembered: bool, y: float) -> None:
    told = layout.told(last.story if last else "", LINE_LENGTH, FOOT_LINES)
    legend = (
        f"Squares: height of the tower, floors of each colour (the owner's first), number of the square; +"
        f"{box.TALLEST_POINTS} the single tallest. Cities: towers of each colour, +{box.CITY_POINTS} majority.",
        "Panels: points so far; now = points if the round were scored now (towers + cities + tallest); pieces by "
        "height; cards name the square they allow; M = round marker.",
        *[layout.REMEMBERED_LEGEND, f"Other hands and deck: {words.NUMBERS_LEGEND}."] * has_remembered,
    )
    layout.foot(picture, told, legend, y + 22, y + 60)
