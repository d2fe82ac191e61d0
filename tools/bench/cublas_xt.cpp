#include "cublas_xt.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>

#include "cublas_types.hpp"
#include "libraries.hpp"

namespace tessera::bench {
namespace {

template <class T>
class Installed final : public CublasXt<T> {
 public:
  Installed(void* runtime, void* library, std::size_t n, const std::vector<T>& a,
            const std::vector<T>& b)
      : library_(library),
        n_(n),
        a_(pinned(runtime, a.data())),
        b_(pinned(runtime, b.data())),
        c_(pinned(runtime, b.data())) {}
  ~Installed() override {
    for (const auto& [devices, handle] : handles_)
      function<int(void*)>(library_, "cublasXtDestroy")(handle);
  }

  void multiply(int devices, int tile) override {
    void* const handle = handle_for(devices);
    check_cublas(function<int(void*, int)>(library_, "cublasXtSetBlockDim")(handle, tile),
                 "cublasXtSetBlockDim");
    using Gemm = int(void*, int, int, std::size_t, std::size_t, std::size_t, const T*, const T*,
                     std::size_t, const T*, std::size_t, const T*, T*, std::size_t);
    const T one = 1, zero = 0;
    // By columns, c's transpose is the product of b's and a's.
    check_cublas(
        function<Gemm>(library_, std::is_same_v<T, float> ? "cublasXtSgemm" : "cublasXtDgemm")(
            handle, 0, 0, n_, n_, n_, &one, at(b_), n_, at(a_), n_, &zero, at(c_), n_),
        "cublasXtGemm");
  }

 private:
  static T* at(const std::shared_ptr<void>& memory) { return static_cast<T*>(memory.get()); }

  std::shared_ptr<void> pinned(void* runtime, const T* elements) const {
    void* memory = nullptr;
    constexpr unsigned kPortable = 1;
    check_cublas(function<int(void**, std::size_t, unsigned)>(runtime, "cudaHostAlloc")(
                     &memory, n_ * n_ * sizeof(T), kPortable),
                 "cudaHostAlloc");
    std::copy_n(elements, n_ * n_, static_cast<T*>(memory));
    return std::shared_ptr<void>(memory, function<int(void*)>(runtime, "cudaFreeHost"));
  }

  void* handle_for(int devices) {
    void*& handle = handles_[devices];
    if (handle != nullptr) return handle;
    check_cublas(function<int(void**)>(library_, "cublasXtCreate")(&handle), "cublasXtCreate");
    std::vector<int> numbers(static_cast<std::size_t>(devices));
    std::iota(numbers.begin(), numbers.end(), 0);
    check_cublas(function<int(void*, int, int*)>(library_, "cublasXtDeviceSelect")(handle, devices,
                                                                                   numbers.data()),
                 "cublasXtDeviceSelect");
    return handle;
  }

  void* library_;
  std::size_t n_;
  std::shared_ptr<void> a_, b_, c_;
  std::map<int, void*> handles_;
};

}  // namespace

template <class T>
std::unique_ptr<CublasXt<T>> make_cublas_xt(std::size_t n, const std::vector<T>& a,
                                            const std::vector<T>& b) {
  void* runtime = open_first({"libcudart.so.13", "libcudart.so.12", "libcudart.so"}, RTLD_GLOBAL);
  void* library = open_first({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, RTLD_GLOBAL);
  if (runtime == nullptr || library == nullptr) return nullptr;
  int gpus = 0;
  if (function<int(int*)>(runtime, "cudaGetDeviceCount")(&gpus) != 0) return nullptr;
  return std::make_unique<Installed<T>>(runtime, library, n, a, b);
}
template std::unique_ptr<CublasXt<float>> make_cublas_xt(std::size_t, const std::vector<float>&,
                                                         const std::vector<float>&);
template std::unique_ptr<CublasXt<double>> make_cublas_xt(std::size_t, const std::vector<double>&,
                                                          const std::vector<double>&);

}  // namespace tessera::bench
