"""The backend `ray`: pieces of work on the machines of a Ray cluster (pip install 'skyline-envs[ray]').

A Ray task plays in one process of the local backend (`skyline_agents.tournament.processes`), which deals with agents
that bring their process down. What Ray can lose is a whole machine: its pieces of work are given to other machines. Ray
itself repeats no task, so every piece comes back once.

The machines of the cluster need skyline, the agents' modules and the folder of the records at the same places as the
machine that runs the tournament.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from skyline_agents.match.matches import Played
from skyline_agents.tournament.processes import Processes
from skyline_agents.tournament.work import Done, Work

AHEAD = 2  # pieces of work that are submitted for every processor, so that no processor waits for the next piece
LOSSES = 20  # machines lost over one piece of work before the tournament is given up


class Ray:
    """A Ray cluster: the cluster at `address`, the one that this process is connected to, or a new one here."""

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
        """The result of a task; work that was lost with its machine is submitted again."""
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
