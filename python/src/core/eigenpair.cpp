// Dominant eigenpairs in Python.
#include "conversion.hpp"
#include "interruptible.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

using Pair = detail::EigenPairOperand;

/// An EigenProgress that Python may keep.
struct EigenState {
  std::string phase;
  std::uint64_t iterations;
  double lower, upper;
};

std::function<void(const ts::EigenProgress&)> callback_of(nb::handle progress) {
  if (progress.is_none()) return {};
  return [progress](const ts::EigenProgress& state) {
    const nb::gil_scoped_acquire acquired;
    progress(EigenState{std::string(state.phase), state.iterations, state.lower, state.upper});
  };
}

ts::EigenOptions options_of(const nb::dict& given) {
  const auto text = [&](const char* name) { return argument<std::string>(given[name], name); };
  using ts::Acceleration, ts::Accumulator, ts::EigenMethod, ts::StopTest;
  ts::EigenOptions options{
      .method =
          enumerator("method", text("method"),
                     {EigenMethod::implicit, EigenMethod::fused, EigenMethod::explicit_steps}),
      .stop = enumerator("stop", text("stop"), {StopTest::bounds, StopTest::neighbours}),
      .tolerance = argument<double>(given["tolerance"], "tolerance"),
      .neighbour_tolerance = argument<double>(given["neighbour_tolerance"], "neighbour_tolerance"),
      .max_rounds = argument<std::uint32_t>(given["max_rounds"], "max_rounds"),
      .acceleration =
          enumerator("acceleration", text("acceleration"),
                     {Acceleration::automatic, Acceleration::none, Acceleration::krylov}),
      .history = nb::cast<bool>(given["history"]),
      .accumulator = enumerator("accumulator", text("accumulator"),
                                {Accumulator::automatic, Accumulator::two_floats,
                                 Accumulator::float64, Accumulator::compensated})};
  const nb::object kernels = given["kernels"];
  if (!kernels.is_none()) {
    for (const auto& [operation, kernel] : nb::cast<nb::dict>(kernels))
      options.kernels[nb::cast<std::string>(operation)] = kernel_of(kernel);
  }
  return options;
}

Pair solve(const Matrix& a, const nb::dict& given, const std::optional<ts::Stream>& stream,
           nb::handle wait_for, nb::handle progress) {
  const ts::CancelSource cancel;
  ts::EigenOptions options = options_of(given);
  options.wait_for = events_of(wait_for);
  options.stream = stream;
  options.cancel = cancel.token();
  options.progress = callback_of(progress);
  return interruptible(cancel, [&] { return detail::dominant_eigenpair(a.operand, options); });
}

Pair run(const ts::EigenPlan& plan, const Matrix& a, const std::optional<ts::Stream>& stream,
         nb::handle wait_for, nb::handle progress) {
  const ts::CancelSource cancel;
  const ts::EigenRunOptions options{.wait_for = events_of(wait_for),
                                    .stream = stream,
                                    .progress = callback_of(progress),
                                    .cancel = cancel.token()};
  return interruptible(cancel, [&] { return detail::Access::run(plan, a.operand, options); });
}

/// The bounds of each round, rounds x 2.
nb::object history(const Pair& pair) {
  const HostArray array = empty_array(pair.history.size(), 2, ts::ElementType::float64);
  auto* const numbers = reinterpret_cast<double*>(array.data);
  for (std::size_t i = 0; i < pair.history.size(); i++) {
    numbers[2 * i] = pair.history[i].lower;
    numbers[2 * i + 1] = pair.history[i].upper;
  }
  return array.owner;
}

void bind_progress(nb::module_& module) {
  nb::class_<EigenState>(module, "EigenProgress", "The state of a solve.")
      .def_ro("phase", &EigenState::phase, "The current work, in words.")
      .def_ro("iterations", &EigenState::iterations, "Rounds so far.")
      .def_ro("lower", &EigenState::lower, "As computed, not proven.")
      .def_ro("upper", &EigenState::upper, "As computed, not proven.");
  using Structure = ts::EigenStructure;
  nb::class_<Structure>(module, "EigenStructure",
                        "The irreducible blocks of a matrix, if the solve had to find them.")
      .def_prop_ro(
          "kind", [](const Structure& of) { return to_string(of.kind); },
          "``\"unexamined\"``, ``\"primitive\"``, ``\"periodic\"`` or ``\"reducible\"``.")
      .def_ro("period", &Structure::period, "0 if reducible.")
      .def_ro("classes", &Structure::classes, "Irreducible diagonal blocks.")
      .def_ro("basic_classes", &Structure::basic_classes,
              "Blocks whose intervals hold the spectral radius.")
      .def("__repr__", [](const Structure& of) {
        return nb::str("EigenStructure({})").format(to_string(of.kind));
      });
}

void bind_pair(nb::module_& module) {
  nb::class_<Pair>(module, "EigenPair",
                   "A dominant eigenvalue with a proven interval, and its eigenvector.")
      .def_prop_ro(
          "value", [](const Pair& pair) { return pair.value; }, "The middle of the interval.")
      .def_prop_ro(
          "lower", [](const Pair& pair) { return pair.lower; },
          "Proven lower bound of the spectral radius.")
      .def_prop_ro(
          "upper", [](const Pair& pair) { return pair.upper; },
          "Proven upper bound of the spectral radius.")
      .def_prop_ro(
          "vector", [](const Pair& pair) { return Matrix{pair.vector}; },
          "The eigenvector: a Matrix, n x 1, not negative, with the maximum 1.")
      .def_prop_ro(
          "residual", [](const Pair& pair) { return pair.residual; },
          "A bound of ``|A v - value v| / (value |v|)`` in maximum norms.")
      .def_prop_ro(
          "rounds", [](const Pair& pair) { return pair.rounds; }, "Transforms that were applied.")
      .def_prop_ro(
          "converged", [](const Pair& pair) { return pair.converged; },
          "Whether the stop test was met.")
      .def_prop_ro(
          "reason", [](const Pair& pair) { return to_string(pair.reason); },
          "``\"converged\"``, ``\"max_rounds\"``, ``\"stalled\"`` or ``\"underflow\"``.")
      .def_prop_ro(
          "structure", [](const Pair& pair) { return pair.structure; }, "The irreducible blocks.")
      .def_prop_ro("history", history,
                   nb::sig("def history(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Lower and upper bound of each round, rounds x 2; not proven. Empty unless\n"
                   "``history=True``.")
      .def_prop_ro(
          "runs", [](const Pair& pair) { return pair.ran; }, "The kernel of each operation.")
      .def_prop_ro(
          "seconds", [](const Pair& pair) { return unlocked([&] { return pair.seconds(); }); },
          "Device time; None unless the engine was created with ``profiling``.")
      .def("__float__", [](const Pair& pair) { return pair.value; })
      .def("__repr__",
           [](const Pair& pair) {
             return nb::str("EigenPair({!r} in [{!r}, {!r}], {} after {} rounds)")
                 .format(pair.value, pair.lower, pair.upper, to_string(pair.reason), pair.rounds);
           })
      .def(
          "_repr_html_",
          [](nb::handle self) { return call_python("tessera_cl._repr", "eigenpair", self); },
          nb::sig("def _repr_html_(self) -> str"));
}

}  // namespace

void bind_eigenpair(nb::module_& module) {
  bind_progress(module);
  bind_pair(module);
  nb::class_<ts::EigenPlan>(module, "EigenPlan",
                            "The kernels of solves of one size with the same options.")
      .def_prop_ro("kernels", &ts::EigenPlan::kernels, nb::rv_policy::copy,
                   "The kernel of each operation.")
      .def("run", run, "a"_a, nb::kw_only(), "stream"_a = nb::none(), "wait_for"_a = nb::none(),
           "progress"_a = nb::none(),
           nb::sig("def run(self, a: Matrix, *, stream: Stream | None = None, wait_for:"
                   " collections.abc.Iterable[typing.Any] | None = None, progress:"
                   " collections.abc.Callable[[EigenProgress], object] | None = None) ->"
                   " EigenPair"),
           "The same as ``eigenpair()`` with the plan's options.\n\n"
           "Raises:\n    ArgumentError: the matrix has another size, dtype or engine.");
  module
      .def("solve_eigenpair", solve, "a"_a, "options"_a, "stream"_a.none(), "wait_for"_a.none(),
           "progress"_a.none(),
           nb::sig("def solve_eigenpair(a: Matrix, options: dict[str, typing.Any], stream: Stream"
                   " | None, wait_for: collections.abc.Iterable[typing.Any] | None, progress:"
                   " collections.abc.Callable[[EigenProgress], object] | None) -> EigenPair"),
           "A solve, with all options in a dict.")
      .def(
          "plan_eigenpair_with",
          [](const Matrix& a, const nb::dict& given) {
            const auto options = options_of(given);
            return unlocked([&] { return detail::plan_dominant_eigenpair(a.operand, options); });
          },
          "a"_a, "options"_a,
          nb::sig("def plan_eigenpair_with(a: Matrix, options: dict[str, typing.Any]) ->"
                  " EigenPlan"),
          "A plan, with all options in a dict.");
}

}  // namespace tessera_py
