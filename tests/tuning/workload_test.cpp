// Workloads: kernels that write nothing, and kernels that write more than their output, are wrong.
#include "kernels/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "operations.hpp"
#include "runtime/kernel_source.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/plan_of.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"
#include "tessera/check.hpp"

namespace tessera::tuning {
namespace {

constexpr const char* kOutside = "memory outside the output was written";

/// Kernels of the library may be replaced by such that begin with another statement.
class WorkloadTest : public testing::Test {
 protected:
  /// Puts `statement` at the beginning of a variant's kernels, except the ones that clear its
  /// output.
  void begin_with(const std::string& statement, const std::string& operation,
                  const std::string& variant) const {
    const std::string file = operation + "/" + variant + ".cl";
    const auto all = runtime::embedded_kernels();
    const auto own = std::ranges::find(all, file, &runtime::EmbeddedKernel::file);
    ASSERT_NE(own, all.end()) << file;
    std::string text(own->text);
    int changed = 0;
    for (std::size_t at = next_kernel(text, 0); at != std::string::npos;
         at = next_kernel(text, at + 1)) {
      const std::size_t body = text.find('{', at) + 1;
      if (text.substr(at, body - at).find("_clear(") != std::string::npos) continue;
      text.insert(body, "\n  " + statement);
      changed++;
    }
    ASSERT_GT(changed, 0) << file;
    folder_.file(file, text);
  }

  /// An engine with programs of its own.
  static Engine engine() {
    return Engine(EngineOptions{.device = test::engine().device().selector, .profile = "off"});
  }
  static Problem problem(const std::string& operation, const ProductTypes& types) {
    return canonical({.operation = operation, .types = types, .m = 96, .n = 96, .k = 64});
  }
  /// The failure of a kernel's result; empty if there is none.
  static std::string failure_of(const Engine& engine, const Problem& problem,
                                const KernelChoice& kernel) {
    return find_operation(problem.operation)
        .workload(engine, problem, 1)
        ->check(test::plan_of(engine, problem, kernel));
  }

 private:
  /// The word "kernel" of the next one from `from` on: at a line's start, or behind a macro there.
  static std::size_t next_kernel(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find("kernel ", from); at != std::string_view::npos;
         at = text.find("kernel ", at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;
      const std::string_view before = text.substr(line, at - line);
      if (before.empty() || before == "LANES_GROUP ") return at;
    }
    return std::string_view::npos;
  }

  test::Folder folder_;
  test::Variable kernels_{"TESSERA_KERNEL_DIR", folder_.path().string()};
};

TEST_F(WorkloadTest, AKernelThatWritesNothingIsWrongWhateverTheOutputHeldBefore) {
  const auto share = test::Share::from_environment();
  std::size_t case_number = 0;
  for (const OperationInfo& operation : operations()) {
    const Engine engine = this->engine();
    const KernelChoice kernel{operation.variants.front().name(), {}};
    std::vector<ProductTypes> checked;
    const std::size_t cases_before = case_number;
    for (const ProductTypes& types : operation.types) {
      if (types == ElementType::float64 && !engine.device().has_double) continue;
      if (!share.has(case_number++)) continue;
      checked.push_back(types);
      EXPECT_EQ(failure_of(engine, problem(operation.name, types), kernel), "")
          << operation.name << " " << to_string(types);
    }
    EXPECT_GT(case_number, cases_before) << operation.name;
    if (checked.empty()) continue;
    begin_with("return;", operation.name, kernel.variant);
    const Engine other = this->engine();
    for (const ProductTypes& types : checked) {
      EXPECT_NE(failure_of(other, problem(operation.name, types), kernel), "")
          << operation.name << " " << to_string(types);
    }
  }
}

TEST_F(WorkloadTest, TheMatricesThatAreListedAreThoseThatAreAllocated) {
  for (const OperationInfo& operation : operations()) {
    const kernels::Operation& row = find_operation(operation.name);
    for (const ProductTypes& types : operation.types) {
      const Engine engine = this->engine();
      if (types.a == ElementType::float64 && !engine.device().has_double) continue;
      Problem wanted = problem(operation.name, types);
      wanted.m = 100;
      if (operation.dimensions == Dimensions::square_matrix) wanted.n = 100;
      wanted.batch = operation.batches ? 2 : 1;
      wanted.op_a = op_if(operation.transposes);
      std::uint64_t bytes = 0;
      for (const auto& [rows, columns, element_bytes] : row.workload_matrices(wanted))
        bytes += std::max<std::uint64_t>(rows * columns * element_bytes, 64);
      const auto workload = row.workload(engine, wanted, 1);
      EXPECT_EQ(engine.memory().live, bytes) << operation.name << " " << to_string(types);
      EXPECT_GT(bytes, 0U) << operation.name << " " << to_string(types);
    }
  }
}

/// A statement for each of four sizes, so that one build has them all.
std::string by_size(const std::string& extent, const std::vector<std::string>& elements) {
  std::string text = "if (get_global_id(0) + get_global_id(1) == 0) {";
  for (std::size_t i = 0; i < elements.size(); i++)
    text += " if (" + extent + " % 4 == " + std::to_string(i) + ") " + elements[i] + " = 1;";
  return text + " }";
}

/// A kernel that writes one element more than it should: which, by its problem's size.
struct Stray {
  std::string operation, variant, extent;
  std::vector<std::string> elements;
};

TEST_F(WorkloadTest, AWriteBeforeOrAfterTheOutputIsSeen) {
  const std::vector<Stray> strays = {
      {"multiply",
       "naive",
       "shape.m",
       {"c[c_at.offset - 1]", "c[c_at.offset - 256]", "c[c_at.offset + shape.m * c_at.row]",
        "c[c_at.offset + shape.m * c_at.row + 255]"}},
      {"row_sum", "row_per_item", "rows", {"s[s_at.offset - 1]", "ELEMENT_OF(s, s_at, rows)"}},
      {"similarity_transform",
       "direct",
       "n",
       {"b[b_at.offset - 1]", "b[b_at.offset + n * b_at.row]"}},
      {"fused_round",
       "row_per_item",
       "n",
       {"b[b_at.offset + n * b_at.row]", "ELEMENT_OF(t, t_at, n)"}},
      {"eigenvector", "direct", "length", {"v[v_at.offset - 1]", "ELEMENT_OF(v, v_at, length)"}},
      {"vector_max",
       "atomic",
       "length",
       {"maximum[maximum_at.offset - 1]", "ELEMENT_OF(maximum, maximum_at, 1)"}},
      {"stop",
       "atomic",
       "length",
       {"converged[converged_at.offset - 1]", "ELEMENT_OF(converged, converged_at, 1)"}},
      {"implicit_round", "row_per_item", "n", {"q[n]", "s[n]"}}};
  for (const auto& [operation, variant, extent, elements] : strays) {
    begin_with(by_size(extent, elements), operation, variant);
    const Engine engine = this->engine();
    for (std::size_t i = 0; i < elements.size(); i++) {
      Problem problem = this->problem(operation, ElementType::float32);
      problem.m += i;
      if (operation != "multiply") problem.n += i;
      EXPECT_EQ(failure_of(engine, problem, {variant, {}}), kOutside)
          << operation << "/" << variant << ": " << elements[i];
    }
  }
}

/// Far from the elements that are compared.
TEST_F(WorkloadTest, OneElementOfALargeProductThatIsNotWrittenIsSeen) {
  begin_with("if (get_global_id(0) == 131 && get_global_id(1) == 177) return;", "multiply",
             "naive");
  const Problem large{.m = 300, .n = 300, .k = 2048};
  EXPECT_EQ(failure_of(engine(), large, {"naive", {}}),
            "1 of 90000 elements were not written, or are NaN");
}

TEST_F(WorkloadTest, AWriteOutsideIsSeenInEveryType) {
  begin_with(
      "if (get_global_id(0) + get_global_id(1) == 0) STORE_OUTPUT((number)0, c, c_at.offset - 1);",
      "multiply", "naive");
  for (const ProductTypes& types : operations().front().types) {
    if (types == ElementType::float64 && !test::engine().device().has_double) continue;
    EXPECT_EQ(failure_of(engine(), problem("multiply", types), {"naive", {}}), kOutside)
        << to_string(types);
  }
}

/// The operands of a workload are dense; the last trials of a kernel have gaps between rows.
TEST_F(WorkloadTest, AWriteBetweenTheRowsOfABlockIsSeenByATrial) {
  begin_with(by_size("shape.m", {"c[c_at.offset - 1]", "c[c_at.offset + shape.n]",
                                 "c[c_at.offset + (shape.m - 1) * c_at.row - 1]",
                                 "c[c_at.offset + shape.m * c_at.row]"}),
             "multiply", "naive");
  const Engine engine = this->engine();
  for (std::size_t i = 0; i < 4; i++) {
    const CheckCase strided{.problem = {.m = 8 + i, .n = 7, .k = 5}, .strided = true};
    EXPECT_EQ(tessera::check(engine, strided, {"naive", {}}).failure, kOutside) << i;
  }
}

}  // namespace
}  // namespace tessera::tuning
