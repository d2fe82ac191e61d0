"""Batches from and to arrays of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._core import Batch, Engine


def as_batch(engine: Engine, array: ArrayLike) -> Batch:
    """Copies an array of three dimensions to the device."""
    stacked = np.asarray(array)
    if stacked.ndim != 3:
        raise ValueError(f"asbatch: the array has {stacked.ndim} dimensions; expected 3")
    count, rows, columns = stacked.shape
    matrix = engine.asmatrix(stacked.reshape(count * rows, columns))
    if count == 0:  # the rows of the blocks would be lost
        return engine.empty((rows, columns), matrix.dtype).repeat(0)
    return matrix.split(count)


def of_batch(batch: Batch) -> NDArray[Any]:
    """Returns the elements of a batch as an array of three dimensions."""
    for view, axes in ((batch, (0, 1, 2)), (batch.T, (0, 2, 1))):
        stacked = view._stacked()
        if stacked is not None:
            return stacked.to_numpy().reshape(view.shape).transpose(axes)
    out = np.empty(batch.shape, batch.dtype)
    for i in range(len(batch)):
        batch[i].to_numpy(out[i])
    return out
