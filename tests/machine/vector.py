"""Calls of the batched environment, with the caller in every seat or with one learning seat."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from skyline.core import engine
from skyline.envs.rows import CHANGING, HANDED_OUT
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, IllegalMove
from skyline.packed import unpack_ids, unpack_mask
from tests.machine.opponents import HEALTHY, WRONG, WRONG_LINE_UPS, Fault
from tests.machine.run import Difference, Random, Run, illegal_number, legal_number, same, weight
from tests.machine.worlds import World


def batch_of(games: VectorGames) -> Any:
    """All parts of a batch."""
    parts = {name: getattr(games._rows, name) for name in (*CHANGING, *HANDED_OUT)}
    moves = [
        written[row, :count].tolist()
        for written, counts in (
            (games._rows.moves, games._rows.moved), (games._rows.final_moves, games._rows.final_moved)
        )
        for row, count in enumerate(counts.tolist())
    ]  # fmt: skip
    return [games._begun, games.options, parts, moves]


def masks_of(games: VectorGames) -> Any:
    """The masks that a batch shows, with a value for each action."""
    if games.mask_dtype == "int8":
        return games.action_mask
    return unpack_mask(games.action_mask, int(games.single_action_space.n)).view(np.int8)


def legal_ids(games: VectorGames) -> Any:
    """Arrays of their own: with copy=False the next call overwrites those that are given."""
    return [array.copy() for array in games.legal_ids()]


class VectorRun(Run):
    KIND = "vector"

    @classmethod
    def some_settings(cls, rng: Random, world: World) -> dict[str, Any]:
        seat = rng.choice((None, "rotate", *range(world.players)))
        return {
            "num_envs": rng.choice((1, 2, 3, 5)),
            "seat": seat,
            "opponents": None if seat is None else [rng.choice(sorted(HEALTHY)) for _ in range(world.players - 1)],
            "reward": rng.choice(("outcome", "score", "margin")),
            "memory": rng.choice(("recall", "table")),
            "history": rng.random() < 0.4,
            "features": rng.choice(("base", "rich")),
            "obs_dtype": rng.choice(("int16", "float32")),
            "mask_dtype": rng.choice(("int8", "bits")),
            "auto_forced": rng.random() < 0.3,
            "autoreset": rng.choice(("same_step", "next_step", "disabled")),
            "illegal": rng.choice(("raise", "lose")),
            "max_cycles": rng.choice((None, None, 1, 3, 40)),
            "threads": rng.choice((1, 1, 2)),
            "copy": rng.random() < 0.5,
        }

    def make(self, settings: dict[str, Any]) -> VectorGames:
        own = {name: value for name, value in settings.items() if value is not None}
        if "opponents" in own:
            own["opponents"] = [HEALTHY[name] for name in own["opponents"]]
        self.given: Any = None  # the result of the last reset or step: observations, .., infos
        return VectorGames(self.world.game, players=self.world.players, **own, **self.world.options)

    def twins(self, settings: dict[str, Any]) -> dict[str, Any]:
        return {**settings, "copy": not settings["copy"], "threads": 3 - settings["threads"]}

    def all_of(self, env: VectorGames) -> Any:
        return batch_of(env)

    def check_views(self) -> None:
        """Check the masks, and the observation of every row whose game goes on."""
        if not self.begun:
            return
        games = self.env
        masks, views = np.zeros_like(masks_of(games)), np.zeros_like(games.observations)
        engine.kernels(games.game).fill_masks(games.states.copy(), masks)
        same("the masks and the states", masks_of(games), masks)
        same(
            "the numbers of the legal actions and the masks", unpack_ids(*games.legal_ids(), masks.shape[1]), masks != 0
        )
        seats, rows = games.states["seat"].astype(np.int64), np.flatnonzero(games.states["seat"] != NO_SEAT)
        scales = engine.scales(games.game, games.players, games.features, games.obs_dtype)
        engine.kernels(games.game).observe_some(games.states.copy(), rows, seats, views, scales)
        same("the observations and the states", games.observations[rows], views[rows])
        if games.seat is not None and (seats[rows] != games.learner[rows]).any():
            raise Difference("a game waits for another seat than the learning one")
        if not self.settings["copy"] and self.given is not None:
            same("what was handed out and the buffers", self.given[0], games.observations)

    def wander(self, env: VectorGames, rng: Random) -> None:
        if rng.random() < 0.3 or not self.begun:
            env.reset(seed=rng.randrange(2**62))
        for _ in range(rng.randrange(8)):
            observations, *_ = env.step(self.actions(env, rng))
            observations[:] = 7
            if env.metadata["autoreset_mode"].value == "Disabled" and (env.current_player == NO_SEAT).any():
                env.reset(options={"reset_mask": env.current_player == NO_SEAT})

    def call_copy(self, rng: Random) -> None:
        super().call_copy(rng)
        self.given = None  # with copy=False these are buffers of an environment that may be thrown away

    def actions(self, env: VectorGames, rng: Random) -> Any:
        """A legal action where a seat has to choose; any number in games that are over."""
        return np.array(
            [legal_number(mask, rng) if mask.any() else rng.choice((-1, 0, 10**6)) for mask in masks_of(env)]
        )

    # ------------------------------------------------------------ resets

    def over(self) -> Any:
        over: Any = self.twin.current_player == NO_SEAT
        return over

    @weight(3)
    def call_reset(self, rng: Random) -> None:
        n = self.env.num_envs
        seed = rng.choice((None, None, 0, rng.randrange(2**63), [rng.randrange(2**64) for _ in range(n)], range(n)))
        options = None
        if self.begun and rng.random() < 0.5:
            mask = self.over() if self.over().any() else np.array([rng.random() < 0.5 for _ in range(n)])
            options = {"reset_mask": mask} if mask.any() else None
        if seed is None and not self.begun:
            self.given = self.env.reset()
            same("what reset gave", self.given, self.twin.reset(seed=self.env.seeds))
        else:
            self.given = self.valid(lambda env: env.reset(seed=seed, options=options))
        self.begun = True

    def call_reset_wrongly(self, rng: Random) -> None:
        n = self.env.num_envs
        masks = [np.ones(n + 1, bool), np.ones(n, int), np.zeros(n, bool), True, "x", [[True], [True, False]]]
        more: list[Any] = [{"no_such_option": 1}, {1: 2}, *[{"reset_mask": mask} for mask in masks]]
        if rng.random() < 0.3:
            seeds = rng.choice(([1] * (n + 1), [1.5] * n, [True] * n, np.array(3), [2**64] * n, ["1"] * n, [[1]] * n))
            self.refused((ValueError, TypeError), lambda env: env.reset(seed=seeds))
        else:
            self.wrong_reset(rng, more)

    # ------------------------------------------------------------ steps

    @weight(8)
    def call_step(self, rng: Random) -> None:
        if not self.begun:
            self.refused(ResetNeeded, lambda env: env.step(np.zeros(env.num_envs, int)))
            return
        actions = self.actions(self.twin, rng)
        actions = rng.choice((actions, actions.astype(np.int32), actions.tolist()))
        self.given = self.valid(lambda env: env.step(actions))

    @weight(4)
    def call_step_illegally(self, rng: Random) -> None:
        if not self.begun or self.over().all():
            return
        actions, row = self.actions(self.twin, rng), rng.choice(np.flatnonzero(~self.over()).tolist())
        actions[row] = illegal_number(masks_of(self.twin)[row], rng)
        if self.settings["illegal"] == "raise":
            self.refused(IllegalMove, lambda env: env.step(actions))
        else:
            self.given = self.valid(lambda env: env.step(actions))

    @weight(3)
    def call_step_wrongly(self, rng: Random) -> None:
        n = self.env.num_envs
        wrong = [None, 0, "0", np.zeros(n + 1, int), np.zeros((n, 1), int), np.zeros(n), np.zeros(n, bool),
                 np.zeros(n, object), ["0"] * n, [[0], [0, 0]], {}, [2**70] * n]  # fmt: skip
        actions = rng.choice(wrong)
        self.refused(ValueError if self.begun else ResetNeeded, lambda env: env.step(actions))

    @weight(4)
    def call_with_a_fault(self, rng: Random) -> None:
        """An opponent fails in a step or in a reset of some games; then the same call is made without the fault."""
        fault, n = Fault(rng.choice(sorted(WRONG)), rng.randrange(5)), self.env.num_envs
        if self.begun and rng.random() < 0.7:
            actions = self.actions(self.twin, rng)
            self.given = self.faulty(fault, lambda env: env.step(actions))
            return
        seed, mask = rng.randrange(2**63), np.array([rng.random() < 0.5 for _ in range(n)])
        options = {"reset_mask": mask} if self.begun and mask.any() else None
        if self.begun and rng.random() < 0.4:
            seed = None
        self.given = self.faulty(fault, lambda env: env.reset(seed=seed, options=options))
        self.begun = True

    @weight(2)
    def call_advance(self, rng: Random) -> None:
        for _ in range(rng.choice((3, 10, 60))):
            if not self.begun:
                return
            actions = self.actions(self.twin, rng)
            self.given = self.valid(lambda env, actions=actions: env.step(actions))
            self.kept.clear()

    # ------------------------------------------------------------ opponents, looks

    @weight(2)
    def call_set_opponents(self, rng: Random) -> None:
        if self.settings["seat"] is None:
            self.refused(ValueError, lambda env: env.set_opponents("heuristic"))
            return
        line_up = [HEALTHY[rng.choice(sorted(HEALTHY))] for _ in range(self.world.players - 1)]
        given = rng.choice((line_up, tuple(line_up), line_up[0]))
        self.valid(lambda env: env.set_opponents(given))

    def call_set_opponents_wrongly(self, rng: Random) -> None:
        wrong = rng.choice(WRONG_LINE_UPS)
        self.refused(ValueError, lambda env: env.set_opponents(wrong))

    @weight(2)
    def call_look(self, rng: Random) -> None:
        seats = np.array([rng.randrange(self.world.players) for _ in range(self.env.num_envs)])
        looks: list[Any] = [
            legal_ids, lambda env: env.seeds, lambda env: env.final_seeds, lambda env: env.current_player,
            lambda env: env.final_observation(int(seats[0])), lambda env: env.final_observation(seats),
        ]  # fmt: skip
        if self.begun and self.settings["history"]:
            row, seat = rng.randrange(self.env.num_envs), int(seats[0])
            looks += [lambda env: env.history(row, seat), lambda env: env.since_last(row, seat)]
            looks += [lambda env: env.information_state(row, seat), self.check_moves]
        self.valid(rng.choice(looks))

    def check_moves(self, env: VectorGames) -> None:
        """The moves that are written down lead to the states."""
        for row in range(env.num_envs):
            for history, states in ((env._histories.running(row), env.states), (env._histories.final(row), env.finals)):
                if states["players"][row]:
                    wanted, found = states[row : row + 1].copy(), history._up_to_date(0).row.copy()
                    if wanted["seat"][0] == NO_SEAT:  # the game may have been cut, or lost by an illegal action
                        found["seat"] = NO_SEAT
                    same("a state and that to which the moves lead", wanted.tobytes(), found.tobytes())

    def call_look_wrongly(self, rng: Random) -> None:
        wrong = (-1, self.world.players, 2**40, 0.0, None, "0", [0] * 9, True)
        seats = rng.choice(wrong)
        self.refused(ValueError, lambda env: env.final_observation(seats))

    def call_write_into_what_was_given(self, rng: Random) -> None:
        """copy=True: the arrays belong to the caller."""
        for array, _ in self.kept:
            array[...] = 1
        self.kept.clear()
