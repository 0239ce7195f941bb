"""Models: safetensors files with changed bytes, headers and numbers, which play as the agent `ppo` if they are
accepted; and the figures beside them (model.json)."""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
from typing import Any

import numpy as np

from skyline import registry
from skyline_agents import names
from skyline_agents.players import safetensors
from skyline_agents.players.ppo import network, shelf
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import as_json, edited_bytes, edited_text, mutated, renamed_keys
from tests.fuzz.targets.base import Target

WIDTH = 4
MOVES = 3


class Models(Target):
    name = "models"
    meaning = "safetensors files through the agent ppo, which then chooses moves; cards through the index of models"
    suffix = ".safetensors"
    place = r"model\.(safetensors|json)"

    def prepare(self) -> None:
        self.path = self.folder / "model.safetensors"

    def gather(self) -> None:
        self.seeds: list[bytes] = []
        chance = np.random.default_rng(1)
        for name in registry.names():
            game = registry.load(name)
            for players in game.player_counts[:2]:
                sizes = game.observation(players).size(), WIDTH, game.actions(players).size
                layers = tuple(
                    (chance.normal(size=(out, into)).astype(np.float32), np.zeros(out, np.float32))
                    for into, out in itertools.pairwise(sizes)
                )
                model = network.model_of(network.Network(layers), game, players, "base", {"steps": "1"})
                for half in (False, True):
                    network.save(model, self.path, half)
                    self.seeds.append(self.path.read_bytes())
        for data in self.seeds:
            self.run(data)  # compiles the kernels of the game
        self.card = next(iter(sorted(shelf.SHIPPED.glob("*.json")))).read_text()

    def make(self, chance: random.Random) -> bytes:
        data = chance.choice(self.seeds)
        way = chance.random()
        if way < 0.08:
            return self._card(chance)
        if way < 0.3:
            return edited_bytes(chance, data, [chance.choice(self.seeds)])
        header, body = _parts(data)
        if way < 0.4:
            text = (
                edited_text(chance, json.dumps(header))
                if chance.random() < 0.5
                else renamed_keys(chance, json.dumps(header))
            )
        elif way < 0.85:
            other, _ = _parts(chance.choice(self.seeds))
            text = as_json(mutated(chance, header, [other]))
        else:
            text, body = json.dumps(header), _odd_numbers(chance, body)
        head = text.encode("utf-8", "surrogatepass")
        return len(head).to_bytes(8, "little") + head + body

    def _card(self, chance: random.Random) -> bytes:
        """A card: inputs that begin with { are cards."""
        return (
            (b"{" + as_json(mutated(chance, json.loads(self.card))).encode().lstrip(b"{"))
            if chance.random() < 0.8
            else b"{"
        )

    def run(self, data: bytes) -> bool:
        if data[:1] == b"{" and data[4:8] != b"\x00\x00\x00\x00":
            return self._index(data)
        self.path.write_bytes(data)
        model = network.load(self.path)
        agent: Any = names.make(f"ppo:{self.path}")
        game = registry.load(model.game if model.game in registry.names() else registry.names()[0])
        players = model.players if model.players in game.player_counts else game.player_counts[0]
        agent.begin(game, players, game.check_options({}), 1)  # begin() refuses a model of another game or player count
        table = played_games.begun(game, players, {}, 1)
        for _ in range(MOVES):
            table.observe()
            seen = np.zeros((1, game.observation(players).size(model.features)), np.float32)
            for choose in (network.best, lambda logits, masks: network.sampled(logits, masks, np.array([0.3]))):
                action = int(choose(model.network(seen), table.mask)[0])
                if not table.mask[0, action]:
                    raise Finding("a model that is accepted chooses moves that are not legal: are its numbers finite?")
            table.play(action)
        return True

    def _index(self, data: bytes) -> bool:
        """The page that `skyline train ship` writes; it needs the extra train."""
        if importlib.util.find_spec("torch") is None:
            return False
        from skyline_agents.players.ppo.shelf import index

        (self.folder / "model.json").write_bytes(data)
        index(self.folder)
        return True


def _parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    size = int.from_bytes(data[: safetensors.LENGTH], "little")
    return json.loads(data[safetensors.LENGTH : safetensors.LENGTH + size]), data[safetensors.LENGTH + size :]


def _odd_numbers(chance: random.Random, body: bytes) -> bytes:
    """Replace some numbers by infinite or huge ones."""
    values = np.frombuffer(body, "<f2").copy()
    at = chance.randrange(len(values))
    values[at : at + chance.choice((1, 8, len(values)))] = chance.choice((np.nan, np.inf, -np.inf, 65504.0, 0.0))
    return values.tobytes()
