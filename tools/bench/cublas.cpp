#include "cublas.hpp"

#include <cstdint>

#include "cublas_types.hpp"
#include "libraries.hpp"

namespace tessera::bench {
namespace {

template <class Function>
void find(void* library, const char* name, Function*& found) {
  found = function<Function>(library, name);
}

}  // namespace

Cublas::Cublas(void* runtime, void* library) {
  find(runtime, "cudaMalloc", allocate_);
  find(runtime, "cudaFree", free_);
  find(runtime, "cudaMemcpy", copy_);
  find(runtime, "cudaDeviceSynchronize", synchronize_);
  find(library, "cublasGemmEx", gemm_);
  find(library, "cublasGemmStridedBatchedEx", gemm_batch_);
  find(library, "cublasSgemv_v2", gemv_);
  int (*create)(void**) = nullptr;
  find(library, "cublasCreate_v2", create);
  check_cublas(create(&handle_), "cublasCreate");  // until the process ends
}

CudaMemory Cublas::allocate(std::size_t bytes) const {
  void* memory = nullptr;
  check_cublas(allocate_(&memory, bytes), "cudaMalloc");
  return CudaMemory(memory, free_);
}

void Cublas::write(const CudaMemory& to, const void* from, std::size_t bytes) const {
  constexpr int kHostToDevice = 1;
  check_cublas(copy_(to.get(), from, bytes, kHostToDevice), "cudaMemcpy");
}

template <class T, class C>
void Cublas::multiply(const RawProduct<T, C>& product) const {
  constexpr int kChosenByIt = -1;
  constexpr CublasTypes types = cublas_types<T>();
  const CublasScalar<T> one = 1, beta = cublas_scalar<T>(product.beta);
  const CublasProduct seen(product);
  const auto size = [](std::size_t value) { return static_cast<int>(value); };
  const int m = size(seen.result.rows), n = size(seen.result.columns), k = size(product.k);
  const int first_ld = size(seen.first.leading_dimension),
            second_ld = size(seen.second.leading_dimension),
            result_ld = size(seen.result.leading_dimension);
  const auto stride = [](const CublasOperand& operand) {
    return static_cast<long long>(operand.count());
  };
  if (product.count == 1) {
    check_cublas(gemm_(handle_, seen.first.op, seen.second.op, m, n, k, &one, product.b,
                       types.operands, first_ld, product.a, types.operands, second_ld, &beta,
                       product.c, types.c, result_ld, types.compute, kChosenByIt),
                 "cublasGemmEx");
    return;
  }
  check_cublas(gemm_batch_(handle_, seen.first.op, seen.second.op, m, n, k, &one, product.b,
                           types.operands, first_ld, stride(seen.first), product.a, types.operands,
                           second_ld, stride(seen.second), &beta, product.c, types.c, result_ld,
                           stride(seen.result), size(product.count), types.compute, kChosenByIt),
               "cublasGemmStridedBatchedEx");
}
template void Cublas::multiply(const RawProduct<float>& product) const;
template void Cublas::multiply(const RawProduct<double>& product) const;
template void Cublas::multiply(const RawProduct<std::complex<float>>& product) const;
template void Cublas::multiply(const RawProduct<std::complex<double>>& product) const;
template void Cublas::multiply(const RawProduct<half>& product) const;
template void Cublas::multiply(const RawProduct<std::int8_t, std::int32_t>& product) const;

void Cublas::multiply(const CudaMemory& a, const CudaMemory& x, const CudaMemory& y,
                      std::size_t n) const {
  constexpr int kTransposed = 1;
  const float one = 1, zero = 0;
  const int size = static_cast<int>(n);
  const auto address = [](const CudaMemory& memory) { return static_cast<float*>(memory.get()); };
  check_cublas(gemv_(handle_, kTransposed, size, size, &one, address(a), size, address(x), 1, &zero,
                     address(y), 1),
               "cublasSgemv");
}

void Cublas::finish() const { check_cublas(synchronize_(), "cudaDeviceSynchronize"); }

const Cublas* installed_cublas() {
  static const auto loaded = []() -> std::unique_ptr<Cublas> {
    void* runtime = open_first({"libcudart.so.13", "libcudart.so.12", "libcudart.so"}, RTLD_GLOBAL);
    void* library = open_first({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, RTLD_GLOBAL);
    if (runtime == nullptr || library == nullptr) return nullptr;
    return std::make_unique<Cublas>(runtime, library);
  }();
  return loaded.get();
}

}  // namespace tessera::bench
