"""weiss-sim: 64 games of Weiss Schwarz (two players, hidden hands) in a batch, stepped by its Rust core on one thread.

The buffers have the layout that is fastest: observations of 378 int16, and packed ids of the legal actions, from which
a compiled function of ours picks; weiss-sim's own uniform choice takes longer.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import weiss_sim.catalog
from picks import from_ids
from serve import Play, on_one_core, serve, settled

ROWS = 64
DECKS = {
    "README's deck": (list(range(1, 14)) * 4)[:50],
    "starter deck": weiss_sim.catalog.get_preset("starter_deck_ws02_v1"),
}


def player(deck: list[int]) -> Play:
    _, rows = weiss_sim.make_pool(
        mode="train", num_envs=ROWS, deck_lists=[deck, deck], deck_ids=[1, 2], seed=1, num_threads=1,
        layout="i16_legal_ids_nometa",
    )  # fmt: skip
    rows.reset()
    stream, actions = np.ones(1, np.uint64), np.zeros(ROWS, np.uint32)

    def play() -> tuple[int, int]:
        ids, offsets = rows.legal_action_ids()
        from_ids(ids, offsets, stream, actions, weiss_sim.PASS_ACTION_ID)
        rows.step(actions)
        over = rows.terminated | rows.truncated
        ended = int(np.count_nonzero(over))
        if ended:
            rows.reset_done(over)
        return ROWS, ended

    return settled(play, ROWS)


if __name__ == "__main__":
    on_one_core()
    serve(
        {game: partial(player, deck) for game, deck in DECKS.items()},
        packages=("weiss-sim", "numpy", "numba"),
        loop=f"{ROWS} games a step(), a random one of the packed legal ids by a compiled function, one thread",
        rows=ROWS,
    )
