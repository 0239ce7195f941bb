"""A training run: copying the heuristic, then PPO against heuristic players, random players and past selves.

    run = Training(folder, TrainingPlan("manhattan", 2, seed=1, settings=settings_for("manhattan", {}), minutes=30))
    run.go(tell)                                      # or Training.resumed(folder)
    run.finish(deals=500)                             # writes model.safetensors and measures its strength

The file checkpoint.pt is written between two updates (and between two blocks of games while the heuristic is copied),
as soon as CHECKPOINT_SECONDS have passed. It holds all that the rest of the run depends on: networks and optimisers,
games that are not over, the pool of past selves, all generators of random numbers, the curve, the steps and seconds so
far.

So a run that is bounded by steps alone ends with the same networks and the same curve whether or not it was killed and
resumed, on one machine with one number of threads. Two runs that are bounded by minutes are never equal: the progress
of the run decides on learning rates and opponents, and there the clock measures the progress.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from skyline import registry
from skyline.files import remove_parts, write_text
from skyline.game import DEFAULT_MEMORY
from skyline.typing import Memory
from skyline_agents.memory_setting import EARLIER_MEMORY
from skyline_agents.players.ppo import checkpoint
from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.algorithm import algorithm, falling
from skyline_agents.players.ppo.clone import Cloned, Copying, Teacher, clone
from skyline_agents.players.ppo.evaluation import Strength, as_data, strengths
from skyline_agents.players.ppo.network import TrainedModel, load, model_of, save
from skyline_agents.players.ppo.opponents import Mix, Pool
from skyline_agents.players.ppo.policy import Products, found_out, network_of
from skyline_agents.players.ppo.settings import TrainingSettings, checked
from skyline_agents.players.ppo.shelf import MODEL
from skyline_agents.players.ppo.stopwatch import Stopwatch

CHECKPOINT, CURVE = "checkpoint.pt", "curve.jsonl"
CHECKPOINT_SECONDS = 60.0
EVERY, EVALUATIONS = 2.0, 20  # the defaults of a TrainingPlan: minutes between evaluations, number of evaluations
CLONE_SEED = 500_000_000  # added to the seed of the run: the seed of the first game that is copied
CLONE_SHARE = 0.4  # the largest share of a run that the copying may take
CLONING = ("cloning: games", "cloning: update")


@dataclass(frozen=True)
class TrainingPlan:
    """What is trained, how long, and how often it is measured.

    The run ends after `steps` or `minutes` in all, whichever comes first; None: without this bound. Evaluations come
    every `every` minutes or every `every_steps` steps. By default a run that is bounded by steps alone has EVALUATIONS
    at equal distances, and any other run has an evaluation every EVERY minutes.
    """

    game: str
    players: int
    seed: int
    settings: TrainingSettings
    steps: int | None = None
    minutes: float | None = 30.0
    deals: int = 50  # of an evaluation
    every: float | None = None  # minutes from one evaluation to the next
    every_steps: int | None = None  # steps from one evaluation to the next
    final_deals: int = 500  # of the evaluation at the end
    threads: int = 1  # of torch
    memory: Memory = DEFAULT_MEMORY  # what the learner sees: "table": only what lies on the table now

    def __post_init__(self) -> None:
        if self.every is not None and self.every_steps is not None:
            raise ValueError("evaluations come every so many minutes or every so many steps, not both")
        if self.every is None and self.every_steps is None:
            by_steps = self.steps if self.minutes is None else None
            name, value = ("every", EVERY) if by_steps is None else ("every_steps", -(-by_steps // EVALUATIONS))
            object.__setattr__(self, name, value)

    def is_evaluation_due(self, before: int, steps: int, seconds: float) -> bool:
        """Whether to evaluate after an update from step `before` to `steps`, `seconds` after the last evaluation."""
        if self.every_steps is not None:
            return steps // self.every_steps > before // self.every_steps
        return self.every is not None and seconds >= 60 * self.every

    def progress(self, steps: int, seconds: float) -> float:
        """The done part of the run, 0 .. 1, after these steps and seconds."""
        parts = [steps / self.steps if self.steps else 0.0, seconds / (60 * self.minutes) if self.minutes else 0.0]
        return min(max(parts), 1.0)


@dataclass(frozen=True)
class News:
    """What a watcher is told after every update, and after every evaluation (`strengths`)."""

    progress: float
    steps: int
    seconds: float
    speed: float  # steps a second of the last rollout and update
    doing: str
    strengths: dict[str, Strength] | None = None
    cloned: Cloned | None = None


class Stop(BaseCallback):  # type: ignore[misc] # SB3 is not read by mypy
    """`asked`: the run ends after the update that is going on. So no rollout is left unfinished, and a resumed run is
    the same as one that was never stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = False

    def _on_step(self) -> bool:
        return True


class Training:
    """One run and its folder."""

    def __init__(self, folder: Path, plan: TrainingPlan) -> None:
        torch.set_num_threads(plan.threads)
        settings = found_out(plan.settings)
        self.folder, self.plan = folder, replace(plan, settings=settings)
        self.game = registry.load(plan.game)
        self.watch, self.stop = Stopwatch(), Stop()
        self.env = SelfPlay(
            plan.game, plan.players, settings.groups, settings.rows, plan.seed, features=settings.features,
            shaping=settings.shaping, memory=plan.memory,
        )  # fmt: skip
        self.model = algorithm(self.env, settings, plan.seed, self.watch)
        mix, forward = Mix(settings.heuristic, settings.random), partial(Products, half=self.model.policy.half)
        self.pool = Pool(settings.pool, mix, plan.seed, self.watch, forward)
        self.curve: list[dict[str, Any]] = []
        self.cloned: Cloned | None = None
        self.copying: Copying | None = None  # while the heuristic is copied
        self.updates, self.sessions, self.seconds = 0, 1, 0.0
        self.is_complete = False
        self._noted, self._saved = time.monotonic(), 0.0

    @classmethod
    def resumed(cls, folder: Path, **changes: Any) -> Training:
        """The run of a folder at its last checkpoint, with changes of its plan."""
        path = folder / CHECKPOINT
        if not path.exists():
            raise ValueError(f"there is nothing to resume in {folder}: no {CHECKPOINT}")
        data = checkpoint.load(path)
        remove_parts(folder, CHECKPOINT)
        with checkpoint.in_words(path):
            settings = checked(TrainingSettings(**_tuples(data["plan"].pop("settings"))))
            plan = TrainingPlan(**{"memory": EARLIER_MEMORY, **data["plan"]}, settings=settings)
        run = cls(folder, replace(plan, **changes))
        with checkpoint.in_words(path):
            run._restore(data)
        return run

    def _restore(self, data: dict[str, Any]) -> None:
        self.model.policy.load_state_dict(data["policy"])
        self.model.policy.optimizer.load_state_dict(data["optimizer"])
        self.model.num_timesteps, self.model._n_updates = data["steps"], data["gradient_updates"]
        self.pool.restore(data["pool"], self.plan.settings.activation)
        self.updates, self.seconds, self.curve = data["updates"], data["seconds"], data["curve"]
        self.cloned = None if data["cloned"] is None else Cloned(**data["cloned"])
        self.watch.seconds.update(data["watch"])
        self.sessions, self.is_complete = data["sessions"] + 1, data["complete"]
        if data["copying"] is not None:
            self.copying = self._new_copying()
            self.copying.restore(data["copying"])
        if data["games"] is not None:
            games = checkpoint.with_arrays(data["games"])
            self.model._last_obs, self.model._last_episode_starts = self.env.restore(games["env"]), games["starts"]
        checkpoint.restore_generators(data)

    # ------------------------------------------------------------ training

    def go(self, tell: Callable[[News], None]) -> None:
        """Train until the plan is done or `stop.asked`; `tell` is called with every piece of news."""
        self._noted, self.is_complete = time.monotonic(), False
        has_begun = bool(self.pool.networks)
        if not has_begun and self.plan.settings.clone_decisions:
            self._clone(tell)
        callback = self._set_up()
        if not has_begun and not self.stop.asked:
            self.copying = None
            self.pool.add(self._network())
            self._evaluate("cloned" if self.cloned else "untrained", tell)
        while self.progress() < 1 and not self.stop.asked:
            self._update(callback, tell)

    def _set_up(self) -> Any:
        """Do what the method `learn` of Stable-Baselines3 does first: the logger, and the first observations."""
        steps = self.model.num_timesteps
        self.model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        _, callback = self.model._setup_learn(1, self.stop, reset_num_timesteps=False)
        self.model.num_timesteps = steps
        return callback

    def progress(self) -> float:
        """The done part of the plan, 0 .. 1."""
        return self.plan.progress(self.model.num_timesteps, self._spent())

    def _spent(self) -> float:
        """Seconds of the run so far."""
        now = time.monotonic()
        self.seconds, self._noted = self.seconds + now - self._noted, now
        return self.seconds

    def _new_copying(self) -> Copying:
        settings, plan = self.plan.settings, self.plan
        teacher = Teacher(
            self.game, plan.players, settings.features, settings.clone_noise, settings.shaping, plan.seed + CLONE_SEED,
            plan.memory,
        )  # fmt: skip
        return Copying(self.model.policy, teacher)

    def _clone(self, tell: Callable[[News], None]) -> None:
        settings = self.plan.settings
        before = self.cloned.decisions if self.cloned else 0
        self.copying = self.copying or self._new_copying()

        def heard(cloned: Cloned) -> bool:
            self.cloned, progress = cloned, self.progress()
            done = max(cloned.decisions / settings.clone_decisions, progress / CLONE_SHARE)
            speed = (cloned.decisions - before) / sum(self.watch.seconds[part] for part in CLONING)
            tell(News(min(done, 1.0), 0, self.seconds, speed, "copying the heuristic", cloned=cloned))
            self._save_now_and_then()
            return done < 1 and not self.stop.asked

        clone(self.copying, before, settings.clone_decisions, settings.clone_rate, self.watch, heard)
        self.save()

    def _update(self, callback: Any, tell: Callable[[News], None]) -> None:
        """Play a rollout and learn from it."""
        begun, steps, progress = time.monotonic(), self.model.num_timesteps, self.progress()
        for group in range(self.plan.settings.groups):
            self.env.set_opponents(group, self.pool.draw(progress, self.plan.players - 1))
        self.model._current_progress_remaining = 1 - progress
        self.model.ent_coef = self.plan.settings.entropy * falling(progress)
        self.model.collect_rollouts(self.env, callback, self.model.rollout_buffer, self.model.n_steps)
        self.model.train()
        self.updates += 1
        if self.updates % self.plan.settings.pool_every == 0:
            self.pool.add(self._network())
        speed = (self.model.num_timesteps - steps) / (time.monotonic() - begun)
        self._log(speed)
        tell(News(progress, self.model.num_timesteps, self._spent(), speed, "training"))
        since = self.seconds - self.curve[-1]["seconds"]
        if self.plan.is_evaluation_due(steps, self.model.num_timesteps, since):
            self._evaluate("trained", tell)
        self._save_now_and_then()

    def _log(self, speed: float) -> None:
        logger, outcomes = self.model.logger, np.concatenate(self.model.outcomes)
        if len(outcomes):
            logger.record("rollout/outcome", float(outcomes.mean()))
        logger.record("time/steps_per_second", speed)
        for part, share in self.watch.shares().items():
            logger.record(f"time/share_{part.replace(': ', '_')}", share)
        logger.dump(self.model.num_timesteps)

    # ------------------------------------------------------------ measuring and keeping

    def _network(self) -> Any:
        return network_of(self.model.policy, self.plan.settings.activation)

    def current(self) -> TrainedModel:
        """The policy in its present state as a model."""
        facts = {"steps": str(self.model.num_timesteps), "seed": str(self.plan.seed)}
        plan = self.plan
        return model_of(self._network(), self.game, plan.players, plan.settings.features, facts, plan.memory)

    def _evaluate(self, what: str, tell: Callable[[News], None]) -> None:
        with self.watch("evaluation"):
            found = strengths(self.current(), self.plan.deals)
        self._add_to_curve(what, found)
        steps = self.model.num_timesteps
        for opponent, strength in found.items():
            self.model.logger.record(f"match/first_against_{opponent}", strength.first)
        self.model.logger.dump(steps)
        tell(News(self.progress(), steps, self.seconds, steps / self.seconds, what, found))

    def _add_to_curve(self, what: str, found: dict[str, Strength]) -> None:
        row = {"what": what, "steps": self.model.num_timesteps, "seconds": round(self._spent(), 1)}
        if self.curve and (self.curve[-1]["what"], self.curve[-1]["steps"]) == ("final", row["steps"]):
            self.curve.pop()  # the earlier process ended before everything was written
        self.curve.append({**row, **as_data(found)})
        self.save()
        write_text(self.folder / CURVE, "".join(f"{json.dumps(row)}\n" for row in self.curve))

    def _save_now_and_then(self) -> None:
        if self.seconds - self._saved >= CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the checkpoint in place of the last one."""
        optimizer = self.model.policy.optimizer.state_dict()
        data = {
            "plan": asdict(self.plan), "policy": self.model.policy.state_dict(), "optimizer": optimizer,
            "steps": self.model.num_timesteps, "gradient_updates": self.model._n_updates, "updates": self.updates,
            "seconds": self._spent(), "sessions": self.sessions, "curve": self.curve, "pool": self.pool.state(),
            "cloned": self.cloned and asdict(self.cloned), "watch": dict(self.watch.seconds),
            "copying": self.copying and self.copying.state(), "games": self._games(), "complete": self.is_complete,
        }  # fmt: skip
        with self.watch("checkpoints"):
            checkpoint.save(self.folder / CHECKPOINT, data)
        self._saved = self.seconds

    def _games(self) -> dict[str, Any] | None:
        """The games that are not over, with the observations to decide on; None before the first game."""
        if self.model._last_obs is None:
            return None
        return {"env": self.env.snapshot(), "starts": np.asarray(self.model._last_episode_starts)}

    def complete(self) -> None:
        """Note in the checkpoint that all files of the run are written, and whether its plan is done."""
        self.is_complete = self.progress() >= 1
        self.save()

    def finish(self, deals: int) -> dict[str, Strength]:
        """Write the model in the form in which it is played, and measure the strength of the written model."""
        path = self.folder / MODEL
        save(self.current(), path, half=True)
        with self.watch("evaluation"):
            found = strengths(load(path), deals)
        self._add_to_curve("final", found)
        return found


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
