// Eigenpairs in C.
#include <string>
#include <utility>
#include <vector>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace detail = tessera::detail;

struct tessera_eigenpair {
  detail::EigenPairOperand pair;
  std::vector<double> history = {};

  explicit tessera_eigenpair(detail::EigenPairOperand solved) : pair(std::move(solved)) {
    for (const auto& [lower, upper] : pair.history) history.insert(history.end(), {lower, upper});
  }
};

namespace {

tessera::EigenOptions eigen_options_of(const tessera_eigen_options* given) {
  const auto options = read<tessera_eigen_options>(given, TESSERA_EIGEN_OPTIONS_INIT);
  using namespace tessera;  // NOLINT: the enumerators' types
  EigenOptions made{
      .method = enumerator("method", options.method, EigenMethod::explicit_steps),
      .stop = enumerator("stop", options.stop, StopTest::neighbours),
      .tolerance = options.tolerance,
      .neighbour_tolerance = options.neighbour_tolerance,
      .max_rounds = options.max_rounds,
      .acceleration = enumerator("acceleration", options.acceleration, Acceleration::krylov),
      .history = options.history != 0,
      .accumulator = enumerator("accumulator", options.accumulator, Accumulator::compensated),
      .wait_for = events_of(options.wait_for, options.wait_count),
      .stream = stream_of(options.stream),
      .cancel = token_of(options.cancel)};
  if (options.progress != nullptr) {
    made.progress = [progress = options.progress, user = options.user](const EigenProgress& now) {
      const std::string phase(now.phase);
      const tessera_eigen_state state{phase.c_str(), now.iterations, now.lower, now.upper};
      if (progress(&state, user) != 0)
        throw CancelledError("dominant_eigenpair: progress() ended the solve");
    };
  }
  return made;
}

}  // namespace

tessera_status tessera_eigenpair_solve(tessera_eigenpair** pair, const tessera_matrix* a,
                                       const tessera_eigen_options* options,
                                       tessera_error** error) {
  return create(pair, error,
                [&] { return detail::dominant_eigenpair(get(a, "a"), eigen_options_of(options)); });
}

double tessera_eigenpair_value(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.value : 0;
}
double tessera_eigenpair_lower(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.lower : 0;
}
double tessera_eigenpair_upper(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.upper : 0;
}
double tessera_eigenpair_residual(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.residual : 0;
}
std::uint64_t tessera_eigenpair_rounds(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.rounds : 0;
}
std::int32_t tessera_eigenpair_converged(const tessera_eigenpair* pair) {
  return pair != nullptr && pair->pair.converged ? 1 : 0;
}
std::int32_t tessera_eigenpair_reason(const tessera_eigenpair* pair) {
  return pair != nullptr ? static_cast<std::int32_t>(pair->pair.reason) : TESSERA_REASON_CONVERGED;
}
std::int32_t tessera_eigenpair_structure(const tessera_eigenpair* pair) {
  return pair != nullptr ? static_cast<std::int32_t>(pair->pair.structure.kind)
                         : TESSERA_STRUCTURE_UNEXAMINED;
}
std::size_t tessera_eigenpair_period(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.structure.period : 0;
}
std::size_t tessera_eigenpair_classes(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.structure.classes : 0;
}
std::size_t tessera_eigenpair_basic_classes(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->pair.structure.basic_classes : 0;
}
std::size_t tessera_eigenpair_history_count(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->history.size() / 2 : 0;
}
const double* tessera_eigenpair_history(const tessera_eigenpair* pair) {
  return pair != nullptr ? pair->history.data() : nullptr;
}
tessera_status tessera_eigenpair_seconds(const tessera_eigenpair* pair, double* seconds,
                                         tessera_error** error) {
  return gives(seconds, -1.0, error, [&] {
    need(pair, "the eigenpair");
    return pair->pair.seconds().value_or(-1);
  });
}
tessera_status tessera_eigenpair_vector(tessera_matrix** vector, const tessera_eigenpair* pair,
                                        tessera_error** error) {
  return create(vector, error, [&] {
    need(pair, "the eigenpair");
    return pair->pair.vector;
  });
}
void tessera_eigenpair_destroy(tessera_eigenpair* pair) { destroy(pair); }
