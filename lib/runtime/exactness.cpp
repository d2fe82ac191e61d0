// Compares a device's products, sums and quotients with the host's.
#include "runtime/exactness.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "runtime/first_use.hpp"
#include "runtime/fma.hpp"
#include "runtime/log.hpp"
#include "runtime/submission.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

constexpr std::size_t kCount = 8192, kResults = 7;
const std::string kFile = "probes/exactness.cl";

std::string options(bool with_doubles) { return fmt::format("-D DOUBLE={}", with_doubles ? 1 : 0); }

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

/// The kernel's arguments of one type, in the memory of a device and of the host.
template <class Number>
struct Arguments {
  Arguments(Submission& submission, const Operands<Number>& operands)
      : x(written(submission, operands.x)),
        y(written(submission, operands.y)),
        z(written(submission, operands.z)),
        answers(submission.scratch(kResults * kCount * sizeof(Number), "a probe's results")),
        results(submission.host_memory<std::vector<Number>>()) {
    results.resize(kResults * kCount);
  }

  void read(Submission& submission) {
    submission.command(
        [&](const cl::CommandQueue& queue, cl::Event* event) {
          queue.enqueueReadBuffer(answers, CL_TRUE, 0, results.size() * sizeof(Number),
                                  results.data(), nullptr, event);
        },
        "reading a probe's results");
  }

  static cl::Buffer written(Submission& submission, const std::vector<Number>& numbers) {
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
  }

  cl::Buffer x, y, z, answers;
  std::vector<Number>& results;
};

/// Returns whether high + low is x / y within 2^-44, and high within 3 u, relative to x / y.
template <class Number>
bool is_quotient(Number high, Number low, Number x, Number y) {
  constexpr Number kRounding = std::numeric_limits<Number>::epsilon() / 2;
  const Number rest = fma(-high, y, x);
  return std::fabs(rest) <= 3 * kRounding * std::fabs(x) &&
         std::fabs(rest - low * y) <= std::ldexp(std::fabs(x), -44);
}

template <class Number>
Exactness judged(const Operands<Number>& operands, const std::vector<Number>& results) {
  Exactness found{true, true, true};
  for (std::size_t i = 0; i < kCount; i++) {
    const Number x = operands.x[i], y = operands.y[i], z = operands.z[i];
    const auto result = [&](std::size_t k) { return results[k * kCount + i]; };
    const Number sum = x + z, of_z = sum - x, product = x * y;
    const Number lost = (x - (sum - of_z)) + (z - of_z);
    found.products &=
        result(0) == fma(x, y, z) && result(3) == product && result(4) == fma(x, y, -product);
    found.sums &= result(1) == sum && result(2) == lost;
    found.quotients &= is_quotient(result(5), result(6), x, y);
  }
  return found;
}

Exactness exactness_of(const Json& answer) {
  const auto found = [&](const char* key) { return answer.value(key, false); };
  return {found("products"), found("sums"), found("quotients")};
}

/// Returns nothing if the kernel ends its process or does not compile.
std::optional<ExactArithmetic> tried(Stream& caller, bool with_doubles) try {
  const auto reply =
      ask_child(caller.context(), {{"do", "exactness"}, {"with_doubles", with_doubles}});
  if (reply && !reply->fate.empty()) {
    log(fmt::format("the process that tried {} {}", kFile.front(), reply->fate));
    return std::nullopt;
  }
  if (!reply || !reply->answer.contains("floats")) return exact_arithmetic(caller, with_doubles);
  return ExactArithmetic{exactness_of(reply->answer["floats"]),
                         exactness_of(reply->answer["doubles"])};
} catch (const BuildError& error) {
  log(error.what());
  return std::nullopt;
}

}  // namespace

ExactArithmetic exact_arithmetic(Stream& caller, bool with_doubles) {
  // Not the caller's stream: it may be waiting for something that the caller has yet to do.
  Stream stream(caller.context(), Reports::own);
  const auto floats = random_operands<float>();
  const auto doubles = random_operands<double>();
  const auto program = stream.context().programs().get(kFile, options(with_doubles));
  Kernel& kernel = program->kernel("probes_exactness");
  const Grid grid{{kCount, 1}, {1, 1}};
  constexpr auto kNumber = static_cast<cl_uint>(kCount);
  Submission submission(stream, {});
  Arguments<float> of_floats(submission, floats);
  if (!with_doubles) {
    submission.launch(kernel, grid, kNumber, of_floats.x, of_floats.y, of_floats.z,
                      of_floats.answers);
    of_floats.read(submission);
    submission.report_failure();
    return {judged(floats, of_floats.results), {}};
  }
  Arguments<double> of_doubles(submission, doubles);
  submission.launch(kernel, grid, kNumber, of_floats.x, of_floats.y, of_floats.z, of_floats.answers,
                    of_doubles.x, of_doubles.y, of_doubles.z, of_doubles.answers);
  of_floats.read(submission);
  of_doubles.read(submission);
  submission.report_failure();
  return {judged(floats, of_floats.results), judged(doubles, of_doubles.results)};
}

ExactArithmetic try_exact_arithmetic(Stream& caller) {
  const bool has_double = caller.context().device().info.has_double;
  auto found = tried(caller, has_double);
  if (!found && has_double) found = tried(caller, false);
  return found.value_or(ExactArithmetic());
}

std::string exactness_program(const Stream& stream) {
  return stream.context().programs().identity(kFile,
                                              options(stream.context().device().info.has_double));
}

}  // namespace tessera::inline v0::runtime
