"""Plots with one look, by matplotlib (extra `viz`): figures without a window, and what their axes share."""

from __future__ import annotations

from typing import Any

COLOURS = ("#1b6ca8", "#c8553d", "#2f8f5b", "#8a5fb0", "#b8860b", "#4d4d4d")


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """A figure without a window."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'skyline-envs[viz]'") from None
    drawn = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(drawn)
    return drawn, drawn.subplots(rows, columns, squeeze=False)


def finish(axis: Any, title: str, xlabel: str, ylabel: str = "") -> None:
    """What all axes share."""
    axis.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axis.set_xlabel(xlabel)
    axis.set_ylabel(ylabel)
    axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
