// Progress: how far long work is, on standard error, once it has taken two seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace tessera::tool {

/// On a terminal one line that is written over, elsewhere a plain line now and then.
class Progress {
 public:
  explicit Progress(std::size_t total = 0);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// `done` of the total are behind us; `note` says what is at hand, or the best so far.
  void update(std::size_t done, const std::string& note);
  /// Says `line` in its own words, as often as update() would.
  void say(const std::string& line);
  /// Takes the line away, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point started_, last_;
};

}  // namespace tessera::tool
