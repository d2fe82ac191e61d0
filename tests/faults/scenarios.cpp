// Scenarios: their code, and the values that they expect.
#include "scenarios.hpp"

#include <exception>
#include <functional>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

#include "data_scenarios.hpp"
#include "fault.hpp"
#include "operations.hpp"
#include "support/folder.hpp"
#include "support/one_rank.hpp"
#include "support/plan_of.hpp"
#include "support/variable.hpp"
#include "tuning/measure.hpp"

namespace tessera::test {
namespace {

/// Opens a device and builds a program, from its source if there is no cache.
void build_and_multiply(const Engine&) {
  const Engine engine;
  const Matrix<float> a(engine, 2, 2, kElements);
  expect(multiply(a, a, {.kernel = {"naive", {}}}).to_host() == kSquare);
}

/// The same into an empty cache, and from it.
void build_into_cache(const Engine& engine) {
  const Folder folder;
  const Variable cache("TESSERA_CACHE", folder.path().string());
  build_and_multiply(engine);
  build_and_multiply(engine);
}

/// One variant, or the one that is taken where none is named; with profiling, and what asks whether
/// it runs.
void multiply_by(const VariantInfo* variant, const Engine& engine) {
  const Matrix<float> a(engine, 2, 2, kElements);
  if (variant != nullptr && !variant->runs_on(engine, ElementType::float32)) return;
  const auto c = multiply(a, a, {.kernel = {variant != nullptr ? variant->name() : "", {}}});
  expect(c.to_host() == kSquare);
  expect(c.ran.seconds().has_value());
}

/// Runs a kernel that one small problem checks first.
void sum_rows(const Engine& engine) {
  const Matrix<float> a(engine, 2, 2, kElements);
  Matrix<float> s(engine, 2, 1);
  row_sum(s.view(), a.block(0, 0, 2, 2));
  expect(s.to_host() == std::vector<float>{3, 7});
}

/// A vector whose elements are not adjacent is copied first.
void multiply_by_vector(const Engine& engine) {
  const Matrix<float> a(engine, 2, 2, kElements);
  expect(matrix_vector(a, a.block(0, 1, 2, 1)).to_host() == std::vector<float>{10, 22});
}

/// Multiplies by columns, and adds to the result's old elements.
void multiply_by_transposed(const Engine& engine) {
  const Matrix<double> a(engine, {{1, 2}, {3, 4}}), x(engine, {{1}, {1}});
  Matrix<double> y(engine, {{1}, {1}});
  matrix_vector_into(y, a.transposed(), x, {.beta = 2});
  expect(y.to_host() == std::vector<double>{6, 8});
}

/// On whatever path is quickest.
void multiply_bounded(const Engine& engine) {
  const Matrix<float> a(engine, 2, 2, kElements);
  Matrix<float> c(engine, 2, 2, kElements);
  multiply_into(c, a, a.transposed(), {.alpha = 2, .beta = 1, .accuracy = Accuracy::bounded});
  expect(c.to_host() == std::vector<float>{11, 24, 25, 54});
}

/// Elements of the other types, in a batch of one launch.
template <class T>
void multiply_batch(const Engine& engine) {
  const std::vector<T> elements = {T(1), T(2), T(3), T(4), T(2), T(0), T(0), T(2)};
  const Matrix<T> a(engine, 4, 2, elements);
  const auto c = multiply_batched(batch_of(a, 2), batch_of(a, 2));
  const auto found = c.to_host();
  const std::vector<float> expected = {7, 10, 15, 22, 4, 0, 0, 4};
  for (std::size_t i = 0; i < expected.size(); i++)
    expect(static_cast<float>(found.at(i)) == expected[i]);
}

/// Adds and copies between two products.
void add_and_copy(const Engine& engine) {
  const Matrix<float> a(engine, 2, 2, kElements);
  Matrix<float> c(engine, 2, 3);
  fill(c, 1);
  copy_into(c.block(0, 0, 2, 2), a);
  add_into(c, c, c.block(0, 2, 2, 1) * 2);
  expect(row_sums(c).to_host() == std::vector<float>{10, 14});
}

/// A solve by one of the methods.
void solve(EigenMethod method, Acceleration acceleration, const Engine& engine) {
  const Matrix<float> a(engine, {{1, 1, 2}, {2, 1, 3}, {2, 3, 5}});
  const bool restarts = acceleration == Acceleration::krylov;
  const auto pair = dominant_eigenpair(a, {.method = method,
                                           .tolerance = 2e-15,
                                           .max_rounds = restarts ? 20u : 2u,
                                           .acceleration = acceleration});
  expect(pair.lower <= 7.5311289 && 7.5311288 <= pair.upper);
  expect(pair.vector.to_host().at(2) == 1);
}

/// Rounds that are summed otherwise.
template <class T>
void solve_summed(Accumulator accumulator, const Engine& engine) {
  const auto pair =
      dominant_eigenpair(Matrix<T>(engine, {{2, 1}, {1, 2}}), {.accumulator = accumulator});
  expect(pair.converged && pair.lower <= 3 && 3 <= pair.upper);
}

/// Rounds that turn out slow, and continue from a better vector.
void solve_slow(const Engine& engine) {
  const Matrix<float> a(engine, {{1, 1e-4f}, {2e-4f, 1}});
  const auto pair = dominant_eigenpair(a, {.tolerance = 1e-8});
  expect(pair.converged && pair.rounds < 64);
  expect(pair.lower <= 1.00014142136 && 1.00014142135 <= pair.upper);
}

/// A left eigenvector, in two rounds.
void solve_transposed(const Engine& engine) {
  const Matrix<float> a(engine, {{1, 2, 2}, {1, 1, 3}, {2, 3, 5}});
  const auto pair = dominant_eigenpair(a.transposed(), {.tolerance = 2e-15, .max_rounds = 2});
  expect(pair.lower <= 7.5311289 && 7.5311288 <= pair.upper);
}

/// A matrix of double with two irreducible classes, which rounds alone do not solve.
void solve_reducible(const Engine& engine) {
  const Matrix<double> a(engine, {{3, 1}, {0, 2}});
  const auto pair = dominant_eigenpair(a, {.tolerance = 1e-3});
  expect(pair.converged && pair.lower <= 3 && 3 <= pair.upper);
}

/// Rounds and a certificate of a distributed matrix.
void solve_distributed(const Engine& engine) {
  const Matrix<double> a(engine, {{2, 1}, {1, 3}});
  OneRank ranks;
  const auto pair = dominant_eigenpair(ranks, a, {.max_rounds = 2});
  const auto proof = certify(ranks, a, pair.vector);
  expect(pair.lower <= 3.618033988 && 3.618033989 <= pair.upper);
  expect(proof.lower <= 3.618033988 && 3.618033989 <= proof.upper);
}

/// Without the first solve's check, whose calls fail in other scenarios: it has two hundred.
std::function<void(const Engine&)> unchecked(std::function<void(const Engine&)> run) {
  return [run = std::move(run)](const Engine& engine) {
    const Variable off("TESSERA_SELF_CHECK", "off");
    run(engine);
  };
}

/// The operations of the pipeline, by their defaults.
void run_stages(const Engine& engine) {
  Matrix<float> a(engine, {{1, 2}, {3, 4}}), s(engine, 2, 1), maximum(engine, 1, 1);
  Matrix<std::int32_t> agree(engine, 1, 1);
  row_sum(s, a);
  vector_max(maximum, s);
  similarity_transform(a, a, s);
  stop(agree, s, 5);
  expect(s.to_host() == std::vector<float>{3, 7} && maximum.to_host() == std::vector<float>{7});
  expect(agree.to_host() == std::vector<std::int32_t>{1});
}

void run_rounds(const Engine& engine) {
  const Matrix<double> a(engine, {{1, 2}, {3, 4}}), p(engine, {{1}, {1}}), s(engine, {{3}, {7}}),
      maximum(engine, {{7}});
  Matrix<double> b(engine, 2, 2), t(engine, 2, 1), q(engine, 2, 1), ratios(engine, 2, 1),
      bounds(engine, 2, 1), v(engine, {{7}, {1}});
  row_bounds(bounds, s);
  eigenvector(v, s, maximum);
  fused_round(b, t, a, s);
  implicit_round(q, ratios, a, p);
  expect(bounds.to_host() == std::vector<double>{3, 7} && v.to_host() == std::vector<double>{3, 1});
  expect(ratios.to_host() == std::vector<double>{3, 7} && q.to_host() == ratios.to_host());
  expect(b.to_host()[3] == 4);
}

/// What a tuner's worker does with a kernel before it is timed, and at last.
void try_kernel(const char* operation, const Engine& engine) {
  const Problem problem{.operation = operation, .m = 5, .n = 5, .k = 5};
  const KernelChoice kernel{problem.operation == "multiply" ? "row_tile" : "row_per_group", {}};
  tuning::Measurement measurement(engine, problem, tuning::kPolicy, [](tuning::WorkerStep) {});
  const Trial built = measurement.build(kernel);
  if (built.outcome != Outcome::ok) throw Error(ErrorCode::build_failed, built.reason);
  const kernels::Operation& row = find_operation(operation);
  expect(row.workload(engine, problem, 1)->check(plan_of(engine, problem, kernel)).empty());
  expect(check(engine, row.final_cases(problem, {}, 1).front(), kernel).failure.empty());
}

}  // namespace

Engine new_engine() {
  static const Engine application(EngineOptions{.profiling = true, .profile = "off"});
  return interop::adopt(interop::queue(application));
}

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all = {{"Build", build_and_multiply, false},
                               {"Cached", build_and_multiply, true},
                               {"IntoCache", build_into_cache, false},
                               {"MatrixVector", multiply_by_vector, true},
                               {"MatrixVector_transposed", multiply_by_transposed, true},
                               {"Bounded", multiply_bounded, true},
                               {"AddAndCopy", add_and_copy, true},
                               {"MoveData", move_data, true},
                               {"MoveMuch", move_much, true},
                               {"MoveMuchBetweenMemories", move_much, true, true},
                               {"HandOver", hand_over, true},
                               {"HandOn", hand_on, true},
                               {"PinnedMemory", use_pinned_memory, true},
                               {"Batch_double", multiply_batch<double>, true},
                               {"Batch_int32", multiply_batch<std::int32_t>, true},
                               {"Batch_half", multiply_batch<half>, true},
                               {"Batch_bfloat16", multiply_batch<bfloat16>, true},
                               {"Batch_int8", multiply_batch<std::int8_t>, true},
                               {"Interop", adopt, true},
                               {"DefaultVariant", std::bind_front(multiply_by, nullptr), true},
                               {"SelfCheck", sum_rows, false}};
  const auto by = [](EigenMethod method, Acceleration acceleration) {
    return std::bind_front(solve, method, acceleration);
  };
  all.push_back({"Eigen_implicit", by(EigenMethod::implicit, Acceleration::none), true});
  all.push_back(
      {"Eigen_two_floats", std::bind_front(solve_summed<float>, Accumulator::two_floats), true});
  all.push_back(
      {"Eigen_compensated", std::bind_front(solve_summed<double>, Accumulator::compensated), true});
  const std::vector<std::pair<std::string, std::function<void(const Engine&)>>> others = {
      {"fused", by(EigenMethod::fused, Acceleration::none)},
      {"explicit", by(EigenMethod::explicit_steps, Acceleration::none)},
      {"krylov", by(EigenMethod::implicit, Acceleration::krylov)},
      {"slow", solve_slow},
      {"transposed", solve_transposed},
      {"reducible", solve_reducible},
      {"distributed", solve_distributed}};
  for (const auto& [name, run] : others) all.push_back({"Eigen_" + name, unchecked(run), true});
  all.push_back({"EigenStages", run_stages, true});
  all.push_back({"EigenRounds", run_rounds, true});
  for (const char* operation : {"multiply", "row_sum"})
    all.push_back({"Tune_" + std::string(operation), std::bind_front(try_kernel, operation), true});
  for (const VariantInfo& variant : operations().front().variants) {
    all.push_back({"Variant_" + variant.name(), std::bind_front(multiply_by, &variant), true});
  }
  return all;
}

std::vector<Scenario> of_lost_devices() {
  std::vector<Scenario> all = scenarios();
  all.push_back({"Download",
                 [](const Engine& engine) {
                   const Matrix<float> a(engine, 100, 100);
                   std::vector<float> elements(9900);
                   a.to_host();
                   a.block(0, 0, 100, 99).to_host(elements);
                 },
                 true});
  all.push_back({"Upload",
                 [](const Engine& engine) {
                   Matrix<float> a(engine, 100, 100, std::vector<float>(10000));
                   a.block(0, 0, 100, 99).upload(std::vector<float>(9900));
                 },
                 true});
  all.push_back({"Probe",
                 [](const Engine& engine) {
                   if (engine.lost()) throw Error(ErrorCode::device_lost, "lost");
                 },
                 true});
  return all;
}

}  // namespace tessera::test
