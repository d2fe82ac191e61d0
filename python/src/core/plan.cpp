// Plans in Python: kernels that are chosen, built and checked in advance.
#include "conversion.hpp"
#include "options.hpp"

namespace tessera_py {
namespace {

/// A matrix or a batch. Raises TypeError for other objects.
detail::Batch batch_of(nb::handle object, const char* name) {
  if (nb::isinstance<Matrix>(object)) return {nb::cast<const Matrix&>(object).operand};
  if (nb::isinstance<Batch>(object)) return nb::cast<const Batch&>(object).batch;
  const std::string message = std::string(name) + ": expected a Matrix or a Batch";
  throw nb::type_error(message.c_str());
}

ts::Plan plan_multiply(nb::handle c, nb::handle a, nb::handle b, std::string_view accuracy,
                       nb::handle kernel) {
  const auto out = batch_of(c, "c"), left = batch_of(a, "a"), right = batch_of(b, "b");
  const auto options = product_options(1, 0, accuracy, kernel, {}, nb::none());
  return unlocked([&] { return detail::plan_multiply(out, left, right, options); });
}

ts::Plan plan_matrix_vector(const Matrix& y, const Matrix& a, const Matrix& x, nb::handle kernel) {
  const auto options = product_options(1, 0, "ieee", kernel, {}, nb::none());
  return unlocked(
      [&] { return detail::plan_matrix_vector(y.operand, a.operand, x.operand, options); });
}

ts::KernelRun run(const ts::Plan& plan, nb::handle c, nb::handle a, nb::handle b, Complex alpha,
                  Complex beta, const std::optional<ts::Stream>& stream, nb::handle wait_for) {
  const auto out = batch_of(c, "c"), left = batch_of(a, "a"), right = batch_of(b, "b");
  const ts::RunOptions options{
      .alpha = alpha, .beta = beta, .wait_for = events_of(wait_for), .stream = stream};
  return unlocked([&] { return detail::Access::run(plan, out, left, right, options); });
}

void bind_class(nb::module_& module) {
  nb::class_<ts::Plan>(module, "Plan",
                       "A kernel for operands of certain dtypes, shapes and transposes.\n\n"
                       "``run()`` accepts all such operands of the engine and looks nothing up.\n\n"
                       ">>> import tessera_cl as ts\n"
                       ">>> e = ts.Engine()\n"
                       ">>> A = e.asmatrix([[1.0, 2.0], [3.0, 4.0]])\n"
                       ">>> C = e.empty((2, 2), \"float64\")\n"
                       ">>> plan = ts.plan_multiply(C, A, A)\n"
                       ">>> run = plan.run(C, A, A)\n"
                       ">>> C.to_numpy()\n"
                       "array([[ 7., 10.],\n"
                       "       [15., 22.]])")
      .def_prop_ro("variant", &ts::Plan::variant, "The kernel's name.")
      .def_prop_ro("parameters", &ts::Plan::parameters, "The kernel's parameters.")
      .def_prop_ro(
          "kernel",
          [](const ts::Plan& plan) {
            return to_string(ts::KernelChoice{plan.variant(), plan.parameters()});
          },
          "Variant and parameters as ``kernel=`` accepts them.")
      .def_prop_ro("reason", &ts::Plan::reason, "The reason for the choice.")
      .def_prop_ro("scratch_bytes", &ts::Plan::scratch_bytes, "Scratch memory of one run.")
      .def_prop_ro("expected_seconds", &ts::Plan::expected_seconds,
                   "Device time of one run, as tuned or modelled; None if no model knows.")
      .def_prop_ro(
          "problem", [](const ts::Plan& plan) { return describe(plan.problem()); },
          "The problem in words.")
      .def("run", run, "c"_a, "a"_a, "b"_a, nb::kw_only(), "alpha"_a = 1.0, "beta"_a = 0.0,
           "stream"_a = nb::none(), "wait_for"_a = nb::none(),
           nb::sig(
               "def run(self, c: Matrix | Batch, a: Matrix | Batch, b: Matrix | Batch, *,"
               " alpha: complex = 1.0, beta: complex = 0.0, stream: Stream | None = None, wait_for:"
               " collections.abc.Iterable[typing.Any] | None = None) -> KernelRun"),
           "Enqueues ``c = alpha * a @ b + beta * c`` and returns.\n\n"
           "Raises:\n    ArgumentError: the operands are not as planned.")
      .def("__repr__", [](const ts::Plan& plan) {
        return nb::str("Plan({}: {})")
            .format(describe(plan.problem()),
                    to_string(ts::KernelChoice{plan.variant(), plan.parameters()}));
      });
}

}  // namespace

void bind_plan(nb::module_& module) {
  bind_class(module);
  module
      .def("plan_multiply", plan_multiply, "c"_a, "a"_a, "b"_a, nb::kw_only(),
           "accuracy"_a = "ieee", "kernel"_a = nb::none(),
           nb::sig("def plan_multiply(c: Matrix | Batch, a: Matrix | Batch, b: Matrix | Batch, *,"
                   " accuracy: typing.Literal['ieee', 'bounded'] = 'ieee', kernel: str | tuple[str,"
                   " dict[str, int]] | None = None) -> Plan"),
           "Chooses, builds and checks the kernel that ``multiply()`` would run for these\n"
           "operands, or ``multiply_batched()`` for batches, and enqueues nothing.")
      .def("plan_matrix_vector", plan_matrix_vector, "y"_a, "a"_a, "x"_a, nb::kw_only(),
           "kernel"_a = nb::none(),
           nb::sig("def plan_matrix_vector(y: Matrix, a: Matrix, x: Matrix, *, kernel: str |"
                   " tuple[str, dict[str, int]] | None = None) -> Plan"),
           "The same for ``matrix_vector()``.");
}

}  // namespace tessera_py
