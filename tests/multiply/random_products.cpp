// Random products, each element judged by the documented bound, for tests/lanes/products.sh.
//   random-products COUNT SEED [FIRST [TYPE]]
// Tries the products FIRST, FIRST + 1, ... of those that SEED gives. The names of their types begin
// with TYPE.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

#include "random_trial.hpp"

namespace tessera::test {
namespace {

/// Candidate: an operation and a variant from which a run draws; without a variant, the library
/// chooses.
struct Candidate {
  std::string operation;
  ProductTypes types = {};
  KernelChoice kernel = {};
  Accuracy accuracy = Accuracy::ieee;
};

/// The types of an operation whose names begin with `type`.
std::vector<ProductTypes> types_of(const std::string& operation, std::string_view type) {
  std::vector<ProductTypes> all = info_of(operation).types;
  std::erase_if(all, [&](const ProductTypes& one) { return !to_string(one).starts_with(type); });
  return all;
}

/// `count` kernels of those that run here, every fourth with random parameters: a compiler needs
/// about a second for each.
std::vector<Candidate> candidates(const Engine& engine, Random& random, std::size_t count,
                                  std::string_view type) {
  std::vector<std::pair<Candidate, const VariantInfo*>> all;
  for (const std::string operation : {"multiply", "matrix_vector"}) {
    const OperationInfo& info = info_of(operation);
    for (const VariantInfo& variant : info.variants) {
      for (const ProductTypes& types : types_of(operation, type)) {
        for (const Accuracy accuracy : {Accuracy::ieee, Accuracy::bounded}) {
          if (!variant.runs_on(engine, types, {.accuracy = accuracy})) continue;
          all.push_back({{operation, types, {variant.name(), {}}, accuracy}, &variant});
          break;
        }
      }
    }
  }
  std::vector<Candidate> chosen;
  while (chosen.size() < count && !all.empty()) {
    const auto one = all.begin() + static_cast<std::ptrdiff_t>(random.below(all.size()));
    chosen.push_back(one->first);
    Candidate& candidate = chosen.back();
    if (chosen.size() % 4 == 0) {
      const auto sets = one->second->configurations(
          engine, candidate.types, Coverage::every_candidate, {.accuracy = candidate.accuracy});
      candidate.kernel.parameters = random.of(sets);
    }
    all.erase(one);
  }
  return chosen;
}

std::size_t random_size(Random& random) {
  const double kind = random.unit();
  if (kind < 0.03) return 0;
  if (kind < 0.1) return 1;
  if (kind < 0.7) return random.between(2, 40);
  if (kind < 0.8) return random.of(std::array<std::size_t, 8>{31, 61, 67, 97, 127, 131, 193, 257});
  return random.between(1, kind < 0.97 ? 130 : 300);
}

/// A shape, its transposes, a batch and scalars.
Problem random_problem(Random& random, const Candidate& candidate) {
  Problem problem{.operation = candidate.operation,
                  .types = candidate.types,
                  .mode = {.accuracy = candidate.accuracy}};
  for (std::size_t* size : {&problem.m, &problem.n, &problem.k}) *size = random_size(random);
  if (random.chance(0.05)) problem.k = random.between(300, 3000);
  if (random.chance(0.05)) (random.chance(0.5) ? problem.m : problem.n) = random.between(300, 3000);
  if (problem.operation == "matrix_vector") {
    problem.n = 1;
  } else if (random.chance(0.15)) {
    problem.batch = random.of(std::array<std::size_t, 5>{0, 2, 3, 5, 17});
  }
  while (problem.m * problem.n * problem.k * problem.batch > 10'000'000) {
    for (std::size_t* size : {&problem.m, &problem.n, &problem.k}) *size = *size / 2 + 1;
  }
  const bool has_parts = is_complex(problem.types.a);
  problem.op_a = op_if(random.chance(0.5), has_parts && random.chance(0.5));
  problem.op_b = op_if(random.chance(0.5), has_parts && random.chance(0.5));
  static const std::vector<double> kInts = {0, 1,  1,     1,          -1,
                                            2, -3, 65537, 2147483647, -2147483648.0};
  static const std::vector<double> kFloats = {0, 1, 1, 1, -1, 0.5, -0.7, 3, 1e30, -1e-30, 2e-38};
  static const std::vector<double> kDoubles = {0, 1, 1, 1, -1, 0.5, -0.7, 3, 1e300, -1e-300, 1e30};
  const bool is_integer = problem.types.sum == ElementType::int32;
  const bool is_double =
      problem.types.sum == ElementType::float64 || problem.types.sum == ElementType::complex128;
  const auto& scalars = is_integer ? kInts : is_double ? kDoubles : kFloats;
  for (Scalar* scalar : {&problem.alpha, &problem.beta}) {
    const double real = random.of(scalars);
    *scalar = real;
    if (has_parts && random.chance(0.5)) *scalar = std::complex(real, random.of(scalars));
    if (!is_integer && random.chance(0.01)) *scalar = std::numeric_limits<double>::quiet_NaN();
  }
  return problem;
}

template <Element T, Element C>
void try_product(const Engine& engine, Random& random, const Candidate& candidate, Totals& totals) {
  const Problem problem = random_problem(random, candidate);
  std::string failure;
  try {
    RandomTrial<T, C> trial(engine, random, problem);
    bool ran = true;
    try {
      const KernelRun run = trial.run(candidate.kernel);
      totals.ran[run.variant().empty() ? "nothing to compute"
                                       : run.operation() + "/" + run.variant()]++;
    } catch (const UnsupportedError&) {
      if (candidate.kernel.parameters.empty()) throw;
      // The built kernel may allow fewer work-items than its parameters ask for.
      ran = false;
      totals.refused++;
    }
    failure = trial.failure(ran, totals);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  totals.products++;
  totals.drawn[to_string(candidate.types)]++;
  if (failure.empty()) return;
  std::string kernel =
      candidate.kernel.variant.empty() ? "the library's kernel" : candidate.kernel.variant;
  for (const auto& [parameter, value] : candidate.kernel.parameters)
    kernel += " " + parameter + "=" + std::to_string(value);
  std::printf("FAILED  %s, %s: %s\n", describe(problem).c_str(), kernel.c_str(), failure.c_str());
  totals.failures++;
}

/// The same for operands of T, whose results are T, int32 for int8, or float.
template <Element T>
void try_product_of(const Engine& engine, Random& random, const Candidate& candidate,
                    Totals& totals) {
  if (candidate.types == ProductTypes(kElementType<T>))
    return try_product<T, ProductElement<T>>(engine, random, candidate, totals);
  if constexpr (kIsShort<T>) try_product<T, float>(engine, random, candidate, totals);
}

void try_product(const Engine& engine, Random& random, const Candidate& candidate, Totals& totals) {
  const auto with = [&](auto try_one) { try_one(engine, random, candidate, totals); };
  switch (candidate.types.a) {
    case ElementType::float32: return with(try_product_of<float>);
    case ElementType::float64: return with(try_product_of<double>);
    case ElementType::int32: return with(try_product_of<std::int32_t>);
    case ElementType::float16: return with(try_product_of<half>);
    case ElementType::int8: return with(try_product_of<std::int8_t>);
    case ElementType::bfloat16: return with(try_product_of<bfloat16>);
    case ElementType::complex64: return with(try_product_of<std::complex<float>>);
    case ElementType::complex128: return with(try_product_of<std::complex<double>>);
  }
}

void print(const Totals& totals, std::size_t kernels) {
  for (const auto& [kernel, products] : totals.ran)
    std::printf("%8zu %s\n", products, kernel.c_str());
  for (const auto& [type, products] : totals.drawn)
    std::printf("%8zu of %s\n", products, type.c_str());
  for (const auto& [type, worst] : totals.worst) {
    if (worst > 0) std::printf("largest error of %s: %.3f of its bound\n", type.c_str(), worst);
  }
  std::printf(
      "%zu products by %zu kernels, %zu elements, %zu of them without a bound as their terms "
      "overflow, %zu products refused, %zu wrong\n",
      totals.products, kernels, totals.elements, totals.unbounded, totals.refused, totals.failures);
}

int run(std::uint64_t count, std::uint64_t seed, std::uint64_t first, std::string_view type) {
  const Engine engine;
  Random choices(seed, ~std::uint64_t{0});
  const auto named = candidates(engine, choices, 24, type);
  if (named.empty()) {
    std::fprintf(stderr, "no kernel here is for such a type\n");
    return 2;
  }
  Totals totals;
  for (std::uint64_t index = first; index < first + count && totals.failures < 10; index++) {
    Random random(seed, index);
    Candidate candidate = random.of(named);
    // The library chooses.
    if (random.chance(0.3)) {
      const std::string operation = random.chance(0.9) ? "multiply" : "matrix_vector";
      const auto types = types_of(operation, type);
      if (types.empty()) continue;
      candidate = {operation, random.of(types)};
      if (candidate.types == ElementType::float32 && candidate.operation == "multiply" &&
          random.chance(0.2))
        candidate.accuracy = Accuracy::bounded;
    }
    const std::size_t failures = totals.failures;
    try_product(engine, random, candidate, totals);
    if (totals.failures > failures) {
      std::printf("        again: build/tests/random-products 1 %llu %llu %s\n",
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(index),
                  std::string(type).c_str());
    }
  }
  print(totals, named.size());
  return totals.failures == 0 && totals.elements > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: random-products COUNT SEED [FIRST [TYPE]]\n");
    return 2;
  }
  const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
  return tessera::test::run(number(1), number(2), number(3), argc > 4 ? argv[4] : "");
}
