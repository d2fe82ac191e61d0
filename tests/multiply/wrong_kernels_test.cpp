// Each of many kernels that are wrong for some products only is found at its first use.
#include "wrong_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <tessera/check.hpp>
#include <tessera/kernel.hpp>
#include <vector>

#include "operations.hpp"
#include "runtime/kernel_source.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/share.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

class WrongKernelsTest : public testing::Test {
 protected:
  /// Excludes products for which the kernel cannot be wrong.
  static bool concerns(const Subject& kernel, const Wrong& wrong) {
    const bool is_product = wrong.where.find("shape.n") != std::string::npos ||
                            wrong.where.find("products") != std::string::npos ||
                            wrong.where.find("c_at") != std::string::npos ||
                            wrong.where.find("b_at") != std::string::npos;
    return kernel.operation == "multiply" || !is_product;
  }
  static bool is_cpu() { return test::engine().device().type == DeviceType::cpu; }

  static std::string embedded(const std::string& file) {
    const auto all = runtime::embedded_kernels();
    const auto own = std::ranges::find(all, file, &runtime::EmbeddedKernel::file);
    EXPECT_NE(own, all.end()) << file;
    return std::string(own->text);
  }

  /// A file of cl/ with all occurrences of each text replaced.
  void edit(const std::string& file, const std::vector<Edit>& edits,
            const std::string& before = "") const {
    std::string text = embedded(file);
    for (const auto& [from, to] : edits) {
      std::size_t found = 0;
      for (std::size_t at = text.find(from); at != std::string::npos;
           at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        found++;
      }
      EXPECT_GT(found, 0u) << file << " has no " << from;
    }
    folder_.file(file, before + text);
  }

  const Folder& folder() const { return folder_; }
  void restore(const std::string& file) const { folder_.file(file, embedded(file)); }

  /// The first of the first cases that comes out wrong, with the failure; empty if none does.
  static std::string first_failure(const std::string& operation, const std::string& variant,
                                   const Parameters& given, bool transpose_a, bool transpose_b) {
    const Engine engine(
        EngineOptions{.device = test::engine().device().selector, .profile = "off"});
    const auto& variants = info_of(operation).variants;
    const auto info = std::ranges::find(variants, variant, &VariantInfo::name);
    const Problem problem{
        .operation = operation, .op_a = op_if(transpose_a), .op_b = op_if(transpose_b)};
    const KernelChoice kernel{variant, info->resolve(engine, problem.types, given)};
    return failure_of(engine, find_operation(operation).first_cases(problem, kernel.parameters),
                      kernel);
  }

  /// Whether no case of `tessera check` notices that the defaults of a variant are wrong: on few
  /// compute units, work-groups share too little for a launch of its own that adds their sums.
  static bool is_never_run(const std::string& operation, const std::string& variant) {
    const Engine engine(
        EngineOptions{.device = test::engine().device().selector, .profile = "off"});
    const auto& variants = info_of(operation).variants;
    const auto info = std::ranges::find(variants, variant, &VariantInfo::name);
    const KernelChoice kernel{variant, info->resolve(engine, ElementType::float32, {})};
    const auto cases = check_cases(operation, ElementType::float32, kernel.parameters, true);
    return failure_of(engine, cases, kernel).empty();
  }

 private:
  static std::string failure_of(const Engine& engine, const std::vector<CheckCase>& cases,
                                const KernelChoice& kernel) {
    for (const CheckCase& one : cases) {
      const CheckResult result = tessera::check(engine, one, kernel);
      if (!result.failure.empty()) return describe(one) + ": " + result.failure;
    }
    return "";
  }

  Folder folder_;
  Variable kernels_{"TESSERA_KERNEL_DIR", folder_.path().string()};
};

TEST_F(WrongKernelsTest, RightOnesPass) {
  for (const Subject& kernel : subjects()) {
    if (kernel.for_cpus && !is_cpu()) continue;
    for (const bool transpose : {false, true}) {
      const bool transpose_b = transpose && kernel.operation == "multiply";
      EXPECT_EQ(first_failure(kernel.operation, kernel.variant, kernel.parameters, transpose,
                              transpose_b),
                "")
          << kernel.variant;
    }
  }
}

TEST_F(WrongKernelsTest, OneThatIsWrongForSomeProductsIsFoundAtItsFirstUse) {
  const auto share = Share::from_environment();
  std::size_t turn = 0;
  for (const Subject& kernel : subjects()) {
    if (kernel.for_cpus && !is_cpu()) continue;
    const std::string file = kernel.operation + "/" + kernel.variant + ".cl";
    for (const Wrong& wrong : wrong_elements()) {
      if (!concerns(kernel, wrong) || !share.has(turn++)) continue;
      edit(file, kernel.edits,
           "#define WRONG(value) (" + wrong.where + ")\n" + "#define SPOILED(value, is_last) ((" +
               (wrong.at_every_element ? "true" : "is_last") +
               ") && WRONG(value) ? (isfinite(value) ? (value) + 1 : 0) : (value))\n");
      EXPECT_NE(first_failure(kernel.operation, kernel.variant, kernel.parameters,
                              wrong.transpose_a, wrong.transpose_b),
                "")
          << kernel.variant << " where " << wrong.where;
    }
    restore(file);
  }
}

TEST_F(WrongKernelsTest, OneWrongLineIsFoundAtTheFirstUse) {
  for (const WrongLine& wrong : wrong_lines()) {
    if (wrong.for_cpus && !is_cpu()) continue;
    edit(wrong.file, {wrong.edit});
    EXPECT_NE(
        first_failure(wrong.operation, wrong.variant, {}, wrong.transpose_a, wrong.transpose_b), "")
        << wrong.variant << ": " << wrong.edit.replacement;
    restore(wrong.file);
  }
}

/// Without any of a variant's kernels, the main one or a helper, some first case comes out wrong:
/// none is used unchecked.
TEST_F(WrongKernelsTest, EveryKernelOfAVariantIsRunByTheFirstCases) {
  const std::regex name(R"(\b(multiply|matrix_vector)_\w+\s*\()");
  std::size_t tried = 0;
  for (const kernels::Operation* operation :
       {&find_operation("multiply"), &find_operation("matrix_vector")}) {
    for (const kernels::Variant* variant : operation->variants) {
      const auto info = detail::Access::make<VariantInfo>(*variant);
      if (!info.runs_on(engine(), ElementType::float32) || (variant->for_cpus && !is_cpu()))
        continue;
      for (const std::string& file : runtime::with_includes(variant->file())) {
        const std::string text = embedded(file);
        for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
          const auto place = static_cast<std::size_t>(at->position());
          const std::size_t begin = text.rfind("kernel ", place);
          const std::size_t body = text.find_first_of("{;", place);
          // Not a call, nor a function of another kind.
          if (begin == std::string::npos || body == std::string::npos || text[body] == ';' ||
              text.substr(begin, place - begin).find_first_of("{};") != std::string::npos)
            continue;
          folder().file(file, text.substr(0, body + 1) + " return; " + text.substr(body + 1));
          bool found = false;
          for (const bool transpose : {false, true}) {
            found = found || !first_failure(operation->name, variant->name, {}, transpose,
                                            transpose && operation->transposes &&
                                                operation->name == "multiply")
                                  .empty();
          }
          EXPECT_TRUE(found || is_never_run(operation->name, variant->name))
              << variant->full_name() << ": " << at->str();
          tried++;
          restore(file);
        }
      }
    }
  }
  EXPECT_GT(tried, 4u);
}

}  // namespace
}  // namespace tessera::test
