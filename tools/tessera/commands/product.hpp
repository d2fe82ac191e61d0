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
#include "files/any_matrix.hpp"

namespace tessera::tool {

using Json = nlohmann::ordered_json;

struct MultiplyCommand : CommonOptions {
  std::string a, b, c0, output, dtype, out_dtype, kernel, accuracy = "ieee";
  std::vector<std::string> settings;
  bool transpose_a = false, transpose_b = false, adjoint_a = false, adjoint_b = false;
  bool verify = false, every_kernel = false, host = false;
  Scalar alpha = 1, beta = 0;
  unsigned repeat = 1, batch = 0;  // batch 0: the stacks' size, else 1

  Op op_a() const { return op_if(transpose_a || adjoint_a, adjoint_a); }
  Op op_b() const { return op_if(transpose_b || adjoint_b, adjoint_b); }
};

/// Sizes of each product, after transposes, and how the operands are stored.
struct ProductShape {
  std::size_t rows = 0, columns = 0, k = 0, batch = 1;
  bool is_stack = false;                      ///< the products are one too
  bool repeats_a = false, repeats_b = false;  ///< one matrix for all products
};

/// Operands as read, and on the device unless they stay in host memory: the matrices of a batch one
/// below the other.
struct Operands : ProductShape {
  ProductTypes types;
  Engine engine;
  AnyMatrix a, b, c0;  // c0 is empty if beta is 0
  detail::Operand a_device = {}, b_device = {};
  bool on_host = false;

  double products() const {
    return static_cast<double>(batch) * static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(k);
  }
};

/// True if each element is within its error bound and no sum of integers exceeds int32, or if
/// nothing was verified.
inline bool passed(const std::optional<Verification>& verified) {
  return !verified || (verified->passed() && verified->wrapped == 0);
}

/// Result of one kernel.
struct Measurement {
  KernelRun ran;
  Spread seconds = {};  // on the device
  std::optional<Verification> verification = std::nullopt;

  bool passed() const { return tool::passed(verification); }
};

/// A matrix for all products, on the device.
detail::Operand output_of(const Operands& operands);

/// "1024 x 768, k 512", and how many there are of it.
std::string text_of_sizes(const Operands& operands);

/// Operations per second in units of 1e9: 2 for each product, 8 for each complex one.
double gflops(const Operands& operands, double seconds);

/// "1.5" or "1.5-2i" as a number. Throws UsageError, which begins with the option, for other text.
Scalar scalar_of(const std::string& option, const std::string& text);

/// Throws UsageError for factors that the sum's type cannot hold.
MultiplyOptions options_of(const MultiplyCommand& command, const ProductTypes& types);

/// Runs the product `repeat` times, each on a fresh c0. An untimed run comes first if `repeat` > 1.
Measurement measure(const Operands& operands, const MultiplyCommand& command,
                    const MultiplyOptions& options, const detail::Operand& c);

/// Checks every element of c. Of large products it checks a part, other elements in each product.
Verification verify(const Operands& operands, const MultiplyCommand& command,
                    const MultiplyOptions& options, const AnyMatrix& c);

/// Adds the rounding of the operands, and the verification: null without one.
void add_verification(Json& json, const Operands& operands,
                      const std::optional<Verification>& verified);

Json json_of(const Measurement& result, const Operands& operands, const MultiplyCommand& command);

}  // namespace tessera::tool
