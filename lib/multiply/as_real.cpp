// The real form of a complex product, and the copies that it needs.
#include "multiply/as_real.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kernels/table.hpp"
#include "multiply/gpu/choice.hpp"
#include "operands/element.hpp"
#include "operands/grid.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::multiplication {
namespace {

using operands::divide_up;
using operands::part_type;
using operands::round_up;

/// Numbers between the rows of the expanded B, which begin at multiples of 16 bytes.
std::size_t pitch_of(const Problem& problem) {
  constexpr std::size_t kRun = 4;
  return round_up(2 * problem.n, kRun);
}

bool copies_a(const Problem& problem) { return is_transposed(problem.op_a); }

runtime::Grid grid_of(const DeviceInfo& device, std::size_t rows, std::size_t columns,
                      std::size_t batch) {
  constexpr std::size_t kRows = 8;  // of a work-item
  const std::size_t width = std::min<std::size_t>(64, device.max_work_group);
  return {
      {divide_up(columns, width), std::min(divide_up(rows, kRows), operands::kMaxGroups), batch},
      {width, 1}};
}

/// A matrix of complex values as one of their parts.
Layout parts_of(const Layout& at) { return {2 * at.offset, 2 * at.row, 1, 2 * at.batch}; }

bool has_complex_factor(const Problem& problem) {
  return problem.alpha.imaginary() != 0 || problem.beta.imaginary() != 0;
}

Call real_call(const Call& call) {
  Call real = call;
  Problem& problem = real.problem;
  const ElementType type = part_type(call.types().a);
  const std::size_t pitch = pitch_of(call.problem);
  real.shape = {call.shape.m, 2 * call.shape.n, 2 * call.shape.k};
  real.a.at = copies_a(call.problem)
                  ? Layout{0, 2 * call.shape.k, 1, call.shape.m * 2 * call.shape.k}
                  : parts_of(call.a.at);
  real.b.at = {0, pitch, 1, 2 * call.shape.k * pitch};
  const bool is_scaled_after = has_complex_factor(call.problem);
  real.c.at = is_scaled_after ? Layout{0, 2 * call.shape.n, 1, call.shape.m * 2 * call.shape.n}
                              : parts_of(call.c.at);
  problem = in_parts(call.problem);
  const auto stride = [](std::size_t row, std::size_t width) { return row == width ? 0 : row; };
  problem.leading_dimensions = {stride(real.a.at.row, problem.k), stride(pitch, problem.n),
                                stride(real.c.at.row, problem.n)};
  problem.batch_strides = {real.a.at.batch, real.b.at.batch, real.c.at.batch};
  problem.offsets = {operands::unaligned_part(real.a.at.offset, type), 0,
                     operands::unaligned_part(real.c.at.offset, type)};
  if (is_scaled_after) {
    problem.alpha = 1;
    problem.beta = 0;
  }
  real.alpha = operands::value_of(problem.alpha, type);
  real.beta = operands::value_of(problem.beta, type);
  return real;
}

}  // namespace

bool runs_as_real(const Problem& problem, const DeviceCapabilities& device) {
  constexpr double kSmall = 32 * 32 * 32;
  constexpr std::size_t kFewRows = 8;
  const auto real = [](std::size_t number) { return static_cast<double>(number); };
  if (device.type == DeviceType::cpu) return false;
  if (!is_complex(problem.types.a) || problem.m < kFewRows) return false;
  const double batch = real(problem.batch), m = real(problem.m), n = real(problem.n),
               k = real(problem.k);
  if (batch * m * n * k < kSmall || complex_kernel(device, problem)) return false;
  const double number = real(element_size(part_type(problem.types.a))),
               of_b = batch * 2 * k * real(pitch_of(problem)) * number,
               of_a = copies_a(problem) ? batch * m * 2 * k * number : 0,
               of_c = batch * m * 2 * n * number;  // if it is scaled after
  constexpr double kShare = 0.25;                  // of all memory: there are the operands, too
  return std::max({of_a, of_b, of_c}) <= real(device.max_allocation) &&
         of_a + of_b + of_c <= kShare * real(device.global_memory);
}

std::shared_ptr<runtime::Program> program_of_copies(runtime::Stream& stream,
                                                    const ProductTypes& types) {
  return stream.context().programs().get("operands/as_real.cl", operands::element_option(types));
}

RealForm::RealForm(const Call& call, std::shared_ptr<runtime::Program> program)
    : complex_(&call), real_(real_call(call)), program_(std::move(program)) {}

void RealForm::enqueue(const kernels::Plan& plan, runtime::Submission& submission) const {
  const auto& [problem, shape, alpha, beta, a, b, c] = *complex_;
  const auto& [m, n, k] = shape;
  const DeviceInfo& device = submission.stream().context().device().info;
  const std::size_t batch = problem.batch;
  Call real = real_;
  const auto make_copy = [&](operands::Operand& of) {
    of.copy = submission.scratch(batch * of.at.batch * real.number_size(), "a complex product");
  };
  if (k > 0) {
    make_copy(real.b);
    submission.launch(program_->kernel("operands_expand"), grid_of(device, k, n, batch), k, n,
                      static_cast<cl_uint>(is_conjugated(problem.op_a)),
                      static_cast<cl_uint>(is_conjugated(problem.op_b)), b.buffer(), b.at,
                      *real.b.copy, real.b.at.row / 2, real.b.at.batch / 2);
  }
  if (k > 0 && copies_a(problem)) {
    make_copy(real.a);
    submission.launch(program_->kernel("operands_gather"), grid_of(device, m, k, batch), m, k,
                      a.buffer(), a.at, *real.a.copy);
  }
  if (has_complex_factor(problem)) make_copy(real.c);
  kernels::enqueue(plan, real, submission);
  if (has_complex_factor(problem)) {
    submission.launch(program_->kernel("operands_update"), grid_of(device, m, n, batch), m, n,
                      alpha, *real.c.copy, beta, c.buffer(), c.at);
  }
}

}  // namespace tessera::inline v0::multiplication
