// Report of a solve, as text and as JSON.
#include "commands/eigen_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "commands/interval.hpp"
#include "element_types.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string described(const EigenStructure& structure) {
  using Kind = EigenStructure::Kind;
  if (structure.kind == Kind::unexamined) return {};
  std::string text = fmt::format("the matrix is {}", name(structure.kind));
  if (structure.kind == Kind::periodic) text += fmt::format(", its period {}", structure.period);
  if (structure.kind == Kind::reducible) {
    text += fmt::format(": irreducible blocks {}, with this eigenvalue {}", structure.classes,
                        structure.basic_classes);
  }
  return text;
}

}  // namespace

template <Real T>
EigenReport<T>::EigenReport(const EigenPair<T>& pair, double rounding, const EigenOptions& options,
                            double tolerance)
    : pair_(pair),
      options_(options),
      rounding_(rounding),
      tolerance_(tolerance),
      seconds_(pair.seconds().value_or(0)),
      bounds_(widened({pair.lower, pair.upper}, rounding)),
      within_(rounding == 0 || std::isinf(rounding) || options.stop != StopTest::bounds ||
              bounds_.upper - bounds_.lower <= tolerance * bounds_.upper) {}

template <Real T>
std::string_view EigenReport<T>::reason() const {
  return pair_.converged && !within_ ? "rounding" : name(pair_.reason);
}

template <Real T>
nlohmann::ordered_json EigenReport<T>::json() const {
  Json kernels = Json::object(), history = Json::array();
  for (const KernelRun& run : pair_.ran) kernels[run.operation()] = run.variant();
  for (const EigenBounds& bounds : pair_.history) history.push_back({bounds.lower, bounds.upper});
  Json json = {{"device", pair_.vector.engine().device().name},
               {"dtype", name(element_type_of<T>())},
               {"method", name(options_.method)},
               {"stop", name(options_.stop)},
               {"transposed", options_.transpose},
               {"kernels", std::move(kernels)},
               {"input_rounding", rounding_},
               {"value", pair_.value},
               {"lower", bounds_.lower},
               {"upper", bounds_.upper},
               {"rounds", pair_.rounds},
               {"converged", converged()},
               {"reason", reason()},
               {"structure",
                {{"kind", name(pair_.structure.kind)},
                 {"period", pair_.structure.period},
                 {"classes", pair_.structure.classes},
                 {"basic_classes", pair_.structure.basic_classes}}},
               {"residual", pair_.residual},
               {"seconds", seconds_}};
  if (options_.history) json["history"] = std::move(history);
  return json;
}

template <Real T>
void EigenReport<T>::print_interval(std::FILE* out) const {
  const auto type = name(element_type_of<T>());
  const auto [lower, upper, digits] = interval_text(bounds_);
  const std::string whose = std::isinf(rounding_) ? fmt::format(" of A rounded to {}", type) : "";
  fmt::print(out, "eigenvalue{} proven to be from {} to {}\n", whose, lower, upper);
  if (rounding_ > 0 && !std::isinf(rounding_)) {
    fmt::print(out, "the interval allows for the rounding of A's elements to {}, {:.2g} each\n",
               type, rounding_);
  }
  // The middle of a wide interval says little.
  const bool is_narrow = bounds_.upper - bounds_.lower <= 1e3 * tolerance_ * bounds_.upper;
  if (is_narrow) fmt::print(out, "eigenvalue {:.{}g}, the middle\n", pair_.value, digits);
}

template <Real T>
void EigenReport<T>::print(std::FILE* out, const HostMatrix<T>* vector) const {
  constexpr std::size_t kMax = 12;
  const std::size_t n = pair_.vector.rows();
  fmt::print(out, "{} x {}{}, {} on {}\n", n, n, options_.transpose ? " transposed" : "",
             name(element_type_of<T>()), one_line(pair_.vector.engine().device().name));
  for (std::size_t i = 0; i < pair_.history.size(); i++) {
    fmt::print(out, "round {:<6} {:.15g} to {:.15g}\n", i, pair_.history[i].lower,
               pair_.history[i].upper);
  }
  print_interval(out);
  if (vector != nullptr && n <= kMax)
    fmt::print(out, "eigenvector {:.6g}\n", fmt::join(vector->elements, " "));
  const bool is_neighbours = options_.stop == StopTest::neighbours;
  fmt::print(out, "{} after {} {} ({}, {}), residual {:.3g}, {:.4g} ms\n",
             pair_.converged && !within_ ? "ended" : name(pair_.reason), pair_.rounds,
             is_neighbours ? "rounds" : "iterations", name(options_.method), name(options_.stop),
             pair_.residual, 1e3 * seconds_);
  if (pair_.converged && !within_) {
    fmt::print(out, "not converged: the elements' rounding alone is wider than --tolerance {:g}\n",
               tolerance_);
  }
  if (const auto text = described(pair_.structure); !text.empty()) fmt::print(out, "{}\n", text);
}

template class EigenReport<float>;
template class EigenReport<double>;

}  // namespace tessera::tool
