// Next phase: what a solve does after a certificate, and why it ended.
#pragma once

#include <cstdint>
#include <optional>

#include "eigen/certificate.hpp"
#include "eigen/device_state.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// State of the rounds when they have ended.
struct Progress {
  Halt halt;
  std::uint32_t rounds;
};

/// The part of a solve that produced a certificate, or that is to produce the next one.
enum class Phase {
  rounds,     ///< the method's own rounds
  from_ones,  ///< implicit rounds from the vector of ones
  tighten,    ///< more rounds, to half the tolerance
  row_sums,   ///< no round: the row sums of A itself, which bound the spectral radius too
  done
};

/// The phase after `last`, which ended in `progress` and a certificate, or in none if the vector
/// lost a component. `relative` is the precision of a ratio. The phases always reach `done`:
/// `row_sums` and `tighten` occur at most once, `from_ones` only directly after
/// `rounds`.
Phase next_phase(Phase last, const Progress& progress,
                 const std::optional<Certificate>& certificate, const EigenOptions& options,
                 double relative);

/// Whether steps in the matrix's type continue as implicit rounds: steps get no further than the
/// precision of that type.
bool continues_implicitly(const Progress& steps, const EigenOptions& options);

/// The tolerance for rounds such that the certificate, widened for rounding, meets the caller's
/// tolerance. `rounds_prove`: the certificate uses the rounds' own ratios.
double tolerance_of_rounds(const EigenOptions& options, double relative, bool rounds_prove);

/// Why a solve ended: `converged` if the proven bounds, or else the neighbours, meet the stop test.
EigenReason ending(Phase last, const Progress& progress, const Certificate& certificate,
                   const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
