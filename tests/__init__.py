"""The tests.

skyline/  agents/  benchmarks/  docs/    tests of the packages and of the documents
games/       properties of all games, and a folder for each game: rules, rulings, oracle, mutants
golden/      records that the games must make again, byte for byte        toy/    a small game that tests may break
machine/     random calls of environments against a twin          zoo/    hostile bots
fuzz/        odd inputs for every reader                          endurance/    kills and soaks
support/     helpers of several tests, and commands: golden_records, import_contracts, mutants, notebooks, oracle_match
"""
