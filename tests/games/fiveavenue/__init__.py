"""The tests of Fifth Avenue: a case for every clause of fiveavenue_env/RULES.md, worked positions, oracle, mutants."""
