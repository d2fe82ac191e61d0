// Turns of the libraries: on a CPU the installed BLAS libraries and Eigen, on NVIDIA's GPUs cuBLAS,
// cuBLASLt and, of bounded products, GEMMul8 and libxstream, on any device CLBlast.
#include "turns.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "bandwidth.hpp"
#include "blas.hpp"
#include "clblast.hpp"
#include "cublas.hpp"
#include "cublas_lt.hpp"
#include "eigen_product.hpp"
#include "external_peer.hpp"
#include "parts.hpp"

namespace tessera::bench {
namespace {

/// The processors that the process began with.
cpu_set_t processors() {
  cpu_set_t all;
  CPU_ZERO(&all);
  ::sched_getaffinity(0, sizeof all, &all);
  return all;
}
const cpu_set_t kProcessors = processors();

/// A library's call to measure.
struct Turn {
  std::string name;
  std::function<void()> call;
};

/// Null for a device that is not NVIDIA's too.
const Cublas* cublas_for(const Engine& engine) {
  const bool is_nvidia = engine.device().vendor.find("NVIDIA") != std::string::npos;
  return is_nvidia ? installed_cublas() : nullptr;
}

/// The factors of a case's products.
template <class T>
ConstBatchView<T> operand(const Matrix<T>& stored, const Case& sizes, Op op) {
  ConstBatchView<T> batch = batch_of(stored, sizes.count);
  if (sizes.padding > 0) batch.first = without_padding(stored, sizes.padding);
  return op == Op::none ? batch : op == Op::transpose ? batch.transposed() : batch.adjoint();
}

/// The matrices of a case, in memory that each library reads, and every library's call on them.
template <class T>
class Turns {
 public:
  Turns(const Engine& engine, const Case& sizes)
      : sizes_(sizes),
        stored_a_(stored(sizes, sizes.m, sizes.k, sizes.op_a)),
        stored_b_(stored(sizes, sizes.k, sizes.n, sizes.op_b)),
        stored_c_(stored(sizes, sizes.m, sizes.n, Op::none)),
        host_a_(random_elements<T>(stored_a_.count(), 1)),
        host_b_(random_elements<T>(stored_b_.count(), 2)),
        a_(engine, stored_a_.rows, stored_a_.columns, host_a_),
        b_(engine, stored_b_.rows, stored_b_.columns, host_b_),
        c_(engine, stored_c_.rows, stored_c_.columns),
        left_(operand(a_, sizes, sizes.op_a)),
        right_(operand(b_, sizes, sizes.op_b)) {
    if (sizes.beta != 0) c_.upload(std::vector<ProductElement<T>>(stored_c_.count()));
  }

  /// Tessera is the first. The calls refer to this object.
  std::vector<Turn> all() {
    // Intel's runtime pins the calling thread to a processor, and threads that other libraries
    // start from there would stay on it.
    [[maybe_unused]] static const int moved_back = [this] {
      ours();
      return ::sched_setaffinity(0, sizeof kProcessors, &kProcessors);
    }();
    std::vector<Turn> turns = {{"ours", [this] { ours(); }}};
    constexpr bool kIsReal = std::same_as<T, float> || std::same_as<T, double>;
    if constexpr (kIsReal || kIsComplex<T>) {
      if (is_cpu(a_.engine())) add_libraries_of_the_host(turns);
    }
    if constexpr (kIsReal) {
      if (has_clblast()) turns.push_back({"CLBlast", [this] { clblast_multiply<T>(on_device()); }});
    }
    if (const Cublas* const cublas = cublas_for(a_.engine())) {
      add(*cublas, turns);
      if (sizes_.accuracy == Accuracy::bounded && has_plain_layout()) add_external_peers(turns);
    }
    return turns;
  }

 private:
  void ours() {
    const MultiplyOptions options{.beta = sizes_.beta, .accuracy = sizes_.accuracy};
    if (sizes_.count == 1) {
      multiply_into(without_padding(c_, sizes_.padding), left_.first, right_.first, options)
          .finished.wait();
    } else {
      multiply_batched_into(batch_of(c_, sizes_.count), left_, right_, options).finished.wait();
    }
  }

  void add_libraries_of_the_host(std::vector<Turn>& turns) {
    host_c_.resize(stored_c_.count());
    const auto product = raw(host_a_.data(), host_b_.data(), host_c_.data());
    for (const Blas& blas : installed_blas())
      turns.push_back({blas.name(), [product, &blas] { blas.multiply(product); }});
    if constexpr (!kIsComplex<T>) {
      if (has_eigen_product()) turns.push_back({"Eigen", [product] { eigen_multiply(product); }});
    }
  }

  void add(const Cublas& cublas, std::vector<Turn>& turns) {
    cuda_ = {cublas.upload(host_a_), cublas.upload(host_b_),
             cublas.allocate(stored_c_.count() * sizeof(ProductElement<T>))};
    const auto address = [&](int i) { return static_cast<T*>(cuda_[i].get()); };
    const auto product =
        raw(address(0), address(1), static_cast<ProductElement<T>*>(cuda_[2].get()));
    const auto push = [&](const std::string& name, const auto& enqueue) {
      try {
        enqueue();
      } catch (const std::runtime_error&) {
        return;  // it refuses bytes whose rows are not aligned to 4
      }
      turns.push_back({name, [enqueue, &cublas] {
                         enqueue();
                         cublas.finish();
                       }});
    };
    push("cuBLAS", [product, &cublas] { cublas.multiply(product); });
    if (const auto call = cublas_lt_call(cublas, product)) push("cuBLASLt", call);
  }

  void add_external_peers(std::vector<Turn>& turns) {
    if constexpr (std::same_as<T, float> || std::same_as<T, double> || kIsComplex<T>) {
      external_ = external_peers(sizes_.m, sizes_.n, sizes_.k, host_a_, host_b_);
      for (const auto& peer : external_)
        turns.push_back({peer->name(), [&peer = *peer] { peer.multiply(); }});
    }
  }

  bool has_plain_layout() const {
    return sizes_.padding == 0 && sizes_.beta == 0 && sizes_.op_a == Op::none &&
           sizes_.op_b == Op::none;
  }

  std::size_t offset() const { return sizes_.padding / 2; }

  RawProduct<T, ProductElement<T>> raw(const T* a, const T* b, ProductElement<T>* c) const {
    return {sizes_.m,       sizes_.n,    sizes_.k,     sizes_.count, sizes_.op_a, sizes_.op_b,
            sizes_.padding, sizes_.beta, a + offset(), b + offset(), c + offset()};
  }

  DeviceProduct on_device() {
    return {sizes_.m,
            sizes_.n,
            sizes_.k,
            sizes_.count,
            is_transposed(sizes_.op_a),
            is_transposed(sizes_.op_b),
            sizes_.padding,
            offset(),
            sizes_.beta,
            interop::buffer(a_),
            interop::buffer(b_),
            interop::buffer(c_),
            interop::queue(a_.engine())};
  }

  struct Stored {
    std::size_t rows, columns;
    std::size_t count() const { return rows * columns; }
  };

  static Stored stored(const Case& sizes, std::size_t rows, std::size_t columns, Op op) {
    if (is_transposed(op)) std::swap(rows, columns);
    return {sizes.count * rows, columns + sizes.padding};
  }

  Case sizes_;
  Stored stored_a_, stored_b_, stored_c_;
  std::vector<T> host_a_, host_b_;
  std::vector<ProductElement<T>> host_c_;
  std::array<CudaMemory, 3> cuda_;
  std::vector<std::unique_ptr<ExternalPeer>> external_;
  Matrix<T> a_, b_;
  Matrix<ProductElement<T>> c_;
  ConstBatchView<T> left_, right_;
};

/// Seconds per call, averaged over enough calls to take some milliseconds, after a warm-up call
/// that wakes the library's threads, and on a CPU a pause in which the previous library's threads
/// stop spinning.
double seconds_of(const std::function<void()>& call, bool on_cpu) {
  using namespace std::chrono_literals;
  constexpr double kEnough = 8e-3;
  if (on_cpu) std::this_thread::sleep_for(35ms);
  const double once = std::max(seconds(call), 1e-7);
  const int times = static_cast<int>(std::clamp(kEnough / once, 1.0, 500.0));
  return seconds([&] {
           for (int i = 0; i < times; i++) call();
         }) /
         times;
}

}  // namespace

bool is_cpu(const Engine& engine) { return engine.device().type == DeviceType::cpu; }

template <Element T>
Times take_turns(const Engine& engine, const Case& sizes, int number) {
  constexpr double kMuchSlower = 12;
  const bool on_cpu = is_cpu(engine);
  Turns<T> matrices(engine, sizes);
  std::vector<Turn> turns = matrices.all();
  std::vector<double> first;
  for (const Turn& turn : turns)
    first.push_back(std::min(seconds_of(turn.call, on_cpu), seconds_of(turn.call, on_cpu)));
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (first[i] > kMuchSlower * first[0])
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
  }
  Times times;
  for (int i = 0; i < number; i++) {
    for (const Turn& turn : turns) times[turn.name].push_back(seconds_of(turn.call, on_cpu));
  }
  return times;
}

template Times take_turns<float>(const Engine&, const Case&, int);
template Times take_turns<double>(const Engine&, const Case&, int);
template Times take_turns<std::complex<float>>(const Engine&, const Case&, int);
template Times take_turns<std::complex<double>>(const Engine&, const Case&, int);
template Times take_turns<half>(const Engine&, const Case&, int);
template Times take_turns<std::int8_t>(const Engine&, const Case&, int);

std::vector<double> ratios(const Times& times, const std::string& name) {
  std::vector<double> all;
  for (std::size_t i = 0; i < times.at(name).size(); i++)
    all.push_back(times.at(name)[i] / times.at("ours")[i]);
  std::ranges::sort(all);
  return all;
}

double ratio_to_best(const Times& times) {
  double best = 0;
  for (const auto& [name, values] : times) {
    if (name == "ours") continue;
    const double ratio = median(ratios(times, name));
    best = best == 0 ? ratio : std::min(best, ratio);
  }
  return best;
}

}  // namespace tessera::bench
