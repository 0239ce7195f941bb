"""Models as files from outside: every refusal is a BadFile that names the file and the tensor or field."""

from __future__ import annotations

import json
import os
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline_agents import names
from skyline_agents.players import safetensors
from skyline_agents.players.ppo import network
from skyline_agents.players.ppo.network import Network, TrainedModel, model_of
from skyline_agents.players.safetensors import BadFile
from tests.support.playing import FEW, GAME


def small() -> TrainedModel:
    """Two layers of a few units: enough for the reader."""
    rng, game = np.random.default_rng(0), registry.load(GAME)
    layers = [(rng.normal(0, 0.3, (b, a)).astype(np.float32), np.zeros(b, np.float32)) for a, b in ((5, 4), (4, 3))]
    return model_of(Network(tuple(layers)), game, FEW, "rich", {"steps": "7"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    network.save(small(), tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def write(path: Path, header: dict[str, Any] | str, body: bytes) -> None:
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def refusal(path: Path) -> str:
    with pytest.raises(BadFile) as error:
        network.load(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < 600
    return said.removeprefix(f"{path}: ")


def tensor(name: str, **changed: Any) -> Any:
    return lambda header: header[name].update(changed)


def meta(**changed: Any) -> Any:
    return lambda header: header["__metadata__"].update(changed)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (tensor("0.weight", shape=[-4, -5]), "0.weight.shape[0]: a whole number 0 .. "),
        (tensor("0.weight", shape=[4, 5.0]), "0.weight.shape[1]: a whole number"),
        (tensor("0.weight", shape=[2**40, 2**40]), "0.weight.shape[0]: a whole number"),
        (tensor("0.weight", shape=[10**6] * 4), "0.weight: the numbers do not fill the shape"),
        (tensor("0.weight", shape=[1] * 40), "0.weight.shape: a list of at most 8"),
        (tensor("0.weight", shape="45"), "0.weight.shape: a list"),
        (tensor("0.weight", shape=[5, 4]), "0.weight"),
        (tensor("0.weight", dtype=["F32"]), "0.weight.dtype: one of F32, F16, not a list of 1"),
        (tensor("0.weight", dtype="I64"), "0.weight.dtype: one of F32, F16, not 'I64'"),
        (tensor("0.weight", data_offsets=[0, 10**9]), "0.weight.data_offsets[1]: a whole number 0 .. "),
        (tensor("0.weight", data_offsets=[-8, 72]), "0.weight.data_offsets[0]: a whole number 0 .. "),
        (tensor("0.weight", data_offsets=["0", 80]), "0.weight.data_offsets[0]: a whole number"),
        (tensor("0.weight", data_offsets=[80, 0]), "0.weight: the numbers do not fill the shape"),
        (tensor("1.bias", data_offsets=[0, 12]), "lies over the numbers of another tensor"),
        (tensor("0.weight", extra=1), "0.weight: there is no field 'extra'"),
        (lambda header: header.update({"0.weight": [1]}), "0.weight: an object"),
        (lambda header: header.update({"__metadata__": {"format": 3}}), "__metadata__.format: a text"),
        (lambda header: header.update({"__metadata__": None}), "__metadata__: an object"),
        (lambda header: header.pop("0.bias"), "bytes that belong to no tensor"),
        (lambda header: header.update({f"t{i}": header["0.bias"] for i in range(200)}), "has 204 tensors"),
        (meta(version="²"), "__metadata__.version: a whole number"),
        (meta(version="9" * 30), "__metadata__.version: a whole number"),
        (meta(players="two"), "__metadata__.players: a whole number"),
        (meta(players="0"), "__metadata__.players: a whole number"),
        (meta(activation="gelu"), "__metadata__.activation: one of relu, tanh, not 'gelu'"),
        (meta(features="all"), "__metadata__.features: one of base, rich, not 'all'"),
        (meta(tables="x" * 999), "__metadata__.tables: a text of at most"),
        (meta(game="../../etc"), "__metadata__.game: a name of letters, digits and _"),
    ],
)
def test_a_wrong_header_is_told_with_its_place(change: Any, says: str, path: Path) -> None:
    header, body = parts(path)
    change(header)
    write(path, header, body)
    assert says in refusal(path)


def test_a_tensor_twice_nested_or_endless_headers(path: Path) -> None:
    header, body = parts(path)
    text = json.dumps(header)
    write(path, text.replace('"0.bias"', '"0.weight"', 1), body)
    assert "has the key '0.weight' twice" in refusal(path)
    write(path, text.replace('"steps": "7"', '"steps": ' + "[" * 90_000), body)
    assert "nested deeper than" in refusal(path)
    write(path, text.replace("[4, 5]", "[4, " + "5" * 5000 + "]"), body)
    assert "a whole number has 5,000 digits" in refusal(path)
    path.write_bytes((2**63).to_bytes(8, "little") + b"{}")
    assert "is no safetensors file, or is cut off" in refusal(path)
    write(path, "{" + " " * (safetensors.MOST_HEADER + 1), body)
    assert "header" in refusal(path)


@pytest.mark.parametrize(("value", "says"), [(float("nan"), "nan"), (float("inf"), "inf"), (3e38, "too large")])
def test_numbers_that_are_none_are_refused(value: float, says: str, path: Path) -> None:
    header, body = parts(path)
    at = header["1.weight"]["data_offsets"][0] + 4
    write(path, header, body[:at] + struct.pack("<f", value) + body[at + 4 :])
    said = refusal(path)
    assert "1.weight" in said
    assert says in said


def test_layers_fit_each_other_and_have_units(path: Path) -> None:
    first, last = small().network.layers
    for layers, says in (
        ((first, (last[0][:, :3], last[1])), "1.weight takes 3 values, the layer before gives 4"),
        ((first, (last[0], last[1][:2])), "1.bias has the shape [2], 1.weight [3, 4]"),
        (((first[0][:0], first[1][:0]), last), "0.weight has the shape [0, 5]"),
        (((first[0].ravel(), first[1]), last), "0.weight has the shape [20]"),
    ):
        network.save(TrainedModel(Network(layers), GAME, 0, FEW, "rich", "0" * 16, {}), path)
        assert says in refusal(path)


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(ValueError, match=r"is no regular file|is a folder, not a model file"):
            names.make(f"ppo:{tmp_path / name}")


def test_mutants_are_read_or_refused_with_their_name(path: Path) -> None:
    good, chance, refused = path.read_bytes(), random.Random(4), 0
    size = int.from_bytes(good[:8], "little") + 8
    words = [
        b"-1",
        b"1e9",
        b"null",
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b",",
        b"true",
        b"9" * 25,
        b"NaN",
        b"\xff",
        b"\\u0000",
    ]
    for _ in range(700):
        data = bytearray(good)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(size if chance.random() < 0.8 else len(data))
            if chance.random() < 0.4:
                data[at : at + chance.randint(0, 3)] = chance.choice(words)
            else:
                data[at] = chance.randrange(256)
        path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)
        try:
            loaded = network.load(path)
        except BadFile as error:
            refused += 1
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)
        else:
            logits = loaded.network(np.ones((1, loaded.network.sizes[0]), np.float32))
            assert np.isfinite(logits).all()
    assert refused > 300
