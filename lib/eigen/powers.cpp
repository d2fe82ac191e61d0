// Repeated squaring by the multiply operation, in double: k products are 2^k rounds.
#include "eigen/powers.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "eigen/implicit_round.hpp"
#include "eigen/solver_kernels.hpp"
#include "multiply/variants.hpp"

namespace tessera::inline v0::eigen {
namespace {

constexpr ElementType kDouble = ElementType::float64;

SharedPlan step(runtime::Stream& stream, ElementType type, const char* name) {
  return kernels::plan(stream, solver_kernels(), type, {name, {{"WIDE", 1}}});
}

}  // namespace

PowerPlans::PowerPlans(runtime::Stream& stream, ElementType type, const kernels::Plan& chosen)
    : copy(step(stream, type, "power")),
      product(kernels::plan(stream, multiplication::multiply_table().operation(), kDouble, {})),
      round(kernels::plan(stream, implicit_round_table().operation(), kDouble,
                          {chosen.variant->name, {{"WIDE", 1}}})),
      begin(step(stream, kDouble, "begin")),
      conclude(step(stream, kDouble, "conclude")) {}

PowerMemory allocate_powers(runtime::Stream& stream, std::size_t n) {
  const auto one = [&] { return stream.allocate(n * n * sizeof(double), "a power of the matrix"); };
  return {one(), one()};
}

Powers::Powers(runtime::Submission& submission, const PowerPlans& plans, const PowerMemory& memory,
               const MatrixArgument& a, std::size_t n, double upper)
    : submission_(&submission),
      plans_(&plans),
      n_(n),
      power_(memory),
      state_(submission.scratch(sizeof(Report<double>), "the state of powers")) {
  submission.launch(plans.begin->kernel(), {{1, 1}, {1, 1}}, state_, cl_ulong{0}, state_);
  const double scale = std::ldexp(1.0, -1 - std::ilogb(upper));
  slices(n, 1, [&](std::size_t first, std::size_t count) {
    submission.launch(plans.copy->kernel(), {{divide_up(n, 64), count}, {64, 1}}, cl_ulong{n},
                      cl_ulong{first}, *a.buffer, a.at, scale, power_[0]->buffer());
  });
}

void Powers::square(const cl::Buffer& p, const cl::Buffer& q, const cl::Buffer& ratios) {
  // Rounds go on whatever their bounds; only an underflow halts them.
  constexpr cl_uint kNever = std::numeric_limits<cl_uint>::max();
  constexpr Limits<double> kEndless = {-1, 0, kNever, kNever, kBatch, kNever};
  const multiplication::Layout dense{0, n_, 1};
  const multiplication::Operand power{power_[0].get(), dense}, squared{power_[1].get(), dense};
  multiplication::multiply_table().enqueue(*plans_->product,
                                           {kDouble,
                                            {n_, n_, n_},
                                            runtime::value_of(1.0),
                                            runtime::value_of(0.0),
                                            power,
                                            power,
                                            squared},
                                           *submission_);
  std::swap(power_[0], power_[1]);
  const cl::Buffer& present = power_[0]->buffer();
  implicit_round_table().enqueue(
      *plans_->round, {{kDouble, n_, &state_}, dense_matrix(present, n_), &p, &q, &ratios},
      *submission_);
  submission_->launch(plans_->conclude->kernel(), {{1, 1}, {plans_->conclude->size("GROUP"), 1}},
                      state_, kEndless, 0x1p-1000, cl_ulong{n_}, ratios, q);
  submission_->launch(plans_->copy->kernel("_scale"), cover(n_ * n_, {64, 1}), state_,
                      cl_ulong{n_ * n_}, present);
}

void Powers::read(State<double>& state) {
  submission_->command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(state_, CL_FALSE, 0, sizeof state, &state, nullptr, event);
      },
      "reading the state of powers");
}

}  // namespace tessera::inline v0::eigen
