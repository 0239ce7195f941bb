"""The watcher of Manhattan alone: the memory cases of RULES.md, and its ways against all deals of small games."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.games.manhattan.watching.discards import RestrictedWays
from tests.games.manhattan.watching.watcher import Watcher, listed
from tests.support import watch
from tests.support.rule_cases import rules_text, worked_positions
from tests.support.ways import Ways

Json = dict[str, Any]

CASES = [json.loads(text) for text in re.findall(r"^~~~json\n(.*?)^~~~$", rules_text("manhattan"), re.M | re.S)]


class Table:
    """The cards of a game of Manhattan on the table, moved by move texts (MH-05 .. MH-07, MH-14 .. MH-17)."""

    def __init__(self, case: Json) -> None:
        game = worked_positions("manhattan")[case["game"]] if "game" in case else case
        self.players: int = game["state"]["players"] if "state" in game else game["players"]
        self.shuffles = [list(order) for order in game.get("shuffles", [])]
        moves = case["moves"]
        self.moves: list[str] = game["moves"][:moves] if isinstance(moves, int) else moves
        self.state: Json = game.get("state", {})
        if "setup" in game:
            self.start, deck = game["setup"]["start"], list(game["setup"]["deck"])
            self.hands = [deck[4 * seat : 4 * seat + 4] for seat in range(self.players)]
            self.deck = deck[4 * self.players :]
        else:
            self.start = (self.state["marker"] + self.state["turn"]) % self.players
            self.hands = [list(hand) for hand in self.state["hands"]]
            self.deck = list(self.state["deck"])
        self.piles: list[list[int]] = [[] for _ in range(self.players)]
        self.turns = 0

    def first(self, viewer: int) -> Json:
        """The first entry of the viewer's history."""
        shown = [hand if seat == viewer else len(hand) for seat, hand in enumerate(self.hands)]
        entry: Json = {"players": self.players, "options": {}, "viewer": viewer}
        entry["seen"] = [{"from": "deck", "to": f"hand {seat}", "cards": cards} for seat, cards in enumerate(shown)]
        if self.state:
            others = [card for seat, hand in enumerate(self.hands) if seat != viewer for card in hand]
            entry["unseen"], entry["board"] = others + self.deck, self.state
            held = self.state.get("memory", [{}])[-1].get("held")
            if held is not None:
                entry["old"] = [card for seat, hand in enumerate(held) if seat != viewer for card in hand]
                entry["drawn"] = [len(hand) - len(old) for hand, old in zip(self.hands, held, strict=True)]
        return entry

    def _seats(self) -> Iterator[int]:
        """Who decides, move by move (MH-03, MH-05)."""
        marker, turns = self.start, {2: 16, 3: 12, 4: 24}[self.players]
        if self.state:
            yield from ((self.start + turn) % self.players for turn in range(turns))
        while True:
            chosen = [(marker + i) % self.players for i in range(self.players)]
            yield from (seat for seat in chosen for _ in range(2 if self.players == 2 else 1))
            yield from ((marker + turn) % self.players for turn in range(turns))
            marker = (marker + 1) % self.players

    def entries(self, viewer: int | None) -> Iterator[Json]:
        """Play all moves; the entries of the viewer (None: everything shown)."""
        for seat, move in zip(self._seats(), self.moves, strict=False):
            seen = [] if move.startswith("take") else list(self._play(seat, move, viewer))
            yield {"seat": seat, "move": move, "seen": seen}

    def _play(self, seat: int, move: str, viewer: int | None) -> Iterator[Json]:
        words = move.split()
        side = (0, 2)[seat] if self.players == 2 else seat
        if words[0] == "build":
            row, column = divmod(int(words[2]), 3)
            for _ in range(side):  # back from the board to the printed square (1.3)
                row, column = 2 - column, row
            card = 3 * row + column
        else:
            card = int(words[1])
        self.hands[seat].remove(card)
        self.piles[seat].append(card)
        yield {"from": f"hand {seat}", "to": f"pile {seat}", "cards": [card]}
        if not self.deck:
            self.deck = self.shuffles.pop(0)
            for other, pile in enumerate(self.piles):
                yield {"from": f"pile {other}", "to": "deck", "cards": sorted(pile), "shuffled": True}
            assert sorted(self.deck) == sorted(card for pile in self.piles for card in pile)
            self.piles = [[] for _ in range(self.players)]
        drawn = self.deck.pop(0)
        self.hands[seat].append(drawn)
        yield {"from": "deck", "to": f"hand {seat}", "cards": [drawn] if viewer in (None, seat) else 1}


def watched(case: Json, viewer: int) -> tuple[Watcher, Table]:
    table = Table(case)
    watcher = Watcher(table.first(viewer))
    for entry in table.entries(viewer):
        watcher.see(entry)
    return watcher, table


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_memory_cases(case: Json) -> None:
    """MH-M04 .. MH-M15: what every seat knows after the moves of MH-K01 .. MH-K10."""
    for seat, expected in case["expect"]["seats"].items():
        watcher, table = watched(case, int(seat))
        known = watcher.knowledge()
        assert known["unseen"] == listed(expected["unseen"])
        assert known["sure"] == {other: listed(counts) for other, counts in expected["sure"].items()}
        number = expected["possible"]
        assert watcher.number_possible() == (number if number <= 10_000 else None)
        if known["deck"] is not None:
            assert known["deck"] == sorted(table.deck)
        true = {"hands": table.hands, "deck": table.deck, "played": table.piles}
        assert [sorted(hand) for hand in table.hands] == [sorted(hand) for hand in case["expect"]["hands"]]
        assert watcher.possible(true) is None


def test_impossible_hands() -> None:
    """MH-M13: in MH-K06 either hand can hold 6 6, the other then 5 7; nothing else goes beside 6 6."""
    case = next(case for case in CASES if case["case"] == "MH-K06")
    watcher, table = watched(case, 0)
    cards = sorted(table.deck + table.hands[1] + table.hands[2])

    def asked(first: list[int], second: list[int]) -> str | None:
        deck = list(cards)
        for card in first + second:
            deck.remove(card)
        return watcher.possible({"hands": [table.hands[0], first, second], "deck": deck, "played": table.piles})

    assert asked([5, 7, 8], [6, 6, 8]) is None
    assert asked([6, 6, 0], [5, 7, 1]) is None
    assert asked([5, 6, 8], [6, 7, 8]) is None
    assert "no way" in str(asked([5, 8, 8], [6, 6, 7]))
    assert "no way" in str(asked([6, 6, 5], [7, 8, 8]))


# ---------------------------------------------------------------- against all deals of small games

KINDS = 3
Event = tuple[str, int, int]


class SmallGame:
    """Cards of three kinds in a few hands and one deck; all orders of each shuffle are tried.

    An event is ("show", hand, card), ("restrict", hand, mask), ("draw", hand, -1), ("turn_up", -1, card) or
    ("shuffle", -1, -1): shown and turned-up cards lie open and become the deck at a shuffle.
    """

    def __init__(self, rng: random.Random, restricted: bool) -> None:
        self.sizes = [rng.randint(1, 2) for _ in range(rng.randint(1, 2))]
        self.cards = [rng.randrange(KINDS) for _ in range(sum(self.sizes) + rng.randint(1, 3))]
        self.events: list[Event] = []
        self._play(rng, restricted)

    def _play(self, rng: random.Random, restricted: bool) -> None:
        order, shown = list(self.cards), list[int]()
        rng.shuffle(order)
        hands = [[order.pop() for _ in range(size)] for size in self.sizes]
        for _ in range(rng.randint(2, 8)):
            if not order:
                if not shown:
                    break
                order, shown = shown, []
                rng.shuffle(order)
                self.events.append(("shuffle", -1, -1))
            if rng.random() < 0.2:
                shown.append(order.pop())
                self.events.append(("turn_up", -1, shown[-1]))
                continue
            hand = rng.randrange(len(hands))
            if restricted and hands[hand] and rng.random() < 0.4:
                missing = [kind for kind in range(KINDS) if kind not in hands[hand]]
                mask = sum(1 << kind for kind in missing if rng.random() < 0.7)
                self.events.append(("restrict", hand, mask))
            if hands[hand]:
                shown.append(hands[hand].pop(rng.randrange(len(hands[hand]))))
                self.events.append(("show", hand, shown[-1]))
            hands[hand].append(order.pop())
            self.events.append(("draw", hand, -1))

    def joint_hands(self) -> set[tuple[tuple[int, ...], ...]]:
        """The hands at the end in every deal that agrees, as counts by kind (MH-M02)."""
        found = set()
        for order in set(itertools.permutations(self.cards)):
            cut = list(itertools.accumulate(self.sizes, initial=0))
            hands = tuple(tuple(sorted(order[a:b])) for a, b in itertools.pairwise(cut))
            found |= self._after(0, hands, order[cut[-1] :], ())
        return {tuple(tuple(hand.count(kind) for kind in range(KINDS)) for hand in hands) for hands in found}

    def _after(self, place: int, hands: Any, deck: Any, shown: Any) -> set[Any]:
        for i in range(place, len(self.events)):
            name, hand, kind = self.events[i]
            if name == "shuffle":
                orders = set(itertools.permutations(shown))
                return {end for order in orders for end in self._after(i + 1, hands, order, ())}
            if name == "turn_up":
                if deck[0] != kind:
                    return set()
                deck, shown = deck[1:], (*shown, kind)
                continue
            cards = list(hands[hand])
            if name == "restrict" and any(kind >> card & 1 for card in cards):
                return set()
            if name == "show":
                if kind not in cards:
                    return set()
                cards.remove(kind)
                shown = (*shown, kind)
            if name == "draw":
                cards.append(deck[0])
                deck = deck[1:]
            hands = (*hands[:hand], tuple(sorted(cards)), *hands[hand + 1 :])
        return {hands}

    def ways(self, restricted: bool) -> Any:
        """The same events in the books."""
        plain = Ways([self.cards.count(kind) for kind in range(KINDS)], self.sizes)
        ways: Any = RestrictedWays(plain) if restricted else plain
        shown = [0] * KINDS
        for name, hand, kind in self.events:
            if name == "shuffle":
                if restricted:
                    ways = RestrictedWays(ways.shuffled(shown))
                else:
                    ways.shuffle(shown)
                shown = [0] * KINDS
                continue
            getattr(ways, name)(*[number for number in (hand, kind) if number >= 0])
            if name in ("show", "turn_up"):
                shown[kind] += 1
        return ways


def _compare(game: SmallGame, ways: Any) -> None:
    joint = game.joint_hands()
    assert ways.count(10_000) == len(joint)
    least = [[min(hands[i][kind] for hands in joint) for kind in range(KINDS)] for i in range(len(game.sizes))]
    assert ways.sure().tolist() == least
    decks = {tuple(map(sum, zip(*hands, strict=True))) for hands in joint}
    assert (ways.stack_set() is not None) == (len(decks) == 1)
    every = [dealt for size in ways.sizes for dealt in [_sets(size)]]
    for hands in itertools.product(*every):
        assert ways.allows(hands) == (hands in joint)


def _compare_heavy(game: SmallGame, ways: Ways) -> None:
    """FA-M20: the same with the deals in which the first hand weighs at least so much."""
    weights = (4, 5, 6)
    weighed = {hands: sum(map(int.__mul__, weights, hands[0])) for hands in game.joint_hands()}
    assert ways.heaviest(0, weights) == max(weighed.values())
    for least in set(weighed.values()):
        heavy = [hands for hands, weight in weighed.items() if weight >= least]
        sure = [[min(hands[i][kind] for hands in heavy) for kind in range(KINDS)] for i in range(len(game.sizes))]
        assert ways.sure_if(0, weights, least).tolist() == sure


def _sets(size: int) -> Sequence[tuple[int, ...]]:
    return [dealt for dealt in itertools.product(range(size + 1), repeat=KINDS) if sum(dealt) == size]


@pytest.mark.parametrize("restricted", [False, True])
def test_ways_are_all_deals(restricted: bool) -> None:
    """MH-M12 .. MH-M15, FA-M17, FA-M18: the ways allow exactly the hands of all deals that agree."""
    shuffled = 0
    for seed in range(250):
        game = SmallGame(random.Random(seed), restricted)
        shuffled += any(name == "shuffle" for name, _, _ in game.events)
        _compare(game, game.ways(restricted))
        if not restricted:
            _compare(game, game.ways(True))
            _compare_heavy(game, game.ways(False))
    assert shuffled > 40


def test_a_difference_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watcher that overlooks what seat 1 shows is caught, with the command that repeats the game."""

    class Absent(Watcher):
        def _play(self, seat: int, card: int, closed: list[int] | None) -> None:
            super()._play(seat, card, closed)
            self.piles[1] = []

    monkeypatch.setattr(watch, "watcher_of", lambda game: Absent)
    with pytest.raises(
        watch.Difference, match=r"piles:\n.*\n.*\n.*\n  again: .* manhattan --games 1 --seed 5 --players 2"
    ):
        watch.Table(watch.Plan("manhattan", 2, 0, "random", 5)).play()
