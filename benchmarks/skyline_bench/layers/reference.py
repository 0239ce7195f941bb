"""The reference of every run: PettingZoo's connect four in this process, where it can be imported."""

from __future__ import annotations

import warnings
from typing import Any

from skyline_bench.harness.layer import Layer, repeated
from skyline_bench.peers.loops import aec_decisions

REFERENCE = "c4-env"  # the wrapped environment, which PettingZoo's users get
A_RUN = 100  # decisions of a run


def connect_four() -> dict[str, Layer]:
    """The wrapped and the raw environment in the loop of `aec-numpy`; {} where the game cannot be imported."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PettingZoo's own deprecations
            from pettingzoo.classic import connect_four_v3
    except ImportError:
        return {}

    def layer(env: Any) -> Layer:
        return Layer(repeated(lambda: aec_decisions(env, A_RUN)[0]), "")

    return {REFERENCE: layer(connect_four_v3.env()), "c4-raw": layer(connect_four_v3.raw_env())}
