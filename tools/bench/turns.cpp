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
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "bandwidth.hpp"
#include "blas.hpp"
#include "case_on_device.hpp"
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

/// The matrices of a case, in memory that each library reads, and every library's call on them.
/// The calls refer to this object.
template <class T>
class Turns {
 public:
  explicit Turns(const Case& sizes)
      : sizes_(sizes),
        host_a_(random_elements<T>(stored(sizes, sizes.m, sizes.k, sizes.op_a).count(), 1)),
        host_b_(random_elements<T>(stored(sizes, sizes.k, sizes.n, sizes.op_b).count(), 2)) {}

  void add_ours(const Engine& engine) {
    on_device_.emplace(engine, sizes_, host_a_, host_b_);
    turns_.push_back({"ours", [this] { ours(); }});
    // Intel's runtime pins the calling thread to a processor, and threads that other libraries
    // start from there would stay on it.
    [[maybe_unused]] static const int moved_back = [this] {
      ours();
      return ::sched_setaffinity(0, sizeof kProcessors, &kProcessors);
    }();
  }

  /// Adds the libraries that run on the engine's device; for a CPU, the host's BLAS libraries.
  void add_others(const Engine& engine) {
    constexpr bool kIsReal = std::same_as<T, float> || std::same_as<T, double>;
    if constexpr (kIsReal || kIsComplex<T>) {
      if (is_cpu(engine)) add_libraries_of_the_host();
    }
    if constexpr (kIsReal) {
      if (has_clblast())
        turns_.push_back({"CLBlast", [this] { clblast_multiply<T>(on_device()); }});
    }
    if (const Cublas* const cublas = cublas_for(engine)) add_libraries_of_cuda(*cublas);
  }

  void add_libraries_of_cuda(const Cublas& cublas) {
    add(cublas);
    if (sizes_.accuracy == Accuracy::bounded && has_plain_layout()) add_external_peers();
  }

  const std::vector<Turn>& turns() const { return turns_; }

 private:
  void ours() {
    CaseOnDevice<T>& at = *on_device_;
    const MultiplyOptions options{.beta = sizes_.beta, .accuracy = sizes_.accuracy};
    if (sizes_.count == 1) {
      multiply_into(without_padding(at.c, sizes_.padding), at.left.first, at.right.first, options)
          .finished.wait();
    } else {
      multiply_batched_into(batch_of(at.c, sizes_.count), at.left, at.right, options)
          .finished.wait();
    }
  }

  std::size_t count_of_c() const { return stored(sizes_, sizes_.m, sizes_.n, Op::none).count(); }

  void add_libraries_of_the_host() {
    host_c_.resize(count_of_c());
    const auto product = raw(host_a_.data(), host_b_.data(), host_c_.data());
    for (const Blas& blas : installed_blas())
      turns_.push_back({blas.name(), [product, &blas] { blas.multiply(product); }});
    if constexpr (!kIsComplex<T>) {
      if (has_eigen_product()) turns_.push_back({"Eigen", [product] { eigen_multiply(product); }});
    }
  }

  void add(const Cublas& cublas) {
    cuda_ = {cublas.upload(host_a_), cublas.upload(host_b_),
             cublas.allocate(count_of_c() * sizeof(ProductElement<T>))};
    const auto address = [&](int i) { return static_cast<T*>(cuda_[i].get()); };
    const auto product =
        raw(address(0), address(1), static_cast<ProductElement<T>*>(cuda_[2].get()));
    const auto push = [&](const std::string& name, const auto& enqueue) {
      try {
        enqueue();
      } catch (const std::runtime_error&) {
        return;  // it refuses bytes whose rows are not aligned to 4
      }
      turns_.push_back({name, [enqueue, &cublas] {
                          enqueue();
                          cublas.finish();
                        }});
    };
    push("cuBLAS", [product, &cublas] { cublas.multiply(product); });
    if (const auto call = cublas_lt_call(cublas, product)) push("cuBLASLt", call);
  }

  void add_external_peers() {
    if constexpr (std::same_as<T, float> || std::same_as<T, double> || kIsComplex<T>) {
      external_ = external_peers(sizes_.m, sizes_.n, sizes_.k, host_a_, host_b_);
      for (const auto& peer : external_)
        turns_.push_back({peer->name(), [&peer = *peer] { peer.multiply(); }});
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
            interop::buffer(on_device_->a),
            interop::buffer(on_device_->b),
            interop::buffer(on_device_->c),
            interop::queue(on_device_->others)};
  }

  Case sizes_;
  std::vector<T> host_a_, host_b_;
  std::vector<ProductElement<T>> host_c_;
  std::array<CudaMemory, 3> cuda_;
  std::vector<std::unique_ptr<ExternalPeer>> external_;
  std::optional<CaseOnDevice<T>> on_device_;
  std::vector<Turn> turns_;
};

/// Seconds per call, averaged over enough calls to take some milliseconds, after a warm-up call
/// that wakes the library's threads, and on a CPU a pause in which the previous library's threads
/// stop spinning.
double seconds_of(const std::function<void()>& call, bool on_cpu) {
  using namespace std::chrono_literals;
  const double enough = on_cpu ? 8e-3 : 4e-3;
  if (on_cpu) std::this_thread::sleep_for(35ms);
  const double once = std::max(seconds(call), 1e-7);
  const int times = static_cast<int>(std::clamp(enough / once, 1.0, 500.0));
  return seconds([&] {
           for (int i = 0; i < times; i++) call();
         }) /
         times;
}

/// Turns that begin after a call of each.
Times take(const std::vector<Turn>& turns, int number, bool on_cpu) {
  Times times;
  for (const Turn& turn : turns) turn.call();
  for (int i = 0; i < number; i++) {
    for (const Turn& turn : turns) times[turn.name].push_back(seconds_of(turn.call, on_cpu));
  }
  return times;
}

}  // namespace

const Cublas* cublas_for(const Engine& engine) {
  const bool is_nvidia = engine.device().vendor.find("NVIDIA") != std::string::npos;
  return is_nvidia ? installed_cublas() : nullptr;
}

bool is_cpu(const Engine& engine) { return engine.device().type == DeviceType::cpu; }

template <Element T>
Times take_turns(const Engine& engine, const Case& sizes, int number) {
  constexpr double kMuchSlower = 12;
  const bool on_cpu = is_cpu(engine);
  Turns<T> all(sizes);
  all.add_ours(engine);
  all.add_others(engine);
  std::vector<double> first;
  for (const Turn& turn : all.turns())
    first.push_back(std::min(seconds_of(turn.call, on_cpu), seconds_of(turn.call, on_cpu)));
  std::vector<Turn> quick;
  for (std::size_t i = 0; i < first.size(); i++) {
    if (first[i] <= kMuchSlower * first[0]) quick.push_back(all.turns()[i]);
  }
  return take(quick, number, on_cpu);
}

template <Element T>
Times times_of_ours(const Engine& engine, const Case& sizes, int number) {
  Turns<T> alone(sizes);
  alone.add_ours(engine);
  return take(alone.turns(), number, is_cpu(engine));
}

template <Element T>
Times times_of_cublas(const Case& sizes, int number) {
  Turns<T> alone(sizes);
  alone.add_libraries_of_cuda(*installed_cublas());
  return take(alone.turns(), number, false);
}

#define TESSERA_BENCH_TIMES(T)                                      \
  template Times take_turns<T>(const Engine&, const Case&, int);    \
  template Times times_of_ours<T>(const Engine&, const Case&, int); \
  template Times times_of_cublas<T>(const Case&, int)
TESSERA_BENCH_TIMES(float);
TESSERA_BENCH_TIMES(double);
TESSERA_BENCH_TIMES(std::complex<float>);
TESSERA_BENCH_TIMES(std::complex<double>);
TESSERA_BENCH_TIMES(half);
TESSERA_BENCH_TIMES(std::int8_t);
#undef TESSERA_BENCH_TIMES

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
