"""Objects of pyopencl on handles of the library, and arrays of pyopencl as their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from ._core import Matrix


def queue(int_ptr: int) -> Any:
    """Returns a queue, which is retained."""
    import pyopencl

    return pyopencl.CommandQueue.from_int_ptr(int_ptr, True)


def context(int_ptr: int) -> Any:
    """Returns a context, which is retained."""
    import pyopencl

    return pyopencl.Context.from_int_ptr(int_ptr, True)


def buffer(matrix: Matrix) -> Any:
    """Returns the buffer of a matrix, which is retained."""
    import pyopencl

    return pyopencl.Buffer.from_int_ptr(matrix.int_ptr, True)


def array(matrix: Matrix) -> Any:
    """Returns an array on the elements of a matrix."""
    import pyopencl.array

    if matrix.is_conjugated:
        raise ValueError("to_pyopencl: the view is conjugated; copy() it first")
    size = matrix.dtype.itemsize
    strides = (matrix.leading_dimension * size, size)
    return pyopencl.array.Array(
        matrix.stream.queue,
        matrix.shape,
        matrix.dtype,
        data=buffer(matrix),
        offset=matrix.offset * size,
        strides=strides[::-1] if matrix.is_transposed else strides,
    )


def parts(array: Any) -> tuple[int, np.dtype[Any], int, int, int, int, bool]:
    """Returns buffer, dtype, offset, rows, columns and leading dimension in elements.

    The last value says whether the columns are what is stored in rows.
    """
    size = int(array.dtype.itemsize)
    shape = tuple(int(extent) for extent in array.shape)
    strides = tuple(int(stride) for stride in array.strides)
    if len(shape) == 1:
        shape, strides = (*shape, 1), (*strides, size)
    if len(shape) != 2:
        raise ValueError(f"asmatrix: the array has {len(shape)} dimensions; expected 1 or 2")
    offset = int(array.offset)
    for transposed in (False, True):
        (rows, columns), (row, column) = (
            (shape[::-1], strides[::-1]) if transposed else (shape, strides)
        )
        leading = columns if rows <= 1 else row // size
        in_rows = (column == size or columns <= 1) and leading >= columns
        if in_rows and row % size == 0 and offset % size == 0:
            pointer = int(array.base_data.int_ptr)
            return pointer, array.dtype, offset // size, rows, columns, leading, transposed
    raise ValueError("asmatrix: neither rows nor columns of the array are contiguous")
