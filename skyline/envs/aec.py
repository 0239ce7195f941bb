"""The PettingZoo AEC environment, once for all games.

    from manhattan_env import manhattan_v1
    env = manhattan_v1.env(players=4, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

The class checks every action itself, because each utility wrapper of PettingZoo takes more time than the game: `env()`
and `raw_env()` are the same. A step is one jitted call: check, move, mask and observation of the next seat.
"""

from __future__ import annotations

import copy as copying
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from skyline import registry
from skyline.arguments import action_number, brief
from skyline.core import engine
from skyline.envs.beginning import Beginning, asked_for
from skyline.envs.boxes import observation_box, observation_space, state_space
from skyline.envs.handout import Handout
from skyline.envs.in_words import NOT_BEGUN, InWords
from skyline.envs.pictures import Pictures, Played
from skyline.envs.results import results_of
from skyline.envs.settings import RENDER_MODES, AecSettings, keywords_of, named, parameters_text, told_options
from skyline.game import NO_SEAT, Game, illegal_move
from skyline.record import History
from skyline.rng import check_seed, following_seed, fresh_seed
from skyline.typing import Array

DERIVED = (  # attributes that follow from the others, and are no part of a copy
    "_kernels", "_step_one", "_handout", "_no_mask", "_states", "_mask", "_rewards", "_scales", "_pictures",
)  # fmt: skip


class TurnBasedEnv(InWords, AECEnv):  # type: ignore[misc] # PettingZoo is not read by mypy
    """One game as an AEC environment; the settings are those of `skyline.envs.settings.AecSettings`.

    When the game has ended or was truncated, the infos of every agent hold `scores` and `places` (P,) of all seats,
    int64; place 1 is the first, and seats that are equal share their place.

    Threads and copies: an environment belongs to one thread at a time. `clone()`, `copy.copy`, `copy.deepcopy` and
    pickles are independent games in mid-game; a clone shares the spaces and the settings, which do not change.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's attribute
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    @keywords_of(AecSettings[Any])
    def __init__(self, game: str | Game, *arguments: Any, **keywords: Any) -> None:
        super().__init__()
        given = AecSettings[Any](game, *arguments, **keywords)
        self.game, self.players, self.options = given.game, given.players, given.options
        self.reward, self.illegal, self.features = given.reward, given.illegal, given.features
        self.obs_dtype, self.auto_forced, self.copy = given.obs_dtype, given.auto_forced, given.copy
        self.max_cycles, self.render_mode, self.memory = given.max_cycles, given.render_mode, given.memory
        self.metadata = {**type(self).metadata, "name": f"{self.game.name}_v{self.game.version}"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        size = self.game.actions(self.players).size
        box = observation_box(self.game, self.players, self.features, self.obs_dtype)
        self._observation_spaces = {agent: observation_space(box, size) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.state_space = state_space(box, self.players)
        self._desk = np.zeros(1, engine.desk_dtype(self.game))
        self._desk["state"] = self.game.blank(self.players, self.options, memory=self.memory)
        self._seat = NOT_BEGUN  # who decides; NO_SEAT when the game is over for the agents
        self._steps = 0  # of the game being played
        self._rewarded = False  # the last step brought somebody a reward
        self._last_move: Played | None = None  # kept for the pictures
        self._history: History  # of the game being played
        self._attach()

    def _attach(self) -> None:
        """Everything that follows from the settings and is no part of a copy: kernels, buffers, zero masks."""
        self._kernels = engine.kernels(self.game)
        self._step_one: Any = None  # the kernel's machine code: the arrays that it is given are the environment's own
        self._desk = self._desk.view(engine.desk_dtype(self.game))  # a pickled one comes with a dtype of its own
        self._desk["kind"], self._desk["forced"] = engine.REWARDS[self.reward], self.auto_forced
        size = self.game.actions(self.players).size
        self._states = self._desk["state"]
        self._mask = self._desk["mask"][:, :size]
        self._rewards = self._desk["rewards"][:, : self.players]
        self._scaled = self.obs_dtype == "float32"
        self._scales = engine.scales(self.game, self.players, self.features, self.obs_dtype)
        self._no_mask = np.zeros(size, np.int8)
        self._no_mask.flags.writeable = False
        self._pictures = Pictures(self.game, self.render_mode, str(self.metadata["name"]))
        self._handout = Handout(self.state_space.shape[1], size, self.obs_dtype, is_one_row=not self.copy)

    # ------------------------------------------------------------ PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. A seed fixes it; without one the next game of the same chain begins.

        `options` may hold `position` (see `position()`) or `setup` (a record's setup object) to begin from.
        """
        beginning = asked_for(options, self.game, self.players, self.options, self.memory)
        if seed is not None or self._seat == NOT_BEGUN:
            word = check_seed(fresh_seed() if seed is None else seed)
        else:
            word = following_seed(self._states["deal"][0])
        if beginning is None:
            self._states["deal"] = word
            self._show(engine.BEGIN)
            self._history = History.dealt(
                self.game, int(word), self.players, self.options, memory=self.memory, forced=self.auto_forced
            )
        else:
            self._begin_from(beginning, word, has_seed=seed is not None)
        self._start()

    def _begin_from(self, beginning: Beginning, word: np.uint64, has_seed: bool) -> None:
        """Stand where the beginning does; its future is its own, or that of the seed."""
        self._states[:] = beginning.states
        if has_seed or not beginning.has_future:
            self._states["deal"] = self._states["rng"] = word
        self._rewards[:] = 0
        self._show(engine.LOOK)
        self._history = History(
            self.game, self._states, self.options, is_position=beginning.is_position, forced=self.auto_forced
        )

    def _start(self) -> None:
        """PettingZoo's bookkeeping for a game that has just begun or was loaded."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._last_move, self._rewarded, self._steps = None, False, 0
        self._seat = int(self._states["seat"][0])
        if self._seat == NO_SEAT:
            self.agent_selection = self.agents[0]
            self._end(self.terminations)
        else:
            self._handout.take()
            self._select(self._seat)

    def _show(self, what: int) -> None:
        """Begin a game (engine.BEGIN), or look at the one that is there (engine.LOOK): mask and observation of the seat
        to decide are written into a row that nobody holds."""
        handout = self._handout
        arguments = (self._desk, what, handout.masks, handout.observations, ~handout.free)
        if self._step_one is None:
            self._step_one = self._kernels.entry("step_one", arguments)
        self._step_one(*arguments)
        if self._scaled:
            handout.observations[handout.free] /= self._scales

    def _view(self, seat: int) -> Array:
        """The observation of a seat (N,), in an array of its own."""
        out: Array = np.zeros((1, self.state_space.shape[1]), self.obs_dtype)
        self._kernels.observe_some(self._states, np.zeros(1, np.int64), np.array([seat]), out, self._scales)
        row: Array = out[0]
        return row

    def _select(self, seat: int) -> None:
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent]["action_mask"] = self._handout.mask

    def observe(self, agent: str) -> dict[str, Array]:
        """What the agent sees; its mask is all zeros unless it is the one to decide."""
        self._check_begun("observe()")
        if self._seat == NO_SEAT or agent != self.agent_selection:
            return {"observation": self._view(self._seat_of(agent)), "action_mask": self._no_mask.copy()}
        if not self._handout.unseen:
            self._show(engine.LOOK)
            self._handout.take()
        return self._handout.give()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to move, again and again until all are done."""
        self._check_begun("agent_iter()")
        return self._turns(max_iter)

    def _turns(self, left: int) -> Iterator[str]:
        while left > 0 and self.agents:
            yield self.agent_selection
            left -= 1

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Of `agent_selection`: observation, reward since its last step, termination, truncation, info."""
        if self._seat == NOT_BEGUN:
            raise ResetNeeded("last() was called before reset()")
        agent, handout = self.agent_selection, self._handout
        seen = None
        if observe:
            if handout.unseen:  # the usual case, without a call
                handout.unseen = handout.is_one_row
                seen = {"observation": handout.observation, "action_mask": handout.mask}
            else:
                seen = self.observe(agent)
        try:
            reward, terminated = self._cumulative_rewards[agent], self.terminations[agent]
        except KeyError:
            raise ResetNeeded("last() was called after the end of the game: call reset()") from None
        return seen, reward, terminated, self.truncations[agent], self.infos[agent]

    def step(self, action: int | None) -> None:
        """Play the action of `agent_selection`; None for an agent that is done."""
        if self._seat < 0:
            return self._step_outside(action)
        if type(action) is not int:
            number = action_number(action)
            if number is None:
                return self._refuse(action)
            action = number
        if self.render_mode is not None and 0 <= action < self._mask.shape[1] and self._mask[0, action]:
            self._last_move = Played(self._states.copy(), action)
        handout = self._handout
        try:
            code = self._step_one(self._desk, action, handout.masks, handout.observations, handout.free)
        except OverflowError:  # a number that is none of the kernel's
            if -(2**63) <= action < 2**63:
                raise
            code = engine.REFUSED
        if code == engine.REFUSED:
            return self._refuse(action)
        if self._scaled:
            handout.observations[handout.free] /= self._scales
        agent, infos = self.agent_selection, self.infos
        self._cumulative_rewards[agent] = 0.0
        infos[agent]["action_mask"] = self._no_mask
        if code >= engine.REWARDED or self._rewarded:
            self._share_rewards(code >= engine.REWARDED)
        self._steps += 1
        self._history.moves.append(action)
        if code & engine.GAME_OVER:
            self._end(self.terminations)
        elif self._steps == self.max_cycles:
            self._end(self.truncations)
        else:
            self._seat = seat = code & engine.SEAT_BITS
            self.agent_selection = agent = self.possible_agents[seat]
            infos[agent]["action_mask"] = handout.take()
        if self.render_mode == "human":
            self.render()
        return None

    def _share_rewards(self, any_reward: bool) -> None:
        self._rewarded = any_reward
        self.rewards = {agent: float(self._rewards[0, seat]) for seat, agent in enumerate(self.agents)}
        self._accumulate_rewards()

    def _end(self, ended: dict[str, bool]) -> None:
        """The game is over for all agents: `ended` is their terminations or their truncations."""
        self._seat, self._handout.unseen = NO_SEAT, False
        scores, places = results_of(self.game, self._states, self.players)
        scores.flags.writeable = places.flags.writeable = False  # the agents share them
        for agent in self.agents:
            ended[agent] = True
            self.infos[agent] |= {"action_mask": self._no_mask, "scores": scores[0], "places": places[0]}
        self._deads_step_first()

    def _step_outside(self, action: int | None) -> None:
        """A step when no seat has to decide: before reset, for agents that are done, after the end."""
        self._check_begun("step()")
        if not self.agents:
            raise ResetNeeded("step() was called after the end of the game: call reset()")
        if action is not None:
            raise ValueError(f"the game is over: {self.agent_selection} can only step(None), not {brief(action)}")
        self._was_dead_step(None)

    def _refuse(self, action: Any) -> None:
        """Raise for an action that is not legal, or end the game with illegal="lose"; the state stays as it is."""
        error = illegal_move(self.game, self._states[0], self._mask[0], action, self.agent_selection)
        if self.illegal == "raise":
            raise error
        loser = self.agent_selection
        self._cumulative_rewards[loser] = 0.0
        self._rewards[:] = 0
        self._rewards[0, self._seat] = -1
        self._share_rewards(True)
        self.infos[loser]["illegal"] = error  # the exception, with its text
        self._end(self.terminations)

    def state(self) -> Array:
        """What all seats see together, (players, N): the global view for centralised critics."""
        self._check_begun("state()")
        seats = np.arange(self.players)
        out = np.zeros(self.state_space.shape, self.obs_dtype)
        self._kernels.observe_some(np.repeat(self._states, self.players), seats, seats, out, self._scales)
        return out

    # ------------------------------------------------------------ copies and positions

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in DERIVED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._attach()
        for info in getattr(self, "infos", {}).values():
            info["action_mask"] = self._no_mask
        if self._seat >= 0:
            self._show(engine.LOOK)
            self._handout.take()
            self._select(self._seat)

    def clone(self) -> TurnBasedEnv:
        """An independent copy in mid-game with the same future, cheaper than `copy.deepcopy`: spaces are shared."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__getstate__())
        other._desk, other.options = self._desk.copy(), copying.deepcopy(self.options)
        if self._seat != NOT_BEGUN:
            other.agents = self.agents[:]
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(other, name, dict(getattr(self, name)))
            other._history = self._history.copy()
            other.infos = {agent: dict(info) for agent, info in self.infos.items()}
        other.__setstate__({})
        return other

    __copy__ = clone  # a shallow copy would step the same game

    @classmethod
    def from_position(cls, game: str | Game, position: Mapping[str, Any], **settings: Any) -> TurnBasedEnv:
        """An environment that stands in this position. Its player count and options are the position's."""
        if not isinstance(position, Mapping):
            raise ValueError("a position is an object with at least the field players")
        options = registry.load(game).check_options(position.get("options"))
        env = cls(game, position.get("players"), **{**options, **settings})
        env.reset(options={"position": position})
        return env

    def __repr__(self) -> str:
        options = told_options(self.options, self.memory)
        if self._seat == NOT_BEGUN:
            return named(self.game, "AEC", (f"{self.players} players", "not begun"), options)
        stands = f"over after {self._steps} moves" if self._seat == NO_SEAT else f"move {self._steps}"
        return named(self.game, "AEC", (f"{self.players} players", f"seed {self.game_seed}", stands), options)

    __str__ = __repr__

    # ------------------------------------------------------------ pictures

    def render(self) -> Any:
        """The board with everything hidden shown: text, SVG text, an RGB array, or a window by `render_mode`."""
        if not self._pictures.has_mode():
            return None
        self._check_begun("render()")
        return self._pictures.show(self._states[0], None, self._last_move)

    def close(self) -> None:
        self._pictures.close()


TurnBasedEnv.__doc__ = f"{TurnBasedEnv.__doc__}\n{parameters_text(AecSettings)}"
