"""What a seat sees, written plainly from RULES.md section 7: no cache, no bits, no vectors, nothing of the core.

Towers follow from the pieces in building order, piles and cards seen from the cards played, memory from the plays. The
values are those of the base slices of the observation table, by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.games.manhattan.cases import BOARD, COLOURS, ROUNDS, TURNS

Plain = dict[str, Any]  # the values of the slices by name, nested as the slices are

COPIES = 5
SIDES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}  # by seat
OVER = -1


def plain_observation(s: Any, seat: int) -> Plain:
    """The base slices by name."""
    table = Table(s, seat)
    return {**table.clock(), **table.cards(), **table.pieces(), **table.towers(), **table.remembered()}


def turned(values: Sequence[int], first: int) -> list[int]:
    """The values from the place `first` on, going round."""
    return [*values[first:], *values[:first]]


def one_hot(length: int, place: int | None) -> list[int]:
    return [int(i == place) for i in range(length)]


class Table:
    """The table of one position, seen from a seat."""

    def __init__(self, s: Any, seat: int) -> None:
        self.s, self.seat, self.players = s, seat, int(s.players)
        self.colours = COLOURS[self.players]
        self.own = 2 if self.players == 2 else 1
        self.first = seat * self.own
        self.seats = turned(range(self.players), seat)
        self.piles: list[list[int]] = [[] for _ in range(self.players)]
        for card in s.played[: s.played_size].tolist():
            self.piles[card // 9].append(card % 9)
        self.walls: list[list[tuple[int, int]]] = [[] for _ in range(54)]  # by site: colour and height, lowest first
        for piece in s.built[: s.built_size].tolist():
            self.walls[piece // 16].append((piece % 16 // 4, piece % 4 + 1))

    def in_squares(self, seat: int, counts: Any) -> list[int]:
        """Counts by printed square as counts by the seat's board squares."""
        found = [0] * 9
        for card, square in enumerate(BOARD[SIDES[self.players][seat]]):
            found[square] = int(counts[card])
        return found

    # ------------------------------------------------------------ slices

    def clock(self) -> Plain:
        s, players = self.s, self.players
        decides, is_set = int(s.seat), int(s.phase) == 0
        taken = 0 if is_set else int(s.turn)
        own_taken = sum((int(s.marker) + turn) % players == self.seat for turn in range(taken))
        running = decides != OVER
        scores = [int(s.scores[seat]) for seat in self.seats]
        return {
            "to_move": one_hot(players, self.seats.index(decides) if running else None),
            "seat": one_hot(players, self.seat),
            "marker": one_hot(players, self.seats.index(int(s.marker))),
            "phase": one_hot(2, int(s.phase) if running else None),
            "set_colour": one_hot(self.own, int(s.turn) % self.own if running and is_set else None),
            "rounds_left": [ROUNDS[players] - 1 - int(s.rounds_done) if running else 0],
            "turns_left": [players * TURNS[players] - taken if running else 0],
            "own_turns_left": [TURNS[players] - own_taken if running else 0],
            "scores": scores,
            "margin": [scores[0] - max(scores[1:])],
        }

    def cards(self) -> Plain:
        hand = self.s.hands[self.seat]
        tops = [pile[-1] if pile else None for pile in self.piles]
        unseen = [COPIES - int(hand[card]) - tops.count(card) for card in range(9)]
        squares = [BOARD[SIDES[self.players][seat]] for seat in range(self.players)]
        return {
            "hand": self.in_squares(self.seat, hand),
            "reach": [self.in_squares(seat, unseen) for seat in self.seats[1:]],
            "tops": [one_hot(9, None if tops[seat] is None else squares[seat][tops[seat]]) for seat in self.seats],
            "deck": [int(self.s.deck_size) - int(self.s.deck_top)],
            "piles": [len(self.piles[seat]) for seat in self.seats],
        }

    def pieces(self) -> Plain:
        order = turned(range(self.colours), self.first)
        return {name: [self.s[name][colour].tolist() for colour in order] for name in ("chosen", "stock")}

    def towers(self) -> Plain:
        order, sites = turned(range(self.colours), self.first), range(54)
        floors = [[sum(h for c, h in wall if c == colour) for wall in self.walls] for colour in range(self.colours)]
        owner = [wall[-1][0] if wall else None for wall in self.walls]
        heights = [sum(h for _, h in wall) for wall in self.walls]
        owned = [[sum(owner[9 * city + i] == c for i in range(9)) for city in range(6)] for c in range(self.colours)]
        won = [
            [all(owned[c][city] > owned[d][city] for d in range(self.colours) if d != c) for city in range(6)]
            for c in range(self.colours)
        ]
        highest = max(heights)
        tallest = [owner[site] for site in sites if heights[site] == highest and highest]
        single = [len(tallest) == 1 and tallest[0] == c for c in range(self.colours)]
        best = [max((heights[site] for site in sites if owner[site] == c), default=0) for c in range(self.colours)]
        points = [sum(owned[c]) + 2 * sum(won[c]) + 3 * single[c] for c in range(self.colours)]
        return {
            "floors": [floors[c] for c in order],
            "owner": [[of == c for of in owner] for c in order],
            "need": [self.needs(c, floors, owner) for c in order[: self.own]],
            "city_towers": [owned[c] for c in order],
            "city_won": [won[c] for c in order],
            "tallest": [single[c] for c in order],
            "tallest_height": [highest],
            "colour_tallest": [best[c] for c in order],
            "round_now": [points[c] for c in order],
        }

    def needs(self, colour: int, floors: list[list[int]], owner: list[int | None]) -> list[int]:
        """The least height of a piece of the colour on each site: 1 .. 4, or 5."""
        least = []
        for site, of in enumerate(owner):
            missing = 1 if of is None or of == colour else floors[of][site] - floors[colour][site]
            least.append(min(max(missing, 1), 5))
        return least

    def remembered(self) -> Plain:
        s, players = self.s, self.players
        if s.memory == 0:
            return {"shown": np.zeros((players, 9)), "unseen": [0] * 9, "known": [0] * 9, "reshuffles": [0]}
        shown = [self.in_squares(seat, np.bincount(self.piles[seat], minlength=9)) for seat in self.seats]
        loose = np.full(9, COPIES) - np.bincount([card for pile in self.piles for card in pile], minlength=9)
        return {
            "shown": shown,
            "unseen": self.in_squares(self.seat, loose - s.hands[self.seat]),
            "known": self.in_squares(self.seat, self.known()),
            "reshuffles": [int(s.memory_shuffles)],
        }

    def known(self) -> list[int]:
        """Cards of the other hands at the last reshuffle, less those that the others have shown since."""
        s, known = self.s, [0] * 9
        if not s.memory_shuffles:
            return known
        last = int(s.memory_shuffles) - 1
        for seat in self.seats[1:]:
            for card in range(9):
                known[card] += int(s.memory_held[last, seat]) >> 3 * card & 7
        for play in s.memory_plays[s.memory_ends[last] : s.memory_size].tolist():
            seat, card = divmod(play & 63, 9)
            if seat != self.seat and known[card]:
                known[card] -= 1
        return known
