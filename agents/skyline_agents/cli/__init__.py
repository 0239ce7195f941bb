"""The commands of this package, found through the entry-point group `skyline.commands`.

play          `skyline play` and `skyline demo`
tournament    `skyline tournament`
report        `skyline report`
train         `skyline train`
"""
