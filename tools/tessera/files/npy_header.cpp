// Headers of .npy files: a magic string, a Python dictionary.
#include "files/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <vector>

#include "text.hpp"
#include "usage_error.hpp"

namespace tessera::tool {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// The value of a key in a Python dictionary of one level, as text.
std::string_view value_of(std::string_view dictionary, std::string_view key,
                          const std::string& name) {
  const auto found = std::min(dictionary.find(fmt::format("'{}'", key)),
                              dictionary.find(fmt::format("\"{}\"", key)));
  const auto colon = found == std::string_view::npos ? found : dictionary.find(':', found);
  if (colon == std::string_view::npos)
    throw UsageError(fmt::format("{}: the header has no '{}'", name, key));
  auto rest = dictionary.substr(colon + 1);
  // Up to the comma that is not within brackets or quotes.
  int depth = 0;
  char quote = 0;  // of the text that this is inside of
  std::size_t end = 0;
  for (; end < rest.size(); end++) {
    const char c = rest[end];
    if (quote != 0 ? c == quote : c == '\'' || c == '"') quote = quote != 0 ? '\0' : c;
    if (quote != 0) continue;
    if (c == '(' || c == '[') depth++;
    if ((c == ',' || c == '}') && depth == 0) break;
    if (c == ')' || c == ']') depth--;
  }
  return trimmed(rest.substr(0, end));
}

/// '<f4' and 'float32' without quotes: what is read of them.
struct TypeCode {
  char kind = 0, order = '=';  // the order may be left out
  std::optional<long long> size;
};

TypeCode type_code(std::string_view code) {
  TypeCode result;
  if (!code.empty() && std::string_view("<>=|").find(code[0]) != code.npos) {
    result.order = code[0];
    code.remove_prefix(1);
  }
  struct Name {
    std::string_view name;
    char kind;
  };
  constexpr std::array kNames = {Name{"float", 'f'}, Name{"uint", 'u'}, Name{"int", 'i'},
                                 Name{"complex", 'c'}};
  for (const auto& [name, kind] : kNames) {
    if (!code.starts_with(name)) continue;
    const auto bits = integer(code.substr(name.size()));
    if (bits && *bits % 8 == 0) return {kind, result.order, *bits / 8};
  }
  if (code == "bool") return {'b', result.order, 1};
  if (!code.empty()) {
    result.kind = code[0];
    result.size = integer(code.substr(1));
  }
  return result;
}

void read_type(std::string_view descr, NpyHeader& header, const std::string& name) {
  if (descr.starts_with('['))
    throw UsageError(fmt::format("{}: has records, not numbers: {}", name, in_quotes(descr)));
  const auto text = descr.size() >= 2 ? descr.substr(1, descr.size() - 2) : descr;
  const TypeCode code = type_code(text);
  if (code.kind == 0)
    throw UsageError(fmt::format("{}: the header has no type: {}", name, in_quotes(descr)));
  header.kind = code.kind;
  if (header.kind == 'O')
    throw UsageError(fmt::format("{}: has Python objects, not numbers", name));
  const auto one_of = [&](std::initializer_list<long long> sizes) {
    return code.size && std::ranges::find(sizes, *code.size) != sizes.end();
  };
  const bool has_order = code.order == '<' || code.order == '>';
  const bool known = header.kind == 'f'                         ? one_of({2, 4, 8})
                     : header.kind == 'i' || header.kind == 'u' ? one_of({1, 2, 4, 8})
                     : header.kind == 'c'                       ? one_of({8, 16})
                     : header.kind == 'V'                       ? has_order && one_of({2})
                                                                : header.kind == 'b' && one_of({1});
  if (!known)
    throw UsageError(fmt::format("{}: elements of type {} cannot be read", name, in_quotes(text)));
  header.item_size = static_cast<std::size_t>(*code.size);
  header.big_endian =
      code.order == '>' || (code.order == '=' && std::endian::native == std::endian::big);
}

/// The sizes of a tuple; Python 2 writes 2L for 2.
template <class Refuse>
std::vector<long long> sizes_of(std::string_view shape, Refuse&& refuse) {
  if (!shape.starts_with('(') || !shape.ends_with(')')) throw refuse("is not a tuple");
  std::vector<long long> sizes;
  auto rest = shape.substr(1, shape.size() - 2);
  while (!trimmed(rest).empty()) {
    const auto comma = rest.find(',');
    auto number = trimmed(rest.substr(0, comma));
    if (number.ends_with('L')) number.remove_suffix(1);
    const auto size = integer(number);
    if (!size) throw refuse("has something that is not a number");
    sizes.push_back(*size);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return sizes;
}

void read_shape(std::string_view shape, NpyHeader& header, const std::string& name) {
  const auto refuse = [&](const char* why) {
    return UsageError(fmt::format("{}: shape {} {}", name, shortened(shape), why));
  };
  auto sizes = sizes_of(shape, refuse);
  const std::string where = fmt::format("{}: shape {}", name, shortened(shape));
  if (sizes.size() == 1) sizes.push_back(1);
  if (sizes.size() == 3) {
    if (sizes[0] == 0) throw refuse("is a stack without matrices");
    header.stack = checked_size(sizes[0], 1, 1, where);
    if (sizes[1] > 0 && sizes[0] > std::numeric_limits<long long>::max() / sizes[1])
      throw refuse("is more than 64 bits can address");
    sizes[1] *= sizes[0];
    sizes.erase(sizes.begin());
  }
  if (sizes.size() != 2) throw refuse("has neither two dimensions nor the three of a stack");
  checked_size(sizes[0], sizes[1], header.item_size, where);
  header.rows = static_cast<std::size_t>(sizes[0]);
  header.columns = static_cast<std::size_t>(sizes[1]);
}

/// Returns the dictionary in the file.
std::string_view dictionary_of(std::string_view content, NpyHeader& header,
                               const std::string& name) {
  if (!content.starts_with(kMagic))
    throw UsageError(fmt::format("{}: is no .npy file: it does not begin as one", name));
  const auto byte = [&](std::size_t i) -> std::size_t {
    if (i >= content.size()) throw UsageError(fmt::format("{}: ends within its header", name));
    return static_cast<unsigned char>(content[i]);
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    throw UsageError(fmt::format("{}: has .npy version {}, known are 1 to 3", name, version));
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > content.size() - begin)
    throw UsageError(fmt::format("{}: ends within its header", name));
  header.data_begin = begin + length;
  return content.substr(begin, length);
}

}  // namespace

NpyHeader npy_header(std::string_view content, const std::string& name) {
  NpyHeader header;
  const auto dictionary = dictionary_of(content, header, name);
  read_type(value_of(dictionary, "descr", name), header, name);
  const auto order = value_of(dictionary, "fortran_order", name);
  if (order != "True" && order != "False")
    throw UsageError(fmt::format("{}: fortran_order is {}", name, in_quotes(order)));
  header.fortran_order = order == "True";
  read_shape(value_of(dictionary, "shape", name), header, name);
  const std::size_t promised = header.rows * header.columns * header.item_size;
  const std::size_t held = content.size() - header.data_begin;
  if (held != promised) {
    throw UsageError(
        fmt::format("{}: the header promises {} bytes of {} x {} elements, the file holds {}", name,
                    promised, header.rows, header.columns, held));
  }
  return header;
}

char npy_kind(ElementType type) {
  if (is_complex(type)) return 'c';
  return type == ElementType::bfloat16 ? 'V' : is_integer(type) ? 'i' : 'f';
}

std::string npy_header_text(ElementType type, const Shape& shape) {
  const char order = element_size(type) == 1                   ? '|'
                     : std::endian::native == std::endian::big ? '>'
                                                               : '<';
  const std::string sizes = shape.stack == 0 ? fmt::format("{}, {}", shape.rows, shape.columns)
                                             : fmt::format("{}, {}, {}", shape.stack,
                                                           shape.rows / shape.stack, shape.columns);
  std::string dictionary =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}", order,
                  npy_kind(type), element_size(type), sizes);
  // The data starts at a multiple of 64 bytes.
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
           static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

}  // namespace tessera::tool
