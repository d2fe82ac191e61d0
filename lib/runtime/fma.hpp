// Fused multiply-add: x * y + z, rounded once.
#pragma once

#include <cmath>

namespace tessera::inline v0::runtime {

#ifdef __MINGW32__
// The function of mingw-w64's C library rounds twice.
float fma(float x, float y, float z);
double fma(double x, double y, double z);
#else
using std::fma;
#endif

}  // namespace tessera::inline v0::runtime
