"""The architecture as import-linter contracts, for whatever game folders there are.

python -m tests.support.import_contracts
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
FRAMEWORKS = ("pettingzoo", "gymnasium", "typer", "rich", "torch", "stable_baselines3")
ENGINE_SIDE = ("engine", "overloads", "record", "batch", "seat", "registry", "cli", "testing", "warmup")


def contract(number: int, name: str, sources: list[str], forbidden: list[str], ignored: list[str] | None = None) -> str:
    """One `forbidden` contract in import-linter's ini form; only direct imports count."""
    parts = [
        f"[importlinter:contract:{number}]",
        f"name = {name}",
        "type = forbidden",
        "allow_indirect_imports = True",
        "unmatched_ignore_imports_alerting = none",
        "source_modules =",
        *(f"    {module}" for module in sources),
        "forbidden_modules =",
        *(f"    {module}" for module in forbidden),
    ]
    if ignored:
        parts += ["ignore_imports =", *(f"    {rule}" for rule in ignored)]
    return "\n".join(parts)


def configuration() -> str:
    """All contracts for the packages in this checkout."""
    games = sorted(path.parent.name for path in ROOT.glob("*_env/game.py"))
    skyline = sorted(f"skyline.{path.stem}" for path in (ROOT / "skyline").glob("*.py") if path.stem != "__init__")
    jitted = [
        f"{game}.{path.stem}" for game in games for path in sorted((ROOT / game).glob("*.py")) if _is_jitted(path)
    ]
    head = [
        "[importlinter]",
        "root_packages =",
        *(f"    {package}" for package in ["skyline", "agents", "benchmarks", *games]),
    ]
    return "\n\n".join(
        [
            "\n".join([*head, "include_external_packages = True"]),
            contract(1, "skyline knows no game, no agent, no benchmark", ["skyline"], [*games, "agents", "benchmarks"]),
            contract(2, "games know no framework", games, [*FRAMEWORKS, *(f"skyline.{name}" for name in ENGINE_SIDE)]),
            contract(
                3, "games meet PettingZoo in <game>_v0 only", [f"{game}.game" for game in games], ["skyline.envs.aec"]
            ),
            contract(
                4,
                "jitted modules import numpy and the core",
                jitted,
                ["skyline.envs.aec", "skyline.draw.svg", *FRAMEWORKS],
            ),
            contract(
                5,
                "only the AEC module and the registration import pettingzoo",
                [module for module in skyline if module != "skyline.envs.aec"],
                ["pettingzoo", "torch", "stable_baselines3"],
            ),
            contract(6, "agents know no game", ["agents"], games),
        ]
    )


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
