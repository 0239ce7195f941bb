"""The state machine test: random valid and invalid calls on an environment; its twin gets the valid calls only.

    python -m tests.machine --sequences 100000 --seed 0 --jobs 2     a long run
    python -m tests.machine --seed 0 --only 4711                     one sequence again, shrunk and printed

A sequence is plain data: a kind of environment (AEC, single seat, batch), a game, settings, and a list of calls
`(name, number)`. Everything random in a call follows from its number. So a failing sequence can be shrunk: it is played
again without some of its calls.

    worlds.py     games, player counts, options, positions to begin from
    run.py        one sequence: the environment, its twin, and the checks after every call
    opponents.py  opponents that are functions, and the wrong answers that a fault makes them give
    aec.py, single.py, vector.py     the calls of each kind, and which of them must be refused
    sequences.py  making, playing and shrinking sequences;  __main__.py the driver;  test_machine.py the short form

After every call the environment and its twin are equal in all their bytes and in the result of the call; mask and
observation are those that the kernels compute from the state; arrays that were handed out earlier are unchanged. A
refused call raises an exception of the right class and leaves the environment unchanged.
"""
