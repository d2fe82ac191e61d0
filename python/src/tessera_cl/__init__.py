"""Dense matrix products and dominant eigenpairs on OpenCL devices.

>>> import numpy as np, tessera_cl as ts
>>> ts.matmul(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
array([[11.]])
"""

from . import _drivers

_drivers.announce()  # before the library lists the devices

from ._core import (  # noqa: E402
    Batch,
    Device,
    EigenPair,
    EigenPlan,
    EigenProgress,
    EigenStructure,
    Engine,
    Event,
    HostProductDevice,
    HostProductReport,
    KernelRun,
    Matrix,
    MemoryUse,
    Plan,
    Stream,
    TuneProgress,
    TuneResult,
    matrix_vector,
    multiply,
    multiply_batched,
    plan_matrix_vector,
    plan_multiply,
)
from ._devices import DeviceList, devices  # noqa: E402
from ._errors import (  # noqa: E402
    ArgumentError,
    BuildError,
    CancelledError,
    DeviceError,
    DeviceMemoryError,
    ElementTypeError,
    Error,
    FileError,
    MatrixError,
    OpenClError,
    UnsupportedError,
)
from ._products import default_engine, matmul, multiply_host  # noqa: E402
from ._solves import eigenpair, plan_eigenpair, tune  # noqa: E402
from ._version import __version__  # noqa: E402

__all__ = [
    "ArgumentError",
    "Batch",
    "BuildError",
    "CancelledError",
    "Device",
    "DeviceError",
    "DeviceList",
    "DeviceMemoryError",
    "EigenPair",
    "EigenPlan",
    "EigenProgress",
    "EigenStructure",
    "ElementTypeError",
    "Engine",
    "Error",
    "Event",
    "FileError",
    "HostProductDevice",
    "HostProductReport",
    "KernelRun",
    "Matrix",
    "MatrixError",
    "MemoryUse",
    "OpenClError",
    "Plan",
    "Stream",
    "TuneProgress",
    "TuneResult",
    "UnsupportedError",
    "__version__",
    "default_engine",
    "devices",
    "eigenpair",
    "matmul",
    "matrix_vector",
    "multiply",
    "multiply_batched",
    "multiply_host",
    "plan_eigenpair",
    "plan_matrix_vector",
    "plan_multiply",
    "tune",
]
