"""The commands of this package, found through the entry-point group `skyline.commands`.

play          `skyline play` and `skyline demo`; watching: games move by move, failures: agents that raise
tournament    `skyline tournament`
report        `skyline report`
train         `skyline train`
"""
