// Workloads: kernels that write nothing, and kernels that write more than their output, are wrong.
#include "kernels/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "operations.hpp"
#include "runtime/kernel_source.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"
#include "tessera/check.hpp"

namespace tessera::tuning {
namespace {

constexpr const char* kOutside = "memory outside the output was written";

/// Kernels of the library may be replaced by such that begin with another statement.
class WorkloadTest : public testing::Test {
 protected:
  /// All of a variant's kernels but those that clear its output.
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

  /// With programs of its own.
  static Engine engine() {
    return Engine(EngineOptions{.device = test::engine().device().selector, .profile = "off"});
  }
  static TuneProblem problem(const std::string& operation, ElementType type) {
    return {.operation = operation,
            .type = type,
            .rows = 96,
            .columns = 96,
            .k = operation == "multiply" ? 64U : 1U};
  }
  static std::string check(const TuneProblem& problem, const KernelChoice& kernel) {
    return make_workload(engine(), problem, 1)->check(kernel);
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
  for (const OperationInfo& operation : operations()) {
    const Engine engine = this->engine();
    std::map<ElementType, std::unique_ptr<kernels::Workload>> workloads;
    for (const ElementType type : operation.types) {
      if (type == ElementType::float64 && !engine.device().has_double) continue;
      workloads[type] = make_workload(engine, problem(operation.name, type), 1);
      EXPECT_EQ(workloads[type]->check({}), "") << operation.name << " " << name(type);
    }
    std::set<ElementType> tried;
    for (const VariantInfo& variant : operation.variants) {
      begin_with("return;", operation.name, variant.name());
      for (const auto& [type, workload] : workloads) {
        // All of them with floats, one with each of the other types.
        if (type != ElementType::float32 && tried.contains(type)) continue;
        if (!variant.runs_on(engine, type)) continue;
        workload->run({});  // built before: the right result lies in the output
        EXPECT_NE(workload->check({variant.name(), {}}), "")
            << operation.name << "/" << variant.name() << " " << name(type);
        tried.insert(type);
      }
    }
    EXPECT_EQ(tried.size(), workloads.size()) << operation.name;
  }
}

/// A kernel that writes one element more than it should.
struct Stray {
  std::string operation, variant, element;
};

TEST_F(WorkloadTest, AWriteBeforeOrAfterTheOutputIsSeen) {
  const std::vector<Stray> strays = {
      {"multiply", "naive", "c[c_at.offset - 1]"},
      {"multiply", "naive", "c[c_at.offset - 256]"},
      {"multiply", "naive", "c[c_at.offset + shape.m * c_at.row]"},
      {"multiply", "naive", "c[c_at.offset + shape.m * c_at.row + 255]"},
      {"row_sum", "row_per_item", "s[s_at.offset - 1]"},
      {"row_sum", "row_per_item", "element_of(s, s_at, rows)"},
      {"similarity_transform", "direct", "b[b_at.offset - 1]"},
      {"similarity_transform", "direct", "b[b_at.offset + n * b_at.row]"},
      {"fused_round", "row_per_item", "b[b_at.offset + n * b_at.row]"},
      {"fused_round", "row_per_item", "element_of(t, t_at, n)"},
      {"eigenvector", "direct", "v[v_at.offset - 1]"},
      {"eigenvector", "direct", "element_of(v, v_at, length)"},
      {"vector_max", "atomic", "most[most_at.offset - 1]"},
      {"vector_max", "atomic", "element_of(most, most_at, 1)"},
      {"stop", "atomic", "converged[converged_at.offset - 1]"},
      {"stop", "atomic", "element_of(converged, converged_at, 1)"},
      {"implicit_round", "row_per_item", "q[n]"},
      {"implicit_round", "row_per_item", "s[n]"}};
  for (const auto& [operation, variant, element] : strays) {
    const TuneProblem problem = this->problem(operation, ElementType::float32);
    begin_with("if (get_global_id(0) + get_global_id(1) == 0) " + element + " = 1;", operation,
               variant);
    EXPECT_EQ(check(problem, {variant, {}}), kOutside)
        << operation << "/" << variant << ": " << element;
  }
}

TEST_F(WorkloadTest, AWriteOutsideIsSeenInEveryType) {
  begin_with("if (get_global_id(0) + get_global_id(1) == 0) store((number)0, c, c_at.offset - 1);",
             "multiply", "naive");
  for (const ElementType type : operations().front().types) {
    if (type == ElementType::float64 && !test::engine().device().has_double) continue;
    EXPECT_EQ(check(problem("multiply", type), {"naive", {}}), kOutside) << name(type);
  }
}

/// The operands of a workload are dense; the last trials of a kernel have gaps between rows.
TEST_F(WorkloadTest, AWriteBetweenTheRowsOfABlockIsSeenByATrial) {
  const MultiplyCase strided{.rows = 9, .columns = 7, .k = 5, .strided = true};
  for (const char* const element :
       {"c[c_at.offset - 1]", "c[c_at.offset + shape.n]",
        "c[c_at.offset + (shape.m - 1) * c_at.row - 1]", "c[c_at.offset + shape.m * c_at.row]"}) {
    begin_with("if (get_global_id(0) + get_global_id(1) == 0) " + std::string(element) + " = 1;",
               "multiply", "naive");
    EXPECT_EQ(check_multiply<float>(engine(), strided, {"naive", {}}).failure, kOutside) << element;
  }
}

}  // namespace
}  // namespace tessera::tuning
