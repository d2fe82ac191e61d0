// Devices whose arithmetic is weaker than it says, made by other kernels and build options: no
// interval lacks the eigenvalue, or the solve is refused.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <type_traits>
#include <vector>

#include "runtime/kernel_source.hpp"
#include "support/folder.hpp"
#include "support/share.hpp"
#include "support/transposed_if.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

/// Text in front of the probe's and the rounds' source, an edit of the latter, and build options.
struct Weakness {
  std::string name;
  std::string before = {}, right = {}, wrong = {}, options = {};
};

const std::vector<Weakness>& weaknesses() {
  static const std::string quotient = "a.high / b.high;";
  static const std::vector<Weakness> all = {
      {"none"},
      {.name = "QuotientsTo1e-8", .right = quotient, .wrong = "a.high / b.high * (1 + 1e-8);"},
      {.name = "QuotientsOfCompensatedSumsTo1e-6",
       .right = quotient,
       .wrong = "a.high / b.high * (ACCUMULATOR == 2 ? 1 + 1e-6 : 1);"},
      {.name = "QuotientsByFloatReciprocals",
       .right = quotient,
       .wrong = "a.high * (component)(1 / (float)b.high);"},
      {.name = "ProductsAreRounded", .before = "#define fma(x, y, z) ((x) * (y) + (z))\n"},
      {.name = "ProductsLoseTheirEnd",
       .before = "#define fma(x, y, z) ((x) * (y) * (1 + 1e-11f * 1e-3f) + (z))\n"},
      {.name = "SumsLoseTheirEnd",
       .right = "const TERM sum = high + product,",
       .wrong = "const TERM sum = (high + product) * (1 - FLT_EPSILON / 2),"},
      {.name = "FastRelaxedMath", .options = "-cl-fast-relaxed-math"},
      {.name = "UnsafeMath", .options = "-cl-unsafe-math-optimizations"},
      {.name = "Denormals", .options = "-cl-denorms-are-zero"},
      {.name = "MultiplyAdd", .options = "-cl-mad-enable"},
      {.name = "FiniteMath", .options = "-cl-finite-math-only"},
      {.name = "SinglePrecisionConstants", .options = "-cl-single-precision-constant"}};
  return all;
}

/// A matrix 2^scale D^-1 S D of integers, with equal row sums in S and powers of two in D. All of
/// its elements and its eigenvalue are exact.
struct Known {
  std::size_t n;
  std::vector<double> elements;
  double root;
};

Known known_matrix(std::mt19937_64& random, bool is_float) {
  const auto draw = [&](std::size_t from, std::size_t to) {
    return from + random() % (to - from + 1);
  };
  Known known{draw(1, 40), {}, 0};
  const std::size_t n = known.n, sum = 64 * n;
  const bool is_tiny = draw(0, 3) == 0;
  const int least = is_float ? -149 : -1074;
  const int scale = is_tiny ? least + static_cast<int>(draw(0, 12)) : static_cast<int>(draw(0, 40));
  std::vector<int> d;
  for (std::size_t i = 0; i < n; i++) d.push_back(is_tiny ? 0 : static_cast<int>(draw(0, 6)));
  for (std::size_t i = 0; i < n; i++) {
    std::size_t rest = sum;
    for (std::size_t j = 0; j < n; j++) {
      const std::size_t whole = j + 1 == n ? rest : draw(1, 63);
      rest -= whole;
      known.elements.push_back(std::ldexp(static_cast<double>(whole), scale + d[j] - d[i]));
    }
  }
  known.root = std::ldexp(static_cast<double>(sum), scale);
  return known;
}

/// Outcomes of solves.
struct Tally {
  std::size_t proven = 0, refused = 0;
};

template <Real T>
void solve(const Engine& engine, std::mt19937_64& random, Tally& tally) {
  const Known known = known_matrix(random, std::is_same_v<T, float>);
  constexpr std::array kAccumulators = {Accumulator::automatic, Accumulator::compensated,
                                        Accumulator::two_floats};
  EigenOptions options;
  options.tolerance = std::pow(10, -3 - static_cast<double>(random() % 12));
  options.accumulator = kAccumulators[random() % (std::is_same_v<T, float> ? 3 : 2)];
  if (random() % 8 == 0) options.method = EigenMethod::fused;
  const bool is_transposed = random() % 8 == 0;
  try {
    const Matrix<T> a(engine, known.n, known.n,
                      std::vector<T>(known.elements.begin(), known.elements.end()));
    const auto pair = dominant_eigenpair(transposed_if(is_transposed, a), options);
    EXPECT_LE(pair.lower, known.root) << known.n << " rows, tolerance " << options.tolerance;
    EXPECT_GE(pair.upper, known.root) << known.n << " rows, tolerance " << options.tolerance;
    tally.proven++;
  } catch (const UnsupportedError&) {
    tally.refused++;
  }
}

class WeakArithmeticTest : public testing::TestWithParam<Weakness> {};

TEST_P(WeakArithmeticTest, NoIntervalLacksTheEigenvalue) {
  const auto& [name, before, right, wrong, build_options] = GetParam();
  const Folder folder;
  for (const char* file : {"common/wide.cl", "probes/exactness.cl"}) {
    std::string text = before + runtime::kernel_text(file);
    if (const std::size_t at = text.find(right); !right.empty() && at != std::string::npos)
      text.replace(at, right.size(), wrong);
    folder.file(std::string("cl/") + file, text);
  }
  const Variable kernels("TESSERA_KERNEL_DIR", (folder.path() / "cl").string()),
      options("TESSERA_BUILD_OPTIONS", build_options), cache("TESSERA_CACHE", "off");
  const Engine engine;
  std::mt19937_64 random(20261127);
  Tally tally;
  constexpr std::size_t kSolves = 600;
  for (std::size_t i = 0; i < kSolves; i++) {
    if (engine.device().has_double && i % 2 == 0) {
      solve<double>(engine, random, tally);
    } else {
      solve<float>(engine, random, tally);
    }
  }
  EXPECT_EQ(tally.proven + tally.refused, kSolves);
  if (name == "none") {
    EXPECT_EQ(tally.refused, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(, WeakArithmeticTest, testing::ValuesIn(share_of(weaknesses())),
                         [](const auto& named) {
                           std::string text;
                           for (const char c : named.param.name) text += std::isalnum(c) ? c : '_';
                           return text;
                         });

}  // namespace
}  // namespace tessera::test
