"""Batches, plans and products in host memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tessera_cl as ts
from arrays import DTYPES, LAYOUTS, laid_out, numbers, product


def stack(count, rows, columns, name, seed):
    return np.stack([numbers(rows, columns, name, seed + i) for i in range(count)])


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 4),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from(DTYPES),
)
def test_batches(count, m, n, k, name):
    e = ts.default_engine()
    a, b = np.zeros((count, m, k)), np.zeros((count, k, n))
    if count:
        a, b = stack(count, m, k, name, 1), stack(count, k, n, name, 9)
    else:
        a, b = a.astype(numbers(0, 0, name, 1).dtype), b.astype(numbers(0, 0, name, 1).dtype)
    C = e.asbatch(a) @ e.asbatch(b)
    assert C.shape == (count, m, n)
    np.testing.assert_array_equal(C.to_numpy().astype(float), product(a, b))


def test_batch_views(engine):
    a, b = stack(3, 2, 4, "float32", 1), numbers(4, 5, "float32", 7)
    A, B = engine.asbatch(a), engine.asmatrix(b)
    np.testing.assert_array_equal((A @ B).to_numpy(), a @ b)
    np.testing.assert_array_equal((B.T @ A.T).to_numpy(), b.T @ a.transpose(0, 2, 1))
    np.testing.assert_array_equal(A[-1].to_numpy(), a[-1])
    np.testing.assert_array_equal(A.T.to_numpy(), a.transpose(0, 2, 1))
    np.testing.assert_array_equal(B.repeat(2).to_numpy(), [b, b])
    np.testing.assert_array_equal(B[1:3, 1:4].repeat(1).to_numpy(), [b[1:3, 1:4]])
    np.testing.assert_array_equal(B[:, :2].split(2).to_numpy(), b[:, :2].reshape(2, 2, 2))
    np.testing.assert_array_equal(np.asarray(A, np.float64), a)
    C = engine.asbatch(np.ones((3, 2, 5), np.float32))
    assert ts.multiply_batched(A, B.repeat(3), C, alpha=2, beta=1) is C
    np.testing.assert_array_equal(C.to_numpy(), 2 * (a @ b) + 1)
    assert engine.asmatrix(np.ones((6, 2), np.float32)).split(3).shape == (3, 2, 2)
    with pytest.raises(ts.MatrixError):
        B.split(3)
    with pytest.raises(IndexError):
        A[3]
    with pytest.raises(ValueError, match="2 dimensions"):
        engine.asbatch(b)


def test_plans(engine):
    a, b = numbers(4, 3, "float64", 1), numbers(3, 5, "float64", 2)
    A, B, C = engine.asmatrix(a), engine.asmatrix(b), engine.empty((4, 5), "float64")
    plan = ts.plan_multiply(C, A, B)
    run = plan.run(C, A, B, alpha=3)
    assert run.kernel == plan.kernel and plan.variant in plan.kernel and plan.reason
    np.testing.assert_array_equal(C.to_numpy(), 3 * (a @ b))
    assert plan.problem.startswith("multiply double 4 x")
    assert plan.scratch_bytes >= 0
    with pytest.raises(ts.ArgumentError):
        plan.run(engine.empty((4, 4), "float64"), A, engine.empty((3, 4), "float64"))
    vector = engine.asmatrix(numbers(3, 1, "float64", 3))
    y = engine.empty((4, 1), "float64")
    ts.plan_matrix_vector(y, A, vector).run(y, A, vector)
    np.testing.assert_array_equal(y.to_numpy(), a @ vector.to_numpy())
    batch, out = A.repeat(2), engine.asbatch(np.zeros((2, 4, 5)))
    ts.plan_multiply(out, batch, B.repeat(2)).run(out, batch, B.repeat(2))
    np.testing.assert_array_equal(out.to_numpy(), [a @ b, a @ b])
    with pytest.raises(TypeError, match="Matrix or a Batch"):
        ts.plan_multiply(a, A, B)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(DTYPES),
    LAYOUTS,
    LAYOUTS,
)
def test_host_products(m, n, k, name, layout_a, layout_b):
    a, b = numbers(m, k, name, 1), numbers(k, n, name, 2)
    c, report = ts.multiply_host(laid_out(a, layout_a), laid_out(b, layout_b), report=True)
    np.testing.assert_array_equal(c.astype(float), product(a, b))
    assert all(device.failure == "" for device in report.devices)


def test_host_product_of_several_tiles():
    a, b = numbers(900, 300, "float32", 1), numbers(300, 700, "float32", 2)
    c = np.ones((900, 700), np.float32)
    seen = []
    out, report = ts.multiply_host(
        a,
        b,
        c,
        beta=2,
        device_memory=4 << 20,
        report=True,
        progress=lambda done, tiles: seen.append((done, tiles)),
    )
    assert out is c
    np.testing.assert_array_equal(c, product(a, b) + 2)
    assert seen and seen[-1][0] == seen[-1][1]
    assert sum(device.tiles for device in report.devices) == seen[-1][1]


def test_host_product_refuses():
    a = np.ones((3, 3), np.float32)
    with pytest.raises(ValueError, match="beta needs out"):
        ts.multiply_host(a, a, beta=1)
    with pytest.raises(ValueError, match="not contiguous"):
        ts.multiply_host(a, a, np.ones((3, 3), np.float32, order="F"))
    with pytest.raises(ts.MatrixError):
        ts.multiply_host(a, a, a)
    with pytest.raises(ZeroDivisionError):
        ts.multiply_host(a, a, progress=lambda done, tiles: 1 / 0)


def test_matmul_of_what_the_device_cannot_hold(engine, monkeypatch):
    """A device without room for the operands gets them in parts."""
    from tessera_cl import _core

    def full(*_):
        raise ts.DeviceMemoryError("no room")

    monkeypatch.setattr(_core, "matmul_arrays", full)
    a = numbers(7, 5, "float32", 1)
    np.testing.assert_array_equal(ts.matmul(a, a.T), a @ a.T)
    out = np.full((7, 7), np.nan, np.float32, order="F")
    assert ts.matmul(a, a.T, out=out) is out
    np.testing.assert_array_equal(out, a @ a.T)
    with pytest.raises(MemoryError):
        ts.matmul(a, a.T, kernel="naive")
