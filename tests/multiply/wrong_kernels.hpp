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

/// A kernel, and edits that spoil the last element that a work-item computes. They can use a_at,
/// b_at, c_at, shape, alpha, beta and products.
struct Subject {
  std::string operation, variant;
  Parameters parameters;
  std::vector<Edit> edits;
  bool for_cpus = false;
};
const std::vector<Subject>& subjects();

/// Wrong: a condition, as an expression of the kernel, and the transposes for which it spoils
/// elements.
struct Wrong {
  std::string where;
  bool transpose_a = false, transpose_b = false;
  bool at_every_element = false;  ///< of those that are finished last
};
const std::vector<Wrong>& wrong_elements();

/// WrongLine: a kernel, or a file that it includes, that is wrong for every product.
struct WrongLine {
  std::string operation, variant, file;
  Edit edit;
  bool transpose_a = false, transpose_b = false, for_cpus = false;
};
const std::vector<WrongLine>& wrong_lines();

}  // namespace tessera::test
