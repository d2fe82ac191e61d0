// Making results up: spaces, times that follow a model with noise, failures.
#include "sample_results.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

constexpr double kStart = 1767322800;  // 2026-01-02 03:00 UTC

/// Numbers in [0, 1) that follow from their arguments alone.
double noise(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

using Values = std::vector<std::pair<std::string, std::vector<int>>>;

std::vector<KernelChoice> kernels_of(const std::string& variant, const Values& values) {
  std::vector<KernelChoice> kernels = {{variant, {}}};
  for (const auto& [name, candidates] : values) {
    std::vector<KernelChoice> longer;
    for (const KernelChoice& kernel : kernels) {
      for (const int candidate : candidates) {
        longer.push_back(kernel);
        longer.back().parameters[name] = candidate;
      }
    }
    kernels = std::move(longer);
  }
  return kernels;
}

std::vector<KernelChoice> multiply_kernels() {
  std::vector<KernelChoice> all;
  const auto add = [&](const std::string& variant, const Values& values) {
    for (KernelChoice& kernel : kernels_of(variant, values)) all.push_back(std::move(kernel));
  };
  const Values group = {{"GROUP_COLUMNS", {8, 16, 32, 64}}, {"GROUP_ROWS", {1, 4, 8, 16}}};
  add("naive", group);
  add("row_tile", {{"TILE", {4, 8, 16, 32, 64, 128, 256}}});
  add("tiled_static", {{"TILE", {4, 8, 16, 32}}});
  add("register_tiled", {{"TILE_M", {32, 64, 128}},
                         {"TILE_N", {32, 64, 128}},
                         {"TILE_K", {8, 16}},
                         {"WORK_M", {4, 8}},
                         {"WORK_N", {4, 8}}});
  add("subgroup_block",
      {{"LANES", {8, 16, 32}}, {"SUB_GROUPS", {1, 4, 8}}, {"ROWS", {4, 8}}, {"COLUMNS", {1, 2}}});
  return all;
}

double value(const KernelChoice& kernel, const std::string& name, double otherwise) {
  const auto found = kernel.parameters.find(name);
  return found == kernel.parameters.end() ? otherwise : found->second;
}

/// Factors that are 1 at their best value and grow with the distance in powers of two.
double away(double value, double best, double weight) {
  return std::exp(weight * std::abs(std::log2(value / best)));
}

double seconds_of(const KernelChoice& kernel) {
  const auto at = [&](const char* name, double best, double weight) {
    return away(value(kernel, name, best), best, weight);
  };
  double seconds = 1.4e-3;
  if (kernel.variant == "naive") seconds = 11e-3;
  if (kernel.variant == "row_tile") seconds = 8e-3 * at("TILE", 64, 0.25);
  if (kernel.variant == "tiled_static") seconds = 4.1e-3 * at("TILE", 16, 0.45);
  if (kernel.variant == "subgroup_block") seconds = 1.9e-3;
  return seconds * at("TILE_M", 128, 0.32) * at("TILE_N", 128, 0.22) * at("TILE_K", 16, 0.05) *
         at("WORK_M", 8, 0.3) * at("WORK_N", 8, 0.12) * at("GROUP_COLUMNS", 32, 0.3) *
         at("GROUP_ROWS", 8, 0.15) * at("LANES", 32, 0.3) * at("SUB_GROUPS", 4, 0.2) *
         at("ROWS", 8, 0.35) * at("COLUMNS", 2, 0.25);
}

void fail(Attempt& attempt, Outcome outcome, const std::string& reason) {
  attempt.outcome = outcome;
  attempt.reason = reason;
  attempt.runs.clear();
}

/// What goes wrong, by parameters and by chance.
void spoil(Attempt& attempt, double chance) {
  const double items = value(attempt.kernel, "TILE_M", 0) / value(attempt.kernel, "WORK_M", 1) *
                       value(attempt.kernel, "TILE_N", 0) / value(attempt.kernel, "WORK_N", 1);
  if (items > 512) {
    fail(attempt, Outcome::resources,
         "CL_OUT_OF_RESOURCES: clEnqueueNDRangeKernel of multiply_register_tiled, 1024 work-items "
         "of 96 registers");
  } else if (chance < 0.02) {
    fail(attempt, Outcome::build_timeout, "the compiler took over 20 s");
  } else if (chance < 0.04) {
    fail(attempt, Outcome::build_failed,
         "CL_BUILD_PROGRAM_FAILURE:\nmultiply/row_tile.cl:31:9: error: use of undeclared "
         "identifier 'lane'; did you mean <line>?");
  } else if (chance < 0.05) {
    fail(attempt, Outcome::wrong, "element (17, 3) is 2.25, not 2.5: error 0.25, bound 1.9e-05");
  } else if (chance < 0.06) {
    fail(attempt, Outcome::run_timeout, "the kernel took over 2 s, 20 x the best");
  } else if (chance < 0.065) {
    fail(attempt, Outcome::crashed, "the process died: signal 11");
  }
}

Attempt attempt_of(const KernelChoice& kernel, std::uint64_t seed, std::uint64_t number,
                   double scale, double best) {
  Attempt attempt{.kernel = kernel, .reason = {}};
  const double seconds = scale * seconds_of(kernel) * (1 + 0.08 * noise(seed, 3 * number));
  const bool slow = seconds > 1.25 * best;
  for (std::uint64_t run = 0; run < (slow ? 2u : 7u); run++)
    attempt.runs.push_back(seconds * (1 + 0.01 * noise(seed + 1, 10 * number + run)));
  if (slow) {
    attempt.outcome = Outcome::slow;
    attempt.reason = "over 1.25 x the best";
  }
  attempt.build = 0.4 + 0.8 * noise(seed, 3 * number + 1);
  attempt.check = 0.003;
  attempt.timing = 9 * seconds;
  attempt.ended = kStart + 0.84 * static_cast<double>(number + 1);
  spoil(attempt, noise(seed, 3 * number + 2));
  return attempt;
}

/// Tries all of them, in a random order that comes to good ones more often later on.
std::vector<Attempt> attempts_of(std::vector<KernelChoice> kernels, std::uint64_t seed,
                                 double scale) {
  std::vector<std::pair<double, KernelChoice>> order;
  for (std::size_t i = 0; i < kernels.size(); i++)
    order.emplace_back(0.3 * std::log(seconds_of(kernels[i])) + noise(seed, 1000 + i), kernels[i]);
  std::ranges::sort(order, {}, [](const auto& entry) { return entry.first; });
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2),
              order.begin() + static_cast<std::ptrdiff_t>(order.size() * 3 / 4));
  std::vector<Attempt> attempts;
  double best = 1;
  for (const auto& entry : order) {
    attempts.push_back(attempt_of(entry.second, seed, attempts.size(), scale, best));
    if (attempts.back().good()) best = std::min(best, attempts.back().seconds());
  }
  return attempts;
}

DeviceInfo sample_device() {
  DeviceInfo device;
  device.selector = "0:0";
  device.name = "Sample Accelerator 100";
  device.vendor = "Sample";
  device.driver = "570.86";
  device.version = "OpenCL 3.0";
  device.platform = "Sample Platform";
  device.platform_version = "OpenCL 3.0 sample";
  device.type = DeviceType::gpu;
  device.compute_units = 132;
  device.local_memory = 48 << 10;
  device.max_work_group = 1024;
  device.max_work_items = {1024, 1024, 64};
  device.simd_width = 32;
  device.has_double = true;
  return device;
}

/// The best `count` in finals, the first few of which are tied.
std::vector<Finalist> finals_of(std::vector<Attempt> attempts, std::size_t count,
                                std::size_t tied) {
  std::erase_if(attempts, [](const Attempt& attempt) { return !attempt.good(); });
  std::ranges::sort(attempts, {}, &Attempt::seconds);
  std::vector<Finalist> finalists;
  for (std::size_t i = 0; i < std::min(count, attempts.size()); i++) {
    const double fastest = attempts.front().seconds();
    const double ratio = i < tied ? 1 + 0.002 * static_cast<double>(i)
                                  : std::min(attempts[i].seconds() / fastest, 1.04);
    const double seconds = ratio * fastest;
    finalists.push_back({.kernel = attempts[i].kernel,
                         .seconds = seconds,
                         .lower = seconds * 0.995,
                         .upper = seconds * 1.006,
                         .ratio_lower = i == 0     ? 1
                                        : i < tied ? 0.997
                                                   : ratio * 0.998,
                         .ratio_upper = i == 0 ? 1 : ratio * 1.006,
                         .tied = i > 0 && i < tied});
  }
  return finalists;
}

TuneResult result_of(TuneProblem problem, std::vector<KernelChoice> kernels, std::uint64_t seed,
                     double scale) {
  TuneResult result;
  result.problem = std::move(problem);
  result.device = sample_device();
  result.seed = seed;
  result.space = kernels.size();
  result.attempts = attempts_of(std::move(kernels), seed, scale);
  result.finalists = finals_of(result.attempts, 6, 3);
  result.best = result.finalists.front().kernel;
  result.best_seconds = result.finalists.front().seconds;
  result.elapsed = result.attempts.back().ended - kStart + 6;
  return result;
}

void set_default(TuneResult& result, KernelChoice kernel, double seconds) {
  result.default_kernel = std::move(kernel);
  result.default_seconds = seconds;
  result.gain_lower = 0.985 * seconds / result.best_seconds;
  result.gain_upper = 1.016 * seconds / result.best_seconds;
}

}  // namespace

TuneResult multiply_result() {
  TuneResult result =
      result_of({.rows = 2048, .columns = 2048, .inner = 2048}, multiply_kernels(), 7, 1);
  set_default(result,
              {"register_tiled",
               {{"TILE_K", 8}, {"TILE_M", 64}, {"TILE_N", 64}, {"WORK_M", 8}, {"WORK_N", 4}}},
              3.1e-3);
  result.checked = "9 products of odd sizes, the largest 131 x 257 x 67";
  result.conclusion = "saved in /home/user/.local/share/tessera/profiles/sample.jsonl";
  return result;
}

TuneResult transposed_result() {
  TuneResult result = result_of({.type = ElementType::float64,
                                 .rows = 1000,
                                 .columns = 700,
                                 .inner = 513,
                                 .transpose_a = true},
                                multiply_kernels(), 11, 0.31);
  set_default(result, {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}}, 3.5e-3);
  result.strategy = TuneStrategy::random;
  result.checked = "9 products of odd sizes";
  result.conclusion = "saved in /home/user/.local/share/tessera/profiles/sample.jsonl";
  return result;
}

TuneResult row_sum_result() {
  TuneResult result = result_of(
      {.operation = "row_sum", .rows = 8192, .columns = 8192},
      kernels_of("row_per_group", {{"GROUP", {32, 64, 128, 256, 512}}, {"VECTOR", {4, 8, 16}}}), 5,
      0.09);
  set_default(result, result.best, result.best_seconds);
  result.gain_lower = 0.998;
  result.gain_upper = 1.003;
  result.strategy = TuneStrategy::full;
  result.checked = "7 matrices of odd sizes";
  result.conclusion = "not saved: the default is the fastest";
  return result;
}

TuneResult awkward_result() {
  TuneResult result = single_result();
  const std::vector<std::string> reasons = {
      "",
      "over 1.25 x the best",
      "</script><script>alert(\"1\")</script> & 'quotes'",
      "\x1b[31mred\x1b[0m\x01\x02\x7f, a tab\t, a line\r\nend",
      "cut in the middle: \xe2\x82",
      "\xff\xfe bytes that are no text",
      std::string("a zero \0 within", 15),
      "µ é 漢字 🙂 ]]> -->",
  };
  result.attempts.clear();
  for (const Outcome outcome : outcomes()) {
    const std::size_t number = result.attempts.size();
    Attempt attempt{.kernel = {"tiled_static", {{"TILE", 4 << number}}},
                    .outcome = outcome,
                    .reason = reasons[number]};
    if (attempt.good()) attempt.runs = {1.25e-3, 1.5e-3 + 1e-3 * static_cast<double>(number)};
    attempt.build = 0.5;
    attempt.ended = kStart + static_cast<double>(number) + 0.125;
    attempt.from_journal = number % 2 == 1;
    result.attempts.push_back(std::move(attempt));
  }
  result.device.name = "<b>\"Device\" & 'sons'</b> \xe2\x82";
  result.checked = "<i>" + reasons[3];
  result.conclusion = reasons[2];
  return result;
}

TuneResult empty_result() {
  TuneResult result;
  result.conclusion = "not saved: nothing was tried";
  return result;
}

TuneResult failed_result() {
  TuneResult result = empty_result();
  result.device = sample_device();
  result.attempts = multiply_result().attempts;
  for (Attempt& attempt : result.attempts)
    fail(attempt, Outcome::build_failed, "CL_COMPILER_NOT_AVAILABLE");
  result.space = result.attempts.size();
  result.conclusion = "not saved: no kernel runs";
  return result;
}

TuneResult single_result() {
  TuneResult result;
  result.device = sample_device();
  result.problem = {.rows = 64, .columns = 64, .inner = 64};
  result.attempts = {{.kernel = {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}},
                      .reason = {},
                      .runs = {2.5e-5, 2.75e-5, 3e-5},
                      .build = 0.25,
                      .check = 0.001,
                      .timing = 0.002,
                      .ended = kStart + 0.5}};
  result.space = 1;
  result.default_kernel = result.best = result.attempts.front().kernel;
  result.default_seconds = result.best_seconds = 2.75e-5;
  result.conclusion = "not saved: the default is the fastest";
  result.elapsed = 1.5;
  return result;
}

}  // namespace tessera::test
