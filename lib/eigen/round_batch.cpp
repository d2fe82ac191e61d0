// The state of rounds that never end by themselves, and their commands.
#include "eigen/round_batch.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "eigen/solver_kernels.hpp"
#include "kernels/planner.hpp"
#include "operands/element.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// The end of a round whose bounds, however close, are never close enough.
DeviceLimits<double> endless(bool has_fence) {
  constexpr cl_uint kNever = std::numeric_limits<cl_uint>::max();
  return {.tolerance = -1,
          .smallest = 0,
          .by_neighbours = 0,
          .max_rounds = kNever,
          .patience = kNever,
          .conclusion = has_fence ? Conclusion::by_last_group : Conclusion::by_launch,
          .long_patience = kNever};
}

cl::Buffer make_state(const std::string& operation, runtime::Stream& stream, std::size_t n) {
  DeviceReport<double> report;
  report.state.limits = endless(runtime::capabilities(stream).has_device_fence);
  std::vector<std::byte> bytes(sizeof report + n * sizeof(Findings<double>));
  std::memcpy(bytes.data(), &report, sizeof report);
  return runtime::with_opencl_errors(
      [&] {
        return cl::Buffer(stream.context().handle(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                          bytes.size(), bytes.data());
      },
      [&] { return operation; });
}

}  // namespace

RoundBatch::RoundBatch(const kernels::Table<ImplicitRoundCall>& table, const Engine& engine,
                       ElementType type, std::size_t n)
    : table_(&table),
      engine_(engine),
      type_(type),
      n_(n),
      state_(make_state(table.operation().name, runtime::stream_of(engine), n)),
      vectors_(engine, 2 * n, 1, std::vector<double>(2 * n, 1)),
      ratios_(engine, n, 1) {}

KernelRun RoundBatch::run(const detail::Operand& a, const kernels::SharedPlan& plan) {
  return runtime::with_opencl_errors([&] { return enqueue(a, plan); },
                                     [&] { return table_->operation().name; });
}

KernelRun RoundBatch::enqueue(const detail::Operand& a, const kernels::SharedPlan& plan) {
  using runtime::Access;
  runtime::Stream& stream = runtime::stream_of(engine_);
  Problem problem{.types = type_, .m = n_, .n = n_};
  problem.mode.accumulator = Accumulator::float64;
  problem.operation = solver_kernels().name;
  const auto conclude = runtime::capabilities(stream).has_device_fence
                            ? nullptr
                            : kernels::plan(stream, solver_kernels(), problem, {"conclude", {}});
  runtime::Memory &matrix = *a.memory, &vectors = *detail::operand(vectors_).memory,
                  &ratios = *detail::operand(ratios_).memory;
  runtime::Submission submission(
      stream, {{&matrix, Access::read}, {&vectors, Access::write}, {&ratios, Access::write}});
  table_->enqueue(*plan,
                  {.step = {type_, n_, &state_},
                   .a = matrix_argument(a),
                   .p = &vectors.buffer(),
                   .q = &vectors.buffer(),
                   .s = &ratios.buffer(),
                   .ring = {n_, 2, 0},
                   .rounds = kRounds,
                   .conclude = conclude.get()},
                  submission);
  return kernels::finish(submission, plan);
}

std::uint32_t RoundBatch::rounds() const {
  DeviceState<double> state;
  runtime::with_opencl_errors(
      [&] {
        runtime::stream_of(engine_).queue().enqueueReadBuffer(state_, CL_TRUE, 0, sizeof state,
                                                              &state);
      },
      [&] { return table_->operation().name; });
  return state.rounds;
}

}  // namespace tessera::inline v0::eigen
