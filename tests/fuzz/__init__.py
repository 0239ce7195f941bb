"""Fuzzing: what comes from outside is changed at random and given to the library, which takes it or refuses it.

    python -m tests.fuzz --list                                     the targets
    python -m tests.fuzz --target records --seconds 60 --jobs 2     one of them
    make fuzz SECONDS=60                                            all of them, the time shared
    python -m tests.fuzz --repeat fuzz-out/records-1a2b3c4d.jsonl   an input again, with its traceback

An input is *accepted* or *refused*: a refusal is a ValueError or an OSError with a short text that names the place.
Anything else is a *finding*: another exception, an access outside an array, a crash, a hang, too much memory,
    a caller's
data half changed, a refusal without a place.

    mutation.py     how a right document becomes an odd one
    outcome.py      accepted, refused or a finding
    targets/        what is fuzzed: one class a target makes inputs and runs them
    worker.py       a process that runs inputs of one target, each written to disk before it is run
    driver.py       the parent: it starts, watches and replaces workers, and keeps what they find
    guided.py       the same targets under a fuzzer that is guided by coverage (atheris)
    corpus/         minimised inputs that found faults; test_corpus.py replays them
"""
