"""OpenCL's loader and drivers: opened at run time, named by paths, or absent."""

import importlib.metadata
import os
import pathlib

import pytest

import tessera_cl as ts
from tessera_cl import _drivers
from test_process import run

VENDORS = pathlib.Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))


@pytest.fixture
def without_loader(tmp_path) -> dict[str, str]:
    """A file that is no library comes first in the search for the loader."""
    if "libtessera.so" in pathlib.Path("/proc/self/maps").read_text():
        pytest.skip("an installed Tessera links the loader")
    (tmp_path / "libOpenCL.so.1").write_text("no library\n")
    return {
        "LD_LIBRARY_PATH": str(tmp_path),
        "TESSERA_DRIVERS": "/absent.so",
        "TESSERA_DEVICE": "",
    }


@pytest.fixture
def drivers() -> str:
    found = [file.read_text().strip() for file in VENDORS.glob("*.icd")]
    if not found:
        pytest.skip(f"no driver in {VENDORS}")
    return ":".join(found)


def test_import_needs_no_loader(without_loader):
    outcome = run(
        """
        import tessera_cl as ts
        print(len(ts.devices()))
        try:
            ts.Engine()
        except ts.DeviceError as error:
            print(error)
    """,
        **without_loader,
    )
    count, message = outcome.stdout.splitlines()
    assert count == "0", outcome.stderr
    assert "no OpenCL loader: install libOpenCL.so.1" in message
    assert "pip install 'tessera-cl[intel]'" in message


def test_drivers_need_no_loader(without_loader, drivers):
    without_loader["TESSERA_DRIVERS"] = drivers
    outcome = run(
        """
        import numpy as np, tessera_cl as ts
        a = np.arange(9.0).reshape(3, 3)
        print((ts.matmul(a, a) == a @ a).all(), ts.eigenpair(a).converged, len(ts.devices()))
    """,
        **without_loader,
    )
    assert outcome.stdout.split()[:2] == ["True", "True"], outcome.stderr


def test_a_driver_is_listed_once(drivers):
    code = "import tessera_cl as ts; print([device.name for device in ts.devices()])"
    with_drivers, without = run(code, TESSERA_DRIVERS=drivers), run(code, TESSERA_DRIVERS="")
    assert with_drivers.stdout == without.stdout != "", with_drivers.stderr


def test_drivers_of_packages_are_announced(monkeypatch, tmp_path):
    driver = tmp_path / "lib" / "libintelocl.so"
    driver.parent.mkdir()
    driver.touch()

    class File:
        name = "libintelocl.so"

        def locate(self):
            return driver

    def files(distribution):
        if distribution != "intel-opencl-rt":
            raise importlib.metadata.PackageNotFoundError
        return [File()]

    monkeypatch.setattr(importlib.metadata, "files", files)
    assert _drivers.installed() == [str(driver)]
    monkeypatch.setenv("TESSERA_DRIVERS", "")  # the test restores the value
    monkeypatch.delenv("TESSERA_DRIVERS")
    _drivers.announce()
    assert os.environ["TESSERA_DRIVERS"] == str(driver)
    monkeypatch.setenv("TESSERA_DRIVERS", "")
    _drivers.announce()
    assert os.environ["TESSERA_DRIVERS"] == ""


def test_the_worker_travels_with_the_package():
    """The first use of a kernel asks a worker; a missing one is reported in the log."""
    outcome = run(
        """
        import numpy as np, tessera_cl as ts
        ts.matmul(np.eye(5, dtype=np.float32), np.eye(5, dtype=np.float32), kernel="row_tile")
    """,
        TESSERA_LOG="info",
        TESSERA_CACHE="off",
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "tessera-worker" not in outcome.stderr, outcome.stderr
    worker = pathlib.Path(ts.__file__).parent / "tessera" / "tessera-worker"
    if "libtessera.so" not in pathlib.Path("/proc/self/maps").read_text():
        assert os.access(worker, os.X_OK)
