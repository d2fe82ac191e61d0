// Progress: how far long work is, on standard error, once it has taken two seconds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "terminal.hpp"

namespace tessera::tool {

/// The bytes that show a line of progress: on a terminal that redraws it replaces the line before
/// and never wraps, elsewhere it is a plain line.
std::string drawn(std::string_view line, const Terminal& terminal);

/// On a terminal that redraws one line that is written over, elsewhere a plain line now and then.
class Progress {
 public:
  explicit Progress(std::size_t total = 0);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void set_total(std::size_t total) { total_ = total; }
  /// `done` of the total are behind us; `note` says what is at hand, or the best so far.
  void update(std::size_t done, const std::string& note);
  /// Says `line` in its own words, as often as update() would.
  void say(const std::string& line);
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  bool shown_ = false;
  Clock::time_point started_, last_;
};

/// Progress of one call that blocks: a thread says `what` and the seconds since the construction.
class ElapsedLine {
 public:
  explicit ElapsedLine(std::string what);

 private:
  void tell(const std::stop_token& over);

  std::string what_;
  Progress line_;
  std::mutex mutex_;
  std::condition_variable_any tick_;
  std::jthread teller_;  // the last member: it uses the others
};

}  // namespace tessera::tool
