#!/usr/bin/env python3
"""Solves random non-negative matrices of many families and judges every answer, its root, structure
and residual, by what true_pair.py finds of the same matrix, with nothing shared with the library.

    families.py SOLVE_MANY [COUNT [SEED]]      SOLVE_MANY: the program built from tests/eigen/solve_many.cpp
"""

import collections
import random
import subprocess
import sys
import time

import mpmath
import numpy

import true_pair

TYPES = {"float": numpy.float32, "double": numpy.float64}
Answer = collections.namedtuple(
    "Answer", "lower upper value residual reason structure seconds vector")


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
    # Connects the parts: every element of the first one can be reached from each of its others.
    first = [i for i in range(size) if part[i] == 0]
    second = [i for i in range(size) if part[i] == 1 % period]
    for i in first:
        a[i, second[0]] = element()
    last = [i for i in range(size) if part[i] == period - 1]
    for j in first:
        a[last[0], j] = element()
    return a


def periodic(size, element):
    size = max(size, 2)
    return cyclic(size, min(size, random.randint(2, 12)), element)


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
    # Rounds lose components of these matrices, so that the library has to report periods.
    shape = random.choice([sparse, dense, periodic]) if size <= 24 else dense
    return shape(size, element)


def nearly_jordan(size, type_):
    """Equal diagonal elements, elements above them, and a small corner."""
    size = max(size, 2)
    a = numpy.triu(dense(size, lambda: plain() * random.choice([0, 1])))
    for i in range(size):
        a[i, i] = 1
        a[i, (i + 1) % size] = plain()
    a[-1, 0] = 10.0 ** random.uniform(-300 if type_ == "double" else -37, -5)
    return a


def loosely_coupled(size, type_):
    """Blocks in a ring, coupled by elements down to the smallest."""
    blocks = [dense(max(size // 3, 1), plain) for _ in range(random.randint(2, 4))]
    a = join(blocks, lambda: 0)
    a = a[numpy.ix_(*[[i for b in true_pair.components(a) for i in b]] * 2)]
    rows = len(blocks[0])
    least = 5e-324 if type_ == "double" else 1e-45
    for b in range(len(blocks)):
        to = (b + 1) % len(blocks)
        a[b * rows, to * rows] = max(least, least * 2.0 ** random.choice([0, random.uniform(0, 100)]))
    return a


def end_of_range(size, type_):
    """Row sums up to the largest number, or elements of a few times the smallest."""
    a = random.choice([dense, periodic])(size, plain)
    if random.random() < 0.7:
        return a / a.sum(axis=1).max() * (0.9 * float(numpy.finfo(TYPES[type_]).max))
    return numpy.ceil(a * 2.0 ** random.randint(0, 12)) * float(numpy.finfo(TYPES[type_]).smallest_subnormal)


def large_cycle(type_):
    """More rows than the host solves if they are dense."""
    size, decades = random.randint(1025, 1040), 280 if type_ == "double" else 36
    weights = random.choice([
        lambda i: 10.0 ** (decades if i % 2 == 0 else -decades),
        lambda i: 10.0 ** random.uniform(-decades, decades)])
    a = numpy.zeros((size, size))
    for i in range(size):
        a[i, (i + 1) % size] = weights(i)
    return a


FAMILIES = {
    "primitive": lambda n, t: dense(n, plain),
    "sparse": lambda n, t: sparse(n, plain),
    "periodic": lambda n, t: periodic(n, plain),
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
    "nearly Jordan": nearly_jordan,
    "loosely coupled": loosely_coupled,
    "end of range": end_of_range,
    "large cycle": lambda n, t: large_cycle(t),
}


def read_answer(solver, rows):
    """What solve_many.cpp writes for a matrix; none where it has ended."""
    line = solver.stdout.readline().decode().split()
    if len(line) != 11:
        return None
    lower, upper, value, residual = map(float.fromhex, line[:4])
    vector = numpy.frombuffer(solver.stdout.read(8 * rows))
    structure = (line[5], *map(int, line[6:9]))
    return Answer(lower, upper, value, residual, line[4], structure, float(line[10]), vector)


def faults_of_interval(answer, roots, tolerance):
    lower, upper = answer.lower, answer.upper
    low, high = max(low for low, _ in roots), max(high for _, high in roots)
    if not (mpmath.mpf(lower) <= high and mpmath.mpf(upper) >= low):
        yield f"[{lower}, {upper}] does not hold the root [{low}, {high}]"
    if numpy.nextafter(numpy.nextafter(lower, upper), upper) == upper:
        return  # from one number to the next but one: of roots of a few times the smallest number
    if answer.reason != "converged":
        yield f"{answer.reason}, [{lower}, {upper}]"
    elif upper - lower > tolerance * upper:
        yield f"[{lower}, {upper}] is too wide"


def faults_of_vector(answer, a, family, type_, limit):
    told, vector = answer.residual, answer.vector
    if not ((vector >= 0).all() and vector.max() == 1):
        yield "the vector is negative, or its maximum is not 1"
        return
    formed, least, most = true_pair.residuals(a, answer, numpy.finfo(TYPES[type_]))
    if not least <= told <= most:
        yield f"residual {told} is not from {least} to {most}; {formed} by A v"
    if answer.value > 0:  # no double may be closer to a root that is a few times the smallest number
        limit += 2 * numpy.spacing(answer.value) / answer.value
    # Components that underflow are lost, which changes the products of rows with large elements.
    if not (least if family == "decades" else max(formed, told)) <= limit:
        yield f"residual {told}; {formed} by A v"


def faults_of_structure(answer, a, blocks, roots, tolerance):
    kind, period, classes, basic = answer.structure
    if kind == "unexamined":  # the promise is only about stalled rounds, which no independent method predicts
        if answer.reason == "stalled" or (period, classes, basic) != (0, 0, 0):
            yield f"{answer.reason} with structure {answer.structure}"
        return
    truth = true_pair.structure(a, blocks)
    if (kind, period, classes) != truth:
        yield f"structure {answer.structure} of one that is {truth}"
    fewest, most = true_pair.basic_classes(roots, tolerance)
    if answer.reason == "converged" and not fewest <= basic <= most:
        yield f"{basic} basic classes, not from {fewest} to {most}"


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns() % 10**9
    print(f"seed {seed}", flush=True)
    random.seed(seed)
    solver = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tally, precision, wrong, slowest = collections.Counter(), 0, 0, (0, "")
    for number in range(count):
        family = list(FAMILIES)[number % len(FAMILIES)]
        type_ = random.choice(list(TYPES))
        tolerance = 1e-6 if type_ == "float" else 1e-10
        size = int(2 ** random.uniform(0, 4.7 if random.random() < 0.8 else 8.23))
        a = FAMILIES[family](size, type_).astype(TYPES[type_]).astype(float)
        what = f"{number}: {family}, {type_}, {len(a)} x {len(a)}"
        solver.stdin.write(f"{type_} {len(a)} {tolerance}\n".encode() + a.tobytes())
        solver.stdin.flush()
        answer = read_answer(solver, len(a))
        if answer is None:
            sys.exit(f"{what}: the solver ended")
        tally[answer.structure[0]] += 1
        blocks = true_pair.components(a)
        roots = [true_pair.root(a[numpy.ix_(b, b)]) for b in blocks]
        faults = [*faults_of_interval(answer, roots, tolerance),
                  *faults_of_vector(answer, a, family, type_, 100 * tolerance),
                  *faults_of_structure(answer, a, blocks, roots, tolerance)]
        if answer.seconds > (2 if len(a) < 1000 else 20):  # there are at most as many rounds as rows
            faults.append(f"took {answer.seconds} s")
        slowest = max(slowest, (answer.seconds, what))
        precision += answer.reason == "stalled" and len(faults) == 1
        if faults:
            wrong += 1
            print(f"{what}: {'; '.join(faults)}", flush=True)
    print(f"{count} matrices, {wrong} with faults, {precision} at the end of precision;",
          ", ".join(f"{k} {v}" for k, v in tally.items()), f"; slowest {slowest[0]} s ({slowest[1]})")
    sys.exit(wrong > precision or precision > 0.005 * count)


main()
