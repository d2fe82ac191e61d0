// A product on the command line: operands on host and device, its measurement, its check.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tessera/multiply_batched.hpp>
#include <tessera/verify.hpp>
#include <vector>

#include "commands/command.hpp"
#include "commands/spread.hpp"
#include "files/host_matrix.hpp"

namespace tessera::tool {

using Json = nlohmann::ordered_json;

struct MultiplyCommand : CommonOptions {
  std::string a, b, c0, output, dtype, kernel, accuracy = "ieee";
  std::vector<std::string> settings;
  bool transpose_a = false, transpose_b = false, verify = false, every_kernel = false;
  double alpha = 1, beta = 0;
  unsigned repeat = 1, batch = 0;  // batch 0: the stacks' size, else 1
};

/// Sizes of each product, after transposes, and how the operands are stored.
struct ProductShape {
  std::size_t rows = 0, columns = 0, k = 0, batch = 1;
  bool is_stack = false;                      ///< the products are one too
  bool repeats_a = false, repeats_b = false;  ///< one matrix for all products
};

/// Operands as read, and on the device: a batch's matrices one below the other.
template <Element T>
struct Operands : ProductShape {
  HostMatrix<T> a, b;
  HostMatrix<ProductElement<T>> c0;  // empty where beta is 0
  Matrix<T> a_device, b_device;

  double products() const {
    return static_cast<double>(batch) * static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(k);
  }
};

/// Result of one kernel.
struct Measurement {
  KernelRun ran;
  Spread seconds = {};  // on the device
  std::optional<Verification> verification = std::nullopt;

  /// Returns whether each element is exact enough and no integer's sum left int32.
  bool passed() const {
    return !verification || (verification->passed() && verification->wrapped == 0);
  }
};

/// A matrix for all products.
template <Element T>
Matrix<ProductElement<T>> output_of(const Operands<T>& operands) {
  return Matrix<ProductElement<T>>(operands.a_device.engine(), operands.batch * operands.rows,
                                   operands.columns);
}

/// The largest relative rounding of an element on its way from its source into its type; infinite
/// where none is known.
template <Element T>
double input_rounding(const Operands<T>& operands);

/// "1024 x 768, k 512", and how many there are of it.
template <Element T>
std::string text_of_sizes(const Operands<T>& operands);

/// 2 * products / seconds in units of 1e9.
double gflops(double products, double seconds);

template <Element T>
MultiplyOptions<T> options_of(const MultiplyCommand& command);

/// Runs the product `repeat` times, each time on a new copy of c0.
template <Element T>
Measurement measure(const Operands<T>& operands, Matrix<ProductElement<T>>& c,
                    const MultiplyOptions<T>& options, unsigned repeat);

/// Checks every element of c, or where all would take long some of each product, in other places
/// from one to the next.
template <Element T>
void verify(const Operands<T>& operands, const std::vector<ProductElement<T>>& c,
            const MultiplyOptions<T>& options, Measurement& result);

template <Element T>
Json json_of(const Measurement& result, const Operands<T>& operands,
             const MultiplyCommand& command);

}  // namespace tessera::tool
