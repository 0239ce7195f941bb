"""The tests of the package `skyline_agents`: agents, matches, search, PPO, tournaments, ratings, reports, models.

conftest has databases of tournaments that several files read. Files `test_ppo*` need the extra `train`
(`make test-train`), test_ray needs Ray (`make test-ray`); without these packages the files are skipped.
"""
