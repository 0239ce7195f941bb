"""The memory of a game computed anew from its movements: plain Python, from the history that seat None sees.

Nothing here reads a field `memory_..`, and nothing of it is used by the rules.
"""

from __future__ import annotations

from typing import Any

from tests.games.fiveavenue.cases import COLOURS
from tests.support.rule_cases import Json

CARD_COLOURS = (*COLOURS, "black")
MOST_EVENTS, MOST_SHUFFLES = 512, 64  # RULES.md FA-M21


def card_of(face: str) -> tuple[str, int]:
    colour, value = face.split()
    return colour, int(value)


class Recollection:
    """What everybody remembers, and of each hand the unseen cards, which only its owner knows."""

    def __init__(self, players: int, setup: list[Json]) -> None:
        self.players = players
        self.sure: list[list[tuple[str, int]]] = [[] for _ in range(players)]
        self.unseen: list[list[tuple[str, int]]] = [[] for _ in range(players)]
        self.first = dict.fromkeys(COLOURS, 0)
        self.size = dict.fromkeys(CARD_COLOURS, 0)
        self.unknown = 0
        self.spans: list[Json] = [{"events": []}]
        self.forgotten = 0  # shuffles
        for movement in setup:
            self._begin(movement)
        assert self.unknown >= 0 and min(self.first.values()) >= 0

    def _begin(self, movement: Json) -> None:
        start, end = movement["from"], movement["to"]
        cards = movement["cards"]
        place, _, name = end.partition(" ")
        if place == "stack":
            self.size[name] += len(cards)
            if not movement.get("shuffled"):
                return  # a known part
            if name == "black":
                self.unknown += len(cards)
            else:
                self.first[name] += len(cards)
        elif place == "hand" and start == "box":
            self.sure[int(name)] += map(card_of, cards)
        elif place == "hand":
            colour = start.partition(" ")[2]
            self.unseen[int(name)] += map(card_of, cards)
            self.size[colour] -= len(cards)
            if colour == "black":
                self.unknown -= len(cards)
            else:
                self.first[colour] -= len(cards)

    def see(self, movements: list[Json]) -> None:
        """The movements of one move."""
        for movement in movements:
            start, end = movement["from"].partition(" "), movement["to"].partition(" ")
            self._move(start[0], start[2], end[0], end[2], movement["cards"], movement)

    def _move(self, start: str, name: str, end: str, to: str, cards: list[str], movement: Json) -> None:
        if (start, end) == ("open", "hand"):
            self.sure[int(to)] += map(card_of, cards)
            self.size[name] -= 1
            self.first[name] = max(0, self.first[name] - 1)
        elif (start, end) == ("hand", "table"):
            self._lay(int(name), card_of(cards[0]))
        elif (start, end) == ("table", "hand"):
            self.sure[int(to)] += map(card_of, cards)
        elif end == "stack" and start in ("table", "egon"):
            self.size[to] += len(cards)
        elif start == "stack" and name == "black":
            self._draw(end, to, cards, movement)

    def _lay(self, p: int, card: tuple[str, int]) -> None:
        if card in self.sure[p]:
            self.sure[p].remove(card)
            return
        self.unseen[p].remove(card)
        if card[0] == "black":
            self._note([p, card[1]])

    def _draw(self, end: str, to: str, cards: list[str], movement: Json) -> None:
        if movement.get("shuffled"):
            self._shuffle()
            return
        self.size["black"] -= 1
        was_unknown = self.unknown > 0
        self.unknown -= was_unknown
        if end == "hand":
            (self.unseen if was_unknown else self.sure)[int(to)].append(card_of(cards[0]))
            if was_unknown:
                self._note([int(to), "draw"])

    def _shuffle(self) -> None:
        self.unknown = self.size["black"]
        if len(self.spans) > MOST_SHUFFLES:
            self._forget()
        self._make_room()
        held = [sorted((v for c, v in hand if c == "black"), reverse=True) for hand in self.unseen]
        self.spans.append({"held": held, "events": []})

    def _note(self, event: list[Any]) -> None:
        self._make_room()
        self.spans[-1]["events"].append(event)

    def _make_room(self) -> None:
        if sum(len(span["events"]) for span in self.spans) + len(self.spans) - 1 == MOST_EVENTS:
            if self.spans[0]["events"]:
                self.spans[0] = {"events": []}
            else:
                self._forget()

    def _forget(self) -> None:
        """All before the second shuffle."""
        self.spans = [{"events": []}, *self.spans[2:]]
        self.forgotten += 1

    def memory(self) -> Json:
        """As the field `memory` of a position."""
        known = [
            {c: vs for c in CARD_COLOURS if (vs := sorted((v for k, v in hand if k == c), reverse=True))}
            for hand in self.sure
        ]
        return {"known": known, "first": self.first, "unknown": self.unknown, "blacks": self.spans}
