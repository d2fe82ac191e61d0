"""Tables and charts as HTML, which Jupyter shows, with all texts escaped."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._core import Device, EigenPair, TuneResult

_WIDTH, _HEIGHT, _MARGIN = 480, 160, 8
_COLOURS = ("#1f77b4", "#d62728")


def _table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    def row(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table>{row(head, 'th') if head else ''}{body}</table>"


def _scale(values: Sequence[float], size: int, *, flip: bool = False) -> list[float]:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    shares = [(value - low) / span for value in values]
    room = size - 2 * _MARGIN
    return [_MARGIN + room * ((1 - share) if flip else share) for share in shares]


def _svg(content: str, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'role="img"><title>{escape(title)}</title>{content}</svg>'
    )


def _line(xs: Sequence[float], ys: Sequence[float], colour: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return f'<polyline fill="none" stroke="{colour}" points="{points}"/>'


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
    """Returns a chart of the bounds over the rounds: the logarithm of their relative width."""
    finite = [
        (i, math.log10((upper - lower) / upper))
        for i, (lower, upper) in enumerate(history, 1)
        if upper > lower and math.isfinite(upper)
    ]
    if len(finite) < 2:
        return ""
    xs = _scale([float(i) for i, _ in finite], _WIDTH)
    ys = _scale([width for _, width in finite], _HEIGHT, flip=True)
    return _svg(_line(xs, ys, _COLOURS[0]), "relative width of the bounds per round, logarithmic")


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
    xs = _scale([float(i) for i in range(len(seconds))], _WIDTH)
    logs = [math.log10(time) for time in (*seconds, *best)]
    ys = _scale(logs, _HEIGHT, flip=True)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="{_COLOURS[0]}"/>'
        for x, y in zip(xs, ys[: len(seconds)], strict=True)
    )
    line = _line(xs, ys[len(seconds) :], _COLOURS[1])
    return _svg(dots + line, "seconds of each trial and of the best so far, logarithmic")


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
