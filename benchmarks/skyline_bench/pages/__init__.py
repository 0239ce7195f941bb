"""A report in forms that people read.

table     tables at 80 columns
plot      plots
page      the figures of a run in README.md and docs/bench.md
"""
