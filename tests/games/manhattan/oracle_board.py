"""Pieces, towers, cities and the points of a round in plain Python, written from RULES.md alone (see oracle.py)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

Piece = tuple[int, int]  # (colour, height)
Tower = list[Piece]  # bottom first, never empty
Site = tuple[int, int]  # (city, board square)

CITIES = ("Manhattan", "Cairo", "Sao Paulo", "Frankfurt", "Sydney", "Hong Kong")  # 1.2
SQUARES = 9
HEIGHTS = (1, 2, 3, 4)
PIECES_OF_HEIGHT = {1: 11, 2: 6, 3: 4, 4: 3}  # 1.1, per colour
ALL_CARDS = Counter(dict.fromkeys(range(SQUARES), 5))  # 1.1
HAND = 4

# Section 5, by number of players
SIDES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}  # MH-R02
COLOURS = {2: ((0, 1), (2, 3)), 3: ((0,), (1,), (2,)), 4: ((0,), (1,), (2,), (3,))}  # 2.2, [players][seat][own colour]
ROUNDS = {2: 6, 3: 6, 4: 4}  # MH-01
SET_SIZE = {2: 4, 3: 4, 4: 6}  # MH-04, m
LAPS = {2: 8, 3: 4, 4: 6}  # MH-05, L

TALLEST_POINTS, MAJORITY_POINTS, TOWER_POINTS = 3, 2, 1  # MH-21, MH-22, MH-23

BUILDS_PER_COLOUR = len(CITIES) * SQUARES * len(HEIGHTS)  # 216, section 6


def board_square(side: int, printed: int) -> int:
    """board(d, k): the board square that the player at `side` reads from printed square `printed` (1.3, MH-07)."""
    row, column = divmod(printed, 3)
    for _ in range(side):
        row, column = column, 2 - row
    return 3 * row + column


def sets_of(size: int) -> list[tuple[int, ...]]:
    """All multisets of `size` heights as non-decreasing tuples in lexicographic order; place = SET number (MH-R05)."""
    return list(combinations_with_replacement(HEIGHTS, size))


def owner(tower: Tower) -> int:
    """The colour of the top piece (MH-09)."""
    top_colour, _ = tower[-1]
    return top_colour


def tower_height(tower: Tower) -> int:
    return sum(height for _, height in tower)


def floors(tower: Tower, colour: int) -> int:
    """The floors of one colour in a tower."""
    return sum(height for piece_colour, height in tower if piece_colour == colour)


def may_put(tower: Tower, colour: int, height: int) -> bool:
    """May a piece be put on this site? `tower` is empty for a site without a tower (MH-10, MH-11, MH-R11, MH-R15)."""
    if not tower:
        return True  # MH-10
    if owner(tower) == colour:
        return True  # MH-10
    return floors(tower, colour) + height >= floors(tower, owner(tower))  # MH-11


def tallest_owner(towers: dict[Site, Tower]) -> int | None:
    """The owner of the one tallest tower of the board; None if there is no such single tower (MH-21, MH-R12)."""
    if not towers:
        return None
    greatest = max(tower_height(tower) for tower in towers.values())
    tallest = [tower for tower in towers.values() if tower_height(tower) == greatest]
    return owner(tallest[0]) if len(tallest) == 1 else None


def majority_owner(towers: dict[Site, Tower], city: int) -> int | None:
    """The colour with more towers in `city` than every other colour; None if there is none (MH-22)."""
    owned = Counter(owner(tower) for (tower_city, _), tower in towers.items() if tower_city == city)
    if not owned:
        return None
    most = max(owned.values())
    leaders = [colour for colour, count in owned.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None


def round_points(towers: dict[Site, Tower], players: int) -> dict[int, int]:
    """The points of one round for every colour in play (MH-21 .. MH-25)."""
    points = {colour: 0 for own in COLOURS[players] for colour in own}
    tallest = tallest_owner(towers)
    if tallest is not None:
        points[tallest] += TALLEST_POINTS
    for city in range(len(CITIES)):
        leader = majority_owner(towers, city)
        if leader is not None:
            points[leader] += MAJORITY_POINTS
    for tower in towers.values():
        points[owner(tower)] += TOWER_POINTS
    return points


def seat_points(points: dict[int, int], players: int) -> list[int]:
    """The points of every seat from those of the colours (MH-25)."""
    return [sum(points[colour] for colour in own) for own in COLOURS[players]]


def final_places(scores: Sequence[int]) -> list[int]:
    """1 + the number of seats with a strictly higher score (section 8, MH-26, MH-R14)."""
    return [1 + sum(other > score for other in scores) for score in scores]


def towers_of(rows: Iterable) -> dict[Site, Tower]:
    """The `towers` field of section 10 ([city, square, [[colour, height], ..]] rows) as a dict by site."""
    return {(city, square): [(colour, height) for colour, height in tower] for city, square, tower in rows}
