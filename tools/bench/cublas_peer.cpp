// cuBLAS: its matrix-vector product, loaded at run time; LD_LIBRARY_PATH says from where.
#include <dlfcn.h>

#include <stdexcept>
#include <utility>

#include "peers.hpp"

namespace tessera::bench {
namespace {

void* open_first(const std::vector<const char*>& names) {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return nullptr;
}

template <class Function>
Function* symbol(void* library, const char* name) {
  void* address = ::dlsym(library, name);
  if (address == nullptr) throw std::runtime_error(std::string("no ") + name);
  return reinterpret_cast<Function*>(address);
}

void check(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + ": " + std::to_string(status));
}

class CublasPeer final : public Peer {
 public:
  CublasPeer(void* runtime, void* cublas, const std::vector<float>& a, std::size_t n)
      : n_(static_cast<int>(n)),
        ones_(n, 1.0f),
        synchronize_(symbol<int()>(runtime, "cudaDeviceSynchronize")),
        product_(symbol<Product>(cublas, "cublasSgemv_v2")) {
    auto* allocate = symbol<int(void**, std::size_t)>(runtime, "cudaMalloc");
    copy_ = symbol<Copy>(runtime, "cudaMemcpy");
    auto* create = symbol<int(void**)>(cublas, "cublasCreate_v2");
    const auto upload = [&](const std::vector<float>& elements) {
      void* memory = nullptr;
      check(allocate(&memory, elements.size() * sizeof(float)), "cudaMalloc");
      write(memory, elements);
      return static_cast<float*>(memory);  // until the process ends
    };
    a_ = upload(a);
    x_ = upload(ones_);
    y_ = upload(std::vector<float>(n));
    check(create(&handle_), "cublasCreate");
  }

  std::string name() const override { return "cuBLAS"; }

  void run(std::size_t products) override {
    constexpr int kTransposed = 1;  // rows of ours are columns of theirs
    const float one = 1, zero = 0;
    write(x_, ones_);  // or they would grow from run to run
    for (std::size_t i = 0; i < products; i++) {
      check(product_(handle_, kTransposed, n_, n_, &one, a_, n_, x_, 1, &zero, y_, 1),
            "cublasSgemv");
      std::swap(x_, y_);
    }
    check(synchronize_(), "cudaDeviceSynchronize");
  }

 private:
  using Product = int(void*, int, int, int, const float*, const float*, int, const float*, int,
                      const float*, float*, int);

  using Copy = int(void*, const void*, std::size_t, int);

  void write(void* to, const std::vector<float>& elements) const {
    constexpr int kHostToDevice = 1;
    check(copy_(to, elements.data(), elements.size() * sizeof(float), kHostToDevice), "cudaMemcpy");
  }

  int n_;
  std::vector<float> ones_;
  Copy* copy_ = nullptr;
  int (*synchronize_)();
  Product* product_;
  void* handle_ = nullptr;
  float *a_ = nullptr, *x_ = nullptr, *y_ = nullptr;
};

}  // namespace

std::unique_ptr<Peer> make_cublas_peer(const std::vector<float>& a, std::size_t n) {
  void* runtime = open_first({"libcudart.so.13", "libcudart.so.12", "libcudart.so"});
  void* cublas = open_first({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  if (runtime == nullptr || cublas == nullptr) return nullptr;
  return std::make_unique<CublasPeer>(runtime, cublas, a, n);
}

}  // namespace tessera::bench
