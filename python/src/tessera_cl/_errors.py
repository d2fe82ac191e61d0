"""Exceptions: one class for each group of causes, under Python's own where one fits."""


class Error(Exception):
    """Base of all errors of the library.

    Attributes:
        code: the exact cause, such as ``"invalid_shape"`` or ``"worker_failed"``.
    """

    code: str = "unknown"


class MatrixError(Error, ValueError):
    """A matrix has a shape, memory or elements that the operation does not accept."""


class ElementTypeError(MatrixError, TypeError):
    """The element types of the operands do not suit each other."""


class ArgumentError(Error, ValueError):
    """An argument is invalid by itself or beside the others."""


class UnsupportedError(Error, NotImplementedError):
    """No kernel, or not the named one, can compute this on the device.

    Attributes:
        variant: the kernel, such as ``"multiply/tiled_static"``.
    """

    variant: str = ""


class BuildError(Error, RuntimeError):
    """The device's compiler rejects a kernel.

    Attributes:
        log: the compiler's log.
        file: the kernel's file.
        options: the options of the build.
    """

    log: str = ""
    file: str = ""
    options: str = ""


class DeviceError(Error, RuntimeError):
    """There is no such device, or this process cannot use it after a fork."""


class DeviceMemoryError(Error, MemoryError):
    """The device has too little memory."""


class OpenClError(Error, RuntimeError):
    """An OpenCL call failed.

    Attributes:
        opencl_code: OpenCL's number, such as -54.
        opencl_name: its name, such as ``"CL_INVALID_WORK_GROUP_SIZE"``.
        call: the function, such as ``"clEnqueueNDRangeKernel"``.
    """

    opencl_code: int = 0
    opencl_name: str = ""
    call: str = ""


class FileError(Error, OSError):
    """A file cannot be found, read, written or removed."""


class CancelledError(Error):
    """The caller cancelled the operation."""
