"""Bots that break what they share with the process."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.zoo.kinds import Hostile, kind


@kind("its process ended (exit code 7), twice", ends_process=True)
class Exits(Hostile):
    def misbehave(self, view: Any) -> Any:
        os._exit(7)


@kind("its process ended (signal 9), twice", ends_process=True)
class KillsItself(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(100)


@kind("its process ended (signal 11), twice", ends_process=True)
class ReadsNowhere(Hostile):
    def misbehave(self, view: Any) -> Any:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        ctypes.string_at(0)


@kind("its process ended (signal 6), twice", ends_process=True)
class Aborts(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.abort()


@kind("its process ended (signal 15), twice", ends_process=True)
class KillsItsGroup(Hostile):
    def misbehave(self, view: Any) -> Any:
        if os.getpgrp() != os.getpid():
            raise AssertionError("the group is that of the tournament")
        os.killpg(0, signal.SIGTERM)
        time.sleep(100)


@kind("its process ended (exit code 5), twice", ends_process=True)
class ExitsAfterItsAnswer(Hostile):
    def misbehave(self, view: Any) -> Any:
        threading.Thread(target=self._end).start()
        return self.honest

    def _end(self) -> None:
        time.sleep(0.05)
        os._exit(5)


@kind("it closed or replaced files of its process", ends_process=True)
class ClosesFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.closerange(0, 1000)
        return self.honest


@kind("it closed or replaced files of its process", ends_process=True)
class ReplacesFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3, 40):
            if number != null:
                os.dup2(null, number)
        return self.honest


@kind("it lowered a limit of its process for good", ends_process=True)
class LowersLimits(Hostile):
    def misbehave(self, view: Any) -> Any:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**20, used + 2**20))
        return self.honest


@kind("MemoryError")
class LowersMemory(Hostile):
    """Lowers a soft limit, and then uses more memory than the limit."""

    def misbehave(self, view: Any) -> Any:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**22, resource.getrlimit(resource.RLIMIT_AS)[1]))
        self.hoard = [bytearray(2**16) for _ in range(10**6)]


@kind(None)
class LowersFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (0, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        return self.honest


@kind(None)
class ForksTwice(Hostile):
    """Forks; both processes answer."""

    def misbehave(self, view: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.fork()
        return self.honest


@kind(None)
class ForksAndRaises(Hostile):
    def misbehave(self, view: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if os.fork() == 0:
                raise SystemExit(1)
        return self.honest


@kind(None)
class LeavesChild(Hostile):
    def misbehave(self, view: Any) -> Any:
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(10**6)"])
        return self.honest


@kind(None)
class LeavesSession(Hostile):
    """Leaves a child in a session of its own."""

    def misbehave(self, view: Any) -> Any:
        command = [sys.executable, "-S", "-c", "import time; time.sleep(10**6)"]
        self.child = subprocess.Popen(command, start_new_session=True)
        return self.honest


@kind(None)
class LeavesThread(Hostile):
    def misbehave(self, view: Any) -> Any:
        threading.Thread(target=time.sleep, args=(10**6,)).start()
        return self.honest


@kind(None)
class Floods(Hostile):
    def misbehave(self, view: Any) -> Any:
        for _ in range(200):
            print("x" * 1000)
            sys.stderr.write("y" * 1000)
        return self.honest


@kind(None)
class ClosesOutput(Hostile):
    def misbehave(self, view: Any) -> Any:
        sys.stderr.close()
        sys.stdout = None  # type: ignore[assignment]
        return self.honest


@kind(None)
class ChangesFolder(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.chdir("/")
        return self.honest


@kind(None)
class ChangesSignals(Hostile):
    def misbehave(self, view: Any) -> Any:
        for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: os._exit(3))
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        return self.honest


@kind(None)
class ChangesRecursion(Hostile):
    def misbehave(self, view: Any) -> Any:
        sys.setrecursionlimit(60)
        return self.honest


@kind(None)
class ChangesEnvironment(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.environ.clear()
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        return self.honest


@kind(None)
class ChangesArithmetic(Hostile):
    def misbehave(self, view: Any) -> Any:
        np.seterr(all="raise")
        warnings.simplefilter("error")
        gc.disable()
        return self.honest


@kind("KeyboardInterrupt (breaking.py, line ")
class Traces(Hostile):
    def misbehave(self, view: Any) -> Any:
        def trace(*_: Any) -> Any:
            raise KeyboardInterrupt

        sys.setprofile(trace)
        return self.honest
