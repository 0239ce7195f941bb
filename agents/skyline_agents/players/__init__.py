"""The players: one module or package each. Finding a player by its name imports the module of that player only.

`PLAYERS` says where the factory of each name is. A factory is called with the settings that follow the name as keyword
arguments, and returns an agent (`skyline_agents.protocol.Agent`). Another distribution adds names by entry points of
the group `skyline.agents` (name = "module:factory"). Players know views; they know no match, tournament or report.

    kernel         random and heuristic, which the kernels of the engine also know
    batched        a policy function as an agent
    search/        ismcts and flat;  ppo/: ppo, and its training
    texts          the settings of agents, read from texts;  safetensors: files with the numbers of networks
"""

PLAYERS = {
    "random": "skyline_agents.players.kernel:Random",
    "heuristic": "skyline_agents.players.kernel:Heuristic",
    "ismcts": "skyline_agents.players.search.players:Ismcts",
    "flat": "skyline_agents.players.search.players:FlatMonteCarlo",
    "ppo": "skyline_agents.players.ppo.player:Ppo",
}

ALIASES = {"mc": "flat"}  # further names of players, as older databases have them
