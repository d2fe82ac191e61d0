// The pass for precise ratios, and the kernel that examines a vector and its ratios.
#include "eigen/proof.hpp"

#include "eigen/implicit_round.hpp"
#include "eigen/neutral_state.hpp"

namespace tessera::inline v0::eigen {
namespace {

/// Examines the first vector of the ring, or, if the rounds have ended, the one after that by as
/// many as there were rounds.
void enqueue_finish(const Workspace& work, const Rounds& rounds, const Ring& ring, bool always) {
  const kernels::Plan& plan = *work.plans.finish;
  work.submission.launch(plan.kernel(), {{1, 1}, {plan.size("LOCAL_SIZE"), 1}}, rounds.buffer(),
                         static_cast<cl_uint>(always), cl_ulong{work.step.n}, ring, work.vectors,
                         work.ratios, work.result);
}

}  // namespace

Iterate with_ratios(const Workspace& work, const Iterate& iterate) {
  if (iterate.has_ratios && work.plans.rounds_prove) return iterate;
  StepArguments step = work.step;
  step.halt = &neutral_state(work.submission.stream(), work.wide);
  const std::size_t vector = iterate.vector;
  implicit_round_table().enqueue(
      *work.plans.pass,
      {step, work.a, &work.vectors, &work.vectors, &work.ratios, ring_from(work, vector)},
      work.submission);
  return {.vector = vector, .next = vector, .has_ratios = true};
}

void enqueue_finish(const Workspace& work, const Rounds& rounds, const Iterate& from,
                    cl_uint first) {
  const std::size_t size = work.ring.size;
  enqueue_finish(work, rounds, ring_from(work, (from.next + size - first % size) % size), false);
}

Evidence evidence_of(const Workspace& work, Rounds& rounds, const Iterate& iterate) {
  if (!iterate.has_evidence) {
    enqueue_finish(work, rounds, ring_from(work, iterate.vector), true);
    rounds.read_evidence();
  }
  return rounds.evidence();
}

}  // namespace tessera::inline v0::eigen
