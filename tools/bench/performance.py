#!/usr/bin/env python3
"""Makes docs/performance.md and its plots from runs of the benchmarks Peers and Transfer, one for each device:

  build/tools/tessera-bench --benchmark_filter='Peers|Transfer' --benchmark_out=peers.json --benchmark_out_format=json
  tools/bench/performance.py peers.json...
"""

import collections
import json
import pathlib
import re
import sys

import svg_plot

# The libraries in the order of columns, and the style of each one's line.
STYLES = {"ours": 0, "MKL": 1, "OpenBLAS": 2, "BLIS": 3, "Eigen": 4, "CLBlast": 5, "cuBLAS": 1, "cuBLASLt": 2,
          "GEMMul8": 3, "libxstream": 4}

# A library's speed in GFLOP/s, and Tessera's relative to it with an interval: None for Tessera
# itself.
Result = collections.namedtuple("Result", "gflops ratio lower upper")
# One benchmark: "float", "NN", "1024x1024x1024", a Result for each library, and the peak in GFLOP/s or None.
Case = collections.namedtuple("Case", "type order size results peak")


def libraries(counters):
    """The names of the libraries in a benchmark's counters, ours first."""
    return ["ours"] + sorted(name[:-6] for name in counters if name.endswith("_ratio") and name != "best_ratio")


def read(path):
    """The cases of a run, its random cases by type, its transfers, the device, and the libraries' full names."""
    cases, random, transfers, device, full_names = [], {}, [], "", []
    for benchmark in json.loads(path.read_text())["benchmarks"]:
        if "error_message" in benchmark:
            raise SystemExit(f"{benchmark['name']}: {benchmark['error_message']}")
        parts = benchmark["name"].split("/")
        if parts[0] in ("Transfer", "PinnedTransfer"):
            transfers.append(benchmark)
        if parts[0] != "Peers":
            continue
        if parts[1] == "squares":
            continue  # the same cases are measured in one process too
        if parts[1] == "random":
            random[parts[2]] = benchmark
            continue
        device = benchmark["label"]
        results = {}
        full_names += [name for name in libraries(benchmark)[1:] if name not in full_names]
        for name in libraries(benchmark):
            interval = [benchmark.get(f"{name}_{end}") for end in ("ratio", "lower", "upper")]
            results[name.split("_")[0]] = Result(benchmark[name], *interval)
        cases.append(Case(*parts[1:4], results, benchmark.get("peak")))
    if not cases:
        raise SystemExit(f"{path} holds no results of Peers")
    return cases, random, transfers, device, full_names


def plot(cases, file):
    """Speed over size, a line for each library; the dashed line is the peak of multiply-adds, where it was measured."""
    cases = sorted(cases, key=lambda case: int(case.size.split("x")[0]))
    sizes = [int(case.size.split("x")[0]) for case in cases]
    peak = max(case.peak or 0 for case in cases)
    top = 1.05 * max([peak] + [result.gflops for case in cases for result in case.results.values()])
    unit, factor = ("TFLOP/s", 1e-3) if top >= 10000 else ("GFLOP/s", 1)
    picture = svg_plot.Plot(svg_plot.Axis(min(sizes), max(sizes), 2), svg_plot.Axis(0, factor * top),
                            f"n of an n x n x n product, {cases[0].type.replace('_', ' ')}", unit)
    if peak:
        picture.limit([(min(sizes), factor * peak), (max(sizes), factor * peak)], "peak", end=False)
    for name, style in STYLES.items():
        points = [(size, factor * case.results[name].gflops)
                  for size, case in zip(sizes, cases) if name in case.results]
        if points:
            picture.line(points, "Tessera" if name == "ours" else name, style, 3 if name == "ours" else 1.6)
    file.write_text(picture.svg())


def table(cases, names):
    """Rows of Markdown: our speed, and relative to each library."""
    has_peak = all(case.peak for case in cases)
    rows = ["| product | GFLOP/s | " + ("of the peak | " if has_peak else "")
            + " | ".join(f"to {name}" for name in names) + " |",
            "|---|---:|" + "---:|" * (len(names) + has_peak)]
    measured = {(case.type, name) for case in cases for name in case.results}  # not all have all types
    for case in cases:
        ours = case.results["ours"].gflops
        cells = []
        for name in names:
            result = case.results.get(name)
            missing = "> 12" if (case.type, name) in measured else ""
            cells.append(f"{result.ratio:.2f} ({result.lower:.2f} to {result.upper:.2f})" if result else missing)
        share = [f"{100 * ours / case.peak:.0f} %"] if has_peak else []
        rows.append(f"| {case.type.replace('_', ' ')} {case.order} {case.size} | "
                    + " | ".join([f"{ours:.0f}"] + share + cells) + " |")
    return "\n".join(rows)


def transfer_table(transfers):
    """Rows of Markdown: our speed, and relative to the driver's own transfers."""
    rows = ["| transfer | GB/s | to the driver's own |", "|---|---:|---:|"]
    for benchmark in transfers:
        kind, size, up, *_ = benchmark["name"].split("/")
        mebibytes = int(size.split(":")[1]) / 2 ** 20
        amount = f"{mebibytes:.0f} MiB" if mebibytes >= 1 else f"{1024 * mebibytes:.0f} KiB"
        way = "to the device" if up == "up:1" else "from the device"
        if kind == "PinnedTransfer":
            way += ", `HostMatrix`"
        rows.append(f"| {amount} {way} | {benchmark['GB/s']:.2f} | {1 / benchmark['time_to_driver']:.2f} |")
    return "\n".join(rows)


def random_table(random, names):
    """Rows of Markdown: our speed in random cases, relative to the fastest library of each and to each library."""
    rows = ["| type | relative to | geometric mean | 10th percentile | worst |", "|---|---|---:|---:|---|"]
    for type_name, run in random.items():
        for name in ["best", *names]:
            if f"{name}_mean" in run:
                worst = f"{run[f'{name}_worst']:.2f}"
                if name == "best":
                    worst += ", " + run["label"].split("worst: ")[1]
                rows.append(f"| {type_name.replace('_', ' ')} | {'the fastest other' if name == 'best' else name} | "
                            f"{run[f'{name}_mean']:.2f} | {run[f'{name}_p10']:.2f} | {worst} |")
    return "\n".join(rows)


def plot_random(random, file):
    """Our speed relative to the fastest other library, over the share of cases with at most that ratio."""
    percents = range(0, 101, 5)
    top = max(2, *(run["best_p95"] for run in random.values()))
    picture = svg_plot.Plot(svg_plot.Axis(0, 100), svg_plot.Axis(0, top), "% of the random products",
                            "speed relative to the fastest other library")
    picture.limit([(0, 1), (100, 1)], "as fast", end=False)
    for style, (type_name, run) in zip(STYLES.values(), random.items()):
        points = [(percent, min(top, run[f"best_p{percent}"])) for percent in percents]
        picture.line(points, type_name.replace("_", " "), style, 1.6)
    file.write_text(picture.svg())


def section(path, folder):
    """The text on a run, whose plots go to `folder`."""
    try:
        cases, random, transfers, device, full_names = read(path)
    except (OSError, ValueError, KeyError) as error:
        raise SystemExit(f"{path} is not a run of Peers: {error}") from error
    text = [f"## {device}\n", f"Compared with {', '.join(sorted(full_names))}.\n"]
    for type_name in dict.fromkeys(case.type for case in cases):
        squares = [case for case in cases if case.type == type_name and case.order == "NN"
                   and len(set(case.size.split("x"))) == 1]
        if len(squares) > 2:  # two points are no curve
            name = re.sub(r"\W+", "_", f"{device}_{type_name}").lower() + ".svg"
            plot(squares, folder / name)
            text.append(f"![Speed over size, {type_name}]({folder.name}/{name})\n")
    names = [name for name in STYLES if name != "ours" and any(name in case.results for case in cases)]
    text.append(table(cases, names) + "\n")
    if random:
        name = re.sub(r"\W+", "_", f"{device}_random").lower() + ".svg"
        plot_random(random, folder / name)
        run = next(iter(random.values()))
        on_cpu = any(case.peak for case in cases)
        text.append(f"![Random products]({folder.name}/{name})\n")
        text.append(f"{run['cases']:.0f} random products of each type ({run['label'].split(',')[0]}): dimensions "
                    f"log-uniform from 17 to {3000 if on_cpu else 9000}{', at least 10^7 multiply-adds' * on_cpu}; "
                    "operands as\nstored or transposed; a third with rows an odd number of elements apart, a third "
                    "with beta.\n")
        text.append(random_table(random, full_names) + "\n")
    if transfers:
        text.append("These rows time `upload` and `to_host` with a `std::vector`, and asynchronous transfers with a "
                    "`HostMatrix`. All are\ncompared with the driver's own transfer of a `std::vector`.\n")
        text.append(transfer_table(transfers) + "\n")
    return text


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
    (docs / "performance").mkdir(parents=True, exist_ok=True)
    text = ["""# Performance

This page compares the speed of Tessera's products and transfers with other libraries and with the driver. It is made by
`tools/bench/performance.py` from runs of `tessera-bench --benchmark_filter='Peers|Transfer'`.

* Each figure is a whole call of `multiply`, untuned (`TESSERA_PROFILE=off`), with operands on the device.
* The other libraries are called alternately with Tessera, on the same machine, with as many threads as it has.
* A ratio is Tessera's speed divided by the other's: above 1, Tessera is faster. It is the median of paired calls, with
  its 98.8 % confidence interval.
* "> 12": the faster of two calls took more than 12 times as long, so the other library was not timed further.
* The peak is the rate of multiply-adds in registers, measured in the same run. It is not a limit: some products
  exceed it.
* Sizes are m x n x k. With four numbers, the first is the batch size. N is an operand as stored, T a transposed one.
* OpenBLAS's name includes the core whose kernels it uses: with AVX-512, the benchmark sets SkylakeX.
* On a CPU, all threads are pinned (`OMP_PROC_BIND=true`, `POCL_AFFINITY=1`, `DPCPP_CPU_CU_AFFINITY=spread`).
"""]
    for path in sys.argv[1:]:
        text += section(pathlib.Path(path), docs / "performance")
    (docs / "performance.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
