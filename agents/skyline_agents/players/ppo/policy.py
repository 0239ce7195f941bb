"""The networks that are trained: the policy of Stable-Baselines3 for masked actions, made faster.

MaskablePPO normalises the logits of all actions three times a batch, by way of torch's distributions; here one
`log_softmax` does. The matrix products are made in bfloat16 where the processor has that type; weights, sums,
probabilities and losses are float32.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from skyline.typing import Array
from skyline_agents.players.ppo.network import Network
from skyline_agents.players.ppo.settings import TrainingSettings

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
ILLEGAL = -1e8  # the logit of an illegal action, which makes the action's probability exactly 0
BELOW_ONE = 1 - 1e-6  # keeps a drawn number below the rounded sum of all probabilities


class Trunk(BaseFeaturesExtractor):  # type: ignore[misc] # SB3 is not read by mypy
    """The layers that policy and value share."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: type[nn.Module]) -> None:
        sizes = [int(np.prod(observation_space.shape)), *widths]
        super().__init__(observation_space, sizes[-1])
        pairs = [(nn.Linear(a, b), activation()) for a, b in itertools.pairwise(sizes)]
        self.layers = nn.Sequential(*[layer for pair in pairs for layer in pair])

    def forward(self, observations: Tensor) -> Tensor:
        features: Tensor = self.layers(observations)
        return features


class Policy(MaskableActorCriticPolicy):  # type: ignore[misc] # SB3 is not read by mypy
    """The networks of Stable-Baselines3; `half`: matrix products in bfloat16."""

    def __init__(self, *words: Any, half: bool, **named: Any) -> None:
        self.half = half
        super().__init__(*words, **named)

    def heads(self, obs: Tensor, masks: Any = None) -> tuple[Tensor, Tensor]:
        """Logits (n, A), those of illegal actions very low, and values (n, 1)."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
            for_policy, for_value = self.mlp_extractor(self.features_extractor(obs))
            logits, values = self.action_net(for_policy), self.value_net(for_value)
        logits = logits.float()
        if masks is not None:
            logits = torch.where(torch.as_tensor(masks, dtype=torch.bool), logits, ILLEGAL)
        return logits, values.float()

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks: Any = None) -> tuple[Tensor, ...]:
        """Actions drawn (or the likeliest), values, and the logarithms of the actions' probabilities."""
        logits, values = self.heads(obs, action_masks)
        actions = logits.argmax(dim=1) if deterministic else drawn(logits)
        return actions, values, logits.log_softmax(dim=1).gather(1, actions[:, None])[:, 0]

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, ...]:
        """Values, logarithms of the actions' probabilities, entropies."""
        logits, values = self.heads(obs, action_masks)
        log_probs = logits.log_softmax(dim=1)
        entropy = -(logits.softmax(dim=1) * log_probs).sum(dim=1)
        return values, log_probs.gather(1, actions[:, None])[:, 0], entropy

    def predict_values(self, obs: Tensor) -> Tensor:
        return self.heads(obs)[1]

    def _predict(self, observation: Tensor, deterministic: bool = False, action_masks: Any = None) -> Tensor:
        return self.forward(observation, deterministic, action_masks)[0]


def drawn(logits: Tensor) -> Tensor:
    """A random action for every row of logits, each action with its probability."""
    sums = logits.softmax(dim=1).cumsum(dim=1)
    uniforms = torch.rand(len(sums), 1) * BELOW_ONE * sums[:, -1:]
    return (sums > uniforms).to(torch.uint8).argmax(dim=1)


class Products:
    """A network's forward pass by torch; `half`: matrix products in bfloat16."""

    def __init__(self, network: Network, half: bool) -> None:
        self._dtype = torch.bfloat16 if half else torch.float32
        self._layers = [tuple(torch.as_tensor(part).to(self._dtype) for part in layer) for layer in network.layers]
        self._activation = ACTIVATIONS[network.activation]()

    def __call__(self, observations: Array) -> Array:
        """Logits of all actions, (n, A) float32."""
        with torch.inference_mode():
            values = torch.as_tensor(observations).to(self._dtype)
            for weight, bias in self._layers[:-1]:
                values = self._activation(nn.functional.linear(values, weight, bias))
            logits: Array = nn.functional.linear(values, *self._layers[-1]).float().numpy()
        return logits


def found_out(settings: TrainingSettings) -> TrainingSettings:
    """The settings with a precision in place of `auto`: bfloat16 is slow on a processor that does not have it."""
    if settings.precision != "auto":
        return settings
    has = any(getattr(torch.cpu, f"_is_{unit}_supported", bool)() for unit in ("avx512_bf16", "amx_tile"))
    return replace(settings, precision="bfloat16" if has else "float32")


def network_of(policy: Any, activation: str) -> Network:
    """The policy network as NumPy arrays, without the value network."""
    parts = (policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
    linear = [layer for part in parts for layer in part.modules() if isinstance(layer, nn.Linear)]
    arrays = [(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear]
    return Network(tuple(arrays), activation)
