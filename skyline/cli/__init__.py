"""The command `skyline`, and what every command uses.

main        the command itself, and how the commands of other packages are found (`skyline.commands`)
games       `skyline games`
records     `skyline verify` and `skyline show`
terminal    errors in one line, progress, tables, the group of commands
tables      the tables of the environment pages
pictures    the pictures of the README (`make pictures`)
"""
