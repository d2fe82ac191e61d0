"""Products of arrays of NumPy: any number of dimensions, and matrices larger than a device."""

from __future__ import annotations

import atexit
import os
import threading
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _core
from ._errors import DeviceMemoryError, MatrixError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from ._core import Engine, HostProductReport

_lock = threading.Lock()
_default: Engine | None = None


@atexit.register
def _forget_default() -> None:
    """Ends the engine before the interpreter does."""
    global _default
    with _lock:
        _default = None


def _renew_lock() -> None:
    """Another thread of the parent may have held the lock at the fork."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def default_engine() -> Engine:
    """Returns the engine that functions use if none is named.

    The first call creates it, on the device that ``$TESSERA_DEVICE`` selects, or else the fastest.

    Raises:
        DeviceError: there is no device.
    """
    global _default
    with _lock:
        if _default is None:
            _default = _core.Engine()
        return _default


def _stacked(
    engine: Engine, a: NDArray[Any], b: NDArray[Any], accuracy: Any, kernel: Any, dtype: Any
) -> NDArray[Any]:
    """The products of stacks of matrices, broadcast as numpy.matmul() does."""
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    count = int(np.prod(stack, dtype=np.int64))

    def batch(x: NDArray[Any]) -> _core.Batch:
        if x.ndim == 2:
            return engine.asmatrix(x).repeat(count)
        full = np.broadcast_to(x, stack + x.shape[-2:])
        return engine.asbatch(full.reshape(count, *x.shape[-2:]))

    product = _core.multiply_batched(
        batch(a), batch(b), accuracy=accuracy, kernel=kernel, dtype=dtype
    )
    return product.to_numpy().reshape(stack + (a.shape[-2], b.shape[-1]))


def _view_of_out(
    out: Any, left: NDArray[Any], right: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any]
) -> NDArray[Any]:
    """The memory of ``out`` with both of the dimensions that a vector lacks. Raises if it cannot
    hold the product of `rows` and `columns`; what they do not multiply is refused later."""
    if not isinstance(out, np.ndarray):
        raise ValueError("matmul: out is not an array of NumPy")
    if not out.flags.writeable:
        raise ValueError("matmul: out is read-only")
    stack = np.broadcast_shapes(rows.shape[:-2], columns.shape[:-2])
    shape = stack + (() if left.ndim == 1 else rows.shape[-2:-1])
    shape += () if right.ndim == 1 else columns.shape[-1:]
    if out.shape != shape:
        raise MatrixError(f"matmul: out has shape {out.shape}; expected {shape}")
    view = out[..., np.newaxis] if right.ndim == 1 else out
    return view[..., np.newaxis, :] if left.ndim == 1 else view


def matmul(
    a: ArrayLike,
    b: ArrayLike,
    out: NDArray[Any] | None = None,
    *,
    engine: Engine | None = None,
    accuracy: Literal["ieee", "bounded"] = "ieee",
    kernel: str | tuple[str, dict[str, int]] | None = None,
    dtype: DTypeLike | None = None,
) -> NDArray[Any]:
    """Multiplies arrays of NumPy on a device and returns an array of NumPy.

    Args:
        a, b: arrays of one dtype, with any strides. Shapes are as for ``numpy.matmul()``: one
            dimension is a vector, and more than two are stacks of matrices.
        out: the array that is written and returned, with any strides; None: a new one. It may
            share elements with a or b.
        engine: the device; None: ``default_engine()``.
        accuracy: ``"bounded"`` permits faster kernels with their own proven bound.
        kernel: ``"tiled_static TILE=16"``, or the name and a dict; None: the best known.
        dtype: of a new result; None: of the operands, and int32 for int8.

    Matrices that the device cannot hold are multiplied by ``multiply_host()``.

    Raises:
        TypeError: a dtype is not supported, or the dtypes do not suit each other.
        ValueError: an operand has no dimensions, or out is read-only or not an array of NumPy.
        MatrixError: the shapes do not match.

    >>> import numpy as np, tessera_cl as ts
    >>> ts.matmul(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0]))
    array([17., 39.])
    """
    device = default_engine() if engine is None else engine
    left, right = np.asarray(a), np.asarray(b)
    if left.ndim == 0 or right.ndim == 0:
        raise ValueError("matmul: an operand has no dimensions; use * for scalars")
    rows = left[np.newaxis, :] if left.ndim == 1 else left
    columns = right[:, np.newaxis] if right.ndim == 1 else right
    into = None
    if out is not None:
        into, dtype = _view_of_out(out, left, right, rows, columns), out.dtype
    if rows.ndim > 2 or columns.ndim > 2:
        product = _stacked(device, rows, columns, accuracy, kernel, dtype)
    else:
        try:
            product = _core.matmul_arrays(device, rows, columns, into, accuracy, kernel, dtype)
        except DeviceMemoryError:
            if kernel is not None:
                raise
            product = multiply_host(rows, columns, accuracy=accuracy, devices=[device], dtype=dtype)
    if out is not None and into is not None:
        if product is not into:
            into[...] = product
        return out
    if left.ndim == 1:
        product = product[..., 0, :]
    return product[..., 0] if right.ndim == 1 else product


@overload
def multiply_host(
    a: ArrayLike,
    b: ArrayLike,
    out: NDArray[Any] | None = None,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    accuracy: Literal["ieee", "bounded"] = "ieee",
    devices: Sequence[Engine] = (),
    device_memory: int = 0,
    progress: Callable[[int, int], object] | None = None,
    dtype: DTypeLike | None = None,
    report: Literal[False] = False,
) -> NDArray[Any]: ...
@overload
def multiply_host(
    a: ArrayLike,
    b: ArrayLike,
    out: NDArray[Any] | None = None,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    accuracy: Literal["ieee", "bounded"] = "ieee",
    devices: Sequence[Engine] = (),
    device_memory: int = 0,
    progress: Callable[[int, int], object] | None = None,
    dtype: DTypeLike | None = None,
    report: Literal[True],
) -> tuple[NDArray[Any], HostProductReport]: ...
def multiply_host(
    a: ArrayLike,
    b: ArrayLike,
    out: NDArray[Any] | None = None,
    *,
    alpha: complex = 1.0,
    beta: complex = 0.0,
    accuracy: Literal["ieee", "bounded"] = "ieee",
    devices: Sequence[Engine] = (),
    device_memory: int = 0,
    progress: Callable[[int, int], object] | None = None,
    dtype: DTypeLike | None = None,
    report: bool = False,
) -> NDArray[Any] | tuple[NDArray[Any], HostProductReport]:
    """Computes ``out = alpha * a @ b + beta * out`` tile by tile; waits.

    The arrays may be larger than the devices. Ctrl-C ends the product: tiles of ``out`` are then
    complete or unchanged.

    Args:
        a, b: m x k and k x n arrays of one dtype.
        out: an m x n array with contiguous rows; None: a new one.
        devices: engines that share the work; empty: every GPU, or else the fastest device.
        device_memory: bytes on each device for parts of the arrays; 0: chosen for the device.
        progress: called with the numbers of finished tiles and of all tiles, in another thread.
        dtype: of a new result.
        report: also return what each device did.

    Raises:
        MatrixError: the shapes do not match, or out overlaps a or b.
        DeviceError: there is no device.

    >>> import numpy as np, tessera_cl as ts
    >>> ts.multiply_host(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]), alpha=2)
    array([[2., 4.],
           [6., 8.]])
    """
    product = _core.multiply_host_arrays(
        a, b, out, alpha, beta, accuracy, devices, device_memory, progress, dtype
    )
    return product if report else product[0]
