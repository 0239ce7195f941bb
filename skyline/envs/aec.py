"""The PettingZoo AEC environment, once for all games.

    from manhattan_env import manhattan_v0
    env = manhattan_v0.env(players=4, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

One class checks everything itself (the utility wrappers of PettingZoo each cost more than the game), so `env()` and
`raw_env()` are the same. A step is one jitted call: check, move, mask and observation of the next seat.
"""

from __future__ import annotations

import copy as copying
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from skyline import record, registry
from skyline.core import engine
from skyline.envs.handout import Handout
from skyline.game import (
    NO_SEAT,
    Game,
    LastMove,
    action_number,
    brief,
    check_choice,
    check_count,
    check_dtype,
    check_flag,
    check_reset_options,
    illegal_move,
)
from skyline.rng import check_seed, following_seed, fresh_seed

NOT_BEGUN = -2  # instead of the seat to decide, before the first reset


class TurnBasedEnv(AECEnv):  # type: ignore[misc] # PettingZoo is not read by mypy
    """One game as an AEC environment.

    Parameters
    ----------
    game : name of the game, or a `Game`.
    players : number of seats; agents are `player_0` .. in seating order.
    reward : "outcome" (at the end: +1 first place .. -1 last, ties averaged, zero-sum), "score" (own points as they
        come) or "margin" (at the end: own score less the best other).
    illegal : "raise" (`IllegalMove`, nothing changed) or "lose" (-1 to the mover, 0 to the others, game over).
    features : "base" or "rich" observations.
    obs_dtype : "int16" raw values, or "float32" scaled to about [-1, 1]; NumPy's own names of the types will do, too.
    auto_forced : decisions with a single legal move are played by the environment.
    copy : hand out fresh arrays (default); False hands out the same buffers at every step.
    max_cycles : truncate all agents after this many steps; None = play to the end.
    render_mode : "human", "ansi", "rgb_array" or "svg".
    **options : the rule options of the game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's attribute
        "render_modes": ["human", "ansi", "rgb_array", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        reward: str = "outcome",
        illegal: str = "raise",
        features: str = "base",
        obs_dtype: Any = "int16",
        auto_forced: bool = False,
        copy: bool = True,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = registry.load(game)
        self.players = self.game.check_players(self.game.player_counts[0] if players is None else players)
        self.options = self.game.check_options(options)
        check_choice("reward", reward, engine.REWARDS)
        check_choice("illegal", illegal, ("raise", "lose"))
        check_choice("features", features, ("base", "rich"))
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.metadata = {**type(self).metadata, "name": f"{self.game.name}_v{self.game.version}"}
        self.reward, self.illegal, self.features, self.render_mode = reward, illegal, features, render_mode
        self.obs_dtype = check_dtype("obs_dtype", obs_dtype, ("int16", "float32"))
        self.auto_forced, self.copy = check_flag("auto_forced", auto_forced), check_flag("copy", copy)
        self.max_cycles = None if max_cycles is None else check_count("max_cycles", max_cycles, 1)
        self.possible_agents = [f"player_{seat}" for seat in range(self.players)]
        self._make_spaces()
        self._desk = np.zeros(1, engine.desk_dtype(self.game))
        self._desk["state"] = self.game.blank(self.players, self.options)
        self._seat = NOT_BEGUN  # who decides; NO_SEAT when the game is over for the agents
        self._rewarded = False  # the last step brought somebody a reward
        self._last_move: tuple[Any, int] | None = None  # the row before the last move, and its action
        self._attach()

    def _make_spaces(self) -> None:
        table, actions = self.game.observation(self.players), self.game.actions(self.players)
        low, high = table.per_value("low", self.features), table.per_value("high", self.features)
        if self.obs_dtype == "float32":
            scale = table.per_value("scale", self.features)
            low, high = low / scale, high / scale
        dtype = np.dtype(self.obs_dtype).type
        low, high = low.astype(dtype), high.astype(dtype)
        self._observation_spaces = {
            agent: spaces.Dict(
                observation=spaces.Box(low, high, dtype=dtype),
                action_mask=spaces.Box(0, 1, (actions.size,), np.int8),
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(actions.size) for agent in self.possible_agents}
        shape = (self.players, len(low))
        self.state_space = spaces.Box(np.tile(low, (shape[0], 1)), np.tile(high, (shape[0], 1)), shape, dtype)

    def _attach(self) -> None:
        """Everything that is derived and not part of a copy: kernels, buffers, zero masks."""
        self._kernels = engine.kernels(self.game)
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
        self._window: Any = None
        self._handout = Handout(self.state_space.shape[1], size, self.obs_dtype, is_one_row=not self.copy)

    def _check_begun(self, call: str) -> None:
        if self._seat == NOT_BEGUN:
            raise ResetNeeded(f"{call} was called before reset()")

    # ------------------------------------------------------------ PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. A seed fixes it; without one the next game of the same chain begins.

        `options` may hold `position` (see `position()`) or `setup` (a record's setup object) to begin from.
        """
        options = check_reset_options(options)
        given: dict[str, Any] = {name: options.pop(name) for name in ("position", "setup") if name in options}
        if options:
            warnings.warn(
                f"reset knows the options position and setup, not {', '.join(map(repr, options))}", stacklevel=2
            )
        if len(given) > 1:
            raise ValueError("reset takes a position or a setup, not both")
        if given:
            loaded = self._loaded(given)
        if seed is not None or self._seat == NOT_BEGUN:
            word = check_seed(fresh_seed() if seed is None else seed)
        else:
            word = following_seed(self._states["deal"][0])
        if given:
            if seed is not None or "setup" in given or "stream" not in given["position"]:
                loaded["deal"] = loaded["rng"] = word
            self._states[:] = loaded
            self._kernels.fill_masks(self._states, self._mask)
            self._rewards[:] = 0
        else:
            rows = np.zeros(1, np.int64)
            self._kernels.begin_rows(self._states, np.array([word]), rows, self._mask, self._rewards, self.auto_forced)
        self._start()

    def _loaded(self, given: Mapping[str, Any]) -> np.ndarray[Any, Any]:
        if "position" in given:
            return record.state_of(self.game, given["position"], self.players, self.options)
        if not isinstance(given["setup"], Mapping):
            raise ValueError(f"a setup is an object as in a record, not {given['setup']!r}")
        states = self.game.blank(self.players, self.options)
        self.game.from_setup(states[0], given["setup"])
        return states

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
            self._look()
            self._select(self._seat)

    def _look(self) -> None:
        """Show mask and observation of the seat to decide in a row that nobody has."""
        handout = self._handout
        handout.masks[handout.free] = self._mask[0]
        handout.observations[handout.free] = self._view(self._seat)
        handout.take()

    def _view(self, seat: int) -> np.ndarray[Any, Any]:
        out: np.ndarray[Any, Any] = np.zeros((1, self.state_space.shape[1]), self.obs_dtype)
        self._kernels.observe_some(self._states, np.zeros(1, np.int64), np.array([seat]), out, self._scales)
        row: np.ndarray[Any, Any] = out[0]
        return row

    def _select(self, seat: int) -> None:
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent]["action_mask"] = self._handout.mask

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What the agent sees; its mask is all zeros unless it is the one to decide."""
        self._check_begun("observe()")
        if self._seat == NO_SEAT or agent != self.agent_selection:
            return {"observation": self._view(self._seat_of(agent)), "action_mask": self._no_mask.copy()}
        if not self._handout.unseen:
            self._look()
        return self._handout.give()

    def _seat_of(self, agent: str) -> int:
        try:
            return self.possible_agents.index(agent)
        except ValueError:
            raise ValueError(f"there is no agent {agent!r}; agents: {', '.join(self.possible_agents)}") from None

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to move, again and again until all are done."""
        self._check_begun("agent_iter()")
        return self._turns(max_iter)

    def _turns(self, left: int) -> Iterator[str]:
        while left > 0 and self.agents:
            yield self.agent_selection
            left -= 1

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
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
        if self.render_mode is not None:
            self._note_move(action)
        handout = self._handout
        try:
            code = self._kernels.step_one(self._desk, action, handout.masks, handout.observations, handout.free)
        except Exception:  # numba has several for a number that is none of the kernel's
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

    def _note_move(self, action: int) -> None:
        """Keep what the picture tells of the move."""
        if 0 <= action < self._mask.shape[1] and self._mask[0, action]:
            self._last_move = (self._states.copy(), int(action))

    def _told(self) -> LastMove | None:
        """The last move as the picture tells it."""
        if self._last_move is None:
            return None
        before, action = self._last_move
        return self.game.last_move(before[0], action, self._states[0])

    def _share_rewards(self, any_reward: bool) -> None:
        self._rewarded = any_reward
        self.rewards = {agent: float(self._rewards[0, seat]) for seat, agent in enumerate(self.agents)}
        self._accumulate_rewards()

    def _end(self, ended: dict[str, bool]) -> None:
        self._seat, self._handout.unseen = NO_SEAT, False
        for agent in self.agents:
            ended[agent] = True
            self.infos[agent]["action_mask"] = self._no_mask
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

    def state(self) -> np.ndarray[Any, Any]:
        """What all seats see together, (players, N): the global view for centralised critics."""
        self._check_begun("state()")
        return self._all_views()

    def _all_views(self) -> np.ndarray[Any, Any]:
        seats = np.arange(self.players)
        out = np.zeros(self.state_space.shape, self.obs_dtype)
        self._kernels.observe_some(np.repeat(self._states, self.players), seats, seats, out, self._scales)
        return out

    # ------------------------------------------------------------ copies and positions

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_kernels", "_handout", "_no_mask", "_states", "_mask", "_rewards", "_scales", "_window")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._attach()
        for info in getattr(self, "infos", {}).values():
            info["action_mask"] = self._no_mask
        if self._seat >= 0:
            self._look()
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
            other.infos = {agent: dict(info) for agent, info in self.infos.items()}
        other.__setstate__({})
        return other

    __copy__ = clone  # a shallow copy would step the same game

    @property
    def game_seed(self) -> int:
        """The seed of the game being played: reset(seed=...) with it begins the same game.

        The seeds of the games that follow can be computed from it: it is for the owner of the environment, and no
        agent's observation or info holds it.
        """
        self._check_begun("game_seed")
        return int(self._states["deal"][0])

    def legal_moves(self) -> list[str]:
        """The texts of all legal moves, in action order; none when the game is over."""
        self._check_begun("legal_moves()")
        if self._seat == NO_SEAT:
            return []
        return [self.move_text(int(action)) for action in np.flatnonzero(self._mask[0])]

    def move_text(self, action: int) -> str:
        """The text of an action in this position."""
        self._check_begun("move_text()")
        size, number = self._mask.shape[1], action_number(action)
        if number is None:
            raise ValueError(f"an action is a whole number 0 .. {size - 1}, not {brief(action)}")
        if not 0 <= number < size:
            raise ValueError(f"action {action} is outside 0 .. {size - 1}")
        return self.game.move_text(self._states[0], number)

    def parse_move(self, text: str) -> int:
        """The action of a move text in this position; whether it is legal says the mask."""
        self._check_begun("parse_move()")
        if not isinstance(text, str):
            raise ValueError(f"a move is a text, not {brief(text)}")
        return self.game.parse_move(self._states[0], text)

    def position(self) -> dict[str, Any]:
        """The whole state as JSON-able data (it shows everything: not for players)."""
        self._check_begun("position()")
        return record.position_of(self.game, self._states[0], copying.deepcopy(self.options))

    @classmethod
    def from_position(cls, game: str | Game, position: Mapping[str, Any], **settings: Any) -> TurnBasedEnv:
        """An environment that stands in this position. Its player count and options are the position's."""
        if not isinstance(position, Mapping):
            raise ValueError("a position is an object with at least the field players")
        options = registry.load(game).check_options(position.get("options"))
        env = cls(game, position.get("players"), **{**options, **settings})
        env.reset(options={"position": position})
        return env

    # ------------------------------------------------------------ pictures

    def render(self) -> Any:
        """The board with everything hidden shown: text, SVG text, an RGB array, or a window by `render_mode`."""
        if self.render_mode is None:
            warnings.warn(
                'render() shows nothing: make the environment with render_mode="ansi", "svg", ..', stacklevel=2
            )
            return None
        self._check_begun("render()")
        if self.render_mode == "ansi":
            return self.game.text(self._states[0], None, self._told())
        picture = self.game.svg(self._states[0], None, self._told())
        if self.render_mode == "svg":
            return picture
        from skyline.draw import svg as drawing

        array = drawing.rasterise(picture)
        if self.render_mode == "rgb_array":
            return array
        if self._window is None:
            self._window = drawing.Window()
        self._window.show(array, str(self.metadata["name"]))
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


def module_functions(name: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """`env`, `raw_env` and `parallel_env` of a game's PettingZoo module."""

    def env(**settings: Any) -> TurnBasedEnv:
        return TurnBasedEnv(name, **settings)

    def parallel_env(**settings: Any) -> Any:
        return turn_based_aec_to_parallel(TurnBasedEnv(name, **settings))

    title = name.replace("_", " ")
    env.__doc__ = f"{title} as an AEC environment; the settings are those of `skyline.envs.aec.TurnBasedEnv`."
    parallel_env.__doc__ = f"{title} as a parallel environment: of all actions given, the mover's is played."
    return env, env, parallel_env
