"""The core against every worked position of palazzo_env/RULES.md, read from that file."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import pytest

from palazzo_env import components as box
from tests.games.palazzo.cases import GAME, at
from tests.support.rule_cases import Ask, Core, Json, check_block, json_blocks, sized, worked_positions
from tests.support.seeing import decoded

WORKED = worked_positions(GAME)
NUMBERS = {
    "first": lambda numbers, n: 0,
    "last": lambda numbers, n: n - 1,
    "random": lambda numbers, n: numbers.next(n),
}


class Numbers:
    """The random numbers of the `walk` games."""

    def __init__(self, seed: int) -> None:
        self.x = seed

    def next(self, k: int) -> int:
        self.x = (6364136223846793005 * self.x + 1442695040888963407) % 2**64
        return self.x // 2**33 % k

    def shuffled(self, entries: Sequence[str]) -> list[str]:
        entries = sorted(entries)
        for i in range(len(entries) - 1, 0, -1):
            j = self.next(i + 1)
            entries[i], entries[j] = entries[j], entries[i]
        return entries


def crc(lines: Sequence[str]) -> int:
    return zlib.crc32("\n".join(lines).encode("ascii"))


def tiebreaks(core: Core) -> list[int]:
    """The tie-break values by which seats of equal points are ranked."""
    s = core.states[0]
    return [int(core.game.rank_key(s, seat)) - 1024 * int(s.scores[seat]) for seat in range(core.players)]


def reshuffled(core: Core, order: Sequence[str]) -> list[Json]:
    return [{"deck": "money", "order": list(order)}]


def reached(core: Core) -> Json:
    """Everything a `then` object may ask for."""
    position = core.position()
    return {
        **position,
        "legal": core.texts(),
        "deck_size": len(position["deck"]),
        "deck_top": position["deck"][:4],
        "tiebreak": tiebreaks(core),
        "end": {"scores": core.scores, "places": core.places()},
    }


def check_then(core: Core, then: Json) -> None:
    found = reached(core)
    for field, expected in then.items():
        assert found[field] == expected, field


# ---------------------------------------------------------------- one function for each kind


def check_piles(block: Json) -> None:
    for name, pile in (("I", box.PILE_1), ("II", box.PILE_2), ("III", box.PILE_3)):
        assert sorted(block[name]) == [box.TILE_TEXTS[tile] for tile in pile]
    assert block["knights_in_III"] == box.KNIGHTS == list(box.PILE_3_WITH_KNIGHTS).count(box.KNIGHT)


def check_points(block: Json) -> None:
    for palace, points in block["rows"]:
        assert at(palaces=[[palace], []]).scores == [points, 0], palace


def check_maxpay(block: Json) -> None:
    for hand, value in block["rows"]:
        assert tiebreaks(at(hands=[hand, {}])) == [value, 0], hand


def check_price(block: Json) -> None:
    """As every seat observes it, and as the least payment: certificates only, in groups of three."""
    tiles = [text for text in box.TILE_TEXTS if text[:2] != "31"]
    for depot, price in block["rows"]:
        core = at(decision="BUY", depot=tiles[:depot], hands=[{"A3": 3}, {}])
        assert [decoded(core, seat)["price"].tolist() for seat in (0, 1)] == [[price], [price]]
        assert (core.legal(), core.seat) != ([], None)
        core.play_all([f"tile {tiles[0]}", "stop"])
        paid = 0
        while core.position()["decision"] == "PAY":
            core.play("add A3")
            paid += 3
        assert price <= paid < price + 3
        assert core.position()["decision"] == "BUILD"


def check_play(block: Json) -> None:
    core = Core.at(GAME, block["start"], block.get("options"))
    lines = block["lines"]
    for i, line in enumerate(lines):
        if "shuffle" in line:
            continue
        given = [lines[i + 1]["shuffle"]] if i + 1 < len(lines) and "shuffle" in lines[i + 1] else []
        assert core.seat == line["player"]
        if "legal" in line:
            assert core.texts() == line["legal"]
        core.play(line["move"], given)
        core.check()
    check_then(core, block["then"])


def check_game(block: Json) -> None:
    core = Core.start(GAME, block["players"], block["setup"], block["options"])
    shuffles = dict(block["shuffles"])
    who, lists = "", []
    for number, move in enumerate(block["moves"], 1):
        who += str(core.seat)
        lists.append(core.texts())
        order = shuffles.pop(number, None)
        core.play(move, reshuffled(core, order) if order else [])
    assert not shuffles
    assert who == block["who"]
    assert [len(texts) for texts in lists] == block["legal_counts"]
    assert crc(["|".join(texts) for texts in lists]) == block["legal_crc32"]
    assert crc(block["moves"]) == block["moves_crc32"]
    check_then(core, block["then"])
    core.check()


def walked(players: int, seed: int, policy: str) -> list[object]:
    """A row of the walks, computed by the core."""
    numbers = Numbers(seed)
    piles = [[box.TILE_TEXTS[tile] for tile in pile] for pile in (box.PILE_1, box.PILE_2, box.PILE_3)]
    piles[2] += ["K"] * 5
    stack = [entry for pile in piles for entry in numbers.shuffled(pile)]
    money = numbers.shuffled([box.CARD_TEXTS[card] for card in box.CARD_DECK])
    core = Core.start(GAME, players, {"stack": stack, "money": money})
    moves, lists, reshuffles = [], [], 0
    while core.seat is not None:
        texts = core.texts()
        text = texts[NUMBERS[policy](numbers, len(texts))]
        given = []
        position = core.position()
        if text == "money" and len(position["deck"]) < players + 1:
            discards = [card for card, n in position["discard"].items() for _ in range(n)]
            given, reshuffles = reshuffled(core, numbers.shuffled(discards)), reshuffles + 1
        moves.append(text)
        lists.append("|".join(texts))
        core.play(text, given)
    found = [players, seed, policy, len(moves), moves.count("draw"), reshuffles, core.scores, tiebreaks(core)]
    return [*found, core.places(), crc(moves), crc(lists)]


def check_walk(block: Json) -> None:
    for row in block["rows"][: sized(len(block["rows"]), 3)]:
        assert walked(*row[:3]) == row


KINDS = {
    "piles": Ask.of(check_piles, "kind I II III knights_in_III"),
    "points": Ask.of(check_points, "kind about rows"),
    "maxpay": Ask.of(check_maxpay, "kind about rows"),
    "price": Ask.of(check_price, "kind about rows"),
    "play": Ask.of(check_play, "kind about options start lines then"),
    "game": Ask.of(
        check_game, "kind about players options setup moves who legal_counts moves_crc32 legal_crc32 shuffles then"
    ),
    "walk": Ask.of(check_walk, "kind about rows"),
}


def check(block: Json) -> None:
    check_block({**block, "ask": block["kind"]}, KINDS)


@pytest.mark.parametrize("block_id", WORKED)
def test_worked_position(block_id: str) -> None:
    check(WORKED[block_id])


def test_no_worked_position_is_left_out() -> None:
    assert set(WORKED) == {"PZ-C1", *(f"PZ-W{n:02}" for n in range(1, 45)), *(f"PZ-G{n}" for n in range(1, 5))}
    assert {block["kind"] for block in WORKED.values()} == set(KINDS)
    assert len(json_blocks(GAME)) == len(WORKED)


def test_an_unknown_kind_a_wrong_value_or_an_unread_field_fails() -> None:
    play = WORKED["PZ-W26"]
    for wrong in (
        {"id": "PZ-W99", "kind": "riddle", "rows": []},
        {**play, "riddle": 1},
        {**play, "then": {**play["then"], "quiet": 2}},
        {**WORKED["PZ-W03"], "rows": [[9, 2]]},
        {**WORKED["PZ-W01"], "rows": [["33s", -4]]},
    ):
        with pytest.raises(AssertionError):
            check(wrong)
    with pytest.raises(KeyError):
        check({**play, "then": {"riddle": 1}})


def test_component_counts_are_those_of_the_rules() -> None:
    """Section 1: 55 cards of 16 kinds, 48 tiles of 45 kinds, five knights."""
    assert (box.CARDS, box.CARD_KINDS, box.TILES, box.TILE_KINDS, box.KNIGHTS) == (55, 16, 48, 45, 5)
    assert (box.STACK, box.BELOW_PILE_1, box.BELOW_PILE_2) == (53, 38, 20)
    assert list(box.CARD_TEXTS) == sorted(box.CARD_TEXTS)
    assert list(box.TILE_TEXTS) == sorted(box.TILE_TEXTS)
    assert [text for text, n in zip(box.TILE_TEXTS, box.TILE_COPIES, strict=True) if n == 2] == ["31b", "31m", "31s"]
    assert box.CARD_COPIES.tolist() == [10] + [3] * 15
