"""The report as one HTML page: tables and plots, no script, nothing from outside, light and dark.

Path("report.html").write_text(page(read("results.db")))
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from typing import Any

from skyline import __version__
from skyline.cli.terminal import duration
from skyline_agents.memory_setting import memory_words
from skyline_agents.report import charts
from skyline_agents.report.overall import overall_rows
from skyline_agents.report.tables import Report, Row, Section, title

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf8; --card: #fff; --ink: #1d2433; --soft: #5c6576; --line: #e2e1dc;
  --mark: #2563ac; --bar: #7ba5d6; --more: #2f7fd0; --less: #d9772b; --warn: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171d; --card: #1b1f27; --ink: #e6e9ef; --soft: #9aa4b5;
  --line: #323845; --mark: #7db4f0; --bar: #3f6ea5; --more: #3a86d8; --less: #d97a33; --warn: #fdba74; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.3rem; margin: 2.6rem 0 .4rem; }
h3 { font-size: 1.02rem; margin: 0 0 .3rem; } p { margin: .3rem 0 .8rem; max-width: 46rem; }
a { color: var(--mark); } .soft, figcaption { color: var(--soft); } .warn { color: var(--warn); }
section.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem;
  margin: .9rem 0; } section.card > p { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; } .wide > svg { display: block; max-width: 100%; min-width: 36rem; height: auto; }
nav ul { padding-left: 1.1rem; margin: .4rem 0; }
table { border-collapse: collapse; margin-top: .5rem; font-size: .87rem; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .55rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th { white-space: pre-line; line-height: 1.25; }
th.name, td.name { text-align: left; padding-left: 0; }
td.long { white-space: normal; overflow-wrap: anywhere; min-width: 18rem; max-width: 34rem; }
tbody tr:hover { background: color-mix(in srgb, var(--mark) 9%, transparent); }
details { margin-top: .6rem; } summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
svg text { font-size: 12.5px; fill: var(--ink); }
svg text.soft { fill: var(--soft); font-size: 11.5px; }
svg .grid, svg .axis { stroke: var(--line); } svg .zero { stroke: var(--soft); stroke-dasharray: 3 3; }
svg .whisker { stroke: var(--mark); stroke-width: 2; } svg .mark, svg .arrow { fill: var(--mark); }
svg .bar { fill: var(--bar); } svg .mean { stroke: var(--less); stroke-width: 2; }
svg .more { fill: var(--more); } svg .less { fill: var(--less); } svg .none { fill: none; stroke: var(--line); }
code { font-size: .88em; }
"""

MINUS = "\N{MINUS SIGN}"
LONG = 44  # letters of a name that may be broken into lines
Column = tuple[str, str, Callable[[Any], str]]  # key of the row, heading, how it is written


def page(report: Report) -> str:
    """The whole page."""
    title = f"Tournament {report.path.stem}"
    parts = [f"<h1>{_safe(title)}</h1>", _head(report)]
    if len(report.sections) > 1:
        parts += [_overall(overall_rows(report.sections), len(report.sections)), _ladder(report.sections)]
    for section in report.sections:
        parts += [f'<h2 id="event-{section.event.number}">{_safe(section.title)}</h2>', *_cards(section)]
    parts.append(_method(report))
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


# ---------------------------------------------------------------- parts of the page


def _head(report: Report) -> str:
    """What was played, and the contents."""
    games = sum(len(section.games) for section in report.sections)
    began = [str(run["began"]).replace("T", " ").replace("+00:00", " UTC") for run in report.runs]
    when = f"; begun {began[0]}" + (f", last continued {began[-1]}" if len(began) > 1 else "") if began else ""
    lines = [f'<p class="soft">{games:,} finished games from <code>{_safe(str(report.path))}</code>{_safe(when)}.</p>']
    links = [
        f'<li><a href="#event-{section.event.number}">{_safe(section.title)}</a>: {_progress(section)}</li>'
        for section in report.sections
    ]
    links += [
        f"<li>{_safe(title(event.game))}, {event.players} players{memory_words(event.memory)}: no game is finished</li>"
        for event in report.empty
    ]
    return "\n".join([*lines, f"<nav><ul>{''.join(links)}</ul></nav>"])


def _progress(section: Section) -> str:
    done, planned = len(section.games), section.event.planned
    of = f" of {planned:,} planned" if done < planned else ""
    return f"{done:,}{of} games, {section.ratings.deals:,} deals, {len(section.names)} agents"


def _overall(rows: list[Row], events: int) -> str:
    """The standing over all games together."""
    columns: list[Column] = [
        ("agent", "agent", str),
        ("ahead", "ahead", _share),
        ("kinds", "kinds\nof game", _whole),
        ("events", f"events\nof {events}", _whole),
        ("games", "seats\ntaken", _whole),
    ]
    said = (
        "Of 100 meetings with other agents, in how many the agent came before the other; a shared place counts half. "
    )
    said += "It is the mean over the games, and every game counts the same: 50 % is as good as the others."
    return _card("All games together", said, _table(columns, rows))


def _ladder(sections: Sequence[Section]) -> str:
    """The ratings of all events side by side."""
    found = [{row["agent"]: row for row in section.ratings.table()} for section in sections]
    agents = list(dict.fromkeys(name for rows in found for name in rows))
    columns: list[Column] = [("agent", "agent", str)]
    columns += [(str(i), section.title.replace(", ", "\n"), str) for i, section in enumerate(sections)]
    rows = [
        {"agent": name} | {str(i): _cell(rows[name]) if name in rows else "" for i, rows in enumerate(found)}
        for name in agents
    ]
    return _card("All ratings", "Rating and 95 % interval in every event.", _table(columns, rows))


def _cell(row: Row) -> str:
    interval = _interval(row)
    return _points(row["rating"]) + (f"  ({interval})" if interval != "-" else "")


def _cards(section: Section) -> list[str]:
    tables = section.tables()
    cards = [_ratings(section, tables["ratings"]), _pairs(section, tables["pairs"])]
    cards += [_scores(section, tables["scores"]), _seats(section, tables["seats"])]
    cards.append(_lengths(section, tables["lengths"]))
    if tables["forfeits"]:
        cards.append(_forfeits(tables["forfeits"]))
    return cards


def _ratings(section: Section, rows: list[Row]) -> str:
    spans = [charts.Span(row["agent"], row["rating"], row["low"], row["high"]) for row in rows]
    said = f"Elo points, {section.ratings.anchor} = 0. A lead of 400 is odds of 10 to 1 to come before the other."
    columns: list[Column] = [
        ("agent", "agent", str),
        ("rating", "rating", _points),
        ("interval", "95 %", str),
        ("games", "seats\ntaken", _whole),
        ("first_share", "first", _share),
        ("mean_place", "mean\nplace", _decimals(2)),
        ("mean_score", "mean\nscore", _decimals(1)),
        ("score_deviation", "its\nspread", _decimals(1)),
    ]
    if any(not math.isnan(row["seconds_a_move"]) for row in rows):
        columns += [("seconds_a_move", "time a\nmove", _time), ("slowest_move", "slowest\nmove", _time)]
    shown = [row | {"interval": _interval(row)} for row in rows]
    plot = charts.spans(spans, "rating, with 95 % interval", "Ratings with intervals")
    said += _left_out(section, "Scores and times are", "Ratings and places count them.")
    return _card("Ratings", said, plot, _table(columns, shown))


def _pairs(section: Section, rows: list[Row]) -> str:
    cells = {(row["agent"], row["opponent"]): row for row in rows}
    names = [section.names[k] for k in section.ratings.order()]
    shares = [[cells.get((a, b), {"score": float("nan")})["score"] for b in names] for a in names]
    tips = [[_pair_tip(cells.get((a, b))) for b in names] for a in names]
    said = "Of 100 meetings, in how many the row came before the column; a shared place counts half."
    columns: list[Column] = [
        ("agent", "agent", str),
        ("opponent", "against", str),
        ("meetings", "meetings", _whole),
        ("before", "before", _whole),
        ("ties", "level", _whole),
        ("behind", "behind", _whole),
        ("score", "share", _share),
        ("margin", "95 %", lambda value: "" if math.isnan(value) else f"± {100 * value:.1f} %"),
        ("rated_better", "rated better in", _share),
    ]
    plot = charts.heat(names, shares, tips, "Head to head")
    return _card("Head to head", said, plot, _folded("All pairs", _table(columns, rows, names=2)))


def _pair_tip(row: Row | None) -> str:
    if row is None:
        return ""
    counts = f"{row['before']:,} before, {row['ties']:,} level, {row['behind']:,} behind"
    return f"{row['agent']} against {row['opponent']}: {_share(row['score'])} ({counts})"


def _scores(section: Section, rows: list[Row]) -> str:
    counts = []
    for row in section.agent_rows():
        own = [other for other in rows if other["agent"] == row["agent"]]
        if not own:  # all of its games were forfeited
            continue
        counts.append(
            charts.Counts(
                row["agent"], [o["score"] for o in own], [o["games"] for o in own], row["mean_score"]
            )
        )  # fmt: skip
    if not counts:
        return _card("Scores", "Every game was forfeited: there are no scores.")
    said = "How often each agent had which score; the upright line is its mean."
    said += _left_out(section, "Scores are")
    return _card("Scores", said, charts.histograms(counts, "score", "Distributions of scores"))


def _seats(section: Section, rows: list[Row]) -> str:
    spans = [charts.Span(f"seat {row['seat']}", row["effect"], row["low"], row["high"]) for row in rows]
    columns: list[Column] = [
        ("seat", "seat", str),
        ("effect", "effect", _points),
        ("interval", "95 %", str),
        ("first_share", "first", _share),
        ("mean_place", "mean\nplace", _decimals(2)),
        ("mean_score", "mean\nscore", _decimals(1)),
    ]
    table = _table(columns, [row | {"interval": _interval(row)} for row in rows])
    left_out = _left_out(section, "Scores are")
    if section.ratings.no_seats is not None:
        return _card("Seats", f"No effects of seats: {section.ratings.no_seats}.{left_out}", table)
    said = "What the seat is worth in rating points, agents being equal; the mean of all seats is 0." + left_out
    plot = charts.spans(spans, "effect of the seat, with 95 % interval", "Effects of the seats")
    return _card("Seats", said, plot, table)


def _left_out(section: Section, what: str, more: str = "") -> str:
    """A sentence about the forfeited games that a table leaves out; "" if there are none."""
    n = int((~section.games.whole).sum())
    if n == 0:
        return ""
    games = "1 game that was" if n == 1 else f"{n:,} games that were"
    return f" {what} without {games} forfeited.{' ' if more else ''}{more}"


def _lengths(section: Section, rows: list[Row]) -> str:
    if not rows:
        return _card("Length of games", "Every game was forfeited: there are no lengths.")
    moves, games = [row["moves"] for row in rows], [row["games"] for row in rows]
    mean = sum(a * b for a, b in zip(moves, games, strict=True)) / sum(games)
    left_out = _left_out(section, "Lengths are")
    if len(rows) == 1:
        return _card("Length of games", f"Every game took {moves[0]:,} moves, all seats together." + left_out)
    said = f"Moves of all seats together: {moves[0]:,} to {moves[-1]:,}, on the average {mean:,.1f}.{left_out}"
    plot = charts.histograms([charts.Counts("games", moves, games, mean)], "moves", "Length of games")
    return _card("Length of games", said, plot)


def _forfeits(rows: list[Row]) -> str:
    columns: list[Column] = [
        ("agent", "agent", str),
        ("reason", "reason", str),
        ("games", "games", _whole),
        ("example", "in full, the first of them", str),
    ]
    said = "Agents that broke down, moved illegally or took too long. These games count with the places they ended in; "
    said += "their scores, lengths and times are left out."
    return _card("Forfeits", said, _table(columns, rows, names=2, last_is_name=True))


def _method(report: Report) -> str:
    """How the figures were made, and how to read them."""
    versions = "; ".join(
        f"run {run['number']}: "
        + _safe(", ".join(f"{key} {_flat(value)}" for key, value in run.items() if key not in ("number", "began")))
        for run in report.runs
    )
    return f"""<h2 id="method">How to read this</h2>
<p>Ratings are fitted to the places of all games at once: Plackett-Luce (with two players Bradley-Terry) with shared
places and an effect of the seat. Intervals hold 95 % of {report.replicates:,} fits to deals drawn anew with replacement
(seed {report.seed}); the games of a deal stay together, since they share their luck. Two agents differ clearly when the
interval of the one ends below that of the other begins; <i>rated better in</i> says in how many of the fits one was
rated above the other. Where an agent was never once beaten the data set no upper limit: the interval is open.</p>
<p class="soft">Written by skyline {_safe(__version__)}. {versions}</p>"""


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={part}" for key, part in value.items())
    return str(value)


# ---------------------------------------------------------------- pieces


def _card(title: str, said: str, *parts: str) -> str:
    inner = "".join(f'<div class="wide">{part}</div>' for part in parts)
    return f'<section class="card"><h3>{_safe(title)}</h3><p>{_safe(said)}</p>{inner}</section>'


def _folded(title: str, inner: str) -> str:
    return f"<details><summary>{_safe(title)}</summary>{inner}</details>"


def _table(columns: Sequence[Column], rows: Sequence[Row], names: int = 1, last_is_name: bool = False) -> str:
    """A table whose first `names` columns are names and the others numbers; `last_is_name`: so is the last column."""
    are_names = [i < names or (last_is_name and i == len(columns) - 1) for i in range(len(columns))]
    head = "".join(
        f"<th{' class=name' if name else ''}>{_safe(heading)}</th>"
        for name, (_, heading, _) in zip(are_names, columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(_table_cell(write(row[key]), name) for name, (key, _, write) in zip(are_names, columns, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _table_cell(text: str, is_name: bool) -> str:
    long = " long" if len(text) > LONG else ""
    return f'<td class="name{long}">{_safe(text)}</td>' if is_name else f"<td>{_safe(text)}</td>"


def _points(value: float) -> str:
    if not math.isfinite(value):
        return "-" if math.isnan(value) else "open"
    return f"{value:+.0f}".replace("-", MINUS) if round(value) else "0"


def _interval(row: Row) -> str:
    if math.isnan(row["low"]) or row["low"] == row["high"]:
        return "-"
    return f"{_points(row['low'])} to {_points(row['high'])}"


def _whole(value: int) -> str:
    return f"{value:,}"


def _share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.1%}"


def _decimals(n: int) -> Callable[[float], str]:
    return lambda value: "-" if math.isnan(value) else f"{value:.{n}f}"


def _time(seconds: float) -> str:
    return "-" if math.isnan(seconds) else duration(seconds)


def _safe(text: str) -> str:
    return html.escape(text)
