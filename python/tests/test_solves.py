"""Eigenpairs and tuning, their progress and Ctrl-C."""

import json
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tessera_cl as ts


def hilbert(n: int) -> np.ndarray:
    return 1 / (np.arange(n)[:, None] + np.arange(n) + 1.0)


def test_eigenpair(engine):
    a = hilbert(50)
    seen = []
    pair = ts.eigenpair(
        engine.asmatrix(a),
        tolerance=1e-12,
        history=True,
        progress=seen.append,
    )
    exact = np.linalg.eigvalsh(a)[-1]
    assert pair.converged and pair.reason == "converged"
    assert pair.lower <= exact * (1 + 1e-14) and exact * (1 - 1e-14) <= pair.upper
    assert pair.lower <= float(pair) <= pair.upper
    assert seen[-1].phase and seen[-1].iterations > 0 and seen[-1].lower <= seen[-1].upper
    assert 0 < len(pair.history) <= pair.rounds + 1
    assert (pair.history[:, 0] <= pair.history[:, 1]).all()
    v = pair.vector.to_numpy()
    assert v.shape == (50, 1) and v.max() == 1
    assert np.abs(a @ v - pair.value * v).max() / pair.value <= pair.residual + 1e-15
    assert "implicit_round" in {run.operation for run in pair.runs}
    assert pair.structure.kind == "unexamined" and pair.structure.period == 0
    assert ts.eigenpair(a.astype(np.float32)).vector.dtype == np.float32


def test_eigenpair_options():
    a = hilbert(20)
    for method in ["implicit", "fused", "explicit"]:
        assert ts.eigenpair(a, method=method, accumulator="float64").converged
    pair = ts.eigenpair(a, method="explicit", kernels={"row_sum": ("row_per_item", {})})
    assert "row_per_item" in [run.variant for run in pair.runs if run.operation == "row_sum"]
    pair = ts.eigenpair(a, max_rounds=1, tolerance=1e-15, acceleration="none")
    assert (pair.converged, pair.reason) == (False, "max_rounds")
    structure = ts.eigenpair([[2.0, 1.0], [0.0, 1.0]]).structure
    assert (structure.kind, structure.classes, structure.basic_classes) == ("reducible", 2, 1)
    with pytest.raises(ValueError, match="'implicit', 'fused', 'explicit'"):
        ts.eigenpair(a, method="power")
    with pytest.raises(ts.ArgumentError):
        ts.eigenpair(a, tolerance=-1)
    with pytest.raises(ts.MatrixError) as caught:
        ts.eigenpair([[1.0, -1.0], [1.0, 1.0]])
    assert caught.value.code == "invalid_element"
    for call in [ts.eigenpair, ts.plan_eigenpair]:
        with pytest.raises(TypeError, match="dtype int32 is not supported"):
            call(a.astype(np.int32))
    with pytest.raises(ZeroDivisionError):
        ts.eigenpair(a, tolerance=1e-15, progress=lambda state: 1 / 0)


def test_plan(engine):
    A = engine.asmatrix(hilbert(30))
    plan = ts.plan_eigenpair(A, tolerance=1e-9)
    assert plan.kernels and all(run.variant for run in plan.kernels)
    assert plan.run(A).value == ts.eigenpair(A, tolerance=1e-9).value
    with pytest.raises(ts.ArgumentError):
        plan.run(engine.asmatrix(hilbert(3)))


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    seen = []
    folder = tmp_path_factory.mktemp("tune")
    engine = ts.Engine(profile=str(folder / "profile.jsonl"))
    result = ts.tune(
        m=32,
        dtype="float32",
        budget=20,
        max_evaluations=4,
        journal=folder / "journal",
        engine=engine,
        progress=seen.append,
    )
    return result, seen


def test_tune(tuned):
    result, seen = tuned
    assert not result.interrupted
    assert 1 <= len(result.trials) <= result.space
    assert result.best in [trial["kernel"] for trial in result.trials]
    assert all(trial["outcome"] for trial in result.trials)
    assert json.dumps(result.trials)  # plain values
    assert result.finalists[0]["seconds"] > 0 and result.best_seconds > 0
    assert result.speedup > 0 and result.conclusion and result.problem
    assert {state.stage for state in seen} >= {"search", "finals"}
    assert {state.space for state in seen} == {result.space}
    assert any(state.last is not None and state.last["outcome"] == "ok" for state in seen)
    assert seen[-1].best_seconds > 0 and seen[-1].default_seconds > 0


def test_progress_bar(tmp_path, capsys):
    ts.tune(
        m=8,
        budget=10,
        max_evaluations=2,
        journal=tmp_path / "journal",
        save=False,
        kernel="naive",
        progress=True,
    )
    line = capsys.readouterr().err
    assert "of 10 s, search" in line and line.endswith("\n")


def test_tune_refuses(tmp_path):
    with pytest.raises(ts.ArgumentError, match="no_such"):
        ts.tune("no_such", m=8)
    with pytest.raises(ValueError, match="'model', 'random', 'full'"):
        ts.tune(m=8, strategy="luck")
    with pytest.raises(ZeroDivisionError):
        ts.tune(
            m=8, budget=10, journal=tmp_path / "journal", save=False, progress=lambda state: 1 / 0
        )


def test_ctrl_c_keeps_the_best(tmp_path):
    """The signal that Ctrl-C sends, some trials after the start."""
    code = textwrap.dedent("""
        import os, signal, sys, time
        import tessera_cl as ts
        def press(state):
            if state.tried == 3:
                os.kill(os.getpid(), signal.SIGINT)
        begin = time.monotonic()
        result = ts.tune(m=64, budget=300, save=False, journal=sys.argv[1], progress=press)
        print(result.interrupted, len(result.trials) >= 3, bool(result.best),
              time.monotonic() - begin < 120)
    """)
    process = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "journal")],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert process.stdout.split() == ["True"] * 4, process.stderr


def interrupted(code):
    """Runs code that Ctrl-C interrupts, and returns the words that it prints."""
    start = """
        import os, signal, threading, time
        import numpy as np, tessera_cl as ts
        ts.eigenpair(np.ones((2, 2)))
    """
    end = "print(ts.matmul(np.eye(2), np.eye(2))[0, 0])"
    process = subprocess.run(
        [sys.executable, "-c", "\n".join(map(textwrap.dedent, (start, code, end)))],
        capture_output=True,
        text=True,
        timeout=240,
    )
    return process.stdout.split() or process.stderr


def test_ctrl_c_ends_a_solve():
    words = interrupted("""
        a = np.diag(np.linspace(1, 1.0001, 300)) + 1e-9
        threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        try:
            ts.eigenpair(a, tolerance=1e-300, stop='neighbours', neighbour_tolerance=1e-300,
                         max_rounds=2**31, acceleration='none')
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - begin < 30)
    """)
    assert words == ["interrupted", "True", "1.0"]


def test_ctrl_c_ends_a_host_product():
    words = interrupted("""
        a, tiles = np.ones((3000, 3000)), []
        def at_tile(done, all):
            if not tiles:
                os.kill(os.getpid(), signal.SIGINT)
            tiles.append((done, all))
        try:
            ts.multiply_host(a, a, device_memory=1 << 23, progress=at_tile)
        except KeyboardInterrupt:
            print("interrupted", tiles[-1][0] < tiles[-1][1])
    """)
    assert words == ["interrupted", "True", "1.0"]


def test_calls_leave_the_gil_to_others(engine):
    """Another thread of Python runs while one call waits."""
    count, done = 0, threading.Event()

    def spin():
        nonlocal count
        while not done.wait(0.0005):
            count += 1

    thread = threading.Thread(target=spin)
    a = np.diag(np.linspace(1, 1.01, 1000)) + 1e-6
    A = engine.asmatrix(a)
    thread.start()
    before, begin = count, time.perf_counter()
    ts.eigenpair(A, tolerance=1e-12, max_rounds=3000, acceleration="none")
    ran, seconds = count - before, time.perf_counter() - begin
    done.set()
    thread.join()
    assert seconds > 0.05
    assert ran > max(1, 10 * seconds)  # a waiting call that holds the GIL lets at most one pass
