"""The histories of a batch's games: every action is written down, whoever chose it, and whatever ended the game."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import skyline
from skyline.envs.histories import BatchHistories
from skyline.envs.single import SingleSeat
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, Game
from skyline.typing import Array
from tests.support.playing import pick
from tests.support.toy_batches import LINE_UPS, PLAYERS, ROWS, actions_of, check, last_legal

pytestmark = pytest.mark.usefixtures("toy", "room")


@pytest.mark.parametrize("line_up", LINE_UPS)
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("settings", [{}, {"auto_forced": True}, {"max_cycles": 3}, {"illegal": "lose"}], ids=str)
def test_the_moves_written_down_lead_to_the_states(
    toy: Game, line_up: str, autoreset: Any, settings: dict[str, Any]
) -> None:
    common = {**LINE_UPS[line_up], **settings, "autoreset": autoreset}
    games, other = (skyline.vector(toy, ROWS, PLAYERS, history=history, **common) for history in (True, False))
    rng = np.random.default_rng(3)
    for batch in (games, other):
        batch.reset(seed=8)
    check(games)
    for _ in range(40):
        actions = actions_of(games, rng)
        results = [batch.step(actions) for batch in (games, other)]
        assert games.states.tobytes() == other.states.tobytes(), "writing down changes no game"
        assert [part.tolist() for part in results[0][:4]] == [part.tolist() for part in results[1][:4]]
        for name in (
            "carried",
            "rewards_all",
            "action_mask",
            "finals",
            "learner",
            "episodes",
            "final_seats",
            "stopped",
        ):
            assert getattr(games._rows, name).tobytes() == getattr(other._rows, name).tobytes(), name
        check(games)
        over = games.current_player == NO_SEAT
        if autoreset == "disabled" and over.all():
            for batch in (games, other):
                batch.reset(options={"reset_mask": np.arange(ROWS) != 2})
            check(games)


@pytest.mark.parametrize("line_up", ["policies", "functions"])
def test_a_row_tells_its_learner_what_an_environment_would(toy: Game, line_up: str) -> None:
    """The same moves in an AEC environment: the same histories, and the same pieces since the learner's decisions."""
    games = skyline.vector(toy, ROWS, PLAYERS, history=True, autoreset="disabled", **LINE_UPS[line_up])
    games.reset(seed=4)
    rng = np.random.default_rng(1)
    pieces: list[list[Any]] = [[] for _ in range(ROWS)]
    while (games.current_player != NO_SEAT).any():
        for row in np.flatnonzero(games.current_player != NO_SEAT):
            pieces[row] += games.since_last(int(row))
        games.step(actions_of(games, rng))
    for row in range(ROWS):
        env, seat = skyline.env(toy, PLAYERS), int(games.learner[row])
        env.reset(seed=games.seeds[row])
        for action in games._histories.running(row).moves:
            env.step(action)
        wanted = env.history(f"player_{seat}")
        assert games.history(row) == games.history(row, seat) == games.final_history(row) == wanted
        assert pieces[row] + games.since_last(row) == wanted
        assert games.information_state(row) == env.information_state(f"player_{seat}")
        other = (seat + 1) % PLAYERS
        assert games.history(row, other) == games.final_history(row, other) == env.history(f"player_{other}")


def test_forced_moves_are_no_decisions_of_the_learner(toy: Game) -> None:
    """Who has kept can only keep."""
    games = skyline.vector(
        toy, ROWS, PLAYERS, history=True, seat=0, opponents="random", auto_forced=True, autoreset="disabled"
    )
    games.reset(seed=2)
    rng = np.random.default_rng(1)
    for _ in range(2):
        games.step(actions_of(games, rng))
    keeping = np.flatnonzero(games.current_player == 0)
    games.step(np.zeros(ROWS, int))  # everybody keeps: the rest of the learner's moves is forced
    for row in keeping:
        piece = games.since_last(int(row))
        own = [entry["move"] for entry in piece if entry["seat"] == 0]
        assert own == ["keep"] * len(own)
        assert piece[0]["move"] == "keep"
        assert games.current_player[row] == NO_SEAT
    assert len(keeping)


def test_a_failing_opponent_leaves_no_trace(toy: Game) -> None:
    """A step that is taken back is not told, games that ended and began in it included."""
    fails: list[int] = []

    def opponent(observations: Array, masks: Array, seats: Array) -> Array:
        if fails and not fails.pop():
            raise RuntimeError("a fault")
        return last_legal(observations, masks, seats)

    for autoreset in ("same_step", "next_step"):
        games = skyline.vector(toy, ROWS, 2, history=True, seat=0, opponents=opponent, autoreset=autoreset)  # type: ignore[arg-type]
        games.reset(seed=3)
        rng = np.random.default_rng(1)
        for number in range(30):
            actions = actions_of(games, rng)
            finals = [row for row in range(ROWS) if games.finals["players"][row]]
            before = [games.history(row) for row in range(ROWS)], [games.final_history(row) for row in finals]
            fails[:] = [0] if number % 2 else [1, 0]
            failed = False
            try:
                games.step(actions) if number % 5 else games.reset()
            except RuntimeError:
                failed = True
            fails.clear()
            if failed:
                after = [games.history(row) for row in range(ROWS)], [games.final_history(row) for row in finals]
                assert after == before
                check(games)
                games.step(actions)
            check(games)


def test_opponents_may_change_in_mid_game(toy: Game) -> None:
    games = skyline.vector(toy, ROWS, PLAYERS, history=True, seat="rotate", opponents="random")
    games.reset(seed=3)
    rng = np.random.default_rng(1)
    for opponents in ("heuristic", [last_legal, "random"], last_legal, "random"):
        for _ in range(5):
            games.step(actions_of(games, rng))
        games.set_opponents(opponents)  # type: ignore[arg-type]
        check(games)


WAYS: dict[str, Callable[[VectorGames], VectorGames]] = {
    "clone": VectorGames.clone, "copy": copy.copy, "deepcopy": copy.deepcopy,
    "pickle": lambda games: pickle.loads(pickle.dumps(games)),
}  # fmt: skip


@pytest.mark.parametrize("way", [*WAYS, "snapshot"])
@pytest.mark.parametrize("line_up", ["every seat", "policies"])
def test_copies_and_snapshots_keep_the_histories(toy: Game, way: str, line_up: str) -> None:
    games = skyline.vector(toy, ROWS, PLAYERS, history=True, **LINE_UPS[line_up])
    games.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(14):
        games.step(actions_of(games, rng))
    seat = 0 if line_up == "every seat" else None
    told = [games.history(row, seat) for row in range(ROWS)]
    if way == "snapshot":
        other = skyline.vector(toy, ROWS, PLAYERS, history=True, **LINE_UPS[line_up])
        other.restore(games.snapshot())
    else:
        other = WAYS[way](games)
    check(other)
    other.step(actions_of(other, rng))
    check(other)
    assert [games.history(row, seat) for row in range(ROWS)] == told
    check(games)


def test_a_snapshot_without_histories_fits_no_batch_with_them(toy: Game) -> None:
    games, other = (skyline.vector(toy, ROWS, PLAYERS, history=history) for history in (True, False))
    games.reset(seed=1)
    with pytest.raises(ValueError, match="a batch with history True, this batch has False"):
        other.restore(games.snapshot())


def test_without_histories_nothing_is_written_down(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    games = skyline.vector(toy, ROWS, PLAYERS, seat=0)
    assert games._rows.moves.size == games._rows.final_moves.size == 0
    monkeypatch.setattr(BatchHistories, "_dealt", None)
    games.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(20):
        games.step(actions_of(games, rng))
    assert not games._rows.moved.any()


def test_what_cannot_be_told_is_refused(toy: Game) -> None:
    games = skyline.vector(toy, ROWS, PLAYERS)
    with pytest.raises(ValueError, match="keeps no history: make it with history=True"):
        games.history(0, 0)
    games = skyline.vector(toy, ROWS, PLAYERS, history=True)
    with pytest.raises(ResetNeeded, match="before reset"):
        games.since_last(0, 0)
    games.reset(seed=1)
    told = rf"seat is a whole number 0 \.\. {PLAYERS - 1} or an agent 'player_0' \.\."
    for call in (games.information_state, games.knowledge):
        with pytest.raises(ValueError, match=rf"^{told}, not None: the caller moves every seat"):
            call(0)
    with pytest.raises(ValueError, match="no game of row 2 has ended yet"):
        games.final_history(2, 0)
    for wrong in (-1, ROWS, None, 1.0, True, "0"):
        with pytest.raises(ValueError, match=rf"row is a whole number 0 \.\. {ROWS - 1}, not"):
            games.history(wrong, 0)  # type: ignore[arg-type]
    for call, wrong in itertools.product((games.history, games.knowledge), (-1, PLAYERS, 1.0, True, "0", "player_9")):
        with pytest.raises(ValueError, match=rf"^{told} 'player_{PLAYERS - 1}', not"):
            call(0, wrong)  # type: ignore[arg-type]
    assert games.history(np.int64(1), np.int8(2)) == games.history(1, "player_2")
    assert games.history(1, 2)[0]["viewer"] == 2


# ---------------------------------------------------------------- one seat


def test_a_single_seat_is_told_its_history(toy: Game) -> None:
    seat = SingleSeat(toy, PLAYERS, seat="rotate", opponents=["heuristic", last_legal])
    for call in (seat.history, seat.since_last, seat.information_state, seat.knowledge):
        with pytest.raises(ResetNeeded, match=r"\(\) was called before reset"):
            call()
    rng = np.random.default_rng(1)
    for number in range(4):
        seat.reset(seed=7 if number == 0 else None)
        told, ended = seat.since_last(), False
        assert told == seat.history()
        assert told[0]["viewer"] == number % PLAYERS
        while not ended:
            other = seat.clone()
            _, _, ended, _, _ = seat.step(pick(seat.action_masks(), rng))
            assert other.history() == told
            told += seat.since_last()
        env = skyline.env(toy, PLAYERS)
        env.reset(seed=seat.games.seeds[0])
        for action in seat.games._histories.running(0).moves:
            env.step(action)
        assert seat.history() == told == env.history(f"player_{number % PLAYERS}")
        assert seat.information_state() == env.information_state(f"player_{number % PLAYERS}")
