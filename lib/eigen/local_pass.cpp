// The pass of one rank's rows: vector to the device, one launch, products and ratios back.
#include "eigen/local_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "eigen/implicit_round.hpp"
#include "eigen/iterate.hpp"
#include "eigen/neutral_state.hpp"
#include "eigen/offence.hpp"
#include "eigen/precision.hpp"
#include "eigen/report.hpp"
#include "eigen/solve.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/opencl_error.hpp"
#include "runtime/submission.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

constexpr Wide kWide = Wide::one_double;

/// Host memory of a pass's commands.
struct HostMemory {
  std::vector<double> vector, products, ratios;
  std::vector<std::byte> state = initial_state(kWide);
};

/// Enqueues a write of a vector in the submission's host memory.
void write(runtime::Submission& submission, std::span<const double> from, const cl::Buffer& to) {
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueWriteBuffer(to, CL_FALSE, 0, from.size_bytes(), from.data(), nullptr, event);
      },
      "writing the vector of a round");
}

/// Enqueues a kernel that begins a state which neither halts nor concludes rounds.
void begin(const SolverPlans& plans, runtime::Submission& submission, const cl::Buffer& state,
           std::size_t n, const cl::Buffer& p) {
  runtime::Kernel& kernel = plans.begin->kernel();
  submission.launch(kernel, cover(n, kernel), state, DeviceLimits<double>{}, cl_ulong{n}, p);
}

}  // namespace

LocalPass::LocalPass(const char* operation, const detail::Operand& rows, const RowRange& range,
                     double tolerance)
    : operation_(operation),
      rows_(rows),
      range_(range),
      plans_(checked_plans(*rows.stream, rows.type, range.n,
                           {.tolerance = tolerance, .accumulator = Accumulator::float64})),
      flushes_(!runtime::capabilities(*rows.stream).has_float_denormals),
      products_(range.count),
      ratios_(range.count) {}

void LocalPass::run_first(std::span<const double> v) {
  try {
    run(v, true);
  } catch (const BadRow& bad) {
    throw offence_in(operation_, rows_, bad.row, range_.first);
  }
}
void LocalPass::run(std::span<const double> v) { run(v, false); }

void LocalPass::run(std::span<const double> v, bool validates) {
  const auto [n, first, count] = range_;
  runtime::Submission submission(*rows_.stream, {{rows_.memory.get(), runtime::Access::read}});
  auto& host = submission.host_memory<HostMemory>();
  host.vector.assign(v.begin(), v.end());
  host.products.resize(count);
  host.ratios.resize(count);
  const auto scratch = [&](std::size_t numbers) {
    return submission.lasting_scratch(numbers * sizeof(double), "vectors of a round");
  };
  const cl::Buffer p = scratch(n), q = scratch(count), s = scratch(count);
  cl::Buffer state = neutral_state(submission.stream(), kWide);
  if (validates) {
    state = submission.lasting_scratch(host.state.size(), "the state of a round");
    begin(plans_, submission, state, n, p);
  }
  write(submission, host.vector, p);
  const kernels::Plan& plan = validates ? *plans_.validating_round : *plans_.pass;
  implicit_round_table().enqueue(plan,
                                 {.step = {rows_.type, n, &state},
                                  .a = matrix_argument(rows_),
                                  .p = &p,
                                  .q = &q,
                                  .s = &s,
                                  .local_rows = LocalRows{count, first}},
                                 submission);
  constexpr const char* kReading = "reading the results of a round";
  if (validates) submission.read_async(state, 0, host.state, kReading);
  submission.read_async(q, 0, std::as_writable_bytes(std::span(host.products)), kReading);
  submission.read(s, 0, std::as_writable_bytes(std::span(host.ratios)), kReading);
  submission.finish();
  if (validates) {
    const RoundState found = state_of(host.state, kWide);
    if (found.bad_row != kNoRow) throw BadRow{found.bad_row};
    has_zeros_ = found.has_zeros;
    flushes_ |= found.flushes;
  }
  products_ = host.products;
  ratios_ = host.ratios;
  precision_ = precision_of(plan.mode.accumulator, rows_.type, n, flushes_);
}

Certificate LocalPass::certificate(std::span<const double> v) const {
  const auto [n, first, count] = range_;
  Evidence evidence = evidence_of(v.subspan(first, count), ratios_);
  if (evidence.unproven_row) {
    throw UnsupportedError(
        operation_,
        fmt::format("{} computes wrong: the ratio of row {} is {}",
                    rows_.stream->context().device().info.name, first + *evidence.unproven_row,
                    ratios_[*evidence.unproven_row]),
        ErrorCode::failed_check);
  }
  // A row's sum has n products, with components of the whole vector.
  evidence.size = n;
  const auto [minimum, largest] = std::ranges::minmax(v);
  evidence.minimum = minimum;
  evidence.largest = largest;
  return certify(evidence, precision_).value();
}

double LocalPass::residual(std::span<const double> v, double value) const {
  const double upper = certificate(v).upper;
  if (!(value > 0) || !std::isfinite(upper)) return std::numeric_limits<double>::infinity();
  const double largest = std::ranges::max(v);
  // The rounding errors of the ratios grow with these.
  const double error = upper - std::ranges::max(ratios_);
  double deviation = 0;
  for (std::size_t i = 0; i < range_.count; i++) {
    const double component = v[range_.first + i] / largest;
    deviation = std::max(deviation, std::fabs(ratios_[i] - value) * component);
  }
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  return (deviation + error) / value * (1 + kRounding);
}

}  // namespace tessera::inline v0::eigen
