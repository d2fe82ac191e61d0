"""The pictures of the site that show a run of the command, from the data in figures/.

The key "source" of each file is the command that the data came from. tools/bench/performance.py makes the pictures of
speed over size.
"""
import json
import pathlib
import sys

SITE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SITE.parents[1] / "tools/bench"))
from svg_plot import Axis, Plot  # noqa: E402


def data(name):
    return json.loads((SITE / f"figures/{name}.json").read_text())


def error():
    """The largest error of products, and its bound, over their size."""
    figures = data("error")
    plot = Plot(Axis(32, 2048, 2), Axis(1e-15, 1, 10), "n of an n x n x n product", "error of an element")
    for style, type_name in enumerate(("float", "double")):
        rows = figures[type_name]
        plot.limit([(n, bound) for n, _, bound in rows], f"bound, {type_name}")
        plot.line([(n, largest) for n, largest, _ in rows], f"largest error, {type_name}", style)
    return plot


def bounds():
    """The bounds of an eigenvalue over the rounds."""
    rows = data("bounds")["solves"][1]["bounds"][:13]
    value = sum(data("bounds")["solves"][1]["bounds"][-1]) / 2
    plot = Plot(Axis(0, 12), Axis(0, 8), "round, Hilbert matrix, n = 1024", "bounds")
    plot.line([(i, upper) for i, (_, upper) in enumerate(rows)], "upper bound", 0)
    plot.line([(i, lower) for i, (lower, _) in enumerate(rows)], "lower bound", 1)
    plot.limit([(0, value), (12, value)], f"eigenvalue {value:.4f}")
    return plot


def width():
    """The relative width of the interval over the rounds of four solves."""
    plot = Plot(Axis(1, 1024, 2), Axis(1e-14, 1, 10), "round", "width of the interval / upper bound")
    names = ("random", "Hilbert", "small gap, no restarts", "small gap, restarts")
    for style, (name, solve) in enumerate(zip(names, data("bounds")["solves"])):
        rounds = solve.get("rounds", range(len(solve["bounds"])))
        plot.line([(i + 1, (upper - lower) / upper) for i, (lower, upper) in zip(rounds, solve["bounds"])], name, style)
    return plot


def roofline():
    """The trials of a tuning below the limits of memory and arithmetic."""
    figures = data("roofline")
    flops, read = figures["peak_flops"] / 1e9, figures["peak_bytes"] / 1e9
    plot = Plot(Axis(0.125, 1024, 2), Axis(0.1, 1000, 10), "FLOP per byte of the problem", "GFLOP/s, float")
    plot.limit([(0.125, 0.125 * read), (flops / read, flops), (1024, flops)])
    plot.note(8, 1.25 * flops, f"{flops:.0f} GFLOP/s")
    plot.note(2.2, 13, f"{read:.0f} GB/s")
    problems = figures["problems"]
    plot.spots([(problem["intensity"], speed / 1e9) for problem in problems for speed in problem["trials"]], 1, 2.5,
               "a configuration that was tried")
    plot.spots([(problem["intensity"], max(problem["default"], problem["tuned"] or 0) / 1e9) for problem in problems],
               0, 5, "the faster of the default and the tuned kernel")
    places = ((0.45, 22, "end"), (0.34, 0.35, "start"), (0.6, 4, "start"), (230, 20, "start"))
    for problem, (x, y, anchor) in zip(problems, places):
        plot.note(x, y, problem["name"].split()[0], anchor)
    return plot


def draw(folder):
    """Writes the pictures to a folder."""
    folder.mkdir(parents=True)
    for make in (error, bounds, width, roofline):
        (folder / f"{make.__name__}.svg").write_text(make().svg())
