"""Errors are Python's where one fits, and say what was expected and what was given."""

import numpy as np
import pytest

import tessera_cl as ts


@pytest.fixture
def square(engine):
    return engine.asmatrix(np.ones((3, 3), np.float32))


def test_shapes(engine, square):
    with pytest.raises(ts.MatrixError, match="3 x 3 and .*2 x 2") as caught:
        square @ engine.empty((2, 2))
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, ts.Error)
    assert caught.value.code == "invalid_shape"
    with pytest.raises(ValueError):
        ts.matmul(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="3 dimensions"):
        engine.asmatrix(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="no dimensions"):
        ts.matmul(1.0, np.ones(2))
    for shape in [3, (3,), (1, 2, 3)]:
        with pytest.raises(ValueError, match="shape"):
            engine.empty(shape)


def test_types(engine, square):
    with pytest.raises(TypeError) as caught:
        square @ engine.asmatrix(np.ones((3, 3)))
    assert caught.value.code == "wrong_type"
    with pytest.raises(TypeError):
        ts.multiply(square, square, engine.empty((3, 3), "float64"))
    with pytest.raises(TypeError, match="Matrix"):
        ts.multiply(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(TypeError):
        ts.multiply(square, square, np.ones((3, 3), np.float32))


def test_overlap_and_beta(square):
    with pytest.raises(ts.MatrixError) as caught:
        ts.multiply(square, square, square)
    assert caught.value.code == "overlapping"
    with pytest.raises(ts.ArgumentError) as caught:
        ts.multiply(square, square, beta=1)
    assert caught.value.code == "conflicting_options"
    np.testing.assert_array_equal(square.to_numpy(), np.ones((3, 3)))


def test_devices():
    with pytest.raises(ts.DeviceError, match='no device "no such device"; there are:') as caught:
        ts.Engine("no such device")
    assert caught.value.code == "no_device"
    for device in ts.devices():
        assert ts.Engine(device).device.selector == device.selector
        assert ts.Engine(device.selector).device.selector == device.selector
    with pytest.raises(TypeError, match="str or a Device"):
        ts.Engine(0)


def test_memory(engine):
    with pytest.raises(MemoryError) as caught:
        engine.empty((1 << 20, 1 << 20), "float64")
    assert isinstance(caught.value, ts.DeviceMemoryError)
    assert caught.value.code == "out_of_memory"


def test_unsupported(engine, square):
    with pytest.raises(NotImplementedError) as caught:
        ts.multiply(square, square, kernel="tensor_core_half")
    assert caught.value.variant == "multiply/tensor_core_half"


def test_build(engine, square, monkeypatch, tmp_path):
    (tmp_path / "multiply").mkdir()
    (tmp_path / "multiply" / "naive.cl").write_text("this is no OpenCL\n")
    monkeypatch.setenv("TESSERA_KERNEL_DIR", str(tmp_path))
    monkeypatch.setenv("TESSERA_SELF_CHECK", "off")
    with pytest.raises(ts.BuildError) as caught:
        ts.multiply(
            ts.Engine().asmatrix(np.ones((3, 3), np.float32)),
            np.ones((3, 3), np.float32),
            kernel="naive",
        )
    assert caught.value.log and caught.value.file.endswith("naive.cl")


def test_out_of_numpy(engine, square):
    with pytest.raises(TypeError, match="float64.*float32"):
        square.to_numpy(np.empty((3, 3)))
    with pytest.raises(ts.MatrixError):
        square.to_numpy(np.empty((3, 2), np.float32))
    with pytest.raises(TypeError, match="array of NumPy"):
        square.to_numpy([[1.0]])
    read_only = np.empty((3, 3), np.float32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        square.to_numpy(read_only)


def test_other_contexts(square):
    other = ts.Engine().asmatrix(np.ones((3, 3), np.float32))
    for call in [lambda: square @ other, lambda: ts.multiply(square, other)]:
        with pytest.raises(ts.ArgumentError) as caught:
            call()
        assert caught.value.code == "wrong_context"
    copied = square.engine.asmatrix(other)
    assert copied.engine == square.engine
    np.testing.assert_array_equal((square @ copied).to_numpy(), np.full((3, 3), 3))
    assert square.engine.asmatrix(square) is square


def test_files(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError) as caught:
        ts.tune(m=8, budget=5, save=False, journal=tmp_path / "file" / "journal")
    assert isinstance(caught.value, ts.FileError) and caught.value.code == "io"


def test_transposed_views_are_no_outputs(engine):
    A = engine.asmatrix(np.arange(6.0).reshape(2, 3))
    with pytest.raises(ts.MatrixError, match="transposed"):
        A.T[...] = np.zeros((3, 2))
    np.testing.assert_array_equal(A.to_numpy(), np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize(
    "call",
    [
        lambda e, A: e.empty((-1, 2)),
        lambda e, A: e.empty((2.5, 2)),
        lambda e, A: ts.eigenpair(A, max_rounds=2**32),
        lambda e, A: ts.eigenpair(A, tolerance="small"),
        lambda e, A: ts.tune(m=-1),
        lambda e, A: ts.multiply(A, A, kernel=("tiled_static", {"TILE": "eight"})),
        lambda e, A: ts.multiply(A, A, kernel="tiled_static TILE"),
        lambda e, A: ts.multiply(A, A, accuracy="x"),
    ],
)
def test_invalid_values(engine, square, call):
    with pytest.raises(ValueError, match="invalid value|the kernel is"):
        call(engine, square)


def test_own_objects_are_no_handles(engine, square):
    for call in (
        lambda: ts.multiply(square, square, wait_for=[square]),
        lambda: ts.multiply(square, square, wait_for=[engine.stream]),
        lambda: ts.Engine.adopt(square),
        lambda: ts.Event.adopt(square),
    ):
        with pytest.raises(TypeError, match="expected an object of pyopencl"):
            call()


def test_batches_leave_no_product_to_numpy(engine):
    batch = engine.asbatch(np.ones((2, 3, 3)))
    with pytest.raises(TypeError):
        np.ones((2, 3, 3)) @ batch
    with pytest.raises(ValueError, match="copy"):
        batch.__array__(copy=False)


def test_a_row_is_assigned_from_one_dimension(engine):
    A = engine.asmatrix(np.zeros((2, 3)))
    A[1] = np.arange(3.0)
    np.testing.assert_array_equal(A.to_numpy(), [[0, 0, 0], [0, 1, 2]])
