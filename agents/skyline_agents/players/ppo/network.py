"""A trained policy without torch: layers of numbers, and the game that they were trained for.

    model = load(path)                                  # a TrainedModel
    model.check_fits(game, players)                     # ValueError if the installed game is another one
    logits = model.network(observations)                # (n, N) float32 -> (n, A)
    actions = best(logits, masks)                       # or sampled(logits, masks, uniforms)

Observations are the engine's float view (`obs_dtype="float32"`), whose values are scaled by the game's table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from skyline.files import whole
from skyline.game import DEFAULT_MEMORY, Game
from skyline.reading import Unreadable, Value
from skyline.typing import Array, Memory
from skyline_agents.memory_setting import EARLIER_MEMORY, MEMORY_VALUES
from skyline_agents.players import safetensors
from skyline_agents.players.ppo.tables import TABLES, Tables
from skyline_agents.players.safetensors import BadFile

FORMAT = "skyline-ppo-1"
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda x: np.maximum(x, 0, out=x),
    "tanh": lambda x: np.tanh(x, out=x),
}
FEATURES = ("base", "rich")
MOST_OBSERVED = 1e4  # a bound of the float view's values, which are near 1
MOST_LOGIT = 1e30  # a bound of all sums in a network, far below the largest float32
NEEDED = ("format", "game", "version", "players", "features", "activation", "tables")


@dataclass(frozen=True)
class Network:
    """Fully connected layers: weights (out, in) and biases (out,), an activation between them."""

    layers: tuple[tuple[Array, Array], ...]
    activation: str = "relu"

    def __call__(self, observations: Array) -> Array:
        """Logits of all actions, (n, A)."""
        activate, values = ACTIVATIONS[self.activation], observations
        for weight, bias in self.layers[:-1]:
            values = activate(values @ weight.T + bias)
        weight, bias = self.layers[-1]
        logits: Array = values @ weight.T + bias
        return logits

    @property
    def sizes(self) -> list[int]:
        """Observation size, widths, number of actions."""
        return [self.layers[0][0].shape[1], *(len(bias) for _, bias in self.layers)]


def best(logits: Array, masks: Array) -> Array:
    """The legal action with the largest logit in every row."""
    actions: Array = np.where(masks != 0, logits, -np.inf).argmax(axis=1)
    return actions


def sampled(logits: Array, masks: Array, uniforms: Array) -> Array:
    """A legal action for every row, drawn with its probability by a number 0 <= u < 1 a row."""
    legal = np.where(masks != 0, logits, -np.inf).astype(np.float64)
    sums = np.exp(legal - legal.max(axis=1, keepdims=True)).cumsum(axis=1)
    actions: Array = (sums > uniforms[:, np.newaxis] * sums[:, -1:]).argmax(axis=1)
    return actions


@dataclass(frozen=True)
class TrainedModel:
    """A network and the game that it plays. `facts` are any further texts, such as the steps of the training."""

    network: Network
    game: str
    version: int
    players: int
    features: str
    tables: str  # the checksum of the tables that it was trained on
    facts: Mapping[str, str]
    memory: Memory = DEFAULT_MEMORY  # of the games that it was trained in: it is shown no more than that

    def check_fits(self, game: Game, players: int) -> None:
        """ValueError unless the model was trained for this game as it is installed."""
        if (self.game, self.players) != (game.name, players):
            raise ValueError(f"the model plays {self.game} with {self.players} players, not {game.name} with {players}")
        sizes = [game.observation(players).size(self.features), game.actions(players).size]
        own = [self.network.sizes[0], self.network.sizes[-1]]
        if self.version == game.version and own == sizes and self.tables == Tables.of(game, players).checksum:
            return
        raise ValueError(
            f"the model was trained on {self.game}_v{self.version} with {own[0]} observed values and {own[1]} actions; "
            f"installed is {game.name}_v{game.version} with {sizes[0]} and {sizes[1]}"
            f"{', and other tables' if own == sizes else ''}: train a new one, or `skyline train carry` it over"
        )


def model_of(
    network: Network, game: Game, players: int, features: str, facts: Mapping[str, str], memory: Memory = DEFAULT_MEMORY
) -> TrainedModel:
    """A model that was trained on the game as it is installed. Its facts name the tables, for `carry`."""
    tables = Tables.of(game, players)
    facts = {**facts, TABLES: tables.as_text()}
    return TrainedModel(network, game.name, game.version, players, features, tables.checksum, facts, memory)


def save(model: TrainedModel, path: Path, half: bool = False) -> None:
    """Write the model with 4 bytes for every number, with `half` 2 bytes."""
    dtype = np.float16 if half else np.float32
    tensors: dict[str, Array] = {}
    for i, (weight, bias) in enumerate(model.network.layers):
        tensors |= {f"{i}.weight": weight.astype(dtype), f"{i}.bias": bias.astype(dtype)}
    metadata = {
        "format": FORMAT, "game": model.game, "version": str(model.version), "players": str(model.players),
        "features": model.features, "activation": model.network.activation, "tables": model.tables,
        "memory": model.memory, **model.facts,
    }  # fmt: skip
    with whole(path) as part:
        safetensors.write(part, tensors, metadata)


def load(path: Path) -> TrainedModel:
    """Read a model; BadFile (with file and place) or OSError if the file holds none."""
    tensors, metadata = safetensors.read(path)
    try:
        return _model(tensors, metadata)
    except Unreadable as error:
        raise BadFile(error.reason, f"{path}: {error.place}" if error.place else str(path)) from None


def _model(tensors: Mapping[str, Array], metadata: Mapping[str, str]) -> TrainedModel:
    if metadata.get("format") != FORMAT:
        raise BadFile("holds tensors, but no model of `skyline train ppo`")
    if missing := set(NEEDED) - set(metadata):
        raise BadFile(
            f"holds tensors, but no model of `skyline train ppo`: it does not say its {', '.join(sorted(missing))}"
        )
    given = Value(metadata, safetensors.METADATA).items()
    if not re.fullmatch(r"[A-Za-z0-9_]{1,100}", metadata["game"]):
        given["game"].refuse("a name of letters, digits and _")
    features = FEATURES[given["features"].one_of(FEATURES)]
    activation = list(ACTIVATIONS)[given["activation"].one_of(list(ACTIVATIONS))]
    network = Network(_layers(tensors), activation)
    _check_range(network)
    return TrainedModel(
        network, metadata["game"], _whole(given["version"], 0), _whole(given["players"], 1), features,
        given["tables"].text(100), {key: value for key, value in metadata.items() if key not in (*NEEDED, "memory")},
        MEMORY_VALUES[given["memory"].one_of(MEMORY_VALUES)] if "memory" in metadata else EARLIER_MEMORY,
    )  # fmt: skip


def _whole(value: Value, low: int) -> int:
    """The value of a whole number that is written as a text."""
    if not re.fullmatch(r"[0-9]{1,6}", value.raw) or int(value.raw) < low:
        value.refuse(f"a whole number {low} .. 999999 as a text")
    return int(value.raw)


def _layers(tensors: Mapping[str, Array]) -> tuple[tuple[Array, Array], ...]:
    count = len(tensors) // 2
    wanted = {f"{i}.{part}" for i in range(count) for part in ("weight", "bias")}
    if not count or set(tensors) != wanted:
        there = _some(sorted(tensors)) or "(none)"
        raise BadFile(f"has the tensors {there}, not 0.weight, 0.bias, 1.weight ..")
    layers = tuple((tensors[f"{i}.weight"], tensors[f"{i}.bias"]) for i in range(count))
    for i, (weight, bias) in enumerate(layers):
        if weight.ndim != 2 or 0 in weight.shape:
            raise BadFile(f"{i}.weight has the shape {list(weight.shape)}, a layer has [units, inputs]")
        if bias.shape != weight.shape[:1]:
            raise BadFile(f"{i}.bias has the shape {list(bias.shape)}, {i}.weight {list(weight.shape)}")
        if i and weight.shape[1] != len(layers[i - 1][1]):
            given = len(layers[i - 1][1])
            takes = f"{i}.weight takes {weight.shape[1]} values, the layer before gives {given}"
            raise BadFile(f"the layers do not fit each other: {takes}")
    return layers


def _some(names: Sequence[str]) -> str:
    """The first names, shortened for a message."""
    return ", ".join(name[:40] for name in names[:6]) + (" .." if len(names) > 6 else "")


def _check_range(network: Network) -> None:
    """BadFile unless all sums for every possible observation fit into float32."""
    most = MOST_OBSERVED
    for i, (weight, bias) in enumerate(network.layers):
        if i and network.activation == "tanh":
            most = 1.0
        sums = np.abs(weight).sum(axis=1, dtype=np.float64) * most + np.abs(bias)
        most = float(sums.max())
        if most > MOST_LOGIT:
            raise BadFile(f"{i}.weight has numbers that are too large: its sums can reach {most:.0e}")
