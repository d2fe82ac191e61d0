#include "clblast.hpp"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <concepts>
#include <stdexcept>
#include <string>

#include "libraries.hpp"

namespace tessera::bench {
namespace {

template <class T>
using Gemm = int(int, int, int, std::size_t, std::size_t, std::size_t, T, cl_mem, std::size_t,
                 std::size_t, cl_mem, std::size_t, std::size_t, T, cl_mem, std::size_t, std::size_t,
                 cl_command_queue*, cl_event*);
template <class T>
using GemmBatch = int(int, int, int, std::size_t, std::size_t, std::size_t, T, cl_mem, std::size_t,
                      std::size_t, std::size_t, cl_mem, std::size_t, std::size_t, std::size_t, T,
                      cl_mem, std::size_t, std::size_t, std::size_t, std::size_t, cl_command_queue*,
                      cl_event*);

void* library() {
  static void* const loaded = open_first({"libclblast.so.1"}, RTLD_LOCAL);
  return loaded;
}

}  // namespace

bool has_clblast() { return library() != nullptr; }

template <class T>
void clblast_multiply(const DeviceProduct& product) {
  constexpr int kRowMajor = 101, kAsItIs = 111, kTransposed = 112;
  static const std::string type = std::same_as<T, float> ? "S" : "D";
  static auto* const gemm = function<Gemm<T>>(library(), "CLBlast" + type + "gemm");
  static auto* const batch =
      function<GemmBatch<T>>(library(), "CLBlast" + type + "gemmStridedBatched");
  const auto [m, n, k, count, transpose_a, transpose_b, padding, at, factor, a, b, c, queue] =
      product;
  const int of_a = transpose_a ? kTransposed : kAsItIs, of_b = transpose_b ? kTransposed : kAsItIs;
  const std::size_t row_a = (transpose_a ? m : k) + padding,
                    row_b = (transpose_b ? k : n) + padding, row_c = n + padding;
  const T beta = static_cast<T>(factor);
  cl_command_queue on = queue;
  cl_event done = nullptr;
  const int status = count == 1
                         ? gemm(kRowMajor, of_a, of_b, m, n, k, 1, a, at, row_a, b, at, row_b, beta,
                                c, at, row_c, &on, &done)
                         : batch(kRowMajor, of_a, of_b, m, n, k, 1, a, at, row_a, m * k, b, at,
                                 row_b, k * n, beta, c, at, row_c, m * n, count, &on, &done);
  if (status != 0 || clWaitForEvents(1, &done) != CL_SUCCESS)
    throw std::runtime_error("CLBlast failed: " + std::to_string(status));
  clReleaseEvent(done);
}

template void clblast_multiply<float>(const DeviceProduct& product);
template void clblast_multiply<double>(const DeviceProduct& product);

}  // namespace tessera::bench
