// Proof: the evidence for a certificate, from an iterate's ratios or from the ratios of a pass over
// A.
#pragma once

#include "eigen/certificate.hpp"
#include "eigen/rounds.hpp"
#include "eigen/workspace.hpp"

namespace tessera::inline v0::eigen {

/// The iterate with ratios that are precise enough for a certificate: its own, or the ratios of one
/// more pass.
Iterate with_ratios(const Workspace& work, const Iterate& iterate);

/// Enqueues a kernel that tests on the device whether the rounds have ended. If they have, the
/// kernel gathers the evidence of their last vector and normalises that vector. The rounds began
/// with number `first` and the iterate `from`.
void enqueue_finish(const Workspace& work, const Rounds& rounds, const Iterate& from,
                    cl_uint first);

/// The evidence of an iterate that has ratios; the result is then its vector. Waits, unless the
/// iterate has evidence.
Evidence evidence_of(const Workspace& work, Rounds& rounds, const Iterate& iterate);

}  // namespace tessera::inline v0::eigen
