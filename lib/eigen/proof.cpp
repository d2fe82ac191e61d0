// The pass for precise ratios, and the kernel that examines a vector and its ratios.
#include "eigen/proof.hpp"

#include <limits>

#include "eigen/implicit_round.hpp"
#include "eigen/neutral_state.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// Examines the first vector of the ring, or, if the rounds have ended, the one after that by as
/// many as there were rounds.
template <class Component>
void enqueue_finish(const Workspace<Component>& work, const Rounds<Component>& rounds,
                    const Ring& ring, bool always) {
  const kernels::Plan& plan = *work.plans.finish;
  work.submission.launch(plan.kernel(), {{1, 1}, {plan.size("LOCAL_SIZE"), 1}}, rounds.buffer(),
                         static_cast<cl_uint>(always), cl_ulong{work.step.n}, ring, work.vectors,
                         work.ratios, work.result);
}

template <class Component>
Evidence evidence_from(const DeviceEvidence<Component>& device, std::size_t n) {
  // The deviation's own rounding: a difference, a quotient and a product.
  constexpr double kRounding = 8 * double{std::numeric_limits<Component>::epsilon()};
  Evidence evidence{.size = n,
                    .unproven_row = {},
                    .minimum = device.minimum.value(),
                    .largest = device.largest.value(),
                    .lowest = device.lowest.value(),
                    .highest = device.highest.value(),
                    .middle = device.middle.value(),
                    .deviation = static_cast<double>(device.deviation) * (1 + kRounding)};
  if (device.unproven_row < n) evidence.unproven_row = device.unproven_row;
  return evidence;
}

}  // namespace

template <class Component>
Iterate with_ratios(const Workspace<Component>& work, const Iterate& iterate) {
  if (iterate.has_ratios && work.plans.rounds_prove) return iterate;
  StepArguments step = work.step;
  step.halt = &neutral_state<Component>(work.submission.stream());
  const std::size_t vector = iterate.vector;
  implicit_round_table().enqueue(
      *work.plans.pass,
      {step, work.a, &work.vectors, &work.vectors, &work.ratios, ring_from(work, vector)},
      work.submission);
  return {.vector = vector, .next = vector, .has_ratios = true};
}

template <class Component>
void enqueue_finish(const Workspace<Component>& work, const Rounds<Component>& rounds,
                    const Iterate& from, cl_uint first) {
  const std::size_t size = work.ring.size;
  enqueue_finish(work, rounds, ring_from(work, (from.next + size - first % size) % size), false);
}

template <class Component>
Evidence evidence_of(const Workspace<Component>& work, Rounds<Component>& rounds,
                     const Iterate& iterate) {
  if (!iterate.has_evidence) {
    enqueue_finish(work, rounds, ring_from(work, iterate.vector), true);
    rounds.read_evidence();
  }
  return evidence_from(rounds.evidence(), work.step.n);
}

#define TESSERA_PROOF(Component)                                                      \
  template Iterate with_ratios(const Workspace<Component>&, const Iterate&);          \
  template void enqueue_finish(const Workspace<Component>&, const Rounds<Component>&, \
                               const Iterate&, cl_uint);                              \
  template Evidence evidence_of(const Workspace<Component>&, Rounds<Component>&, const Iterate&);
TESSERA_PROOF(float)
TESSERA_PROOF(double)
#undef TESSERA_PROOF

}  // namespace tessera::inline v0::eigen
