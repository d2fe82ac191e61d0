// Products by a variant that this device could not run: see plain_kernel.hpp.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <tessera/tessera.hpp>
#include <tessera/verify.hpp>
#include <utility>
#include <vector>

#include "multiply/call.hpp"
#include "multiply/plain_kernel.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace tessera::test {

struct PlainProduct {
  std::size_t m, n, k;
  Op op_a = Op::none, op_b = Op::none;
  Scalar alpha = 1, beta = 0;
  std::size_t more_columns = 0, first_column = 0;  // of the memory of A, B and C
};

template <class T>
std::vector<T> normal_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> all(count);
  for (T& number : all) {
    if constexpr (is_complex(kElementType<T>)) {
      using Part = typename T::value_type;
      const auto real = static_cast<Part>(normal(random));
      number = {real, static_cast<Part>(normal(random))};
    } else {
      number = static_cast<T>(normal(random));
    }
  }
  return all;
}

template <class T>
ConstMatrixView<T> viewed_by(Op op, const ConstMatrixView<T>& matrix) {
  if (op == Op::transpose) return matrix.transposed();
  if (op == Op::conjugate) return matrix.conjugated();
  return op == Op::none ? matrix : matrix.adjoint();
}

/// Tests of a variant in bounded accuracy, with kernels of a folder.
class PlainProductTest : public testing::Test {
 protected:
  explicit PlainProductTest(std::string variant) : variant_(std::move(variant)) {
    folder_.file("common/fences.cl",
                 "#define all_have_arrived(arrived, groups, counts, told) true\n");
  }

  /// C, which was 3.
  template <class T>
  std::vector<T> run(const PlainProduct& product, const std::vector<T>& a_values,
                     const std::vector<T>& b_values) {
    const Variable kernels_here("TESSERA_KERNEL_DIR", folder_.path().string());
    const std::size_t a_rows = is_transposed(product.op_a) ? product.k : product.m,
                      a_columns = is_transposed(product.op_a) ? product.m : product.k,
                      b_rows = is_transposed(product.op_b) ? product.n : product.k,
                      b_columns = is_transposed(product.op_b) ? product.k : product.n,
                      more = product.more_columns, first = product.first_column;
    const auto widened = [&](const std::vector<T>& inside, std::size_t rows, std::size_t columns) {
      std::vector<T> all(rows * (columns + more), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t i = 0; i < rows; i++)
        for (std::size_t j = 0; j < columns; j++)
          all[i * (columns + more) + first + j] = inside[i * columns + j];
      return all;
    };
    const Matrix<T> a(engine(), a_rows, a_columns + more, widened(a_values, a_rows, a_columns)),
        b(engine(), b_rows, b_columns + more, widened(b_values, b_rows, b_columns));
    const std::size_t c_columns = product.n + more;
    Matrix<T> c(engine(), product.m, c_columns, std::vector<T>(product.m * c_columns, 3));
    const auto left = viewed_by<T>(product.op_a, a.block(0, first, a_rows, a_columns)),
               right = viewed_by<T>(product.op_b, b.block(0, first, b_rows, b_columns));
    run_plain(engine(), variant_, {},
              multiplication::make_call({detail::operand(c.block(0, first, product.m, product.n))},
                                        {detail::operand(left)}, {detail::operand(right)},
                                        options(product)),
              enqueue_);
    const std::vector<T> all = c.to_host();
    std::vector<T> inside;
    for (std::size_t i = 0; i < product.m; i++) {
      for (std::size_t j = 0; j < c_columns; j++) {
        const T& number = all[i * c_columns + j];
        if (j >= first && j < first + product.n)
          inside.push_back(number);
        else
          EXPECT_EQ(number, T(3)) << "outside of C: " << i << ", " << j;
      }
    }
    return inside;
  }

  static MultiplyOptions options(const PlainProduct& product) {
    return {.alpha = product.alpha, .beta = product.beta, .accuracy = Accuracy::bounded};
  }

  template <class T>
  void check(const PlainProduct& product, const std::vector<T>& a, const std::vector<T>& b) {
    const auto c = run(product, a, b);
    const std::vector<T> before(c.size(), 3);
    const auto verification = verify_multiply(HostProduct<T>{product.m, product.n, product.k, a, b,
                                                             before, c, product.op_a, product.op_b},
                                              options(product));
    EXPECT_TRUE(verification.passed())
        << product.m << " x " << product.n << " x " << product.k << ": error "
        << verification.max_error << ", " << verification.worst << " of the bound";
  }

  template <class T>
  void check(const PlainProduct& product) {
    check(product, normal_numbers<T>(product.m * product.k, 1),
          normal_numbers<T>(product.k * product.n, 2));
  }

  Folder folder_;           ///< kernels that replace the library's
  EnqueueProduct enqueue_;  ///< if given, in place of the variant's own

 private:
  std::string variant_;
};

}  // namespace tessera::test
