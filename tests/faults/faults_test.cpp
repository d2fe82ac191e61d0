// Every OpenCL call fails once: the library throws its own error or goes on rightly, and loses
// nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "fault.hpp"
#include "runtime/stream.hpp"

namespace tessera::test {
namespace {

/// Wrong values, where nothing was thrown.
class WrongResult : public std::exception {};

void expect(bool right) {
  if (!right) throw WrongResult();
}

const std::vector<float> kElements = {1, 2, 3, 4};
const std::vector<float> kSquare = {7, 10, 15, 22};

/// Builds a program, from its source where there is no cache.
void build_and_multiply() {
  const Engine engine;
  const Matrix<float> a(engine, 2, 2, kElements);
  expect(multiply(a, a, {.kernel = {"naive", {}}}).to_host() == kSquare);
}

/// One variant, or the one that is taken where none is named; with profiling, and what asks whether
/// it runs.
void multiply_by(const VariantInfo* variant) {
  const Engine engine(EngineOptions{.profiling = true});
  const Matrix<float> a(engine, 2, 2, kElements);
  if (variant != nullptr && !variant->runs_on(engine, ElementType::float32)) return;
  const auto c = multiply(a, a, {.kernel = {variant != nullptr ? variant->name() : "", {}}});
  expect(c.to_host() == kSquare);
  expect(c.ran.seconds().has_value());
}

/// Blocks, copies, two streams and an event.
void move_data() {
  const Engine one;
  const Engine two = one.new_stream();
  Matrix<float> a(one, 3, 3, std::vector<float>(9, 1));
  a.block(0, 0, 2, 2).upload(kElements);
  expect(a.block(0, 0, 2, 2).to_host() == kElements);
  const Matrix<float> copy(a.block(0, 0, 2, 2)), whole = copy;
  Matrix<float> c(two, 2, 2);
  const KernelRun run = multiply_into(c, copy, whole);
  run.finished.wait();
  expect(run.finished.complete());
  expect(multiply(c, copy, {.alpha = 0}).to_host() == std::vector<float>(4));
  expect(c.to_host() == kSquare);
  expect(copy.copy_to(two).to_host() == kElements);
  expect(Matrix<float>(one, 0, 2).to_host().empty());
  one.finish();
  expect(!one.lost() || !failed_call().empty());
}

/// An application's queue and buffer.
void adopt() {
  const Engine application;
  const Matrix<float> a(application, 2, 2, kElements);
  const Engine queue = interop::adopt(interop::queue(application));
  const Engine context =
      interop::adopt(interop::context(application), interop::device(application));
  const auto adopted = interop::adopt<float>(queue, interop::buffer(a), 2, 2);
  expect((adopted * adopted).to_host() == kSquare);
}

struct Scenario {
  std::string name;
  std::function<void()> run;
  bool cached;  ///< programs come from a warm cache on disk
};

class FaultsTest : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ::setenv("TESSERA_CACHE", GetParam().cached ? folder_.c_str() : "off", 1);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    ::unsetenv("TESSERA_CACHE");
  }

 private:
  std::string folder_;
};

TEST_P(FaultsTest, EveryCallFailsOnce) {
  const auto& run = GetParam().run;
  run();
  run();
  std::string held = unreleased();  // by the tests' own engine
  fail_call(-1);
  run();
  const long number = calls();
  fail_none();
  ASSERT_GT(number, 50);
  EXPECT_EQ(unreleased(), held);

  std::set<std::string> failed;
  long errors = 0, tolerated = 0;
  for (long i = 0; i < number; i++) {
    fail_call(i);
    std::string outcome;
    try {
      run();
      tolerated++;
    } catch (const Error& error) {
      errors++;
      if (std::string(error.what()).empty()) outcome = "an error that says nothing";
    } catch (const WrongResult&) {
      outcome = "wrong values";
    } catch (const std::exception& error) {
      outcome = std::string("not the library's error: ") + error.what();
    }
    fail_none();
    ASSERT_EQ(outcome, "") << "call " << i << ", " << failed_call();
    // What OpenCL will not release stays.
    if (failed_call().starts_with("clRelease")) held = unreleased();
    ASSERT_EQ(unreleased(), held) << "call " << i << ", " << failed_call();
    failed.insert(failed_call());
  }
  run();
  std::printf("%s: %ld calls of %zu functions failed, %ld threw, %ld did no harm\n",
              GetParam().name.c_str(), number, failed.size(), errors, tolerated);
  EXPECT_GT(errors, number / 4);
}

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all = {{"Build", build_and_multiply, false},
                               {"Cached", build_and_multiply, true},
                               {"MoveData", move_data, true},
                               {"Interop", adopt, true},
                               {"DefaultVariant", [] { multiply_by(nullptr); }, true}};
  for (const VariantInfo& variant : operations().front().variants) {
    all.push_back({"Variant_" + variant.name(), [&variant] { multiply_by(&variant); }, true});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Library, FaultsTest, testing::ValuesIn(scenarios()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::test
