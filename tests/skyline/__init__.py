"""The tests of the package `skyline`: environments, core, records, readers, pictures and the command, over all games.

The name of a file begins with what is tested: test_aec*, test_vector*, test_single_seat, test_cli*; test_cache*,
test_kept, test_jit, test_warm, test_stamp, test_wide, test_oneway for the core; test_public for what users meet first;
test_contract and test_broken_games for `skyline.testing`.
"""
