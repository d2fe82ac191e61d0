// The objects that Python holds, and what the files of the binding share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

namespace tessera_py {

namespace nb = nanobind;
namespace ts = tessera;
namespace detail = tessera::detail;
using namespace nb::literals;
/// A number of Python that may be real.
using Complex = std::complex<double>;

/// Guards the member `run` of the objects below in Python without a GIL.
inline nb::ft_mutex run_mutex;

/// A matrix or a view.
struct Matrix {
  detail::Operand operand;
  ts::KernelRun run = {};  ///< the product that made it, or empty
  nb::object owner = {};   ///< keeps memory of another library alive
};

/// Matrices of one shape in one buffer.
struct Batch {
  detail::Batch batch;
  ts::KernelRun run = {};
  nb::object owner = {};
};

void bind_errors(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_streams(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_kernel_run(nb::module_& module);
void bind_matrix(nb::module_& module);
void bind_conversion(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_multiply(nb::module_& module);
void bind_host_product(nb::module_& module);
void bind_plan(nb::module_& module);
void bind_eigenpair(nb::module_& module);
void bind_tune(nb::module_& module);

/// Calls `function` of a Python module of the package, which is imported when it is first needed.
template <class... Arguments>
nb::object call_python(const char* module, const char* function, Arguments&&... arguments) {
  return nb::module_::import_(module).attr(function)(std::forward<Arguments>(arguments)...);
}

/// The run of a Matrix or a Batch; none if no product made it.
template <class Result>
std::optional<ts::KernelRun> run_of(const Result& result) {
  const nb::ft_lock_guard guard(run_mutex);
  if (result.run.variant().empty()) return std::nullopt;
  return result.run;
}
template <class Result>
void set_run(Result& result, ts::KernelRun run) {
  const nb::ft_lock_guard guard(run_mutex);
  std::swap(result.run, run);
}

/// Runs `work` without the GIL.
template <class Work>
auto unlocked(Work&& work) {
  const nb::gil_scoped_release released;
  return work();
}

}  // namespace tessera_py
