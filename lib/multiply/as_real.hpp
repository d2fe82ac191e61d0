// Complex products as products of real matrices.
#pragma once

#include <memory>

#include "kernels/plan.hpp"
#include "multiply/call.hpp"
#include "runtime/program_store.hpp"
#include "runtime/submission.hpp"

namespace tessera::inline v0::multiplication {

/// True if a complex product is computed as a real one unless the caller names a kernel. On CPUs,
/// `packed` computes complex products itself. Elsewhere, the product has to be large enough, its
/// operands' copies have to fit into the device's memory, and no kernel for complex elements may be
/// faster.
bool runs_as_real(const Problem& problem, const DeviceCapabilities& device);

/// The program that makes the copies of a real form.
std::shared_ptr<runtime::Program> program_of_copies(runtime::Stream& stream,
                                                    const ProductTypes& types);

/// A complex product, m x n x k, as a real one, m x 2n x 2k: C and A are read as matrices of their
/// parts, and each value of B becomes 2 x 2 numbers. It takes the 4 mnk multiply-adds of a complex
/// product, by any kernel for real matrices, whose sums have the error of complex sums. With a
/// complex alpha or beta the sums go to scratch memory first, and scale_add() of
/// cl/common/complex.cl scales them. (Van Zee, "Implementing high-performance complex matrix
/// multiplication via the 1m method", SIAM J. Sci. Comput. 42, 2020.)
class RealForm {
 public:
  /// The call outlives the form.
  RealForm(const Call& call, std::shared_ptr<runtime::Program> program);

  /// The real product; its operands lack what enqueue() copies.
  const Problem& problem() const { return real_.problem; }

  /// Copies operands and enqueues the plan's kernel for the real product.
  void enqueue(const kernels::Plan& plan, runtime::Submission& submission) const;

 private:
  const Call* complex_;
  Call real_;
  std::shared_ptr<runtime::Program> program_;
};

}  // namespace tessera::inline v0::multiplication
