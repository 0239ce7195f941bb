"""The arena: games row by row however they are played, duplicate deals, forfeits, time per move."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from skyline import record, registry
from skyline.chance import seat_streams
from skyline.game import NO_SEAT, IllegalMove
from skyline.record import Recorder
from skyline_agents import names
from skyline_agents.match.arena import games as games_of
from skyline_agents.match.clock import NOBODY, Clock, blank
from skyline_agents.match.matches import Match, Played, Seatings, joined
from skyline_agents.match.questions import Guard
from skyline_agents.play import play, record_name
from skyline_agents.protocol import View
from skyline_agents.tournament import processes
from skyline_agents.tournament.settings import event
from skyline_agents.tournament.work import Conditions, Work
from tests.support.played_tournaments import piece
from tests.support.playing import FEW, GAME, MANY, TABLES


class Slow:
    """An agent of the kernel without its number there, so that Python asks it game by game."""

    def __init__(self, name: str = "random") -> None:
        self.inner = names.make(name)

    def begin(self, *given: Any) -> None:
        self.inner.begin(*given)

    def act(self, view: View) -> Any:
        return self.inner.act(view)


class Together(Slow):
    """The same, asked in many games at once."""

    def act_many(self, views: list[View]) -> list[Any]:
        return [self.act(view) for view in views]


class Failing(Slow):
    """Random, but for its third question in games with an odd seed."""

    def __init__(self, wrong: Any) -> None:
        super().__init__()
        self.wrong = wrong
        self.asked: dict[int, int] = {}
        seeds = np.arange(1, 7)
        words = seat_streams(seeds.astype(np.uint64), 0 * seeds, MANY)["rng"]
        self.seeds = {int(word): int(seed) for seed, row in zip(seeds, words, strict=True) for word in row}

    def act(self, view: View) -> Any:
        seed = self.seeds[int(view.stream["rng"][0])]
        self.asked[seed] = self.asked.get(seed, 0) + 1
        action = self.wrong() if seed % 2 and self.asked[seed] >= 3 else super().act(view)
        self.seeds[int(view.stream["rng"][0])] = seed
        return action


class FailingTogether(Failing):
    def act_many(self, views: list[View]) -> list[Any]:
        return [self.act(view) for view in views]


def raises() -> Any:
    raise ZeroDivisionError("no such\nnumber")


def leaves() -> Any:
    raise SystemExit(3)


def a_match(agents: list[Any], players: int = FEW, game: str = GAME, **settings: Any) -> Match:
    loaded = registry.load(game)
    roster = [names.make(agent) if isinstance(agent, str) else agent for agent in agents]
    labels = [agent if isinstance(agent, str) else type(agent).__name__ for agent in agents]
    return Match(loaded, players, loaded.check_options(None), labels, roster, **settings)


def a_seating(agents: list[list[int]], seeds: list[int], salts: list[int] | None = None) -> Seatings:
    return Seatings(np.array(seeds, np.uint64), np.array(agents), np.array(salts or [0] * len(seeds)))


def played(match: Match, seatings: Seatings) -> Played:
    return joined(list(games_of(match, seatings)))


def same(a: Played, b: Played) -> None:
    for column in ("scores", "places", "moves", "forced", "forfeits"):
        np.testing.assert_array_equal(getattr(a, column), getattr(b, column), column)


# ---------------------------------------------------------------- who sits where


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_rows_with_any_agents_come_back_in_their_order_and_are_the_same_alone(name: str, players: int) -> None:
    rng, first = np.random.default_rng(players), list(range(players))
    match = a_match(["random", "heuristic"] * 3 + [Slow(), Together("heuristic")], players, name)
    in_kernel = a_match(["random", "heuristic"] * 4, players, name)
    tables = [first, [*first[:-1], 7], [6, *first[1:]]] * 3
    seats = [rng.permutation(table).tolist() for table in tables]
    seatings = a_seating(seats, rng.integers(2**60, size=9).tolist(), rng.integers(4, size=9).tolist())
    whole = played(match, seatings)
    assert np.isnan(whole.asked[:, 0]).tolist() == [True, False, False] * 3
    same(whole, played(in_kernel, seatings))
    for row in range(9):
        same(whole.take(np.array([row])), played(match, seatings.take(np.array([row]))))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_rotated_deal_has_the_same_cards_and_other_chance_for_the_agents(
    name: str, players: int, tmp_path: Path
) -> None:
    results = play(name, ["random"], 2 * players, players=players, seed=9, duplicate=True, record=tmp_path)
    assert results.column("seeds").tolist() == [9] * players + [10] * players
    rounds = results.column("seats").reshape(2, players, players)
    assert (np.sort(rounds, axis=1) == np.arange(players)[:, np.newaxis]).all(), "everybody sits everywhere"
    texts = [
        [json.loads(line) for line in (tmp_path / record_name(results.game, players, seed, r)).read_text().splitlines()]
        for seed in (9, 10)
        for r in range(players)
    ]
    assert all(lines[0] == texts[0][0] for lines in texts[:players])
    assert all(lines[0] == texts[players][0] for lines in texts[players:])
    assert texts[0][0]["setup"] != texts[players][0]["setup"]
    moves = [[line["move"] for line in lines if "move" in line] for lines in texts]
    assert all(a != b for i, a in enumerate(moves) for b in moves[:i])


def test_duplicate_deals_are_the_observations_of_the_interval() -> None:
    results = play(GAME, ["heuristic", "random"], 2 * 30, players=2, seed=3, duplicate=True)
    scores = results.column("scores").reshape(30, 2, 2).mean(axis=1)
    for k, standing in enumerate(results.standings()):
        assert standing.score_interval == pytest.approx(1.96 * scores[:, k].std(ddof=1) / np.sqrt(30))
    for n in (3, 1):  # 1: no deal is finished
        assert play(GAME, ["random"], n, players=2, seed=3, duplicate=True).standings()[0].score_interval is None


# ---------------------------------------------------------------- forfeits


@pytest.mark.parametrize("players", [FEW, MANY])
@pytest.mark.parametrize("kind", [Failing, FailingTogether])
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (raises, "ZeroDivisionError: no such number (test_arena.py, line "),
        (leaves, "SystemExit: 3 (test_arena.py, line "),
        (lambda: -1, "its answer: action -1 is outside 0 .. "),
        (lambda: None, "its answer: an action is a whole number 0 .. "),
        (lambda: "take 1", "its answer: an action is a whole number 0 .. "),
    ],
    ids=["raises", "leaves", "outside", "nothing", "text"],
)
def test_what_an_agent_does_wrong_costs_it_that_game_only(wrong: Any, says: str, kind: Any, players: int) -> None:
    rest = list(range(1, players))
    seatings = a_seating([[*rest[:1], 0, *rest[1:]], [0, *rest]] * 3, [1, 2, 3, 4, 5, 6])
    games = played(a_match([kind(wrong), *["random"] * (players - 1)], players, forfeits=True), seatings)
    fine = played(a_match(["random"] * players, players), seatings)
    even = np.array([1, 3, 5])
    same(games.take(even), fine.take(even))
    assert games.forfeits.tolist() == [1, NO_SEAT] * 3
    assert [games.reasons[row] for row in even] == [None] * 3
    for row in (0, 2, 4):
        assert games.places[row].tolist() == [1, players, *[1] * (players - 2)]
        assert games.moves[row] < fine.moves[row]
        head = f"{kind.__name__}, move {games.moves[row] + 1}: {says}"
        assert str(games.reasons[row]).startswith(head)
        assert "\n" not in str(games.reasons[row])


def test_an_action_that_is_not_legal_forfeits_with_the_moves_that_are() -> None:
    class Wrong(Slow):
        def act(self, view: View) -> Any:
            return int(np.flatnonzero(view.action_mask == 0)[0])

    seatings = a_seating([[0, *range(1, FEW)]], [5])
    games = played(a_match([Wrong(), *["random"] * (FEW - 1)], forfeits=True), seatings)
    legal = Recorder(GAME, FEW, 5).legal_texts()
    assert games.forfeits.tolist() == [0]
    assert f"is not legal here; legal: {legal[0]}, " in str(games.reasons[0])
    with pytest.raises(IllegalMove):
        played(a_match([Wrong(), *["random"] * (FEW - 1)]), seatings)


@pytest.mark.parametrize("kind", [Slow, Together])
def test_an_agent_that_cannot_begin_forfeits(kind: Any) -> None:
    class Unready(kind):  # type: ignore[misc]
        def begin(self, *given: Any) -> None:
            raise OSError("no model")

    seatings = a_seating([[0, *range(1, FEW)], [1, 0, *range(2, FEW)]], [5, 6])
    games = played(a_match([Unready(), *["random"] * (FEW - 1)], forfeits=True), seatings)
    assert games.forfeits.tolist() == [0, 1]
    assert games.moves.tolist() == [0, 0]
    assert str(games.reasons[1]).startswith("Unready, beginning: OSError: no model")


def test_a_failure_in_many_games_leaves_the_random_numbers_of_the_others_alone() -> None:
    class Draws(Together):
        """Draws from every game's stream, and then cannot do with several games."""

        def act_many(self, views: list[View]) -> list[Any]:
            actions = super().act_many(views)
            if len(views) > 1:
                raise ValueError("too many")
            return actions

    seatings = a_seating([[0, *range(1, FEW)]] * 4, [1, 2, 3, 4])
    rest = ["random"] * (FEW - 1)
    games = played(a_match([Draws(), *rest], forfeits=True), seatings)
    same(games, played(a_match(["random", *rest]), seatings))
    assert games.forfeits.tolist() == [NO_SEAT] * 4


def test_the_record_of_a_forfeited_game_is_set_apart(tmp_path: Path) -> None:
    seatings = a_seating([[0, *range(1, FEW)]] * 2, [1, 2])
    seatings = Seatings(seatings.seeds, seatings.agents, seatings.salts, [tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    games = played(a_match([Failing(raises), *["random"] * (FEW - 1)], forfeits=True), seatings)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl.forfeit", "b.jsonl"]
    record.verify(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl.forfeit").read_text().count('"move"') == games.moves[0]


# ---------------------------------------------------------------- time


class Sleepy(Slow):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.asked = seconds, 0

    def act(self, view: View) -> Any:
        self.asked += 1
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            pass
        return super().act(view)


def test_the_time_of_every_agent_is_measured_and_its_questions_counted() -> None:
    sleepy = Sleepy(0.002)
    seatings = a_seating([[1, 0, *range(2, FEW)]], [5])
    games = played(a_match([sleepy, *["random"] * (FEW - 1)]), seatings)
    assert games.asked[0, 1] == sleepy.asked
    assert games.asked.sum() == games.moves[0]
    assert 0.002 * sleepy.asked <= games.thinking[0, 1] <= games.seconds[0]
    assert 0.002 <= games.slowest[0, 1] <= games.thinking[0, 1]
    whole = played(a_match(["random"] * FEW), seatings)
    assert whole.seconds[0] > 0
    assert np.isnan([whole.thinking, whole.slowest, whole.asked]).all()


@pytest.mark.parametrize("seconds", [0.1, 10_000], ids=["slow", "hangs"])
def test_a_move_over_the_limit_forfeits(seconds: float) -> None:
    begun = time.perf_counter()
    seatings = a_seating([[0, *range(1, FEW)]], [5])
    match = a_match([Sleepy(seconds), *["random"] * (FEW - 1)], forfeits=True, move_seconds=0.05)
    games = played(match, seatings)
    assert games.forfeits.tolist() == [0]
    assert str(games.reasons[0]) == "Sleepy, move 1: it was stopped at the limit of 0.05 s"
    assert time.perf_counter() - begun < 1000  # a busy machine may be slow, but the agent hangs for 10,000 s
    quick = a_match([Sleepy(0), *["random"] * (FEW - 1)], forfeits=True, move_seconds=30)
    assert played(quick, seatings).forfeits.tolist() == [NO_SEAT]


def test_without_signals_the_limit_is_kept_when_the_answer_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("signal.setitimer")
    match = a_match([Sleepy(0.1), *["random"] * (FEW - 1)], forfeits=True, move_seconds=0.05)
    games = played(match, a_seating([[0, *range(1, FEW)]], [5]))
    assert games.forfeits.tolist() == [0]
    assert str(games.reasons[0]).startswith("Sleepy, move 1: it took 0.1")


class Compiles(Slow):
    """Compiles for longer than its limit in its first question, in pieces."""

    seconds = 0.0

    def act(self, view: View) -> Any:
        begun = time.perf_counter()
        for number in range(100):
            if self.seconds > 2:
                break
            compiled(number)
            self.seconds += time.perf_counter() - begun
            begun = time.perf_counter()
        return super().act(view)


def compiled(number: int) -> int:
    """A new function of some size, compiled and called."""
    lines = "".join(
        f"    x = x * {i + number} + (x >> {i % 7})\n    if x > {i * number}: x -= {i}\n" for i in range(40)
    )
    made: dict[str, Any] = {}
    exec(f"def f(x):\n{lines}    return x", made)
    return int(numba.njit(made["f"])(number))


def test_compiling_is_no_thinking() -> None:
    bot = Compiles()
    match = a_match([bot, *["random"] * (FEW - 1)], forfeits=True, move_seconds=1.0)
    games = played(match, a_seating([[0, *range(1, FEW)]], [5]))
    assert bot.seconds > 2
    assert games.forfeits.tolist() == [NO_SEAT], games.reasons
    assert games.slowest[0, 0] < 1.0


def test_a_clock_tells_what_was_compiled_and_who_overstays() -> None:
    made = event(GAME, ["random"], FEW, deals=1)
    task = processes._Task(Work(0, made, Conditions(move_seconds=2.0, begin_seconds=3.0), *piece(made)))
    now, second = time.monotonic_ns(), 10**9

    def asked(**words: int) -> Any:
        record = blank()
        for name, word in {"open": 1, "row": 4, "move": 7, "number": 1, "limit": 2 * second, **words}.items():
            record[name] = word
        return record

    assert processes.overstayed(asked(since=now - second), task) is None
    assert processes.overstayed(asked(since=now - 3 * second), task) == "it was stopped at the limit of 2 s"
    assert processes.overstayed(asked(since=now - 3 * second, move=0), task) == "it was stopped at the limit of 3 s"
    assert processes.overstayed(asked(since=now - 3 * second, open=0), task) is None
    assert processes.overstayed(asked(since=now - 3 * second, limit=0), task) is None
    assert processes.overstayed(asked(since=now - 9 * second, compiled=8 * second), task) is None
    assert processes.overstayed(asked(since=now - 9 * second, compiling=now - 8 * second), task) is None
    assert processes.overstayed(asked(since=now - 9 * second, compiling=now - 20 * second), task) is None
    late = processes.overstayed(asked(since=now - 5000 * second, compiling=now - 4999 * second), task)
    assert late == "it was stopped after compiling for 1800 s"


# ---------------------------------------------------------------- who is being asked


def test_the_guard_says_who_is_asked_and_asks_nobody_who_is_condemned() -> None:
    asked, seen = blank(), []

    class Looks(Slow):
        def act(self, view: View) -> Any:
            assert asked["open"][0]
            seen.append((*(int(asked[name][0]) for name in ("row", "seat", "move")), view.seat))
            return super().act(view)

    seatings = a_seating([[0, *range(1, FEW)], [1, 0, *range(2, FEW)]], [5, 6])
    match = a_match([Looks(), *["random"] * (FEW - 1)], forfeits=True, guard=Guard(Clock(asked)))
    games = played(match, seatings)
    assert {(row, seat) for row, seat, _, seat_seen in seen if seat == seat_seen} == {(0, 0), (1, 1)}
    assert len(seen) == games.asked[0, 0] + games.asked[1, 1]
    assert not asked["open"][0]
    assert asked["row"][0] != NOBODY, "who was asked last stays written"
    row, seat, move, _ = seen[-1]
    guard = Guard(Clock(asked), {(row, seat): (move, "it is known")})
    condemned = played(a_match([Looks(), *["random"] * (FEW - 1)], forfeits=True, guard=guard), seatings)
    assert condemned.forfeits.tolist() == [NO_SEAT, 1]
    assert condemned.reasons[1] == f"Looks, move {move}: it is known"
    assert condemned.moves[1] == move - 1
