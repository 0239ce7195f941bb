"""What a training run leaves beside its model: the card CARD.md, its figures model.json and the picture curve.png."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import skyline
from skyline.files import whole, write_text
from skyline_agents.memory_setting import EARLIER_MEMORY, memory_words
from skyline_agents.players.ppo.evaluation import SEED, Strength
from skyline_agents.players.ppo.network import load
from skyline_agents.players.ppo.origin import origin
from skyline_agents.players.ppo.shelf import CARD, DATA, MODEL, PICTURE, TRAINING

if TYPE_CHECKING:  # a card is written again without torch when a model is carried over
    from skyline_agents.players.ppo.training import Training

PACKAGES = ("numpy", "numba", "torch", "stable_baselines3", "sb3_contrib")


def write(run: Training, found: Mapping[str, Strength], command: str) -> None:
    """Write card, figures and picture into the folder of the run."""
    data = facts(run, found, command)
    write_text(run.folder / DATA, json.dumps(data, indent=2) + "\n")
    with whole(run.folder / PICTURE) as part:
        _curve(data).savefig(part, format="png", dpi=110)
    write_text(run.folder / CARD, card(data))


def facts(run: Training, found: Mapping[str, Strength], command: str) -> dict[str, Any]:
    """The figures that the card shows."""
    plan, model = asdict(run.plan), load(run.folder / MODEL)
    settings = plan.pop("settings")
    training = [run.watch.seconds[part] for part in TRAINING]
    return {
        **plan, "title": run.game.title, "version": run.game.version, "tables": model.tables,
        "layers": model.network.sizes, "command": command, "origin": origin(), "sessions": run.sessions,
        "steps_done": run.model.num_timesteps, "seconds": round(run.seconds, 1),
        "steps_per_second": round(run.model.num_timesteps / max(sum(training), 1e-9), 1),
        "shares": {part: round(share, 4) for part, share in run.watch.shares().items()},
        "cloned": run.cloned and asdict(run.cloned),
        "strength": {opponent: asdict(strength) for opponent, strength in found.items()},
        "curve": run.curve, "settings": settings, "versions": versions(),
    }  # fmt: skip


def versions() -> dict[str, str]:
    """The versions of the packages that a training depends on."""
    packages = {name: importlib.metadata.version(name) for name in PACKAGES}
    return {"skyline": skyline.__version__, "python": platform.python_version(), **packages}


def command_line(arguments: list[str]) -> str:
    """The command of a run, as it can be given to a shell."""
    return shlex.join(["skyline", *arguments])


# ---------------------------------------------------------------- CARD.md


def card(data: Mapping[str, Any]) -> str:
    """The card as Markdown."""
    fair = 1 / data["players"]
    return "\n".join(
        [
            f"# PPO for {data['title']}, {data['players']} players",
            "",
            f"Trained by `{data['command']}`: {data['steps_done']:,} decisions in {data['seconds'] / 60:.1f} minutes"
            f"{_after(data)}. Plays {data['game']}_v{data['version']} (tables {data['tables']}"
            f"{memory_words(data.get('memory', EARLIER_MEMORY))}).{_carried(data)}",
            "",
            f"| one of it among .. | games | first places (fair: {fair:.0%}) | mean outcome (-1 .. 1) |",
            "|---|---|---|---|",
            *(_row(strength) for strength in data["strength"].values()),
            "",
            "Intervals are 95 %, over deals; each deal is played in all seat rotations. The same games again: "
            f"`skyline play {data['game']} -p {data['players']} -a ppo:{MODEL},{_others(data)} --duplicate "
            f"-n {_games(data)} --seed {SEED}`.",
            "",
            f"![First places over the training]({PICTURE})",
            "",
            "## Training",
            "",
            f"Trained with {data['origin']}.",
            "",
            f"{data['steps_per_second']:,.0f} decisions a second, threads of torch: {data['threads']}. Time: "
            + ", ".join(f"{part} {share:.0%}" for part, share in data["shares"].items()) + ".",
            "",
            f"Network: {' - '.join(map(str, data['layers']))} ({data['settings']['activation']}). Seed {data['seed']}. "
            + ", ".join(f"{name} {version}" for name, version in data["versions"].items()) + ".",
            "",
            "| setting | value |",
            "|---|---|",
            *(f"| {name} | {_shown(value)} |" for name, value in data["settings"].items()),
            "",
        ]
    )  # fmt: skip


def _after(data: Mapping[str, Any]) -> str:
    """What the card says of the copying of the heuristic."""
    cloned = data["cloned"]
    if not cloned:
        return ""
    return f", after copying {cloned['decisions']:,} decisions of the heuristic ({cloned['agreement']:.0%} agreement)"


def _carried(data: Mapping[str, Any]) -> str:
    """What the card says of the tables of the training, if the model was carried over from them."""
    if not data.get("carried"):
        return ""
    first = data["carried"][0]
    trained = f"{data['game']}_v{first['version']} (tables {first['tables']})"
    return f" Trained on {trained}, and carried over: {'; '.join(step['change'] for step in data['carried'])}."


def _row(strength: Mapping[str, Any]) -> str:
    first = f"{strength['first']:.1%} ± {strength['first_margin']:.1%}"
    outcome = f"{strength['outcome']:+.3f} ± {strength['outcome_margin']:.3f}"
    return f"| {strength['opponent']} | {strength['games']:,} | {first} | {outcome} |"


def _others(data: Mapping[str, Any]) -> str:
    return ",".join(["heuristic"] * (data["players"] - 1))


def _games(data: Mapping[str, Any]) -> int:
    return int(data["strength"]["heuristic"]["games"])


def _shown(value: Any) -> str:
    return " + ".join(map(str, value)) or "none" if isinstance(value, (list, tuple)) else str(value)


# ---------------------------------------------------------------- curve.png


def _curve(data: Mapping[str, Any]) -> Any:
    """A plot of the share of first places over the decisions of the training, with intervals."""
    from skyline.draw.plots import COLOURS, figure, finish

    drawn, axes = figure(1, 1, (7.0, 4.0))
    axis = axes[0, 0]
    for colour, opponent in zip(COLOURS, data["strength"], strict=False):
        steps = [row["steps"] / 1e6 for row in data["curve"]]
        firsts = [100 * row[opponent]["first"] for row in data["curve"]]
        margins = [100 * row[opponent]["first_margin"] for row in data["curve"]]
        axis.errorbar(steps, firsts, margins, color=colour, marker="o", markersize=3, linewidth=1.2, label=opponent)
    axis.axhline(100 / data["players"], color="#888888", linewidth=0.8, linestyle="--")
    axis.set_ylim(0, 102)
    axis.legend(title="among", fontsize=8, loc="lower right")
    finish(axis, f"{data['title']}, {data['players']} players", "million decisions", "first places in %")
    return drawn
