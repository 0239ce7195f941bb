"""The base class of all targets."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.fuzz.mutation import edited_bytes

MEGABYTE = 2**20


class Target:
    """A part of the library that gets odd inputs. An input is bytes, so that it can be kept as a file.

    `folder` belongs to the target, which may write any files there. A subclass sets some of these:

    name, meaning   the two texts of `--list`
    suffix          of the files of kept inputs
    seconds         the time limit of an input, after which the parent ends the worker
    memory          the most bytes that an input may need
    variables       of the worker's environment, as texts
    share           the weight of this target when several targets share the time
    refusals        exceptions that are refusals if their text names the place
    deliberate      exceptions that are refusals only where a line `raise ..` of the library raises them
    place           a regular expression that the text of every refusal matches: it names the place of the fault
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
        """Variables of the worker's environment, beside those of the parent."""
        return {}

    def prepare(self) -> None:
        """Prepare for `run`."""

    def gather(self) -> None:
        """Make the documents from which `make` makes inputs, and run all code that compiles kernels: an input that
        compiles would count as a hang."""

    def make(self, chance: random.Random) -> bytes:
        """An input; the same for the same `chance`."""
        raise NotImplementedError

    def mutate(self, chance: random.Random, data: bytes) -> bytes:
        """An input with a small change, for the fuzzer that is guided by coverage."""
        return edited_bytes(chance, data)

    def run(self, data: bytes) -> Any:
        """Give an input to the library: true if it was accepted and played on, false if it was accepted.

        A refusal is raised as an exception; `Finding` is raised for a fault of the library.
        """
        raise NotImplementedError
