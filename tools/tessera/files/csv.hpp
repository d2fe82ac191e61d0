// CSV: matrices as lines of numbers, as spreadsheets and NumPy write them.
#pragma once

#include <string>
#include <string_view>

#include "files/any_matrix.hpp"

namespace tessera::tool {

/// A row a line, in UTF-8 or, with a byte order mark, UTF-16. The first line with numbers decides
/// what separates them: semicolons (the decimal mark may then be a comma), else commas, else
/// blanks. Skipped are blank lines, lines that begin with # and a first line of names. Finite
/// decimals, and quotients of integers such as 1/3. Throws UsageError, which begins with `name`.
Numbers read_csv(std::string_view content, const std::string& name);

/// As read_csv() reads it: numbers between commas, as few digits as give the same elements back.
std::string csv_text(const AnyMatrix& matrix);

}  // namespace tessera::tool
