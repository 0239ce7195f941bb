"""What is remembered (RULES.md 7.2): the memory cases of section 10, the rules' books, deals that agree with them.

NY-M01 NY-M02    beliefs.py counts the deals; chi-square below
NY-M14 NY-M15    one memory for all seats, in one field of a position
"""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from skyline.game import TABLE
from tests.games.newyork.beliefs import ENDINGS, chance_of, chi_square, dealt, endings, largest
from tests.games.newyork.cases import GAME, PLAYERS, at, forgetful
from tests.games.newyork.recollection import Recollection
from tests.games.newyork.views import NEW_YORK, core_of, playing, positions, whole_game
from tests.support.rule_cases import Core, Json, quick, rules_text, sized
from tests.support.seeing import SEEDS, copies_of, decoded, determinized

CASES = [json.loads(text) for text in re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL)]
DEALS = sized(4000, 200)
DEVIATIONS = 5.0  # standard deviations that a frequency may lie beside its chance: once in two million


def known_at(core: Core, seat: int = 0) -> Json:
    return NEW_YORK.knowledge(core.states[0], seat)


def reached(case: Json) -> Core:
    """The game after the moves of a case."""
    start = Core.start(GAME, case["players"], case["setup"]) if "setup" in case else Core.at(GAME, case["state"])
    start.play_all(case["moves"], case.get("shuffles", []))
    return start


# ---------------------------------------------------------------- the cases of section 10


def test_all_cases_are_here() -> None:
    assert [case["case"] for case in CASES] == [f"NY-K{number:02}" for number in range(1, len(CASES) + 1)]
    assert len(CASES) >= 7
    for case in CASES:
        assert set(case) <= {
            "case",
            "kind",
            "clauses",
            "note",
            "players",
            "setup",
            "state",
            "moves",
            "shuffles",
            "expect",
        }
        assert case["kind"] == "memory"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_memory_case(case: Json) -> None:
    """Every seat knows what `expect` says; a position has the memory, and comes back with it."""
    core, expect = reached(case), case["expect"]
    position = core.position()
    for seat in range(core.players):
        known = known_at(core, seat)
        for field, wanted in expect.items():
            if field == "hands":
                assert list(known["hands"].values()) == wanted
            elif field in ("market", "depot"):
                assert position[field] == wanted
            elif field != "chances":
                assert known[field] == wanted, field
    assert position["scoring_places"] == expect["scoring_places"]
    again = Core.at(GAME, json.loads(json.dumps(position)))
    assert known_at(again) == known_at(core)


@pytest.mark.parametrize("case", [case for case in CASES if "chances" in case["expect"]], ids=lambda case: case["case"])
def test_the_chances_of_a_memory_case(case: Json) -> None:
    """Each is what the ranges and sets give (NY-M10, NY-M12), and what deals of `determinize` show (NY-M17)."""
    core = reached(case)
    known, found = known_at(core), Counter[int]()
    chances = case["expect"]["chances"]
    for entry in chances:
        assert chance_of(known, entry) == Fraction(entry["chance"]), entry
    for position in dealt(core, core.players - 1, DEALS):
        found.update(number for number, entry in enumerate(chances) if _shows(position, entry))
    for number, entry in enumerate(chances):
        chance = float(Fraction(entry["chance"]))
        spread = (DEALS * chance * (1 - chance)) ** 0.5
        assert abs(found[number] - DEALS * chance) <= DEVIATIONS * spread + (chance not in (0, 1)), entry


def _shows(position: Json, entry: Json) -> bool:
    """Whether a deal is one of those that an entry of `chances` means."""
    if "place" in entry:
        return all(card in position["deck"] and position["deck"].index(card) == i for card, i in entry["place"].items())
    (pile,) = (name for name in ("deck", "bag") if name in entry)
    return bool(position[pile][: len(entry[pile])] == entry[pile])


# ---------------------------------------------------------------- the rules keep the books


@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_of_whole_games(players: int) -> None:
    """NY-M04 .. NY-M12: after every move what the game knows is what a plain record of the open events says."""
    for seed in range(sized(6, 1)):
        states, actions = playing(players, 100 * players + seed, seed % 2 == 1)
        game = [core_of(state) for state in states]
        books = Recollection(game[0].position())
        for (before, after), action in zip(pairwise(game), actions, strict=True):
            now = after.position()
            books.move(before.position(), NEW_YORK.move_text(before.states[0], action), now)
            known = known_at(after, players - 1)
            assert {name: known[name] for name in ("deck", "scoring_places")} == books.fields()
            assert list(known["hands"].values()) == [sorted(hand) for hand in now["hands"]]
            assert (known["discard"], known["bag"]) == (sorted(now["discard"]), sorted(now["bag"]))


def test_ny_m04_m05_m06_hands_and_discards_are_known() -> None:
    """NY-M04, NY-M05, NY-M06: after the deal, a take and in the middle of a purchase."""
    core = Core.deal(GAME, 4, 7)
    assert list(known_at(core)["hands"].values()) == [sorted(hand) for hand in core.position()["hands"]]
    core = at(hands=[["B5", "B3"], ["G1"], []])
    core.play_all(["buy 0", "pay 5"])
    assert (known_at(core, 2)["hands"], known_at(core, 2)["discard"]) == ({"0": ["B3"], "1": ["G1"], "2": []}, ["B5"])
    core.play_all(["pay 3", "take R9"])
    assert known_at(core, 1)["hands"]["0"] == ["R9"]


def test_ny_m07_m08_m09_a_draw_moves_the_ranges_up() -> None:
    """NY-M07, NY-M08, NY-M09: the card leaves the set; no range begins above the top; SA counts as drawn."""
    core = at(deck=["B1", "SA", "G2", "SB", "R5", "R6"], scoring_places={"SA": [0, 2], "SB": [3, 5]})
    core.play("take B9")
    assert (known_at(core)["deck"], known_at(core)["scoring_places"]) == (
        ["G2", "R5", "R6"], {"SA": [0, 1], "SB": [2, 4]},
    )  # fmt: skip
    core.play("take G9")
    assert (known_at(core)["deck"], known_at(core)["scoring_places"]) == (["R5", "R6"], {"SB": [0, 2]})


def test_ny_m11_a_reshuffle_makes_the_discards_the_deck() -> None:
    """NY-M11: the set is known, the discards are empty; in a replay, too, whose order is given."""
    core = at(deck=[], discard=["R1", "R1", "G5"])
    core.play("take B9", [{"deck": "money", "order": ["R1", "G5", "R1"]}])
    assert (known_at(core)["deck"], known_at(core)["discard"]) == (["G5", "R1"], [])


def test_ny_m12_the_bag_is_known_less_all_that_was_drawn() -> None:
    """NY-M12: tiles for the depot and for Dirk leave it."""
    core = at(2, deck=["SA", "B8"], bag=list(range(40, 50)), hands=[["B9"], []], depot=[7, 14, 22, 31],
              market=["Y1", "Y2", "Y3", None])  # fmt: skip
    core.play_all(["buy 0", "pay 9", "place 7", "dirk"])
    assert known_at(core)["bag"] == [47, 48, 49]


def test_ny_m13_who_would_receive_which_tile() -> None:
    """NY-M13: the most money of each bank; ties and empty slots are nobody's."""
    core = at(hands=[["B5", "G2"], ["G2", "Y1"], ["R1", "R2"]], depot=[7, 14, 22, None])
    assert known_at(core, 1)["leftovers"] == [0, None, 1, None]
    values = decoded(core, 1)
    assert values["recall_leftover"].tolist() == [-1, 0, 1, 0]


def test_ny_m03_m15_all_seats_know_the_same() -> None:
    """NY-M03, NY-M15: and a choice shows nothing that was not known."""
    for core in whole_game(3, 303)[:: sized(7, 60)]:
        assert len({json.dumps(known_at(core, seat)) for seat in range(3)}) == 1


@quick
@given(positions(over=True))
def test_recall_slices_are_what_is_known(core: Core) -> None:
    """Decoded for every viewer; zeros with TABLE, where nothing else differs and nothing is known."""
    players, known = core.players, known_at(core)
    for viewer in range(players):
        values = decoded(core, viewer)
        others = [(viewer + j) % players for j in range(1, players)]
        for j, other in enumerate(others):
            hand = known["hands"][str(other)]
            assert _cards(values["recall_hands"][j]) == hand
            sums = [sum(int(card[1]) for card in hand if card[0] == bank) for bank in "BGYR"]
            assert values["recall_money"][j].tolist() == sums
            assert values["recall_exact"][j].tolist() == [bool(x) for x in decoded(core, other)["afford"][:, 1]]
        assert _cards(values["recall_discards"]) == known["discard"]
        assert _cards(values["recall_deck"]) == known["deck"]
        wanted = [0 if seat is None else 1 if seat == viewer else -1 for seat in known["leftovers"]]
        assert values["recall_leftover"].tolist() == wanted
        table = decoded(forgetful(core.copy()), viewer)
        for part in core.game.observation(players).slices("rich"):
            assert np.array_equal(table[part.name], 0 * values[part.name] if part.recall else values[part.name])
    assert known_at(forgetful(core.copy())) == {}


def _cards(counts: np.ndarray) -> list[str]:
    return sorted(
        f"{'BGYR'[bank]}{value + 1}" for bank in range(4) for value in range(9) for _ in range(counts[bank, value])
    )


# ---------------------------------------------------------------- deals


@pytest.mark.ci
@pytest.mark.parametrize("name", ENDINGS)
def test_ny_m01_m02_m17_deals_are_as_likely_as_counting_says(name: str) -> None:
    """NY-M01, NY-M02, NY-M17: chi-square of `determinize` against all deals of a small ending.

    More of them: `python -m tests.games.newyork.beliefs --deals 1000000`.
    """
    core = endings()[name]
    found, freedom = chi_square(core, core.players - 1, sized(40_000, 2_000))
    assert found < largest(freedom), (found, freedom)


@quick
@given(positions(over=True), SEEDS)
def test_ny_m16_hands_discards_and_sets_stay(core: Core, stream: int) -> None:
    """NY-M10, NY-M12, NY-M16: what a seat knows is true in every deal, dealt once or twice."""
    for viewer in range(core.players):
        (copy,) = copies_of(core, viewer, stream)
        (again,) = copies_of(copy, viewer, stream)
        for deal in (copy, again):
            deal.check()
            assert known_at(deal, viewer) == known_at(core, viewer)
        assert again.states.tobytes() == copy.states.tobytes()


@quick
@given(positions(over=True), SEEDS)
def test_a_deal_tells_nothing_of_the_true_one(core: Core, stream: int) -> None:
    """Two states that look the same to a seat give the same deal from the same stream, byte for byte."""
    for viewer in range(core.players):
        (other,) = copies_of(core, viewer, stream + 1 & (1 << 64) - 1)
        other.states["deal"] = core.states["deal"]
        assert determinized(other, viewer, stream).tobytes() == determinized(core, viewer, stream).tobytes()


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize(
    ("places", "place", "reason"),
    [
        ({"SA": [2, 3]}, "SA[0]", "0 .. 1"),
        ({"SA": [0, 0]}, "SA[1]", "1 .. 4"),
        ({"SB": [0, 5]}, "SB[1]", "3 .. 4"),
        ({"SB": [-1, 4]}, "SB[0]", "0 .. 3"),
        ({"SC": [0, 1]}, "", "no field 'SC'"),
        ({"SA": 1}, "SA", "a list of 2"),
        ({"SA": [0, True]}, "SA[1]", "1 .. 4"),
    ],
)
def test_ny_m14_a_memory_that_contradicts_the_position_is_refused(places: Json, place: str, reason: str) -> None:
    where = f"position.scoring_places.{place}" if place else "position.scoring_places"
    with pytest.raises(ValueError, match=f"^{re.escape(where)}: .*{re.escape(reason)}"):
        at(deck=["B1", "SA", "B2", "SB", "B3"], scoring_places=places)


def test_a_broken_memory_is_found() -> None:
    """`check` recounts the deck, and who has the most money."""
    for field in ("memory_deck", "richest", "afford"):
        core = at(hands=[["B1"], [], []])
        core.check()
        core.states[field].reshape(-1)[0] += 1
        with pytest.raises(ValueError, match=field):
            core.check()


def test_without_memory_a_deal_keeps_no_memory_of_the_game() -> None:
    """With TABLE the books of a deal are those of the deal: nothing hidden can be read from them."""
    for core in whole_game(4, 401)[:: sized(9, 80)]:
        (row,) = determinized(forgetful(core.copy()), 1, 3)
        assert row["memory"] == TABLE
        NEW_YORK.check(row)
