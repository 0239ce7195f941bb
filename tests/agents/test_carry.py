"""Models carried over to other tables: the same logits and moves as before, and what cannot be carried is refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline.game import ActionTable, Block, Game, ObservationTable, Slice
from skyline.reading import Unreadable
from skyline.typing import Array
from skyline_agents.players.ppo import carry, network, shelf, tables
from skyline_agents.players.ppo.network import Network, TrainedModel, best
from skyline_agents.players.ppo.tables import Tables
from tests.support import networks, shipped_moves
from tests.support.commands import run
from tests.support.playing import FEW, FEWEST, GAME, TABLES

pytestmark = pytest.mark.usefixtures("commands")
POSITIONS = 1000


def with_tables(game: Game, players: int, observation: ObservationTable, actions: ActionTable | None = None) -> Game:
    """A game that says it has other tables; nothing is played with it."""
    changed: dict[str, Any] = {"observation": lambda _: observation, "version": game.version + 1}
    if actions is not None:
        changed["actions"] = lambda _: actions
    return replace(game, **changed)


def with_news(table: ObservationTable) -> ObservationTable:
    """The table with slices more, in the base part and behind it, and with two slices in the place of each other."""
    first, *others = table.base
    more = Slice("memory_of_a_test", (3, 2), 0, 9, 4.0, "a test")
    return replace(table, base=(*others, first, more), rich=(replace(more, name="more"), *table.rich))


def in_order(old: ObservationTable, new: ObservationTable, seen: Array, rng: np.random.Generator) -> Array:
    """Observations (n, N) of the old table, for the new one: slices at their new places, anything in new slices."""
    there, size = old.offsets("rich"), sum(part.length for part in new.slices("rich"))
    found = rng.normal(0, 5, (len(seen), size)).astype(np.float32)
    for name, place in new.offsets("rich").items():
        if name in there:
            found[:, place] = seen[:, there[name]]
    return found


def positions(game: str, players: int) -> tuple[Array, Array]:
    """Observations and masks of POSITIONS decisions of random games."""
    import skyline

    games = skyline.vector(game, 100, players, features="rich", obs_dtype="float32")
    seen, _ = games.reset(seed=7)
    rng, parts = np.random.default_rng(7), []
    while len(parts) < POSITIONS // 100:
        for _ in range(5):
            seen, *_ = games.step((games.action_mask * rng.random(games.action_mask.shape)).argmax(axis=1))
        parts.append((seen.copy(), games.action_mask.copy()))
    observations, masks = (np.concatenate(part) for part in zip(*parts, strict=True))
    return observations, masks


@pytest.mark.parametrize(("name", "players"), FEWEST)
def test_a_carried_model_gives_the_same_logits_and_never_plays_a_new_action(name: str, players: int) -> None:
    game, old = registry.load(name), networks.model(name, players)
    blocks = (*game.actions(players).blocks, Block("new", 2, "a test"))
    table = game.observation(players)
    later = with_tables(game, players, with_news(table), ActionTable(blocks))
    new = carry.carried(old, later)
    new.check_fits(later, players)
    seen, masks = positions(name, players)
    moved = in_order(table, later.observation(players), seen, np.random.default_rng(1))
    before, after = old.network(seen), new.network(moved)
    np.testing.assert_allclose(after[:, :-2], before, atol=1e-4)
    assert (after[:, -2:] == carry.NEVER).all()
    assert before.min() > carry.NEVER / 10
    legal = np.pad(masks, ((0, 0), (0, 2)), constant_values=1)
    close = np.sort(np.where(masks, before, -np.inf), axis=1)
    clear = (close[:, -1] - close[:, -2]) > 1e-3
    assert clear.sum() > 900
    np.testing.assert_array_equal(best(after, legal)[clear], best(before, masks)[clear])
    only = np.zeros_like(legal)
    only[:, -1] = 1
    assert (best(after, only) == legal.shape[1] - 1).all()


def test_a_carried_model_can_be_carried_further() -> None:
    game, old = registry.load(GAME), networks.model(GAME, FEW)
    table, once = game.observation(FEW), with_news(game.observation(FEW))
    back = carry.carried(old, with_tables(game, FEW, once))
    assert carry.tables_of(back) == Tables.of(with_tables(game, FEW, once), FEW)
    second = Slice("second", (4,), 0, 1, 1.0, "a test")
    twice = carry.carried(back, with_tables(game, FEW, replace(once, base=(*once.base, second))))
    seen, _ = positions(GAME, FEW)
    moved = in_order(table, replace(once, base=(*once.base, second)), seen, np.random.default_rng(2))
    np.testing.assert_allclose(twice.network(moved), old.network(seen), atol=1e-4)
    with pytest.raises(ValueError, match="the slice memory_of_a_test is no longer observed: train a new model"):
        carry.carried(back, with_tables(game, FEW, replace(table, base=(*table.base, second))))


def test_the_scale_of_a_slice_may_change() -> None:
    game, old = registry.load(GAME), networks.model(GAME, FEW)
    table = game.observation(FEW)
    first = table.base[0]
    later = with_tables(game, FEW, replace(table, base=(replace(first, scale=4 * first.scale), *table.base[1:])))
    seen, _ = positions(GAME, FEW)
    scaled = seen.copy()
    scaled[:, : first.length] /= 4
    np.testing.assert_allclose(carry.carried(old, later).network(scaled), old.network(seen), atol=1e-4)


def test_slices_and_actions_that_are_not_the_same_are_refused() -> None:
    game, old = registry.load(GAME), networks.model(GAME, FEW)
    table, blocks = game.observation(FEW), game.actions(FEW).blocks
    wider = replace(table.base[0], shape=(table.base[0].length + 1,))
    for changed, actions, says in (
        (replace(table, base=table.base[1:]), blocks, f"the slice {wider.name} is no longer observed"),
        (replace(table, base=(wider, *table.base[1:])), blocks, f"the slice {wider.name} has another shape"),
        (table, blocks[1:], f"the actions {blocks[0].name} are 0 now, not {blocks[0].count} as in training"),
        (table, (replace(blocks[0], count=blocks[0].count + 1), *blocks[1:]), "as in training"),
        (table, (*blocks[:-1], replace(blocks[-1], count=blocks[-1].count - 1)), "as in training"),
    ):
        if len(blocks) == 1 and actions == blocks[1:]:
            continue
        with pytest.raises(ValueError, match=says):
            carry.carried(old, with_tables(game, FEW, changed, ActionTable(tuple(actions))))


def test_a_last_block_that_has_grown_keeps_its_old_actions() -> None:
    game, old = registry.load(GAME), networks.model(GAME, FEW)
    *others, last = game.actions(FEW).blocks
    grown = with_tables(game, FEW, game.observation(FEW), ActionTable((*others, replace(last, count=last.count + 1))))
    new = carry.carried(old, grown)
    seen, _ = positions(GAME, FEW)
    np.testing.assert_allclose(new.network(seen)[:, :-1], old.network(seen), atol=1e-4)
    assert (new.network(seen)[:, -1] == carry.NEVER).all()


# ---------------------------------------------------------------- files and the command


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A shipped model as it would be if its game had observed less and had an earlier version."""
    trained = shipped_moves.model(f"{GAME}_{FEW}p")
    game = registry.load(GAME)
    known, now = carry.tables_of(trained), Tables.of(game, FEW)
    base = tuple(part for part in now.base[:-1])
    fewer = replace(known, base=base, rich=now.rich, actions=now.actions)
    weight, bias = trained.network.layers[0]
    last = sum(part.length for part in base)
    cut = np.delete(weight, np.s_[last : last + now.base[-1].length], axis=1)
    layers = ((cut, bias), *trained.network.layers[1:])
    facts = {**trained.facts, tables.TABLES: fewer.as_text()}
    made = replace(trained, network=Network(layers), version=99, tables=fewer.checksum, facts=facts)
    path = tmp_path / f"{GAME}_{FEW}p.safetensors"
    network.save(made, path, half=True)
    for kind in ("json", "md"):
        shutil.copy((shelf.SHIPPED / path.name).with_suffix(f".{kind}"), path.with_suffix(f".{kind}"))
    data = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps({**data, "version": 99, "tables": fewer.checksum}))
    return path


def test_the_command_rewrites_file_and_card(older: Path) -> None:
    game, before = registry.load(GAME), network.load(older)
    with pytest.raises(ValueError, match="train a new one, or `skyline train carry` it over"):
        before.check_fits(game, FEW)
    said = run("train", "carry", older)
    assert (said.code, said.err) == (0, "")
    name = game.observation(FEW).base[-1].name
    assert f"1 new slices, which it does not look at ({name})" in said.out
    after = network.load(older)
    after.check_fits(game, FEW)
    data, page = shelf.read_card(older.with_suffix(".json")), older.with_suffix(".md").read_text()
    assert (data["version"], data["tables"], data["layers"]) == (game.version, after.tables, after.network.sizes)
    assert [step["tables"] for step in data["carried"]][-1] == before.tables
    assert f"Plays {GAME}_v{game.version} (tables {after.tables}" in page
    assert f"Network: {' - '.join(map(str, after.network.sizes))}" in page
    assert shelf.MODEL not in page
    size = older.stat().st_size
    assert size < 2.5 * sum(weight.size + bias.size for weight, bias in after.network.layers), "half precision"
    assert run("train", "carry", older).out == f"{older}: fits already\n"


def test_a_model_whose_tables_nobody_knows_is_refused(older: Path) -> None:
    trained = network.load(older)
    facts = {name: text for name, text in trained.facts.items() if name != tables.TABLES}
    network.save(replace(trained, facts=facts), older)
    assert "nobody knows the tables" in run("train", "carry", older).refused()
    network.save(replace(trained, tables="0" * 16), older)
    assert "are not those of its checksum" in run("train", "carry", older).refused()
    network.save(replace(trained, facts={**facts, tables.TABLES: "[1]"}), older)
    with pytest.raises(Unreadable, match="observed: an object"):
        carry.rewrite(older)


def test_tables_are_read_as_they_were_written() -> None:
    for name, players in TABLES:
        found = Tables.of(registry.load(name), players)
        again = tables.read(found.as_text(), "here")
        assert again == found
        assert again.checksum == found.checksum == Tables.of(registry.load(name), players).checksum
        assert len(found.as_text()) < 10_000, "a text of a model's metadata"


def test_earlier_tables_have_the_checksums_that_they_stand_under() -> None:
    assert len(tables.earlier()) == len(TABLES)
    for key, found in tables.earlier().items():
        assert found.checksum == key


# ---------------------------------------------------------------- the shipped models


@pytest.mark.parametrize("stem", shipped_moves.stems())
def test_the_shipped_models_play_the_moves_that_they_have_always_played(stem: str) -> None:
    trained, wanted = shipped_moves.model(stem), shipped_moves.kept()[stem]
    assert len(wanted) == shipped_moves.GAMES
    found = shipped_moves.played(trained, [int(seed) for seed in wanted])
    assert {seed: shipped_moves.digest(texts) for seed, texts in zip(wanted, found.texts, strict=True)} == wanted
    with np.load(shipped_moves.LOGITS) as logits:
        np.testing.assert_allclose(found.logits, logits[stem], atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("stem", shipped_moves.stems())
def test_the_shipped_models_fit_their_games_and_know_their_tables(stem: str) -> None:
    trained: TrainedModel = shipped_moves.model(stem)
    trained.check_fits(registry.load(trained.game), trained.players)
    assert carry.tables_of(trained) == Tables.of(registry.load(trained.game), trained.players)
    data = shelf.read_card(shelf.SHIPPED / f"{stem}.json")
    assert data["tables"] == trained.tables
    assert data["layers"] == trained.network.sizes
