"""Threads, forks, leaks, and imports without OpenCL."""

import gc
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tessera_cl as ts


def run(code: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        text=True,
        timeout=200,
        capture_output=True,
        env={**os.environ, **environment},
    )


def test_threads_share_engine_and_matrices(engine):
    a = np.arange(32 * 32, dtype=np.float64).reshape(32, 32) % 7
    A, failures = engine.asmatrix(a), []

    def work(number: int) -> None:
        try:
            stream = engine.new_stream()
            for _ in range(30):
                C = ts.multiply(A, A.T, alpha=number, stream=stream)
                np.testing.assert_array_equal(C.to_numpy(), number * (a @ a.T))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_forked_child_gets_an_error():
    outcome = run("""
        import os, numpy as np, tessera_cl as ts
        A = ts.default_engine().asmatrix(np.eye(2))
        child = os.fork()
        if child == 0:
            try:
                A @ A
            except ts.DeviceError as error:
                os._exit(42 if error.code == "forked_process" else 1)
            os._exit(2)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), (A @ A).to_numpy()[0, 0])
    """)
    assert outcome.stdout.split() == ["42", "1.0"], outcome.stderr


def test_forks_during_products_of_another_thread():
    outcome = run("""
        import os, threading, numpy as np, tessera_cl as ts
        A, done = ts.default_engine().asmatrix(np.ones((200, 200))), threading.Event()
        def spin():
            while not done.is_set():
                (A @ A).to_numpy()
        thread = threading.Thread(target=spin)
        thread.start()
        ends = set()
        for _ in range(30):
            child = os.fork()
            if child == 0:
                try:
                    ts.matmul(np.eye(2), np.eye(2))
                except ts.DeviceError:
                    os._exit(42)
                os._exit(1)
            ends.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        done.set()
        thread.join()
        print(ends)
    """)
    assert outcome.stdout == "{42}\n", outcome.stderr


def test_a_fork_before_the_first_call_is_fine():
    outcome = run("""
        import os, numpy as np, tessera_cl as ts
        child = os.fork()
        product = ts.matmul(np.eye(2), np.eye(2))
        if child == 0:
            os._exit(int(product[0, 0]) + 2)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), product[0, 0])
    """)
    assert outcome.stdout.split() == ["3", "1.0"], outcome.stderr


def test_nothing_leaks(engine):
    a = np.ones((64, 64), np.float32)
    A = engine.asmatrix(a)
    engine.release_scratch()

    def calls() -> None:
        C = A @ A.T
        C[0:2] = a[0:2]
        np.asarray(C[1:, 1:])
        engine.asmatrix(C.__dlpack__ and a)
        C.__dlpack__()
        C.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
        ts.eigenpair(A)
        with pytest.raises(ts.MatrixError):
            A @ engine.empty((2, 2))

    def state() -> tuple[int, int]:
        gc.collect()
        engine.finish()
        return engine.memory.live, sys.getrefcount(a)

    calls()
    before = state()
    for _ in range(20):
        calls()
    assert state() == before


def test_a_call_costs_little(engine):
    """A product without elements makes no OpenCL call: its time is that of the Python layer."""
    A, C = engine.empty((2, 0)), engine.empty((2, 0))
    B = engine.empty((0, 0))

    def microseconds() -> float:
        start = time.perf_counter()
        for _ in range(100):
            ts.multiply(A, B, out=C)
        return (time.perf_counter() - start) * 1e6 / 100

    assert min(microseconds() for _ in range(100)) < 5


def test_nanobind_reports_no_leak_at_exit():
    outcome = run("""
        import numpy as np, tessera_cl as ts
        e = ts.Engine()
        A = e.asmatrix(np.eye(3))
        C, B = A @ A, e.asbatch(np.ones((2, 3, 3)))
        plan, pair = ts.plan_multiply(C, A, A), ts.eigenpair(A)
        del e, A, C, B, plan, pair
    """)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")


def test_streams_and_memory(engine):
    s = engine.new_stream()
    assert s != engine.stream and s == s and engine.stream == engine.stream
    assert len({s, engine.stream, engine.stream}) == 2
    assert ts.Engine() != 3
    C = engine.empty((2, 2), stream=s)
    assert C.stream == s and C.engine == engine
    assert engine.memory.live >= 16 and not engine.lost
    assert ts.Engine(profiling=True).asmatrix(np.eye(2)).copy(s).stream == s
    e = ts.Engine(profiling=True)
    P = e.asmatrix(np.eye(2))
    assert (P @ P).run.seconds > 0
    assert (C.copy() @ C).run.seconds is None
    assert "live=" in repr(engine.memory) and engine.device.name in repr(engine)
