"""Pgx on one core of the CPU: 1,024 games in a jitted scan, random legal actions; new games follow."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from serve import Play, on_one_core, serve, settled

GAMES = ("connect_four", "backgammon", "sparrow_mahjong")
ROWS, STEPS = 1024, 20


def player(name: str) -> Play:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def move(carry: Any, _: None) -> Any:
        state, key, ended = carry
        key, choice, chance = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        state = step(state, action, jax.random.split(chance, ROWS))
        return (state, key, ended + state.terminated.sum()), None

    def rollout(state: Any, key: Any) -> Any:
        return jax.lax.scan(move, (state, key, jnp.int32(0)), None, STEPS)[0]

    key, compiled = jax.random.PRNGKey(1), jax.jit(rollout)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, ROWS)), key]

    def play() -> tuple[int, int]:
        state, key, ended = jax.block_until_ready(compiled(*held))
        held[:] = [state, key]
        return ROWS * STEPS, int(ended)

    return settled(play, ROWS)


if __name__ == "__main__":
    on_one_core()  # jax uses every core that it may use
    os.environ["JAX_PLATFORMS"] = "cpu"
    serve(
        {game: partial(player, game) for game in GAMES},
        packages=("pgx", "jax"),
        loop=f"{ROWS:,} games in one jitted scan, random legal actions inside, one core",
        rows=ROWS,
    )
