"""Complex matrices: views, factors, numbers of Python, and what is refused."""

import numpy as np
import pytest

import tessera_cl as ts

DTYPES = [np.complex64, np.complex128]


def complex_numbers(rows: int, columns: int, dtype: type, seed: int) -> np.ndarray:
    """Parts are small integers: all sums of products are exact."""
    drawn = np.random.default_rng(seed).integers(-3, 4, (rows, columns, 2))
    return (drawn[..., 0] + 1j * drawn[..., 1]).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_of_every_view(engine, dtype):
    a, b = complex_numbers(5, 5, dtype, 1), complex_numbers(5, 5, dtype, 2)
    views = {
        "as stored": (lambda x: x, lambda x: x),
        "T": (lambda x: x.T, lambda x: x.T),
        "H": (lambda x: x.H, lambda x: x.conj().T),
        "conj": (lambda x: x.conj(), lambda x: x.conj()),
    }
    A, B = engine.asmatrix(a), engine.asmatrix(b)
    for of_a, host_a in views.values():
        np.testing.assert_array_equal(of_a(A).to_numpy(), host_a(a))
        for of_b, host_b in views.values():
            product = (of_a(A) @ of_b(B)).to_numpy()
            assert product.dtype == dtype
            np.testing.assert_array_equal(product, host_a(a) @ host_b(b))
    np.testing.assert_array_equal(A.H.conj().to_numpy(), a.T)
    assert A.H.is_conjugated and not A.T.is_conjugated


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_with_vectors_and_sums(engine, dtype):
    a, x = complex_numbers(7, 5, dtype, 4), complex_numbers(5, 1, dtype, 5)
    A, X = engine.asmatrix(a), engine.asmatrix(x)
    for product, expected in [
        (A @ X, a @ x),
        (A @ x, a @ x),
        (A.conj() @ X.conj(), (a @ x).conj()),
        (X.H @ A.H, (a @ x).conj().T),
        (ts.matrix_vector(A, X.T.conj(), alpha=2j), 2j * (a @ x.conj())),
    ]:
        np.testing.assert_array_equal(product.to_numpy(), expected)
        assert product.run.operation == "matrix_vector"
    np.testing.assert_array_equal(A.row_sums().to_numpy(), a.sum(1, keepdims=True))
    np.testing.assert_array_equal(A.H.column_sums().to_numpy(), a.conj().sum(1, keepdims=True))


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_of_host_memory(engine, dtype):
    a, b = complex_numbers(7, 5, dtype, 6), complex_numbers(7, 6, dtype, 7)
    c = complex_numbers(5, 6, dtype, 8)
    expected = 2j * (a.T @ b) - 1j * c
    product = ts.multiply_host(a.T, b, out=c, alpha=2j, beta=-1j, devices=[engine])
    assert product is c
    np.testing.assert_array_equal(c, expected)


def test_adjoints_of_batches_and_of_real_matrices(engine):
    a = np.stack([complex_numbers(2, 3, np.complex64, seed) for seed in (1, 2)])
    A = engine.asbatch(a)
    np.testing.assert_array_equal((A.H @ A).to_numpy(), a.conj().transpose(0, 2, 1) @ a)
    real = engine.asmatrix(np.ones((2, 3), np.float32))
    assert real.H.is_transposed and not real.H.is_conjugated


def test_factors_and_numbers_are_complex(engine):
    a = complex_numbers(3, 3, np.complex64, 3)
    A = engine.asmatrix(a)
    C = ts.multiply(A, A, alpha=2 - 1j)
    ts.multiply(A, A.H, out=C, alpha=1j, beta=-1j)
    np.testing.assert_array_equal(C.to_numpy(), 1j * (a @ a.conj().T) - 1j * (2 - 1j) * (a @ a))
    plan = ts.plan_multiply(C, A, A)
    plan.run(C, A, A, alpha=1j)
    np.testing.assert_array_equal(C.to_numpy(), 1j * (a @ a))
    np.testing.assert_array_equal(((1 + 2j) * A - A).to_numpy(), 2j * a)
    A[0] = 1 - 2j
    A[1:, 1:].fill(3j)
    a[0], a[1:, 1:] = 1 - 2j, 3j
    np.testing.assert_array_equal(A.to_numpy(), a)
    assert complex(A[0, 0]) == 1 - 2j


def test_what_is_refused(engine):
    A = engine.asmatrix(np.ones((2, 2), np.complex64))
    real = engine.asmatrix(np.ones((2, 2), np.float32))
    with pytest.raises(ts.ArgumentError, match="alpha is 0\\+1i; expected a real number"):
        ts.multiply(real, real, alpha=1j)
    with pytest.raises(ts.MatrixError, match="matrix_vector: y is a conjugated view"):
        ts.matrix_vector(A, A[:, 0], out=A[:, 1].conj())
    with pytest.raises(TypeError, match="complex64 is not supported; expected float32"):
        ts.eigenpair(np.ones((2, 2), np.complex64))
    with pytest.raises(TypeError, match="the element is complex"):
        float(A[0, 0])
    with pytest.raises(BufferError, match="conjugated"):
        A.conj().__dlpack__()
