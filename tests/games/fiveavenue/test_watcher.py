"""The watcher of Fifth Avenue alone: the memory cases of RULES.md, their moves played on a table of cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.fiveavenue.watching.cards import COLOURS
from tests.games.fiveavenue.watching.watcher import Watcher
from tests.support.rule_cases import rules_text, worked_positions
from tests.support.ways import Ways

Json = dict[str, Any]

CASES = [json.loads(text) for text in re.findall(r"^~~~json\n(.*?)^~~~$", rules_text("fifth_avenue"), re.M | re.S)]


class Table:
    """The cards of a game of Fifth Avenue on the table, moved by the moves of the memory cases (FA-5 .. FA-12,
    FA-57 .. FA-64, FA-101 .. FA-105). Nobody lacks a building in a district that is scored, nobody closes one."""

    def __init__(self, case: Json) -> None:
        self.players: int = case["players"]
        self.shuffles = [list(order) for order in case.get("shuffles", [])]
        self.moves: list[str] = case["moves"]
        self.seat: int = case["decision"]["player"] if "decision" in case else 0
        self.state: Json = case.get("state", {})
        self.setup: Json = {}
        if self.state:
            self._lay_out(self.state)
        else:
            self._deal(worked_positions("fifth_avenue")[case["setup"]]["setup"])
        self.active = (self.state.get("auction") or {}).get("initiator", self.seat)
        self.table: list[list[list[Any]]] = [[] for _ in range(self.players)]
        self._begin_auction()

    def _lay_out(self, state: Json) -> None:
        self.hands = [{colour: list(values) for colour, values in hand.items()} for hand in state["hands"]]
        self.stacks = {colour: list(state["stacks"].get(colour, [])) for colour in COLOURS[:5]}
        self.black = list(state["black"])

    def _deal(self, setup: Json) -> None:
        self.setup, decks = setup, {colour: list(values) for colour, values in setup["cards"].items()}
        self.hands = [{colour: [decks[colour].pop(0)] for colour in COLOURS[:5]} for _ in range(self.players)]
        for hand in self.hands:
            hand["black"] = [decks["black"].pop(0) for _ in range(4)]
        self.black = [f"{value}d" for value in decks.pop("black")]
        self.stacks = decks

    # ------------------------------------------------------------ the first entry

    def first(self, viewer: int) -> Json:
        entry: Json = {"players": self.players, "options": {}, "viewer": viewer, "seen": []}
        if self.setup:
            entry["seen"] = list(self._seen_setup(viewer))
        else:
            entry["books"] = self._books(viewer)
        return entry

    def _seen_setup(self, viewer: int) -> Iterator[Json]:
        yield {"from": "box", "to": "row", "cards": self.setup["row"]}
        yield {"from": "box", "to": "lots", "cards": [kind for kind, _ in self.setup["shops"].values()]}
        yield {"from": "box", "to": "out", "cards": 9}
        for seat, hand in enumerate(self.hands):
            for colour, values in hand.items():
                faces = [f"{colour} {value}" for value in values]
                yield {
                    "from": f"stack {colour}",
                    "to": f"hand {seat}",
                    "cards": faces if seat == viewer else len(faces),
                }
        for colour, stack in self.stacks.items():
            yield {"from": f"stack {colour}", "to": f"open {colour}", "cards": [f"{colour} {stack[0]}"]}

    def _books(self, viewer: int) -> Json:
        memory = self.state.get("memory", {})
        known = memory.get("known", [{} for _ in range(self.players)])
        first = memory.get("first", {colour: len(stack) for colour, stack in self.stacks.items()})
        unknown = memory.get("unknown", next((i for i, c in enumerate(self.black) if c[1] == "u"), len(self.black)))
        unseen = {colour: stack[1 : first[colour]] for colour, stack in self.stacks.items()}
        unseen["black"] = [int(card[0]) for card in self.black[:unknown]]
        numbers: list[dict[str, int]] = [{} for _ in range(self.players)]
        for seat, hand in enumerate(self.hands):
            for colour, values in hand.items():
                hidden = list(values)
                for value in known[seat].get(colour, []):
                    hidden.remove(value)
                numbers[seat][colour] = len(hidden)
                if seat != viewer:
                    unseen[colour] = unseen[colour] + hidden
        held = memory.get("blacks", [{}])[-1].get("held")
        return {
            "hands": self.hands[viewer], "known": known, "unseen": unseen, "unseen_cards": numbers, "out": [],
            "stacks": {colour: self._stack(stack, first[colour]) for colour, stack in self.stacks.items()},
            "black": {"unknown": unknown, "then": self.black[unknown:]},
            "old": None if held is None else [v for seat, hand in enumerate(held) if seat != viewer for v in hand],
            "table": [[] for _ in range(self.players)], "standing": 0,
        }  # fmt: skip

    @staticmethod
    def _stack(stack: list[int], first: int) -> Json:
        return {"first": first, "open": stack[0], "then": stack[max(first, 1) :]}

    # ------------------------------------------------------------ the moves

    def entries(self, viewer: int) -> Iterator[Json]:
        for move in self.moves:
            words, seat = move.split(), self.seat
            play = getattr(self, f"_{words[0].lower()}")
            yield {"seat": seat, "move": move, "seen": list(play(seat, words[1:], viewer))}

    def _drawn(self, seat: int, viewer: int) -> Iterator[Json]:
        if self.black:
            value = int(self.black.pop(0)[0])
            self.hands[seat].setdefault("black", []).append(value)
            yield {"from": "stack black", "to": f"hand {seat}", "cards": [f"black {value}"] if seat == viewer else 1}
            yield from self._checked()

    def _checked(self) -> Iterator[Json]:
        """FA-R9."""
        if self.black and self.black[0][1] == "u":
            order = self.shuffles.pop(0)
            assert sorted(order) == sorted(int(card[0]) for card in self.black)
            self.black = [f"{value}d" for value in order]
            yield {"from": "stack black", "to": "stack black", "cards": len(order), "shuffled": True}

    def _a(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        yield from ()

    def _c(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        yield from self._drawn(seat, viewer)
        self.phase = 1

    def _d(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        for _ in range(2):
            yield from self._drawn(seat, viewer)

    def _take(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        for colour in words:
            value = self.stacks[colour].pop(0)
            self.hands[seat].setdefault(colour, []).append(value)
            yield {"from": f"open {colour}", "to": f"hand {seat}", "cards": [f"{colour} {value}"]}
            for top in self.stacks[colour][:1]:
                yield {"from": f"stack {colour}", "to": f"open {colour}", "cards": [f"{colour} {top}"]}
        self.phase = 3

    def _move(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        yield {"from": "34W", "to": words[1], "cards": [words[0]]}
        if words[1] == "START":
            self._begin_auction()
        elif getattr(self, "phase", 3) == 3:
            self._next_turn()

    def _build(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        yield from ()
        self._next_turn()

    def _next_turn(self) -> None:
        self.active = self.seat = (self.active + 1) % self.players

    def _begin_auction(self) -> None:
        self.bidders, self.leader, self.standing, self.asked = list(range(self.players)), -1, 0, 0
        self.egon: list[int] = []

    def _add(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        card = [words[0], int(words[1])]
        self.hands[seat][card[0]].remove(card[1])
        self.table[seat].append(card)
        yield {"from": f"hand {seat}", "to": f"table {seat}", "cards": [" ".join(words)]}

    def _bid(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        self.leader, self.standing = seat, sum(value for _, value in self.table[seat])
        yield from self._asked(seat)

    def _pass(self, seat: int, words: list[str], viewer: int) -> Iterator[Json]:
        self.bidders.remove(seat)
        faces = [f"{colour} {value}" for colour, value in self.table[seat]]
        for colour, value in self.table[seat]:
            self.hands[seat].setdefault(colour, []).append(value)
        self.table[seat] = []
        if faces:
            yield {"from": f"table {seat}", "to": f"hand {seat}", "cards": faces}
        yield from self._asked(seat)

    def _asked(self, seat: int) -> Iterator[Json]:
        """Who is asked next, Egon's bid, or the end of the auction (section 6)."""
        self.asked += 1
        after = (seat + 1) % self.players
        if self.players == 2 and self.asked == 1:
            self.seat = after
            return
        if self.players == 2 and self.asked == 2:
            yield from self._egon_bids()
            after = self.active
        if self.bidders in ([], [self.leader]):
            yield from self._sold()
            return
        order = [(after + i) % self.players for i in range(self.players)]
        self.seat = next(other for other in order if other in self.bidders and other != self.leader)

    def _egon_bids(self) -> Iterator[Json]:
        while self.black and len(set(self.egon)) == len(self.egon):
            self.egon.append(int(self.black.pop(0)[0]))
            yield {"from": "stack black", "to": "egon", "cards": [f"black {self.egon[-1]}"]}
            yield from self._checked()
        if sum(self.egon) > self.standing:
            self.standing, self.leader = sum(self.egon), -2

    def _sold(self) -> Iterator[Json]:
        if self.leader >= 0:
            for colour in COLOURS:
                values = sorted((value for own, value in self.table[self.leader] if own == colour), reverse=True)
                if not values:
                    continue
                if colour == "black":
                    self.black += [f"{value}u" for value in values]
                else:
                    self.stacks[colour] += values
                faces = [f"{colour} {value}" for value in values]
                yield {"from": f"table {self.leader}", "to": f"stack {colour}", "cards": faces}
            self.table[self.leader], self.seat = [], self.leader
        if self.egon:
            self.black += [f"{value}d" for value in self.egon]
            yield {"from": "egon", "to": "stack black", "cards": [f"black {value}" for value in self.egon]}
        yield from self._checked()
        if self.leader < 0:
            self._next_turn()
        self._begin_auction()


def watched(case: Json, viewer: int) -> tuple[Watcher, Table]:
    table = Table(case)
    watcher = Watcher(table.first(viewer))
    for entry in table.entries(viewer):
        watcher.see(entry)
    return watcher, table


def falling(cards: dict[str, list[int]]) -> dict[str, list[int]]:
    return {colour: sorted(values, reverse=True) for colour, values in cards.items() if values}


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_memory_cases(case: Json) -> None:
    """FA-M04 .. FA-M20: what every player knows after the moves of FA-K01 .. FA-K09."""
    expect = case["expect"]
    for seat, expected in expect["seats"].items():
        watcher, table = watched(case, int(seat))
        known = watcher.knowledge()
        assert table.seat == expect["decision"]["player"]
        assert [falling(hand) for hand in table.hands] == [falling(hand) for hand in expect["hands"]]
        assert known["unseen"] == falling(expected["unseen"])
        assert known["sure"] == {other: falling(cards) for other, cards in expected["sure"].items()}
        assert known["known"] == [falling(cards) for cards in expect["memory"]["known"]]
        assert known["first"] == expect["memory"]["first"]
        assert known["black"]["unknown"] == expect["memory"]["unknown"]
        assert known["black"] == expect.get("black", known["black"])
        assert known["stacks"] == expect.get("stacks", known["stacks"])
        assert known["shops_out"] == expect.get("out", [])
        number = expected["possible"]
        assert watcher.number_possible() == (number if number <= 10_000 else None)
        assert watcher.possible({"state": {"hands": table.hands, "stacks": table.stacks, "black": table.black}}) is None


def case_of(name: str) -> Json:
    return next(case for case in CASES if case["case"] == name)


def test_hands_that_are_not_possible_together() -> None:
    """FA-M16, FA-M19: in FA-K05 player 1 has the 5 and player 2 the 6, or the other way round; nobody has both."""
    watcher, table = watched(case_of("FA-K05"), 0)

    def asked(first: list[int], second: list[int]) -> str | None:
        hands = [table.hands[0], {**table.hands[1], "black": first}, {**table.hands[2], "black": second}]
        return watcher.possible({"state": {"hands": hands, "stacks": table.stacks, "black": table.black}})

    assert asked([4, 5], [6]) is None
    assert asked([4, 6], [5]) is None
    assert "the unseen black cards" in str(asked([4, 5], [5]))


def test_sure_cards_in_a_begun_raise() -> None:
    """FA-M02, FA-M20: against 13, with 4 and 5 on the table, the black card that is left is no 6 and no 4. With 4 and 6
    on the table it may be any card."""
    case = json.loads(json.dumps(case_of("FA-K07")))
    case["moves"].append("add black 5")
    watcher, _ = watched(case, 0)
    assert watcher.knowledge()["sure"] == {"1": {"black": [5]}, "2": {}}
    assert watcher.number_possible() == 6
    case["moves"][-1] = "add black 6"
    watcher, _ = watched(case, 0)
    assert watcher.knowledge()["sure"] == {"1": {}, "2": {}}
    assert watcher.number_possible() == 16


def test_a_condition_on_one_hand() -> None:
    """FA-M20: two hands of one card each from 4 5 6 and a stack of one; the first weighs at least 6."""
    ways = Ways([1, 1, 1], [1, 1])
    assert ways.sure_if(0, [4, 5, 6], 6).tolist() == [[0, 0, 1], [0, 0, 0]]
    assert ways.heaviest(0, [4, 5, 6]) == 6
    assert ways.sure_if(0, [4, 5, 6], 5).tolist() == [[0, 0, 0], [0, 0, 0]]
