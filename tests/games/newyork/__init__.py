"""The tests of New York: a case for every clause of newyork_env/RULES.md, worked positions, oracle, mutants."""
