"""Pictures of a state in PettingZoo's and Gymnasium's render modes, once for the environments that are rendered."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from skyline.game import Game, State
from skyline.typing import Array


class Played(NamedTuple):
    """The move that led to a state: the length-1 state array before the move, and the action."""

    before: Array
    action: int


class Pictures:
    """Shows states of one game in one render mode; holds the window of the mode "human"."""

    def __init__(self, game: Game, mode: str | None, title: str) -> None:
        self._game, self._mode, self._title = game, mode, title
        self._window: Any = None

    def has_mode(self) -> bool:
        """Whether there is a render mode; without one `render()` shows nothing, and says so in a warning."""
        if self._mode is None:
            warnings.warn(
                'render() shows nothing: make the environment with render_mode="ansi", "svg", ..', stacklevel=3
            )
        return self._mode is not None

    def show(self, state: State, seat: int | None, played: Played | None) -> Any:
        """The board as the seat sees it (None: with everything that is hidden) after the move that was played: a text,
        an array, or a window.
        """
        last = None if played is None else self._game.last_move(played.before[0], played.action, state, seat)
        if self._mode == "ansi":
            return self._game.text(state, seat, last)
        picture = self._game.svg(state, seat, last)
        if self._mode == "svg":
            return picture
        from skyline.draw.raster import rasterise

        array = rasterise(picture)
        if self._mode == "rgb_array":
            return array
        if self._window is None:
            from skyline.draw.window import Window

            self._window = Window()
        self._window.show(array, self._title)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
