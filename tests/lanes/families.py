#!/usr/bin/env python3
"""Solves random non-negative matrices of many families and judges every answer by the root of each
irreducible block: to 60 digits up to 24 rows (mpmath), beyond by the Collatz-Wielandt bounds of a
vector in long double (numpy). The roots come from Noda's iteration by elimination without
subtractions, on the blocks that the generator made, so nothing is shared with the library.

    families.py SOLVE_MANY [COUNT [SEED]]      SOLVE_MANY: the program built from tests/eigen/solve_many.cpp
"""

import collections
import random
import subprocess
import sys
import time

import mpmath
import numpy

mpmath.mp.dps = 60
LONG = numpy.longdouble


def cyclic(size, period, element):
    """Irreducible with this period: edges lead from one part to the next one."""
    a = numpy.zeros((size, size))
    part = [i * period // size for i in range(size)]
    for i in range(size):
        for j in range(size):
            if (part[i] + 1) % period == part[j]:
                a[i, j] = element() if random.random() < 0.5 else 0
    for p in range(period):  # a cycle through the parts that visits each element at least once
        here = [i for i in range(size) if part[i] == p]
        there = [i for i in range(size) if part[i] == (p + 1) % period]
        for k in range(max(len(here), len(there))):
            a[here[k % len(here)], there[k % len(there)]] = element()
    # Connected for sure: every element of the first part can be reached from every other of it.
    first = [i for i in range(size) if part[i] == 0]
    second = [i for i in range(size) if part[i] == 1 % period]
    for i in first:
        a[i, second[0]] = element()
    last = [i for i in range(size) if part[i] == period - 1]
    for j in first:
        a[last[0], j] = element()
    return a


def wide(decades):
    return lambda: 10.0 ** random.uniform(-decades / 2, decades / 2)


def plain():
    return random.uniform(1e-3, 1)


def sparse(size, element):
    a = numpy.zeros((size, size))
    for i in range(size):
        a[i, (i + 1) % size] = element()
        for _ in range(random.randint(0, 3)):
            a[i, random.randrange(size)] = element()
    return a


def dense(size, element):
    return numpy.array([[element() for _ in range(size)] for _ in range(size)])


def components(a):
    """Strongly connected components by reachability."""
    reach = (a > 0) | numpy.eye(len(a), dtype=bool)
    while True:
        further = reach @ reach
        if (further == reach).all():
            break
        reach = further
    both = reach & reach.T
    seen, blocks = set(), []
    for i in range(len(a)):
        if i not in seen:
            members = numpy.flatnonzero(both[i])
            seen.update(members.tolist())
            blocks.append(members)
    return blocks


def join(blocks, couple):
    """Block upper triangular, in a random order."""
    size = sum(len(b) for b in blocks)
    a = numpy.zeros((size, size))
    at = 0
    for b in blocks:
        a[at:at + len(b), at:at + len(b)] = b
        for _ in range(random.randint(0, 2 * len(b))):
            j = random.randrange(at + len(b), size) if at + len(b) < size else None
            if j is not None:
                a[random.randrange(at, at + len(b)), j] = couple()
        at += len(b)
    order = random.sample(range(size), size)
    return a[numpy.ix_(order, order)]


def graph(size):
    kind = random.choice(["path", "star", "random", "bipartite", "cycle"])
    a = numpy.zeros((size, size))
    for i in range(size):
        for j in range(i):
            edge = {"path": i == j + 1, "star": j == 0, "random": random.random() < 3 / size,
                    "bipartite": (i - j) % 2 == 1 and random.random() < 0.3,
                    "cycle": i == j + 1 or (j == 0 and i == size - 1)}[kind]
            a[i, j] = a[j, i] = edge
    return a


def leslie(size):
    a = numpy.zeros((size, size))
    a[0] = [random.choice([0, random.uniform(0, 4)]) for _ in range(size)]
    for i in range(1, size):
        a[i, i - 1] = random.uniform(0.01, 1)
    return a


def ahp(size):
    a = numpy.ones((size, size))
    for i in range(size):
        for j in range(i):
            a[i, j] = random.choice([1, 2, 3, 5, 7, 9, 1 / 3, 1 / 5, 1 / 7, 1 / 9])
            a[j, i] = 1 / a[i, j]
    return a


def page_rank(size):
    """Column-stochastic but for dangling pages."""
    a = (numpy.array([[random.random() for _ in range(size)] for _ in range(size)]) < 3 / size) * 1.0
    sums = a.sum(axis=0)
    a = a / numpy.where(sums > 0, sums, 1)
    damping = random.choice([0, 0.15])
    return (1 - damping) * a + damping / size


def gap(size):
    """Two blocks that hardly know of each other."""
    a = dense(size, plain)
    apart = 10.0 ** random.uniform(-12, -1)
    half = max(size // 2, 1)
    a[:half, half:] *= apart
    a[half:, :half] *= apart
    return a


def shared(size):
    """Several blocks with the same root."""
    block = sparse(max(size // 4, 1), plain)
    small = sparse(max(size // 8, 1), lambda: 1e-3 * plain())
    return join([random.choice([block, block, small]) for _ in range(4)], plain)


def reducible(size):
    blocks, left = [], size
    while left > 0:
        part = min(left, random.choice([1, 1, 2, random.randint(1, size)]))
        blocks.append(random.choice([sparse, dense])(part, plain) * 10.0 ** random.uniform(-2, 0)
                      if random.random() < 0.8 else numpy.zeros((part, part)))
        left -= part
    return join(blocks, plain)


def zero_lines(size):
    a = dense(size, plain)
    for _ in range(random.randint(1, 3)):
        a[random.randrange(size)] = 0
        a[:, random.randrange(size)] = 0
    return a


def nilpotent(size):
    return join([numpy.zeros((1, 1)) for _ in range(size)], wide(10))


def decades(size, type_):
    element = wide(600 if type_ == "double" else 70)
    shape = random.choice([sparse, dense]) if size <= 24 else dense
    return shape(size, element)


FAMILIES = {
    "primitive": lambda n, t: dense(n, plain),
    "sparse": lambda n, t: sparse(n, plain),
    "periodic": lambda n, t: cyclic(max(n, 2), min(max(n, 2), random.randint(2, 12)), plain),
    "reducible": lambda n, t: reducible(n),
    "shared": lambda n, t: shared(n),
    "zero lines": lambda n, t: zero_lines(n),
    "nilpotent": lambda n, t: nilpotent(n),
    "zero": lambda n, t: numpy.zeros((n, n)),
    "one": lambda n, t: numpy.array([[random.choice([0, plain(), wide(60)()])]]),
    "gap": lambda n, t: gap(n),
    "decades": decades,
    "graph": lambda n, t: graph(n),
    "leslie": lambda n, t: leslie(n),
    "ahp": lambda n, t: ahp(n),
    "page rank": lambda n, t: page_rank(n),
}


def below(off, excess, b):
    """x with (the M-matrix of these off-diagonal elements and row sums) x = b."""
    n = len(b)
    pivots = [None] * n
    for k in range(n):
        pivots[k] = excess[k] + off[k, k + 1:].sum()
        factors = off[k + 1:, k] / pivots[k]
        off[k + 1:, k + 1:] += numpy.outer(factors, off[k, k + 1:])
        excess[k + 1:] += factors * excess[k]
        b[k + 1:] += factors * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] + (off[k, k + 1:] * b[k + 1:]).sum()) / pivots[k]
    return b


def root(block):
    """Bounds of the root of an irreducible block."""
    n = len(block)
    if n == 1:
        return mpmath.mpf(float(block[0, 0])), mpmath.mpf(float(block[0, 0]))
    exact = n <= 24
    if exact:
        a = numpy.array([[mpmath.mpf(x) for x in row] for row in block.tolist()], dtype=object)
        v = numpy.array([mpmath.mpf(1)] * n, dtype=object)
        tiny, goal = mpmath.mpf(10) ** -58, mpmath.mpf(10) ** -45
    else:
        a, v = block.astype(LONG), numpy.ones(n, LONG)
        tiny, goal = LONG(2) ** -61, LONG(2) ** -57
    best = None
    for _ in range(400):
        ratios = (a * v).sum(axis=1) / v
        lower, upper = min(ratios), max(ratios)
        if best is None or upper - lower < best[1] - best[0]:
            best = lower, upper
        elif not exact:
            break
        if upper - lower <= goal * upper:
            break
        off = a * v
        for i in range(n):
            off[i, i] *= 0
        v = v * below(off, (upper * (1 + tiny) - ratios) * v, v.copy())
        v = v / max(v)
    widened = (n + 4) * (mpmath.mpf(2) ** -63 if not exact else mpmath.mpf(10) ** -58)
    number = (lambda x: x) if exact else (lambda x: mpmath.mpf(numpy.format_float_scientific(x)))
    return number(best[0]) * (1 - widened), number(best[1]) * (1 + widened)


def true_bounds(a):
    bounds = [root(a[numpy.ix_(b, b)]) for b in components(a)]
    return max(low for low, _ in bounds), max(high for _, high in bounds)


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns() % 10**9
    print(f"seed {seed}", flush=True)
    random.seed(seed)
    solver = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tally, precision, wrong, slowest = collections.Counter(), 0, 0, (0, "")
    for number in range(count):
        family = list(FAMILIES)[number % len(FAMILIES)]
        type_ = random.choice(["float", "double"])
        tolerance = 1e-6 if type_ == "float" else 1e-10
        size = int(2 ** random.uniform(0, 4.7 if random.random() < 0.8 else 8.23))
        a = FAMILIES[family](size, type_)
        if type_ == "float":
            a = a.astype(numpy.float32).astype(float)
        what = f"{number}: {family}, {type_}, {len(a)} x {len(a)}"
        solver.stdin.write(f"{type_} {len(a)} {tolerance}\n".encode() + a.tobytes())
        solver.stdin.flush()
        line = solver.stdout.readline().decode().split()
        if len(line) != 11:
            sys.exit(f"{what}: the solver ended with {line}")
        vector = numpy.frombuffer(solver.stdout.read(8 * len(a)))
        lower, upper, value, residual = map(float.fromhex, line[:4])
        seconds = float(line[10])
        low, high = true_bounds(a)
        tally[line[5]] += 1
        faults = []
        if not (mpmath.mpf(lower) <= high and mpmath.mpf(upper) >= low):
            faults.append(f"[{lower}, {upper}] does not hold the root [{low}, {high}]")
        if line[4] != "converged":
            precision += line[4] == "stalled"
            faults.append(f"{line[4]}, [{lower}, {upper}]")
        elif upper - lower > tolerance * upper:
            faults.append(f"[{lower}, {upper}] is too wide")
        if not ((vector >= 0).all() and vector.max() == 1):
            faults.append("the vector is negative, or its maximum is not 1")
        # Components that underflow are lost, and rows of large elements feel it.
        if family != "decades" and value > 0 and residual > 100 * tolerance:
            faults.append(f"residual {residual}")
        if seconds > 2:
            faults.append(f"took {seconds} s")
        slowest = max(slowest, (seconds, what))
        if faults:
            wrong += 1
            print(f"{what}: {'; '.join(faults)}", flush=True)
    print(f"{count} matrices, {wrong} with faults, {precision} at the end of precision;",
          ", ".join(f"{k} {v}" for k, v in tally.items()), f"; slowest {slowest[0]} s ({slowest[1]})")
    sys.exit(wrong > precision or precision > 0.005 * count)


main()
