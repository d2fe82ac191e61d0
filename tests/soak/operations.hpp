// Random operations of soak.cpp's threads, with their right results. Numbers are small integers and
// powers of two, so that every sum is exact and a result is rounded at most once, when it is
// stored.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "multiply/random_operands.hpp"
#include "support/transposed_if.hpp"

namespace tessera::test {

/// Host numbers, rows x columns.
template <class T>
struct Host {
  std::size_t rows, columns;
  std::vector<T> elements;
  T& operator()(std::size_t i, std::size_t j) { return elements[i * columns + j]; }
};

template <class T>
Host<T> random_host(Random& random, std::size_t rows, std::size_t columns) {
  Host<T> host{rows, columns, std::vector<T>(rows * columns)};
  for (T& element : host.elements) element = narrowed<T>(static_cast<double>(random.below(7)) - 3);
  return host;
}

/// One of the devices with two streams, as a thread uses it.
struct Place {
  Engine engine;
  std::array<Stream, 2> streams;
  explicit Place(const std::string& selector)
      : engine(selector), streams{engine.new_stream(), engine.new_stream()} {}
};

/// Operations of a thread, one after the other. Each function describes what is wrong; empty if
/// nothing is.
class Operations {
 public:
  Operations(Random& random, Place& here, Place& there)
      : random_(random), here_(here), there_(there) {}

  template <Element T>
  std::string multiply() {
    using C = ProductElement<T>;
    const bool transpose_a = random_.chance(0.3), transpose_b = random_.chance(0.3);
    const std::size_t m = size(), n = random_.chance(0.1) ? 1 : size(), k = size();
    auto a = random_host<T>(random_, transpose_a ? k : m, transpose_a ? m : k);
    auto b = random_host<T>(random_, transpose_b ? n : k, transpose_b ? k : n);
    auto c = random_host<C>(random_, m, n);
    const double alpha = random_.chance(0.5) ? 1 : -2, beta = random_.chance(0.5) ? 0 : 1;
    const Stream& stream = one_of_streams();
    const Matrix<T> device_a(here_.engine, a.rows, a.columns, a.elements);
    const Matrix<T> device_b(stream, b.rows, b.columns, b.elements);
    Matrix<C> around(one_of_streams(), m + 2, n + 3);
    const auto device_c = around.block(1, 2, m, n);
    device_c.upload(c.elements);
    multiply_into(device_c, transposed_if(transpose_a, device_a),
                  transposed_if(transpose_b, device_b),
                  {.alpha = alpha, .beta = beta, .stream = stream});
    if (transpose_a) a = transposed(a);
    if (transpose_b) b = transposed(b);
    return compared(device_c.to_host(), a, b, c, alpha, beta, 1);
  }

  template <Element T>
  std::string batched() {
    const std::size_t count = random_.between(1, 12), m = size(), n = size(), k = size();
    auto a = random_host<T>(random_, count * m, k), b = random_host<T>(random_, count * k, n);
    Host<ProductElement<T>> none{count * m, n, {}};
    const Matrix<T> device_a(one_of_streams(), a.rows, a.columns, a.elements),
        device_b(one_of_streams(), b.rows, b.columns, b.elements);
    const auto c = multiply_batched(batch_of(device_a, count), batch_of(device_b, count));
    return compared(c.to_host(), a, b, none, 1, 0, count);
  }

  template <Element T>
  std::string matrix_vector() {
    const bool transpose = random_.chance(0.5);
    auto a = random_host<T>(random_, size(), size());
    auto x = random_host<T>(random_, transpose ? a.rows : a.columns, 1),
         y = random_host<T>(random_, transpose ? a.columns : a.rows, 1);
    const Matrix<T> device_a(one_of_streams(), a.rows, a.columns, a.elements),
        device_x(one_of_streams(), x.rows, 1, x.elements);
    Matrix<T> device_y(one_of_streams(), y.rows, 1, y.elements);
    matrix_vector_into(device_y, transposed_if(transpose, device_a), device_x, {.beta = 1});
    if (transpose) a = transposed(a);
    return compared(device_y.to_host(), a, x, y, 1, 1, 1);
  }

  /// The eigenvalue of diag(d)^-1 S diag(d) is the row sum that all rows of S have.
  template <Real T>
  std::string solve() {
    const std::size_t n = random_.between(1, 60);
    Host<T> a{n, n, std::vector<T>(n * n)};
    std::vector<T> scale(n), once(n);
    for (T& factor : scale) factor = static_cast<T>(1u << random_.below(6));
    for (T& element : once) element = static_cast<T>(1 + random_.below(9));
    double sum = 0;
    for (const T element : once) sum += static_cast<double>(element);
    for (std::size_t i = 0; i < n; i++) {
      for (std::size_t j = 0; j < n; j++) a(i, j) = once[(i + j) % n] / scale[i] * scale[j];
    }
    const std::array methods = {EigenMethod::implicit, EigenMethod::fused,
                                EigenMethod::explicit_steps};
    const Matrix<T> matrix(one_of_streams(), n, n, a.elements);
    const auto pair = dominant_eigenpair(transposed_if(random_.chance(0.2), matrix),
                                         {.method = random_.of(methods)});
    if (!(pair.lower <= sum && sum <= pair.upper)) return where(n, n, pair.value, sum);
    if (!(pair.converged && pair.upper - pair.lower <= 1e-6 * pair.upper)) return "not converged";
    return "";
  }

  /// Copies to a device, to another one and back, by blocks; sometimes in many pieces.
  std::string transfer() {
    const bool much = random_.chance(0.05);
    const std::size_t rows = much ? 700 : size(), columns = much ? 4000 : size();
    auto host = random_host<float>(random_, rows, columns);
    const Matrix<float> one(one_of_streams(), rows, columns, host.elements);
    const Matrix<float> two = one.copy_to(there_.engine), three(two.view());
    const std::size_t row = random_.below(rows), column = random_.below(columns);
    const auto found = three.block(row, column, rows - row, columns - column).to_host();
    for (std::size_t i = row; i < rows; i++) {
      for (std::size_t j = column; j < columns; j++) {
        const float element = found[(i - row) * (columns - column) + j - column];
        if (!(element == host(i, j))) return where(i, j, element, host(i, j));
      }
    }
    return "";
  }

  /// The same by pinned memory, while the host does other work.
  std::string pinned() {
    const auto host = random_host<float>(random_, size(), size());
    const Stream& stream = one_of_streams();
    HostMatrix<float> from(stream, host.rows, host.columns), to(stream, host.rows, host.columns);
    std::ranges::copy(host.elements, from.elements().begin());
    try {
      Matrix<float> matrix(stream, host.rows, host.columns);
      const std::array ended = {matrix.upload_async(from.elements()),
                                matrix.to_host_async(to.elements())};
      for (const Event& event : ended) event.wait();
    } catch (...) {
      finish();  // the device may still use the memory
      throw;
    }
    return std::ranges::equal(to.elements(), host.elements) ? "" : "other numbers";
  }

 private:
  template <class T>
  static Host<T> transposed(Host<T>& host) {
    Host<T> other{host.columns, host.rows, std::vector<T>(host.elements.size())};
    for (std::size_t i = 0; i < host.rows; i++) {
      for (std::size_t j = 0; j < host.columns; j++) other(j, i) = host(i, j);
    }
    return other;
  }

  /// Waits until all has ended; each failure before is told once.
  void finish() {
    while (true) {
      try {
        return here_.engine.finish();
      } catch (const Error&) {
      }
    }
  }

  /// Describes differences from alpha A B + beta C, for `count` stacked products.
  template <class T, class C>
  static std::string compared(const std::vector<C>& found, Host<T>& a, Host<T>& b, Host<C>& c,
                              double alpha, double beta, std::size_t count) {
    const std::size_t k = a.columns, m = a.rows / count;
    for (std::size_t i = 0; i < a.rows; i++) {
      for (std::size_t j = 0; j < b.columns; j++) {
        double sum = 0;
        for (std::size_t l = 0; l < k; l++) sum += widened(a(i, l)) * widened(b(i / m * k + l, j));
        const double exact = alpha * sum + (beta == 0 ? 0 : widened(c(i, j))),
                     right = widened(narrowed<C>(exact)),
                     element = widened(found[i * b.columns + j]);
        if (!(element == right)) return where(i, j, element, right);
      }
    }
    return "";
  }

  /// So small that a half holds every sum.
  std::size_t size() { return random_.between(1, random_.chance(0.1) ? 100 : 40); }
  const Stream& one_of_streams() { return random_.of(here_.streams); }
  static std::string where(std::size_t i, std::size_t j, double found, double right) {
    return std::to_string(i) + ", " + std::to_string(j) + ": " + std::to_string(found) +
           " in place of " + std::to_string(right);
  }

  Random& random_;
  Place& here_;
  Place& there_;
};

using Operation = std::string (Operations::*)();
struct Named {
  const char* name;
  Operation run;
};
inline constexpr std::array kOperations = {
    Named{"multiply float", &Operations::multiply<float>},
    Named{"multiply double", &Operations::multiply<double>},
    Named{"multiply half", &Operations::multiply<half>},
    Named{"multiply bfloat16", &Operations::multiply<bfloat16>},
    Named{"multiply int32", &Operations::multiply<std::int32_t>},
    Named{"multiply int8", &Operations::multiply<std::int8_t>},
    Named{"solve float", &Operations::solve<float>},
    Named{"solve double", &Operations::solve<double>},
    Named{"batch float", &Operations::batched<float>},
    Named{"batch half", &Operations::batched<half>},
    Named{"batch bfloat16", &Operations::batched<bfloat16>},
    Named{"batch int8", &Operations::batched<std::int8_t>},
    Named{"vector float", &Operations::matrix_vector<float>},
    Named{"vector double", &Operations::matrix_vector<double>},
    Named{"pinned", &Operations::pinned},
    Named{"transfer", &Operations::transfer}};

}  // namespace tessera::test
