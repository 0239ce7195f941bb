"""The players: one module or package each; finding one by its name imports that one only.

`PLAYERS` says where the factory of each name is. A factory is called with the settings that follow the name as keyword
arguments and gives an agent (`skyline_agents.protocol.Agent`). Another distribution adds names by entry points of the
group `skyline.agents` (name = "module:factory"). Players know views; they know no match, no tournament and no report.
"""

PLAYERS = {
    "random": "skyline_agents.players.kernel:Random",
    "heuristic": "skyline_agents.players.kernel:Heuristic",
    "ismcts": "skyline_agents.players.search.players:Ismcts",
    "flat": "skyline_agents.players.search.players:FlatMonteCarlo",
    "mc": "skyline_agents.players.search.players:FlatMonteCarlo",
    "ppo": "skyline_agents.players.ppo.player:Ppo",
}
