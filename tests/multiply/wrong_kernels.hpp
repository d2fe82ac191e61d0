// Wrong kernels: edits after which a kernel is wrong for some products only.
//
// A new one is a row of wrong_elements(), for all kernels of products, or of wrong_lines().
#pragma once

#include <string>
#include <tessera/kernel.hpp>
#include <vector>

namespace tessera::test {

struct Edit {
  std::string text, replacement;
};

/// A kernel, and edits that spoil the last element of what a work-item computes. They see a_at,
/// b_at, c_at, shape, alpha, beta and products.
struct Subject {
  std::string operation, variant;
  Parameters parameters;
  std::vector<Edit> edits;
  bool for_cpus = false;
};
const std::vector<Subject>& subjects();

/// What is wrong: where, as an expression of the kernel, and in which transposes.
struct Wrong {
  std::string where;
  bool transpose_a = false, transpose_b = false;
  bool at_every_element = false;  ///< of those that are finished last
};
const std::vector<Wrong>& wrong_elements();

/// A kernel, or what it includes, that is wrong whatever the product.
struct WrongLine {
  std::string operation, variant, file;
  Edit edit;
  bool transpose_a = false, transpose_b = false, for_cpus = false;
};
const std::vector<WrongLine>& wrong_lines();

}  // namespace tessera::test
