// Synthetic searches: spaces, times that follow a model with noise, failures.
#include "sample_search.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

/// Numbers in [0, 1) that follow from their arguments alone.
double noise(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (number + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

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
  add("row_tile", {{"TILE_N", {4, 8, 16, 32, 64, 128, 256}}});
  add("tiled_static", {{"TILE", {4, 8, 16, 32}}});
  add("register_tiled", {{"TILE_M", {32, 64, 128}},
                         {"TILE_N", {32, 64, 128}},
                         {"TILE_K", {8, 16}},
                         {"WORK_M", {4, 8}},
                         {"WORK_N", {4, 8}}});
  add("subgroup_block",
      {{"SUBGROUP_SIZE", {8, 16, 32}}, {"SUB_GROUPS", {1, 4, 8}}, {"MR", {4, 8}}, {"NR", {1, 2}}});
  return all;
}

namespace {

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
  if (kernel.variant == "row_tile") seconds = 8e-3 * at("TILE_N", 64, 0.25);
  if (kernel.variant == "tiled_static") seconds = 4.1e-3 * at("TILE", 16, 0.45);
  if (kernel.variant == "subgroup_block") seconds = 1.9e-3;
  return seconds * at("TILE_M", 128, 0.32) * at("TILE_N", 128, 0.22) * at("TILE_K", 16, 0.05) *
         at("WORK_M", 8, 0.3) * at("WORK_N", 8, 0.12) * at("GROUP_COLUMNS", 32, 0.3) *
         at("GROUP_ROWS", 8, 0.15) * at("SUBGROUP_SIZE", 32, 0.3) * at("SUB_GROUPS", 4, 0.2) *
         at("MR", 8, 0.35) * at("NR", 2, 0.25);
}

}  // namespace

void fail(Trial& trial, Outcome outcome, const std::string& reason) {
  trial.outcome = outcome;
  trial.reason = reason;
  trial.runs.clear();
}

namespace {

/// Makes a trial fail, depending on its parameters and on chance.
void spoil(Trial& trial, double chance) {
  const double items = value(trial.kernel, "TILE_M", 0) / value(trial.kernel, "WORK_M", 1) *
                       value(trial.kernel, "TILE_N", 0) / value(trial.kernel, "WORK_N", 1);
  if (items > 512) {
    fail(trial, Outcome::resources,
         "CL_OUT_OF_RESOURCES: clEnqueueNDRangeKernel of multiply_register_tiled, 1024 work-items "
         "of 96 registers");
  } else if (chance < 0.02) {
    fail(trial, Outcome::build_timeout, "the compiler took over 20 s");
  } else if (chance < 0.04) {
    fail(trial, Outcome::build_failed,
         "CL_BUILD_PROGRAM_FAILURE:\nmultiply/row_tile.cl:31:9: error: use of undeclared "
         "identifier 'lane'; did you mean <line>?");
  } else if (chance < 0.05) {
    fail(trial, Outcome::wrong, "element (17, 3) is 2.25, not 2.5: error 0.25, bound 1.9e-05");
  } else if (chance < 0.06) {
    fail(trial, Outcome::run_timeout, "the kernel took over 2 s, 20 x the best");
  } else if (chance < 0.065) {
    fail(trial, Outcome::crashed, "the process died: signal 11");
  }
}

Trial trial_of(const KernelChoice& kernel, std::uint64_t seed, std::uint64_t number, double scale,
               double best) {
  Trial trial{.kernel = kernel, .reason = {}};
  const double seconds = scale * seconds_of(kernel) * (1 + 0.08 * noise(seed, 3 * number));
  const bool slow = seconds > 1.25 * best;
  for (std::uint64_t run = 0; run < (slow ? 2u : 7u); run++)
    trial.runs.push_back(seconds * (1 + 0.01 * noise(seed + 1, 10 * number + run)));
  if (slow) {
    trial.outcome = Outcome::slow;
    trial.reason = "over 1.25 x the best";
  }
  trial.build = 0.4 + 0.8 * noise(seed, 3 * number + 1);
  trial.check = 0.003;
  trial.timing = 9 * seconds;
  trial.ended = kStart + 0.84 * static_cast<double>(number + 1);
  spoil(trial, noise(seed, 3 * number + 2));
  return trial;
}

}  // namespace

std::vector<Trial> trials_of(std::vector<KernelChoice> kernels, std::uint64_t seed, double scale) {
  std::vector<std::pair<double, KernelChoice>> order;
  for (std::size_t i = 0; i < kernels.size(); i++)
    order.emplace_back(0.3 * std::log(seconds_of(kernels[i])) + noise(seed, 1000 + i), kernels[i]);
  std::ranges::sort(order, {}, [](const auto& entry) { return entry.first; });
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2),
              order.begin() + static_cast<std::ptrdiff_t>(order.size() * 3 / 4));
  std::vector<Trial> trials;
  double best = 1;
  for (const auto& entry : order) {
    trials.push_back(trial_of(entry.second, seed, trials.size(), scale, best));
    if (trials.back().good()) best = std::min(best, trials.back().seconds());
  }
  return trials;
}

}  // namespace tessera::test
