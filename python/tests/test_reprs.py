"""What consoles and Jupyter show."""

import html.parser
import types

import numpy as np

import tessera_cl as ts
from tessera_cl import _progress, _repr

EVIL = "<script>alert('&')</script>"


class Parser(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_devices():
    listed = ts.devices()
    shown = Parser(listed._repr_html_())
    assert shown.tags.count("tr") == len(listed) + 1
    assert listed[0].name in shown.text
    assert repr(listed[0]) == f"Device('{listed[0].selector}', {listed[0].name})"
    evil = types.SimpleNamespace(
        selector="0:0",
        name=EVIL,
        type="gpu",
        platform=EVIL,
        compute_units=1,
        global_memory=1 << 30,
        version=EVIL,
    )
    shown = Parser(_repr.devices([evil]))
    assert "script" not in shown.tags and shown.text.count(EVIL) == 3


def test_eigenpair():
    pair = ts.eigenpair(
        1 / (np.arange(30)[:, None] + np.arange(30) + 1.0),
        tolerance=1e-10,
        history=True,
        acceleration="none",
    )
    shown = Parser(pair._repr_html_())
    assert repr(pair.lower) in shown.text and repr(pair.upper) in shown.text
    assert shown.tags.count("polyline") == 1
    assert shown.tags.count("text") == 7 and f"round{pair.rounds}" in shown.text
    assert "polyline" not in ts.eigenpair(np.eye(2))._repr_html_()
    assert repr(pair).startswith(f"EigenPair({pair.value!r} in [")


def test_tuning():
    trials = [{"seconds": s} for s in (3e-3, None, 1e-3, 2e-3)]
    result = types.SimpleNamespace(
        problem=EVIL,
        device=types.SimpleNamespace(name=EVIL),
        best=EVIL,
        default=EVIL,
        space=9,
        speedup=1.5,
        speedup_interval=(1.4, 1.6),
        trials=trials,
        conclusion=EVIL,
    )
    shown = Parser(_repr.tuning(result))
    assert shown.tags.count("circle") == 3 and "script" not in shown.tags
    assert shown.text.count(EVIL) == 5 and "4 of 9" in shown.text


def test_progress_line():
    state = types.SimpleNamespace(
        elapsed=30.0,
        budget=60.0,
        stage="search",
        tried=7,
        space=90,
        best_seconds=None,
        default_seconds=None,
    )
    assert _progress.line_of(state) == "[##########          ] 30 of 60 s, search, 7 of 90 kernels"
    state.best_seconds, state.default_seconds = 1e-3, 2e-3
    assert _progress.line_of(state).endswith("best 1 ms (2.00 x the default's speed)")


def test_others(engine):
    A = engine.asmatrix(np.eye(2, dtype=np.float32))
    assert repr(A) == f"Matrix(2 x 2, float32, {engine.device.name})"
    assert repr(A.repeat(3)) == "Batch(3 x 2 x 2, float32)"
    assert repr((A @ A).run).startswith("KernelRun(multiply: ")
    assert repr(ts.plan_multiply(engine.empty((2, 2)), A, A)).startswith("Plan(multiply float 2 x")
    assert repr(ts.eigenpair(A).structure).startswith("EigenStructure(")
