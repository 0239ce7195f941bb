"""One learning seat in a batch: opponents move inside, and no reward of the learning seat is lost.

Every row has a twin: the AEC environment in which the opponents' moves are made by hand, from the same streams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import skyline
from skyline.core import engine
from skyline.envs import rows as batch
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, IllegalMove
from skyline.rng import streams
from tests.skyline.test_vector import SEED, choose, generators, snapshot, step
from tests.support.playing import GAME, Array, aec, fewest, most, raw, tables


def thoughtful(observations: Array, masks: Array, seats: Array) -> Array:
    """An opponent whose action depends on all arguments: a legal action by a sum over the observation."""
    assert len(observations) == len(masks) == len(seats) > 0
    assert masks.any(axis=1).all(), "it is asked only where it has to move"
    words = observations.astype(np.int64).sum(axis=1) * 7 + seats
    return np.array([np.flatnonzero(mask)[word % mask.sum()] for mask, word in zip(masks, words, strict=True)])


LINE_UPS: dict[str, Callable[[int], Any]] = {
    "random": lambda others: "random",
    "heuristic": lambda others: "heuristic",
    "callable": lambda others: thoughtful,
    "mixed": lambda others: [(thoughtful, "random", "heuristic")[j % 3] for j in range(others)],
}


STEPS_TO_OTHERS = 8  # decisions of the learning seat before the opponents change
STEPS_TO_OPPONENTS = 10  # a game may begin with several decisions of seat 0
FORCED_STEPS = 150  # within that many decisions of the learning seat an opponent has a forced one


class SeatTwin:
    """The AEC environment of one row with the learning seat's opponents played by hand."""

    def __init__(self, games: VectorGames, seed: int, opponents: Any, learner: int, **settings: Any) -> None:
        self.env = aec(games.game.name, games.players, seed=seed, **settings)
        self.meets(opponents)
        self.learner, self.rotates = learner, games.seat == "rotate"
        self.stream, self.forced = streams(1, seed), games.auto_forced
        self.earned = np.zeros(games.players)
        self.ended = 0
        self.others_move()

    def meets(self, opponents: Any) -> None:
        self.opponents = opponents if isinstance(opponents, list) else [opponents] * (self.env.players - 1)

    def play(self, action: int) -> None:
        self.env.step(action)
        self.earned += [self.env.rewards[agent] for agent in self.env.agents]

    def seat(self) -> int:
        return int(self.env._states["seat"][0])

    def others_move(self) -> None:
        """Move the other seats until the learning seat has to choose or the game is over."""
        while self.seat() != NO_SEAT:
            mask = self.env._mask
            if self.seat() == self.learner:
                if not self.forced or mask.sum() > 1:
                    return
                action = int(mask.argmax())
            else:
                action = self.answer(self.opponents[(self.seat() - self.learner - 1) % self.env.players], mask)
            self.play(action)

    def answer(self, opponent: Any, mask: Array) -> int:
        if callable(opponent):
            seen = self.env.last()[0]
            return int(opponent(seen["observation"][None], mask, np.array([self.seat()]))[0])
        actions, policy = np.zeros(1, np.int64), np.array([engine.POLICIES[opponent]])
        kernels = engine.kernels(self.env.game)
        kernels.choose_rows(self.env._states.copy(), np.ascontiguousarray(mask), policy, self.stream, actions)
        return int(actions[0])

    def step(self, action: int) -> dict[str, Any]:
        """Make the learning seat's move and all moves until its next one; the results that the row must have."""
        self.play(action)
        self.others_move()
        said = {"rewards": self.earned.tolist(), "ended": self.seat() == NO_SEAT, "learner": self.learner}
        self.earned = np.zeros(self.env.players)
        if said["ended"]:
            s = self.env._states[0]
            said |= {"obs": self.env.observe(f"player_{self.learner}")["observation"], "episode": self.ended}
            said |= {"scores": s.scores[: self.env.players].tolist(), "places": self.env.game.places(s)}
            self.ended += 1
            self.env.reset()
            self.learner = (self.learner + self.rotates) % self.env.players
            self.others_move()
        return said


def compare(
    game: str, players: int, seat: Any, line_up: str, n: int = 3, each: int = 2, threads: int = 1,
    then: str | None = None, **settings: Any
) -> None:  # fmt: skip
    """Step n games and their twins until every row has finished some games; after some steps opponents are `then`."""
    opponents = LINE_UPS[line_up](players - 1)
    games = skyline.vector(game, n, players, seat=seat, opponents=opponents, threads=threads, **settings)
    observations, _ = games.reset(seed=SEED)
    learners = [row % players if seat == "rotate" else seat for row in range(n)]
    twins = [SeatTwin(games, SEED + row, opponents, learners[row], **_twins_own(settings)) for row in range(n)]
    rngs, ended, steps = generators([SEED + row for row in range(n)]), np.zeros(n, int), 0
    while ended.min() < each:
        steps += 1
        if then is not None and steps == STEPS_TO_OTHERS:
            opponents = LINE_UPS[then](players - 1)
            games.set_opponents(opponents)
            for twin in twins:
                twin.meets(opponents)
        assert np.array_equal(games.current_player, games.learner), "the learning seat is always to move"
        for row, twin in enumerate(twins):
            assert games.states[row].tobytes() == raw(twin.env)
            assert games.learner[row] == twin.learner
            seen = twin.env.last()[0]
            assert np.array_equal(observations[row], seen["observation"])
            assert np.array_equal(games.action_mask[row], seen["action_mask"])
        actions = choose(games, rngs)
        observations, said = step(games, actions)
        for row, twin in enumerate(twins):
            wanted = twin.step(int(actions[row]))
            assert said["rewards_all"][row].tolist() == pytest.approx(wanted["rewards"], abs=1e-6)
            assert said["rewards"][row] == said["rewards_all"][row, wanted["learner"]]
            assert said["ended"][row] == wanted["ended"]
            if wanted["ended"]:
                assert np.array_equal(said["final_obs"][row], wanted["obs"])
                for name in ("scores", "places", "episode"):
                    assert said["final_info"][name][row].tolist() == wanted[name]
        ended += said["ended"]


def _twins_own(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that the twin shares. The twin plays forced moves itself."""
    return {name: value for name, value in settings.items() if name != "auto_forced"}


# ---------------------------------------------------------------- the same as alone


@tables
@pytest.mark.parametrize("line_up", LINE_UPS)
def test_a_learning_seat_earns_what_it_earns_alone(game: str, players: int, line_up: str) -> None:
    """With a rotating seat and points as rewards, which the seat also gets in moves of other seats."""
    compare(game, players, "rotate", line_up, reward="score")


@most
@pytest.mark.parametrize("line_up", ["heuristic", "mixed"])
@pytest.mark.parametrize("settings", [{}, {"auto_forced": True, "reward": "score"}, {"reward": "margin"}], ids=str)
def test_the_same_with_settings(game: str, players: int, line_up: str, settings: dict[str, Any]) -> None:
    for seat in (0, players - 1):
        compare(game, players, seat, line_up, each=1, **settings)


@tables
@pytest.mark.parametrize(("line_up", "then"), [("random", "mixed"), ("callable", "heuristic"), ("mixed", "callable")])
def test_opponents_change_between_steps(game: str, players: int, line_up: str, then: str) -> None:
    """New opponents play from the next move on in the running games; nothing else changes."""
    compare(game, players, "rotate", line_up, each=1, then=then, auto_forced=True)


@fewest
def test_opponents_can_be_set_before_the_first_reset(game: str, players: int) -> None:
    games, wanted = (skyline.vector(game, 3, players, seat=0, opponents=who) for who in ("random", "heuristic"))
    games.set_opponents("heuristic")
    for part in (games, wanted):
        part.reset(seed=SEED)
        for _ in range(STEPS_TO_OPPONENTS):
            part.step(part.action_mask.argmax(axis=1))
    assert games.states.tobytes() == wanted.states.tobytes()


@fewest
def test_wrong_opponents_change_nothing(game: str, players: int) -> None:
    games = skyline.vector(game, 3, players, seat=0, opponents="heuristic")
    games.reset(seed=SEED)
    before = games._rows.policies.copy()
    for wrong, reason in (("chance", "an opponent is one of"), (["random"] * players, f"{players - 1} opponent")):
        with pytest.raises(ValueError, match=reason):
            games.set_opponents(wrong)
    assert np.array_equal(games._rows.policies, before)
    with pytest.raises(ValueError, match="need a learning seat"):
        skyline.vector(game, 3, players).set_opponents("heuristic")


@tables
def test_a_function_is_not_asked_for_forced_moves(game: str, players: int) -> None:
    """With auto_forced no opponent is asked for forced moves, without it every opponent is."""
    legal: list[int] = []

    def counting(observations: Array, masks: Array, seats: Array) -> Array:
        legal.extend(masks.sum(axis=1, dtype=int).tolist())
        return thoughtful(observations, masks, seats)

    for forced in (True, False):
        legal.clear()
        games = skyline.vector(game, 4, players, seat="rotate", opponents=counting, auto_forced=forced)
        games.reset(seed=SEED)
        for _ in range(FORCED_STEPS):
            games.step(games.action_mask.argmax(axis=1))
        assert (min(legal) == 1) is not forced


@fewest
def test_threads_change_nothing(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ROWS_A_THREAD", 1)
    for threads in (2, 3):
        compare(game, players, "rotate", "mixed", n=5, each=1, threads=threads)


@fewest
@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_other_autoreset_modes(game: str, players: int, mode: str) -> None:
    """The same games as with "same_step", with a step or a reset between them."""
    wanted = skyline.vector(game, 2, players, seat="rotate", opponents="heuristic")
    games = skyline.vector(game, 2, players, seat="rotate", opponents="heuristic", autoreset=mode)
    wanted.reset(seed=SEED)
    games.reset(seed=SEED)
    first, second = generators([1, 2]), generators([1, 2])
    for _ in range(400):
        _, said = step(wanted, choose(wanted, first))
        _, got = step(games, choose(games, second))
        for name in ("rewards", "rewards_all", "ended"):
            assert np.array_equal(said[name], got[name])
        if said["ended"].any():
            rows = np.flatnonzero(said["ended"])
            assert np.array_equal(said["final_obs"][rows], got["final_obs"][rows])
            assert (games.current_player[rows] == NO_SEAT).all()
            break
    over = games.current_player == NO_SEAT
    if mode == "disabled":
        games.reset(options={"reset_mask": over})
    else:
        running = np.flatnonzero(~over)
        held = games.states[running].copy()
        _, got = step(games, choose(games, second))
        assert not got["rewards_all"][over].any()
        assert not got["ended"][over].any()
        assert held.tobytes() != games.states[running].tobytes() or not len(running)
    assert games.states[over].tobytes() == wanted.states[over].tobytes()
    assert np.array_equal(games.learner, wanted.learner)


@fewest
def test_a_partial_reset_leaves_the_other_games_as_they_are(game: str, players: int) -> None:
    """The future moves of opponents stay the same, too."""
    one, two = (skyline.vector(game, 3, players, seat=0, opponents="random") for _ in range(2))
    for games in (one, two):
        games.reset(seed=SEED)
        games.step(games.action_mask.argmax(axis=1))
    two.reset(seed=99, options={"reset_mask": np.array([True, False, False])})
    for _ in range(12):
        for games in (one, two):
            games.step(games.action_mask.argmax(axis=1))
        assert one.states[1:].tobytes() == two.states[1:].tobytes()
    assert one.seeds[0] != two.seeds[0]


# ---------------------------------------------------------------- seats


@tables
def test_rotation_is_balanced(game: str, players: int) -> None:
    """Row i begins in seat i mod P and moves on by one from game to game."""
    n = 2 * players
    games = skyline.vector(game, n, players, seat="rotate", opponents="random")
    games.reset(seed=SEED)
    rngs, history = generators(list(range(n))), [[seat] for seat in games.learner.tolist()]
    while min(map(len, history)) <= players:
        _, said = step(games, choose(games, rngs))
        for row in np.flatnonzero(said["ended"]):
            history[row].append(int(games.learner[row]))
    assert [seats[: players + 1] for seats in history] == [
        [(row + k) % players for k in range(players + 1)] for row in range(n)
    ]
    games.reset()
    assert games.learner.tolist() == [(seats[-1] + 1) % players for seats in history]
    games.reset(seed=SEED)
    assert games.learner.tolist() == [row % players for row in range(n)]


@most
def test_a_fixed_seat_stays_and_the_opponents_sit_round_it(game: str, players: int) -> None:
    """The j-th opponent sits j + 1 seats after the learning seat, and sees what that seat sees."""
    asked: list[tuple[int, Array]] = []

    def opponent(j: int) -> Callable[[Array, Array, Array], Array]:
        def act(observations: Array, masks: Array, seats: Array) -> Array:
            asked.append((j, seats.copy()))
            rows = np.flatnonzero(games.states["seat"] == (seat + 1 + j) % players)
            assert len(rows) == len(seats)
            for k, row in enumerate(rows):
                out = engine.observation_array(games.game, players)
                engine.kernels(games.game).observe_some(
                    games.states[row : row + 1].copy(), np.zeros(1, np.int64), seats[k : k + 1], out, engine.NO_SCALES
                )
                assert np.array_equal(out[0], observations[k])
                assert np.array_equal(engine.legal_actions(games.game, games.states[row]), np.flatnonzero(masks[k]))
            return masks.argmax(axis=1)

        return act

    for seat in range(players):
        games = skyline.vector(game, 3, players, seat=seat, opponents=[opponent(j) for j in range(players - 1)])
        games.reset(seed=SEED)
        asked.clear()
        for _ in range(15):
            games.step(games.action_mask.argmax(axis=1))
            assert (games.learner == seat).all()
        assert {j for j, _ in asked} == set(range(players - 1))
        assert all((seats == (seat + 1 + j) % players).all() for j, seats in asked)


# ---------------------------------------------------------------- faults


@fewest
def test_an_illegal_action_of_an_opponent_is_reported(game: str, players: int) -> None:
    def cheater(observations: Array, masks: Array, seats: Array) -> Array:
        return masks.argmin(axis=1)

    games = skyline.vector(game, 3, players, seat=0, opponents=cheater)
    with pytest.raises(IllegalMove, match=r"^opponent <function .*cheater.*>: game \d, player_[1-9]: .*legal: "):
        games.reset(seed=SEED)
        for _ in range(STEPS_TO_OPPONENTS):
            games.step(games.action_mask.argmax(axis=1))


@fewest
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda o, m, s: np.zeros(99, int), "gave actions of shape"),
        (lambda o, m, s: m, "gave actions of shape"),
        (lambda o, m, s: 0, "gave actions of shape"),
        (lambda o, m, s: m.argmax(1) + 0.5, "whole numbers"),
        (lambda o, m, s: m.argmax(1).astype(str), "whole numbers"),
    ],
)
def test_an_opponents_answer_of_a_wrong_shape_or_type_is_reported(
    game: str, players: int, answer: Any, says: str
) -> None:
    games = skyline.vector(game, 3, players, seat=0, opponents=answer)
    with pytest.raises(ValueError, match=says):
        games.reset(seed=SEED)
        for _ in range(STEPS_TO_OPPONENTS):
            games.step(games.action_mask.argmax(axis=1))


@most
def test_an_illegal_action_of_the_learning_seat(game: str, players: int) -> None:
    """With illegal="raise" no game changes; with "lose" the seat gets -1, and the next game begins."""
    games = skyline.vector(game, 3, players, seat="rotate", opponents="heuristic")
    games.reset(seed=SEED)
    before, actions = snapshot(games), games.action_mask.argmax(axis=1)
    actions[1] = -1
    with pytest.raises(IllegalMove, match=f"^game 1, player_{games.learner[1]}: action -1"):
        games.step(actions)
    assert snapshot(games) == before
    lenient = skyline.vector(game, 3, players, seat="rotate", opponents="heuristic", illegal="lose")
    lenient.reset(seed=SEED)
    learner = lenient.learner[1]
    _, said = step(lenient, actions)
    assert said["ended"].tolist() == [False, True, False]
    assert said["rewards"][1] == -1
    assert said["rewards_all"][1].tolist() == [-1.0 if seat == learner else 0.0 for seat in range(players)]
    assert lenient.current_player[1] == lenient.learner[1] == (learner + 1) % players


class Counted:
    """The kernels of a batch; their names are written down as they are asked for."""

    def __init__(self, kernels: engine.Kernels) -> None:
        self.kernels, self.names = kernels, list[str]()

    def __getattr__(self, name: str) -> Any:
        self.names.append(name)
        return getattr(self.kernels, name)


def test_a_step_against_policies_is_one_call() -> None:
    games = skyline.vector(GAME, 8, seat="rotate", opponents="heuristic")
    games.reset(seed=SEED)
    games._rows.kernels = counted = Counted(games._rows.kernels)  # type: ignore[assignment]
    games.step(games.action_mask.argmax(axis=1))
    assert counted.names == ["step_learners"]
