"""The measuring stick of every run: PettingZoo's connect four in this process, where it can be imported."""

from __future__ import annotations

import warnings
from typing import Any

from skyline_bench.harness.layer import Layer, repeated
from skyline_bench.peers.loops import aec_decisions

REFERENCE = "c4-env"  # the wrapped environment, as PettingZoo's users get it
A_RUN = 100  # decisions


def connect_four() -> dict[str, Layer]:
    """Its wrapped and its raw environment, driven by the loop of `aec-numpy`; {} where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own deprecations are not ours to report
            from pettingzoo.classic import connect_four_v3
    except ImportError:
        return {}

    def layer(env: Any) -> Layer:
        return Layer(repeated(lambda: aec_decisions(env, A_RUN)[0]), "")

    return {REFERENCE: layer(connect_four_v3.env()), "c4-raw": layer(connect_four_v3.raw_env())}
