"""Trained networks without torch: their files, their forward pass, the agent `ppo`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skyline
from skyline import registry
from skyline_agents import names, protocol
from skyline_agents.play import play
from skyline_agents.players import safetensors
from skyline_agents.players.ppo import network, shelf
from skyline_agents.players.ppo.network import Network, TrainedModel, best, sampled
from skyline_agents.players.ppo.player import Networked
from skyline_agents.players.ppo.tables import Tables
from tests.support.networks import FEW, GAME, model, random_network, saved, views
from tests.support.playing import TABLES, Array, tables

# ---------------------------------------------------------------- files


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    """All numbers in single precision; in half precision to three digits, in half the bytes."""
    written = model(activation="tanh")
    network.save(written, tmp_path / "whole")
    network.save(written, tmp_path / "half", half=True)
    whole, half = network.load(tmp_path / "whole"), network.load(tmp_path / "half")
    for read in (whole, half):
        assert (read.game, read.players, read.features, read.tables, read.facts) == (
            written.game, written.players, written.features, written.tables, written.facts,
        )  # fmt: skip
        assert read.network.activation == "tanh"
        assert all(array.dtype == np.float32 for layer in read.network.layers for array in layer)
    for first, second, third in zip(written.network.layers, whole.network.layers, half.network.layers, strict=True):
        for a, b, c in zip(first, second, third, strict=True):
            assert np.array_equal(a, b)
            assert not np.array_equal(a, c)
            assert np.allclose(a, c, rtol=1e-3, atol=1e-4)
    assert (tmp_path / "half").stat().st_size < 0.55 * (tmp_path / "whole").stat().st_size


def test_the_files_are_those_of_the_safetensors_package(tmp_path: Path) -> None:
    package = pytest.importorskip("safetensors.numpy")
    tensors = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b.c": np.array([1.5], np.float16)}
    safetensors.write(tmp_path / "ours", tensors, {"who": "wé"})
    theirs = package.load_file(tmp_path / "ours")
    assert {name: array.tolist() for name, array in theirs.items()} == {
        name: array.tolist() for name, array in tensors.items()
    }
    assert theirs["b.c"].dtype == np.float16
    package.save_file(tensors, tmp_path / "theirs", {"who": "wé"})
    read, metadata = safetensors.read(tmp_path / "theirs")
    assert metadata == {"who": "wé"}
    assert {name: array.tolist() for name, array in read.items()} == {
        name: array.tolist() for name, array in tensors.items()
    }


def spoilt(text: dict[str, Any], numbers: bytes = b"\0" * 8) -> bytes:
    header = json.dumps(text).encode()
    return len(header).to_bytes(8, "little") + header + numbers


ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no safetensors file"),
        (b"\x05\0\0", "no safetensors file"),
        (b"\xff" * 40, "no safetensors file"),
        (b"\x08" + b"\0" * 7 + b"not json", "no JSON"),
        (b"\x02" + b"\0" * 7 + b"[]", "an object"),
        (spoilt({"a": {"dtype": "F32"}}), "a: the field 'shape' is missing"),
        (spoilt({"a": {**ENTRY, "dtype": "I64"}}), "a.dtype: one of F32, F16, not 'I64'"),
        (spoilt({"a": ENTRY}, b"\0" * 7), r"a\.data_offsets\[1\]: a whole number 0 \.\. 7, not 8"),
        (spoilt({"a": {**ENTRY, "shape": [3]}}), "do not fill the shape"),
        (spoilt({"a": ENTRY}), "no model of `skyline train ppo`"),
        (spoilt({"__metadata__": {"format": network.FORMAT}, "a": ENTRY}), "does not say its activation, features"),
    ],
)
def test_a_bad_file_is_named_with_the_reason(data: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=reason) as error:
        network.load(path)
    assert str(path) in str(error.value)


def test_layers_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    good = model()
    first, second, last = good.network.layers
    for layers in ((first, last), (first, (second[0], second[1][1:]), last)):
        network.save(TrainedModel(Network(layers), GAME, 0, FEW, "rich", good.tables, {}), tmp_path / "m")
        with pytest.raises(ValueError, match=r"do not fit each other|has the shape"):
            network.load(tmp_path / "m")


def test_a_file_is_whole_or_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()

    def fails(part: Path, *_: Any) -> None:
        part.write_bytes(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(safetensors, "write", fails)
    with pytest.raises(OSError, match="full"):
        saved(tmp_path, seed=1)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# ---------------------------------------------------------------- the forward pass


@pytest.mark.parametrize(("activation", "function"), [("relu", lambda x: max(x, 0.0)), ("tanh", np.tanh)])
def test_the_forward_pass_by_hand(activation: str, function: Callable[[float], float]) -> None:
    net, x = random_network(GAME, FEW, activation=activation), np.random.default_rng(1).random(
        registry.load(GAME).observation(FEW).size("rich"), np.float32
    )  # fmt: skip
    values = [float(v) for v in x]
    for i, (weight, bias) in enumerate(net.layers):
        sums = [float(np.dot(row.astype(float), values)) + float(b) for row, b in zip(weight, bias, strict=True)]
        values = sums if i == len(net.layers) - 1 else [float(function(s)) for s in sums]
    assert net(x[np.newaxis])[0] == pytest.approx(values, abs=1e-4)


def test_only_legal_actions_are_chosen() -> None:
    """The likeliest legal one; or by chance, as often as the softmax over the legal ones says."""
    logits = np.array([[9.0, 1.0, 2.0, 0.5, -50.0]], np.float32)
    masks = np.array([[0, 1, 1, 1, 1]], np.int8)
    assert best(logits, masks).tolist() == [2]
    n = 20_000
    uniforms = (np.arange(n) + 0.5) / n
    actions = sampled(np.repeat(logits, n, axis=0), np.repeat(masks, n, axis=0), uniforms)
    shares = np.bincount(actions, minlength=5) / n
    weights = np.exp([1.0, 2.0, 0.5])
    assert shares.tolist() == pytest.approx([0, *(weights / weights.sum()), 0], abs=1e-3)
    edges = sampled(np.repeat(logits, 2, axis=0), np.repeat(masks, 2, axis=0), np.array([0.0, np.nextafter(1, 0)]))
    assert edges[0] == 1
    assert edges[1] in (3, 4)


# ---------------------------------------------------------------- the agent


@tables
def test_views_are_observed_in_one_call(game: str, players: int) -> None:
    """The same as one by one, and as the batch's float view, to the last bit."""
    seen, games = views(game, players)
    for features in ("base", "rich"):
        assert np.array_equal(
            protocol.observations(seen, features), np.stack([view.observe(features) for view in seen])
        )
        batch = skyline.vector(game, len(seen), players, features=features, obs_dtype="float32")
        batch.reset(seed=3)
        batch.states[:] = games.states
        batch._moves.observe()
        assert np.array_equal(protocol.observations(seen, features, "float32"), batch.observations)
    assert np.array_equal(protocol.action_masks(seen), games.action_mask)


@tables
def test_a_network_plays_every_game(game: str, players: int, tmp_path: Path) -> None:
    path = saved(tmp_path, game, players)
    results = play(game, [f"ppo:{path}", "random"], 2 * players, players=players, seed=4, duplicate=True)
    assert len(results) == 2 * players


def test_what_the_agent_plays(tmp_path: Path) -> None:
    """The likeliest legal action of the model's features; the same in many views as alone."""
    for features in ("base", "rich"):
        agent = names.make(f"ppo:{saved(tmp_path, features=features)}")
        seen, _ = views(GAME, FEW)
        agent.begin(seen[0].game, FEW, {}, 1)
        net = model(features=features).network
        wanted = []
        for view in seen:
            logits = net((view.observe(features) / scales(features)).astype(np.float32)[np.newaxis])[0]
            wanted.append(max(view.legal(), key=lambda action, logits=logits: logits[action]))
        assert protocol.act_in_all(agent, seen) == wanted
        assert [agent.act(view) for view in seen] == wanted


def scales(features: str) -> Array:
    return registry.load(GAME).observation(FEW).per_value("scale", features)


def test_sampling_draws_from_the_games_stream_alone(tmp_path: Path) -> None:
    """The same games however many are played side by side, other ones with another seed, and not the likeliest."""
    path = saved(tmp_path)
    line_up = [f"ppo:{path},sample=yes", f"ppo:{path}"][:FEW]
    whole = play(GAME, line_up, 12, players=FEW, seed=1)
    first = play(GAME, line_up, 3, players=FEW, seed=1)
    assert np.array_equal(whole.column("scores")[:3], first.column("scores"))
    assert not np.array_equal(whole.column("scores"), play(GAME, line_up, 12, players=FEW, seed=2).column("scores"))
    likeliest = play(GAME, [f"ppo:{path}"], 12, players=FEW, seed=1)
    assert not np.array_equal(whole.column("scores"), likeliest.column("scores"))
    assert np.array_equal(
        likeliest.column("scores"), play(GAME, [f"ppo:{path}"], 12, players=FEW, seed=1).column("scores")
    )


def test_a_model_for_another_game_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    others = [(game, players) for game, players in TABLES if (game, players) != (GAME, FEW)]
    for game, players in others:
        reason = f"{path}: the model plays {GAME} with {FEW} players, not {game} with {players}"
        with pytest.raises(ValueError, match=reason):
            play(game, f"ppo:{path}", 1, players=players)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 9}, rf"trained on {GAME}_v9 .* installed is {GAME}_v1"),
        ({"tables": "0" * 16}, "and other tables: train a new one"),
    ],
)
def test_a_model_of_other_rules_is_refused(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "old.safetensors"
    network.save(TrainedModel(**{**vars(model()), **change}), path)
    with pytest.raises(ValueError, match=reason):
        play(GAME, f"ppo:{path}", 1, players=FEW)


def test_the_checksum_tells_tables_apart() -> None:
    sums = [Tables.of(registry.load(game), players).checksum for game, players in TABLES]
    assert len(set(sums)) == len(TABLES)


def test_a_missing_model_names_those_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chess_2p.safetensors").write_bytes(b"")
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path)
    with pytest.raises(ValueError, match=rf"no trained model for {GAME} .* \(chess_2p\); train one: skyline train ppo"):
        play(GAME, "ppo", 1, players=FEW)
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"\(none\)"):
        play(GAME, "ppo", 1, players=FEW)


def test_a_shipped_model_plays_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(tmp_path).rename(tmp_path / f"{GAME}_{FEW}p.safetensors")
    monkeypatch.setattr(shelf, "SHIPPED", tmp_path)
    assert len(play(GAME, "ppo,random", 2, players=FEW)) == 2


SHIPPED = sorted(shelf.SHIPPED.glob("*.safetensors"))


def test_every_game_has_a_model_for_two_and_one_for_more() -> None:
    counts = {
        name: [int(path.stem.rpartition("_")[2][:-1]) for path in SHIPPED if path.stem.startswith(name)]
        for name in registry.names()
    }
    assert all(min(found) == 2 < max(found) for found in counts.values()), counts


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_model_plays_well_and_has_its_card(path: Path) -> None:
    """It fits the installed game; its strength is in the card, a few deals here."""
    found = network.load(path)
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    assert found.game in card
    assert "skyline train ppo" in card
    assert path.with_suffix(".png").stat().st_size > 1000
    assert path.stat().st_size < 4 * 2**20
    results = play(found.game, ["ppo", *["random"] * (found.players - 1)], 4 * found.players, players=found.players,
                   duplicate=True)  # fmt: skip
    assert results.standings()[0].first_share > 0.8


def test_wrong_settings_of_the_agent(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing"):
        names.make(f"ppo:{tmp_path / 'nothing'}")
    with pytest.raises(ValueError, match="sample is one of yes, no"):
        names.make("ppo:,sample=perhaps")


# ---------------------------------------------------------------- memory


def test_a_model_is_shown_no_more_than_it_was_trained_with(tmp_path: Path) -> None:
    """A model of a table training sees in a match with recall what it would see in a table match."""
    seen, _ = views(GAME, FEW)
    forgotten = [view.forgetful() for view in seen]
    recall, table = (replace(model(), memory=memory) for memory in ("recall", "table"))
    assert Networked(table).act_many(seen) == Networked(table).act_many(forgotten)
    assert Networked(table).act_many(seen) == Networked(recall).act_many(forgotten)


def test_a_file_says_with_which_memory_its_model_was_trained(tmp_path: Path) -> None:
    for memory in ("recall", "table"):
        network.save(replace(model(), memory=memory), tmp_path / "model.safetensors")
        assert network.load(tmp_path / "model.safetensors").memory == memory
    tensors, metadata = safetensors.read(tmp_path / "model.safetensors")
    del metadata["memory"]
    safetensors.write(tmp_path / "older.safetensors", tensors, metadata)
    assert network.load(tmp_path / "older.safetensors").memory == "table", "there was no such setting"
    safetensors.write(tmp_path / "wrong.safetensors", tensors, {**metadata, "memory": "some"})
    with pytest.raises(ValueError, match="memory: one of recall, table, not 'some'"):
        network.load(tmp_path / "wrong.safetensors")
