"""Calls of the PettingZoo environment."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from skyline.envs.aec import TurnBasedEnv
from skyline.game import IllegalMove
from tests.machine.run import Difference, Random, Run, exact_view, illegal_number, legal_number, same, weight
from tests.machine.worlds import World, positions, setup

NO_ACTIONS = (None, 1.0, "0", b"", [0], {}, True, False, np.float64(0), np.True_, np.zeros(2, int), object)
HUGE = (2**63, 2**64, 2**70, -(2**70), np.uint64(2**64 - 1))


class AecRun(Run):
    KIND = "aec"

    @classmethod
    def some_settings(cls, rng: Random, world: World) -> dict[str, Any]:
        return {
            "reward": rng.choice(("outcome", "score", "margin")),
            "illegal": rng.choice(("raise", "raise", "lose")),
            "memory": rng.choice(("recall", "table")),
            "features": rng.choice(("base", "rich")),
            "obs_dtype": rng.choice(("int16", "float32")),
            "auto_forced": rng.random() < 0.3,
            "copy": rng.random() < 0.7,
            "max_cycles": rng.choice((None, None, 1, 3, 40)),
            "render_mode": rng.choice((None, None, "ansi", "svg")),
            "looks": rng.random() < 0.4,  # a setting of the test: last() after every call
        }

    def make(self, settings: dict[str, Any]) -> TurnBasedEnv:
        own = {name: value for name, value in settings.items() if name != "looks"}
        return TurnBasedEnv(self.world.game, self.world.players, **own, **self.world.options)

    def twins(self, settings: dict[str, Any]) -> dict[str, Any]:
        return {**settings, "copy": not settings["copy"]}

    def all_of(self, env: TurnBasedEnv) -> Any:
        names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
                 "_steps")  # fmt: skip
        return [
            env._states.tobytes(), env._mask, env._rewards, env._seat, env.options, env._last_move,
            {name: getattr(env, name, "none") for name in names}, env._history.moves if self.begun else [],
        ]  # fmt: skip

    def own(self, env: TurnBasedEnv) -> Any:
        seen = [self.all_of(env)]
        if self.settings["looks"] and self.begun and env.agents:
            seen.append(env.last())
        return seen

    @property
    def agent(self) -> str:
        return str(self.twin.agent_selection)

    @property
    def running(self) -> bool:
        """Whether an agent has to choose."""
        twin = self.twin
        return bool(self.begun and twin.agents and not (twin.terminations[self.agent] or twin.truncations[self.agent]))

    def check_views(self) -> None:
        if not self.begun:
            return
        infos = self.env.infos
        if self.running:
            seat = self.env.possible_agents.index(self.agent)
            observation, mask = self.exact(seat)
            same("the mask in infos and the legal actions", infos[self.agent]["action_mask"], mask)
            if self.settings["looks"]:
                seen = self.valid(lambda env: env.last())[0]
                same("what last() shows and the state", seen, {"observation": observation, "action_mask": mask})
        if any(
            infos[agent]["action_mask"].any() for agent in self.env.agents if not self.running or agent != self.agent
        ):
            raise Difference("an agent that has nothing to choose has a mask")

    def exact(self, seat: int) -> tuple[Any, Any]:
        like, settings = np.empty(self.env.state_space.shape), self.settings
        return exact_view(self.env.game, self.env._states, seat, like, settings["features"], settings["obs_dtype"])

    def wander(self, env: TurnBasedEnv, rng: Random) -> None:
        if rng.random() < 0.3 or not self.begun:
            env.reset(seed=rng.randrange(2**64))
        for _ in range(rng.randrange(40)):
            if not env.agents:
                env.reset()
                continue
            seen = env.last()[0]
            seen["observation"][:] = 7
            mask = env.infos[env.agent_selection]["action_mask"]
            env.step(legal_number(mask, rng) if mask.any() else None)

    # ------------------------------------------------------------ resets

    @weight(3)
    def call_reset(self, rng: Random) -> None:
        seed = rng.choice((None, None, 0, 5, 2**64 - 1, rng.randrange(2**64), np.int64(9)))
        if seed is None and not self.begun:
            self.env.reset()
            self.twin.reset(seed=self.env.game_seed)
        else:
            self.valid(lambda env: env.reset(seed=seed))
        self.begun = True

    @weight(3)
    def call_reset_to_position(self, rng: Random) -> None:
        position = json.loads(rng.choice(positions(self.world)))
        if self.begun and rng.random() < 0.3:
            position = self.valid(lambda env: env.position())
        seed = rng.choice((None, None, rng.randrange(2**64)))
        self.valid(lambda env: env.reset(seed=seed, options={"position": position}))
        self.begun = True

    def call_reset_to_setup(self, rng: Random) -> None:
        seed, given = rng.randrange(2**64), json.loads(setup(self.world))
        self.valid(lambda env: env.reset(seed=seed, options={"setup": given}))
        self.begun = True

    def call_reset_wrongly(self, rng: Random) -> None:
        good = json.loads(rng.choice(positions(self.world)))
        given = json.loads(setup(self.world))
        wrong_positions = [
            None, [], {}, "", {**good, "players": 99}, {**good, "players": "2"}, {**good, "no_such_field": 1},
            {**good, "stream": -1}, {**good, "stream": 1.5}, {**good, "options": {"no_such_option": 1}},
            {**good, "options": 5}, {**good, "scores": "none"}, {**good, "seed": True},
            {name: value for name, value in good.items() if name != "players"},
        ]  # fmt: skip
        name = rng.choice(sorted(given))
        wrong_setups = [None, [], {}, "", {**given, name: 1.5}, {part: given[part] for part in given if part != name}]
        self.wrong_reset(
            rng,
            [
                *[{"position": position} for position in wrong_positions],
                *[{"setup": setup} for setup in wrong_setups],
                {"position": good, "setup": given},
            ],
        )

    # ------------------------------------------------------------ steps

    @weight(8)
    def call_step(self, rng: Random) -> None:
        if self.running:
            action = legal_number(self.twin._mask[0], rng)
            action = rng.choice((action, action, np.int64(action), np.int16(action), np.array(action)))
            self.valid(lambda env: env.step(action))
        elif self.begun and self.twin.agents:
            self.valid(lambda env: env.step(None))
        else:
            self.refused(ResetNeeded, lambda env: env.step(0))

    @weight(6)
    def call_step_wrongly(self, rng: Random) -> None:
        if not self.begun or not self.twin.agents:
            self.refused(ResetNeeded, lambda env: env.step(rng.choice((None, 0, -1, "pass"))))
        elif not self.running:
            self.refused(ValueError, lambda env: env.step(rng.choice((0, -1, 1.5, "pass", True, 2**70))))
        else:
            number = illegal_number(self.twin._mask[0], rng)
            action = rng.choice((number, number, number, rng.choice(NO_ACTIONS), rng.choice(HUGE)))
            if self.settings["illegal"] == "lose":
                self.valid(lambda env: env.step(action))
            else:
                self.refused(IllegalMove, lambda env: env.step(action))

    @weight(2)
    def call_advance(self, rng: Random) -> None:
        """Many steps, with some calls of last() between them."""
        for _ in range(rng.choice((3, 31, 32, 33, 70))):
            if not self.running:
                return
            action = legal_number(self.twin._mask[0], rng)
            self.valid(lambda env, action=action: env.step(action))
            if rng.random() < 0.2:
                self.valid(lambda env: env.last())
            if rng.random() < 0.1 and self.running and self.settings["illegal"] == "raise":
                self.refused(IllegalMove, lambda env: env.step(-1))

    def call_agent_iter(self, rng: Random) -> None:
        if not self.begun:
            self.refused(ResetNeeded, lambda env: env.agent_iter())
            return
        most, seed = rng.randrange(12), rng.randrange(10**9)

        def loop(env: TurnBasedEnv) -> list[Any]:
            own, seen = Random(seed), []
            for agent in env.agent_iter(most):
                observation, reward, terminated, truncated, _ = env.last()
                seen.append((agent, {name: part.copy() for name, part in observation.items()}, reward))
                env.step(None if terminated or truncated else legal_number(observation["action_mask"], own))
            return seen

        self.valid(loop)

    # ------------------------------------------------------------ looks

    @weight(5)
    def call_look(self, rng: Random) -> None:
        agent = rng.choice(self.env.possible_agents)
        viewer = rng.choice((None, agent))
        looks: dict[str, Any] = {
            "last": lambda env: env.last(), "last without": lambda env: env.last(observe=False),
            "observe": lambda env: env.observe(agent), "state": lambda env: env.state(),
            "legal_moves": lambda env: env.legal_moves(), "position": lambda env: env.position(),
            "history": lambda env: env.history(viewer), "since_last": lambda env: env.since_last(agent),
            "information_state": lambda env: env.information_state(agent),
            "game_seed": lambda env: env.game_seed, "render": lambda env: env.render(),
        }  # fmt: skip
        name = rng.choice(sorted(looks))
        is_silent = name == "render" and self.settings["render_mode"] is None
        is_after_the_end = name.startswith("last") and self.begun and not self.twin.agents
        if is_after_the_end or not (self.begun or is_silent):
            self.refused(ResetNeeded, looks[name])
        else:
            given = self.valid(looks[name])
            if name == "history":
                self.check_history(given)
            if name == "observe":
                observation, mask = self.exact(self.env.possible_agents.index(agent))
                decides = self.running and agent == self.agent
                wanted = {"observation": observation, "action_mask": mask if decides else np.zeros_like(mask)}
                same("what observe() shows and the state", given, wanted)

    def check_history(self, given: list[dict[str, Any]]) -> None:
        """An entry for each step, and where forced moves are played for the seats, for each of those."""
        told, steps = len(given) - 1, self.twin._steps
        if told < steps or (told > steps and not self.settings["auto_forced"]):
            raise Difference(f"the history has {told} moves after {steps} steps")

    def call_look_wrongly(self, rng: Random) -> None:
        agent = rng.choice(("player_99", None, 99, [], "", self.twin))
        calls: list[Any] = [
            lambda env: env.observe(agent), lambda env: env.move_text(rng.choice((-1, 10**9, 1.5, None, "0", True))),
            lambda env: env.parse_move(rng.choice((None, 0, b"pass", ["pass"], "no such move"))),
            lambda env: env.since_last(agent), lambda env: env.information_state(agent),
        ]  # fmt: skip
        self.refused(ValueError if self.begun else ResetNeeded, rng.choice(calls))

    def call_moves_and_texts(self, rng: Random) -> None:
        """parse_move of a legal action's text gives the action."""
        if self.running:
            action = legal_number(self.twin._mask[0], rng)
            text = self.valid(lambda env: env.move_text(action))
            same("the action and that of its text", self.valid(lambda env: env.parse_move(text)), action)

    def call_write_into_what_was_given(self, rng: Random) -> None:
        """With copy=True an observation belongs to the agent, which may write into it."""
        if self.begun and self.twin.agents and self.settings["copy"]:
            seen = self.env.last()[0]["observation"]
            self.twin.last()
            self.kept = [(array, then) for array, then in self.kept if not np.shares_memory(array, seen)]
            seen[:] = 77

    def call_from_position(self, rng: Random) -> None:
        """Another environment that begins from the position is equal to this one."""
        if self.begun:
            position = self.env.position()
            other = TurnBasedEnv.from_position(self.world.game, position, memory=self.settings["memory"])
            same("the position and that of an environment made from it", position, other.position())
            self.wander(other, rng)
