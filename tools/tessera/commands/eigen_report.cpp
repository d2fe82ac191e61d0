// Report of a solve, as text and as JSON.
#include "commands/eigen_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "commands/device_memory.hpp"
#include "commands/interval.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string described(const EigenStructure& structure) {
  using Kind = EigenStructure::Kind;
  if (structure.kind == Kind::unexamined) return {};
  std::string text = fmt::format("the matrix is {}", to_string(structure.kind));
  if (structure.kind == Kind::periodic) text += fmt::format(", its period {}", structure.period);
  if (structure.kind == Kind::reducible) {
    text += fmt::format(": irreducible blocks {}, with this eigenvalue {}", structure.classes,
                        structure.basic_classes);
  }
  return text;
}

}  // namespace

EigenSolution solve(const detail::Operand& matrix, const EigenOptions& options) {
  auto pair = detail::dominant_eigenpair(matrix, options);
  return {std::move(pair), to_host(pair.vector), Engine(detail::stream_of(matrix)).device().name,
          is_transposed(matrix.op)};
}

EigenReport::EigenReport(const EigenSolution& solution, double rounding,
                         const EigenOptions& options, double tolerance)
    : solution_(solution),
      options_(options),
      rounding_(rounding),
      tolerance_(tolerance),
      bounds_(widened({solution.lower, solution.upper}, rounding)),
      within_(rounding == 0 || std::isinf(rounding) || options.stop != StopTest::bounds ||
              bounds_.upper - bounds_.lower <= tolerance * bounds_.upper) {}

std::string_view EigenReport::reason() const {
  return solution_.converged && !within_ ? "rounding" : to_string(solution_.reason);
}

nlohmann::ordered_json EigenReport::json() const {
  Json kernels = Json::object(), history = Json::array();
  for (const KernelRun& run : solution_.ran) kernels[run.operation()] = run.variant();
  for (const EigenBounds& bounds : solution_.history)
    history.push_back({bounds.lower, bounds.upper});
  Json json = {{"device", solution_.device},
               {"dtype", type()},
               {"method", to_string(options_.method)},
               {"stop", to_string(options_.stop)},
               {"transposed", solution_.transposed},
               {"kernels", std::move(kernels)},
               {"input_rounding", rounding_},
               {"value", solution_.value},
               {"lower", bounds_.lower},
               {"upper", bounds_.upper},
               {"rounds", solution_.rounds},
               {"converged", converged()},
               {"reason", reason()},
               {"structure",
                {{"kind", to_string(solution_.structure.kind)},
                 {"period", solution_.structure.period},
                 {"classes", solution_.structure.classes},
                 {"basic_classes", solution_.structure.basic_classes}}},
               {"residual", solution_.residual},
               {"seconds", solution_.seconds().value_or(0)}};
  if (options_.history) json["history"] = std::move(history);
  return json;
}

void EigenReport::print_interval(std::FILE* out) const {
  const auto [lower, upper, digits] = interval_text(bounds_);
  const std::string whose = std::isinf(rounding_) ? fmt::format(" of A rounded to {}", type()) : "";
  fmt::print(out, "eigenvalue{} proven to be from {} to {}\n", whose, lower, upper);
  if (rounding_ > 0 && !std::isinf(rounding_)) {
    fmt::print(out, "the interval allows for the rounding of A's elements to {}, {:.2g} each\n",
               type(), rounding_);
  }
  // The middle of a wide interval says little.
  const bool is_narrow = bounds_.upper - bounds_.lower <= 1e3 * tolerance_ * bounds_.upper;
  if (is_narrow) fmt::print(out, "eigenvalue {:.{}g}, the middle\n", solution_.value, digits);
}

void EigenReport::print_vector(std::FILE* out) const {
  fmt::print(out, "eigenvector");
  const std::size_t count = solution_.vector.shape.count();
  for (std::size_t i = 0; i < count; i++) fmt::print(out, " {:.6g}", solution_.vector[i]);
  fmt::print(out, "\n");
}

void EigenReport::print(std::FILE* out, bool with_vector) const {
  constexpr std::size_t kMax = 12;
  const std::size_t n = solution_.vector.shape.rows;
  fmt::print(out, "{} x {}{}, {} on {}\n", n, n, solution_.transposed ? " transposed" : "", type(),
             one_line(solution_.device));
  for (std::size_t i = 0; i < solution_.history.size(); i++) {
    fmt::print(out, "round {:<6} {:.15g} to {:.15g}\n", i, solution_.history[i].lower,
               solution_.history[i].upper);
  }
  print_interval(out);
  if (with_vector && n <= kMax) print_vector(out);
  const bool is_neighbours = options_.stop == StopTest::neighbours;
  fmt::print(out, "{} after {} {} ({}, {}), residual {:.3g}, {:.4g} ms\n",
             solution_.converged && !within_ ? "ended" : to_string(solution_.reason),
             solution_.rounds, is_neighbours ? "rounds" : "iterations", to_string(options_.method),
             to_string(options_.stop), solution_.residual, 1e3 * solution_.seconds().value_or(0));
  if (solution_.converged && !within_) {
    fmt::print(out, "not converged: the elements' rounding alone is wider than --tolerance {:g}\n",
               tolerance_);
  }
  if (const auto text = described(solution_.structure); !text.empty())
    fmt::print(out, "{}\n", text);
}

}  // namespace tessera::tool
