"""What is true of a non-negative matrix: the root of each irreducible block, to 60 digits up to 24
rows (mpmath), beyond by the Collatz-Wielandt bounds of a vector in long double (numpy); its
structure; and the residual of a pair, by A v. The roots come from Noda's iteration by elimination
without subtractions, from a vector that bisection finds where that is slow, so nothing is shared
with the library.
"""

import mpmath
import numpy

mpmath.mp.dps = 60
LONG = numpy.longdouble


def components(a):
    """Strongly connected components by reachability."""
    reach = (a > 0) | numpy.eye(len(a), dtype=bool)
    while True:
        further = reach.astype(numpy.float32) @ reach.astype(numpy.float32) > 0
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


def period(a):
    """The common divisor of the cycles' lengths of an irreducible pattern; 0 without a cycle."""
    level, seen = numpy.zeros(len(a), int), numpy.zeros(len(a), bool)
    reached, depth = numpy.arange(len(a)) == 0, 0
    while reached.any():
        level[reached] = depth
        seen |= reached
        reached, depth = (a[reached] > 0).any(axis=0) & ~seen, depth + 1
    rows, columns = numpy.nonzero(a)
    return int(numpy.gcd.reduce(level[rows] + 1 - level[columns]))


def structure(a, blocks):
    """Kind, period and classes as include/tessera/eigen.hpp has them."""
    common = period(a) if len(blocks) == 1 else 0
    return ["reducible", "primitive", "periodic"][min(common, 2)], common, len(blocks)


def basic_classes(roots, tolerance):
    """The fewest and the most of these blocks whose intervals hold the largest root."""
    largest = max(low for low, _ in roots)
    # An interval that holds it is as narrow as the tolerance, and so is the one of the largest.
    return (sum(high >= largest for _, high in roots),
            sum(high >= largest * (1 - 2 * tolerance) for _, high in roots))


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


def bisected(a, lower, upper, steps):
    """The vector of a shift close above the root, by the pivots' signs: their precision decides how
    good a vector it is, but any is right."""
    n, best = len(a), a[:, 0] * 0 + 1
    for _ in range(steps):
        middle = (lower + upper) / 2
        m, w = -a, a[:, 0] * 0 + 1
        for i in range(n):
            m[i, i] += middle
        above = True
        for k in range(n):
            if not m[k, k] > 0:
                above = False
                break
            factors = m[k + 1:, k] / m[k, k]
            m[k + 1:, k + 1:] -= numpy.outer(factors, m[k, k + 1:])
            w[k + 1:] -= factors * w[k]
        if not above:
            lower = middle
            continue
        upper = middle
        for k in reversed(range(n)):
            w[k] = (w[k] - (m[k, k + 1:] * w[k + 1:]).sum()) / m[k, k]
        if min(w) > 0:
            best = w / max(w)
    return best


def root(block):
    """Bounds of the root of an irreducible block."""
    n = len(block)
    if (block > 0).sum() == n:  # a cycle
        weights = [mpmath.mpf(float(x)) for x in block.max(axis=1)]
        mean = mpmath.root(mpmath.fprod(weights), n)
        return mean * (1 - mpmath.mpf(10) ** -55), mean * (1 + mpmath.mpf(10) ** -55)
    exact = n <= 24
    if exact:
        a = numpy.array([[mpmath.mpf(x) for x in row] for row in block.tolist()], dtype=object)
        v = numpy.array([mpmath.mpf(1)] * n, dtype=object)
        tiny, goal = mpmath.mpf(10) ** -58, mpmath.mpf(10) ** -45
    else:
        a, v = block.astype(LONG), numpy.ones(n, LONG)
        tiny, goal = LONG(2) ** -61, LONG(2) ** -57
    best, slow, moves = None, 0, True
    for _ in range(400):
        ratios = (a * v).sum(axis=1) / v
        lower, upper = min(ratios), max(ratios)
        slow += best is not None and upper - lower > (best[1] - best[0]) / 2
        if best is None or upper - lower < best[1] - best[0]:
            best = lower, upper
        elif not exact and not moves:
            break
        if upper - lower <= goal * upper:
            break
        if slow == 30:
            v, slow = bisected(a, lower, upper, 180 if exact else 60), slow + 1
            continue
        before = v
        off = a * v
        for i in range(n):
            off[i, i] *= 0
        v = v * below(off, (upper * (1 + tiny) - ratios) * v, v.copy())
        v = v / max(v)
        moves = (v > 2 * before).any() or (before > 2 * v).any()
    widened = (n + 4) * (mpmath.mpf(2) ** -63 if not exact else mpmath.mpf(10) ** -58)
    number = (lambda x: x) if exact else (lambda x: mpmath.mpf(numpy.format_float_scientific(x)))
    return number(best[0]) * (1 - widened), number(best[1]) * (1 + widened)


def residuals(a, answer, finfo):
    """||A v - value v|| / (value ||v||) in maximum norms, and the least and the most that the
    library may tell of it."""
    v, value = answer.vector.astype(LONG), LONG(answer.value)
    product = (a * v).sum(axis=1)
    if not value > 0:
        only = numpy.inf if product.any() else 0.0
        return only, only, only
    error = abs(product - value * v) / value
    # The promise excludes components below the range of normal numbers.
    small = v < finfo.tiny
    lost = (a @ small.astype(LONG) / value + small) * finfo.tiny
    # Here: n products and their sum, one more product, a difference and a quotient.
    roundings = (len(v) + 3) * (product / value + v)
    rounding = LONG(2) ** -63 * roundings
    if answer.structure[0] != "unexamined":
        # The library forms it in double and adds a bound of its roundings.
        slack = LONG(2) ** -52 * roundings
    else:
        # A bound that counts errors of ratios, and how far value is from their middle, each at most
        # the interval's width, and the vector's rounding, which may have made its residual smaller.
        slack = (3 * (LONG(answer.upper) - answer.lower) + finfo.eps * (value + answer.upper)) / value
    most = error + lost + rounding + slack
    return float(error.max()), float(max(max(error - lost - rounding), 0)), float(max(most))
