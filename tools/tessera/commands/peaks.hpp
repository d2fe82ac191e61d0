// Peaks: a device's measured limits by type, measured again when a kernel exceeds them.
#pragma once

#include <map>
#include <tessera/tune.hpp>

namespace tessera::tool {

class Peaks {
 public:
  explicit Peaks(const Engine& engine) : engine_(engine) {}

  /// Measures at the first call for a type.
  const Peak& of(ElementType type);
  /// A kernel that is faster than the peak shows that other work slowed the measurement down, so it
  /// is repeated: the larger values count. Returns the peak for the result's type.
  const Peak& after(const TuneResult& result);

 private:
  void measure(ElementType type);

  const Engine& engine_;
  std::map<ElementType, Peak> peaks_;
};

/// Returns whether the result's winner is faster than the peak.
bool exceeds(const TuneResult& result, const Peak& peak);
/// The larger value of each limit.
Peak larger(const Peak& one, const Peak& other);

}  // namespace tessera::tool
