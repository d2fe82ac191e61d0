// Reductions that begin with a failure flag; a failed rank's message follows in reductions of its
// own.
#include "eigen/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "runtime/opencl_error.hpp"

namespace tessera::inline v0 {
namespace eigen {
namespace {

constexpr const char* kWork = "distributed eigenpair";

struct Failure {
  ErrorCode code;
  std::string message;
};

std::optional<Failure> failure_of(std::span<const double> numbers,
                                  const std::function<void()>& work) {
  try {
    runtime::with_opencl_errors(work, [] { return std::string(kWork); });
  } catch (const Error& error) {
    return Failure{error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return Failure{ErrorCode::out_of_host_memory, "out of host memory"};
  } catch (const std::exception& error) {
    return Failure{ErrorCode::rank_failed, error.what()};
  } catch (...) {
    return Failure{ErrorCode::rank_failed, "unknown exception"};
  }
  // A maximum of NaN and a number depends on their order.
  if (std::ranges::any_of(numbers, [](double number) { return std::isnan(number); }))
    return Failure{ErrorCode::failed_check, fmt::format("{}: a bound is NaN", kWork)};
  return {};
}

/// Throws what has failed on one rank, the same on all; `own` is that rank's failure. Messages
/// travel as one number per byte.
[[noreturn]] void throw_failure(Communicator& ranks, int failed,
                                const std::optional<Failure>& own) {
  constexpr std::size_t kLongest = 1000;
  std::vector<double> header(2);
  if (own) {
    header = {static_cast<double>(own->code),
              static_cast<double>(std::min(own->message.size(), kLongest))};
  }
  ranks.maximum(header);
  std::vector<double> text(static_cast<std::size_t>(header[1]));
  if (own) {
    std::ranges::transform(own->message.substr(0, text.size()), text.begin(),
                           [](char c) { return static_cast<unsigned char>(c); });
  }
  ranks.maximum(text);
  std::string message(text.size(), ' ');
  std::ranges::transform(text, message.begin(),
                         [](double c) { return static_cast<char>(static_cast<unsigned char>(c)); });
  throw RemoteError(failed, static_cast<ErrorCode>(static_cast<int>(header[0])), message);
}

}  // namespace

void agree(Communicator& ranks, std::span<double> numbers, const std::function<void()>& work) {
  auto failure = failure_of(numbers, work);
  // The flag is largest for the lowest rank that failed.
  const int flag = failure ? ranks.size() - ranks.rank() : 0;
  std::vector<double> all(numbers.size() + 1, kNoNumber);
  all[0] = flag;
  if (!failure) std::ranges::copy(numbers, all.begin() + 1);
  ranks.maximum(all);
  if (all[0] > 0) {
    const int failed = ranks.size() - static_cast<int>(all[0]);
    if (failed != ranks.rank()) failure.reset();
    throw_failure(ranks, failed, failure);
  }
  std::ranges::copy(all.begin() + 1, all.end(), numbers.begin());
}

}  // namespace eigen

Communicator::~Communicator() = default;

RemoteError::RemoteError(int rank, ErrorCode code, const std::string& message)
    : Error(code, fmt::format("rank {}: {}", rank, message)), rank_(rank) {}

}  // namespace tessera::inline v0
