"""The oracle against every worked position of RULES.md, and by itself in random whole games."""

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.games.manhattan import oracle_board as board
from tests.games.manhattan.oracle import Oracle

RULES = Path(__file__).parents[3] / "manhattan_env" / "RULES.md"
RULES_TEXT = RULES.read_text(encoding="utf-8")
BLOCKS = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", RULES_TEXT, re.MULTILINE | re.DOTALL)]
WORKED = {block["id"]: block for block in BLOCKS if "id" in block}
EVERY_BLOCK = {"id", "note", "clauses", "ask", "expect"}

DECISIONS = {2: 120, 3: 90, 4: 112}  # section 11
SHUFFLE_SIZES = {2: [38, 38], 3: [34, 34], 4: [30, 30, 30]}  # section 11
ACTIONS = {2: 476, 3: 260, 4: 309}  # section 6
DISCARD_GAMES = [(3, 2713), (4, 101), (4, 814)]  # (players, seed); seed 814 has two
SCORE_BOUND = {2: 468, 3: 234, 4: 156}  # section 11


# Worked positions: one function for each `ask`


def check_rotate(block: dict) -> None:
    for side, squares in block["expect"].items():
        assert [board.board_square(int(side), printed) for printed in range(9)] == squares


def check_sets(block: dict) -> None:
    for size, expected in block["expect"].items():
        sets = [" ".join(map(str, heights)) for heights in board.sets_of(int(size))]
        assert set(expected) == {"count", "at"}
        assert len(sets) == expected["count"]
        assert {number: sets[int(number)] for number in expected["at"]} == expected["at"]


def check_legal(block: dict) -> None:
    game, expect = Oracle.at(block["state"]), block["expect"]
    legal = game.legal()
    assert game.seat == expect["seat"]
    if "legal" in expect:
        assert legal == list(zip(expect["index"], expect["legal"], strict=True))
        return
    assert len(legal) == expect["count"]
    numbers = range(len(board.sets_of(board.SET_SIZE[game.players])))
    assert sorted(set(numbers) - {index for index, _ in legal}) == expect["index_not_legal"]


def check_heights(block: dict) -> None:
    assert block["colour"] in {colour for own in board.COLOURS[block["players"]] for colour in own}
    tower = [(colour, height) for colour, height in block["tower"]]
    assert [height for height in board.HEIGHTS if board.may_put(tower, block["colour"], height)] == block["expect"]


def check_step(block: dict) -> None:
    game = Oracle.at(block["state"]) if "state" in block else Oracle(block["players"], {}, block["setup"])
    seats = "".join(str(seat) for seat, _ in replayed(game, block["moves"], block.get("shuffles", [])))
    reached = {**game.position(), "seat": game.seat, "seats": seats}
    for field, expected in block["expect"].items():
        assert comparable(field, reached[field]) == comparable(field, expected), field


def check_score(block: dict) -> None:
    points = board.round_points(board.towers_of(block["towers"]), block["players"])
    assert board.seat_points(points, block["players"]) == block["expect"]["seats"]
    if block["players"] == 2:
        assert [points[colour] for colour in range(4)] == block["expect"]["colours"]


def check_places(block: dict) -> None:
    assert board.final_places(block["scores"]) == block["expect"]


def check_replay(block: dict) -> None:
    expect = block["expect"]
    game = Oracle(block["players"], {}, block["setup"])
    played = list(replayed(game, block["moves"], block["shuffles"]))
    assert "".join(str(seat) for seat, _ in played) == expect["seats"]
    assert [len(texts) for _, texts in played] == expect["legal_counts"]
    lines = "".join(",".join(texts) + "\n" for _, texts in played)
    assert hashlib.sha256(lines.encode()).hexdigest() == expect["legal_sha256"]
    assert (game.seat, game.phase, game.legal()) == (None, "over", [])
    assert (game.scores, game.places()) == (expect["scores"], expect["places"])
    game.check()


# ask -> its check, the block fields it reads, the keys it reads of an `expect` object (None: `expect` is a list)
STEP_EXPECT = {"phase", "round", "marker", "hands", "deck", "played", "stock", "chosen", "towers", "scores"}
REPLAY_EXPECT = {"seats", "legal_counts", "legal_sha256", "scores", "places"}
ASKS: dict[str, tuple[Callable[[dict], None], set[str], set[str] | None]] = {
    "rotate": (check_rotate, set(), {"0", "1", "2", "3"}),
    "sets": (check_sets, set(), {"4", "6"}),
    "legal": (check_legal, {"state"}, {"seat", "legal", "index", "count", "index_not_legal"}),
    "heights": (check_heights, {"players", "tower", "colour"}, None),
    "step": (check_step, {"state", "players", "setup", "moves", "shuffles"}, STEP_EXPECT | {"seat", "seats"}),
    "score": (check_score, {"players", "towers"}, {"seats", "colours"}),
    "places": (check_places, {"scores"}, None),
    "replay": (check_replay, {"players", "setup", "moves", "shuffles"}, REPLAY_EXPECT),
}


def check_block(block: dict) -> None:
    """Check one worked position; KeyError for an unknown `ask`, and no field of it may go unread."""
    check, fields, expect_fields = ASKS[block["ask"]]
    assert set(block) <= EVERY_BLOCK | fields
    if expect_fields is not None:
        assert set(block["expect"]) <= expect_fields
    check(block)


def replayed(game: Oracle, moves: list[str], shuffles: list[list[int]]) -> Iterator[tuple[int, list[str]]]:
    """Play `moves`, each move that needs one with the next of `shuffles`; yields (seat, legal texts) a decision."""
    orders = iter(shuffles)
    for text in moves:
        yield game.seat, [legal_text for _, legal_text in game.legal()]
        needs_order = game.cards_to_shuffle(text) is not None
        game.play(text, [{"deck": "cards", "order": next(orders)}] if needs_order else [])
    assert next(orders, None) is None, "a shuffle too many"


def comparable(field: str, value: object) -> object:
    """Without the orders that mean nothing: in hands, chosen pieces, the list of towers (section 10)."""
    if field == "hands":
        return [sorted(hand) for hand in value]
    if field == "chosen":
        return {colour: sorted(heights) for colour, heights in value.items()}
    if field == "towers":
        return sorted(value)
    return value


@pytest.mark.parametrize("block_id", WORKED)
def test_worked_position(block_id: str) -> None:
    check_block(WORKED[block_id])


def test_no_block_is_left_out() -> None:
    assert len(BLOCKS) == len(re.findall(r"^```json", RULES_TEXT, re.MULTILINE))
    assert list(WORKED) == re.findall(r'"id": "(MH-P\d+)"', RULES_TEXT)
    assert list(WORKED) == [f"MH-P{number:02}" for number in range(1, 36)]
    assert {block["ask"] for block in WORKED.values()} == set(ASKS)
    assert [block.get("data") for block in BLOCKS if "id" not in block] == ["manhattan"]


def test_unknown_ask_and_unread_fields_fail() -> None:
    with pytest.raises(KeyError):
        check_block({"id": "MH-P99", "ask": "riddle", "expect": []})
    with pytest.raises(AssertionError):
        check_block({**WORKED["MH-P30"], "riddle": 1})
    with pytest.raises(AssertionError):
        check_block({**WORKED["MH-P25"], "expect": {**WORKED["MH-P25"]["expect"], "riddle": 1}})


def test_component_numbers_are_those_of_the_rules() -> None:
    (data,) = [block for block in BLOCKS if "data" in block]
    assert {str(height): count for height, count in board.PIECES_OF_HEIGHT.items()} == data["pieces_per_colour"]
    assert sum(height * count for height, count in board.PIECES_OF_HEIGHT.items()) == data["floors_per_colour"]
    assert {str(card): count for card, count in board.ALL_CARDS.items()} == data["cards"]
    assert list(board.CITIES) == data["cities"]
    assert (data["squares_per_city"], data["hand"]) == (board.SQUARES, board.HAND)
    assert {colour for own in board.COLOURS[4] for colour in own} == set(range(data["colours"]))


# Whole games


def random_setup(players: int, rng: random.Random) -> dict:
    deck = sorted(board.ALL_CARDS.elements())
    rng.shuffle(deck)
    return {"start": rng.randrange(players), "deck": deck}


def events_of(game: Oracle, text: str, rng: random.Random) -> list[dict]:
    """The chance results of the legal move `text`, drawn by `rng`."""
    cards = game.cards_to_shuffle(text)
    if cards is None:
        return []
    rng.shuffle(cards)
    return [{"deck": "cards", "order": cards}]


def play_whole_game(players: int, seed: int) -> tuple[Oracle, list[dict], int]:
    """A random game, checked at every move; (the game at its end, its shuffle events, number of discards)."""
    rng = random.Random(seed)
    game = Oracle(players, {}, random_setup(players, rng))
    shuffles, discards = [], 0
    for decision in range(DECISIONS[players]):
        legal = game.legal()
        check_decision(game, legal)
        if decision % 10 == 0:
            check_round_trip(game)
        _, text = rng.choice(legal)
        events = events_of(game, text, rng)
        shuffles += events
        discards += text.startswith("discard")
        game.play(text, events)
        game.check()
    return game, shuffles, discards


def check_decision(game: Oracle, legal: list[tuple[int, str]]) -> None:
    indices, texts = [index for index, _ in legal], [text for _, text in legal]
    assert legal
    assert indices == sorted(set(indices))
    assert indices[0] >= 0
    assert indices[-1] < ACTIONS[game.players]
    assert len(set(texts)) == len(texts)
    for tower in game.towers.values():  # MH-R15
        assert board.floors(tower, board.owner(tower)) == max(board.floors(tower, colour) for colour in range(4))


def check_round_trip(game: Oracle) -> None:
    position = game.position()
    again = Oracle.at(json.loads(json.dumps(position)))
    assert again.position() == position
    assert (again.legal(), again.seat, again.phase) == (game.legal(), game.seat, game.phase)
    for viewer in range(game.players):
        assert json.loads(json.dumps(again.public(viewer))) == game.public(viewer)


@pytest.mark.parametrize("players", DECISIONS)
@pytest.mark.parametrize("seed", range(25))
def test_random_game_keeps_the_bounds(players: int, seed: int) -> None:
    game, shuffles, _ = play_whole_game(players, seed)
    assert (game.seat, game.phase, game.legal()) == (None, "over", [])
    assert [len(event["order"]) for event in shuffles] == SHUFFLE_SIZES[players]
    assert max(game.scores) <= SCORE_BOUND[players]
    check_round_trip(game)


@pytest.mark.parametrize(("players", "seed"), DISCARD_GAMES)
def test_random_game_with_a_discard(players: int, seed: int) -> None:
    """MH-17 in whole games: nothing is built, the piece goes back to the stock (MH-R10), the bounds still hold."""
    game, shuffles, discards = play_whole_game(players, seed)
    assert discards > 0
    left_over = sum(sum(counts.values()) for counts in game.stock.values())
    assert left_over == discards
    assert [len(event["order"]) for event in shuffles] == SHUFFLE_SIZES[players]


# The interface


def refused(game: Oracle, text: str, events: list[dict]) -> None:
    before = game.position()
    with pytest.raises(ValueError):
        game.play(text, events)
    assert game.position() == before


def test_illegal_texts_are_refused() -> None:
    game = Oracle.at(WORKED["MH-P19"]["state"])  # seat 1 holds 0 0 4 8 and the pieces 1 1 1 3 3 3
    for text in [
        "",
        "build 2 2 2",
        "build 2 0 3",
        "build 6 2 3",
        "build 2 2 3 c0",
        "build  2 2 3",
        "discard 0",
        "take 1",
    ]:
        refused(game, text, [])


def test_wrong_events_are_refused() -> None:
    block = WORKED["MH-P21"]
    (text,), (order,) = block["moves"], block["shuffles"]
    good = {"deck": "cards", "order": order}
    game = Oracle.at(block["state"])
    for events in [
        [],
        [good, good],
        [{"deck": "towers", "order": order}],
        [{"order": order}],
        [{**good, "riddle": 1}],
        [{**good, "order": order[1:]}],
        [{**good, "order": [*order[1:], 8]}],
    ]:
        refused(game, text, events)
    game.play(text, [good])
    refused(Oracle.at(WORKED["MH-P19"]["state"]), "build 2 2 3", [good])


def test_a_finished_game_takes_no_move() -> None:
    game, _, _ = play_whole_game(3, 0)
    assert game.position()["turn"] == 12
    refused(game, "build 0 0 1", [])


def test_wrong_setups_and_positions_are_refused() -> None:
    setup = random_setup(3, random.Random(0))
    deck = setup["deck"]
    for players, options, wrong in [
        (1, {}, setup),
        (5, {}, setup),
        (3, {"riddle": 1}, setup),
        (3, {}, {**setup, "start": 3}),
        (3, {}, {**setup, "riddle": 1}),
        (3, {}, {**setup, "deck": deck[1:]}),
        (3, {}, {**setup, "deck": [*deck[1:], (deck[0] + 1) % 9]}),
    ]:
        with pytest.raises(ValueError):
            Oracle(players, options, wrong)
    position = Oracle(3, {}, setup).position()
    for wrong in [{**position, "riddle": 1}, {**position, "phase": "riddle"}]:
        with pytest.raises(ValueError):
            Oracle.at(wrong)


def test_public_shows_what_section_7_lists_and_nothing_else() -> None:
    position = {
        **{"players": 3, "round": 2, "marker": 0, "phase": "turn", "turn": 4},
        **{"hands": [[0, 1, 2, 8], [4, 5, 7, 7], [8, 0, 1, 2]], "deck": [3, 6, 5], "played": [[4, 0], [1], []]},
        **{
            "stock": {"0": [1, 2, 3, 0]},
            "chosen": {"2": [4, 1]},
            "towers": [[5, 8, [[1, 2], [0, 4]]]],
            "scores": [3, 0, 9],
        },
    }
    shown = Oracle.at(position).public(0)
    assert shown == {
        **{"players": 3, "round": 2, "marker": 0, "phase": "turn", "turn": 4, "seat": 1},
        **{"hand": [0, 1, 2, 8], "hand_sizes": [4, 4, 4], "deck_size": 3},
        **{"played_sizes": [2, 1, 0], "played_tops": [0, 1, None]},
        "stock": {"0": [1, 2, 3, 0], "1": [0, 0, 0, 0], "2": [0, 0, 0, 0]},
        "chosen": {"0": [], "1": [], "2": [1, 4]},
        "towers": [[5, 8, [[1, 2], [0, 4]]]],
        "scores": [3, 0, 9],
    }
    hidden_changed = {
        **position,
        **{"hands": [[0, 1, 2, 8], [3, 3, 6, 6], [4, 4, 5, 5]], "deck": [7, 7, 7], "played": [[8, 0], [1], []]},
    }
    assert Oracle.at(hidden_changed).public(0) == shown
    assert Oracle.at(hidden_changed).public(1) != Oracle.at(position).public(1)
    with pytest.raises(ValueError):
        Oracle.at(position).public(3)


def test_check_finds_a_lost_card_and_a_lost_piece() -> None:
    for lose in (lambda game: game.deck.pop(), lambda game: game.chosen[0].pop()):
        game = Oracle(3, {}, {**random_setup(3, random.Random(1)), "start": 0})
        game.play("take 1 1 2 3")
        game.check()
        lose(game)
        with pytest.raises(AssertionError):
            game.check()
