// Next step: what a solve does after a certificate, and what its end is called.
#pragma once

#include <cstdint>
#include <optional>

#include "eigen/certificate.hpp"
#include "eigen/device_state.hpp"
#include "tessera/eigen.hpp"

namespace tessera::inline v0::eigen {

/// Where the rounds stand when they have ended.
struct Progress {
  Halt halt;
  std::uint32_t rounds;
};

/// What led to a certificate, or leads to the next one.
enum class Step {
  rounds,     ///< the method's own rounds
  from_ones,  ///< implicit rounds from the vector of ones
  tighten,    ///< more rounds, to half the tolerance
  row_sums,   ///< no round: the row sums of A itself, which bound the spectral radius too
  done
};

/// The step after `last`, which ended in `progress` and in a certificate, or none where the vector
/// lost a component. `relative` is the precision of a ratio. Ends in `done`: `row_sums` and
/// `tighten` come once, `from_ones` first or never.
Step next_step(Step last, const Progress& progress, const std::optional<Certificate>& certificate,
               const EigenOptions& options, double relative);

/// Do steps in the matrix's type go on as implicit rounds? They end where the type's precision
/// does.
bool continues_implicitly(const Progress& steps, const EigenOptions& options);

/// What rounds end at, so that the certificate, widened by rounding, ends within the caller's
/// tolerance. `rounds_prove`: the certificate is of the rounds' own ratios.
double tolerance_of_rounds(const EigenOptions& options, double relative, bool rounds_prove);

/// Why a solve ended: `converged` where the stop test was met by what is proven.
EigenReason ending(Step last, const Progress& progress, const Certificate& certificate,
                   const EigenOptions& options);

}  // namespace tessera::inline v0::eigen
