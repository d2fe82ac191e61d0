"""Arrays of NumPy on memory of the library, and batches from and to arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._core import Batch, Engine


class _Memory:
    """Describes memory to NumPy, and keeps its owner alive."""

    def __init__(self, address: int, size: int, owner: object) -> None:
        self.owner: object = owner
        self.__array_interface__: dict[str, Any] = {
            "data": (address, False),
            "shape": (size,),
            "typestr": "|u1",
            "version": 3,
        }


def on_memory(
    address: int, shape: tuple[int, int], dtype: np.dtype[Any], owner: object
) -> NDArray[Any]:
    """Returns an array on memory, which it keeps alive."""
    size = shape[0] * shape[1] * dtype.itemsize
    return np.asarray(_Memory(address, size, owner)).view(dtype).reshape(shape)


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
