"""The command `skyline`, and what every command uses.

main        the command itself, and how the commands of other packages are found (`skyline.commands`)
games       `skyline games`
records     `skyline verify` and `skyline show`
terminal    errors in one line, progress, tables, the group of commands
policy_games   recorded games in which a policy of the kernel chooses every move
pictures    the pictures of the README (`make pictures`)
environment_pages   the tables of the environments' pages (`make docs`)
"""
