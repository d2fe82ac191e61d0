// Proof: from an iterate to a certificate, by its ratios or by those of a pass over A.
#pragma once

#include <optional>
#include <vector>

#include "eigen/certificate.hpp"
#include "eigen/iterate.hpp"

namespace tessera::inline v0::eigen {

/// The iterate with ratios that are precise enough for a certificate: its own, or those of one more
/// pass.
template <class Component>
Iterate with_ratios(const Workspace<Component>& work, const Iterate& iterate);

/// What a certificate is computed from.
struct Evidence {
  std::vector<double> vector, ratios;
};

/// Reads the vector and ratios of an iterate that has ratios. Waits.
template <class Component>
Evidence read_evidence(const Workspace<Component>& work, const Iterate& iterate);

}  // namespace tessera::inline v0::eigen
