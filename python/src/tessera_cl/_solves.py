"""Eigenpairs and tuning, with their arguments by name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._products import default_engine
from ._progress import ProgressBar

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import ArrayLike, DTypeLike

    from ._core import (
        EigenPair,
        EigenPlan,
        EigenProgress,
        Engine,
        Matrix,
        Stream,
        TuneProgress,
        TuneResult,
    )


def eigenpair(
    a: Matrix | ArrayLike,
    *,
    tolerance: float = 1e-6,
    method: Literal["implicit", "fused", "explicit"] = "implicit",
    stop: Literal["bounds", "neighbours"] = "bounds",
    neighbour_tolerance: float = 1e-3,
    max_rounds: int = 10000,
    acceleration: Literal["automatic", "none", "krylov"] = "automatic",
    history: bool = False,
    kernels: Mapping[str, str | tuple[str, dict[str, int]]] | None = None,
    accumulator: Literal["automatic", "two_floats", "float64", "compensated"] = "automatic",
    engine: Engine | None = None,
    stream: Stream | None = None,
    wait_for: Iterable[Any] | None = None,
    progress: Callable[[EigenProgress], object] | None = None,
) -> EigenPair:
    """Computes the largest eigenvalue of a matrix without negative elements; waits.

    The interval from ``lower`` to ``upper`` is proven to contain the spectral radius. Failing to
    converge is a result, not an error, and the interval still holds. Ctrl-C ends the solve.

    Args:
        a: an n x n matrix of float32 or float64. An array is copied to the device.
        tolerance: the relative width of the interval to stop at.
        method: how a round is computed.
        stop: ``"bounds"``, or ``"neighbours"`` with the absolute ``neighbour_tolerance``.
        max_rounds: the limit for rounds on the device.
        acceleration: ``"krylov"`` helps if the second eigenvalue is close to the first.
        history: record the bounds of each round.
        kernels: by operation, as ``{"row_sum": "subgroup"}``.
        accumulator: the arithmetic in which rounds are summed.
        engine: the device for an array; None: ``default_engine()``.
        stream: where it is enqueued; None: the matrix's stream.
        wait_for: events to wait for, also of pyopencl.
        progress: called between batches of rounds, in another thread. An exception ends the
            solve.

    Raises:
        MatrixError: the matrix is not square, is 0 x 0, or has a negative or non-finite element.
        TypeError: the dtype is neither float32 nor float64.
        ArgumentError: an option is invalid.

    >>> import tessera_cl as ts
    >>> pair = ts.eigenpair([[2.0, 1.0], [1.0, 2.0]], tolerance=1e-12)
    >>> pair.lower <= 3 <= pair.upper
    True
    >>> pair.vector.to_numpy().round(6).T
    array([[1., 1.]])
    """
    options = dict(
        tolerance=tolerance,
        method=method,
        stop=stop,
        neighbour_tolerance=neighbour_tolerance,
        max_rounds=max_rounds,
        acceleration=acceleration,
        history=history,
        kernels=None if kernels is None else dict(kernels),
        accumulator=accumulator,
    )
    return _core.solve_eigenpair(_matrix(a, engine, stream), options, stream, wait_for, progress)


def plan_eigenpair(
    a: Matrix,
    *,
    tolerance: float = 1e-6,
    method: Literal["implicit", "fused", "explicit"] = "implicit",
    stop: Literal["bounds", "neighbours"] = "bounds",
    neighbour_tolerance: float = 1e-3,
    max_rounds: int = 10000,
    acceleration: Literal["automatic", "none", "krylov"] = "automatic",
    history: bool = False,
    kernels: Mapping[str, str | tuple[str, dict[str, int]]] | None = None,
    accumulator: Literal["automatic", "two_floats", "float64", "compensated"] = "automatic",
) -> EigenPlan:
    """Chooses, builds and checks the kernels of ``eigenpair()`` for matrices like this one.

    The elements are not read. Arguments and errors are those of ``eigenpair()``.
    """
    options = dict(
        tolerance=tolerance,
        method=method,
        stop=stop,
        neighbour_tolerance=neighbour_tolerance,
        max_rounds=max_rounds,
        acceleration=acceleration,
        history=history,
        kernels=None if kernels is None else dict(kernels),
        accumulator=accumulator,
    )
    return _core.plan_eigenpair_with(_matrix(a, None), options)


def tune(
    operation: str = "multiply",
    *,
    m: int,
    n: int | None = None,
    k: int | None = None,
    dtype: DTypeLike = "float32",
    transpose_a: bool = False,
    transpose_b: bool = False,
    batch: int = 1,
    accuracy: Literal["ieee", "bounded"] = "ieee",
    budget: float = 120.0,
    strategy: Literal["model", "random", "full"] = "model",
    seed: int = 1,
    max_evaluations: int | None = None,
    kernel: str | tuple[str, dict[str, int]] | None = None,
    fresh: bool = False,
    save: bool = True,
    journal: str | os.PathLike[str] | None = None,
    engine: Engine | None = None,
    progress: bool | Callable[[TuneProgress], object] = False,
) -> TuneResult:
    """Searches for the fastest kernel for a problem on a device; waits.

    The engine uses the winner at once, and engines that are created later find it in the profile.
    Kernels are tried in processes of their own. Ctrl-C ends the search, compares the best kernels
    so far for a few seconds, and returns the result with ``interrupted`` set.

    Args:
        operation: ``"multiply"``, ``"matrix_vector"``, ``"row_sum"`` or another operation.
        m, n, k: sizes; n and k are m if they are None.
        budget: seconds for everything.
        strategy: the order in which configurations are tried.
        max_evaluations: the limit for configurations.
        kernel: the only kernel to try, or None for all.
        fresh: discard what earlier tunings measured.
        save: append the winner to the profile.
        journal: the file of measurements; None: one in ``$XDG_STATE_HOME/tessera/tuning``.
        engine: the device; None: ``default_engine()``.
        progress: True: a line on standard error; or a function that receives the state, called
            in another thread.

    Raises:
        ArgumentError: an unknown operation, kernel or parameter.
        Error: no worker can be started, or another tuner works on the same problem.
    """
    options: dict[str, Any] = dict(
        operation=operation,
        m=m,
        n=m if n is None else n,
        k=m if k is None else k,
        dtype=dtype,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        batch=batch,
        accuracy=accuracy,
        budget=budget,
        strategy=strategy,
        seed=seed,
        max_evaluations=max_evaluations,
        kernel=kernel,
        fresh=fresh,
        save=save,
        journal=journal,
    )
    device = default_engine() if engine is None else engine
    if not isinstance(progress, bool):
        return _core.tune_with(device, options, progress)
    if not progress:
        return _core.tune_with(device, options, None)
    with ProgressBar(sys.stderr) as bar:
        return _core.tune_with(device, options, bar)


def _matrix(a: Any, engine: Engine | None, stream: Stream | None = None) -> Matrix:
    if not isinstance(a, _core.Matrix):
        if engine is None:
            engine = default_engine() if stream is None else stream.engine
        a = engine.asmatrix(a)
    if a.dtype.name not in ("float32", "float64"):
        raise TypeError(
            f"eigenpair: dtype {a.dtype.name} is not supported; expected float32 or float64"
        )
    return a
