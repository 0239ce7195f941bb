"""What an environment is made with: the settings of the AEC environment, and the checks that all environments share.

`AecSettings` is the one list of the AEC environment's settings. `TurnBasedEnv`, `skyline.env` and the functions of
every game's PettingZoo module take their keywords from there (`keywords_of`): a further setting is written down once.
`VectorGames` and `SingleSeat` hold their own lists; a setting that two environments have means the same in both and has
the same default.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_origin

import numpy as np

from skyline import registry
from skyline.arguments import check_choice, check_count, check_dtype, check_flag
from skyline.core import engine
from skyline.game import DEFAULT_MEMORY, MEMORIES, Game
from skyline.typing import Features, MaskDtype, Memory, ObsDtype, OnIllegal, RenderMode, Reward

P = ParamSpec("P")
OptionValue = TypeVar("OptionValue")  # of a game's rule options: Never for a game that has none

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
PICTURES = ("ansi", "rgb_array", "svg")  # the render modes without a window


class AecSettings(Generic[OptionValue]):
    """The settings of the AEC environment, checked.

    Parameters
    ----------
    game : name or id of the game ("manhattan", "manhattan-v1", "skyline/manhattan-v1"), or a `Game`.
    players : number of seats; None is the smallest number that the game admits. Agents are `player_0` .. in seating
        order.
    reward : "outcome" (at the end: +1 first place .. -1 last, evenly spaced, ties averaged, zero-sum), "score" (own
        points when they are scored) or "margin" (at the end: own points less the best other's).
    illegal : what an illegal action does: "raise" (`IllegalMove`, and nothing has changed) or "lose" (the game is over,
        -1 to the mover, 0 to the others).
    memory : what seats know of earlier moves: "recall" (what a perfect memory holds, in observations, texts and
        pictures) or "table" (what lies on the table now; the values for memory in observations are zeros).
    features : "base" or "rich" observations; the base values are the first of the rich ones.
    obs_dtype : "int16" (the raw numbers) or "float32" (each number divided by its scale, within about [-1, 1]).
    auto_forced : True: decisions with a single legal move are played by the environment.
    copy : True: every observation is an array of its own. False: the environment overwrites the arrays it has handed
        out at its next step, which saves time.
    max_cycles : all agents are truncated after this number of steps; None: games are played to their end.
    render_mode : None, "human" (a window), "ansi" (text), "rgb_array" (pixels, uint8) or "svg" (SVG as text).
    **options : the rule options of the game, such as max_turns=200 (`skyline games` lists the options).
    """

    def __init__(
        self,
        game: str | Game,
        /,  # the PettingZoo module of a game has this argument filled in
        players: int | None = None,
        *,
        reward: Reward = "outcome",
        illegal: OnIllegal = "raise",
        memory: Memory = DEFAULT_MEMORY,
        features: Features = "base",
        obs_dtype: ObsDtype = "int16",
        auto_forced: bool = False,
        copy: bool = True,
        max_cycles: int | None = None,
        render_mode: RenderMode | None = None,
        **options: OptionValue,
    ) -> None:
        self.game = registry.load(game)
        check_keywords(self.game, options, AecSettings)
        self.players = checked_players(self.game, players)
        self.options = self.game.check_options(options)
        check_shared(reward, illegal, memory, features)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.reward, self.illegal, self.memory = reward, illegal, memory
        self.features, self.render_mode = features, render_mode
        self.obs_dtype = checked_dtype(obs_dtype)
        self.auto_forced, self.copy = check_flag("auto_forced", auto_forced), check_flag("copy", copy)
        self.max_cycles = checked_cycles(max_cycles)


# ---------------------------------------------------------------- checks that all environments share


def checked_players(game: Game, players: int | None) -> int:
    """The number of seats; the smallest of the game for None."""
    return game.check_players(game.player_counts[0] if players is None else players)


def checked_cycles(max_cycles: int | None) -> int | None:
    """The number of steps after which a game is truncated, or None."""
    return None if max_cycles is None else check_count("max_cycles", max_cycles, 1)


def checked_dtype(obs_dtype: ObsDtype) -> str:
    """The name of the observations' type; NumPy's own names are admitted, too."""
    return check_dtype("obs_dtype", obs_dtype, ("int16", "float32"))


def checked_mask_dtype(mask_dtype: MaskDtype) -> str:
    """How masks are handed out: "int8", which may be given as NumPy's own type, or "bits"."""
    is_int8 = isinstance(mask_dtype, (type, np.dtype)) and np.dtype(mask_dtype) == np.int8
    check_choice("mask_dtype", "int8" if is_int8 else mask_dtype, ("int8", "bits"))
    return "int8" if is_int8 else str(mask_dtype)


def check_shared(reward: Any, illegal: Any, memory: Any, features: Any) -> None:
    """ValueError unless the four settings that every environment has are allowed ones."""
    check_choice("reward", reward, engine.REWARDS)
    check_choice("illegal", illegal, ("raise", "lose"))
    check_choice("memory", memory, MEMORIES)
    check_choice("features", features, ("base", "rich"))


def setting_names(maker: Callable[..., Any]) -> list[str]:
    """The settings that a class or function takes, beside the game itself and the game's rule options."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(maker).parameters.values()
    return [one.name for one in parameters if one.kind in kinds and one.name != "game"]


def check_keywords(game: Game, options: Mapping[str, Any], maker: Callable[..., Any]) -> None:
    """TypeError unless all keywords that are no settings of the maker are rule options of the game."""
    known = [option.name for option in game.options]
    for name in options:
        if name not in known:
            settings = setting_names(maker)
            raise TypeError(
                f"{game.name} has no setting {name!r}{_closest(name, settings, known)} "
                f"Settings: {', '.join(settings)}; rule options: {', '.join(known) or 'none'}"
            )


def _closest(name: str, settings: Iterable[str], options: Iterable[str]) -> str:
    """The setting and the rule option that the name resembles, as the middle of a message."""
    setting, option = (difflib.get_close_matches(name, names, 1) for names in (settings, options))
    if setting and option:
        return f"; did you mean the setting {setting[0]!r} or the rule option {option[0]!r}?"
    return f"; did you mean {(setting or option)[0]!r}?" if setting or option else "."


# ---------------------------------------------------------------- keywords, written down once


def keywords_of(settings: Callable[P, Any]) -> Callable[[Callable[..., None]], Callable[Concatenate[Any, P], None]]:
    """For an `__init__` that hands all its arguments on: it has the keywords of `settings`, for type checkers, editors
    and `help()`. The game, the first argument, may be named, too (a dictionary of settings may hold the game).
    """

    def with_keywords(method: Callable[..., None]) -> Callable[Concatenate[Any, P], None]:
        signature = inspect.signature(
            get_origin(settings) or settings, eval_str=True
        )  # a generic class with or without its type
        itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        game, *others = signature.parameters.values()
        parameters = [itself, game.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD), *others]
        method.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined] # read by inspect
        return method

    return with_keywords


def parameters_text(settings: type, leave_out: str = "") -> str:
    """The part of the docstring of a class that describes the parameters, without the one that is left out."""
    _, mark, text = inspect.cleandoc(settings.__doc__ or "").partition("Parameters\n")
    return mark + re.sub(rf"(?m)^{leave_out} : .*\n(    .*\n)*", "", text)


# ---------------------------------------------------------------- how environments name themselves


def told_options(options: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """The rule options, and the setting `memory` where it is not the default: what makes games different ones."""
    return {**options} if memory == DEFAULT_MEMORY else {**options, "memory": memory}


def named(game: Game, kind: str, parts: Iterable[str], options: Mapping[str, Any]) -> str:
    """<Manhattan AEC, 4 players, seed 7, move 12>: game, kind, rule options and what else tells two of them apart."""
    first, *others = parts
    told = [first, *(f"{name}={value!r}" for name, value in options.items()), *others]
    return f"<{game.title} {kind}, {', '.join(told)}>"
