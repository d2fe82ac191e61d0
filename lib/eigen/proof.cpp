// The pass for precise ratios, and the transfer of a vector and its ratios to the host.
#include "eigen/proof.hpp"

#include <utility>

#include "eigen/implicit_round.hpp"
#include "eigen/neutral_state.hpp"
#include "eigen/wide_vector.hpp"

namespace tessera::inline v0::eigen {
namespace {

template <class Component>
void read(const Workspace<Component>& work, const cl::Buffer& from, std::vector<Component>& to,
          cl_bool waits) {
  to.resize(work.stage.n * kComponents<Component>);
  work.submission.command(
      [&](const cl::CommandQueue& queue, cl::Event* event) {
        queue.enqueueReadBuffer(from, waits, 0, to.size() * sizeof(Component), to.data(), nullptr,
                                event);
      },
      "reading an eigenvector");
}

}  // namespace

template <class Component>
Iterate with_ratios(const Workspace<Component>& work, const Iterate& iterate) {
  if (iterate.has_ratios && work.plans.rounds_prove) return iterate;
  Stage stage = work.stage;
  stage.halt = &neutral_state<Component>(work.submission.stream());
  const std::size_t place = iterate.vector, beside = (place + 1) % work.vectors.size();
  implicit_round_table().enqueue(
      *work.plans.pass, {stage, work.a, &work.vectors[place], &work.vectors[beside], &work.ratios},
      work.submission);
  return {.vector = place, .next = place, .has_ratios = true};
}

template <class Component>
Evidence read_evidence(const Workspace<Component>& work, const Iterate& iterate) {
  auto& host = work.host;
  read(work, work.vectors[iterate.vector], host.vector, CL_FALSE);
  read(work, work.ratios, host.ratios, CL_TRUE);  // completes both reads: the queue is in-order
  work.submission.report_failure();
  return {doubles_of(std::move(host.vector)), doubles_of(std::move(host.ratios))};
}

template Iterate with_ratios(const Workspace<float>&, const Iterate&);
template Iterate with_ratios(const Workspace<double>&, const Iterate&);
template Evidence read_evidence(const Workspace<float>&, const Iterate&);
template Evidence read_evidence(const Workspace<double>&, const Iterate&);

}  // namespace tessera::inline v0::eigen
