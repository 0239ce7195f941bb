"""The environments, once for all games: PettingZoo's AEC, batches, one seat. Environments know no game and no agent.

aec         `TurnBasedEnv`, the PettingZoo environment; modules: the functions of a game's PettingZoo module
vector      `VectorGames`, a batch of games as a `gymnasium.vector.VectorEnv`; single: `SingleSeat`, a `gymnasium.Env`
settings    the AEC environment's list of settings, and the checks of settings that all environments share

Parts of the AEC environment: beginning (from a position or a setup), handout (the arrays it hands out).
Parts of the batch: rows (the games as arrays), every_seat and one_seat (who moves), undo (a failed step is taken back),
snapshot (plain data). Parts of several: boxes (spaces), pictures (rendering), results (scores and places).
"""
