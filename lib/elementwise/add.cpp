// add: argument checks, the plan and the commands.
#include "tessera/add.hpp"

#include <string>

#include "elementwise/add_call.hpp"
#include "elementwise/table.hpp"
#include "kernels/planner.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0 {

KernelRun detail::add_into(const Operand& c, const Operand& a, const Operand& b,
                           const AddOptions& options) {
  const auto sum = elementwise::make_sum(c, a, b, options);
  const kernels::Operation& add = elementwise::add_table().operation();
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream = runtime::stream_for("add", options.stream, *c.stream);
        const auto plan =
            kernels::plan_of_call(stream, add, sum.problem, options.kernel, sum.is_empty());
        return elementwise::run_plan(plan, stream, sum, options.wait_for);
      },
      [] { return std::string("add"); });
}

detail::Operand detail::add(const Operand& a, const Operand& b, const AddOptions& options) {
  const Stream stream = options.stream ? *options.stream : stream_of(a);
  Operand c = allocate(stream, a.type, a.rows() == 1 ? b.rows() : a.rows(),
                       a.columns() == 1 ? b.columns() : a.columns());
  add_into(c, a, b, options);
  return c;
}

}  // namespace tessera::inline v0
