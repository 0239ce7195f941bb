"""What several tests use, and the commands that make or check what the repository holds.

playing         random games of all games; the marks `fewest`, `most`, `names`     rule_cases  the core by move texts
seeing          what a seat sees      searching, networks  views and search agents, networks of random numbers
odd_positions, read_only, processes, commands      states, memory, processes and command lines for tests of faults
own_agents      agents of a user      played_tournaments, made_up_tournaments, simulated_ratings, ppo_training

leaning, drawings, ways    players, chances of drawing and joint hidden hands, for the watchers of games (watch)

Commands: golden_records, heuristic_hash, import_contracts, leaks, mutants, notebooks, oracle_match, watch, debian13.sh
(for the verb `make test-python`).
"""
