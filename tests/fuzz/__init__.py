"""Fuzzing: data from outside are changed at random and given to the library, which accepts or refuses them.

    python -m tests.fuzz --list                                     the targets
    python -m tests.fuzz --target records --seconds 60 --jobs 2     one of them
    make fuzz SECONDS=60                                            all of them, the time shared
    python -m tests.fuzz --repeat fuzz-out/records-1a2b3c4d.jsonl   run a kept input again, with its traceback
    python -m tests.fuzz --target records --seed 1 --number 17      make an input again from its seed and number

An input is *accepted* or *refused*: a refusal is a ValueError or an OSError with a short text that names the place.
Anything else is a *finding*: another exception, an access outside an array, a crash, a hang, too much memory, data of
the caller that are half changed, a refusal without a place. Beside the file of a finding lies a text with the two
commands that show the finding again. (Inputs of the engine atheris have no number: libFuzzer makes them from earlier
inputs.)

    mutation/       how a right document becomes an odd one
    judgement.py    accepted, refused or a finding
    played_games.py games for targets: variants, positions, and play by random moves
    targets/        what is fuzzed: one class a target makes inputs and runs them
    worker.py       a process that runs inputs of one target, each written to disk before it is run
    driver.py       the parent: it starts, watches and replaces workers, and keeps their findings
    guided.py       the same targets under a fuzzer that is guided by coverage (atheris)
    corpus/         minimised inputs that found faults; test_corpus.py replays them
"""
