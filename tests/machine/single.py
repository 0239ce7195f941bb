"""Calls of the one-seat environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from skyline.envs.single import SingleSeat
from skyline.game import IllegalMove
from tests.machine.aec import HUGE, NO_ACTIONS
from tests.machine.opponents import HEALTHY, WRONG, Fault
from tests.machine.run import Difference, Random, Run, exact_view, illegal_number, is_over, legal_number, same, weight
from tests.machine.vector import batch_of
from tests.machine.worlds import World


class SingleRun(Run):
    KIND = "single"

    @classmethod
    def some_settings(cls, rng: Random, world: World) -> dict[str, Any]:
        return {
            "seat": rng.choice(("rotate", *range(world.players))),
            "opponents": [rng.choice(sorted(HEALTHY)) for _ in range(world.players - 1)],
            "reward": rng.choice(("outcome", "score", "margin")),
            "illegal": rng.choice(("raise", "raise", "lose")),
            "memory": rng.choice(("recall", "table")),
            "features": rng.choice(("base", "rich")),
            "obs_dtype": rng.choice(("int16", "float32")),
            "auto_forced": rng.random() < 0.3,
            "max_cycles": rng.choice((None, None, 1, 3, 40)),
            "render_mode": rng.choice((None, None, "ansi", "svg")),
        }

    def make(self, settings: dict[str, Any]) -> SingleSeat:
        own = {**settings, "opponents": [HEALTHY[name] for name in settings["opponents"]]}
        self.given: Any = None  # the result of the last reset or step
        return SingleSeat(self.world.game, self.world.players, **own, **self.world.options)

    def all_of(self, env: SingleSeat) -> Any:
        return batch_of(env.games)

    def own(self, env: SingleSeat) -> Any:
        random = env._np_random
        return [self.all_of(env), None if random is None else str(random.bit_generator.state)]

    @property
    def running(self) -> bool:
        return self.begun and not is_over(self.twin.games.states)

    @property
    def mask(self) -> Any:
        return self.twin.games.action_mask[0]

    def check_views(self) -> None:
        if self.begun and self.given is not None:
            games, settings = self.env.games, self.settings
            stopped = bool(games._rows.stopped[0])  # the game is truncated: nobody decides any more
            states = games.finals if stopped else games.states
            observation, mask = exact_view(
                games.game, states, int(games.learner[0]), self.given[0], settings["features"], settings["obs_dtype"]
            )
            same("the observation given and the state", self.given[0], observation)
            same("the mask given and the state", self.given[-1]["action_mask"], mask * (not stopped))
            if self.running and games.states["seat"][0] != games.learner[0]:
                raise Difference("it is not the learning seat's turn")

    def taken(self, given: Any) -> None:
        """Keep a copy of a result: the caller may write into the arrays."""
        self.given = [part.copy() if isinstance(part, np.ndarray) else part for part in given]
        self.given[-1] = dict(given[-1])
        self.given[-1]["action_mask"] = given[-1]["action_mask"].copy()

    def wander(self, env: SingleSeat, rng: Random) -> None:
        if rng.random() < 0.3 or not self.begun:
            env.reset(seed=rng.randrange(2**64))
        for _ in range(rng.randrange(15)):
            if is_over(env.games.states):
                env.reset()
            else:
                observation, *_, info = env.step(legal_number(env.action_masks(), rng))
                observation[:], info["action_mask"][:] = 7, 1

    @weight(3)
    def call_reset(self, rng: Random) -> None:
        seed = rng.choice((None, None, 0, 2**64 - 1, rng.randrange(2**64), np.int64(9)))
        if seed is None and not self.begun:
            given = self.env.reset()
            same("what reset gave", given, self.twin.reset(seed=self.env.games.seeds[0]))
        else:
            given = self.valid(lambda env: env.reset(seed=seed, options=rng.choice((None, {}))))
        self.taken(given)
        self.begun = True

    def call_reset_wrongly(self, rng: Random) -> None:
        self.wrong_reset(rng, [{"position": {}}, {1: 2}])

    @weight(8)
    def call_step(self, rng: Random) -> None:
        if not self.running:
            self.refused(ResetNeeded, lambda env: env.step(0))
            return
        action = legal_number(self.mask, rng)
        action = rng.choice((action, np.int64(action), np.array(action)))
        self.taken(self.valid(lambda env: env.step(action)))

    @weight(4)
    def call_step_wrongly(self, rng: Random) -> None:
        if not self.running:
            self.refused(ResetNeeded, lambda env: env.step(rng.choice((None, -1, "pass"))))
            return
        action, is_number = illegal_number(self.mask, rng), True
        if rng.random() < 0.4:
            action, is_number = rng.choice(NO_ACTIONS), False
        elif rng.random() < 0.3:
            action = rng.choice(HUGE)
        if not is_number:
            self.refused(ValueError, lambda env: env.step(action))
        elif self.settings["illegal"] == "raise":
            self.refused(IllegalMove, lambda env: env.step(action))
        else:
            self.taken(self.valid(lambda env: env.step(action)))

    @weight(3)
    def call_with_a_fault(self, rng: Random) -> None:
        """An opponent fails in a step or reset; then the same call is made without the fault."""
        fault = Fault(rng.choice(sorted(WRONG)), rng.randrange(4))
        if self.running:
            action = legal_number(self.mask, rng)
            given = self.faulty(fault, lambda env: env.step(action))
        else:
            seed = rng.randrange(2**64)
            given = self.faulty(fault, lambda env: env.reset(seed=seed))
        self.taken(given)
        self.begun = True

    @weight(2)
    def call_advance(self, rng: Random) -> None:
        for _ in range(rng.choice((3, 10, 40))):
            if not self.running:
                return
            action = legal_number(self.mask, rng)
            self.taken(self.valid(lambda env, action=action: env.step(action)))

    @weight(3)
    def call_look(self, rng: Random) -> None:
        name = rng.choice(("action_masks", "render", "history", "since_last", "information_state"))
        if not self.begun and not (name == "render" and self.settings["render_mode"] is None):
            self.refused(ResetNeeded, lambda env: getattr(env, name)())
        else:
            self.valid(lambda env: getattr(env, name)())

    def call_write_into_what_was_given(self, rng: Random) -> None:
        for array, _ in self.kept:
            array[...] = 1
        self.kept.clear()
