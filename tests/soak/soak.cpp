// Soak: threads that do random operations on every device for a time, for tests/lanes/soak.sh.
//   soak SECONDS SEED [faults]    `faults`: calls of OpenCL fail, errors are expected
// A run that has done too few operations by then continues, up to ten times as long.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

#include "soak/operations.hpp"

namespace tessera::test {
namespace {

/// Counts of all threads.
struct Totals {
  std::mutex mutex;
  std::map<std::string, long> done, failed;
  std::vector<std::string> wrong;
};

long sum_of(const std::map<std::string, long>& counts) {
  long sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

/// Whether enough was done to tell, and something has failed among faults.
bool suffices(Totals& totals, bool faults) {
  const std::lock_guard lock(totals.mutex);
  return sum_of(totals.done) >= 8 && (!faults || sum_of(totals.failed) > 0);
}

/// Operations, and new engines now and then and after each error.
void soak(Totals& totals, Random random, bool faults, std::chrono::seconds time) {
  std::optional<Place> here, there;
  const auto start = std::chrono::steady_clock::now();
  const auto runs = [&] {
    const auto passed = std::chrono::steady_clock::now() - start;
    return passed < time || (passed < 10 * time && !suffices(totals, faults));
  };
  while (runs()) {
    const Named& operation = random.of(kOperations);
    const char* doing = "opening a device";
    std::string wrong, failure;
    try {
      if (!here || !there || random.chance(0.01)) {
        const auto all = devices();
        // Devices that do not respond are left out.
        if (all.empty()) throw DeviceError(ErrorCode::no_device, "there is no device");
        here.emplace(random.of(all).selector);
        there.emplace(random.of(all).selector);
      }
      doing = operation.name;
      wrong = (Operations(random, *here, *there).*operation.run)();
    } catch (const MatrixError& error) {
      wrong = error.what();  // blames the caller's matrix
    } catch (const Error& error) {
      (faults ? failure : wrong) = error.what();
      if (failure.empty() && wrong.empty()) wrong = "an error that says nothing";
      if (random.chance(0.3)) here.reset(), there.reset();
    } catch (const std::exception& error) {
      wrong = std::string("not the library's error: ") + error.what();
    }
    const std::lock_guard lock(totals.mutex);
    (failure.empty() ? totals.done : totals.failed)[doing]++;
    if (!wrong.empty()) totals.wrong.push_back(std::string(doing) + ": " + wrong);
  }
}

int run(int seconds, std::uint64_t seed, bool faults) {
  Totals totals;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < 4; i++)
      threads.emplace_back(
          [&, i] { soak(totals, Random(seed, i), faults, std::chrono::seconds(seconds)); });
  }
  for (const auto& [name, number] : totals.done)
    std::printf("%8ld %s, %ld failed\n", number, name.c_str(), totals.failed[name]);
  const long failed = sum_of(totals.failed);
  std::printf("%ld operations in 4 threads, %ld failed, %zu wrong\n", sum_of(totals.done), failed,
              totals.wrong.size());
  for (const std::string& wrong : totals.wrong) std::printf("WRONG   %s\n", wrong.c_str());
  return totals.wrong.empty() && suffices(totals, faults) && (faults || failed == 0) ? 0 : 1;
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bool faults = argc > 3 && std::string_view(argv[3]) == "faults";
  return tessera::test::run(std::atoi(argv[1]), std::strtoull(argv[2], nullptr, 10), faults);
}
