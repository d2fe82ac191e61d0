// Making matrices from a word, a shape and a seed.
#include "files/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string_view>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

/// Uniform in [0, 1), the same on every machine.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Box and Muller, "A note on the generation of random normal deviates", 1958.
double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

struct Request {
  std::string source;
  std::size_t rows = 0, columns = 0;
  std::uint64_t seed = 1;
};

UsageError wrong(const std::string& source, const char* form) {
  return UsageError(fmt::format("{}: is not of the form {}", source, form));
}

/// Parses the text after the colon: N if `square`, else RxC[:SEED].
Request parse(const std::string& source, std::string_view text, bool square, const char* form) {
  const auto colon = text.find(':');
  const auto shape = text.substr(0, colon);
  const auto cross = shape.find('x');
  if (square != (cross == std::string_view::npos)) throw wrong(source, form);
  const auto rows = integer(shape.substr(0, cross));
  const auto columns = square ? rows : integer(shape.substr(cross + 1));
  if (!rows || !columns) throw wrong(source, form);
  checked_size(*rows, *columns, sizeof(double), source);
  Request request{source, static_cast<std::size_t>(*rows), static_cast<std::size_t>(*columns)};
  if (colon != std::string_view::npos) {
    const auto seed = integer(text.substr(colon + 1));
    if (square || !seed || *seed < 0) throw wrong(source, form);
    request.seed = static_cast<std::uint64_t>(*seed);
  }
  return request;
}

template <class Function>
Numbers filled(const Request& request, Function&& value) {
  Numbers matrix{request.rows, request.columns};
  if (request.columns == 0) return matrix;  // the number of rows may be huge
  matrix.elements.reserve(request.rows * request.columns);
  for (std::size_t i = 0; i < request.rows; i++) {
    for (std::size_t j = 0; j < request.columns; j++) matrix.elements.push_back(value(i, j));
  }
  return matrix;
}

Numbers hilbert(const Request& request, ElementType type) {
  // In float the quotient is computed in float: correctly rounded.
  const bool is_float = type == ElementType::float32;
  auto matrix = filled(request, [&](std::size_t i, std::size_t j) {
    const double denominator = static_cast<double>(i + j + 1);
    return is_float ? 1.0f / static_cast<float>(denominator) : 1.0 / denominator;
  });
  // 1/3 is the first that is rounded.
  if (request.rows >= 2)
    matrix.rounding = unit_roundoff(is_float ? ElementType::float32 : ElementType::float64);
  return matrix;
}

Numbers random_uniform(const Request& request, ElementType type) {
  std::mt19937_64 random(request.seed);
  return filled(request, [&](std::size_t, std::size_t) {
    const double value = uniform(random);
    // Rounding must not reach 1.
    if (is_integer(type)) return std::floor(value * 201) - 100;
    const double steps = std::ldexp(1, -std::ilogb(unit_roundoff(type)));
    return std::floor(value * steps) / steps;
  });
}

Numbers random_normal(const Request& request, ElementType type) {
  std::mt19937_64 random(request.seed);
  return filled(request, [&](std::size_t, std::size_t) {
    const double value = normal(random);
    // The matrix is one of this type: nothing is rounded later.
    return is_integer(type) ? value : nearest(type, value);
  });
}

Numbers ones(const Request& request, ElementType) {
  return filled(request, [](std::size_t, std::size_t) { return 1.0; });
}

Numbers identity(const Request& request, ElementType) {
  return filled(request, [](std::size_t i, std::size_t j) { return i == j ? 1.0 : 0.0; });
}

struct Generator {
  std::string_view name;
  const char* form;
  bool square;
  Numbers (*make)(const Request&, ElementType);
};

constexpr std::array kGenerators = {Generator{"hilbert", "hilbert:N", true, hilbert},
                                    Generator{"random", "random:RxC[:SEED]", false, random_uniform},
                                    Generator{"normal", "normal:RxC[:SEED]", false, random_normal},
                                    Generator{"ones", "ones:RxC", false, ones},
                                    Generator{"identity", "identity:N", true, identity}};

const Generator* find(const std::string& source) {
  const auto colon = source.find(':');
  const auto found = std::ranges::find(kGenerators, source.substr(0, colon), &Generator::name);
  return colon == std::string::npos || found == kGenerators.end() ? nullptr : found;
}

Request requested(const Generator& generator, const std::string& source) {
  const auto text = std::string_view(source).substr(generator.name.size() + 1);
  return parse(source, text, generator.square, generator.form);
}

}  // namespace

bool is_generator(const std::string& source) { return find(source) != nullptr; }

Shape generated_shape(const std::string& source) {
  const Request request = requested(*find(source), source);
  return {request.rows, request.columns};
}

Numbers generate(const std::string& source, ElementType type) {
  const Generator& generator = *find(source);
  return generator.make(requested(generator, source), type);
}

}  // namespace tessera::tool
