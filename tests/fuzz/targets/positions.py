"""Positions: JSON objects in the words of the rules, which are changed, loaded and played on under bounds checks."""

from __future__ import annotations

import pickle
import random
import traceback
import zlib
from typing import Any

from skyline import record, registry
from skyline.game import BrokenState, Game
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import Tree, as_json, from_json, moved_about, mutated
from tests.fuzz.targets.bounds import BoundsChecked

MOST_MOVES = 400  # the most random moves after a load
GAMES, MOMENTS = 3, 8  # new games for each variant, and positions of each game
DRAWN = 16  # one of that many loaded positions is drawn


class Positions(BoundsChecked):
    name = "positions"
    meaning = "positions through record.state_of and the environment's reset, loaded ones played under bounds checks"
    place = r"^position|^option |players, not"
    share = 4.0

    def gather(self) -> None:
        chance = random.Random(1)
        self.pool: dict[tuple[str, int], list[Tree]] = {}
        for game, players, options in played_games.variants():
            found = self.pool.setdefault((game.name, players), [])
            for _ in range(GAMES):
                found += played_games.positions(game, players, options, chance, MOMENTS)
        for game, players in {game: players for game, players, _ in played_games.variants()}.items():
            table = played_games.begun(game, players, {}, 1)  # compiles kernels that positions() does not use
            table.observe()
            game.places(table.states[0])
            self._env(game, players)
            self.run(as_json({"game": game.name, "position": self.pool[game.name, players][0]}).encode())

    def make(self, chance: random.Random) -> bytes:
        game, players = chance.choice(list(self.pool))
        of_game = self.pool[game, players]
        donors = chance.sample(of_game, 3)
        if chance.random() < 0.2:
            donors.append(chance.choice(self.pool[chance.choice(list(self.pool))]))
        change = moved_about if chance.random() < 0.7 else mutated
        return as_json({"game": game, "position": change(chance, chance.choice(of_game), donors)}).encode()

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        given = from_json(data)
        donors = chance.choice(list(self.pool.values()))
        change = moved_about if chance.random() < 0.7 else mutated
        return as_json({**given, "position": change(chance, given["position"], donors)}).encode()

    def run(self, data: bytes) -> bool:
        given = from_json(data)
        game, position = registry.load(given["game"]), given["position"]
        chance = random.Random(zlib.crc32(data))
        try:
            states = record.state_of(game, position)
        except (ValueError, OSError):
            if chance.randrange(8) == 0:
                self._refused_by_environment(game, position)
            raise
        finally:
            if as_json(position) != as_json(from_json(data)["position"]):
                raise Finding("the caller's position was changed by loading it")
        options = position.get("options") or {}
        whole = holds(game, states)
        _comes_back(game, states, options)
        table = played_games.Table(game, states)
        if chance.randrange(DRAWN) == 0:
            _draw(game, table)
        try:
            table.play_on(chance, MOST_MOVES)
        except IndexError as error:  # what numba raises under bounds checks
            raise Finding(
                f"{game.name}: an access outside an array: {error}", f"{game.name}: outside an array"
            ) from error
        if whole:
            checked(game, states, "the position after random moves")
        _comes_back(game, states, options)
        if table.over:
            game.places(states[0])
        return True

    def _env(self, game: Game, players: int) -> Any:
        from skyline.envs.aec import TurnBasedEnv

        if (game.name, players) not in self.envs:
            env = TurnBasedEnv(game, players)
            env.reset(seed=1)
            env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
            self.envs[game.name, players] = env
        return self.envs[game.name, players]

    def _refused_by_environment(self, game: Game, position: Any) -> None:
        """Check that the environment refuses the position, too, and is the same as before."""
        players = position.get("players") if isinstance(position, dict) else None
        env = self._env(
            game, players if type(players) is int and players in game.player_counts else game.player_counts[0]
        )
        before = pickle.dumps(env)
        try:
            env.reset(options={"position": position})
        except ValueError:
            if pickle.dumps(env) != before:
                raise Finding("an environment was changed by a position that it refused") from None
        else:
            raise Finding("an environment took a position that record.state_of refused")


def holds(game: Game, states: Any) -> bool:
    """Whether all invariants hold. A made-up position may have fewer cards and pieces than the game: missing fields are
    empty."""
    try:
        game.check(states[0])
    except BrokenState:
        return False
    return True


def checked(game: Game, states: Any, what: str) -> None:
    try:
        game.check(states[0])
    except (AssertionError, ValueError) as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        raise Finding(
            f"{what} breaks an invariant of the game: {error or line.line}",
            f"{game.name}: {what} is wrong: {line.name}",
        ) from error


def _comes_back(game: Game, states: Any, options: dict[str, Any]) -> None:
    """Check that the position of the state loads again, and that its state has the same position."""
    written = as_json(record.position_of(game, states[0], options))
    try:
        loaded = record.state_of(game, from_json(written))
    except ValueError as error:
        raise Finding(f"a position that was written is refused: {error}", f"{game.name}: written, refused") from error
    again = as_json(record.position_of(game, loaded[0], options))
    if again != written:
        names = [name for name, value in from_json(written).items() if from_json(again).get(name) != value]
        raise Finding(f"a position comes back with other {', '.join(names)}", f"{game.name}: other {', '.join(names)}")


def _draw(game: Game, table: played_games.Table) -> None:
    for seat in (None, *range(table.players)):
        game.text(table.states[0], seat, None)
        game.svg(table.states[0], seat, None)
