// The check of an implicit round: in any accumulator, with and without validation.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eigen/implicit_round_call.hpp"
#include "eigen/precision.hpp"
#include "eigen/reference.hpp"
#include "eigen/report.hpp"
#include "eigen/round_check.hpp"
#include "kernels/table.hpp"
#include "operands/element.hpp"
#include "reference/guarded.hpp"
#include "reference/judge.hpp"
#include "reference/output.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::eigen {
namespace {

using reference::Judge;
using runtime::Access;

constexpr std::size_t kGuard = 64;

/// The element that a validating round has to find among positive elements, if any.
enum class Odd { nothing, zero, negative, not_a_number };

double odd_element(Odd kind) {
  if (kind == Odd::zero) return 0;
  return kind == Odd::negative ? -1 : NAN;
}

/// Wide numbers as the words of a matrix, which are compared as bits.
using Words = std::vector<std::int32_t>;

Words words_of(std::span<const std::byte> bytes) {
  Words words(bytes.size() / sizeof(std::int32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// A vector of wide numbers for a round to write, poisoned, with more poison behind it.
class Written {
 public:
  Written(const Engine& engine, std::size_t n, Wide wide)
      : wide_(wide),
        words_(n * kWideSize / sizeof(std::int32_t)),
        device_(engine, words_ + kGuard, 1, Words(words_ + kGuard, kNaN)) {}

  const detail::Operand& operand() const { return detail::operand(device_); }
  std::vector<double> values() {
    const Words words = device_.block(0, 0, words_, 1).to_host();
    return doubles_of(std::as_bytes(std::span(words)), wide_);
  }
  bool is_guard_intact() {
    const Words guard = device_.block(words_, 0, kGuard, 1).to_host();
    return std::ranges::all_of(guard, [](std::int32_t word) { return word == kNaN; });
  }

 private:
  /// A float, or half of a double, that is not a number.
  static constexpr std::int32_t kNaN = 0x7ffc0000;

  Wide wide_;
  std::size_t words_;
  Matrix<std::int32_t> device_;
};

const cl::Buffer& buffer_of(const detail::Operand& of) { return of.memory->buffer(); }

/// A run, and the state that it leaves.
struct Round {
  KernelRun ran;
  RoundState state;
};

/// Runs a round on a state of its own. `a` has all rows, or these.
Round run_round(const Engine& engine, const Problem& problem, const kernels::SharedPlan& plan,
                const detail::Operand& a, const detail::Operand& p, const detail::Operand& q,
                const detail::Operand& s, const std::optional<LocalRows>& local_rows = {}) {
  runtime::Stream& stream = runtime::stream_of(engine);
  runtime::Submission submission(stream, {{a.memory.get(), Access::read},
                                          {p.memory.get(), Access::read},
                                          {q.memory.get(), Access::write},
                                          {s.memory.get(), Access::write}});
  const Wide wide = wide_of(plan->mode.accumulator);
  std::vector<std::byte> state = initial_state(wide);
  const cl::Buffer on_device = submission.scratch(state.size(), "the state of a round");
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueWriteBuffer(on_device, CL_TRUE, 0, state.size(), state.data(), nullptr, event);
      },
      "writing the state of a round");
  kernels::enqueue(*plan,
                   ImplicitRoundCall{.step = {problem.types.a, problem.m, &on_device},
                                     .a = matrix_argument(a),
                                     .p = &buffer_of(p),
                                     .q = &buffer_of(q),
                                     .s = &buffer_of(s),
                                     .local_rows = local_rows},
                   submission);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(on_device, CL_TRUE, 0, state.size(), state.data(), nullptr, event);
      },
      "reading the state of a round");
  KernelRun ran = kernels::finish(submission, plan);
  return {std::move(ran), state_of(state, wide)};
}

/// Expects from a round of some rows what a round of all rows has computed, bit for bit.
void judge_local_rows(const Engine& engine, const Problem& problem, const kernels::SharedPlan& plan,
                      const detail::Operand& a, const detail::Operand& p,
                      std::span<const double> products, std::span<const double> ratios,
                      Judge& judge) {
  const std::size_t n = problem.m, first = n / 3, count = divide_up(n - first, 2);
  const Wide wide = wide_of(plan->mode.accumulator);
  Written q(engine, n, wide), s(engine, n, wide);
  run_round(engine, problem, plan, detail::block(a, first, 0, count, n), p, q.operand(),
            s.operand(), LocalRows{count, first});
  const auto same = [&](std::span<const double> of_all, const std::vector<double>& of_some) {
    return std::ranges::equal(of_all.subspan(first, count), std::span(of_some).first(count)) &&
           std::ranges::all_of(std::span(of_some).subspan(count),
                               [](double number) { return std::isnan(number); });
  };
  judge.expect(same(products, q.values()) && same(ratios, s.values()),
               "a round of some rows computed other numbers than a round of all");
  judge.expect(q.is_guard_intact() && s.is_guard_intact(), reference::kOutsideWritten);
}

/// Runs a round with one odd element at a random place, and compares all that it computes.
KernelRun judge_round(const Engine& engine, const CheckCase& check_case,
                      const kernels::SharedPlan& plan, Wide wide, Odd odd, std::mt19937_64& random,
                      Judge& judge) {
  const Problem& problem = check_case.problem;
  const ElementType type = problem.types.a;
  const std::size_t n = problem.m, odd_row = random() % n;
  auto elements = reference::uniform_elements(type, n * n, random, 0.01, 2);
  if (odd != Odd::nothing) elements[odd_row * n + random() % n] = odd_element(odd);
  const auto p_bytes =
      vector_of(reference::uniform_elements(ElementType::float64, n, random, 0.1, 3), wide);
  const auto vector = doubles_of(p_bytes, wide);
  const reference::Guarded a(engine, type, n, n, check_case.strided, elements);
  const Matrix<std::int32_t> p(engine, words_of(p_bytes).size(), 1, words_of(p_bytes));
  Written q(engine, n, wide), s(engine, n, wide);
  auto [ran, state] =
      run_round(engine, problem, plan, a.operand(), detail::operand(p), q.operand(), s.operand());
  const bool is_bad = odd == Odd::negative || odd == Odd::not_a_number;
  const auto products = q.values(), ratios = s.values();
  const double relative = relative_error(detail::Access::state(ran)->mode.accumulator, n);
  for (std::size_t i = 0; i < n; i++) {
    if (is_bad && i == odd_row) continue;
    const double* const row = elements.data() + i * n;
    const auto right = reference_round(i, vector, relative, [&](std::size_t j) { return row[j]; });
    judge.compare(products[i], right.product);
    judge.compare(ratios[i], right.ratio);
  }
  if (odd == Odd::nothing) {
    judge_local_rows(engine, problem, plan, a.operand(), detail::operand(p), products, ratios,
                     judge);
  }
  const auto bad_row = is_bad ? static_cast<cl_uint>(odd_row) : kNoRow;
  judge.expect(state.bad_row == bad_row, "a row with a bad element was not reported");
  judge.expect(state.has_zeros == (odd == Odd::zero), "a zero was not reported");
  judge.expect(
      q.is_guard_intact() && s.is_guard_intact() && a.intact() && p.to_host() == words_of(p_bytes),
      reference::kOutsideWritten);
  return ran;
}

}  // namespace

CheckResult check_implicit_round(const Engine& engine, const CheckCase& check_case,
                                 const kernels::SharedPlan& plan) {
  return runtime::with_opencl_errors(
      [&] {
        const Mode mode = kernels::resolved(check_case.problem.mode, engine.device());
        const Wide wide = wide_of(mode.accumulator);
        std::mt19937_64 random(check_case.seed);
        Judge judge;
        const auto judged = [&](Odd odd) {
          return judge_round(engine, check_case, plan, wide, odd, random, judge);
        };
        KernelRun ran = judged(Odd::nothing);
        if (mode.validate) {
          for (const Odd odd : {Odd::zero, Odd::negative, Odd::not_a_number}) judged(odd);
        }
        return judge.finish(std::move(ran));
      },
      [] { return std::string("implicit_round"); });
}

}  // namespace tessera::inline v0::eigen
