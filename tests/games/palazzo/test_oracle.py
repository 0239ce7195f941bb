"""The oracle against every JSON block of palazzo_env/RULES.md and in whole random games.

Payments and buildings against brute force: test_oracle_sequences.py.
"""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from . import oracle_palace as building
from . import oracle_payment as money
from .oracle import Oracle, action_index
from .oracle_palace import KNIGHT, KNIGHTS, PILE_I, PILE_II, PILE_III, TILE_COUNTS, palace_of
from .oracle_payment import CARD_COUNTS, CARDS, COMPONENTS
from .oracle_play import (
    Choice,
    crc,
    drawn_setup,
    idle,
    random_game,
    random_position,
    reloaded,
    stubborn,
    texts_of,
    uniform,
    walk,
)
from .oracle_table import Phase

RULES = (Path(__file__).parents[3] / "palazzo_env" / "RULES.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", RULES, re.DOTALL | re.MULTILINE)]


def check_piles(block: dict) -> None:
    assert sorted(block["I"]) == sorted(PILE_I)
    assert sorted(block["II"]) == sorted(PILE_II)
    assert sorted(block["III"]) == sorted(PILE_III)
    assert block["knights_in_III"] == KNIGHTS


def check_points(block: dict) -> None:
    for palace, points in block["rows"]:
        assert building.points(palace_of(palace)) == points, palace


def check_maxpay(block: dict) -> None:
    for hand, value in block["rows"]:
        assert money.maxpay(Counter(hand)) == value, hand


def check_price(block: dict) -> None:
    for depot_size, price in block["rows"]:
        assert building.price(depot_size) == price, depot_size


def moves_with_events(lines: list[dict]) -> list[tuple[dict, list[dict]]]:
    """Each move line with the values of the `shuffle` lines that follow it."""
    moves = []
    for line in lines:
        if "shuffle" in line:
            moves[-1][1].append(line["shuffle"])
        else:
            moves.append((line, []))
    return moves


def check_play(block: dict) -> None:
    oracle = Oracle.at(block["start"] | block.get("options", {}))
    for line, events in moves_with_events(block["lines"]):
        assert set(line) <= {"player", "move", "legal"}
        assert oracle.seat == line["player"]
        if "legal" in line:
            assert texts_of(oracle) == line["legal"]
        oracle.play(line["move"], events)
        oracle = reloaded(oracle)
    check_then(oracle, block["then"])


def fact(oracle: Oracle, name: str) -> object:
    """A field of `then` as the oracle has it; KeyError for an unknown one."""
    facts = oracle.position() | {
        "legal": texts_of(oracle),
        "deck_size": len(oracle.deck),
        "deck_top": oracle.deck[:4],
        "tiebreak": oracle.tiebreaks(),
        "end": {"scores": oracle.scores, "places": oracle.places()},
    }
    return facts[name]


def check_then(oracle: Oracle, then: dict) -> None:
    for name, value in then.items():
        assert fact(oracle, name) == value, name


def check_game(block: dict) -> None:
    oracle = Oracle(block["players"], block["options"], block["setup"])
    shuffles = dict(block["shuffles"])
    legal_lists = []
    for number, (who, move) in enumerate(zip(block["who"], block["moves"], strict=True), start=1):
        assert oracle.seat == int(who)
        legal_lists.append(texts_of(oracle))
        oracle.play(move, [{"deck": "money", "order": shuffles.pop(number)}] if number in shuffles else [])
        oracle.check()
    assert not shuffles
    assert [len(texts) for texts in legal_lists] == block["legal_counts"]
    assert crc(block["moves"]) == block["moves_crc32"]
    assert crc(["|".join(texts) for texts in legal_lists]) == block["legal_crc32"]
    check_then(oracle, block["then"])


def check_walk(block: dict) -> None:
    for row in block["rows"]:
        assert walk(*row[:3]) == row


CHECKS = {
    "piles": check_piles,
    "points": check_points,
    "maxpay": check_maxpay,
    "price": check_price,
    "play": check_play,
    "game": check_game,
    "walk": check_walk,
}


def check_block(block: dict) -> None:
    CHECKS[block["kind"]](block)


@pytest.mark.parametrize("block", BLOCKS, ids=[block["id"] for block in BLOCKS])
def test_block(block: dict) -> None:
    check_block(block)


def test_every_block_is_read_and_has_its_check() -> None:
    ids = [block["id"] for block in BLOCKS]
    assert len(ids) == len(set(ids)) == RULES.count("```json") == RULES.count('{"id": "')
    assert RULES.count("```") == 2 * len(ids)
    assert set(CHECKS) == {block["kind"] for block in BLOCKS}


def test_unknown_kind_and_unknown_field_fail() -> None:
    with pytest.raises(KeyError):
        check_block({"id": "PZ-X", "kind": "riddle"})
    with pytest.raises(KeyError):
        check_then(random_position(Random(0), "MAIN"), {"weather": "fine"})


def test_pieces_sum_to_the_printed_counts() -> None:
    assert CARD_COUNTS.total() == 55
    assert TILE_COUNTS.total() == 48
    assert {tile for tile, number in TILE_COUNTS.items() if number == 2} == {"31b", "31m", "31s"}
    assert sorted(building.tile_index(tile) for tile in TILE_COUNTS) == list(range(45))
    assert list(CARDS) == sorted(CARDS) and list(COMPONENTS) == sorted(COMPONENTS)


@pytest.mark.parametrize("choose", [uniform, idle, stubborn])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_random_game(players: int, choose: Choice, seed: int) -> None:
    rng = Random(f"{players} {choose.__name__} {seed}")
    played, twin = [], None
    for number, (oracle, text, events) in enumerate(random_game(rng, players, choose)):
        oracle.check()
        indices, texts = zip(*oracle.legal(), strict=True) if text else ((), ())
        assert all(0 <= index < 535 for index in indices)
        assert len(set(indices)) == len(indices) and list(texts) == sorted(set(texts))  # section 9
        assert twin is None or twin.position() == oracle.position()
        if twin is None or number % 17 == 0:
            twin = reloaded(oracle)
            assert twin.legal() == oracle.legal() and twin.box == sorted(oracle.box)
        if text:
            twin.play(text, events)
            played.append(text)
    assert oracle.phase == "END" and oracle.legal() == []
    turns = sum(text in ("draw", "money", "rebuild") for text in played)
    assert 17 <= played.count("draw") <= 24
    assert turns <= 24 * 41 and len(played) < 9000  # section 11
    assert 1 in oracle.places()


def test_quiet_limit_0_leaves_only_draw() -> None:
    rng = Random(5)
    oracle = Oracle(2, {"quiet_limit": 0}, drawn_setup(lambda pieces: rng.sample(pieces, len(pieces))))
    while oracle.seat is not None:
        assert oracle.phase != "MAIN" or texts_of(oracle) == ["draw"]
        oracle.play(rng.choice(texts_of(oracle)))


def test_bad_starts_are_refused() -> None:
    setup = drawn_setup(sorted)
    for players, options, changed in [
        (1, {}, {}),
        (5, {}, {}),
        (2, {"speed": 1}, {}),
        (2, {"quiet_limit": -1}, {}),
        (2, {}, {"stack": setup["stack"][::-1]}),
        (2, {}, {"stack": setup["stack"][:-1]}),
        (2, {}, {"money": ["2", *setup["money"]]}),
    ]:
        with pytest.raises(ValueError):
            Oracle(players, options, setup | changed)


def test_illegal_texts_are_refused_and_change_nothing() -> None:
    rng = Random(11)
    for oracle, text, _ in random_game(rng, 3, uniform):
        before = oracle.position()
        for wrong in ("", "dance", f"{text} ", "build K new", "take 3", "add A2"):
            with pytest.raises(ValueError):
                oracle.play(wrong)
        if text and not oracle.reshuffle(text):
            with pytest.raises(ValueError):
                oracle.play(text, [{"deck": "money", "order": []}])
        assert oracle.position() == before


def start_of(block_id: str) -> dict:
    return next(block["start"] for block in BLOCKS if block["id"] == block_id)


def test_events_must_fit_the_shuffle() -> None:
    start = start_of("PZ-W22")
    order = ["C3", "B3", "2", "A3", "B3"]
    shuffle = {"deck": "money", "order": order}
    for events in [
        [],
        [shuffle, shuffle],
        [shuffle | {"order": order[1:]}],
        [shuffle | {"order": ["A4", *order[1:]]}],
        [shuffle | {"deck": "stack"}],
        [shuffle | {"top": 1}],
    ]:
        oracle = Oracle.at(start)
        with pytest.raises(ValueError):
            oracle.play("money", events)
        assert oracle.position() == Oracle.at(start).position()
    Oracle.at(start).play("money", [shuffle])


def test_positions_with_too_many_pieces_are_refused() -> None:
    start = start_of("PZ-W04")
    for changed in ({"depot": ["11b", "11b"]}, {"discard": {"A5": 3}}):
        with pytest.raises(ValueError):
            Oracle.at(start | changed)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("seed", range(4))
def test_public_does_not_depend_on_what_is_hidden(phase: Phase, seed: int) -> None:
    rng = Random(f"{phase} {seed}")
    oracle = random_position(rng, phase)
    viewer = rng.randrange(oracle.players)
    position = oracle.position()
    others = [seat for seat in range(oracle.players) if seat != viewer]
    hidden = position["deck"] + [card for seat in others for card in oracle.hands[seat].elements()]
    rng.shuffle(hidden)
    for seat in others:
        size = oracle.hands[seat].total()
        position["hands"][seat] = dict(Counter(hidden[:size]))
        del hidden[:size]
    position |= {"deck": hidden, "stack": rng.sample(position["stack"], len(position["stack"]))}
    if viewer != oracle.active:
        position["first_take"] = None
    redealt = Oracle.at(position)
    assert redealt.public(viewer) == json.loads(json.dumps(oracle.public(viewer)))
    assert viewer != oracle.seat or redealt.legal() == oracle.legal()


def test_public_hides_the_first_take_once_it_is_in_a_hand() -> None:
    oracle = Oracle.at(start_of("PZ-W25"))
    oracle.play("money")
    oracle.play("take A3")
    assert [oracle.public(viewer)["first_take"] for viewer in (0, 1)] == ["A3", None]
    assert oracle.public(1)["face_up"] == ["B7", "B7"]


def test_public_shows_the_own_hand_and_the_piles_back() -> None:
    for oracle, _, _ in random_game(Random(3), 4, uniform):
        assert all(Counter(oracle.public(seat)["hand"]) == +oracle.hands[seat] for seat in range(4))
        left = len(oracle.stack)
        back = "I" if left > 38 else "II" if left > 20 else "III" if left else None
        top = oracle.stack[0] if left else None
        piles = {"I": PILE_I, "II": PILE_II, "III": [*PILE_III, KNIGHT], None: [None]}
        assert oracle.public(0)["stack_pile"] == back and top in piles[back]


def test_action_table_has_535_indices() -> None:
    """Section 9: the blocks touch and end at 534."""
    slots = [f"{n:02d}b" for n in range(48)]
    assert [action_index(f"build 11b on {slot}", slots) for slot in slots] == list(range(25, 73))
    assert [action_index(f"into {slot}", slots) for slot in slots] == list(range(121, 169))
    split = [action_index(f"split {slot} {floor}1b", slots) for slot in slots for floor in range(1, 6)]
    assert split == list(range(233, 473))
    tiles = sorted(TILE_COUNTS)
    for verb, first, pieces in [
        ("add", 0, COMPONENTS),
        ("insert", 76, tiles),
        ("pay", 171, CARDS),
        ("remove", 188, tiles),
        ("take", 474, CARDS),
        ("tile", 490, tiles),
    ]:
        assert [action_index(f"{verb} {piece}", []) for piece in pieces] == list(range(first, first + len(pieces)))
