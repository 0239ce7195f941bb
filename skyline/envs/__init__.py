"""The environments, once for all games: PettingZoo's AEC, batches, one seat. Environments know no game and no agent.

aec         `TurnBasedEnv`, the PettingZoo environment; handout: the arrays that its observations are handed out in
vector      `VectorGames`, a batch of games as a `gymnasium.vector.VectorEnv`; undo: taking a failed step back
snapshot    a batch in mid-game as plain data
single      `SingleSeat`, one seat as a `gymnasium.Env`
"""
