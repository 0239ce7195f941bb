"""The measuring stick: PettingZoo's connect four, driven by the same loop, where `pettingzoo[classic]` is installed."""

from __future__ import annotations

import warnings

from benchmarks.core import Run, aec

REFERENCE = "c4 env() aec"  # the wrapped environment, as PettingZoo's users get it


def connect_four() -> dict[str, Run]:
    """Its wrapped and its raw environment, each with both pickers; {} where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own deprecations are not ours to report
            from pettingzoo.classic import connect_four_v3
    except ImportError:
        return {}
    return {
        REFERENCE: aec(connect_four_v3.env()),
        "c4 env() aec-sample": aec(connect_four_v3.env(), jitted=False),
        "c4 raw_env() aec": aec(connect_four_v3.raw_env()),
    }
