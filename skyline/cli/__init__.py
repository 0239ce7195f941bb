"""The command `skyline`, and what every command uses.

main        the core's commands, and how the commands of other packages are found (`skyline.commands`)
terminal    errors in one line, progress, tables, the group of commands
tables      the tables of the environment pages
"""
