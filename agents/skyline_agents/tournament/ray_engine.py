"""The engine `ray`: pieces of work on the machines of a Ray cluster (pip install 'skyline-envs[ray]').

A Ray task holds one process of the local engine, so agents that bring their process down are dealt with as there, and
Ray has only machines to lose: a piece of work whose machine is gone is given to another one. Ray itself repeats
nothing; every piece is counted here, and comes back once.

The nodes need skyline, the agents' modules and the folder for records at the same places as the machine that calls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from skyline_agents.match.matches import Played
from skyline_agents.tournament.processes import Processes
from skyline_agents.tournament.work import Done, Work

AHEAD = 2  # pieces of work for every processor, so that none waits for the next
LOSSES = 20  # of one piece of work, before the tournament is given up


class Ray:
    """A cluster: the one at `address`, the one this process is connected to, or a new one on this machine."""

    def __init__(self, address: str | None = None, jobs: int | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise ImportError("--engine ray needs Ray: pip install 'skyline-envs[ray]'") from None
        self._ray, self._jobs, self._ours = ray, jobs, not ray.is_initialized()
        if self._ours:
            cpus = jobs if address is None else None
            ray.init(address, num_cpus=cpus, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        self._play = ray.remote(num_cpus=1, max_retries=0)(_play)
        self._given: dict[Any, Work] = {}
        self._lost: dict[int, int] = {}

    def free(self) -> int:
        processors = self._jobs or int(self._ray.cluster_resources().get("CPU", 1))
        return max(0, processors * AHEAD - len(self._given))

    def submit(self, work: Work) -> None:
        self._given[self._play.remote(work)] = work

    def wait(self) -> list[Done]:
        done: list[Done] = []
        while self._given and not done:
            ready, _ = self._ray.wait(list(self._given), num_returns=1)
            for reference in ready:
                done += self._result(reference, self._given.pop(reference))
        return done

    def _result(self, reference: Any, work: Work) -> list[Done]:
        """What the task gave; work that was lost with its machine is submitted again."""
        errors = self._ray.exceptions
        try:
            return [Done(work.number, self._ray.get(reference))]
        except errors.RayTaskError as error:
            raise (error.cause or error) from None
        except errors.RayError as error:
            self._lost[work.number] = self._lost.get(work.number, 0) + 1
            if self._lost[work.number] > LOSSES:
                raise RuntimeError(f"{LOSSES} machines were lost over the same games of {work.event.game}") from error
            self.submit(work)
            return []

    def close(self) -> None:
        for reference in self._given:
            self._ray.cancel(reference, force=True)
        if self._ours:
            self._ray.shutdown()


# ---------------------------------------------------------------- on the machine that plays


@lru_cache(None)
def _process() -> Processes:
    return Processes(1)


def _play(work: Work) -> Played:
    process = _process()
    process.submit(work)
    return process.wait()[0].played
