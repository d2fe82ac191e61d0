// The solver: rounds by one of the methods, then the proof; implicit rounds as long as that is too
// wide.
#include "eigen/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "eigen/implicit_round.hpp"
#include "eigen/powers.hpp"
#include "eigen/proof.hpp"
#include "eigen/rounds.hpp"
#include "eigen/solver_kernels.hpp"
#include "eigen/steps.hpp"
#include "kernels/element.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Part>
constexpr int kWide = std::is_same_v<Part, double> ? 1 : 0;

EigenReason reason_of(Halt halt) {
  switch (halt) {
    case Halt::max_rounds: return EigenReason::max_rounds;
    case Halt::stalled: return EigenReason::stalled;
    case Halt::underflow: return EigenReason::underflow;
    default: return EigenReason::converged;
  }
}

KernelRun run_of(const kernels::Plan& plan) {
  return {.operation = plan.variant->operation,
          .variant = plan.variant->name,
          .parameters = plan.parameters,
          .reason = plan.reason,
          .started = {},
          .finished = {}};
}

template <Real T, class Part>
class Solver {
 public:
  Solver(const ConstMatrixView<T>& a, const EigenOptions& options)
      : a_(a), options_(options), stream_(*a.place().stream), n_(a.rows()) {
    const auto step = [&](const char* name) {
      return kernels::plan(stream_, solver_kernels(), kType, {name, {{"WIDE", kWide<Part>}}});
    };
    begin_ = step("begin");
    conclude_ = step("conclude");
    finish_ = step("finish");
    round_ = plan_of(stream_, implicit_round_table(), kType, options);
    proof_.emplace(stream_, kType, n_, *round_, options.tolerance);
    // What rounding widens the interval by on both sides; rounds that go that much further suffice.
    tolerance_ = std::max(options.tolerance - 3 * proof_->error(), options.tolerance / 2);
    first_round_ = variation(stream_, kType, *round_, {{"CHECKS", 1}});
    if (options.method != EigenMethod::implicit)
      steps_.emplace(stream_, kType, kWide<Part>, options);
    if (options.acceleration == Acceleration::squaring) plan_powers();
  }

  EigenPair<T> run() {
    Matrix<T> vector(Engine(a_.place().stream), n_, 1);
    const auto power_memory = powers_ ? allocate_powers(stream_, n_) : PowerMemory();
    Landing<Part> landing;
    runtime::Submission submission(stream_,
                                   {{a_.place().memory.get(), runtime::Access::read},
                                    {vector.view().place().memory.get(), runtime::Access::write}},
                                   options_.wait_for);
    Rounds<Part> rounds(submission, limits());
    for (auto& p : p_) p = scratch(submission);
    ratios_ = scratch(submission);
    submission.launch(begin_->kernel(), cover(n_, {64, 1}), rounds.buffer(), cl_ulong{n_}, p_[0]);
    if (steps_) {
      enqueue_round(submission, *first_round_, rounds, 0);
      const auto v = run_steps(submission, *steps_, kType, matrix(), n_, options_, rounds);
      submission.launch(steps_->widen->kernel(), cover(n_, {64, 1}), cl_ulong{n_}, v, p_[0]);
    } else {
      run_implicit(submission, rounds, 0);
    }
    Certificate proof = prove(submission, rounds, landing);
    if (powers_ && proof.positive && rounds.state().halt == Halt::max_rounds && !within(proof)) {
      Powers powers(submission, *powers_, power_memory, matrix(), n_, proof.upper);
      proof = run_powers(submission, powers, rounds, landing, proof);
    }
    while (goes_on(rounds.state(), proof)) {
      if (!proof.positive) ones(submission);
      tolerance_ = proof.positive ? tolerance_ / 2 : tolerance_;
      resume(submission, rounds);
      proof = prove(submission, rounds, landing);
    }
    if (!proof.positive) {  // steps lost a component, and had no rounds left: A's own row sums hold
      ones(submission);
      proof = prove(submission, rounds, landing);
    }
    submission.launch(finish_->kernel(), cover(n_, {64, 1}), cl_ulong{n_}, p_[proven_],
                      static_cast<Part>(proof.largest), vector.view().place().memory->buffer());
    auto [started, finished] = submission.finish();
    return result(std::move(vector), rounds, proof, started, finished);
  }

 private:
  static constexpr ElementType kType = kernels::kElementType<T>;

  void plan_powers() {
    if (options_.method != EigenMethod::implicit || options_.stop != StopTest::bounds)
      throw UnsupportedError("squaring", "it goes with the implicit method and bounds");
    if (!stream_.context().device().info.has_double)
      throw UnsupportedError("squaring", "the device has no double");
    powers_.emplace(stream_, kType, *round_);
  }

  /// Squares, and rounds by the powers, a few between two proofs, until the interval is narrow
  /// enough or no longer narrows.
  Certificate run_powers(runtime::Submission& submission, Powers& powers, Rounds<Part>& rounds,
                         Landing<Part>& landing, Certificate proof) {
    constexpr unsigned kSquarings = 3, kMost = 48;
    unsigned vain = 0;  // proofs that came no closer
    for (unsigned power = 0; !within(proof) && vain < 2 && power < kMost; power += kSquarings) {
      for (unsigned i = 1; i <= kSquarings; i++) {
        powers.square(p_[current_], p_[1 - current_], ratios_);
        current_ = 1 - current_;
        rounds_by_powers_ += std::ldexp(1.0, static_cast<int>(power + i));
      }
      powers.read(landing.powers);
      const Certificate next = prove(submission, rounds, landing);
      if (!next.positive || landing.powers.halt != Halt::none) {  // nothing is left of a component
        ones(submission);
        return prove(submission, rounds, landing);
      }
      vain = next.upper - next.lower < proof.upper - proof.lower ? 0 : vain + 1;
      proof = next;
    }
    return proof;
  }

  MatrixArgument matrix() const { return matrix_argument(a_.place()); }

  cl::Buffer scratch(runtime::Submission& submission) const {
    return submission.scratch(n_ * kParts<Part> * sizeof(Part), "vectors of a solve");
  }

  Limits<Part> limits() const {
    constexpr cl_uint kPatience = 32;
    const auto long_patience =
        static_cast<cl_uint>(std::min<std::size_t>(n_ + kPatience, options_.max_rounds));
    // Before powers a few plain rounds, which may do.
    const cl_uint most = powers_ ? std::min(options_.max_rounds, kBatch - 1) : options_.max_rounds;
    const bool by_neighbours = options_.stop == StopTest::neighbours;
    return {static_cast<Part>(by_neighbours ? options_.neighbour_tolerance : tolerance_),
            by_neighbours,
            most,
            kPatience,
            kBatch,
            long_patience};
  }

  void ones(runtime::Submission& submission) {
    current_ = 0;
    submission.launch(begin_->kernel("_ones"), cover(n_, {64, 1}), cl_ulong{n_}, p_[0]);
  }

  /// The i-th round from the current vector on, to the other one and the ratios.
  void enqueue_round(runtime::Submission& submission, const kernels::Plan& plan,
                     const Rounds<Part>& rounds, std::size_t i) {
    const std::size_t from = (current_ + i) % 2;
    implicit_round_table().enqueue(
        plan, {{kType, n_, &rounds.buffer()}, matrix(), &p_[from], &p_[1 - from], &ratios_},
        submission);
  }

  /// Implicit rounds from number `first` on, from the current vector; leaves the current vector at
  /// the last one that is positive.
  void run_implicit(runtime::Submission& submission, Rounds<Part>& rounds, cl_uint first) {
    const Part smallest = std::is_same_v<Part, double> ? Part(0x1p-1000) : Part(0x1p-100f);
    rounds.run(first, [&](cl_uint i) {
      enqueue_round(submission, first + i == 0 ? *first_round_ : *round_, rounds, i);
      submission.launch(conclude_->kernel(), {{1, 1}, {conclude_->size("GROUP"), 1}},
                        rounds.buffer(), rounds.limits(), smallest, cl_ulong{n_}, ratios_,
                        p_[(current_ + i + 1) % 2]);
    });
    const auto& state = rounds.state();
    proven_ = (current_ + (state.rounds - first)) % 2;
    current_ = state.halt == Halt::underflow ? proven_ : 1 - proven_;
    has_ratios_ = true;
  }

  void resume(runtime::Submission& submission, Rounds<Part>& rounds) {
    const cl_uint next = rounds.state().rounds + 1;
    rounds.limit(limits());
    submission.launch(begin_->kernel("_again"), {{1, 1}, {1, 1}}, rounds.buffer(), next);
    run_implicit(submission, rounds, next);
  }

  /// Is there to be another round after this proof?
  bool goes_on(const State<Part>& state, const Certificate& proof) {
    if (state.rounds >= options_.max_rounds || state.halt == Halt::max_rounds) return false;
    if (!proof.positive) return steps_ && state.halt != Halt::underflow;
    if (options_.stop == StopTest::neighbours || within(proof)) return false;
    // Steps end where their type does; implicit rounds go further.
    const bool by_steps = steps_ && !went_on_;
    went_on_ = true;
    return by_steps || (state.halt == Halt::converged && tolerance_ > kLeast);
  }

  bool within(const Certificate& proof) const {
    return proof.positive && proof.upper - proof.lower <= options_.tolerance * proof.upper;
  }

  /// Proves what it can of the last round's vector, or by a pass of the current one.
  Certificate prove(runtime::Submission& submission, const Rounds<Part>& rounds,
                    Landing<Part>& landing) {
    refuse_bad_input(rounds.state());
    if (!has_ratios_ || !proof_->needs_no_pass()) {
      proof_->pass(submission, matrix(), p_[current_], p_[1 - current_], ratios_);
      proven_ = current_;
    }
    has_ratios_ = false;
    return proof_->certify(submission, p_[proven_], ratios_, landing);
  }

  /// Throws MatrixError or BadRow where the state says that rounds are not possible.
  void refuse_bad_input(const State<Part>& state) const {
    if (state.halt == Halt::overflow)
      throw MatrixError("dominant_eigenpair: the sum of a row overflows");
    if (state.halt != Halt::bad_input) return;
    throw BadRow{state.bad_row};
  }

  EigenPair<T> result(Matrix<T> vector, const Rounds<Part>& rounds, const Certificate& proof,
                      const Event& started, const Event& finished) const {
    const auto& state = rounds.state();
    const bool by_bounds = options_.stop == StopTest::bounds;
    const bool converged = by_bounds ? within(proof) : state.halt == Halt::converged;
    const EigenReason ended =
        state.halt == Halt::converged && !converged
            ? (state.rounds >= options_.max_rounds ? EigenReason::max_rounds : EigenReason::stalled)
            : reason_of(rounds_by_powers_ > 0 ? Halt::stalled : state.halt);
    EigenPair<T> pair{.value = proof.value,
                      .lower = proof.lower,
                      .upper = proof.upper,
                      .residual = proof.residual,
                      .vector = std::move(vector),
                      .rounds = state.rounds + static_cast<std::uint64_t>(rounds_by_powers_),
                      .converged = converged,
                      .reason = converged ? EigenReason::converged : ended,
                      .history = options_.history ? rounds.history() : std::vector<EigenBounds>(),
                      .ran = {}};
    std::vector<SharedPlan> plans = {round_};
    if (steps_) steps_->append(plans);
    for (const auto& plan : plans) {
      pair.ran.push_back(run_of(*plan));
      pair.ran.back().started = started;
      pair.ran.back().finished = finished;
    }
    return pair;
  }

  static constexpr double kLeast = 0x1p-60;  // of a tolerance that is halved

  const ConstMatrixView<T>& a_;
  const EigenOptions& options_;
  runtime::Stream& stream_;
  std::size_t n_;
  double tolerance_;
  SharedPlan begin_, conclude_, finish_, round_, first_round_;
  std::optional<Proof<Part>> proof_;
  std::optional<StepPlans> steps_;
  std::optional<PowerPlans> powers_;
  double rounds_by_powers_ = 0;
  std::array<cl::Buffer, 2> p_;
  cl::Buffer ratios_;
  std::size_t current_ = 0;  // of p_: what the next round reads
  std::size_t proven_ = 0;   // of p_: the certificate's
  bool has_ratios_ = false;  // of p_[proven_], by the last round
  bool went_on_ = false;     // beyond the steps
};

}  // namespace

template <Real T, class Part>
EigenPair<T> solve(const ConstMatrixView<T>& a, const EigenOptions& options) {
  return Solver<T, Part>(a, options).run();
}

template EigenPair<float> solve<float, float>(const ConstMatrixView<float>&, const EigenOptions&);
template EigenPair<float> solve<float, double>(const ConstMatrixView<float>&, const EigenOptions&);
template EigenPair<double> solve<double, double>(const ConstMatrixView<double>&,
                                                 const EigenOptions&);

}  // namespace tessera::inline v0::eigen
