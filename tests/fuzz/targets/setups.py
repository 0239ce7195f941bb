"""Setups of records and results of shuffles: the random part of a deal or of a move, given as data."""

from __future__ import annotations

import pickle
import random
import zlib
from typing import Any

from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from skyline.record import Recorder
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import Tree, as_json, from_json, moved_about, mutated
from tests.fuzz.targets.bounds import BoundsChecked
from tests.fuzz.targets.positions import checked

MOVES = 60  # random moves after a deal


class Setups(BoundsChecked):
    name = "setups"
    meaning = "setup objects through Recorder and reset, and shuffles through Recorder.play; under bounds checks"
    place = r"(?i)setup|shuffle|deck|order"
    share = 2.0

    def gather(self) -> None:
        """Gather setups of new games, and moves that caused a shuffle with all moves before."""
        self.deals: list[Tree] = []
        self.shuffles: list[Tree] = []
        for number, (game, players, options) in enumerate(played_games.variants()):
            recorder, chance = Recorder(game, players, number, options), random.Random(number)
            head = {"game": game.name, "players": players, "options": options}
            self.deals.append({**head, "setup": recorder.lines[0]["setup"]})
            moves: list[int] = []
            while recorder.seat is not None:
                action = chance.choice(recorder.legal())
                before = len(recorder.lines)
                recorder.play(action)
                events = [line["shuffle"] for line in recorder.lines[before + 1 :] if "shuffle" in line]
                if events and len(moves) < 60:
                    self.shuffles.append({**head, "seed": number, "moves": [*moves, action], "given": events})
                moves.append(action)
            played_games.begun(game, players, options, 1).observe()
            self.run(as_json(self.deals[-1]).encode())
            self._reset(game.name, players, self.deals[-1]["setup"])

    def make(self, chance: random.Random) -> bytes:
        source = self.shuffles if self.shuffles and chance.random() < 0.3 else self.deals
        case = dict(chance.choice(source))
        field = "given" if "given" in case else "setup"
        donors = [other[field] for other in chance.sample(source, min(3, len(source)))]
        change = moved_about if chance.random() < 0.5 else mutated
        return as_json({**case, field: change(chance, case[field], donors)}).encode()

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        case = from_json(data)
        field = "given" if "given" in case else "setup"
        return as_json({**case, field: mutated(chance, case[field], [case])}).encode()

    def run(self, data: bytes) -> bool:
        case, chance = from_json(data), random.Random(zlib.crc32(data))
        return self._shuffle(case) if "given" in case else self._deal(case, chance)

    def _deal(self, case: Any, chance: random.Random) -> bool:
        game, players, options, setup = (case[key] for key in ("game", "players", "options", "setup"))
        if setup is None:
            return False  # no setup: a deal by chance
        if chance.randrange(4) == 0:
            self._reset(game, players, setup)
        recorder = Recorder(game, players, 1, options, setup=setup)
        if as_json(recorder.lines[0]["setup"], sort_keys=True) != as_json(setup, sort_keys=True):
            raise Finding(f"a setup is dealt as another one: {as_json(recorder.lines[0]['setup'])[:500]}")
        checked(recorder.game, recorder.state, "the deal of a setup")
        table = played_games.Table(recorder.game, recorder.state)
        table.play_on(chance, MOVES)
        checked(recorder.game, recorder.state, "the position after random moves")
        return True

    def _reset(self, game: str, players: int, setup: Any) -> None:
        """Check that an environment that refuses a setup is the same as before."""
        if (game, players) not in self.envs:
            self.envs[game, players] = TurnBasedEnv(game, players)
        env = self.envs[game, players]
        env.reset(seed=1)
        before = pickle.dumps(env)
        try:
            env.reset(options={"setup": setup})
        except ValueError:
            if pickle.dumps(env) != before:
                raise Finding("an environment was changed by a setup that it refused") from None

    def _shuffle(self, case: Any) -> bool:
        *moves, last = case["moves"]
        recorder = Recorder(registry.load(case["game"]), case["players"], case["seed"], case["options"])
        for action in moves:
            recorder.play(action)
        before = recorder.state.tobytes(), recorder.mask.tobytes(), recorder.text()
        try:
            recorder.play(last, case["given"])
        except ValueError:
            if (recorder.state.tobytes(), recorder.mask.tobytes(), recorder.text()) != before:
                raise Finding("a recorder was changed by a shuffle that it refused") from None
            raise
        checked(recorder.game, recorder.state, "the position after a shuffle of other cards")
        return True
