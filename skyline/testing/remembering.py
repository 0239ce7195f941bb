"""Checks of what seats remember: the setting `memory`, `knowledge`, and what `seen` tells of a move."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np

from skyline.game import NO_SEAT, RECALL, TABLE
from skyline.rng import streams
from skyline.testing.probe import Probe
from skyline.testing.promises import holds, same, same_bytes
from skyline.typing import Array

KEYS = {"from", "to", "cards"}  # of a movement; a game may add further ones, such as "shuffled"


class MemoryChecks:
    """The checks for one game and player count; `first` is the row in which the game began."""

    def __init__(self, probe: Probe, first: Array, rng: np.random.Generator) -> None:
        self.probe, self.game, self.players, self.rng = probe, probe.game, probe.players, rng
        self.first = first.copy()
        self.fields = [name for name in probe.game.state.names or () if name.startswith("memory_")]
        offsets = probe.table.offsets("rich")
        self.slices = {part.name: offsets[part.name] for part in probe.table.slices("rich") if part.recall}

    # ------------------------------------------------------------ the setting

    def check_views(self, states: Array, views: Array) -> None:
        """With TABLE the slices of what is remembered, in the rich views (P, N) of a state, are zeros."""
        if states["memory"][0] == TABLE:
            for name, part in self.slices.items():
                holds(not views[:, part].any(), f"the recall slice {name} is zero with memory='table'")

    def check_table(self, states: Array) -> None:
        """With TABLE nothing that anybody is shown or dealt depends on what is remembered."""
        if states["memory"][0] == RECALL:
            return
        other = states.copy()
        for name in self.fields:
            other[name] = self.first[name]
        one_view, other_view = self.probe.views(states), self.probe.views(other)
        holds((one_view == other_view).all(), "with memory='table' no observation shows what is remembered")
        same(self.game.position(other[0]), self.game.position(states[0]), "a position with another memory, 'table'")
        for seat in range(self.players):
            same(self.game.knowledge(states[0], seat), {}, f"what seat {seat} knows with memory='table'")
            for draw in (self.game.text, self.game.svg):
                same(draw(other[0], seat, None), draw(states[0], seat, None), "a picture with another memory, 'table'")
            one_deal, other_deal, word = states.copy(), other.copy(), int(self.rng.integers(2**62))
            for deal in (one_deal, other_deal):
                self.probe.kernels.determinize_rows(deal, np.array([seat]), streams(1, word))
            same_bytes(one_deal, other_deal, f"the deals of two memories for seat {seat}, 'table',")

    def check_knowledge(self, states: Array, copies: Array, seat: int) -> None:
        """What a seat knows is JSON, and the same in every deal of what it cannot know."""
        known = self.game.knowledge(states[0], seat)
        same(json.loads(json.dumps(known)), known, f"what seat {seat} knows, written as JSON")
        for copy in copies:
            same(self.game.knowledge(copy, seat), known, f"what seat {seat} knows when the rest is dealt anew")

    # ------------------------------------------------------------ what is told

    def check_told(self, before: Array | None, action: int, after: Array) -> None:
        """`seen` tells each seat a part of what it tells the onlooker to whom everything is shown."""
        everything = self._seen(before, action, after, None)
        for seat in range(self.players):
            told = self._seen(before, action, after, seat)
            same(_sizes(told), _sizes(everything), f"the cards that moved for seat {seat} and for None, by places")
            more = list((_faces(told) - _faces(everything)).elements())
            same(more, [], f"cards (from, to, face) that are shown to seat {seat} and not to None")

    def _seen(self, before: Array | None, action: int, after: Array, seat: int | None) -> list[dict[str, Any]]:
        """What `seen` tells, which is JSON, and the same whatever the setting is."""
        told = self.game.seen(None if before is None else before[0], action, after[0], seat)
        other = None if before is None else _with_other_memory(before)[0]
        again = self.game.seen(other, action, _with_other_memory(after)[0], seat)
        same(json.loads(json.dumps(told)), told, "what seen() tells, written as JSON")
        same(again, told, "what seen() tells with the other value of `memory`")
        for movement in told:
            holds(set(movement) >= KEYS, f"a movement says {', '.join(sorted(KEYS))}: {movement}")
            holds(isinstance(movement["cards"], (list, int)), f"cards are faces or a number: {movement}")
        return told

    def check_unseen(self, states: Array, deal: Array, seat: int) -> None:
        """The same move in a state and in a deal of what a seat cannot know there.

        If the seat is told the same of the move, then what the seat sees is the same after the move: the history tells
        enough. If the remembering seat sees and knows the same after the move, it was told the same: nothing leaks.
        """
        if self.game.seen.__module__ == "skyline.game":  # a game without `seen` tells nothing
            return
        masks = self.probe.masks(np.concatenate([states, deal]))
        both = np.flatnonzero(masks.all(axis=0))
        if not both.size:
            return
        action = int(self.rng.choice(both))
        before = np.concatenate([states, deal])
        after = before.copy()
        self.probe.step(after, action)
        if (after["seat"] == NO_SEAT).any():  # the end may show everything
            return
        told = [json.dumps(self.game.seen(before[i], action, after[i], seat)) for i in range(2)]
        views = self.probe.views(after)[:, seat]
        shown = [self._shown(after[i], seat) for i in range(2)]
        alike = bool((views[0] == views[1]).all()) and shown[0] == shown[1]
        text = self.game.move_text(before[0], action)
        if told[0] == told[1]:
            holds(alike, f"seat {seat}, told the same of {text!r}, sees and knows the same after it: {told[0]}")
        elif states["memory"][0] == RECALL:
            holds(not alike, f"seat {seat} is not told of {text!r} what it cannot see: {told[0]} and {told[1]}")

    def _shown(self, row: Any, seat: int) -> tuple[str, str]:
        return json.dumps(self.game.knowledge(row, seat), sort_keys=True), self.game.text(row, seat, None)


def _with_other_memory(states: Array) -> Array:
    other = states.copy()
    other["memory"] = RECALL + TABLE - states["memory"]
    return other


def _sizes(told: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
    """How many cards moved from a place to a place."""
    sizes: Counter[tuple[str, str]] = Counter()
    for movement in told:
        cards = movement["cards"]
        sizes[movement["from"], movement["to"]] += cards if isinstance(cards, int) else len(cards)
    return {places: size for places, size in sizes.items() if size}


def _faces(told: list[dict[str, Any]]) -> Counter[tuple[str, str, str]]:
    """The faces that were shown, with the places from and to which the cards moved."""
    faces: Counter[tuple[str, str, str]] = Counter()
    for movement in told:
        if not isinstance(movement["cards"], int):
            faces.update((movement["from"], movement["to"], str(face)) for face in movement["cards"])
    return faces
