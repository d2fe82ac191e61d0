#!/usr/bin/env python3
"""Products of random shapes through libtessera-blas, beside the next BLAS alone.

    blas_shapes.py LIBRARY [--program numpy|octave|r] [--shapes 200] [--most 4096] [--turns 5]

Each turn runs the program without LIBRARY, with it, and with every product on the device; each run
times all shapes. For a shape, the least time of all turns counts. Prints how often the routed
product is over 2 % + 100 ns slower than the next BLAS, and how often the faster side was chosen,
where the sides differ by over 5 %.
"""

import argparse
import math
import os
import random
import subprocess
import sys

PROGRAMS = {
    "numpy": (
        [sys.executable, "-c"],
        """
import sys, time, numpy
for line in sys.stdin:
    m, n, k, type = line.split()
    a = numpy.random.rand(int(m), int(k)).astype(type)
    b = numpy.random.rand(int(k), int(n)).astype(type)
    c = numpy.empty((int(m), int(n)), type)
    work, least = int(m) * int(n) * int(k), float("inf")
    products = max(1, int(1e7 / work))  # a clock may have steps of 0.2 us
    for _ in range(max(3, min(50, int(2e8 / work)))):
        start = time.perf_counter()
        for _ in range(products):
            numpy.matmul(a, b, out=c)
        least = min(least, (time.perf_counter() - start) / products)
    print(least, flush=True)
""",
    ),
    "octave": (
        ["octave-cli", "--quiet", "--eval"],
        """
while ischar(line = fgetl(stdin))
  w = strsplit(line, " ");
  m = str2num(w{1}); n = str2num(w{2}); k = str2num(w{3});
  type = "double"; if strcmp(w{4}, "float32") type = "single"; end
  a = cast(rand(m, k), type); b = cast(rand(k, n), type); work = m * n * k; least = Inf;
  products = max(1, floor(1e7 / work));
  for i = 1:max(3, min(50, 2e8 / work))
    t = tic; for j = 1:products c = a * b; end
    least = min(least, toc(t) / products);
  end
  printf("%.9g\\n", least);
end
""",
    ),
    "r": (
        ["Rscript", "-e"],
        """
for (line in readLines(file("stdin"))) {
  w <- strsplit(line, " ")[[1]]; m <- as.integer(w[1]); n <- as.integer(w[2]); k <- as.integer(w[3])
  a <- matrix(runif(m * k), m); b <- matrix(runif(k * n), k)
  work <- as.numeric(m) * n * k; products <- max(1, 1e7 %/% work); least <- Inf
  for (i in seq_len(max(3, min(50, 2e8 / work)))) {
    start <- Sys.time(); for (j in seq_len(products)) c <- a %*% b
    least <- min(least, as.numeric(Sys.time() - start, units = "secs") / products)
  }
  cat(least, "\\n")
}
""",
    ),
}


def timed(program, shapes, settings, library):
    """Seconds of each shape in one run of the program."""
    environment = dict(os.environ, TESSERA_BLAS=settings)
    if library:
        environment["LD_PRELOAD"] = library
    command, script = PROGRAMS[program]
    lines = "".join(f"{m} {n} {k} {type}\n" for m, n, k, type in shapes)
    run = subprocess.run(
        [*command, script], input=lines, env=environment, capture_output=True, text=True, check=True
    )
    return [float(line) for line in run.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", help="libtessera-blas.so")
    parser.add_argument("--program", choices=PROGRAMS, default="numpy")
    parser.add_argument("--shapes", type=int, default=200)
    parser.add_argument("--most", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    draw = random.Random(options.seed)
    types = ["float64"] if options.program == "r" else ["float32", "float64"]
    shapes = []
    while len(shapes) < options.shapes:
        shape = [round(math.exp(draw.uniform(math.log(8), math.log(options.most)))) for _ in "mnk"]
        shapes.append((*shape, draw.choice(types)))
    sides = {"next": ("off", None), "routed": ("wait", options.library), "device": ("wait,min=1", options.library)}
    least = {side: [math.inf] * len(shapes) for side in sides}
    for _ in range(options.turns):
        for side, (settings, library) in sides.items():
            times = timed(options.program, shapes, settings, library)
            least[side] = [min(pair) for pair in zip(least[side], times)]

    slower, chosen, decided = 0, 0, 0
    for shape, next_blas, routed, device in zip(shapes, least["next"], least["routed"], least["device"]):
        if routed > 1.02 * next_blas + 1e-7:
            slower += 1
            print(*shape, f"next {next_blas:.3g} s, routed {routed:.3g} s, device {device:.3g} s")
        if max(next_blas, device) > 1.05 * min(next_blas, device):
            decided += 1
            chosen += abs(routed - min(next_blas, device)) < abs(routed - max(next_blas, device))
    ratio = math.exp(sum(math.log(a / b) for a, b in zip(least["next"], least["routed"])) / len(shapes))
    print(f"{options.program}: {slower} of {len(shapes)} shapes slower than by the next BLAS alone")
    print(f"the faster side in {chosen} of {decided} shapes; next BLAS / routed {ratio:.3f} (geometric mean)")


if __name__ == "__main__":
    main()
