"""The example notebook runs, and shows tables and charts."""

import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOK = pathlib.Path(__file__).parents[1] / "examples" / "tour.ipynb"


def test_tour(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, 4)
    nbformat.validate(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3").execute(cwd=tmp_path)
    shown = [
        output.data["text/html"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    devices, pair, tuning = shown
    assert ">0:0</td>" in devices
    assert "proven interval" in pair and "<polyline" in pair
    assert "speedup" in tuning and "<circle" in tuning
