#include "cublas_lt.hpp"

#include <cstdint>
#include <memory>

#include "cublas_types.hpp"
#include "libraries.hpp"

namespace tessera::bench {
namespace {

constexpr std::size_t kWorkspace = std::size_t{32} << 20;  // what cuBLAS itself takes on Hopper

/// cublasLtMatmulHeuristicResult_t.
struct Found {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int status;
  float waves;
  int reserved[4];
};

struct Functions {
  using Set = int(void*, int, const void*, std::size_t);
  int (*create)(void**);
  int (*create_layout)(void**, int, std::uint64_t, std::uint64_t, std::int64_t);
  Set* set_layout;
  int (*destroy_layout)(void*);
  int (*create_product)(void**, int, int);
  Set* set_product;
  int (*destroy_product)(void*);
  int (*create_preference)(void**);
  Set* set_preference;
  int (*destroy_preference)(void*);
  int (*heuristic)(void*, void*, void*, void*, void*, void*, void*, int, Found*, int*);
  int (*multiply)(void*, void*, const void*, const void*, void*, const void*, void*, const void*,
                  const void*, void*, void*, void*, const void*, void*, std::size_t, void*);
  void* handle = nullptr;

  explicit Functions(void* library) {
    const auto find = [library]<class F>(const char* name, F*& found) {
      found = function<F>(library, name);
    };
    find("cublasLtCreate", create);
    find("cublasLtMatrixLayoutCreate", create_layout);
    find("cublasLtMatrixLayoutSetAttribute", set_layout);
    find("cublasLtMatrixLayoutDestroy", destroy_layout);
    find("cublasLtMatmulDescCreate", create_product);
    find("cublasLtMatmulDescSetAttribute", set_product);
    find("cublasLtMatmulDescDestroy", destroy_product);
    find("cublasLtMatmulPreferenceCreate", create_preference);
    find("cublasLtMatmulPreferenceSetAttribute", set_preference);
    find("cublasLtMatmulPreferenceDestroy", destroy_preference);
    find("cublasLtMatmulAlgoGetHeuristic", heuristic);
    find("cublasLtMatmul", multiply);
    check_cublas(create(&handle), "cublasLtCreate");  // until the process ends
  }
};

/// Null where the loader does not find it.
const Functions* installed() {
  static const auto loaded = []() -> std::unique_ptr<Functions> {
    void* const library =
        open_first({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}, RTLD_GLOBAL);
    return library == nullptr ? nullptr : std::make_unique<Functions>(library);
  }();
  return loaded.get();
}

using Descriptor = std::shared_ptr<void>;

/// An object that `create(&object, arguments...)` makes.
template <class... Parameters, class... Arguments>
Descriptor make(int (*create)(void**, Parameters...), int (*destroy)(void*),
                Arguments... arguments) {
  void* made = nullptr;
  check_cublas(create(&made, static_cast<Parameters>(arguments)...), "cuBLASLt's descriptors");
  return Descriptor(made, destroy);
}

template <class Value>
void set(Functions::Set* set_attribute, const Descriptor& of, int attribute, Value value) {
  check_cublas(set_attribute(of.get(), attribute, &value, sizeof value), "cuBLASLt's attributes");
}

Descriptor layout(const Functions& lt, int type, const CublasOperand& operand, std::size_t batch) {
  constexpr int kBatchCount = 5, kBatchStride = 6;  // of cublasLtMatrixLayoutAttribute_t
  Descriptor made = make(lt.create_layout, lt.destroy_layout, type, operand.rows, operand.columns,
                         operand.leading_dimension);
  set(lt.set_layout, made, kBatchCount, static_cast<std::int32_t>(batch));
  set(lt.set_layout, made, kBatchStride, static_cast<std::int64_t>(operand.count()));
  return made;
}

/// Arguments of a call besides its operands.
struct Planned {
  Descriptor product, first, second, result;
  CudaMemory workspace;
  Found found{};
};

/// Finds an algorithm by the heuristic; returns whether there is one.
bool ask_heuristic(const Functions& lt, Planned& planned) {
  constexpr int kMaximalWorkspace = 1;  // of cublasLtMatmulPreferenceAttributes_t
  const Descriptor preference = make(lt.create_preference, lt.destroy_preference);
  set(lt.set_preference, preference, kMaximalWorkspace, kWorkspace);
  int number = 0;
  const int status = lt.heuristic(lt.handle, planned.product.get(), planned.first.get(),
                                  planned.second.get(), planned.result.get(), planned.result.get(),
                                  preference.get(), 1, &planned.found, &number);
  return status == 0 && number == 1 && planned.found.status == 0;
}

template <class T, class C>
std::function<void()> planned_call(const Cublas& cublas, const RawProduct<T, C>& product) {
  constexpr int kOpOfFirst = 3, kOpOfSecond = 4;  // of cublasLtMatmulDescAttributes_t
  const Functions* const lt = installed();
  if (lt == nullptr) return {};
  constexpr CublasTypes types = cublas_types<T>();
  const CublasProduct seen(product);
  Planned planned{make(lt->create_product, lt->destroy_product, types.compute, types.scalars),
                  layout(*lt, types.operands, seen.first, product.count),
                  layout(*lt, types.operands, seen.second, product.count),
                  layout(*lt, types.c, seen.result, product.count), cublas.allocate(kWorkspace)};
  set(lt->set_product, planned.product, kOpOfFirst, seen.first.op);
  set(lt->set_product, planned.product, kOpOfSecond, seen.second.op);
  if (!ask_heuristic(*lt, planned)) return {};
  return [lt, planned, product] {
    const CublasScalar<T> one = 1, beta = cublas_scalar<T>(product.beta);
    check_cublas(
        lt->multiply(lt->handle, planned.product.get(), &one, product.b, planned.first.get(),
                     product.a, planned.second.get(), &beta, product.c, planned.result.get(),
                     product.c, planned.result.get(), planned.found.algorithm,
                     planned.workspace.get(), kWorkspace, nullptr),
        "cublasLtMatmul");
  };
}

}  // namespace

template <class T, class C>
std::function<void()> cublas_lt_call(const Cublas& cublas, const RawProduct<T, C>& product) {
  return planned_call(cublas, product);
}
template std::function<void()> cublas_lt_call(const Cublas&, const RawProduct<float>&);
template std::function<void()> cublas_lt_call(const Cublas&, const RawProduct<double>&);
template std::function<void()> cublas_lt_call(const Cublas&,
                                              const RawProduct<std::complex<float>>&);
template std::function<void()> cublas_lt_call(const Cublas&,
                                              const RawProduct<std::complex<double>>&);
template std::function<void()> cublas_lt_call(const Cublas&, const RawProduct<half>&);
template std::function<void()> cublas_lt_call(const Cublas&,
                                              const RawProduct<std::int8_t, std::int32_t>&);

}  // namespace tessera::bench
