"""What a target is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.fuzz.mutation import edited_bytes

MEGABYTE = 2**20


class Target:
    """Something of the library that is given odd inputs. An input is bytes, so that it can be kept as a file.

    `folder` is the target's own: it may write there what it likes. A subclass sets some of these:

    name, meaning   as `--list` shows them
    suffix          of the files that inputs are kept in
    seconds         an input may take; the parent ends the worker after that
    memory          bytes that an input may take
    variables       of the worker's environment, as texts
    share           of the time when several targets share it
    refusals        exceptions that are refusals if their text names the place
    deliberate      further ones that are refusals where a line `raise ..` of the library raises them
    place           a regular expression that the text of a refusal matches: where in the input the fault is
    """

    name = ""
    meaning = ""
    suffix = ".json"
    seconds = 10.0
    memory = 3072 * MEGABYTE
    share = 1.0
    refusals: tuple[type[BaseException], ...] = (ValueError, OSError)
    deliberate: tuple[type[BaseException], ...] = ()
    place = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def variables(cls) -> dict[str, str]:
        """Of the worker's environment, beside those of the parent."""
        return {}

    def prepare(self) -> None:
        """Make what `run` needs."""

    def gather(self) -> None:
        """Make what `make` takes inputs from, and run what compiles something: compiling is no hang."""

    def make(self, chance: random.Random) -> bytes:
        """An input; the same for the same `chance`."""
        raise NotImplementedError

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        """A kept input changed a little, for the fuzzer that is guided by coverage."""
        return edited_bytes(chance, data)

    def run(self, data: bytes) -> Any:
        """Give an input to the library: true if it was accepted and played on, false if it was accepted.

        A refusal comes through as the exception it is; `Finding` says what the library did wrong.
        """
        raise NotImplementedError
