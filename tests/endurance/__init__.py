"""Drivers that run for long, apart from the tests: they find faults that need many kills or many decisions.

    python -m tests.endurance.kills --tournaments 50 --trainings 10       # make kills
    python -m tests.endurance.soak --decisions 100000000                  # make soak

kills.py      kill -9 at random times in tournaments (tournaments.py) and trainings (trainings.py). The same command
              resumes each run (runs.py), whose results are compared with those of an uninterrupted run; victims.py
              starts and kills processes
soak.py       random and heuristic play in batches of all games, with checks on a share of the states and of the
              memory; batches.py lists the batches and makes the checks

tests/endurance/test_endurance.py runs a very short form of each.
"""
