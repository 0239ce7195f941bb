"""What a game is: the contract between a game's folder and everything else.

A game knows no framework and the framework knows no game. A folder `<name>_env/` beside this package fulfils the
contract by a file `game.py` with `GAME = Game.of_modules(...)`, which takes each function below from the module that
has the function in every game (`HOMES`). Nothing else is registered anywhere: listing, playing, drawing, recording,
batching, benchmarks and the contract tests find the game there.

**The state** is one NumPy record (`record_dtype`). Beside its own fields every state has

    rng      uint64      the stream every chance event comes from
    deal     uint64      seed this game began with
    players  uint8       number of seats
    seat     int8        who decides; NO_SEAT at the end
    scores   int (P,)    points so far, P = the largest player count
    memory   int8        RECALL: seats see what a perfect memory holds, too; TABLE: only what lies on the table now

`rng`, `deal`, `players` and `memory` are written by the engine, the options by `prepare`; the rest by the jitted
functions. Fields that hold what seats remember are named `memory_..`: the rules keep them with either value of
`memory`, and `observe`, `determinize`, `knowledge`, `text`, `svg` and `position` read them with RECALL alone. What is
known with TABLE, too, does not have this prefix.

    reset(s)                   write every other field for a new game, drawing from s.rng
    legal(s, mask)             set mask[a] = 1 for every legal action of s.seat; the mask comes zeroed
    step(s, action)            play a legal action of s.seat; never checks; sets s.seat = NO_SEAT at the end
    observe(s, seat, out)      write the seat's observation, base slices and, if `out` is long enough, the rich ones;
                               returns the number of values written
    determinize(s, seat, stream)  deal everything hidden from `seat` anew from `stream`, s.rng too; the deal depends on
                               the stream and on what the seat sees alone: sort what is gathered before shuffling
    rank_key(s, seat)          a number to compare seats by at the end: larger is better, equal keys share the place
    heuristic(s, mask, stream) the baseline player's action for s.seat; reads only what that seat sees

They allocate nothing and call no Python. `s` is a row (`states[i]`): attributes, `s.scores[p]`, `s.hands[p, k]`.

**The plain functions** speak texts and JSON; they take a row and never change it unless said:

    prepare(s, options)        write the validated options into a blank row
    max_decisions(players, options)  no game has more decisions; `options` may be empty: the defaults
    move_text(s, a)            the one text of action `a` in this position;  parse_move(s, text) its inverse
    setup(s)                   the record's setup object of a fresh game
    from_setup(s, setup)       deal a blank prepared row as the setup object says
    events(before, after)      the chance results of the move between two rows: [{"deck": .., "order": [..]}, ..]
    preset(s, events)          make the next move of `s` take these chance results instead of drawing; a ValueError for
                               what the move cannot bring (cards that are not in play), and `s` stays as it was
    position(s)                the row as JSON-able data in the words of the rules file
    from_position(s, position) fill a blank prepared row from such data
    check(s)                   raise BrokenState when a count, a range or a cache of the state is wrong (see `ensure`)
    text(s, seat, last)        the board as text from a seat's view (None = everything); `last`: a LastMove, or None
    svg(s, seat, last)         the same as an SVG picture
    seen(before, a, after, seat)  what the seat (None: everything) saw of the cards and pieces that the action `a` moved
                               between two rows: [{"from": place, "to": place, "cards": [face, ..] or a number}, ..], a
                               number where the seat saw the backs only, "shuffled": true where the order is not known.
                               With `before` None (and `a` -1): what the seat saw of the setup, `after` being the first
                               row. It says the same with RECALL and TABLE
    knowledge(s, seat)         what the seat knows, beyond the table, of hidden things (section 7.2), as JSON-able data;
                               {} with TABLE
    story(before, a, after, seat)  what the action `a` between two rows was and did, in one or two sentences: who, what,
                               how much, and what chance and scoring did; nothing that `seat` does not see

What `from_setup`, `preset` and `from_position` get comes from outside. They read it with `skyline.reading`: whatever it
is, they take it or raise a ValueError that names the place. After a position is taken, no index that the jitted
functions compute from the row leaves its array, however the game goes on; `check` may still refuse the row.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from skyline.arguments import action_number, brief, check_choice, check_seat
from skyline.declarations import ActionTable, Block, ObservationTable, Option, Slice, one_of, whole_number

if TYPE_CHECKING:
    from skyline.typing import Memory

__all__ = [
    "DEFAULT_MEMORY",
    "MEMORIES",
    "MOST_SEATS",
    "NO_SEAT",
    "RECALL",
    "TABLE",
    "ActionTable",
    "Block",
    "BrokenState",
    "Game",
    "IllegalMove",
    "LastMove",
    "ObservationTable",
    "Option",
    "Slice",
    "State",
    "ensure",
    "ensure_same",
    "illegal_move",
    "one_of",
    "seat_name",
    "whole_number",
]

NO_SEAT = -1
MOST_SEATS = 8  # of any game, a power of two: a seat is packed into 3 bits, and ratings count orders of finish

TABLE, RECALL = 0, 1  # the field `memory` of a state
MEMORIES = {"recall": RECALL, "table": TABLE}  # by the setting's texts
DEFAULT_MEMORY: Memory = "recall"

State = Any  # one row of a state array: numpy.record

HOMES = {  # the module of a game's folder in which each member of `Game` is, and its name there where that differs
    "components": {"player_counts": "PLAYER_COUNTS"},
    "state": {"state": "STATE"},
    "actions": {"actions": "action_table", "move_text": "", "parse_move": ""},
    "rules": {"reset": "", "legal": "", "step": "", "rank_key": ""},
    "observation_table": {"observation": "observation_table"},
    "observation": {"observe": ""},
    "determinize": {"determinize": ""},
    "heuristic": {"heuristic": ""},
    "position": {"setup": "", "events": "", "position": "", "check": ""},
    "loading": {"from_setup": "", "preset": "", "from_position": ""},
    "history": {"seen": ""},
    "knowledge": {"knowledge": ""},
    "text": {"text": "", "story": ""},
    "drawing": {"svg": ""},
}
LATE_HOMES = {"position", "loading", "history", "knowledge", "text", "drawing"}  # imported at the first call: many
# processes only play, and import half as many modules then
OPTIONS_HOME = {"options": {"options": "OPTIONS", "prepare": ""}}  # of a game that has options


def seat_name(seat: int) -> str:
    """The name of a seat in pictures and texts: A, B, C, .."""
    return chr(ord("A") + seat)


class IllegalMove(ValueError):  # noqa: N818 - a move, not a fault of the program
    """A move that the rules do not allow here; the message names it and the legal ones."""


class BrokenState(ValueError):  # noqa: N818 - a state, not a fault of the program
    """A state with a wrong count, range or cache, which no game reaches; the message says what is wrong."""


def ensure(holds: Any, wrong: str, found: Any = None) -> None:
    """BrokenState with the text `wrong`, and what was found, unless the condition holds; under `python -O` too."""
    if not holds:
        raise BrokenState(wrong if found is None else f"{wrong}: {found}")


def ensure_same(what: str, found: Any, wanted: Any) -> None:
    """BrokenState unless two arrays, lists or numbers are the same."""
    if not (np.array_equal(found, wanted) if isinstance(found, np.ndarray) else found == wanted):
        raise BrokenState(f"{what}: {found!r} instead of {wanted!r}")


@dataclass(frozen=True, slots=True)
class LastMove:
    """The move that led to a position, for its picture: who, which action, its text, and its story to a viewer."""

    seat: int
    action: int
    move: str
    story: str


def _taken(module: str, name: str) -> Any:
    """What a module calls so; TypeError if the module lacks the name."""
    home = importlib.import_module(module)
    if not hasattr(home, name):
        raise TypeError(f"{home.__file__} lacks {name}")
    return getattr(home, name)


def _at_first_call(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when the function is called for the first time."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        return _taken(module, name)(*arguments, **keywords)

    call.__module__, call.__qualname__, call.__name__ = module, name, name
    return call


@dataclass(frozen=True, eq=False, slots=True)
class Game:
    """One game; the module docstring says what each member must do. It is shared by all, so it has no dictionary that
    somebody could write to."""

    name: str
    title: str
    version: int
    state: np.dtype[Any]
    player_counts: tuple[int, ...]
    actions: Callable[[int], ActionTable]
    observation: Callable[[int], ObservationTable]
    max_decisions: Callable[[int, Mapping[str, Any]], int]
    # jitted
    reset: Any
    legal: Any
    step: Any
    observe: Any
    determinize: Any
    rank_key: Any
    heuristic: Any
    # plain
    move_text: Callable[[State, int], str]
    parse_move: Callable[[State, str], int]
    setup: Callable[[State], dict[str, Any]]
    from_setup: Callable[[State, Mapping[str, Any]], None]
    events: Callable[[State, State], list[dict[str, Any]]]
    preset: Callable[[State, Sequence[Mapping[str, Any]]], None]
    position: Callable[[State], dict[str, Any]]
    from_position: Callable[[State, Mapping[str, Any]], None]
    check: Callable[[State], None]
    text: Callable[..., str]
    svg: Callable[..., str]
    seen: Callable[[State | None, int, State, int | None], list[dict[str, Any]]] = field(
        default=lambda before, action, after, seat: []
    )
    knowledge: Callable[[State, Any], dict[str, Any]] = field(default=lambda s, seat: {})
    story: Callable[[State, int, State, int | None], str] | None = None
    options: tuple[Option, ...] = ()
    prepare: Callable[[State, Mapping[str, Any]], None] = field(default=lambda s, options: None)

    @classmethod
    def of_modules(cls, package: str, *, has_options: bool = False, **own: Any) -> Game:
        """The game whose members are in the modules of a package, each in its home (`HOMES`); `own` are the others.

        `package` is the name of the game's package (`__package__` in its game.py).
        """
        members = dict(own)
        for home, names in (HOMES | (OPTIONS_HOME if has_options else {})).items():
            take = _at_first_call if home in LATE_HOMES else _taken
            for member, name in names.items():
                if member not in members:
                    members[member] = take(f"{package}.{home}", name or member)
        return cls(**members)

    def __post_init__(self) -> None:
        self._check_player_counts()
        self._check_state()
        for name, checked in (
            ("actions", _Tables.of(self, self.actions)),
            ("observation", _Tables.of(self, self.observation)),
            ("knowledge", _with_seat_checked(self.knowledge)),
            ("text", _with_seat_checked(self.text, takes_none=True)),
            ("svg", _with_seat_checked(self.svg, takes_none=True)),
        ):
            object.__setattr__(self, name, checked)

    def _check_player_counts(self) -> None:
        counts = self.player_counts
        whole = bool(counts) and all(isinstance(count, int) and not isinstance(count, bool) for count in counts)
        if not whole or list(counts) != sorted(set(counts)) or not 2 <= counts[0] <= counts[-1] <= MOST_SEATS:
            raise TypeError(f"player_counts of {self.name} must rise within 2 .. {MOST_SEATS}, not be {counts!r}")

    def _check_state(self) -> None:
        fields: Mapping[str, Any] = self.state.fields or {}
        missing = {"rng", "deal", "players", "seat", "scores", "memory"} - set(fields)
        if missing:
            raise TypeError(f"the state of {self.name} lacks the fields {', '.join(sorted(missing))}")
        if self.state.type is not np.record:
            raise TypeError(f"the state of {self.name} must be made by skyline.core.jit.record_dtype")
        if sum(fields[name][0].itemsize for name in self.state.names or ()) != self.state.itemsize:
            raise TypeError(f"the state of {self.name} has padding: make it by skyline.core.jit.record_dtype")
        if clash := [name for name in self.state.names or () if hasattr(np.record, name)]:
            raise TypeError(f"state fields of {self.name} have names of NumPy's own attributes: {', '.join(clash)}")
        if self.state["scores"].shape != (max(self.player_counts),):
            raise TypeError(f"scores of {self.name} must have shape ({max(self.player_counts)},)")

    # ------------------------------------------------------------ checked at the edge

    def check_players(self, players: int) -> int:
        """The player count, or a ValueError that names the allowed ones."""
        if isinstance(players, bool) or not isinstance(players, (int, np.integer)) or players not in self.player_counts:
            allowed = ", ".join(map(str, self.player_counts))
            raise ValueError(f"{self.title} is for {allowed} players, not {brief(players)}")
        return int(players)

    def check_options(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Every option with its value: missing ones get their default, unknown ones and bad values a ValueError."""
        if given is not None and not isinstance(given, Mapping):
            raise ValueError(f"options of {self.title} are a mapping from names to values, not {brief(given)}")
        given = dict(given or {})
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                allowed = f"its options are {', '.join(known)}" if known else "it has no options"
                raise ValueError(f"{self.title} has no option {brief(name)} ({allowed}){hint}")
        values = {}
        for name, option in known.items():
            try:
                values[name] = option.check(given.get(name, option.default))
            except ValueError as reason:
                raise ValueError(
                    f"option {name} of {self.title} must be {reason}, not {brief(given.get(name, option.default))}"
                ) from None
        return values

    def blank(
        self, players: int, options: Mapping[str, Any] | None = None, n: int = 1, memory: Memory = DEFAULT_MEMORY
    ) -> np.ndarray[Any, Any]:
        """n rows with player count, memory and options written and nothing dealt: what `reset` and the loaders fill."""
        states = np.zeros(n, self.state)
        states["players"] = self.check_players(players)
        check_choice("memory", memory, tuple(MEMORIES))
        states["memory"] = MEMORIES[memory]
        states["seat"] = NO_SEAT
        self.prepare(states[0], self.check_options(options))
        states[1:] = states[0]
        return states

    def __repr__(self) -> str:
        return (
            f"<game {self.title}, version {self.version}, {self.player_counts[0]} .. {self.player_counts[-1]} players>"
        )

    def __deepcopy__(self, memo: Any) -> Game:
        """A game never changes: copies of an environment share it."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its name and version."""
        from skyline.registry import load

        return load, (f"{self.name}_v{self.version}",)

    def last_move(self, before: State, action: int, after: State, viewer: int | None = None) -> LastMove:
        """The move between two rows, told to a viewer (None: everything is shown)."""
        seat, move = int(before.seat), self.move_text(before, action)
        if self.story is None:
            return LastMove(seat, action, move, f"{seat_name(seat)}: {move}.")
        return LastMove(seat, action, move, self.story(before, action, after, viewer))

    def places(self, s: State) -> list[int]:
        """Final place of every seat: 1 + the number of seats with a larger rank key."""
        keys = [int(_rank_key(self)(s, seat)) for seat in range(s.players)]
        return [1 + sum(other > key for other in keys) for key in keys]


@dataclass(frozen=True, eq=False, slots=True)
class _Tables:
    """A game's tables of one kind by player count: each is made once, and other counts are refused."""

    game: Game
    make: Callable[[int], Any]  # with a memory

    @classmethod
    def of(cls, game: Game, make: Callable[[int], Any]) -> _Tables:
        return cls(game, make.make if isinstance(make, _Tables) else lru_cache(None)(make))

    def __call__(self, players: int) -> Any:
        return self.make(self.game.check_players(players))


def _with_seat_checked(tell: Callable[..., Any], takes_none: bool = False) -> Callable[..., Any]:
    """A function of a state and a seat, to which the seat may be given as a number or as the name of an agent, with
    `takes_none` also as None; other seats are refused."""

    def checked(s: State, seat: Any, *more: Any) -> Any:
        viewer = None if seat is None and takes_none else check_seat("seat", seat, int(s.players))
        return tell(s, viewer, *more)

    return checked


@lru_cache(None)
def _rank_key(game: Game) -> Callable[[State, int], Any]:
    from skyline.core.jit import FromPython

    return FromPython(game.rank_key)


def illegal_move(game: Game, s: State, mask: np.ndarray[Any, Any], action: Any, who: str) -> IllegalMove:
    """The error that names the move, what is wrong with it, and what is allowed."""
    size = len(mask)
    legal = [game.move_text(s, int(a)) for a in np.flatnonzero(mask)]
    allowed = ", ".join(legal[:12]) + (f", .. ({len(legal)} in all)" if len(legal) > 12 else "")
    number = action_number(action)
    if number is None:
        return IllegalMove(f"{who}: an action is a whole number 0 .. {size - 1}, not {brief(action)}; legal: {allowed}")
    if not 0 <= number < size:
        return IllegalMove(f"{who}: action {number} is outside 0 .. {size - 1}; legal: {allowed}")
    return IllegalMove(f"{who}: {game.move_text(s, number)!r} (action {number}) is not legal here; legal: {allowed}")
