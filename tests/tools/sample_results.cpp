// Making results up.
#include "sample_results.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sample_search.hpp"

namespace tessera::test {
namespace {

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

/// The best `count` in finals; the first few are tied.
std::vector<Finalist> finals_of(std::vector<Trial> trials, std::size_t count, std::size_t tied) {
  std::erase_if(trials, [](const Trial& trial) { return !trial.good(); });
  std::ranges::sort(trials, {}, &Trial::seconds);
  std::vector<Finalist> finalists;
  for (std::size_t i = 0; i < std::min(count, trials.size()); i++) {
    const double fastest = trials.front().seconds();
    const double ratio = i < tied ? 1 + 0.002 * static_cast<double>(i)
                                  : std::min(trials[i].seconds() / fastest, 1.04);
    const double seconds = ratio * fastest;
    finalists.push_back({.kernel = trials[i].kernel,
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

TuneResult result_of(Problem problem, std::vector<KernelChoice> kernels, std::uint64_t seed,
                     double scale) {
  TuneResult result;
  result.problem = std::move(problem);
  result.device = sample_device();
  result.seed = seed;
  result.space = kernels.size();
  result.trials = trials_of(std::move(kernels), seed, scale);
  result.finalists = finals_of(result.trials, 6, 3);
  result.best = result.finalists.front().kernel;
  result.best_seconds = result.finalists.front().seconds;
  result.elapsed = result.trials.back().ended - kStart + 6;
  return result;
}

void set_default(TuneResult& result, KernelChoice kernel, double seconds) {
  result.default_kernel = std::move(kernel);
  result.default_seconds = seconds;
  result.speedup = seconds / result.best_seconds;
  result.speedup_lower = 0.985 * seconds / result.best_seconds;
  result.speedup_upper = 1.016 * seconds / result.best_seconds;
}

}  // namespace

TuneResult multiply_result() {
  TuneResult result = result_of({.m = 2048, .n = 2048, .k = 2048}, multiply_kernels(), 7, 1);
  set_default(result,
              {"register_tiled",
               {{"TILE_K", 8}, {"TILE_M", 64}, {"TILE_N", 64}, {"WORK_M", 8}, {"WORK_N", 4}}},
              3.1e-3);
  result.neighbours = {{{.m = 3071, .n = 3071, .k = 3071}, 0.6, 0.58, 0.62},
                       {{.m = 1024, .n = 1024, .k = 1024}, 1.06, 1.05, 1.08}};
  result.checked = "9 products of odd sizes, the largest 131 x 257 x 67";
  result.conclusion = "saved in /home/user/.local/share/tessera/profiles/sample.jsonl";
  return result;
}

TuneResult transposed_result() {
  TuneResult result = result_of(
      {.types = ElementType::float64, .m = 1000, .n = 700, .k = 513, .op_a = Op::transpose},
      multiply_kernels(), 11, 0.31);
  set_default(result, {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}}, 3.5e-3);
  result.strategy = TuneStrategy::random;
  result.neighbours = {{{.m = 3071, .n = 3071, .k = 3071}, 0.6, 0.58, 0.62},
                       {{.m = 1024, .n = 1024, .k = 1024}, 1.06, 1.05, 1.08}};
  result.checked = "9 products of odd sizes";
  result.conclusion = "saved in /home/user/.local/share/tessera/profiles/sample.jsonl";
  return result;
}

TuneResult row_sum_result() {
  TuneResult result =
      result_of({.operation = "row_sum", .m = 8192, .n = 8192},
                kernels_of("row_per_group",
                           {{"LOCAL_SIZE", {32, 64, 128, 256, 512}}, {"VECTOR", {4, 8, 16}}}),
                5, 0.09);
  set_default(result, result.best, result.best_seconds);
  result.speedup_lower = 0.998;
  result.speedup_upper = 1.003;
  result.strategy = TuneStrategy::full;
  result.checked = "7 matrices of odd sizes";
  result.conclusion = "not saved: the default is the fastest";
  return result;
}

TuneResult edge_case_result() {
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
  result.trials.clear();
  for (const Outcome outcome : outcomes()) {
    const std::size_t number = result.trials.size();
    Trial trial{.kernel = {"tiled_static", {{"TILE", 4 << number}}},
                .outcome = outcome,
                .reason = reasons[number]};
    if (trial.good()) trial.runs = {1.25e-3, 1.5e-3 + 1e-3 * static_cast<double>(number)};
    trial.build = 0.5;
    trial.ended = kStart + static_cast<double>(number) + 0.125;
    trial.from_journal = number % 2 == 1;
    result.trials.push_back(std::move(trial));
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
  result.trials = multiply_result().trials;
  for (Trial& trial : result.trials)
    fail(trial, Outcome::build_failed, "CL_COMPILER_NOT_AVAILABLE");
  result.space = result.trials.size();
  result.conclusion = "not saved: no kernel runs";
  return result;
}

TuneResult odd_result(double odd) {
  TuneResult result = multiply_result();
  result.default_seconds = result.best_seconds = result.elapsed = odd;
  result.speedup = result.speedup_lower = result.speedup_upper = odd;
  for (std::size_t i = 0; i < result.trials.size(); i += 3) result.trials[i].runs = {odd};
  for (Finalist& finalist : result.finalists)
    finalist.seconds = finalist.lower = finalist.ratio_lower = odd;
  result.problem.m = 0;
  return result;
}

TuneResult single_result() {
  TuneResult result;
  result.device = sample_device();
  result.problem = {.m = 64, .n = 64, .k = 64};
  result.trials = {{.kernel = {"naive", {{"GROUP_COLUMNS", 32}, {"GROUP_ROWS", 8}}},
                    .reason = {},
                    .runs = {2.5e-5, 2.75e-5, 3e-5},
                    .build = 0.25,
                    .check = 0.001,
                    .timing = 0.002,
                    .ended = kStart + 0.5}};
  result.space = 1;
  result.default_kernel = result.best = result.trials.front().kernel;
  result.default_seconds = result.best_seconds = 2.75e-5;
  result.conclusion = "not saved: the default is the fastest";
  result.elapsed = 1.5;
  return result;
}

}  // namespace tessera::test
