// The extension module tessera_cl._core.
#include "binding.hpp"

NB_MODULE(_core, module) {
  using namespace tessera_py;
  module.attr("__version__") = to_string(ts::version());
  bind_errors(module);
  bind_devices(module);
  bind_kernel_run(module);
  bind_streams(module);
  bind_engine(module);
  bind_matrix(module);
  bind_conversion(module);
  bind_batch(module);
  bind_multiply(module);
  bind_host_product(module);
  bind_plan(module);
  bind_eigenpair(module);
  bind_tune(module);
}
