"""Tables and charts as HTML, which Jupyter shows, with all texts escaped."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._core import Device, EigenPair, TuneResult

_WIDTH, _HEIGHT = 480, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, _WIDTH - 12, 32, _HEIGHT - 32  # edges of the plot
_COLOURS = ("#1f77b4", "#d62728")


def _table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    def cell(content: object, tag: str) -> str:
        return f'<{tag} style="text-align: left">{escape(str(content))}</{tag}>'

    def row(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(cell(content, tag) for content in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table>{row(head, 'th') if head else ''}{body}</table>"


def _scale(values: Sequence[float], start: float, end: float) -> list[float]:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return [start + (end - start) * (value - low) / span for value in values]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _chart(content: str, title: str, x_name: str, xs: range, logs: Sequence[float]) -> str:
    """Frames content that was scaled to the plot, and labels both axes."""
    low, high = min(logs), max(logs)
    marks = []
    for share in (0.0, 0.5, 1.0):
        y = _BOTTOM + share * (_TOP - _BOTTOM)
        label = f"{10 ** (low + share * (high - low)):.2g}"
        marks.append(f'<line x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        marks.append(_text(_LEFT - 8, y + 4, label, "end"))
    below = _BOTTOM + 20
    marks += [
        _text(_LEFT, below, str(xs[0]), "start"),
        _text((_LEFT + _RIGHT) / 2, below, x_name, "middle"),
        _text(_RIGHT, below, str(xs[-1]), "end"),
        _text(_LEFT, 16, title, "start"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'style="width: 100%; max-width: {_WIDTH}px; height: auto; display: block" role="img" '
        f'font-family="sans-serif" font-size="12" fill="currentColor">'
        f"<title>{escape(title)}</title>"
        f'<g stroke="currentColor" stroke-opacity="0.2" stroke-width="0.5">{"".join(marks)}</g>'
        f"{content}</svg>"
    )


def _line(xs: Sequence[float], ys: Sequence[float], colour: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>'


def devices(of: Sequence[Device]) -> str:
    """Returns a table of devices."""
    head = ("selector", "name", "type", "platform", "compute units", "memory", "version")
    rows = (
        (
            device.selector,
            device.name,
            device.type,
            device.platform,
            device.compute_units,
            f"{device.global_memory / 2**30:.1f} GiB",
            device.version,
        )
        for device in of
    )
    return _table(rows, head)


def bounds_chart(history: Sequence[tuple[float, float]]) -> str:
    """Returns a chart of the bounds over the rounds: the logarithm of their relative width.

    The first bounds are those of the matrix itself, before a round.
    """
    finite = [
        (i, math.log10((upper - lower) / upper))
        for i, (lower, upper) in enumerate(history)
        if upper > lower and math.isfinite(upper)
    ]
    if len(finite) < 2:
        return ""
    logs = [width for _, width in finite]
    xs = _scale([float(i) for i, _ in finite], _LEFT, _RIGHT)
    line = _line(xs, _scale(logs, _BOTTOM, _TOP), _COLOURS[0])
    rounds = range(finite[0][0], finite[-1][0] + 1)
    return _chart(line, "Relative width of the computed bounds", "round", rounds, logs)


def eigenpair(pair: EigenPair) -> str:
    """Returns the interval and how it was reached, with a chart if there is a history."""
    rows: list[tuple[str, object]] = [
        ("value", repr(pair.value)),
        ("proven interval", f"{pair.lower!r} to {pair.upper!r}"),
        ("residual", f"{pair.residual:.3g}"),
        ("rounds", pair.rounds),
        ("ended", pair.reason),
        ("structure", pair.structure.kind),
    ]
    history = [(float(lower), float(upper)) for lower, upper in pair.history]
    return _table(rows) + bounds_chart(history)


def tuning_chart(seconds: Sequence[float]) -> str:
    """Returns a chart of the trials' times, logarithmic, and of the best time so far."""
    if len(seconds) < 2:
        return ""
    best, lowest = [], math.inf
    for time in seconds:
        lowest = min(lowest, time)
        best.append(lowest)
    xs = _scale([float(i) for i in range(len(seconds))], _LEFT, _RIGHT)
    logs = [math.log10(time) for time in (*seconds, *best)]
    ys = _scale(logs, _BOTTOM, _TOP)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{_COLOURS[0]}"/>'
        for x, y in zip(xs, ys[: len(seconds)], strict=True)
    )
    steps = ys[len(seconds) :]
    corners = [
        (x, y)
        for x, old, new in zip(xs, steps[:1] + steps, steps, strict=False)
        for y in (old, new)
    ]
    line = _line([x for x, _ in corners], [y for _, y in corners], _COLOURS[1])
    title = "Seconds of each trial (dots) and of the best so far (line)"
    return _chart(dots + line, title, "trial", range(1, len(seconds) + 1), logs)


def tuning(result: TuneResult) -> str:
    """Returns the winner, its speedup and a chart of the trials."""
    lower, upper = result.speedup_interval
    rows: list[tuple[str, object]] = [
        ("problem", result.problem),
        ("device", result.device.name),
        ("best", result.best),
        ("default", result.default),
        ("speedup", f"{result.speedup:.3g} ({lower:.3g} to {upper:.3g})"),
        ("trials", f"{len(result.trials)} of {result.space}"),
        ("conclusion", result.conclusion),
    ]
    seconds = [trial["seconds"] for trial in result.trials if trial["seconds"]]
    return _table(rows) + tuning_chart([time for time in seconds if time > 0])
