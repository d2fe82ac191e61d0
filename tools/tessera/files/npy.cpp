// Reading .npy: a magic string, a Python dictionary, the bytes.
#include "files/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

void read_type(std::string_view descr, NpyHeader& header, const std::string& name) {
  if (descr.starts_with('['))
    throw UsageError(fmt::format("{}: has records, not numbers: {}", name, in_quotes(descr)));
  auto code = descr.size() >= 2 ? descr.substr(1, descr.size() - 2) : descr;  // without quotes: <f4
  const char order = !code.empty() && std::string_view("<>=|").find(code[0]) != code.npos
                         ? code[0]
                         : '=';  // may be left out
  const auto full = code;
  if (!code.empty() && code[0] == order) code.remove_prefix(1);
  if (code.empty())
    throw UsageError(fmt::format("{}: the header has no type: {}", name, in_quotes(descr)));
  const auto size = integer(code.substr(1));
  header.kind = code[0];
  if (header.kind == 'O')
    throw UsageError(fmt::format("{}: has Python objects, not numbers", name));
  if (header.kind == 'c')
    throw UsageError(fmt::format("{}: has complex numbers, which tessera does not multiply", name));
  const auto one_of = [&](std::initializer_list<long long> sizes) {
    return size && std::ranges::find(sizes, *size) != sizes.end();
  };
  const bool known = header.kind == 'f'                         ? one_of({2, 4, 8})
                     : header.kind == 'i' || header.kind == 'u' ? one_of({1, 2, 4, 8})
                                                                : header.kind == 'b' && one_of({1});
  if (!known)
    throw UsageError(fmt::format("{}: elements of type {} cannot be read", name, in_quotes(full)));
  header.item_size = static_cast<std::size_t>(*size);
  header.big_endian = order == '>' || (order == '=' && std::endian::native == std::endian::big);
}

void read_shape(std::string_view shape, NpyHeader& header, const std::string& name) {
  const auto refuse = [&](const char* why) {
    return UsageError(fmt::format("{}: shape {} {}", name, shortened(shape), why));
  };
  if (!shape.starts_with('(') || !shape.ends_with(')')) throw refuse("is not a tuple");
  std::vector<long long> sizes;
  auto rest = shape.substr(1, shape.size() - 2);
  while (!trimmed(rest).empty()) {
    const auto comma = rest.find(',');
    const auto size = integer(rest.substr(0, comma));
    if (!size) throw refuse("has something that is not a number");
    sizes.push_back(*size);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  if (sizes.size() == 1) sizes.push_back(1);
  if (sizes.size() != 2) throw refuse("has not two dimensions");
  checked_size(sizes[0], sizes[1], header.item_size,
               fmt::format("{}: shape {}", name, shortened(shape)));
  header.rows = static_cast<std::size_t>(sizes[0]);
  header.columns = static_cast<std::size_t>(sizes[1]);
}

/// Where the dictionary lies in the file.
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

template <class Source>
Source load(const char* from, bool swap) {
  std::array<char, sizeof(Source)> bytes;
  std::memcpy(bytes.data(), from, bytes.size());
  if (swap) std::ranges::reverse(bytes);
  return std::bit_cast<Source>(bytes);
}

/// Calls function with a value of the type of the file's elements.
template <class Function>
void with_source(const NpyHeader& header, Function&& function) {
  const std::size_t size = header.item_size;
  if (header.kind == 'f') {
    size == 2 ? function(half()) : size == 4 ? function(float()) : function(double());
  } else if (header.kind == 'i') {
    size == 1   ? function(std::int8_t())
    : size == 2 ? function(std::int16_t())
    : size == 4 ? function(std::int32_t())
                : function(std::int64_t());
  } else {
    size == 1   ? function(std::uint8_t())
    : size == 2 ? function(std::uint16_t())
    : size == 4 ? function(std::uint32_t())
                : function(std::uint64_t());
  }
}

template <class Source>
double widened(Source value) {
  if constexpr (std::is_same_v<Source, half>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
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

template <Element T>
HostMatrix<T> read_npy(std::string_view content, const std::string& name) {
  const NpyHeader header = npy_header(content, name);
  HostMatrix<T> matrix{header.rows, header.columns, std::vector<T>(header.rows * header.columns)};
  const char* data = content.data() + header.data_begin;
  const bool swap = header.big_endian != (std::endian::native == std::endian::big);
  const std::size_t row = header.fortran_order ? 1 : header.columns,
                    column = header.fortran_order ? header.rows : 1;
  if (matrix.elements.empty()) return matrix;  // one of the sizes may be huge
  with_source(header, [&](auto zero) {
    using Stored = decltype(zero);
    for (std::size_t i = 0; i < header.rows; i++) {
      for (std::size_t j = 0; j < header.columns; j++) {
        const auto value = load<Stored>(data + (i * row + j * column) * sizeof(Stored), swap);
        T& element = matrix.elements[i * header.columns + j];
        if constexpr (std::is_same_v<Stored, T>) {
          element = value;
        } else {
          element = converted<T>(widened(value), [&] { return place_in(name, i, j); });
        }
      }
    }
  });
  return matrix;
}

std::string npy_header_text(ElementType type, std::size_t rows, std::size_t columns) {
  const char* code = type == ElementType::float64   ? "f8"
                     : type == ElementType::float16 ? "f2"
                     : type == ElementType::int32   ? "i4"
                     : type == ElementType::int8    ? "i1"
                                                    : "f4";
  const char order = type == ElementType::int8                 ? '|'
                     : std::endian::native == std::endian::big ? '>'
                                                               : '<';
  std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}, {}), }}", order, code,
                  rows, columns);
  // The data starts at a multiple of 64 bytes.
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
           static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

template HostMatrix<float> read_npy<float>(std::string_view, const std::string&);
template HostMatrix<double> read_npy<double>(std::string_view, const std::string&);
template HostMatrix<std::int32_t> read_npy<std::int32_t>(std::string_view, const std::string&);
template HostMatrix<half> read_npy<half>(std::string_view, const std::string&);
template HostMatrix<std::int8_t> read_npy<std::int8_t>(std::string_view, const std::string&);

}  // namespace tessera::tool
