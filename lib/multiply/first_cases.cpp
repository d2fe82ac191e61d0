// First cases: the products that a kernel has to compute right before its first use on a machine.
#include <algorithm>
#include <array>
#include <complex>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "multiply/check.hpp"
#include "operands/numbers.hpp"

namespace tessera::inline v0::multiplication {
namespace {

std::size_t product(const Parameters& parameters, std::initializer_list<const char*> names) {
  std::size_t all = 1;
  for (const char* const name : names) {
    if (const auto found = parameters.find(name); found != parameters.end())
      all *= static_cast<std::size_t>(found->second);
  }
  return all;
}

/// Cases with the operation, type, transposes and mode of a problem, in turn with different scalars
/// and strides.
class Cases {
 public:
  explicit Cases(const Problem& problem)
      : common_{.operation = problem.operation,
                .types = problem.types,
                .op_a = problem.op_a,
                .op_b = problem.op_b,
                .mode = problem.mode} {}

  CheckCase& add(std::size_t m, std::size_t n, std::size_t k, std::size_t batch = 1) {
    const std::size_t turn = all_.size();
    CheckCase added{common_, turn % 3 == 1, turn + 1};
    const auto [alpha, beta] = scalars_of(common_.types.a, turn);
    added.problem.m = m;
    added.problem.n = n;
    added.problem.k = k;
    added.problem.batch = batch;
    added.problem.alpha = alpha;
    added.problem.beta = beta;
    all_.push_back(added);
    return all_.back();
  }

  std::vector<CheckCase> all() && { return std::move(all_); }

 private:
  Problem common_;
  std::vector<CheckCase> all_;
};

/// Elements of the longest vectors.
constexpr std::size_t kResidues = 16;

}  // namespace

Blocks blocks_of(const Parameters& parameters) {
  const auto of = [&](std::initializer_list<const char*> names) {
    return product(parameters, names);
  };
  const bool has_vectors = parameters.contains("NR_VECTORS");
  return {.m = of({"TILE", "TILE_M", "GROUP_ROWS", "SUB_GROUPS", "MR"}),
          .n = of({"TILE", "TILE_N", "GROUP_COLUMNS", "SUBGROUP_SIZE", "NR", "NR_VECTORS"}) *
               (has_vectors ? of({"VECTOR"}) : 1),
          .k = std::max(
              {of({"TILE", "TILE_K"}), of({"SUBGROUP_SIZE"}), of({"UNROLL"}), of({"VECTOR"})}),
          .rows = of({"MC"}),
          .columns = of({"NC"}),
          .depth = of({"KC"})};
}

std::array<Scalar, 2> scalars_of(ElementType type, std::size_t turn) {
  if (is_complex(type)) {
    using Complex = std::complex<double>;
    const std::array<std::array<Scalar, 2>, 5> scalars = {
        {{1, 0},
         {Complex(2, -1), 0},
         {1, Complex(0, 1)},
         {Complex(0, -3), 2},
         {Complex(-1.7, 0.6), Complex(0.37, -2)}}};
    return scalars[turn % scalars.size()];
  }
  const bool is_integer = operands::is_integer(type);
  const std::array<std::array<Scalar, 2>, 5> scalars = {
      {{1, 0}, {2, 0}, {1, 1}, {-3, 2}, {is_integer ? -17 : -1.7, is_integer ? 37 : 0.37}}};
  return scalars[turn % scalars.size()];
}

Ops ops_of(ElementType type, std::size_t turn) {
  const bool conjugates = is_complex(type);
  return {op_if((turn & 1) != 0, conjugates && (turn & 4) != 0),
          op_if((turn & 2) != 0, conjugates && (turn & 8) != 0)};
}

std::vector<CheckCase> first_multiply_cases(const Problem& problem, const Parameters& parameters) {
  const Blocks block = blocks_of(parameters);
  Cases cases(problem);
  // Several blocks of each kind, also for each of some cores. The largest case is first: if memory
  // is too small for it, the check ends at once.
  cases.add(std::max<std::size_t>(2 * block.rows, 512) + 3, 517, 17);
  cases.add(std::max<std::size_t>(16 * block.rows, 2000) + 3, 9, 5);
  cases.add(9, std::max<std::size_t>(4 * block.columns, 4000) + 67, 7);
  // Every number of rows, columns and steps that vectors and unrolled loops leave over, in turn
  // with fewer rows than a block has.
  for (std::size_t turn = 0; turn < kResidues; turn++) {
    cases.add(turn % 2 == 1 ? turn : block.m - 1 + turn * 3 % kResidues, block.n + turn,
              block.k + turn * 5 % kResidues);
  }
  cases.add(block.m, 2, 1);
  cases.add(1, block.n, 3);
  // Whole blocks alone.
  constexpr std::size_t kUnit = 64;
  const std::size_t m = std::lcm(block.m, kUnit), n = std::lcm(block.n, kUnit),
                    k = std::lcm(block.k, kUnit);
  cases.add(m, n, k);
  cases.add(2 * m, n, k);
  cases.add(m, 2 * n, 2 * k);
  // Depths that work-groups share, and whose sums the last of them adds, or another launch.
  const std::size_t few_rows = std::min<std::size_t>(block.m, 8) + 1,
                    few_columns = std::min<std::size_t>(block.n, 64) + 3;
  cases.add(few_rows, few_columns, 1027);
  cases.add(few_rows, few_columns, std::max<std::size_t>(2 * block.depth + 3, 4999));
  cases.add(3, 5, 7993);
  cases.add(3, 7, 5, 129);
  cases.add(block.m + 1, block.n + 3, block.k + 2, 3);
  cases.add(block.m + 1, block.n + 3, block.k + 2).non_finite = true;
  return std::move(cases).all();
}

std::vector<CheckCase> first_matrix_vector_cases(const Problem& problem,
                                                 const Parameters& parameters) {
  const Blocks block = blocks_of(parameters);
  Cases cases(problem);
  for (std::size_t turn = 0; turn < kResidues; turn++)
    cases.add(kResidues + turn * 5 % kResidues, 1, 2 * block.k + turn);
  for (const auto& [m, k] : {std::array<std::size_t, 2>{1, 37}, {37, 1}, {3, 2}, {2, 3}})
    cases.add(m, 1, k);
  cases.add(64, 1, 1024);
  cases.add(9 * block.rows + 5, 1, 3);
  cases.add(2051, 1, 131);
  cases.add(3, 1, 10007);
  // A of 1 MiB: per_item splits k into parts of 256 KiB, by rows and by columns.
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  cases.add(3, 1, kBytes / 3 / element_size(problem.types.a) + 3);
  cases.add(67, 1, 1031).non_finite = true;
  return std::move(cases).all();
}

}  // namespace tessera::inline v0::multiplication
