// Calls every function template that the library exports: a compiler whose names for them differ
// does not link this.
#include <cstdio>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <tessera/verify.hpp>
#include <vector>

namespace {

using tessera::Matrix;

template <class T>
void multiply(const tessera::Engine& engine) {
  const T one = static_cast<T>(1);
  const Matrix<T> a(engine, {{one, one}, {one, one}});
  Matrix<tessera::ProductElement<T>> c = a * a;
  tessera::multiply_into(c, a, a);
  auto batch = tessera::multiply_batched(tessera::batch_of(a, 1), tessera::batch_of(a, 1));
  tessera::multiply_batched_into(tessera::batch_of(batch, 1), tessera::batch_of(a, 1),
                                 tessera::batch_of(a, 1));
  const auto host = a.to_host();
  const auto product = batch.to_host();
  std::printf(
      "%d ",
      tessera::verify_multiply(tessera::HostProduct<T>{2, 2, 2, host, host, {}, product}).passed());
  const cl_mem buffer = tessera::interop::buffer(a);
  tessera::interop::adopt<T>(engine, buffer, 2, 2);
  tessera::interop::adopt_view<T>(engine, buffer, 0, 1, 2, 2);
}

template <class T>
void multiply_vector(const tessera::Engine& engine) {
  const T one = static_cast<T>(1);
  const Matrix<T> a(engine, {{one, one}, {one, one}}), x(engine, {{one}, {one}});
  Matrix<T> y = tessera::matrix_vector(a, x);
  tessera::matrix_vector_into(y, a, x);
  y = a + a;
  tessera::add_into(y, y, a);
  tessera::copy_into(y, a);
}

template <class T>
void solve(const tessera::Engine& engine) {
  const Matrix<T> a(engine, {{1, 2}, {3, 4}});
  Matrix<T> b = a, s(engine, 2, 1), t(engine, 2, 1), v(engine, {{1}, {1}}), maximum(engine, 1, 1);
  Matrix<std::int32_t> converged(engine, 1, 1);
  tessera::row_sum(s, a);
  tessera::vector_max(maximum, s);
  tessera::row_bounds(t, s);
  tessera::eigenvector(v, s, maximum);
  tessera::similarity_transform(b, a, s);
  tessera::stop(converged, s, 1);
  tessera::fused_round(b, t, a, s);
  const Matrix<double> p(engine, {{1}, {1}});
  Matrix<double> q(engine, 2, 1), ratios(engine, 2, 1);
  tessera::implicit_round(q, ratios, a, p);
  engine.finish();
  std::printf("%.3f ", tessera::dominant_eigenpair(a).value);
}

}  // namespace

int main() {
  const tessera::Engine engine;
  multiply<float>(engine);
  multiply<std::int32_t>(engine);
  multiply<tessera::half>(engine);
  multiply<std::int8_t>(engine);
  multiply_vector<float>(engine);
  solve<float>(engine);
  std::printf("\n");
}
