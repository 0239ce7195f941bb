"""The stories of moves in positions of any game."""

from __future__ import annotations

import re

from tests.support.rule_cases import Core
from tests.support.seeing import copies_of


def told(core: Core, *moves: str, seat: int | None = None) -> str:
    """The story of the last of some moves that are played in a position; to `seat`, or with nothing hidden."""
    for move in moves[:-1]:
        core.play(move)
    before, action = core.states.copy(), core.game.parse_move(core.states[0], moves[-1])
    core.play(moves[-1])
    return core.game.last_move(before[0], action, core.states[0], seat).story


def check_story(before: Core, action: int, after: Core, viewer: int, seed: int, most: int) -> None:
    """The story is at most so long and begins with a seat; two deals that look the same to the viewer have it alike."""
    game = before.game
    story = game.last_move(before.states[0], action, after.states[0], viewer).story
    assert len(story) <= most and re.fullmatch(r"[A-F] .*\.", story), story
    olds, news = (copies_of(state, viewer, seed, copies=2) for state in (before, after))
    for old, new in zip(olds, news, strict=True):
        assert game.last_move(old.states[0], action, new.states[0], viewer).story == story
