// The check of an implicit round: in any accumulator, with and without validation.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "eigen/check.hpp"
#include "eigen/device_state.hpp"
#include "eigen/implicit_round.hpp"
#include "eigen/judge.hpp"
#include "eigen/precision.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"
#include "reference/output.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using runtime::Access;

constexpr std::size_t kGuard = 64;

/// What a validating round has to find in its matrix, besides positive elements.
enum class Odd { nothing, zero, negative, not_a_number };

double odd_element(Odd kind) {
  if (kind == Odd::zero) return 0;
  return kind == Odd::negative ? -1 : NAN;
}

/// A vector of wide numbers for a round to write, poisoned, with more poison behind it.
template <class Component>
class Written {
 public:
  Written(const Engine& engine, std::size_t components)
      : components_(components),
        device_(engine, components + kGuard, 1,
                std::vector<Component>(components + kGuard, Component(NAN))) {}

  const detail::Operand& operand() const { return detail::operand(device_); }
  std::vector<double> values() { return doubles_of(device_.block(0, 0, components_, 1).to_host()); }
  bool is_guard_intact() {
    const auto guard = device_.block(components_, 0, kGuard, 1).to_host();
    return std::ranges::all_of(guard, [](Component value) { return std::isnan(value); });
  }

 private:
  std::size_t components_;
  Matrix<Component> device_;
};

const cl::Buffer& buffer_of(const detail::Operand& of) { return of.memory->buffer(); }

/// Runs a round on a state of its own, and reads what the round leaves in it.
template <class Component>
KernelRun run_round(const Engine& engine, const Problem& problem, const kernels::SharedPlan& plan,
                    const detail::Operand& a, const detail::Operand& p, const detail::Operand& q,
                    const detail::Operand& s, State<Component>& state) {
  runtime::Stream& stream = *engine.stream();
  runtime::Submission submission(stream, {{a.memory.get(), Access::read},
                                          {p.memory.get(), Access::read},
                                          {q.memory.get(), Access::write},
                                          {s.memory.get(), Access::write}});
  const cl::Buffer on_device = submission.scratch(sizeof state, "the state of a round");
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueWriteBuffer(on_device, CL_TRUE, 0, sizeof state, &state, nullptr, event);
      },
      "writing the state of a round");
  kernels::enqueue(*plan, ImplicitRoundCall{{problem.types.a, problem.m, &on_device},
                 matrix_argument(a),
                 &buffer_of(p),
                 &buffer_of(q),
                 &buffer_of(s)},
                submission);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(on_device, CL_TRUE, 0, sizeof state, &state, nullptr, event);
      },
      "reading the state of a round");
  auto [started, finished] = submission.finish();
  return {plan, std::move(started), std::move(finished)};
}

/// Runs a round with one odd element at a random place, and compares all that it computes.
template <class Component>
KernelRun judge_round(const Engine& engine, const CheckCase& check_case, const kernels::SharedPlan& plan,
                      Odd odd, std::mt19937_64& random, Judge& judge) {
  const Problem& problem = check_case.problem;
  const ElementType type = problem.types.a;
  const std::size_t n = problem.m, odd_row = random() % n;
  auto elements = numbers(type, n * n, random, 0.01, 2);
  if (odd != Odd::nothing) elements[odd_row * n + random() % n] = odd_element(odd);
  const auto components = components_of<Component>(numbers(ElementType::float64, n, random, 0.1, 3));
  const auto vector = doubles_of(std::vector<Component>(components));
  const reference::Guarded a(engine, type, n, n, check_case.strided, elements);
  const Matrix<Component> p(engine, components.size(), 1, components);
  Written<Component> q(engine, components.size()), s(engine, components.size());
  State<Component> state;
  KernelRun ran = run_round(engine, problem, plan, a.operand(), detail::operand(p),
                            q.operand(), s.operand(), state);
  const bool is_bad = odd == Odd::negative || odd == Odd::not_a_number;
  const auto products = q.values(), ratios = s.values();
  const double relative = relative_error(ran.plan->mode.accumulator, n);
  for (std::size_t i = 0; i < n; i++) {
    if (is_bad && i == odd_row) continue;
    const double* const row = elements.data() + i * n;
    const auto right = reference_round(i, vector, relative, [&](std::size_t j) { return row[j]; });
    judge.compare(products[i], right.product);
    judge.compare(ratios[i], right.ratio);
  }
  const auto bad_row = is_bad ? static_cast<cl_uint>(odd_row) : State<Component>().bad_row;
  judge.expect(state.bad_row == bad_row, "a row with a bad element was not reported");
  judge.expect((state.zeros != 0) == (odd == Odd::zero), "a zero was not reported");
  judge.expect(
      q.is_guard_intact() && s.is_guard_intact() && a.intact() && p.to_host() == components,
      reference::kOutsideWritten);
  return ran;
}

template <class Component>
CheckResult check_round(const Engine& engine, const CheckCase& check_case,
                        const kernels::SharedPlan& plan) {
  std::mt19937_64 random(check_case.seed);
  Judge judge;
  KernelRun ran =
      judge_round<Component>(engine, check_case, plan, Odd::nothing, random, judge);
  if (check_case.problem.mode.validate) {
    for (const Odd odd : {Odd::zero, Odd::negative, Odd::not_a_number})
      judge_round<Component>(engine, check_case, plan, odd, random, judge);
  }
  return judge.finish(std::move(ran));
}

}  // namespace

CheckResult check_implicit_round(const Engine& engine, const CheckCase& check_case,
                                 const kernels::SharedPlan& plan) {
  return runtime::with_opencl_errors(
      [&] {
        const Mode mode = kernels::resolved(check_case.problem.mode, engine.device());
        if (mode.accumulator == Accumulator::two_floats)
          return check_round<float>(engine, check_case, plan);
        return check_round<double>(engine, check_case, plan);
      },
      [] { return std::string("implicit_round"); });
}

}  // namespace tessera::inline v0::eigen
