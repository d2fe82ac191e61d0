"""Arrays for the tests: any strides, orders, signs of strides and types, with exact products."""

import numpy as np
from hypothesis import strategies as st

try:
    from ml_dtypes import bfloat16
except ImportError:  # Debian 13 has no package of it
    bfloat16 = None

DTYPES = ["float16", "float32", "float64", "int8", "int32"]
if bfloat16 is not None:
    DTYPES.append("bfloat16")
SIZES = st.integers(0, 17)


def dtype_of(name: str) -> np.dtype:
    return np.dtype(bfloat16 if name == "bfloat16" else name)


def numbers(rows: int, columns: int, name: str, seed: int) -> np.ndarray:
    """Small integers: all sums of products are exact in every type."""
    drawn = np.random.default_rng(seed).integers(-3, 4, (rows, columns))
    return drawn.astype(dtype_of(name))


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same elements with other strides."""
    rows, columns = array.shape
    if layout == "fortran":
        return np.asfortranarray(array)
    if layout == "padded":
        wide = np.zeros((rows + 1, columns + 3), array.dtype)
        wide[1:, 2:-1] = array
        return wide[1:, 2:-1]
    if layout == "padded fortran":
        return laid_out(array.T, "padded").T
    if layout == "stepped":
        wide = np.zeros((2 * rows, 3 * columns), array.dtype)
        wide[::2, ::3] = array
        return wide[::2, ::3]
    if layout == "reversed":
        return np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    if layout == "unaligned":
        raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
        moved = raw.view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    return array


LAYOUTS = st.sampled_from(
    ["c", "fortran", "padded", "padded fortran", "stepped", "reversed", "unaligned"]
)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The exact product in double."""
    return a.astype(np.float64) @ b.astype(np.float64)
