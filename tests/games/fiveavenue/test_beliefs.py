"""How often `determinize` deals what: against brute force in small games (RULES.md FA-M24, FA-M26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.games.fiveavenue.brute import Hands, beliefs, unseen_black
from tests.games.fiveavenue.cases import COLOURS, PLAYERS, at, bidding, hands
from tests.support.rule_cases import Core, sized
from tests.support.seeing import determinized

COPIES = sized(4000, 300)
Z = 4.75  # standard deviations: once in 10^6 draws; every test has a fixed stream
MOST_JOINT, MOST_CARDS = 200, 9
FARTHEST = 0.03  # total variation from the exact belief after a black shuffle with 3 or 4 players, beyond chance


def small(players: int, seed: int) -> Iterator[Core]:
    """Positions of a game with few black cards, so that all their orders can be looked at."""
    stacks = {colour: [4, 5, 6, 4, 5, 6] for colour in COLOURS}
    cards = ["brown 5 grey 4 black 45", "grey 5 violet 6 black 56", "violet 5 brown 4 black 44", "orange 4 black 6"]
    black = ["4d", "6d", "5d", "4d", "5d"][: 7 - players]
    core = at(players=players, hands=hands(*cards[:players]), stacks=stacks, black=black, options={"max_turns": 300})
    rng = np.random.default_rng(seed)
    while core.seat is not None:
        texts = core.texts()
        hidden = [text for text in texts if text in ("pass", "C", "bid") or text[:2] == "D "]
        core.play(str(rng.choice(hidden if hidden and rng.random() < 0.6 else texts)))  # more draws than shown cards
        if core.seat is not None:
            yield core


def is_small(core: Core, viewer: int) -> bool:
    """Whether brute force can look at all orders: few black cards are hidden, or were since the last shuffle."""
    position, others = core.position(), [p for p in range(core.players) if p != viewer]
    for number, span in enumerate(blacks := position["memory"]["blacks"]):
        after = blacks[number + 1]["held"] if number + 1 < len(blacks) else None
        ends = [after[p] if after else unseen_black(position, p) for p in others]
        cards = sum(map(len, ends)) + sum(p in others and what != "draw" for p, what in span["events"])
        cards += 0 if after else position["memory"]["unknown"]
        cards -= sum(len(span["held"][p]) for p in others) if number else 0
        if cards > MOST_CARDS:
            return False
    return True


def joint_hands(core: Core, viewer: int, rows: Any) -> Counter[Hands]:
    others = [p for p in range(core.players) if p != viewer]
    found: Counter[Hands] = Counter()
    for row in rows:
        counts = (row["hands"] - row["memory_known"])[others, 15:]
        found[tuple(tuple(np.repeat((4, 5, 6), hand).tolist()) for hand in counts)] += 1
    return found


def too_far(found: Counter[Hands], wanted: dict[Hands, float]) -> float:
    """Chi-square as standard deviations of a normal variable (Wilson and Hilferty); rare hands are put together."""
    copies, cells, rare = sum(found.values()), list[tuple[float, float]](), [0.0, 0.0]
    for joint, chance in wanted.items():
        if copies * chance >= 5:
            cells.append((found[joint], copies * chance))
        else:
            rare = [rare[0] + found[joint], rare[1] + copies * chance]
    if rare[1] >= 1:
        cells.append((rare[0], rare[1]))
    free = len(cells) - 1
    if free < 1:
        return 0.0
    square = sum((n - mean) ** 2 / mean for n, mean in cells)
    return float(((square / free) ** (1 / 3) - 1 + 2 / (9 * free)) / (2 / (9 * free)) ** 0.5)


def distance(found: Counter[Hands], wanted: dict[Hands, float]) -> float:
    copies = sum(found.values())
    return sum(abs(found[joint] / copies - chance) for joint, chance in wanted.items()) / 2


def cases(players: int, exact: bool, number: int) -> Iterator[tuple[Core, int, dict[Hands, float]]]:
    """Positions with the viewer and its beliefs: those that are dealt exactly, or the others."""
    found = 0
    for seed in range(10_000):
        for step, core in enumerate(small(players, seed)):
            viewer, shuffled = (step + seed) % players, int(core.states["memory_shuffles"][0])
            if (players == 2 or not shuffled) != exact or shuffled > 2 or not is_small(core, viewer):
                continue
            raising = core.seat != viewer and (core.states["last_colour"][0] or core.states["last_black"][0])
            if not raising and (step + seed) % 7:
                continue
            wanted = beliefs(core.position(), viewer)
            if 1 < len(wanted) <= MOST_JOINT:
                yield core.copy(), viewer, wanted
                found += 1
            if found == number:
                return


@pytest.mark.ci
@pytest.mark.parametrize("players", PLAYERS)
def test_exact_beliefs(players: int) -> None:
    """FA-M24: with two players, and before the first shuffle."""
    for core, viewer, wanted in cases(players, exact=True, number=sized(100, 8)):
        found = joint_hands(core, viewer, determinized(core, viewer, stream=len(wanted), copies=COPIES))
        assert set(found) <= set(wanted), (core.position(), viewer, found, wanted)
        assert too_far(found, wanted) <= Z, (core.position(), viewer, found, wanted)


def test_the_coloured_card_of_a_begun_raise() -> None:
    """FA-M20: the bidder has laid a 6 against 10, and has no black card: its starting card is no 4."""
    running = {"table": [[["grey", 5], ["grey", 5]], [], []], "standing": 10, "leader": 0}
    core = bidding("violet 4", "brown 65", "", seat=1, auction=running, stacks={"brown": [4, 4, 4, 5]})
    core.play("add brown 6")
    for row in determinized(core, 0, stream=1, copies=30):
        assert row["hands"][1, :3].tolist() == [0, 1, 0]


@pytest.mark.ci
@pytest.mark.parametrize("players", [3, 4])
def test_replayed_beliefs(players: int) -> None:
    """FA-M26: after a shuffle nothing impossible is dealt, and the frequencies are near."""
    distances = []
    for core, viewer, wanted in cases(players, exact=False, number=sized(100, 6)):
        found = joint_hands(core, viewer, determinized(core, viewer, stream=len(wanted), copies=COPIES))
        assert set(found) <= set(wanted), (core.position(), viewer, found, wanted)
        by_chance = sum((2 * p * (1 - p) / np.pi / COPIES) ** 0.5 for p in wanted.values()) / 2
        distances.append(distance(found, wanted) - 2 * by_chance)
    assert max(distances) <= sized(FARTHEST, 0.15), sorted(distances)[-5:]
