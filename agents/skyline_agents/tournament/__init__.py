"""Tournaments: schedules of many matches, played in many processes, continued after any interruption.

config         a tournament as a TOML file
settings       what a tournament is; the tournament that a database was begun with
schedule       who meets whom in which deal
run            playing what the database lacks; pieces: giving out work and writing its results
sprt           the sequential test that can end a tournament
work           a piece of the work, in whatever process it is done; `Backend`: what does the work
processes      the backend on this machine; ray_backend: the backend on a Ray cluster
"""
