"""The tests of Palazzo: a case for every clause of palazzo_env/RULES.md, worked positions, oracle, mutants."""
