// Beside cuBLAS, Tessera runs in processes of its own, in turns with cuBLAS and its relatives. A
// call of 13 microseconds, by Tessera or by cuBLAS, takes 10 to 30 % longer in some processes than
// in others. A process that has both OpenCL and CUDA favors one of them.
#include "peers_alone.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <type_traits>
#include <vector>

#include "child.hpp"
#include "parts.hpp"
#include "random_cases.hpp"
#include "turns.hpp"

namespace tessera::bench {
namespace {

constexpr const char* kRandom = "random";
constexpr const char* kSquares = "squares";
constexpr const char* kOurs = "ours";
constexpr const char* kCublas = "cuBLAS";

/// Our speed relative to another library's over many cases.
class Spread {
 public:
  void add(double ratio) { ratios_.insert(std::ranges::upper_bound(ratios_, ratio), ratio); }
  int cases() const { return static_cast<int>(ratios_.size()); }
  double worst() const { return ratios_.front(); }
  double percentile(int percent) const {
    return ratios_[(ratios_.size() - 1) * static_cast<std::size_t>(percent) / 100];
  }
  double geometric_mean() const {
    double logarithms = 0;
    for (const double ratio : ratios_) logarithms += std::log(ratio);
    return std::exp(logarithms / cases());
  }

 private:
  std::vector<double> ratios_;
};

/// cuBLAS computes products of bytes of about every second case only.
template <class T>
constexpr int kCasesOfGpu = std::is_integral_v<T> ? 400 : 200;

template <class T>
int number_of_cases(bool on_cpu) {
  return on_cpu ? 150 : kCasesOfGpu<T>;
}

/// The cases of a group: random ones, or squares and batches of small squares.
template <class T>
std::vector<Case> cases_of(const std::string& group, bool on_cpu, Accuracy accuracy) {
  std::vector<Case> cases;
  if (group == kRandom) {
    RandomCases random(on_cpu, accuracy, kRandomBeta<T>);
    for (int i = 0; i < number_of_cases<T>(on_cpu); i++) cases.push_back(random.next());
    return cases;
  }
  for (std::size_t n = 256; n <= 8192; n *= 2)
    cases.push_back({.m = n, .n = n, .k = n, .accuracy = accuracy});
  for (const std::size_t n : {64U, 128U})
    cases.push_back({.m = n, .n = n, .k = n, .count = 10000, .accuracy = accuracy});
  return cases;
}

/// Calls `visit.template operator()<T>(type, accuracy)` for each type.
template <class Visit>
void visit_types(bool on_cpu, const Visit& visit) {
  visit.template operator()<float>("float", Accuracy::ieee);
  visit.template operator()<double>("double", Accuracy::ieee);
  visit.template operator()<std::complex<float>>("complex64", Accuracy::ieee);
  visit.template operator()<std::complex<double>>("complex128", Accuracy::ieee);
  if (on_cpu) return;
  visit.template operator()<half>("half", Accuracy::ieee);
  visit.template operator()<std::int8_t>("int8", Accuracy::ieee);
  visit.template operator()<float>("float_bounded", Accuracy::bounded);
  visit.template operator()<double>("double_bounded", Accuracy::bounded);
}

template <class T>
std::vector<Times> times_in_this_process(const Engine& engine, const std::vector<Case>& cases) {
  constexpr int kTurns = 3;
  std::vector<Times> times;
  for (const Case& sizes : cases) times.push_back(take_turns<T>(engine, sizes, kTurns));
  return times;
}

/// The processes of each library: $TESSERA_BENCH_PROCESSES, or 5.
int number_of_processes() {
  const char* const text = std::getenv("TESSERA_BENCH_PROCESSES");
  return text != nullptr ? std::max(std::atoi(text), 1) : 5;
}

/// A time for each process.
std::vector<Times> times_in_processes(const std::string& group, const std::string& type,
                                      std::size_t cases) {
  ::setenv("TESSERA_BENCH_SEED", std::to_string(seed_of_cases()).c_str(), 1);
  std::vector<Times> times(cases);
  const std::string what = std::string(kTimesAloneOption) + ' ' + group + ' ' + type + ' ';
  const int processes = number_of_processes();
  for (int i = 0; i < processes; i++) {
    for (const std::string library : {kOurs, kCublas}) {
      for (const std::string& line : lines_of_child(what + library)) {
        std::istringstream words(line);
        std::size_t number = 0;
        std::string name;
        double seconds = 0;
        if (words >> number >> name >> seconds) times.at(number)[name].push_back(seconds);
      }
    }
  }
  return times;
}

/// The median time of each other library divided by Tessera's.
std::map<std::string, double> ratios_of_medians(const Times& times) {
  std::map<std::string, double> all;
  for (const auto& [name, values] : times) {
    if (name != kOurs) all[name] = median(values) / median(times.at(kOurs));
  }
  return all;
}

/// A line: the case, our speed relative to the best, and each library's microseconds.
void print_times(const Case& sizes, const Times& times, double best) {
  std::printf("%s: %.3f", text_of(sizes).c_str(), best);
  for (const auto& [name, values] : times)
    std::printf(" %s %.1f", name.c_str(), 1e6 * median(values));
  std::printf("\n");
  std::fflush(stdout);
}

/// The geometric mean, percentiles and the worst of our speed relative to the best of the others,
/// and relative to each that was timed in every case. With TESSERA_BENCH_SHAPES in the environment,
/// a line for each case as well.
template <class T>
void products(benchmark::State& state, const std::string& group, const std::string& type,
              Accuracy accuracy) {
  const Engine engine = engine_without_profile();
  const std::vector<Case> cases = cases_of<T>(group, is_cpu(engine), accuracy);
  for (auto _ : state) {
    std::vector<Times> times;
    try {
      times = cublas_for(engine) != nullptr ? times_in_processes(group, type, cases.size())
                                            : times_in_this_process<T>(engine, cases);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      return;
    }
    std::map<std::string, Spread> spreads;
    std::string worst;
    for (std::size_t i = 0; i < cases.size(); i++) {
      const auto all = ratios_of_medians(times[i]);
      if (all.empty()) continue;  // no other library computes it
      const double best =
          std::ranges::min_element(all, {}, [](const auto& entry) { return entry.second; })->second;
      if (spreads["best"].cases() == 0 || best < spreads["best"].worst()) worst = text_of(cases[i]);
      spreads["best"].add(best);
      for (const auto& [name, ratio] : all) spreads[name].add(ratio);
      if (group == kSquares) state.counters[text_of(cases[i])] = best;
      if (std::getenv("TESSERA_BENCH_SHAPES") != nullptr) print_times(cases[i], times[i], best);
    }
    const int cases_of_best = spreads["best"].cases();
    if (cases_of_best == 0) {
      state.SkipWithError("no other library");
      return;
    }
    for (const auto& [name, spread] : spreads) {
      if (spread.cases() < cases_of_best) continue;
      state.counters[name + "_mean"] = spread.geometric_mean();
      state.counters[name + "_p10"] = spread.percentile(10);
      state.counters[name + "_worst"] = spread.worst();
    }
    for (int percent = 0; percent <= 100; percent += 5)
      state.counters["best_p" + std::to_string(percent)] = spreads["best"].percentile(percent);
    state.counters["cases"] = cases_of_best;
    state.SetLabel("seed " + std::to_string(seed_of_cases()) + ", worst: " + worst);
    state.SetIterationTime(1);
  }
}

}  // namespace

void register_peers_alone() {
  const bool on_cpu = is_cpu(engine_without_profile());
  for (const char* const group : {kRandom, kSquares}) {
    if (on_cpu && group != kRandom) continue;
    visit_types(on_cpu, [&]<class T>(const char* type, Accuracy accuracy) {
      benchmark::RegisterBenchmark(("Peers/" + std::string(group) + "/" + type).c_str(),
                                   [group, type, accuracy](benchmark::State& state) {
                                     products<T>(state, group, type, accuracy);
                                   })
          ->UseManualTime()
          ->Iterations(1);
    });
  }
}

void print_times_alone(const std::string& group, const std::string& wanted,
                       const std::string& library) {
  constexpr int kTurns = 1;
  visit_types(false, [&]<class T>(const std::string& type, Accuracy accuracy) {
    if (type != wanted) return;
    const std::optional<Engine> engine =
        library == kOurs ? std::optional(engine_without_profile()) : std::nullopt;
    const std::vector<Case> cases = cases_of<T>(group, false, accuracy);
    for (std::size_t i = 0; i < cases.size(); i++) {
      const Times times = engine ? times_of_ours<T>(*engine, cases[i], kTurns)
                                 : times_of_cublas<T>(cases[i], kTurns);
      for (const auto& [name, values] : times)
        std::printf("%zu %s %.9f\n", i, name.c_str(), median(values));
    }
  });
}

}  // namespace tessera::bench
