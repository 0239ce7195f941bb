"""`GAME`: the game made of this folder's modules, as `skyline.game` asks for it."""

from skyline.game import Game

DECISIONS = {2: 120, 3: 90, 4: 112}  # of every game, by player count   [RULES.md section 11]

GAME = Game.of_modules(
    __package__,
    name="manhattan",
    title="Manhattan",
    version=0,
    max_decisions=lambda players, options: DECISIONS[players],
)
