"""The memory that the rules keep against the one computed anew from the movements, after every move of whole games."""

from __future__ import annotations

import numpy as np
import pytest

from fiveavenue_env.remembered import contradiction
from skyline.rng import streams
from tests.games.fiveavenue.cases import BOARDS, COLOURS, PLAYERS, at, hands
from tests.games.fiveavenue.recollection import CARD_COLOURS, MOST_EVENTS, MOST_SHUFFLES, Recollection
from tests.games.fiveavenue.views import FIFTH_AVENUE, deal
from tests.support.rule_cases import Core, sized
from tests.support.seeing import determinized, heuristic_actions


def compare(core: Core, seed: int, random: bool, most: int = 10**6) -> None:
    """The rest of one game: the memory after every move."""
    players, rng, stream = core.players, np.random.default_rng(seed), streams(1, seed)
    books = Recollection(players, FIFTH_AVENUE.seen(None, -1, core.states[0], None))
    for move in range(most):
        if core.seat is None:
            break
        before = core.states.copy()
        by_chance = random or move % 3 == 0
        action = int(rng.choice(core.actions())) if by_chance else heuristic_actions(core.game, core.states, stream)[0]
        core.step(action)
        books.see(FIFTH_AVENUE.seen(before[0], action, core.states[0], None))
        position = core.position()
        assert books.memory() == position["memory"], (players, seed, move)
        for p, hand in enumerate(position["hands"]):
            held = sorted((c, v) for c, vs in hand.items() for v in vs)
            assert held == sorted(books.sure[p] + books.unseen[p])
            known = {c: sum(k == c for k, _ in books.unseen[p]) for c in CARD_COLOURS}
            assert core.states["memory_unseen"][0, p, :6].tolist() == list(known.values())


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_memory_is_that_of_the_movements(players: int, board: int) -> None:
    for seed in range(sized(6, 1)):
        compare(deal(players, seed, board), seed, random=seed % 2 == 0, most=sized(10**6, 150))


@pytest.mark.parametrize("players", [3, 4])
def test_the_oldest_is_forgotten(players: int) -> None:
    """FA-M21: with few black cards, which are bid and drawn at once, there are more shuffles than the state keeps."""
    stacks = {colour: [4, 5, 6, 4] for colour in COLOURS}
    rows = hands(*["brown 5 black 4", "grey 4 black 5", "violet 6", "orange 4"][:players])
    core = at(players=players, hands=rows, stacks=stacks, black=["4d", "6d"], options={"max_turns": 20_000})
    rng = np.random.default_rng(5)
    books = Recollection(players, FIFTH_AVENUE.seen(None, -1, core.states[0], None))
    for _ in range(4000):
        texts, before = core.texts(), core.states.copy()
        liked = [text for text in texts if text.startswith(("add black", "C"))]
        text = str(rng.choice(liked if liked and rng.random() < 0.9 else texts))
        core.play(text)
        action = FIFTH_AVENUE.parse_move(before[0], text)
        books.see(FIFTH_AVENUE.seen(before[0], action, core.states[0], None))
        if core.states["shuffles"][0]:
            assert books.memory() == core.position()["memory"]
        if books.forgotten >= 3:
            break
    assert core.states["memory_shuffles"][0] == MOST_SHUFFLES and books.forgotten == 3
    for viewer in range(players):
        (row,) = determinized(core, viewer, stream=1)
        assert contradiction(row) is None


def test_the_oldest_events_are_forgotten() -> None:
    """FA-M21: one event more than are kept; first those before the oldest shuffle go, then this shuffle."""
    held = {"held": [[5], [4], []], "events": [[2, "draw"], [2, 4]] * 45}
    first = {"events": [*[[2, "draw"], [2, 5]] * 7, [2, "draw"]]}
    second = {"held": [[5], [4], [4]], "events": [[2, 4], *held["events"]]}
    blacks = [first, second, *[held] * 4, {**held, "events": [[2, "draw"], [2, 4]] * 20}]
    memory = {"blacks": blacks, "unknown": 6}
    core = at(hands=hands("black 5", "black 4", ""), black=["4d"] * 5 + ["6d"], memory=memory)
    assert core.states["memory_log_n"][0] == MOST_EVENTS
    core.play("C")
    after = core.position()["memory"]["blacks"]
    assert after == [{"events": []}, *blacks[1:-1], {**held, "events": [*blacks[-1]["events"], [0, "draw"]]}]
    assert core.states["memory_log_n"][0] == MOST_EVENTS - 14
    last = [*[[2, "draw"], [2, 4]] * 27, [2, "draw"]]
    full = [{"events": []}, *blacks[1:-1], {**held, "events": last}]
    core = at(hands=hands("black 5", "black 4", "black 4"), black=["4d"] * 5 + ["6d"], memory={"blacks": full})
    assert core.states["memory_log_n"][0] == MOST_EVENTS
    core.play("C")
    after = core.position()["memory"]["blacks"]
    assert after == [{"events": []}, *full[2:-1], {**held, "events": [*full[-1]["events"], [0, "draw"]]}]
    assert core.states["memory_shuffles"][0] == 5
    (row,) = determinized(core, 1, stream=1)
    assert contradiction(row) is None
