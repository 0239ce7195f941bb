"""The mutators change nothing that they are given, and their results can be written and read."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline.reading import MOST_DEPTH, MOST_DIGITS, Unreadable, parse_json
from tests.fuzz.mutation import (
    as_json,
    copied,
    depth,
    edited_bytes,
    edited_lines,
    edited_text,
    from_json,
    moved_about,
    mutated,
    renamed_keys,
)  # fmt: skip
from tests.fuzz.targets.toml import as_toml

DOCUMENT = {
    "players": 2, "hands": [[1, 2, 3], [2, 2]], "phase": "bid", "flag": True, "more": {"list": [{"a": 1, "b": None}]},
}  # fmt: skip
DONOR = {"players": 3, "hands": [[1], [2], []], "phase": "buy", "flag": False, "more": {"list": []}}


@pytest.mark.parametrize("change", [mutated, moved_about])
def test_a_changed_tree_shares_nothing_with_the_old_one(change: Any) -> None:
    before, different = as_json(DOCUMENT), 0
    for seed in range(2000):
        found = change(random.Random(seed), DOCUMENT, [DONOR])
        text = as_json(found)
        assert as_json(DOCUMENT) == before
        assert as_json(from_json(text)) == text
        assert as_json(change(random.Random(seed), DOCUMENT, [DONOR])) == text
        different += text != before
    assert different > 1500


def test_light_changes_keep_the_fields() -> None:
    for seed in range(500):
        assert set(moved_about(random.Random(seed), DOCUMENT, [DONOR])) == set(DOCUMENT)


def test_texts_and_bytes_change() -> None:
    text = as_json(DOCUMENT) + "\n" + as_json(DONOR) + "\n"
    for edit, whole in ((edited_text, text), (edited_lines, text), (edited_bytes, text.encode())):
        found = {edit(random.Random(seed), whole, [whole]) for seed in range(300)}
        assert len(found) > 100
    assert len({renamed_keys(random.Random(seed), text) for seed in range(100)}) > 20


def test_a_copy_is_deep_and_depth_counts() -> None:
    deep: Any = 1
    for _ in range(3000):
        deep = [deep]
    assert depth(deep) == 3000
    assert copied(deep) is not deep
    assert depth(copied(deep)) == 3000
    assert depth(1) == 0
    assert depth({"a": [{}]}) == 3


def test_a_tree_is_written_as_toml() -> None:
    import tomllib

    tree = {
        "agents": ["a", "b"],
        "seed": 1,
        "flag": True,
        "share": 0.5,
        "events": [{"game": "x", "options": {"a b": 1}}],
    }
    assert tomllib.loads(as_toml(tree)) == tree


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=30,
)


@given(JSON)
def test_parse_json_reads_what_json_reads_or_refuses_it_for_a_reason(tree: Any) -> None:
    """The same data, or a refusal of NaN and infinity, of numbers that are too long, of texts that are no Unicode."""
    text = json.dumps(tree)
    numbers = [value for value in leaves(tree) if isinstance(value, int) and len(str(abs(value))) > MOST_DIGITS]
    odd = [value for value in leaves(tree) if isinstance(value, float) and value - value != 0]
    if numbers or odd or depth(tree) > MOST_DEPTH:
        with pytest.raises(Unreadable, match="data"):
            parse_json(text, "data")
    else:
        assert parse_json(text, "data") == tree
        assert parse_json(text.encode(), "data") == tree


@given(st.text() | JSON.map(json.dumps).flatmap(lambda text: st.integers(0, len(text)).map(lambda n: text[:n])))
def test_parse_json_refuses_every_other_text_by_name(text: str) -> None:
    try:
        right = json.loads(text)
    except ValueError:
        with pytest.raises(Unreadable, match="data"):
            parse_json(text, "data")
    else:
        try:
            assert parse_json(text, "data") == right
        except Unreadable as refused:
            assert "data" in str(refused)


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, (dict, list)):
        values = tree.values() if isinstance(tree, dict) else tree
        return [leaf for value in values for leaf in leaves(value)]
    return [tree]
