"""Drivers of OpenCL that come with installed packages, found by their paths."""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

# Distributions, and the names of their drivers.
_KNOWN = (("intel-opencl-rt", "libintelocl.so"),)


def installed() -> list[str]:
    """Returns the paths of the drivers in packages of this environment."""
    found: list[str] = []
    for distribution, name in _KNOWN:
        try:
            files = importlib.metadata.files(distribution) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        paths = (str(Path(file.locate()).resolve()) for file in files if file.name == name)
        found += [path for path in paths if os.path.exists(path)][:1]
    return found


def announce() -> None:
    """Names the drivers to the library, and to the processes that it starts."""
    if "TESSERA_DRIVERS" in os.environ:
        return
    drivers = installed()
    if drivers:
        os.environ["TESSERA_DRIVERS"] = ":".join(drivers)
