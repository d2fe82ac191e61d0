// Compares a device's products, sums and quotients with the host's.
#include "runtime/exactness.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "runtime/first_use.hpp"
#include "runtime/log.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::size_t kCount = 8192, kResults = 7;
const std::vector<std::string> kFiles = {"arithmetic/exactness.cl"};

template <class Number>
std::string options() {
  return std::is_same_v<Number, double> ? "-D NUMBER=double" : "-D NUMBER=float";
}

template <class Number>
struct Operands {
  std::vector<Number> x, y, z;
};

/// Normal numbers of many magnitudes, whose products, quotients and errors are normal too. In every
/// other triple z cancels most of x * y, so that a rounding of the product shows.
template <class Number>
Operands<Number> random_operands() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<Number> fraction(1, 2);
  const auto number = [&](int exponents) {
    const int exponent = static_cast<int>(random() % (2 * static_cast<unsigned>(exponents) + 1));
    return std::ldexp(fraction(random), exponent - exponents) * (random() % 2 == 0 ? 1 : -1);
  };
  Operands<Number> all;
  for (std::size_t i = 0; i < kCount; i++) {
    const Number x = number(20), y = number(20);
    all.x.push_back(x);
    all.y.push_back(y);
    all.z.push_back(i % 2 == 0 ? -(x * y) : number(40));
  }
  return all;
}

template <class Number>
std::vector<Number> results_on(Stream& stream, const Operands<Number>& operands) {
  const auto program = stream.context().programs().get(kFiles, options<Number>());
  Submission submission(stream, {});
  const auto on_device = [&](const std::vector<Number>& numbers) {
    auto& kept = submission.host_memory<std::vector<Number>>();
    kept = numbers;
    auto buffer = submission.scratch(kept.size() * sizeof(Number), "operands of a probe");
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, kept.size() * sizeof(Number), kept.data(),
                                   nullptr, event);
        },
        "writing a probe's operands");
    return buffer;
  };
  auto& results = submission.host_memory<std::vector<Number>>();
  results.resize(kResults * kCount);
  const auto answers = submission.scratch(results.size() * sizeof(Number), "a probe's results");
  const auto x = on_device(operands.x), y = on_device(operands.y), z = on_device(operands.z);
  submission.launch(program->kernel("arithmetic_exactness"), {{kCount, 1}, {1, 1}},
                    static_cast<cl_uint>(kCount), x, y, z, answers);
  submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(answers, CL_TRUE, 0, results.size() * sizeof(Number),
                                results.data(), nullptr, event);
      },
      "reading a probe's results");
  submission.report_failure();
  return results;
}

/// Whether high + low is x / y within 2^-44, and high within 3 u of it.
template <class Number>
bool is_quotient(Number high, Number low, Number x, Number y) {
  constexpr Number kRounding = std::numeric_limits<Number>::epsilon() / 2;
  const Number rest = std::fma(-high, y, x);
  return std::fabs(rest) <= 3 * kRounding * std::fabs(x) &&
         std::fabs(rest - low * y) <= std::ldexp(std::fabs(x), -44);
}

}  // namespace

template <class Number>
Exactness exactness(Stream& caller) {
  // Not the caller's stream: it may be waiting for something that the caller has yet to do.
  Stream stream(caller.context(), Reports::own);
  const auto operands = random_operands<Number>();
  const auto results = results_on(stream, operands);
  Exactness found{true, true, true};
  for (std::size_t i = 0; i < kCount; i++) {
    const Number x = operands.x[i], y = operands.y[i], z = operands.z[i];
    const auto result = [&](std::size_t k) { return results[k * kCount + i]; };
    const Number sum = x + z, of_z = sum - x, product = x * y;
    const Number lost = (x - (sum - of_z)) + (z - of_z);
    found.products &= result(0) == std::fma(x, y, z) && result(3) == product &&
                      result(4) == std::fma(x, y, -product);
    found.sums &= result(1) == sum && result(2) == lost;
    found.quotients &= is_quotient(result(5), result(6), x, y);
  }
  return found;
}

template Exactness exactness<float>(Stream&);
template Exactness exactness<double>(Stream&);

template <class Number>
Exactness try_exactness(Stream& caller) {
  const auto reply = ask_child(caller.context(),
                               {{"do", "exactness"}, {"double", std::is_same_v<Number, double>}});
  if (reply && !reply->fate.empty()) {
    log(fmt::format("the process that tried {} {}", kFiles.front(), reply->fate));
    return {};
  }
  if (!reply || !reply->answer.contains("products")) return exactness<Number>(caller);
  const auto found = [&](const char* key) { return reply->answer.value(key, false); };
  return {found("products"), found("sums"), found("quotients")};
}

template Exactness try_exactness<float>(Stream&);
template Exactness try_exactness<double>(Stream&);

std::string exactness_programs(const Stream& stream) {
  const ProgramStore& programs = stream.context().programs();
  return programs.identity(kFiles, options<float>()) + programs.identity(kFiles, options<double>());
}

}  // namespace tessera::inline v0::runtime
