// Classes: decomposes a non-negative matrix into irreducible blocks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::inline v0::eigen {

/// The indices of an irreducible diagonal block, in ascending order.
using Class = std::vector<std::size_t>;

/// The strongly connected components of the graph with an edge from i to j where a_ij > 0 (Tarjan,
/// "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972). Ordered so that
/// edges lead to the same class or to a later one. `a` is n x n.
std::vector<Class> classes_of(std::span<const double> a, std::size_t n);

/// The greatest common divisor of the lengths of the cycles within a class; 0 if there is none.
std::size_t period_of(std::span<const double> a, std::size_t n, const Class& members);

}  // namespace tessera::inline v0::eigen
