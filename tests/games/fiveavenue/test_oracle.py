"""The oracle against every data block of RULES.md, and against itself in random whole games.

Blocks (section 10): a *worked position* starts from `setup` or `state` and has a `decision`; a *whole game* has `who`.
"""

import itertools
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from .oracle import ACTION_INDEX, MissingEvent, Oracle
from .oracle_city import BLACK, COLOURS, DISTRICTS, EGON, rings_in_use
from .oracle_play import (
    any_move,
    fighting_move,
    hoarding_move,
    initial_lots,
    play_drawn,
    random_game,
    random_setup,
    shuffled,
)
from .oracle_state import OVER, placement_order

RULES = Path(__file__).parents[3] / "fiveavenue_env" / "RULES.md"
TEXT = RULES.read_text(encoding="utf-8")
BLOCKS = {block["id"]: block for block in map(json.loads, re.findall(r"^```json\n(.*?)^```", TEXT, re.M | re.S))}
CONFIGURATIONS = [(players, board) for players in (2, 3, 4) for board in (5, 6)]

WORKED_KEYS = {"id", "clauses", "note", "players", "options", "decision", "expect"}
GAME_KEYS = {"id", "players", "options", "setup", "moves", "who", "legal_counts", "legal_crc32", "shuffles", "expect"}

# --- blocks


def kind_of(block: dict) -> str:
    """`worked` or `game`; ValueError for a block of any other shape."""
    keys = set(block)
    if keys == GAME_KEYS:
        return "game"
    start = {"setup", "state"} & keys
    if keys - {"moves", "shuffles"} - start == WORKED_KEYS and len(start) == 1:
        return "worked"
    raise ValueError(f"block of unknown kind: {sorted(keys)}")


def start_of(block: dict) -> Oracle:
    """The oracle before the first move, from a setup (or the setup of another block) or from a state."""
    if "state" in block:
        return Oracle.at({key: block[key] for key in ("players", "options", "state", "decision")})
    setup = block["setup"]
    return Oracle(block["players"], block["options"], BLOCKS[setup]["setup"] if isinstance(setup, str) else setup)


def legal_texts(oracle: Oracle) -> list[str]:
    return [text for _, text in oracle.legal()]


def play_worked(block: dict) -> Oracle:
    """Plays the moves of a worked position; its shuffles name no deck."""
    oracle = start_of(block)
    assert oracle.position()["decision"] == block["decision"]
    orders = list(block.get("shuffles", []))
    for text in block.get("moves", []):
        play_drawn(oracle, text, lambda deck, cards: orders.pop(0))
    assert orders == []
    return oracle


def play_game(block: dict) -> Oracle:
    """Replays a whole game and compares players, legal lists and the moments of the shuffles."""
    oracle = start_of(block)
    lists = []
    for number, text in enumerate(block["moves"], 1):
        assert oracle.seat == int(block["who"][number - 1]), number
        lists.append(legal_texts(oracle))
        assert len(lists[-1]) == block["legal_counts"][number - 1], (number, lists[-1])
        due = [{"deck": s["deck"], "order": s["order"]} for s in block["shuffles"] if s["after"] == number]
        oracle.play(text, due)
        oracle.check()
    assert len(lists) == len(block["who"]) == len(block["legal_counts"])
    assert all(1 <= shuffle["after"] <= len(lists) for shuffle in block["shuffles"])
    assert zlib.crc32("\n".join("|".join(texts) for texts in lists).encode("ascii")) == block["legal_crc32"]
    return oracle


PLAY: dict[str, Callable[[dict], Oracle]] = {"worked": play_worked, "game": play_game}


def of_state(field: str) -> Callable[[Oracle, dict], None]:
    """The whole field of the position."""

    def compare(oracle: Oracle, expected: object) -> None:
        assert oracle.position()["state"][field] == expected

    return compare


def named_of_state(field: str) -> Callable[[Oracle, dict], None]:
    """Only what is named (section 10: `stacks`, `auction`, `final`)."""

    def compare(oracle: Oracle, expected: dict) -> None:
        found = oracle.position()["state"][field]
        assert {key: found[key] for key in expected} == expected

    return compare


def compare_lots(oracle: Oracle, expected: dict) -> None:
    found = oracle.position()["state"]["lots"]
    for district, lots in expected.items():
        assert {name: found[district][name] for name in lots} == lots


def compare_prefixes(oracle: Oracle, expected: dict) -> None:
    for prefix, texts in expected.items():
        assert [text for text in legal_texts(oracle) if text.startswith(prefix)] == texts


def compare_legal(oracle: Oracle, expected: list) -> None:
    assert legal_texts(oracle) == expected


def compare_decision(oracle: Oracle, expected: dict) -> None:
    assert {"kind": oracle.phase, "player": oracle.seat} == expected


def compare_over(oracle: Oracle, expected: bool) -> None:
    assert (oracle.seat is None) == (oracle.phase == OVER) == (oracle.legal() == []) == expected


def compare_places(oracle: Oracle, expected: list) -> None:
    assert oracle.places() == expected


def compare_hand_sizes(oracle: Oracle, expected: list) -> None:
    assert oracle.public(0)["hand_sizes"] == expected


COMPARE = {
    **{field: of_state(field) for field in ("scores", "reserve", "supply", "cp", "closed", "commissions", "markers")},
    **{field: of_state(field) for field in ("row", "park", "placed", "turn", "hands", "black")},
    **{field: named_of_state(field) for field in ("stacks", "auction", "final")},
    "lots": compare_lots,
    "legal": compare_legal,
    "legal_with_prefix": compare_prefixes,
    "decision": compare_decision,
    "over": compare_over,
    "places": compare_places,
    "hand_sizes": compare_hand_sizes,
}


def check_block(block: dict) -> Oracle:
    oracle = PLAY[kind_of(block)](block)
    for key, expected in block["expect"].items():
        if key not in COMPARE:
            raise ValueError(f"unknown expectation {key!r}")
        COMPARE[key](oracle, expected)
    return oracle


@pytest.mark.parametrize("name", BLOCKS)
def test_block_of_the_rules(name: str) -> None:
    """What the block expects; and its end position, read back, is the same."""
    oracle = check_block(BLOCKS[name])
    again = Oracle.at(oracle.position())
    assert again.position() == oracle.position()
    assert again.legal() == oracle.legal()
    for viewer in range(BLOCKS[name]["players"]):
        assert again.public(viewer) == oracle.public(viewer)


def test_no_block_is_skipped() -> None:
    fences = [line for line in TEXT.splitlines() if line.startswith("```")]
    assert fences == ["```json", "```"] * len(BLOCKS)
    assert re.findall(r'"id": "([^"]+)"', TEXT) == list(BLOCKS)
    assert Counter(map(kind_of, BLOCKS.values())) == {"worked": 85, "game": 3}


@pytest.mark.parametrize(
    "change",
    [
        {"ask": "points"},
        {"kind": "walk"},
        {"expect": {"colour": "white"}},
        {"expect": {"auction": {"mood": "tense"}}},
        {"state": {"phase": 3, "weather": "rain"}},
        {"decision": {"kind": "DANCE", "player": 0}},
        {"options": {"board": 5, "dice": 2}},
    ],
)
def test_unknown_things_in_a_block_fail(change: dict) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        check_block(BLOCKS["FA-W07"] | change)


def test_a_wrong_expectation_fails() -> None:
    """Every kind of expectation is really compared."""
    for key in COMPARE:
        block = next(block for block in BLOCKS.values() if key in block["expect"])
        with pytest.raises(AssertionError):
            check_block(block | {"expect": {key: spoiled(block["expect"][key])}})


def spoiled(expected: object) -> object:
    """Another value of the same shape."""
    if isinstance(expected, bool):
        return not expected
    if isinstance(expected, int):
        return expected + 1
    if isinstance(expected, list):
        return [*expected, "more"]
    if isinstance(expected, dict):
        first = next(iter(expected))
        return {**expected, first: spoiled(expected[first])}
    return f"not {expected}"


# --- tables


def test_action_indices() -> None:
    """Section 9: anchors of the table, and no text twice."""
    anchors = {
        "place 34W brown": 0,
        "place 52E green": 34,
        "A": 35,
        "B boutique": 36,
        "C": 40,
        "D 34W": 41,
        "D 52E": 47,
    }
    anchors |= {"shop 34W brown": 48, "shop 52E dashed": 89, "take brown grey": 90, "take orange green": 99}
    anchors |= {"take violet orange": 97, "take brown": 100, "move white START": 105, "move beige CP": 122}
    anchors |= {"add brown 4": 123, "add black 6": 140, "bid": 141, "pass": 142, "build 0": 143, "close": 147}
    assert {text: ACTION_INDEX[text] for text in anchors} == anchors
    assert len(ACTION_INDEX) == 148


def test_placement_orders() -> None:
    """Section 5."""
    assert placement_order(2) == [0, 1, 1, 0]
    assert placement_order(3) == [0, 2, 1, 1, 2, 0]
    assert placement_order(4) == [0, 3, 2, 1, 1, 2, 3, 0]


def test_initial_lots() -> None:
    """FA-S3: 25,200 assignments on board 5, and the draw stays among them."""
    allowed = [a for a in itertools.product(COLOURS, repeat=7) if max(Counter(a).values()) <= 2]
    assert len(allowed) == 25_200
    rng = random.Random(0)
    assert {tuple(initial_lots(rng, 5)) for _ in range(300)} <= set(allowed)
    assert set(initial_lots(rng, 6)) == {"dashed"}


def test_default_rings_are_balanced() -> None:
    """1.4: every pair of colours is adjacent in 3 or 4 of the 7 districts."""
    pairs = Counter()
    for ring in rings_in_use(5, "default").values():
        pairs.update(frozenset((ring[i], ring[i - 1])) for i in range(5))
    assert len(pairs) == 10 and set(pairs.values()) == {3, 4}


def test_sizes_after_the_deal() -> None:
    """Section 5: coloured and black stacks."""
    for players, coloured, black in ((2, 10, 42), (3, 9, 38), (4, 8, 34)):
        view = Oracle(players, {}, random_setup(random.Random(1), {})).public(0)
        assert [view["stacks"][colour]["cards"] for colour in COLOURS] == [coloured] * 5
        assert view["black"] == {"cards": black, "above_face_up": black}
        assert view["hand_sizes"] == [9] * players


def test_bad_options_and_setups_are_refused() -> None:
    setup = random_setup(random.Random(2), {})
    for players, options in ((5, {}), (3, {"board": 7}), (3, {"max_turns": 0}), (3, {"rings": "odd"}), (3, {"x": 1})):
        with pytest.raises(ValueError):
            Oracle(players, options, setup)
    with pytest.raises(ValueError):
        Oracle(3, {"rings": {"TS": ["brown"] * 5}}, setup)
    with pytest.raises(ValueError):
        Oracle(3, {"rings": "plain"}, setup)  # FA-R2: not the rings of this setup


# --- events and refusals


def refused(oracle: Oracle, text: str, events: list) -> None:
    """A ValueError, and the game stands as before."""
    before = oracle.position()
    with pytest.raises(ValueError):
        oracle.play(text, events)
    assert oracle.position() == before


def test_events_must_fit() -> None:
    """FA-W29: the D draws of this position shuffle 6, 5, 4 once."""
    block = BLOCKS["FA-W29"]
    good = {"deck": "black", "order": [4, 6, 5]}
    for events in (
        [],
        [good, good],
        [{"deck": "black", "order": [4, 6, 6]}],
        [{"deck": "black", "order": [4, 6]}],
        [{"deck": "park", "order": [4, 6, 5]}],
        [{"order": [4, 6, 5]}],
    ):
        refused(start_of(block), "D TS", events)
    with pytest.raises(MissingEvent) as missing:
        start_of(block).play("D TS")
    assert (missing.value.deck, sorted(missing.value.cards)) == ("black", [4, 5, 6])
    start_of(block).play("D TS", [good])


def test_two_shuffles_in_one_move() -> None:
    """FA-R10: Egon's draw turns the stack, and the discards into the then empty stack turn it again."""
    oracle = Oracle.at(
        {
            "players": 2,
            "options": {},
            "state": {
                "phase": 3,
                "hands": [{}, {"brown": [6], "black": [6, 6]}],
                "black": ["4d", "6u", "5u"],
                "auction": {"commission": "white", "initiator": 0, "left": ["CP"]},
            },
            "decision": {"kind": "BID", "player": 0},
        }
    )
    for text in ("pass", "add brown 6", "add black 6", "add black 6"):
        oracle.play(text)
    egon_draws, discards = {"deck": "black", "order": [6, 5]}, {"deck": "black", "order": [6, 4, 6, 5, 6]}
    refused(oracle, "bid", [egon_draws])
    refused(oracle, "bid", [discards, egon_draws])
    oracle.play("bid", [egon_draws, discards])
    assert oracle.position()["state"]["black"] == ["6d", "4d", "6d", "5d", "6d"]
    assert legal_texts(oracle) == ["build 0", "build 1"]


def test_illegal_texts_are_refused() -> None:
    oracle = start_of(BLOCKS["FA-W03"])
    for text in ("", "A", "pass", "place TS", "place TS orange", "place CP brown", "place TS brown "):
        refused(oracle, text, [])
    refused(oracle, "place TS brown", [{"deck": "black", "order": []}])
    over = check_block(BLOCKS["FA-W58"])
    refused(over, "pass", [])


def test_places_only_at_the_end() -> None:
    with pytest.raises(ValueError):
        start_of(BLOCKS["FA-W01"]).places()


# --- random games


class Watch:
    """Checks every position of a random game: counts, section 11, and a twin read from a position that plays along."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.twin: Oracle | None = None
        self.laid = 0  # cards laid in this raise
        self.rounds = Counter()  # auction rounds begun, by turn

    def __call__(self, oracle: Oracle, text: str, events: list[dict]) -> None:
        oracle.check()
        self.play_along(oracle, text, events)
        self.bounds(oracle, text, events)

    def play_along(self, oracle: Oracle, text: str, events: list[dict]) -> None:
        if self.twin:
            self.twin.play(text, events)
            assert self.twin.legal() == oracle.legal()
            if self.rng.random() < 0.1 or oracle.phase == OVER:
                assert self.twin.position() == oracle.position()
        if self.twin is None or self.rng.random() < 0.05:
            self.twin = Oracle.at(json.loads(json.dumps(oracle.position())))

    def bounds(self, oracle: Oracle, text: str, events: list[dict]) -> None:
        game = oracle.game
        most = {"PLACE": 35, "TURN": 7, "SHOP": 42, "TAKE": 10, "MOVE": 6, "BID": 16, "BUILD": 5, OVER: 0}[oracle.phase]
        indices = [index for index, _ in oracle.legal()]
        assert len(indices) <= most and indices == sorted(set(indices)) and bool(indices) == (oracle.seat is not None)
        self.laid = self.laid + 1 if text.startswith("add") else 0
        self.rounds[game.turn] += text in ("move white START", "move beige START")
        assert self.laid <= 62 and self.rounds[game.turn] <= 2
        assert sum(event["deck"] == BLACK for event in events) <= 2
        assert all(len(cards) <= 12 for cards in game.stacks.values()) and len(game.black) <= 50
        assert max(game.reserve) <= 15 and max(game.central_park) <= 15 and game.turn <= game.options["max_turns"]
        lots = [lot for lots in game.city.lots.values() for lot in lots.values()]
        assert max(lot.buildings for lot in lots) <= 16 and max(len(lot.shops) for lot in lots) <= 2
        assert sum(lot.buildings for lot in lots if lot.owner == EGON) <= 31
        assert len(game.park) <= 8 and game.placed <= 12 and len(game.city.closed) <= 1 + (oracle.phase == OVER)
        if game.auction:
            assert game.auction.standing <= 302
            assert len(game.auction.egon or []) <= 4 and sum(game.auction.egon or []) <= 21


@pytest.mark.parametrize("choose", [any_move, hoarding_move, fighting_move])
@pytest.mark.parametrize(("players", "board"), CONFIGURATIONS)
def test_random_games(players: int, board: int, choose: Callable) -> None:
    for seed in range(2 if choose is hoarding_move else 4):
        rng = random.Random(f"{players} {board} {seed}")
        rings = {
            district: shuffled(rng, rings_in_use(board, "plain")[district]) for district in rng.sample(DISTRICTS, 3)
        }
        options = {"board": board, "rings": rng.choice(["default", "plain", rings]), "max_turns": rng.choice([3, 200])}
        oracle = random_game(rng, players, options, choose, Watch(rng))
        ends = {"shops": oracle.game.placed == 12, "closings": len(oracle.game.city.closed) == 2}
        assert any(ends.values()) or oracle.game.turn == options["max_turns"]
        final = oracle.game.final
        assert oracle.scores == [sum(steps) for steps in zip(*(final[k] for k in final), strict=True)]
        assert sorted(oracle.places())[0] == 1


@pytest.mark.parametrize(("players", "board"), CONFIGURATIONS)
def test_public_shows_nothing_hidden(players: int, board: int) -> None:
    """Section 7: with other hidden cards of the same numbers the view is the same; it is JSON and has the own hand."""
    rng = random.Random(players + board)

    def look(oracle: Oracle, text: str, events: list[dict]) -> None:
        if rng.random() > 0.1:
            return
        viewer = rng.randrange(players)
        view = oracle.public(viewer)
        position = oracle.position()
        assert json.loads(json.dumps(view)) == view
        assert view["hand"] == position["state"]["hands"][viewer]
        assert Oracle.at(with_other_hidden_cards(position, viewer, rng)).public(viewer) == view

    random_game(rng, players, {"board": board}, watch=look)


def with_other_hidden_cards(position: dict, viewer: int, rng: random.Random) -> dict:
    """The position with the hands of the others, the stacks below what is seen and the tiles out replaced."""
    state = dict(position["state"])
    sizes = [sum(map(len, hand.values())) for hand in state["hands"]]
    others = [{BLACK: sorted(rng.choices([4, 5, 6], k=size), reverse=True)} if size else {} for size in sizes]
    state["hands"] = [state["hands"][p] if p == viewer else others[p] for p in range(len(sizes))]
    state["stacks"] = {c: cards[:1] + shuffled(rng, cards[1:]) for c, cards in state["stacks"].items()}
    top = next((i for i, card in enumerate(state["black"]) if card.endswith("u")), len(state["black"]))
    below = [f"{rng.choice([4, 5, 6])}{rng.choice('du')}" for _ in state["black"][top + 1 :]]
    state["black"] = [f"{rng.choice([4, 5, 6])}{card[-1]}" for card in state["black"][: top + 1]] + below
    state["out"] = []
    return position | {"state": state}
