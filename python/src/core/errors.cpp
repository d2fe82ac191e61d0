// Errors of the library as exceptions of Python, which tessera_cl/_errors.py declares.
#include "binding.hpp"

namespace tessera_py {
namespace {

nb::object text(const std::string& value) {
  return nb::steal(
      PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace"));
}

/// The exception with the attributes that every error has.
nb::object made(const char* type, const ts::Error& error) {
  std::string message = error.what();
  if (message.starts_with("no OpenCL device"))
    message += "; a CPU device comes with: pip install 'tessera-cl[intel]'";
  nb::object exception = nb::module_::import_("tessera_cl._errors").attr(type)(text(message));
  exception.attr("code") = text(std::string(to_string(error.code())));
  return exception;
}

void raise(const nb::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ts::OpenClError& error) {
    const nb::object exception = made("OpenClError", error);
    exception.attr("opencl_code") = error.opencl_code();
    exception.attr("opencl_name") = text(error.opencl_name());
    exception.attr("call") = text(error.call());
    raise(exception);
  } catch (const ts::BuildError& error) {
    const nb::object exception = made("BuildError", error);
    exception.attr("log") = text(error.log());
    exception.attr("file") = text(error.file());
    exception.attr("options") = text(error.options());
    raise(exception);
  } catch (const ts::UnsupportedError& error) {
    const nb::object exception = made("UnsupportedError", error);
    exception.attr("variant") = text(error.variant());
    raise(exception);
  } catch (const ts::MatrixError& error) {
    raise(made(error.code() == ts::ErrorCode::wrong_type ? "ElementTypeError" : "MatrixError",
               error));
  } catch (const ts::ArgumentError& error) {
    raise(made("ArgumentError", error));
  } catch (const ts::DeviceError& error) {
    raise(made("DeviceError", error));
  } catch (const ts::MemoryError& error) {
    raise(made("DeviceMemoryError", error));
  } catch (const ts::CancelledError& error) {
    raise(made("CancelledError", error));
  } catch (const ts::Error& error) {
    raise(made(error.code() == ts::ErrorCode::io ? "FileError" : "Error", error));
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace tessera_py
