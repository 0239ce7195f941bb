"""The architecture as import-linter contracts, with all game folders that exist.

    python -m tests.support.import_contracts

Each contract forbids some imports between rooms. Only direct imports count.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
FRAMEWORKS = ("pettingzoo", "gymnasium", "typer", "rich", "torch", "stable_baselines3")
CORE, ENVS, DRAW, CLI = "skyline.core", "skyline.envs", "skyline.draw", "skyline.cli"
ABOVE = ("skyline.record", "skyline.testing", "skyline.warmup")  # modules of skyline that may import its rooms
ENGINE = tuple(f"{CORE}.{name}" for name in ("engine", "overloads", "cache", "kept", "diagnosis"))
PLAYERS = "skyline_agents.players"
SEARCH, PPO = f"{PLAYERS}.search", f"{PLAYERS}.ppo"
MATCH, TOURNAMENT, DATABASE, RATINGS, REPORT, AGENTS_CLI = (
    f"skyline_agents.{room}" for room in ("match", "tournament", "database", "ratings", "report", "cli")
)
HARNESS, LAYERS, PEERS, GATE, PAGES = (
    f"skyline_bench.{room}" for room in ("harness", "layers", "peers", "gate", "pages")
)
Rule = tuple[str, list[str], list[str]]  # a sentence, the importing packages, the packages that they may not import


def rules() -> list[Rule]:
    """All contracts for the packages in this checkout."""
    games = sorted(path.parent.name for path in ROOT.glob("*_env/game.py"))
    jitted = [
        f"{game}.{path.stem}" for game in games for path in sorted((ROOT / game).glob("*.py")) if _is_jitted(path)
    ]
    light = [f"skyline.{name}" for name in ("game", "registry", "rng", "record", "reading", "files", "testing", "cli")]
    return [
        ("skyline knows no game, no agent, no benchmark", ["skyline"], [*games, "skyline_agents", "skyline_bench"]),
        ("the core knows no environment, picture or command", [CORE], [ENVS, DRAW, CLI, *ABOVE]),
        ("environments know no command", [ENVS], [CLI, "skyline.testing", "skyline.warmup"]),
        ("pictures know nothing of ours", [DRAW], [CORE, ENVS, CLI, "skyline.game", "skyline.registry", *ABOVE]),
        ("games know no framework", games, [*FRAMEWORKS, *ENGINE, CLI, "skyline.registry", *ABOVE]),
        ("games meet PettingZoo in <game>_v0 only", [f"{game}.game" for game in games], [ENVS]),
        ("jitted modules import numpy and the core", jitted, [ENVS, DRAW, *FRAMEWORKS]),
        ("only environments import PettingZoo", [CORE, DRAW, *light], ["pettingzoo", "torch", "stable_baselines3"]),
        ("agents know no game and no benchmark", ["skyline_agents"], [*games, "skyline_bench"]),
        ("benchmarks know no game", ["skyline_bench"], games),
        ("players know no tournament", [PLAYERS], [TOURNAMENT, DATABASE, REPORT, AGENTS_CLI]),
        ("PPO knows no search", [PPO], [SEARCH]),
        ("search knows no PPO, no match", [SEARCH], [PPO, MATCH, RATINGS, "skyline_agents.play"]),
        ("matches know no tournament", [MATCH], [SEARCH, PPO, TOURNAMENT, DATABASE, RATINGS, REPORT, AGENTS_CLI]),
        ("tournaments know no player", [TOURNAMENT], [PLAYERS, RATINGS, REPORT, AGENTS_CLI]),
        ("the database knows no tournament", [DATABASE], [PLAYERS, TOURNAMENT, RATINGS, REPORT, AGENTS_CLI]),
        ("ratings know numbers only", [RATINGS], [PLAYERS, MATCH, TOURNAMENT, DATABASE, REPORT, AGENTS_CLI]),
        ("reports read the database", [REPORT], [PLAYERS, MATCH, TOURNAMENT, AGENTS_CLI]),
        ("layers and peers know no gate", [HARNESS, LAYERS, PEERS], [GATE, PAGES]),
        ("the gate knows no pages", [GATE], [PAGES]),
    ]


def configuration() -> str:
    """The contracts in import-linter's ini form."""
    games = sorted(path.parent.name for path in ROOT.glob("*_env/game.py"))
    head = ["[importlinter]", "root_packages =", *_lines(["skyline", "skyline_agents", "skyline_bench", *games])]
    parts = ["\n".join([*head, "include_external_packages = True"])]
    for number, (sentence, sources, forbidden) in enumerate(rules(), 1):
        part = [f"[importlinter:contract:{number}]", f"name = {sentence}", "type = forbidden"]
        part += ["allow_indirect_imports = True", "source_modules =", *_lines(sources)]
        parts.append("\n".join([*part, "forbidden_modules =", *_lines(forbidden)]))
    return "\n\n".join(parts)


def _lines(modules: list[str]) -> list[str]:
    return [f"    {module}" for module in modules]


def _is_jitted(path: Path) -> bool:
    return "from skyline.core.jit import njit" in path.read_text()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "contracts.ini"
        config.write_text(configuration())
        return int(lint_imports(config_filename=str(config), no_cache=True))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
