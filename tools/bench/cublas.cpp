#include "cublas.hpp"

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tessera/multiply.hpp>

#include "libraries.hpp"

namespace tessera::bench {
namespace {

constexpr int kAsItIs = 0, kTransposed = 1;

template <class Function>
void find(void* library, const char* name, Function*& found) {
  found = function<Function>(library, name);
}

void check(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + ": " + std::to_string(status));
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
  check(create(&handle_), "cublasCreate");  // until the process ends
}

CudaMemory Cublas::allocate(std::size_t bytes) const {
  void* memory = nullptr;
  check(allocate_(&memory, bytes), "cudaMalloc");
  return CudaMemory(memory, free_);
}

void Cublas::write(const CudaMemory& to, const void* from, std::size_t bytes) const {
  constexpr int kHostToDevice = 1;
  check(copy_(to.get(), from, bytes, kHostToDevice), "cudaMemcpy");
}

template <class T, class C>
void Cublas::multiply(const RawProduct<T, C>& product) const {
  constexpr int kReal32 = 0, kReal64 = 1, kReal16 = 2, kInteger8 = 3,
                kInteger32 = 10;  // cudaDataType_t
  constexpr int kCompute32 = 68, kCompute64 = 70,
                kComputeIntegers = 72;  // cublasComputeType_t
  constexpr int kChosenByIt = -1;
  constexpr bool wide = std::same_as<T, double>, integer = std::same_as<T, std::int8_t>;
  constexpr int type = integer                  ? kInteger8
                       : wide                   ? kReal64
                       : std::same_as<T, float> ? kReal32
                                                : kReal16,
                type_of_c = integer ? kInteger32 : type;
  const Scalar<T> one = 1, zero = 0;
  const int m = static_cast<int>(product.m), n = static_cast<int>(product.n),
            k = static_cast<int>(product.k);
  const int of_a = product.transpose_a ? kTransposed : kAsItIs, lda = product.transpose_a ? m : k;
  const int of_b = product.transpose_b ? kTransposed : kAsItIs, ldb = product.transpose_b ? k : n;
  const int compute = integer ? kComputeIntegers : wide ? kCompute64 : kCompute32;
  // Its matrices are stored by columns: what it sees is C' = B' A'.
  if (product.count == 1) {
    check(gemm_(handle_, of_b, of_a, n, m, k, &one, product.b, type, ldb, product.a, type, lda,
                &zero, product.c, type_of_c, n, compute, kChosenByIt),
          "cublasGemmEx");
    return;
  }
  check(gemm_batch_(handle_, of_b, of_a, n, m, k, &one, product.b, type, ldb, 1LL * k * n,
                    product.a, type, lda, 1LL * m * k, &zero, product.c, type_of_c, n, 1LL * m * n,
                    static_cast<int>(product.count), compute, kChosenByIt),
        "cublasGemmStridedBatchedEx");
}
template void Cublas::multiply(const RawProduct<float>& product) const;
template void Cublas::multiply(const RawProduct<double>& product) const;
template void Cublas::multiply(const RawProduct<half>& product) const;
template void Cublas::multiply(const RawProduct<std::int8_t, std::int32_t>& product) const;

void Cublas::multiply(const CudaMemory& a, const CudaMemory& x, const CudaMemory& y,
                      std::size_t n) const {
  const float one = 1, zero = 0;
  const int size = static_cast<int>(n);
  const auto address = [](const CudaMemory& memory) { return static_cast<float*>(memory.get()); };
  check(gemv_(handle_, kTransposed, size, size, &one, address(a), size, address(x), 1, &zero,
              address(y), 1),
        "cublasSgemv");
}

void Cublas::finish() const { check(synchronize_(), "cudaDeviceSynchronize"); }

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
