// A product of matrices of any type in host memory, with gaps, and its check against a reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tessera/host_product.hpp>
#include <tessera/verify.hpp>
#include <vector>

#include "operands/numbers.hpp"
#include "reference/guarded.hpp"
#include "reference/product.hpp"

namespace tessera::test {

/// A matrix of any type with gaps between its rows, and its elements, or their parts, without
/// them.
struct StoredMatrix {
  std::size_t rows, columns, pitch, before;
  ElementType type;
  std::vector<double> numbers;
  std::vector<std::byte> bytes;

  StoredMatrix(ElementType of, std::size_t m, std::size_t n, std::size_t gap, std::size_t offset,
               std::mt19937_64& random)
      : rows(m), columns(n), pitch(n + gap), before(offset), type(of) {
    const std::size_t parts = operands::parts_of(type), row = columns * parts;
    numbers = reference::random_elements(type, rows * row, random);
    std::vector<double> all((before + rows * pitch) * parts, reference::poison(type));
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(numbers.begin() + std::ptrdiff_t(i * row), row,
                  all.begin() + std::ptrdiff_t((before + i * pitch) * parts));
    bytes = operands::elements_of(type, all);
  }

  detail::HostOperand operand(Op op) {
    std::byte* const first = bytes.data() + before * element_size(type);
    const bool turned = is_transposed(op);
    return {first, turned ? columns : rows, turned ? rows : columns, pitch, type, op, false};
  }
  std::vector<double> inside() const {
    const std::size_t parts = operands::parts_of(type), row = columns * parts;
    const auto all = operands::numbers_of(type, bytes);
    std::vector<double> elements(rows * row);
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(all.begin() + std::ptrdiff_t((before + i * pitch) * parts), row,
                  elements.begin() + std::ptrdiff_t(i * row));
    return elements;
  }
  /// Returns whether everything but the elements is as it was in `other`.
  bool has_gaps_of(const StoredMatrix& other) const {
    auto now = bytes;
    const std::size_t size = element_size(type);
    for (std::size_t i = 0; i < rows; i++)
      std::copy_n(other.bytes.begin() + std::ptrdiff_t((before + i * pitch) * size), columns * size,
                  now.begin() + std::ptrdiff_t((before + i * pitch) * size));
    return now == other.bytes;
  }
};

struct HostCase {
  ProductTypes types;
  std::size_t m, n, k;
  Op op_a, op_b;
  Scalar alpha, beta;
  std::uint64_t device_memory;
};

inline std::string text_of(const HostCase& one) {
  return to_string(one.types) + " " + std::to_string(one.m) + " x " + std::to_string(one.n) +
         " x " + std::to_string(one.k) + " in " + std::to_string(one.device_memory);
}

/// The operands of a case, with random elements and gaps.
struct HostOperands {
  HostCase one;
  StoredMatrix a, b, before;

  HostOperands(const HostCase& of, std::mt19937_64& random)
      : one(of),
        a(stored(of.types.a, of.m, of.k, of.op_a, random)),
        b(stored(of.types.b, of.k, of.n, of.op_b, random)),
        before(stored(of.types.c, of.m, of.n, Op::none, random)) {}

  /// c, by one device or several.
  StoredMatrix product(const std::vector<Engine>& devices, HostProductReport* report = nullptr) {
    StoredMatrix c = before;
    auto seen = detail::multiply_host(c.operand(Op::none), a.operand(one.op_a), b.operand(one.op_b),
                                      {.alpha = one.alpha,
                                       .beta = one.beta,
                                       .devices = devices,
                                       .device_memory = one.device_memory});
    if (report != nullptr) *report = std::move(seen);
    return c;
  }

  Verification verify(const StoredMatrix& c, const VerifySample& sample) const {
    const auto elements = [](const std::vector<double>& numbers) {
      return operands::Elements(ElementType::float64, numbers.data());
    };
    const auto inside = c.inside();
    return reference::verify(
        {one.types, one.m, one.n, one.k, elements(a.numbers), elements(b.numbers),
         elements(before.numbers), elements(inside), one.op_a, one.op_b},
        {.alpha = one.alpha, .beta = one.beta}, sample);
  }

 private:
  static StoredMatrix stored(ElementType type, std::size_t m, std::size_t n, Op op,
                             std::mt19937_64& random) {
    if (is_transposed(op)) std::swap(m, n);
    const auto gap = [&] { return random() % 3 == 0 ? random() % 20 : 0; };
    const std::size_t beside = gap(), above = gap();
    return StoredMatrix(type, m, n, beside, above, random);
  }
};

}  // namespace tessera::test
