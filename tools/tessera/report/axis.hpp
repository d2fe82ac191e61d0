// Axis: from values to places along a chart's edge.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tessera::tool {

class Axis {
 public:
  static Axis linear(double low, double high);
  /// From 1 to 10 where low and high are not within 1e-30 and 1e30.
  static Axis logarithmic(double low, double high);
  /// Logarithmic, around all values that have a place there, with some room.
  static Axis around(std::span<const double> values);

  /// 0 at the low end, 1 at the high one; what lies outside is at an end.
  double at(double value) const;
  /// Round values, seven at the most.
  std::vector<double> ticks() const;

 private:
  Axis(double low, double high, bool logarithmic);
  std::vector<double> decades() const;
  std::vector<double> steps() const;
  double low_, high_;
  bool logarithmic_;
};

/// "2 ms", "0.5 µs": a round value, as short as can be.
std::string tick_of_seconds(double seconds);

}  // namespace tessera::tool
