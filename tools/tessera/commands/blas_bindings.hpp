// The log of the dynamic linker names the objects of a program that call BLAS, and the objects that
// answer.
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

/// Adds the bindings of libtessera-blas's names in a log of LD_DEBUG=bindings, except an object's
/// bindings to itself.
void read_blas_bindings(std::istream& log, std::set<BlasBinding>& bindings);

}  // namespace tessera::tool
