"""A report in forms that people read.

terminal_tables   tables at 80 columns
plot              plots
page              the figures of a run in README.md and docs/bench.md
"""
