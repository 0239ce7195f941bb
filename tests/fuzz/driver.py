"""The parent: starts workers, watches and replaces them, and keeps their findings. No input can end the parent.

A worker that dies, or takes longer for an input than the target allows, is ended and replaced; its input is a finding.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.judgement import ACCEPTED, FINDING, PLAYED, REFUSED, ROOT, Judgement
from tests.fuzz.targets import target
from tests.fuzz.targets.base import Target

PREPARING = 1800.0  # seconds that a worker may take to load and compile
COMPILING = 40  # an input that is run again may take that many times its seconds: kernels may be compiled meanwhile
KEPT = 3  # the smallest inputs of each kind of finding are kept, that many
LOOK = 0.25  # seconds between two looks at the workers
MEMORY_DISK = Path("/dev/shm")  # every input is written to a file, which takes longer than the input itself on a disk


class Worker:
    """A worker process. Its inputs are the numbers first, first + step, .. (`count` of them; 0: without an end), or the
    files that are given."""

    def __init__(
        self,
        kind: type[Target],
        folder: Path,
        seed: int,
        first: int,
        step: int,
        files: Sequence[Path] = (),
        variables: Mapping[str, str] | None = None,
        count: int = 0,
    ) -> None:
        self.kind, self.folder, self.seed, self.step, self.files = kind, folder, seed, step, list(files)
        self.count = count
        self.variables = kind.variables() if variables is None else variables
        self.seconds = kind.seconds * (COMPILING if files or count else 1)
        self.ready = False
        self._begin(first)

    def _begin(self, first: int) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        read, write = os.pipe()
        arguments = ["--target", self.kind.name, "--folder", str(self.folder), "--report", str(write)]
        arguments += ["--seed", str(self.seed), "--first", str(first), "--step", str(self.step)]
        arguments += ["--count", str(self.count), *map(str, self.files)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker", *arguments],
            cwd=ROOT, env={**os.environ, **self.variables}, pass_fds=[write],
            stdin=subprocess.DEVNULL, start_new_session=True,  # Ctrl-C is the parent's
        )  # fmt: skip
        os.close(write)
        self.pipe, self._text, self._since = read, b"", time.monotonic()
        os.set_blocking(read, False)

    def messages(self) -> Iterator[dict[str, Any]]:
        """All that the process has reported since the last call."""
        with contextlib.suppress(BlockingIOError):
            while piece := os.read(self.pipe, 1 << 16):
                self._text += piece
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            message = json.loads(line)
            self.ready = self.ready or "ready" in message
            yield message

    @property
    def _current(self) -> Path:
        return self.folder / "current"

    def input(self) -> tuple[int, bytes]:
        """The number and the bytes of the input that runs, or of the one that ran last."""
        number, _, data = self._current.read_bytes().partition(b"\n")
        return int(number), data

    def fault(self) -> str | None:
        """Why this worker is of no use any more; None while it works."""
        code = self.process.poll()
        if code is not None:
            if code == 0:
                return None
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return f"the process died ({name})"
        with contextlib.suppress(FileNotFoundError):
            if time.time() - self._current.stat().st_mtime > self.seconds:
                return f"no answer within {self.seconds:g} seconds"
        if not self.ready and time.monotonic() - self._since > PREPARING:
            return f"not ready within {PREPARING:g} seconds"
        return None

    def log(self) -> str:
        with contextlib.suppress(OSError):
            return (self.folder / "log").read_text(encoding="utf-8", errors="replace")[-4000:]
        return ""

    def end(self) -> None:
        """Kill the process with everything that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.pipe)

    def replaced(self, first: int) -> None:
        self.end()
        self.ready = False
        self._begin(first)


@dataclass
class Found:
    """A kind of finding: how often it was found, and its smallest inputs."""

    times: int = 0
    outcome: Judgement = field(default_factory=lambda: Judgement(FINDING))
    kept: list[bytes] = field(default_factory=list)


@dataclass
class Result:
    """The counts and the findings of a run of one target."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Found] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def inputs(self) -> int:
        return sum(self.counts[kind] for kind in (ACCEPTED, PLAYED, REFUSED, FINDING))

    @property
    def speed(self) -> float:
        return self.inputs / max(self.seconds, 1e-9)

    def line(self) -> str:
        """Target, inputs, accepted (played on), refused, findings, speed."""
        taken = self.counts[ACCEPTED] + self.counts[PLAYED]
        return (
            f"{self.name:12} {self.inputs:>9,} {taken:>9,} {self.counts[PLAYED]:>9,} {self.counts[REFUSED]:>9,} "
            f"{self.counts[FINDING]:>9,} {len(self.findings):>6} {self.speed:>10,.1f}"
        )


COLUMNS = ("inputs", "accepted", "played", "refused", "findings")
HEADING = f"{'target':12} {' '.join(f'{name:>9}' for name in COLUMNS)} {'kinds':>6} {'inputs/s':>10}"


class Run:
    """One target under some workers, for some seconds or some inputs."""

    def __init__(
        self,
        name: str,
        *,
        seed: int,
        jobs: int,
        out: Path | None,
        tell: Callable[[str], None],
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.kind, self.seed, self.out, self.tell, self._variables = target(name), seed, out, tell, variables
        self.result = Result(name)
        self._jobs = jobs

    def go(self, seconds: float | None, count: int | None) -> Result:
        """Run for some seconds or some inputs. After a KeyboardInterrupt `result` holds what was found until then."""
        with _scratch() as folder:
            workers = [
                Worker(self.kind, Path(folder) / str(i), self.seed, i, self._jobs, (), self._variables)
                for i in range(self._jobs)
            ]
            try:
                self._watch(workers, seconds, count)
            finally:
                for worker in workers:
                    worker.end()
                self._remove(Path(folder))
        return self.result

    @staticmethod
    def _remove(folder: Path) -> None:
        """Give folders that targets left without permissions their permissions back, so that they can be removed."""
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)

    def _watch(self, workers: Sequence[Worker], seconds: float | None, count: int | None) -> None:
        begun, told = 0.0, time.monotonic()
        while True:
            _wait(workers)
            for worker in workers:
                self._listen(worker)
            now = time.monotonic()
            if not begun and any(worker.ready for worker in workers):
                begun = now
            self.result.seconds = now - begun if begun else 0.0
            if now - told >= 1:
                told = now
                self.tell(f"{self.result.line()}" if begun else f"{self.result.name:12} loading or compiling ..")
            if begun and ((seconds and now - begun >= seconds) or (count and self.result.inputs >= count)):
                return

    def _listen(self, worker: Worker) -> None:
        for message in worker.messages():
            for kind, times in message.get("counts", {}).items():
                if kind.startswith("again "):
                    self.result.findings.setdefault(kind.removeprefix("again "), Found()).times += times
                else:
                    self.result.counts[kind] += times
            if "outcome" in message:
                self._keep(Judgement(**message["outcome"]), message["number"], bytes.fromhex(message["data"]))
        reason = worker.fault()
        if reason is None:
            return
        if not worker.ready:
            raise RuntimeError(f"the target {self.result.name} cannot be prepared: {reason}\n{worker.log()}")
        number, data = worker.input()
        self.result.counts[FINDING] += 1
        self._keep(Judgement(FINDING, reason, f"{reason}\n\n{worker.log()}"), number, data)
        worker.replaced(number + worker.step)

    def _keep(self, outcome: Judgement, number: int, data: bytes) -> None:
        found = self.result.findings.setdefault(outcome.key, Found())
        found.times += 1
        found.outcome = outcome
        if len(found.kept) >= KEPT and len(data) >= max(map(len, found.kept)):
            return
        found.kept = sorted([*found.kept, data], key=len)[:KEPT]
        if self.out is not None:
            self._write(outcome, number, data)

    def _write(self, outcome: Judgement, number: int, data: bytes) -> None:
        """The input as a file, and beside it what was found and the two commands that show the finding again."""
        assert self.out is not None
        self.out.mkdir(parents=True, exist_ok=True)
        name = f"{self.result.name}-{hashlib.sha256(data).hexdigest()[:12]}"
        path = self.out / f"{name}{self.kind.suffix}"
        path.write_bytes(data)
        variables = "".join(f"{name}={value} " for name, value in (self._variables or {}).items())
        made = f"{variables}python -m tests.fuzz --target {self.result.name} --seed {self.seed} --number {number}"
        text = f"{outcome.key}\n\npython -m tests.fuzz --repeat {path}\n{made}\n\n{outcome.detail}\n"
        (self.out / f"{name}.txt").write_text(text, encoding="utf-8", errors="backslashreplace")


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder, in memory where that is possible."""
    return tempfile.TemporaryDirectory(
        prefix="skyline-fuzz-", dir=MEMORY_DISK if os.access(MEMORY_DISK, os.W_OK) else None, ignore_cleanup_errors=True
    )


def _wait(workers: Sequence[Worker]) -> None:
    """Wait until a worker reports something, or until the next look at the workers is due."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.pipe, selectors.EVENT_READ)
        if selector.select(LOOK) and any(worker.process.poll() is not None for worker in workers):
            time.sleep(0.01)  # a pipe of a process that has ended is always ready


def repeat(name: str, files: Sequence[Path], variables: Mapping[str, str] | None = None) -> list[Judgement]:
    """The outcomes of kept inputs of a target, all in one worker unless an input ends the worker. `variables` take the
    place of the target's own: without bounds checks the kernels are those that all tests share."""
    outcomes, waiting = list[Judgement](), [path.resolve() for path in files]
    while waiting:
        found = _run_by_worker(name, seed=0, first=0, files=waiting, variables=variables)
        outcomes += [outcome for _, outcome in found]
        waiting = waiting[len(found) :]
    return outcomes


def made_again(
    name: str, seed: int, number: int, variables: Mapping[str, str] | None = None
) -> tuple[bytes, Judgement]:
    """The input of this seed and number, which a new worker makes, and its outcome."""
    ((data, outcome),) = _run_by_worker(name, seed=seed, first=number, variables=variables, count=1)
    return data, outcome


def _run_by_worker(name: str, **given: Any) -> list[tuple[bytes, Judgement]]:
    """The inputs that one worker runs, with their outcomes; an input that ends the worker is the last one."""
    with _scratch() as folder:
        worker = Worker(target(name), Path(folder) / "0", step=1, **given)
        try:
            return _reported(worker)
        finally:
            worker.end()
            Run._remove(Path(folder))


def _reported(worker: Worker) -> list[tuple[bytes, Judgement]]:
    found: list[tuple[bytes, Judgement]] = []
    while True:
        _wait([worker])
        ended = worker.process.poll() is not None
        for message in worker.messages():
            if "outcome" in message:
                found.append((bytes.fromhex(message["data"]), Judgement(**message["outcome"])))
        if reason := worker.fault():
            if not worker.ready:
                raise RuntimeError(f"the target {worker.kind.name} cannot be prepared: {reason}\n{worker.log()}")
            _, data = worker.input()
            return [*found, (data, Judgement(FINDING, reason, f"{reason}\n\n{worker.log()}"))]
        if ended:
            return found
