"""Drivers that run for long, apart from the tests: what breaks only after many kills or many decisions.

    python -m tests.endurance.kills --tournaments 50 --trainings 10       # make kills
    python -m tests.endurance.soak --decisions 100000000                  # make soak

kills.py      kill -9 at random times in tournaments (tournaments.py) and trainings (trainings.py), each resumed by its
              own command and compared with a run that was never interrupted; victims.py starts and kills processes
soak.py       random and heuristic play in batches of all games, with checks on a share of the states and a look at the
              memory; batches.py: which batches, and what is looked at

Each has a tiny form in tests/endurance/test_endurance.py.
"""
