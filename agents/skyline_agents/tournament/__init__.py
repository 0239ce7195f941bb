"""Tournaments: many matches, planned, played in many processes, going on after any interruption.

config        a tournament as a TOML file
plan          who meets whom in which deal
run           play what the database lacks; sprt: the sequential test that can end it
work          a piece of the work, in whatever process; processes: on this machine; ray_engine: on a Ray cluster
"""
