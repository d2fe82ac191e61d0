"""Products of arrays and matrices: shapes, strides, orders, types and options."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tessera_cl as ts
from arrays import DTYPES, LAYOUTS, SIZES, dtype_of, laid_out, numbers, product

quick = settings(max_examples=60, deadline=None)


@quick
@given(SIZES, SIZES, SIZES, st.sampled_from(DTYPES), LAYOUTS, LAYOUTS, st.integers(0, 99))
def test_arrays_of_any_layout(m, n, k, name, layout_a, layout_b, seed):
    a, b = numbers(m, k, name, seed), numbers(k, n, name, seed + 1)
    c = ts.matmul(laid_out(a, layout_a), laid_out(b, layout_b))
    assert c.dtype == (np.int32 if name == "int8" else dtype_of(name))
    assert c.shape == (m, n)
    np.testing.assert_array_equal(c.astype(np.float64), product(a, b))


@quick
@given(SIZES, SIZES, SIZES, st.sampled_from(DTYPES), LAYOUTS, LAYOUTS, st.integers(0, 99))
def test_arrays_into_an_array(m, n, k, name, layout, layout_out, seed):
    a, b = numbers(m, k, name, seed), numbers(k, n, name, seed + 1)
    c = np.full((m, n), 9, np.int32 if name == "int8" else dtype_of(name))
    out = laid_out(c, layout_out)
    assert ts.matmul(laid_out(a, layout), b, out=out) is out
    np.testing.assert_array_equal(out.astype(np.float64), product(a, b))


@pytest.mark.parametrize(
    "shape_a, shape_b",
    [((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((4, 2, 3), (3, 5)), ((4, 2, 3), (3,))],
)
def test_vectors_and_stacks_into_an_array(shape_a, shape_b):
    a = np.arange(np.prod(shape_a), dtype=np.float32).reshape(shape_a)
    b = np.arange(np.prod(shape_b), dtype=np.float32).reshape(shape_b)
    out = np.full(np.matmul(a, b).shape, np.nan, np.float32)
    assert ts.matmul(a, b, out) is out
    np.testing.assert_array_equal(out, np.matmul(a, b))


def test_matmul_into_an_operand_and_into_floats():
    a = numbers(4, 4, "float32", 1)
    expected = product(a, a)
    np.testing.assert_array_equal(ts.matmul(a, a, out=a), expected)
    b = numbers(3, 3, "float16", 2)
    out = np.empty((3, 3), np.float32)
    np.testing.assert_array_equal(ts.matmul(b, b, out=out), product(b, b))


def test_matmul_refuses_an_output():
    a = np.ones((2, 3), np.float32)
    b = np.ones((3, 4), np.float32)
    for shape in [(4, 2), (2,), (1, 2, 4), ()]:
        with pytest.raises(ts.MatrixError, match=r"expected \(2, 4\)"):
            ts.matmul(a, b, out=np.empty(shape, np.float32))
    with pytest.raises(TypeError):
        ts.matmul(a, b, out=np.empty((2, 4)))
    with pytest.raises(TypeError, match="int64"):
        ts.matmul(a, b, out=np.empty((2, 4), np.int64))
    with pytest.raises(ValueError, match="not an array"):
        ts.matmul(a, b, out=[[0.0] * 4] * 2)
    c = np.full((2, 4), 7, np.float32)
    with pytest.raises(ts.MatrixError):
        ts.matmul(a, a, out=np.empty((2, 3), np.float32))
    c.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ts.matmul(a, b, out=c)
    assert (c == 7).all()


@quick
@given(SIZES, SIZES, st.sampled_from(DTYPES), LAYOUTS, LAYOUTS, st.integers(0, 99))
def test_elements_survive_both_transfers(m, n, name, layout, layout_out, seed):
    a = numbers(m, n, name, seed)
    A = ts.default_engine().asmatrix(laid_out(a, layout))
    assert (A.shape, A.dtype) == (a.shape, a.dtype)
    out = laid_out(np.full_like(a, 9), layout_out)
    assert A.to_numpy(out) is out
    np.testing.assert_array_equal(out, a)
    np.testing.assert_array_equal(A.T.to_numpy(), a.T)


@quick
@given(st.data())
def test_views_are_slices(data):
    a = np.arange(12 * 9, dtype=np.float32).reshape(12, 9)
    A = ts.default_engine().asmatrix(a)
    if data.draw(st.booleans()):
        a, A = a.T, A.T
    bound = st.one_of(st.none(), st.integers(-15, 15))
    for _ in range(2):
        key = tuple(slice(data.draw(bound), data.draw(bound)) for _ in range(2))
        a, A = a[key], A[key]
        assert A.shape == a.shape
        np.testing.assert_array_equal(A.to_numpy(), a)


def test_index_keeps_two_dimensions(engine):
    A = engine.asmatrix(np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(A[1].to_numpy(), [[3, 4, 5]])
    np.testing.assert_array_equal(A[:, -1].to_numpy(), [[2], [5]])
    assert float(A[1, 0]) == 3
    assert len(A) == 2
    for key in [2, -3, (0, 3), (0, 0, 0)]:
        with pytest.raises(IndexError):
            A[key]
    with pytest.raises(ValueError, match="step"):
        A[::2]
    with pytest.raises(TypeError, match="integer"):
        A["a"]


def test_assignment_writes_the_block(engine):
    A = engine.asmatrix(np.zeros((3, 4), np.float32))
    A[1:, :2] = np.ones((2, 2), np.float32, order="F")
    A[0] = np.float32(5)
    A[2, 2:] = A[0, :2]
    np.testing.assert_array_equal(A.to_numpy(), [[5, 5, 5, 5], [1, 1, 0, 0], [1, 1, 5, 5]])
    with pytest.raises(ts.MatrixError):
        A[0] = np.ones((1, 3), np.float32)
    with pytest.raises(TypeError, match="float64"):
        A[0] = np.ones((1, 4))


@pytest.mark.parametrize("name", DTYPES)
def test_out_alpha_beta(engine, name):
    a, b = numbers(5, 4, name, 1), numbers(6, 4, name, 2)
    result = "int32" if name == "int8" else name
    c = numbers(8, 6, result, 3)
    C = engine.asmatrix(c)
    block = C[2:7]
    assert ts.multiply(engine.asmatrix(a), engine.asmatrix(b).T, block, alpha=2, beta=-1) is block
    expected = c.astype(np.float64)
    expected[2:7] = 2 * product(a, b.T) - expected[2:7]
    np.testing.assert_array_equal(C.to_numpy().astype(np.float64), expected)
    assert block.run is not None and block.run.operation == "multiply"


def test_operators(engine):
    a, b = numbers(4, 4, "float64", 1), numbers(4, 4, "float64", 2)
    A, B = engine.asmatrix(a), engine.asmatrix(b)
    for made, expected in [
        (A @ B, a @ b),
        (A @ b, a @ b),
        (a @ B, a @ b),
        (A + B, a + b),
        (A - B, a - b),
        (2 * A, 2 * a),
        (A * 2, 2 * a),
        (-A, -a),
        (A.row_sums(), a.sum(1, keepdims=True)),
        (A.column_sums(), a.sum(0)[:, None]),
        (A.copy(), a),
    ]:
        assert isinstance(made, ts.Matrix)
        np.testing.assert_array_equal(made.to_numpy(), expected)
    A.fill(3)
    np.testing.assert_array_equal(np.asarray(A, np.float32), np.full((4, 4), 3, np.float32))


def test_named_kernel_runs(engine):
    A = engine.asmatrix(np.eye(8, dtype=np.float32))
    C = ts.multiply(A, A, kernel="tiled_static TILE=8")
    assert C.run.kernel == "tiled_static TILE=8"
    assert C.run.reason == "named by the caller"
    assert ts.multiply(A, A, kernel=("tiled_static", {"TILE": 8})).run.parameters == {"TILE": 8}
    assert ts.multiply(A, A, accuracy="bounded").shape == (8, 8)
    with pytest.raises(ts.ArgumentError, match="tiled_static"):
        ts.multiply(A, A, kernel="no_such_kernel")
    with pytest.raises(ValueError, match="TILE=16"):
        ts.multiply(A, A, kernel="tiled_static TILE")
    with pytest.raises(ValueError, match="'ieee', 'bounded'"):
        ts.multiply(A, A, accuracy="perfect")
    with pytest.raises(TypeError, match="kernel"):
        ts.multiply(A, A, kernel=3)


def test_short_types_have_float_results(engine):
    pytest.importorskip("ml_dtypes")
    a = numbers(3, 3, "bfloat16", 1)
    A = engine.asmatrix(a)
    assert ts.multiply(A, A, dtype="float32").dtype == np.float32
    assert ts.matmul(a, a, dtype=np.float32).dtype == np.float32
    C = ts.multiply(A, A, engine.empty((3, 3)))
    np.testing.assert_array_equal(C.to_numpy(), product(a, a))


@quick
@given(st.data())
def test_shapes_are_numpys(data):
    """Vectors, stacks and broadcasting."""
    k = data.draw(st.integers(0, 5))
    size = st.integers(0, 4)
    stack = data.draw(st.lists(st.integers(0, 3), max_size=2))

    def shape(inner):
        kind = data.draw(st.sampled_from(["vector", "matrix", "stack", "ones"]))
        if kind == "vector":
            return (k,)
        last = (data.draw(size), k) if inner else (k, data.draw(size))
        lead = {"matrix": [], "stack": stack, "ones": [1] * len(stack)}[kind]
        return (*lead, *last)

    rng = np.random.default_rng(1)
    a = rng.integers(-3, 4, shape(True)).astype(np.float32)
    b = rng.integers(-3, 4, shape(False)).astype(np.float32)
    expected = np.matmul(a, b)
    made = ts.matmul(a, b)
    assert made.shape == expected.shape
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float128", "object", "<U3"])
def test_other_dtypes_are_refused_by_name(engine, dtype):
    array = np.zeros((2, 2), dtype)
    name = np.dtype(dtype).name
    for call in [lambda: ts.matmul(array, array), lambda: engine.asmatrix(array)]:
        with pytest.raises(TypeError, match=rf"dtype {name} is not supported.*bfloat16"):
            call()
    with pytest.raises(TypeError, match=name):
        engine.empty((2, 2), dtype)


def test_byte_order_is_refused_by_name(engine):
    with pytest.raises(TypeError, match="reversed byte order"):
        engine.asmatrix(np.zeros((2, 2), ">f4" if np.little_endian else "<f4"))


def test_matrix_vector(engine):
    a, x = numbers(5, 3, "float32", 1), numbers(3, 1, "float32", 2)
    A = engine.asmatrix(a)
    y = ts.matrix_vector(A, x)
    np.testing.assert_array_equal(y.to_numpy(), a @ x)
    ts.matrix_vector(A, x[:, 0], y, alpha=2, beta=1)
    np.testing.assert_array_equal(y.to_numpy(), 3 * (a @ x))
    assert y.run.operation == "matrix_vector"
    with pytest.raises(TypeError, match="Matrix"):
        ts.matrix_vector(a, x)
