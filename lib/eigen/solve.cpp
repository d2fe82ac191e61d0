// The solver: rounds by one of the methods, then the proof; implicit rounds as long as that is too
// wide.
#include "eigen/solve.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "eigen/implicit_round.hpp"
#include "eigen/proof.hpp"
#include "eigen/restart.hpp"
#include "eigen/rounds.hpp"
#include "eigen/solver_kernels.hpp"
#include "eigen/steps.hpp"
#include "kernels/element.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Component>
constexpr int kWide = std::is_same_v<Component, double> ? 1 : 0;

EigenReason reason_of(Halt halt) {
  switch (halt) {
    case Halt::max_rounds: return EigenReason::max_rounds;
    case Halt::stalled: return EigenReason::stalled;
    case Halt::underflow:
    case Halt::overflow: return EigenReason::underflow;  // a ratio by a component near zero
    default: return EigenReason::converged;
  }
}

template <Real T, class Component>
class Solver {
 public:
  Solver(const ConstMatrixView<T>& a, const EigenOptions& options)
      : a_(a), options_(options), stream_(*a.layout().stream), n_(a.rows()) {
    const auto step = [&](const char* name) {
      return kernels::plan(stream_, solver_kernels(), kType,
                           {name, {{"ACCUMULATOR", kWide<Component>}}});
    };
    begin_ = step("begin");
    conclude_ = step("conclude");
    finish_ = step("finish");
    round_ = plan_of(stream_, implicit_round_table(), kType, n_, options);
    proof_.emplace(stream_, kType, n_, *round_, options.tolerance);
    // Room for what rounding widens the interval by; half, where a pass of its own looks again.
    tolerance_ = proof_->needs_no_pass()
                     ? std::max(options.tolerance - 3 * proof_->error(), options.tolerance / 2)
                     : options.tolerance / 2;
    first_round_ = variation(stream_, kType, *round_, {{"VALIDATE", 1}});
    if (options.method != EigenMethod::implicit)
      steps_.emplace(stream_, kType, kWide<Component>, n_, options);
    if (restarts_) p_.resize(kBatch + 1);
  }

  EigenPair<T> run() {
    Matrix<T> vector(a_.stream(), n_, 1);
    runtime::Submission submission(stream_,
                                   {{a_.layout().memory.get(), runtime::Access::read},
                                    {vector.view().layout().memory.get(), runtime::Access::write}},
                                   options_.wait_for);
    Rounds<Component> rounds(submission, limits());
    for (auto& p : p_) p = scratch(submission);
    ratios_ = scratch(submission);
    submission.launch(begin_->kernel(), cover(n_, {64, 1}), rounds.buffer(), cl_ulong{n_}, p_[0]);
    if (steps_) {
      run_by_steps(submission, rounds);
    } else {
      run_implicit(submission, rounds, 0);
    }
    const Certificate proof = prove_in_the_end(submission, rounds);
    submission.launch(finish_->kernel(), cover(n_, {64, 1}), cl_ulong{n_}, p_[proven_],
                      static_cast<Component>(proof.largest),
                      vector.view().layout().memory->buffer());
    auto [started, finished] = submission.finish();
    return result(std::move(vector), rounds, proof, started, finished);
  }

 private:
  static constexpr ElementType kType = kernels::kElementType<T>;

  MatrixArgument matrix() const { return matrix_argument(a_.layout()); }

  cl::Buffer scratch(runtime::Submission& submission) const {
    return submission.scratch(n_ * kComponents<Component> * sizeof(Component),
                              "vectors of a solve");
  }

  Limits<Component> limits() const {
    // After a restart the bounds are wider for some rounds.
    const cl_uint patience = restarts_ ? 8 * kBatch : 32;
    const auto long_patience =
        static_cast<cl_uint>(std::min<std::size_t>(n_ + patience, options_.max_rounds));
    return {static_cast<Component>(by_bounds() ? tolerance_ : options_.neighbour_tolerance),
            by_bounds() ? 0u : 1u,
            options_.max_rounds,
            patience,
            kBatch,
            long_patience};
  }

  void ones(runtime::Submission& submission) {
    current_ = 0;
    submission.launch(begin_->kernel("_ones"), cover(n_, {64, 1}), cl_ulong{n_}, p_[0]);
  }

  /// Of the vectors: the i-th after the current one.
  std::size_t place_after(std::size_t i) const { return (current_ + i) % p_.size(); }
  const cl::Buffer& after(std::size_t i) const { return p_[place_after(i)]; }

  /// The i-th round from the current vector on, to the next one and the ratios.
  void enqueue_round(runtime::Submission& submission, const kernels::Plan& plan,
                     const Rounds<Component>& rounds, std::size_t i) {
    implicit_round_table().enqueue(
        plan, {{kType, n_, &rounds.buffer()}, matrix(), &after(i), &after(i + 1), &ratios_},
        submission);
  }

  /// Proves, with more rounds where they help.
  Certificate prove_in_the_end(runtime::Submission& submission, Rounds<Component>& rounds) {
    auto proof = certify(submission, rounds);
    if (!proof && steps_ && may_go_on(rounds.state())) {
      ones(submission);  // the steps lost a component: implicit rounds from the start keep more
      resume(submission, rounds);
      proof = certify(submission, rounds);
    }
    if (proof && is_near(*proof) && rounds.state().halt == Halt::converged &&
        may_go_on(rounds.state())) {
      tolerance_ /= 2;
      resume(submission, rounds);
      proof = certify(submission, rounds);
    }
    if (proof) return *proof;
    ones(submission);  // A's own row sums bound it too
    fell_back_ = true;
    const Evidence sums = evidence(submission, rounds);
    proof = proof_->certify(sums);
    if (!proof) throw BadRow{*first_unproven_row(sums.vector, sums.ratios)};  // it overflows
    return *proof;
  }

  /// The steps, then implicit rounds: steps end where their type does, and prove nothing.
  void run_by_steps(runtime::Submission& submission, Rounds<Component>& rounds) {
    enqueue_round(submission, *first_round_, rounds, 0);  // for what it says of the elements
    const auto v = run_steps(submission, *steps_, kType, matrix(), n_, options_, rounds);
    refuse_bad_input(rounds.state());
    const bool overflows = rounds.state().halt == Halt::overflow;  // of quotients, not of A
    if (overflows) {
      ones(submission);
    } else {
      submission.launch(steps_->widen->kernel(), cover(n_, {64, 1}), cl_ulong{n_}, v, p_[0]);
    }
    if ((by_bounds() || overflows) && may_go_on(rounds.state())) resume(submission, rounds);
  }

  /// Implicit rounds from number `first` on, from the current vector; leaves the current vector at
  /// the last one that is positive.
  void run_implicit(runtime::Submission& submission, Rounds<Component>& rounds, cl_uint first) {
    const auto enqueue = [&](cl_uint i) {
      enqueue_round(submission, first + i == 0 ? *first_round_ : *round_, rounds, i);
      submission.launch(conclude_->kernel(), {{1, 1}, {conclude_->size("LOCAL_SIZE"), 1}},
                        rounds.buffer(), rounds.limits(), kSmallest<Component>, cl_ulong{n_},
                        ratios_, after(i + 1));
    };
    rounds.run(first, enqueue,
               {.meanwhile = [&](cl_uint next, cl_uint batch) { prepare(submission, next, batch); },
                .between =
                    [&](cl_uint next, cl_uint batch) {
                      if (restarts_ && batch == kBatch) restart(submission, rounds, first, next);
                    }});
    const auto& state = rounds.state();
    proven_ = place_after(state.rounds - first);
    current_ = place_after(state.rounds - first + (state.halt == Halt::underflow ? 0 : 1));
    has_ratios_ = true;
  }

  /// Room for what the proof reads; for restarts the vectors of a whole batch, and the one that
  /// follows.
  void prepare(runtime::Submission& submission, cl_uint next, cl_uint batch) {
    host_.vector.resize(n_ * kComponents<Component>);
    host_.ratios.resize(n_ * kComponents<Component>);
    if (!restarts_ || batch != kBatch) return;
    for (cl_uint k = 0; k <= kBatch; k++)
      restart_.fetch(submission, n_, k, after(next - kBatch + k));
  }

  void restart(runtime::Submission& submission, const Rounds<Component>& rounds, cl_uint first,
               cl_uint next) {
    std::vector<double> factors;
    for (cl_uint k = kBatch; k > 0; k--) factors.push_back(rounds.scale(first + next - k));
    restart_.apply(submission, factors, after(next));
  }

  void resume(runtime::Submission& submission, Rounds<Component>& rounds) {
    const cl_uint next = rounds.state().rounds + 1;
    rounds.limit(limits());
    submission.launch(begin_->kernel("_again"), {{1, 1}, {1, 1}}, rounds.buffer(), next);
    run_implicit(submission, rounds, next);
  }

  bool by_bounds() const { return options_.stop == StopTest::bounds; }

  bool may_go_on(const State<Component>& state) const {
    return state.rounds < options_.max_rounds && state.halt != Halt::max_rounds &&
           state.halt != Halt::underflow;
  }

  bool within(const Certificate& proof) const {
    return proof.upper < std::numeric_limits<double>::infinity() &&
           proof.upper - proof.lower <= options_.tolerance * proof.upper;
  }

  /// Would a few more rounds bring the interval within the tolerance?
  bool is_near(const Certificate& proof) const {
    return by_bounds() && !within(proof) &&
           proof.upper - proof.lower <= 4 * options_.tolerance * proof.upper &&
           3 * proof_->error() < options_.tolerance;
  }

  /// Of the last round's vector, by its ratios where they are exact enough, else by a pass.
  Evidence evidence(runtime::Submission& submission, const Rounds<Component>& rounds) {
    refuse_bad_input(rounds.state());
    if (!has_ratios_ || !proof_->needs_no_pass()) {
      if (has_ratios_) current_ = proven_;  // the last one looked at
      proof_->pass(submission, matrix(), after(0), after(1), ratios_);
      proven_ = current_;
    }
    has_ratios_ = false;
    return proof_->read(submission, p_[proven_], ratios_, host_);
  }
  std::optional<Certificate> certify(runtime::Submission& submission,
                                     const Rounds<Component>& rounds) {
    return proof_->certify(evidence(submission, rounds));
  }

  /// Throws BadRow where the first round found one.
  void refuse_bad_input(const State<Component>& state) const {
    if (state.halt == Halt::bad_input) throw BadRow{state.bad_row};
  }

  EigenPair<T> result(Matrix<T> vector, const Rounds<Component>& rounds, const Certificate& proof,
                      const Event& started, const Event& finished) const {
    const auto& state = rounds.state();
    const bool converged =
        by_bounds() ? within(proof) : state.halt == Halt::converged && !fell_back_;
    const EigenReason ended =
        state.halt == Halt::converged && !converged
            ? (state.rounds >= options_.max_rounds ? EigenReason::max_rounds : EigenReason::stalled)
            : reason_of(state.halt);
    EigenPair<T> pair{.value = proof.value,
                      .lower = proof.lower,
                      .upper = proof.upper,
                      .residual = proof.residual,
                      .vector = std::move(vector),
                      .rounds = state.rounds,
                      .converged = converged,
                      .reason = converged ? EigenReason::converged : ended,
                      .history = options_.history ? rounds.history() : std::vector<EigenBounds>(),
                      .ran = {}};
    std::vector<SharedPlan> plans = {round_};
    if (steps_) steps_->append(plans);
    for (const auto& plan : plans) pair.ran.push_back({plan, started, finished});
    return pair;
  }

  const ConstMatrixView<T>& a_;
  const EigenOptions& options_;
  runtime::Stream& stream_;
  std::size_t n_;
  bool restarts_ = options_.acceleration == Acceleration::krylov;
  double tolerance_;
  SharedPlan begin_, conclude_, finish_, round_, first_round_;
  std::optional<Proof<Component>> proof_;
  std::optional<StepPlans> steps_;
  HostBuffers<Component> host_;
  Restart<Component> restart_;
  std::vector<cl::Buffer> p_ = std::vector<cl::Buffer>(2);  // vectors, each A times the one before
  cl::Buffer ratios_;
  std::size_t current_ = 0;  // of p_: what the next round reads
  std::size_t proven_ = 0;   // of p_: the certificate's
  bool fell_back_ = false;   // to the vector of ones
  bool has_ratios_ = false;  // of p_[proven_], by the last round
};

}  // namespace

template <Real T, class Component>
EigenPair<T> solve(const ConstMatrixView<T>& a, const EigenOptions& options) {
  return Solver<T, Component>(a, options).run();
}

template EigenPair<float> solve<float, float>(const ConstMatrixView<float>&, const EigenOptions&);
template EigenPair<float> solve<float, double>(const ConstMatrixView<float>&, const EigenOptions&);
template EigenPair<double> solve<double, double>(const ConstMatrixView<double>&,
                                                 const EigenOptions&);

}  // namespace tessera::inline v0::eigen
