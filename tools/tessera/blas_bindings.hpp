// Which objects of a program call BLAS, and which objects answer, from the dynamic linker's log.
#pragma once

#include <compare>
#include <istream>
#include <set>
#include <string>

namespace tessera::tool {

struct BlasBinding {
  std::string caller, routine, answerer;  ///< paths of objects, and a name such as "dgemm_"

  friend auto operator<=>(const BlasBinding&, const BlasBinding&) = default;
};

/// Adds what a log of LD_DEBUG=bindings says of the names that libtessera-blas has, except for what
/// an object asks of itself.
void read_blas_bindings(std::istream& log, std::set<BlasBinding>& bindings);

}  // namespace tessera::tool
