"""Core against oracle in whole games (T4). More of them: `python -m tests.oracle_match manhattan --games 20000`."""

from __future__ import annotations

import pytest

from tests import oracle_match
from tests.oracle_match import Plan
from tests.rule_cases import sized


def test_core_and_oracle_agree_on_whole_games() -> None:
    counts = oracle_match.match("manhattan", sized(72, 9), seed=1)
    assert counts["games"] == sized(72, 9)
    assert counts["decisions"] == sized(24, 3) * (120 + 90 + 112)
    assert counts["shuffles"] == sized(24, 3) * (2 + 2 + 3)
