"""The tests of Manhattan: a case for every clause of manhattan_env/RULES.md, worked positions, oracle, mutants."""
