"""The oracle against the tables of RULES.md, and against itself in random whole games."""

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable

import pytest

from .oracle import ACTION_INDEX, Oracle
from .oracle_city import BLACK, COLOURS, DISTRICTS, EGON, rings_in_use
from .oracle_play import any_move, fighting_move, hoarding_move, initial_lots, random_game, random_setup, shuffled
from .oracle_state import OVER, placement_order

CONFIGURATIONS = [(players, board) for players in (2, 3, 4) for board in (5, 6)]


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
