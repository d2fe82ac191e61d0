// A variant that this device could not run, with plain OpenCL C in place of the instructions that
// it is written for.
#pragma once

#include <functional>
#include <string>
#include <tessera/tessera.hpp>

#include "kernels/resolve.hpp"
#include "multiply/call.hpp"
#include "multiply/table.hpp"
#include "operands/element.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/stream.hpp"
#include "runtime/submission.hpp"

namespace tessera::test {

/// Enqueues a product, given a plan.
using EnqueueProduct =
    std::function<void(const kernels::Plan&, const multiplication::Call&, runtime::Submission&)>;

/// Runs a call as the library would, past the question whether the device has tensor maps,
/// wgmma and asynchronous copies, and waits for it.
inline void run_plain(const Engine& engine, const std::string& name, const Parameters& given,
                      const multiplication::Call& call, const EnqueueProduct& enqueue = {}) {
  const auto& table = multiplication::multiply_table();
  const kernels::Variant& variant = kernels::find_variant(table.operation(), name);
  runtime::Stream& stream = runtime::stream_of(engine);
  DeviceCapabilities device = runtime::capabilities(stream);
  device.has_wgmma = true;
  device.async_copy_memory = device.tensor_map_memory = 224U << 10;
  const kernels::Target target(device, call.problem);
  const Parameters parameters = kernels::resolve(variant, given, target);
  const auto options = kernels::build_options(variant, parameters, target);
  const kernels::Plan plan{&variant, target.mode, parameters, "a test",
                           stream.context().programs().get(variant.file(), options)};
  runtime::Submission submission(stream, {{call.a.memory, runtime::Access::read},
                                          {call.b.memory, runtime::Access::read},
                                          {call.c.memory, runtime::Access::write}});
  if (enqueue) {
    enqueue(plan, call, submission);
  } else {
    table.enqueue(plan, call, submission);
  }
  submission.finish().second.wait();
}

}  // namespace tessera::test
