// Thread ranks: ranks of a distributed solve that are threads of this process, for tests.
#pragma once

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <stdexcept>
#include <tessera/distributed.hpp>
#include <thread>
#include <vector>

namespace tessera::test {

/// Memory that the threads share.
struct Exchange {
  explicit Exchange(int ranks) : parts(static_cast<std::size_t>(ranks)), barrier(ranks) {}

  std::vector<std::vector<double>> parts;
  std::barrier<> barrier;
};

class ThreadRank : public Communicator {
 public:
  ThreadRank(Exchange& exchange, int rank) : exchange_(exchange), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(exchange_.parts.size()); }
  void maximum(std::span<double> numbers) override {
    give(numbers);
    for (const auto& part : exchange_.parts) {
      if (part.size() != numbers.size()) throw std::logic_error("ranks compare other numbers");
      for (std::size_t i = 0; i < part.size(); i++) numbers[i] = std::max(numbers[i], part[i]);
    }
    exchange_.barrier.arrive_and_wait();
  }
  void gather(std::span<const double> part, std::span<const std::size_t> lengths,
              std::span<double> all) override {
    give(part);
    auto to = all.begin();
    for (std::size_t r = 0; r < lengths.size(); r++) {
      if (exchange_.parts[r].size() != lengths[r]) throw std::logic_error("a part is too long");
      to = std::ranges::copy(exchange_.parts[r], to).out;
    }
    exchange_.barrier.arrive_and_wait();
  }

 private:
  void give(std::span<const double> numbers) {
    exchange_.parts[static_cast<std::size_t>(rank_)].assign(numbers.begin(), numbers.end());
    exchange_.barrier.arrive_and_wait();
  }

  Exchange& exchange_;
  int rank_;
};

/// The result of a rank, or its exception.
template <class Result>
struct Ending {
  Result result = {};
  std::exception_ptr thrown = {};
};

/// Runs `work(communicator)` as each of `ranks` threads. Throws if they have not ended after a
/// minute; the threads are then left alone.
template <class Work, class Result = std::invoke_result_t<Work, Communicator&>>
std::vector<Ending<Result>> run_ranks(int ranks, Work work) {
  struct Shared {
    Shared(int number, Work of_rank)
        : exchange(number), work(std::move(of_rank)), endings(static_cast<std::size_t>(number)) {}

    Exchange exchange;
    Work work;
    std::vector<Ending<Result>> endings;
  };
  const auto shared = std::make_shared<Shared>(ranks, std::move(work));
  std::vector<std::future<void>> ends;
  for (int rank = 0; rank < ranks; rank++) {
    std::packaged_task<void()> task([shared, rank] {
      ThreadRank communicator(shared->exchange, rank);
      auto& ending = shared->endings[static_cast<std::size_t>(rank)];
      try {
        ending.result = shared->work(communicator);
      } catch (...) {
        ending.thrown = std::current_exception();
      }
    });
    ends.push_back(task.get_future());
    std::thread(std::move(task)).detach();
  }
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (const auto& end : ends) {
    if (end.wait_until(limit) != std::future_status::ready)
      throw std::runtime_error("a rank has not ended");
  }
  return std::move(shared->endings);
}

/// Returns the results of all ranks; rethrows the first exception.
template <class Work>
auto results_of_ranks(int ranks, Work work) {
  std::vector<std::invoke_result_t<Work, Communicator&>> results;
  for (auto& ending : run_ranks(ranks, std::move(work))) {
    if (ending.thrown) std::rethrow_exception(ending.thrown);
    results.push_back(std::move(ending.result));
  }
  return results;
}

}  // namespace tessera::test
