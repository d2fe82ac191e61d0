// Plans of products: made once, and run with any operands of their types, shapes and transposes.
#include "tessera/plan.hpp"

#include <fmt/format.h>

#include <complex>
#include <optional>
#include <string>
#include <utility>

#include "kernels/expected_time.hpp"
#include "kernels/planner.hpp"
#include "multiply/product_function.hpp"
#include "multiply/run.hpp"
#include "multiply/table.hpp"
#include "multiply/vector_table.hpp"
#include "runtime/capabilities.hpp"
#include "runtime/opencl_error.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using multiplication::Call;
using multiplication::MakeCall;

/// A product as a matrix times a vector, if it is one.
Call make_vector_form(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
                      const MultiplyOptions& options) {
  Call call = multiplication::make_call(c, a, b, options);
  if (auto vector = multiplication::as_matrix_vector(call)) return std::move(*vector);
  return call;
}

/// "multiply float 8 x 4 x 6"
std::string description(const Problem& problem) {
  const auto& vector = multiplication::matrix_vector_table().operation();
  return kernels::describe(
      problem.operation == vector.name ? vector : multiplication::multiply_table().operation(),
      problem);
}

}  // namespace

struct detail::PlanState {
  const kernels::Operation* operation;
  MakeCall make;
  std::shared_ptr<runtime::Stream> stream;  // keeps the context alive
  Problem problem;
  kernels::SharedPlan plan;                       // null if the problem is empty
  std::shared_ptr<runtime::Program> copies = {};  // of the real form, if the plan is for it
  std::uint64_t scratch_bytes = 0;
  std::optional<double> expected_seconds = {};
};

namespace {

using detail::PlanState;

/// True if a plan for `other` serves `one`, whose operands are `k` deep.
bool is_alike(const Problem& one, std::size_t k, const Problem& other) {
  return one.operation == other.operation && one.types == other.types && one.m == other.m &&
         one.n == other.n && k == other.k && one.batch == other.batch && one.op_a == other.op_a &&
         one.op_b == other.op_b;
}

std::uint64_t scratch_bytes(const PlanState& state, const Call& call) {
  runtime::ScratchTally tally;
  runtime::Submission rehearsal(*state.stream, tally);
  if (state.copies) {
    Call largest = call;
    largest.problem.alpha = std::complex(0.0, 1.0);  // takes scratch memory for c, too
    multiplication::RealForm(largest, state.copies).enqueue(*state.plan, rehearsal);
  } else {
    kernels::enqueue(*state.plan, call, rehearsal);
  }
  return tally.bytes;
}

Plan make_plan(const kernels::Table<Call>& table, MakeCall make, const detail::Batch& c,
               const detail::Batch& a, const detail::Batch& b, MultiplyOptions options) {
  // No run reads less than this one.
  options.alpha = options.beta = 1;
  const Call call = make(c, a, b, options);
  auto state = std::make_shared<PlanState>(
      PlanState{&table.operation(), make, c.first.stream, call.problem, nullptr});
  state->problem.beta = 0;
  runtime::Stream& stream =
      runtime::stream_for(table.operation().name.c_str(), options.stream, *c.first.stream);
  runtime::with_opencl_errors(
      [&] {
        if (call.is_empty())
          return kernels::check_choice(stream, *state->operation, call.problem, options.kernel);
        if (&table == &multiplication::multiply_table() && options.kernel == KernelChoice{} &&
            multiplication::runs_as_real(call.problem, runtime::capabilities(stream)))
          state->copies = multiplication::program_of_copies(stream, call.types());
        Problem problem =
            state->copies ? multiplication::RealForm(call, state->copies).problem() : call.problem;
        problem.beta = 0;
        state->plan = kernels::plan(stream, *state->operation, problem, options.kernel);
        state->scratch_bytes = scratch_bytes(*state, call);
        state->expected_seconds =
            kernels::expected_seconds(stream, *state->operation, problem, *state->plan);
      },
      [&] { return table.operation().name; });
  return detail::Access::make<Plan>(std::shared_ptr<const PlanState>(std::move(state)));
}

}  // namespace

Plan detail::plan_multiply(const Batch& c, const Batch& a, const Batch& b,
                           const MultiplyOptions& options) {
  if (options.kernel == KernelChoice{} &&
      multiplication::as_matrix_vector(multiplication::make_call(c, a, b, options)))
    return make_plan(multiplication::matrix_vector_table(), make_vector_form, c, a, b, options);
  return make_plan(multiplication::multiply_table(), multiplication::make_call, c, a, b, options);
}

Plan detail::plan_matrix_vector(const Operand& y, const Operand& a, const Operand& x,
                                const MultiplyOptions& options) {
  return make_plan(multiplication::matrix_vector_table(), multiplication::make_vector_call_of, {y},
                   {a}, {x}, options);
}

KernelRun Plan::run(const detail::Batch& c, const detail::Batch& a, const detail::Batch& b,
                    const RunOptions& options) const {
  Call call = state_->make(
      c, a, b,
      {.alpha = options.alpha, .beta = options.beta, .accuracy = state_->problem.mode.accuracy});
  // An alpha of 0 has made the sum empty.
  const std::size_t k = call.problem.alpha == 0 ? state_->problem.k : call.problem.k;
  if (!is_alike(call.problem, k, state_->problem)) {
    throw ArgumentError(
        ErrorCode::invalid_value,
        fmt::format("Plan::run: the operands need a plan for {}; this one is for {}",
                    description(call.problem), description(state_->problem)));
  }
  if (&c.first.stream->context() != &state_->stream->context())
    throw ArgumentError(ErrorCode::wrong_context,
                        "Plan::run: the operands are of another context than the plan's");
  return runtime::with_opencl_errors(
      [&] {
        runtime::Stream& stream = runtime::stream_for("Plan::run", options.stream, *c.first.stream);
        std::optional<multiplication::RealForm> real;
        if (state_->copies) real.emplace(call, state_->copies);
        return multiplication::run_plan(state_->plan, stream, call, options.wait_for,
                                        real ? &*real : nullptr);
      },
      [&] { return state_->operation->name; });
}

const Problem& Plan::problem() const { return state_->problem; }

namespace {

const std::string kNothing;
const Parameters kNoParameter;

}  // namespace

const std::string& Plan::variant() const {
  return state_->plan ? state_->plan->variant->name : kNothing;
}
const Parameters& Plan::parameters() const {
  return state_->plan ? state_->plan->parameters : kNoParameter;
}
const std::string& Plan::reason() const { return state_->plan ? state_->plan->reason : kNothing; }
std::uint64_t Plan::scratch_bytes() const { return state_->scratch_bytes; }
std::optional<double> Plan::expected_seconds() const { return state_->expected_seconds; }

}  // namespace tessera::inline v0
