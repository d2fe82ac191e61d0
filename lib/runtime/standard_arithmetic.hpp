// Standard arithmetic: IEEE 754's rounding to nearest with subnormal numbers, also if the calling
// thread has other settings.
#pragma once

#include <cfenv>
#include <limits>

namespace tessera::inline v0::runtime {

/// Sets the thread's floating-point environment to the default, and restores it at the end of the
/// scope. Threads that are started meanwhile inherit the default. A shared library linked with
/// -ffast-math flushes subnormal numbers to zero in the thread that loads it.
class StandardArithmetic {
 public:
  StandardArithmetic() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  StandardArithmetic(const StandardArithmetic&) = delete;
  StandardArithmetic& operator=(const StandardArithmetic&) = delete;
  ~StandardArithmetic() { std::fesetenv(&callers_); }

 private:
  std::fenv_t callers_;
};

/// Returns whether the calling thread treats subnormal numbers as zero.
inline bool flushes_subnormals() {
  const volatile double subnormal = std::numeric_limits<double>::denorm_min();
  return !(subnormal * 0.75 > 0);
}

}  // namespace tessera::inline v0::runtime
