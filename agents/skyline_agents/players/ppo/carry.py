"""Carrying a model over to the tables that its game has now, so that it plays the same moves.

    carried(load(path), registry.load("manhattan"))     # the same network, for more observed values and actions
    rewrite(path)                                       # a file, with the card that lies beside it

A slice that the model was trained on keeps its weights, wherever it lies now; a slice that is new gets zeros, so that
it says nothing to the network. An action that is new gets a logit so low that the model plays it only if no other is
legal. So the logits of all old actions are those of the old network, but for the rounding of sums whose order changes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.files import write_text
from skyline.game import Game
from skyline.reading import Unreadable
from skyline.typing import Array
from skyline_agents.players.ppo import card, shelf
from skyline_agents.players.ppo.network import Network, TrainedModel, load, save
from skyline_agents.players.ppo.tables import TABLES, Part, Tables, earlier, read

NEVER = -30_000.0  # the logit of a new action: a half-precision number far below all others
CARRIED = "carried"  # the fact of a model, and the field of its card, that say what was done to it


def tables_of(model: TrainedModel) -> Tables:
    """The tables that a model was trained on; ValueError if nobody knows them."""
    if TABLES in model.facts:
        found = read(model.facts[TABLES], f"__metadata__.{TABLES}")
        if found.checksum != model.tables:
            raise ValueError("the tables that the model holds are not those of its checksum")
        return found
    if model.tables not in earlier():
        raise ValueError(f"nobody knows the tables {model.tables} that the model was trained on: train a new one")
    return earlier()[model.tables]


def carried(model: TrainedModel, game: Game) -> TrainedModel:
    """The model for the game as it is installed; ValueError if it cannot play the same moves there."""
    old, new = tables_of(model), Tables.of(game, model.players)
    weight, bias = model.network.layers[0]
    layers = [(_columns(weight, old.observed(model.features), new.observed(model.features)), bias)]
    layers += model.network.layers[1:]
    layers[-1] = _rows(*layers[-1], old, new)
    facts = {**model.facts, TABLES: new.as_text(), CARRIED: f"from {_named(model)}; {changes(model, game)}"}
    network = Network(tuple(layers), model.network.activation)
    return replace(model, network=network, version=game.version, tables=new.checksum, facts=facts)


def _named(model: TrainedModel) -> str:
    return f"{model.game}_v{model.version} (tables {model.tables})"


def _columns(weight: Array, old: Sequence[Part], new: Sequence[Part]) -> Array:
    """The weights (units, values) of the first layer, for the values of the new table."""
    there = {part.name: part for part in new}
    for part in old:
        if part.name not in there:
            raise ValueError(f"the slice {part.name} is no longer observed: train a new model")
        if part.shape != there[part.name].shape:
            shapes = f"{list(part.shape)} in training, {list(there[part.name].shape)} now"
            raise ValueError(f"the slice {part.name} has another shape ({shapes}): train a new model")
    starts = np.cumsum([0, *(part.length for part in old)])
    found = {part.name: (weight[:, at : at + part.length], part.scale) for part, at in zip(old, starts, strict=False)}
    nothing = np.zeros((len(weight), 0), weight.dtype)
    columns = [_scaled(*found[part.name], part) if part.name in found else _zeros(weight, part) for part in new]
    return np.concatenate([nothing, *columns], axis=1)


def _scaled(weight: Array, scale: float, part: Part) -> Array:
    """The weights of a slice whose values are divided by another number than before."""
    return weight if scale == part.scale else weight * weight.dtype.type(part.scale / scale)


def _zeros(weight: Array, part: Part) -> Array:
    return np.zeros((len(weight), part.length), weight.dtype)


def _rows(weight: Array, bias: Array, old: Tables, new: Tables) -> tuple[Array, Array]:
    """Weights and biases of the last layer for the actions of the new table."""
    places = _places(old, new)
    size = sum(count for _, count in new.actions)
    rows, biases = np.zeros((size, weight.shape[1]), weight.dtype), np.full(size, NEVER, bias.dtype)
    rows[places], biases[places] = weight, bias
    return rows, biases


def _places(old: Tables, new: Tables) -> Array:
    """Where the old actions stand now. Only the last block of a table may have grown, by actions at its end."""
    first, there = 0, dict[str, tuple[int, int]]()
    for name, count in new.actions:
        there[name] = first, count
        first += count
    found = []
    for number, (name, count) in enumerate(old.actions):
        start, now = there.get(name, (0, 0))
        if now != count and not (now > count and number == len(old.actions) - 1):
            raise ValueError(f"the actions {name} are {now} now, not {count} as in training: train a new model")
        found.append(np.arange(start, start + count))
    return np.concatenate(found)


def changes(model: TrainedModel, game: Game) -> str:
    """What a carried model meets now that it was not trained on, in words."""
    old, new = tables_of(model), Tables.of(game, model.players)
    known = {part.name for part in old.observed(model.features)}
    more = [part.name for part in new.observed(model.features) if part.name not in known]
    actions = sum(count for _, count in new.actions) - sum(count for _, count in old.actions)
    said = f"{len(more)} new slices, which it does not look at ({', '.join(more)})" if more else "no new slices"
    if actions:
        said += f"; new actions, which it plays only if nothing else is legal: {actions}"
    return said


# ---------------------------------------------------------------- files


def rewrite(path: Path) -> str | None:
    """Carry over a model file and the card beside it, in place; what was done, in words, None if it fits already."""
    model = load(path)
    game = registry.load(model.game)
    game.check_players(model.players)
    try:
        model.check_fits(game, model.players)
    except ValueError:
        pass
    else:
        return None
    try:
        new = carried(model, game)
    except Unreadable as error:
        raise Unreadable(error.reason, f"{path}: {error.place}") from None
    except ValueError as reason:
        raise ValueError(f"{path}: {reason}") from None
    figures = path.with_name(shelf.DATA) if path.name == shelf.MODEL else path.with_suffix(".json")
    if figures.is_file():  # read before anything is written: a damaged card is refused
        step = {"version": model.version, "tables": model.tables, "change": changes(model, game)}
        _write_card(path, figures, shelf.read_card(figures), new, step)
    save(new, path, half=_is_half(model.network))
    return f"{_named(model)} -> {_named(new)}: {changes(model, game)}"


def _write_card(path: Path, figures: Path, data: dict[str, Any], new: TrainedModel, step: dict[str, Any]) -> None:
    data |= {"version": new.version, "tables": new.tables, "memory": new.memory, "layers": new.network.sizes}
    if step not in data.get(CARRIED, []):  # the model is written last: the card may tell of this step already
        data[CARRIED] = [*data.get(CARRIED, []), step]
    page = path.with_name(shelf.CARD) if path.name == shelf.MODEL else path.with_suffix(".md")
    text = card.card(data)
    write_text(page, text if path.name == shelf.MODEL else shelf.renamed(text, path.stem))
    write_text(figures, json.dumps(data, indent=2) + "\n")


def _is_half(network: Network) -> bool:
    """Whether all numbers of a network are half-precision numbers."""
    parts = [part for layer in network.layers for part in layer]
    return all(np.array_equal(part.astype(np.float16).astype(part.dtype), part) for part in parts)
