# A product in Python by the C interface alone, without a package: python3 product.py libtessera_c.so.0
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libtessera_c.so.0")
library.tessera_error_message.restype = ctypes.c_char_p
for function in ("error_message", "error_destroy", "matrix_destroy", "engine_destroy"):
    getattr(library, "tessera_" + function).argtypes = [ctypes.c_void_p]


def call(name, *arguments):
    """Calls a function whose last parameter is for an error, and raises it."""
    error = ctypes.c_void_p()
    if getattr(library, "tessera_" + name)(*arguments, ctypes.byref(error)) != 0:
        message = library.tessera_error_message(error).decode(errors="replace")
        library.tessera_error_destroy(error)
        raise RuntimeError(message)


def made(name, *arguments):
    handle = ctypes.c_void_p()
    call(name, ctypes.byref(handle), *arguments)
    return handle


def size(number):
    return ctypes.c_size_t(number)


engine = made("engine_create", None)
float32 = 0
a, c = (made("matrix_create", engine, None, float32, size(2), size(2)) for _ in range(2))
wide = made("matrix_create", engine, None, float32, size(3), size(5))
call("matrix_upload", a, (ctypes.c_float * 4)(1, 2, 3, 4), size(2))
call("multiply", c, a, a, None, None)
numbers = (ctypes.c_float * 4)()
call("matrix_download", c, numbers, size(2))
print(*(f"{number:g}" for number in numbers))
try:
    call("multiply", c, a, wide, None, None)
except RuntimeError as error:
    print(error)
for matrix in (a, c, wide):
    library.tessera_matrix_destroy(matrix)
library.tessera_engine_destroy(engine)
