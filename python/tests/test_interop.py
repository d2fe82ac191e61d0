"""NumPy's protocols, DLPack, and objects of pyopencl in both directions."""

import ctypes
import itertools

import numpy as np
import pytest

import tessera_cl as ts
from arrays import DTYPES, numbers

cl = pytest.importorskip("pyopencl")
cl_array = pytest.importorskip("pyopencl.array")

OPENCL, CPU = 4, 1


@pytest.fixture
def queue():
    # Intel's runtime refuses a context that only a queue retains.
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    yield cl.CommandQueue(context)
    del context


@pytest.mark.parametrize("name", DTYPES)
def test_dlpack_to_the_host_copies(engine, name):
    a = numbers(3, 5, name, 1)
    A = engine.asmatrix(a)
    assert A.__dlpack_device__() == (OPENCL, 0)

    class OnHost:
        def __dlpack__(self, **kwargs):
            return A.T.__dlpack__(dl_device=(CPU, 0), **kwargs)

        def __dlpack_device__(self):
            return CPU, 0

    if name != "bfloat16":  # NumPy's DLPack has none
        np.testing.assert_array_equal(np.from_dlpack(OnHost()), a.T)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            np.testing.assert_array_equal(np.from_dlpack(A, device="cpu"), a)
    np.testing.assert_array_equal(engine.asmatrix(OnHost()).to_numpy(), a.T)
    with pytest.raises(BufferError):
        A.__dlpack__(dl_device=(CPU, 0), copy=False)
    with pytest.raises(BufferError):
        A.__dlpack__(dl_device=(2, 0))


@pytest.mark.parametrize("versions", [{}, {"max_version": (1, 0)}])
def test_dlpack_on_the_device_shares_the_buffer(engine, versions):
    A = engine.asmatrix(np.arange(24, dtype=np.float32).reshape(4, 6))

    class Only:
        """An exporter with nothing but the two methods."""

        def __init__(self, matrix):
            self.matrix = matrix

        def __dlpack__(self, **_):
            return self.matrix.__dlpack__(**versions)

        def __dlpack_device__(self):
            return self.matrix.__dlpack_device__()

    for view in [A, A[1:3, 2:5], A.T, A.T[1:3]]:
        shared = engine.asmatrix(Only(view))
        assert shared.int_ptr == A.int_ptr and shared.offset == view.offset
        np.testing.assert_array_equal(shared.to_numpy(), view.to_numpy())
    shared = engine.asmatrix(Only(A[1:3, 2:5]))
    shared.fill(-1)
    np.testing.assert_array_equal(A.to_numpy()[1:3, 2:5], np.full((2, 3), -1))
    A.__dlpack__()  # a tensor without a consumer


def test_read_only_tensors_are_copied(engine):
    A = engine.asmatrix(np.eye(3))
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

    class ReadOnly:
        def __dlpack__(self, **_):
            capsule = A.__dlpack__(max_version=(1, 0))
            flags = pointer_of(capsule, b"dltensor_versioned") + 24
            ctypes.c_uint64.from_address(flags).value |= 1
            return capsule

        def __dlpack_device__(self):
            return OPENCL, 0

    copied = engine.asmatrix(ReadOnly())
    assert copied.int_ptr != A.int_ptr
    np.testing.assert_array_equal(copied.to_numpy(), np.eye(3))


def test_dlpack_of_the_host():
    a = np.arange(6, dtype=np.int32).reshape(2, 3)

    class Only:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return CPU, 0

    for view in [a, a.T, a[:, ::-1], a[0], a[:0]]:
        expected = view[:, None] if view.ndim == 1 else view
        made = ts.default_engine().asmatrix(Only(view)).to_numpy()
        np.testing.assert_array_equal(made, expected)
    with pytest.raises(TypeError, match="64 bits"):
        ts.default_engine().asmatrix(Only(np.zeros((2, 2), np.int64)))


def test_array_protocol(engine):
    A = engine.asmatrix(np.eye(2))
    np.testing.assert_array_equal(np.asarray(A), np.eye(2))
    np.testing.assert_array_equal(np.array(A, dtype=np.float32), np.eye(2, dtype=np.float32))
    with pytest.raises(ValueError, match="copy"):
        A.__array__(copy=False)


def test_outputs_may_be_subclasses_of_arrays(engine, tmp_path):
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    out = np.memmap(tmp_path / "out", np.float32, "w+", shape=(2, 2))
    assert ts.multiply_host(a, a.T, out) is out
    np.testing.assert_array_equal(out, a @ a.T)
    assert engine.asmatrix(np.eye(2, dtype=np.float32)).to_numpy(out) is out
    np.testing.assert_array_equal(out, np.eye(2))


def test_exported_tensors_are_complete(engine):
    A = engine.asmatrix(np.random.default_rng(1).random((600, 600)))
    C = engine.empty((600, 600), "float64")
    ts.multiply(A, A, out=C, stream=engine.new_stream())
    C.__dlpack__()
    assert C.run.finished.complete


def test_our_matrices_in_pyopencl(engine):
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    A = engine.asmatrix(a)
    assert A.buffer.int_ptr == A.int_ptr
    for view, expected in [(A, a), (A[1:3, 2:5], a[1:3, 2:5]), (A.T, a.T)]:
        array = view.to_pyopencl()
        assert (array.shape, array.strides) == (expected.shape, expected.strides)
    program = cl.Program(
        engine.context, "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
    ).build()
    program.twice(engine.queue, (24,), None, A.buffer)
    np.testing.assert_array_equal(A.to_numpy(), 2 * a)
    assert engine.empty((0, 3)).to_pyopencl().shape == (0, 3)


def test_their_arrays_here(queue):
    e = ts.Engine.adopt(queue)
    assert e.queue.int_ptr == queue.int_ptr
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    theirs = cl_array.to_device(queue, a)
    A = e.asmatrix(theirs)
    assert A.int_ptr == theirs.base_data.int_ptr
    A.fill(7)
    e.finish()
    np.testing.assert_array_equal(theirs.get(), np.full((4, 6), 7))
    theirs.set(a)
    np.testing.assert_array_equal(e.asmatrix(theirs[1:3]).to_numpy(), a[1:3])
    np.testing.assert_array_equal(e.asmatrix(theirs[:, 2:4]).to_numpy(), a[:, 2:4])
    np.testing.assert_array_equal(e.asmatrix(theirs.T).to_numpy(), a.T)
    np.testing.assert_array_equal((e.asmatrix(theirs) @ e.asmatrix(theirs).T).to_numpy(), a @ a.T)
    column = e.asmatrix(cl_array.to_device(queue, a[0]))
    np.testing.assert_array_equal(column.to_numpy(), a[0][:, None])
    assert e.asmatrix(cl_array.empty(queue, (0, 3), np.float32)).shape == (0, 3)
    with pytest.raises(ValueError, match="contiguous"):
        e.asmatrix(theirs[:, ::2])
    part = e.from_buffer(theirs.base_data, (2, 3), offset=7, leading_dimension=6)
    np.testing.assert_array_equal(part.to_numpy(), a[1:3, 1:4])
    with pytest.raises(ts.MatrixError):
        e.from_buffer(theirs.base_data, (5, 6))
    with pytest.raises(TypeError, match="int_ptr"):
        e.from_buffer("buffer", (2, 2))


def test_contexts_queues_and_events(queue):
    e = ts.Engine.adopt(queue.context, queue.device)
    assert e.context.int_ptr == queue.context.int_ptr
    second = cl.CommandQueue(queue.context)
    stream = e.adopt_stream(second.int_ptr)
    assert stream.queue.int_ptr == second.int_ptr and stream.engine == e
    gate = cl.UserEvent(queue.context)
    A = e.asmatrix(np.eye(3, dtype=np.float32))
    C = ts.multiply(A, A, stream=stream, wait_for=[gate])
    assert not C.run.finished.complete
    gate.set_status(cl.command_execution_status.COMPLETE)
    C.run.finished.wait()
    assert C.run.finished.complete
    stream.wait_for([C.run.finished, ts.Event.adopt(gate)])
    cl.Event.from_int_ptr(C.run.finished.int_ptr, True).wait()
    stream.finish()
    with pytest.raises(ts.ArgumentError):
        ts.Engine.adopt(
            cl.CommandQueue(
                queue.context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
            )
        )


def test_objects_may_die_in_any_order():
    a = np.arange(9, dtype=np.float32).reshape(3, 3)
    names = ["context", "queue", "engine", "theirs", "ours", "view", "shared"]
    orders = list(itertools.permutations(names))
    for order in [orders[i] for i in range(0, len(orders), len(orders) // 100)]:
        held = {}
        held["context"] = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        held["queue"] = cl.CommandQueue(held["context"])
        held["engine"] = ts.Engine.adopt(held["queue"])
        held["theirs"] = cl_array.to_device(held["queue"], a)
        held["ours"] = held["engine"].asmatrix(a)
        held["view"] = held["engine"].asmatrix(held["theirs"])[1:]
        held["shared"] = held["ours"].to_pyopencl()
        for name in order:
            if name in ("ours", "view"):
                expected = a if name == "ours" else a[1:]
                np.testing.assert_array_equal(held[name].to_numpy(), expected)
            if name in ("theirs", "shared"):
                np.testing.assert_array_equal(held[name].get(), a)
            del held[name]
