// Conversion of wide numbers in memory from and to doubles.
#include "eigen/wide_vector.hpp"

#include <cstring>

namespace tessera::inline v0::eigen {

std::vector<double> doubles_of(std::span<const std::byte> vector, Wide wide) {
  const std::size_t n = vector.size() / kWideSize;
  std::vector<double> values(n);
  if (wide == Wide::one_double) {
    std::memcpy(values.data(), vector.data(), vector.size());
    return values;
  }
  std::vector<float> parts(2 * n);
  std::memcpy(parts.data(), vector.data(), vector.size());
  for (std::size_t i = 0; i < n; i++)
    values[i] = static_cast<double>(parts[i]) + static_cast<double>(parts[n + i]);
  return values;
}

std::vector<std::byte> vector_of(std::span<const double> values, Wide wide) {
  const std::size_t n = values.size();
  std::vector<std::byte> vector(n * kWideSize);
  if (wide == Wide::one_double) {
    std::memcpy(vector.data(), values.data(), vector.size());
    return vector;
  }
  std::vector<float> parts(2 * n);
  for (std::size_t i = 0; i < n; i++) {
    parts[i] = static_cast<float>(values[i]);
    parts[n + i] = static_cast<float>(values[i] - double{parts[i]});
  }
  std::memcpy(vector.data(), parts.data(), vector.size());
  return vector;
}

}  // namespace tessera::inline v0::eigen
