"""The stories of moves in positions of any game."""

from __future__ import annotations

from tests.support.rule_cases import Core


def told(core: Core, *moves: str, seat: int | None = None) -> str:
    """The story of the last of some moves that are played in a position; to `seat`, or with nothing hidden."""
    for move in moves[:-1]:
        core.play(move)
    before, action = core.states.copy(), core.game.parse_move(core.states[0], moves[-1])
    core.play(moves[-1])
    return core.game.last_move(before[0], action, core.states[0], seat).story
