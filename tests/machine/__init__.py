"""The state machine test: random valid and invalid calls on environments, against a twin that gets the valid ones only.

    python -m tests.machine --sequences 100000 --seed 0 --jobs 2     a long run
    python -m tests.machine --seed 0 --only 4711                     one sequence again, shrunk and printed

A sequence is plain data: what kind of environment (AEC, single seat, batch), which game and settings, and a list of
calls `(name, number)`. Everything random in a call follows from its number, so a sequence can be played again with
calls left out, which is how a failing one is shrunk.

    worlds.py     games, player counts, options, positions to begin from
    run.py        one sequence: the environment, its twin, and what must hold after every call
    opponents.py  opponents that are functions, and the wrong answers they may be made to give
    aec.py, single.py, vector.py     the calls of each kind, and which of them must be refused
    sequences.py  making, playing and shrinking sequences;  __main__.py the driver;  test_machine.py the short form

After every call: the environment and its twin are equal in every byte they consist of and in what the call gave; mask
and observation are those that the kernels compute from the state; arrays handed out earlier are as they were. A
refused call raised an exception of the right class, and left the environment as it was before.
"""
