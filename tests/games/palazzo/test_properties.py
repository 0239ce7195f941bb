"""Properties of moves and observations over random positions, as far as they are this game's own."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline.rng import streams
from tests.games.palazzo.cases import (
    ALL_CARDS,
    CARDS,
    GAME,
    PILE_1,
    PILE_2,
    PILE_3,
    PLAYERS,
    at,
    hands,
    largest_payment,
)
from tests.games.palazzo.oracle import Oracle
from tests.games.palazzo.views import KINDS, MOVES, PALAZZO, positions, public_part, reduced, tile
from tests.support.rule_cases import Core, Json, quick
from tests.support.seeing import SEEDS, decoded, heuristic_actions, index

# ---------------------------------------------------------------- moves


@quick
@given(positions(over=True))
def test_every_action_has_one_text_and_comes_back_from_it(core: Core) -> None:
    """Legal here or not: text and action are each other's inverse, in every position."""
    s, size = core.states[0], PALAZZO.actions(core.players).size
    texts = [PALAZZO.move_text(s, action) for action in range(size)]
    assert len(set(texts)) == size == 535
    assert [PALAZZO.parse_move(s, text) for text in texts] == list(range(size))


@quick
@given(positions())
def test_the_legal_list_is_in_ascii_order(core: Core) -> None:
    """Section 9: sorted by index is sorted by text."""
    assert core.texts() == sorted(core.texts())


@quick
@given(positions(over=True))
def test_cards_tiles_and_caches_hold(core: Core) -> None:
    """Every card is somewhere once, every tile at most as often as printed, every cache is its recomputation."""
    core.check()
    position = core.position()
    lists = [position["stack"], position["depot"], *position["quarries"], position["to_build"]]
    tiles = [text for entries in lists for text in entries if text != "K"]
    tiles += [text for palaces in position["palaces"] for palace in palaces for text in palace.split("/")]
    assert not Counter(tiles) - Counter([*PILE_1, *PILE_2, *PILE_3])


HANDS = st.lists(st.sampled_from(CARDS), max_size=16).map(
    lambda drawn: " ".join((Counter(drawn) & Counter(ALL_CARDS)).elements())
)


@quick
@given(HANDS)
def test_the_largest_payment_is_that_of_all_ways_to_pay(hand: str) -> None:
    """By trying: raises are laid in every way; the largest total that is reached (PZ-20 .. PZ-22)."""
    best = 0
    for currency in "ABC":
        left = Counter(hand.split())
        groups = sum(min(left[c + v] for c in "ABC") for v in "34567")
        spare = sum(int(v) * (left[currency + v] - min(left[c + v] for c in "ABC")) for v in "34567")
        best = max(best, 15 * (groups + left["2"] // 3) + 2 * (left["2"] % 3) + spare)
    assert largest_payment(hand) == best


@quick
@given(HANDS, st.integers(3, 60), st.sampled_from([None, "A", "B", "C"]))
def test_a_component_is_offered_if_and_only_if_the_goal_can_be_reached(hand: str, bid: int, lock: str | None) -> None:
    """The test of section 6 against trying every raise (PZ-R11, PZ-R12, PZ-R15)."""
    core = at(2, decision="BID", player=1, builder=0, quarries=[["23m"], [], [], []], standing=[0, bid],
              totals=[bid, 1], locks=[None, lock], hands=hands("", hand))  # fmt: skip
    offered = {text[4:] for text in core.texts() if text.startswith("add")}
    held = Counter(hand.split())
    wanted = {c for c in _components(held, lock, None, 0) if _reach(held, lock, c, 0) + 1 > bid}
    assert offered == wanted


ORDER = ["T7", "T6", "T5", "T4", "T3", "T2", "7", "6", "5", "4", "3", "2"]


def _cards(component: str) -> list[str]:
    if component == "T2":
        return ["2"] * 3
    return [c + component[1] for c in "ABC"] if component[0] == "T" else [component]


def _rank(component: str) -> int:
    return ORDER.index(component if component[0] == "T" or component == "2" else component[1])


def _components(held: Counter[str], lock: str | None, last: str | None, singles: int) -> list[str]:
    """What may be laid next, whatever the goal: cards, order, lock, two single certificates."""
    found = []
    for component in ["T2", "T3", "T4", "T5", "T6", "T7", *CARDS]:
        has = not Counter(_cards(component)) - held
        in_order = last is None or _rank(component) >= _rank(last)
        free = component[0] not in "ABC" or lock in (None, component[0])
        if has and in_order and free and (component != "2" or singles < 2):
            found.append(component)
    return found


def _reach(held: Counter[str], lock: str | None, component: str, singles: int) -> int:
    """The largest amount with this component first, by trying what may follow: the greatest first is enough but for
    the choice of the currency."""
    rest = held - Counter(_cards(component))
    lock = component[0] if component[0] in "ABC" else lock
    value = 15 if component[0] == "T" else int(component[-1])
    singles += component == "2"
    following = _components(rest, lock, component, singles)
    if not following:
        return value
    first = min(_rank(c) for c in following)
    # of equal rank all are tried; of lower ranks only if this one locks the currency
    tried = [c for c in following if _rank(c) == first or (lock is None and c[0] in "ABC")]
    return value + max(_reach(rest, lock, c, singles) for c in tried)


# ---------------------------------------------------------------- observations


@quick
@given(positions(over=True))
def test_the_observation_says_all_that_is_public(core: Core) -> None:
    """Decoded for every viewer it is the oracle's public view, and nothing of it is missing."""
    oracle = Oracle.at(core.position())
    for viewer in range(core.players):
        found = public_part(decoded(core, viewer), core.players)
        assert found == reduced(oracle.public(viewer), core.position())


@quick
@given(positions())
def test_the_mask_follows_from_the_deciders_observation(core: Core) -> None:
    """Equal observations of the decider are equal masks: the oracle's moves for what the decider sees."""
    seat = core.seat
    assert seat is not None
    known = {key: value for key, value in Oracle.at(core.position()).public(seat).items() if key not in _NOT_LOADED}
    rows = [known.pop("hand") if other == seat else {} for other in range(core.players)]
    size = known.pop("stack_size")
    knights = 5 - known["knights"]
    stack = ["K"] * knights + _unseen_tiles(core.position())[: size - knights]
    oracle = Oracle.at({**known, "hands": rows, "stack": stack, "deck": []})
    for text in ("money",):
        assert (text in core.texts()) <= (text in [move for _, move in oracle.legal()])
    assert [row for row in oracle.legal() if row[1] != "money"] == [row for row in core.legal() if row[1] != "money"]
    assert public_part(decoded(core, seat, "base"), core.players)["deck_size"] == len(core.position()["deck"])


_NOT_LOADED = ("viewer", "stack_pile", "deck_size", "hand_sizes")


def _unseen_tiles(position: Json) -> list[str]:
    return [text for text in position["stack"] if text != "K"]


@quick
@given(positions(over=True))
def test_derived_slices_are_what_the_rules_say(core: Core) -> None:
    """Hand, prices, seats, piles, what may come, twins, slots."""
    position = core.position()
    for viewer in range(core.players):
        values = decoded(core, viewer)
        hand = Counter(position["hands"][viewer])
        assert values["maxpay"][0] == largest_payment(" ".join(hand.elements()))
        groups = [hand["2"] // 3, *(min(hand[c + v] for c in "ABC") for v in "34567")]
        assert values["groups"].tolist() == groups
        price, depot = max(0, 10 - len(position["depot"])), len(position["depot"])
        assert values["price"][0] == price
        affordable = [depot >= n and values["maxpay"][0] >= n * price for n in (1, 2)]
        assert values["affordable"].tolist() == affordable
        _check_seats(core, values, viewer)
        _check_slots(values, sorted(set(position["palaces"][viewer])), position["palaces"][viewer])
        _check_supply(position, values)
        standing, name = position["standing"], position["decision"]
        own = position["totals"][viewer]
        goal = standing[1] + 1 if standing else values["goal"][0]
        assert values["missing"][0] == (goal - own if name in ("BID", "PAY") else 0)
        assert tile(values["build_tile"]) == next(iter(position["to_build"]), None)
        assert values["build_after"][0] == max(0, len(position["to_build"]) - 1)
        _check_share(position, values, viewer)


def _check_seats(core: Core, values: dict, viewer: int) -> None:
    for j in range(core.players):
        palaces = [p.split("/") for p in core.position()["palaces"][(viewer + j) % core.players]]
        assert values["lengths"][j].tolist() == [sum(len(p) == n for p in palaces) for n in range(1, 6)]
        assert values["windows"][j] == sum(int(t[1]) for p in palaces for t in p)
        assert values["uniform"][j] == sum(len(p) >= 3 and len({t[2] for t in p}) == 1 for p in palaces)
        assert values["score"][j] == core.scores[(viewer + j) % core.players]


def _check_slots(values: dict, own: list[str], palaces: list[str]) -> None:
    for slot in range(12):
        palace = own[slot].split("/") if slot < len(own) else []
        assert values["slot_length"][slot] == len(palace)
        assert values["slot_copies"][slot] == (palaces.count(own[slot]) if palace else 0)
        assert values["slot_points"][slot] == (at(palaces=[[own[slot]], []]).scores[0] if palace else 0)
        for i in range(5):
            text = palace[i] if i < len(palace) else "000"
            assert values["slot_windows"][slot, i] == int(text[1])
            material = index(values["slot_materials"][slot, i])
            assert material == ("bms".index(text[2]) if text != "000" else None)


def _check_supply(position: Json, values: dict) -> None:
    left = len(position["stack"])
    assert values["piles"].tolist() == [max(0, left - 38), min(18, max(0, left - 20)), min(20, left)]
    entries, knights = min(20, left), 5 - position["knights"]
    draws = (knights * (entries + 1) / (knights + 1) + max(0, left - 20)) / 2
    assert abs(values["draws_left"][0] - 10 * draws) <= 0.5
    lists = [position["depot"], *position["quarries"], position["to_build"]]
    open_tiles = Counter(text for entries in lists for text in entries)
    open_tiles.update(text for palaces in position["palaces"] for palace in palaces for text in palace.split("/"))
    for kind, copies in zip(KINDS, values["may_come"], strict=True):
        assert copies == _may_come(kind, open_tiles[kind], left, knights), kind


def _may_come(kind: str, seen: int, left: int, knights: int) -> int:
    """Pile I: everything not seen; pile II: no tile of I, the seen copy of a twin is II's; pile III: only its tiles,
    a twin unless both are seen; no tile if only knights are left."""
    if left <= knights:
        return 0
    if left > 38:
        return (kind in PILE_1) + (kind in PILE_2) + (kind in PILE_3) - seen
    if left > 20:
        return 0 if kind in PILE_1 else (kind in PILE_2) + (kind in PILE_3) - seen
    copies = (kind in PILE_2) + (kind in PILE_3)
    return int(kind in PILE_3 and seen < copies)


def _check_share(position: Json, values: dict, viewer: int) -> None:
    players, active = position["players"], position["active"]
    if not position["sharing"]:
        assert not values["share"].any()
        return
    turn = (position["player"] - active) % players + (position["decision"] == "BUILD")
    waiting = [(active + i) % players for i in range(turn, players)]
    assert [j for j in range(players) if values["share"][j]] == sorted((seat - viewer) % players for seat in waiting)


@pytest.mark.parametrize(("players", "base", "rich"), [(2, 1181, 1191), (3, 1312, 1326), (4, 1443, 1461)])
def test_how_long_the_observations_are(players: int, base: int, rich: int) -> None:
    """As the game's page says; that the slices fill them is in the contract."""
    table = PALAZZO.observation(players)
    assert (table.size("base"), table.size("rich")) == (base, rich)


@quick
@given(positions())
def test_rich_slices_grow_with_the_tiles(core: Core) -> None:
    """Two depot tiles are worth at least the best one; an empty quarry nothing; nothing is worth less than scrap."""
    position = core.position()
    for viewer in range(core.players):
        values = decoded(core, viewer)
        best, two, *quarries = values["lot_gain"].tolist()
        assert best >= 0 and (two >= best or len(position["depot"]) < 2)
        for ahead, gain in enumerate(quarries, 1):
            assert gain >= 0 and (gain == 0 or position["quarries"][(position["builder"] + ahead) % 4])
        for j in range(1, core.players):
            other = decoded(core, (viewer + j) % core.players)
            assert values["others_gain"][j - 1].tolist() == other["lot_gain"][2:].tolist()


@quick
@given(st.sampled_from(PLAYERS), SEEDS)
def test_the_heuristic_plays_legal_moves_to_the_end(players: int, seed: int) -> None:
    core, stream = Core.deal(GAME, players, seed), streams(1, seed)
    for _ in range(MOVES):
        if core.seat is None:
            break
        (action,) = heuristic_actions(PALAZZO, core.states, stream)
        assert core.mask[0, action]
        core.play_action(action)
